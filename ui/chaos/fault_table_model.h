// SPDX-License-Identifier: GPL-3.0-or-later
// The faults that were put into a run, newest first: what, when, how long until it was named and by whom, how long until training went on.
// Owned by the dialog; GUI thread. Texts are made when asked.
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <vector>

#include "ui/session/runs/chaos.h"
#include "ui/theme/theme_controller.h"

namespace ui::models {

class FaultTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { kFault, kTask, kWhen, kNamed, kBy, kHealed, kColumnCount };

    // `chaos` and `themes` outlive the model.
    FaultTableModel(const session::Chaos& chaos, const theme::ThemeController& themes, QObject* parent);

    // Called when stories came, or another run is shown.
    void reset();
    // Called when the language or the theme has changed: makes every text anew.
    void repaint();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    // Returns the word on the kind's button: "Kill".
    static QString kindWord(engine::chaos::FaultKind kind);

private:
    const engine::chaos::FaultStory& story(int row) const;
    QString text(const engine::chaos::FaultStory& story, int column) const;

    const session::Chaos& chaos_;
    const theme::ThemeController& themes_;
    std::vector<engine::chaos::FaultStory> stories_;  // as of the last reset(): those of the run go on meanwhile
};

}  // namespace ui::models
