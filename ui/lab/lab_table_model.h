// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the equivalence lab: strategy, verdict as mark and word, difference, speed, bytes, staleness, and a sentence on why. Owned by
// the view; GUI thread. Texts, colours and pictures are made when asked.
#pragma once

#include <QAbstractTableModel>
#include <QString>

#include "ui/session/runs/lab.h"
#include "ui/theme/theme_controller.h"

namespace ui::models {

class LabTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { kStrategy, kVerdict, kDifference, kSpeed, kBytes, kStaleness, kNote, kColumnCount };

    // `lab` and `themes` outlive the model.
    LabTableModel(const session::Lab& lab, const theme::ThemeController& themes, QObject* parent);

    void reset();
    void rowChanged(int row);
    // Called when the language or the theme has changed: makes every text and colour anew.
    void repaint();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    static bool isNumber(int column) { return column >= kDifference && column <= kStaleness; }
    // Returns the name of a row: "MultiWorkerMirroredStrategy, 3 workers", in the user's language.
    static QString rowText(const engine::lab::LabRow& row);
    // Returns the verdict's word in the user's language.
    static QString verdictWord(engine::lab::Verdict verdict);

private:
    const session::LabRowState& row(int index) const { return lab_.rows()[static_cast<std::size_t>(index)]; }
    QString text(const session::LabRowState& row, int column) const;
    QString verdictText(const session::LabRowState& row) const;
    QString noteText(const engine::lab::LabResult& result) const;
    QColor verdictColor(const session::LabRowState& row) const;
    QVariant picture(int index, int column) const;

    const session::Lab& lab_;
    const theme::ThemeController& themes_;
};

}  // namespace ui::models
