// SPDX-License-Identifier: GPL-3.0-or-later
// The row over the lab: back to the runs, which strategies, how many steps, start or stop.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/lab/lab_rows.h"
#include "ui/theme/theme_controller.h"

class QMenu;
class QPushButton;
class QSpinBox;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class LabChoice : public QWidget {
    Q_OBJECT
public:
    LabChoice(const theme::ThemeController& themes, QWidget* parent);

    std::vector<engine::lab::LabRow> rows() const;  // Default and those that are ticked
    std::int64_t steps() const;
    // While a comparison runs, nothing can be chosen and the button Start reads Stop.
    void setRunning(bool running);
    // Sets why the lab can't be started; empty: it can.
    void setObstacle(const QString& reason);
    // Hides Start when there is no project, since there is nothing to start.
    void setStartShown(bool shown);
    // Sets one sentence on what is, or was, trained.
    void setSentence(const QString& sentence);
    void retranslate();

signals:
    void backWanted();
    void startWanted();
    void stopWanted();
    void chosen();

private:
    void fillMenu();
    void refresh();

    std::vector<bool> ticked_;  // by engine::lab::labRows()
    bool running_ = false, start_shown_ = true;
    QString obstacle_;
    QPushButton *back_, *strategies_, *start_, *stop_;
    QMenu* menu_;
    widgets::TextLabel *sentence_, *steps_label_;
    QSpinBox* steps_;
};

}  // namespace ui::views
