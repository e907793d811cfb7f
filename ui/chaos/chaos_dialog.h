// SPDX-License-Identifier: GPL-3.0-or-later
// Faults for the run that Monitor shows: a task, a button for each kind with what it takes, and a table of what came of them.
#pragma once

#include <QDialog>
#include <vector>

#include "engine/chaos/fault.h"
#include "ui/session/runs/chaos.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QGridLayout;
class QPushButton;
class QSpinBox;
class QStackedLayout;
class QTableView;

namespace ui::models {
class FaultTableModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ChaosDialog : public QDialog {
    Q_OBJECT
public:
    // `chaos` and `themes` outlive the dialog.
    ChaosDialog(session::Chaos& chaos, const theme::ThemeController& themes, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    // The row of a kind of fault: its button, what it does, what it takes.
    struct KindRow {
        engine::chaos::FaultKind kind;
        QPushButton* button;
        widgets::TextLabel* hint;
        QSpinBox* amount;   // null: it has none
        QSpinBox* lasting;  // seconds; null: it does not last
    };

    void addKind(QGridLayout& grid, const engine::chaos::FaultTraits& traits);
    QComboBox* makeTaskBox(const char* object_name);
    void refreshTasks();
    void refresh();

    void inject(const KindRow& row);
    void copyScript();
    void retranslate();

    session::Chaos& chaos_;
    const theme::ThemeController& themes_;
    models::FaultTableModel* model_;
    QString refusal_;  // of the last fault, in English; empty: it was taken
    widgets::TextLabel *title_, *note_, *task_label_, *peer_label_, *amount_label_, *lasting_label_, *problem_, *empty_;
    QComboBox *task_, *peer_;
    std::vector<KindRow> rows_;
    QTableView* table_;
    QStackedLayout* stack_;  // the table, or what stands in its place while it is empty
    QPushButton *copy_, *close_;
    std::vector<engine::spec::TaskId> tasks_;  // of the boxes
};

}  // namespace ui::views
