// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that the agent knows, newest first, as a table.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "ui/session/values.h"

namespace ui::models {

class RunTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum ColumnId { kName, kState, kStarted, kDuration, kTasks, kTestAccuracy, kTestLoss, kImagesPerS, kColumnCount };
    enum Role { kColorRole = Qt::UserRole + 1, kPhaseRole, kIdRole, kSortRole };

    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setRuns(std::vector<session::RunSummary> runs);
    const session::RunSummary& run(int row) const { return runs_[static_cast<std::size_t>(row)]; }
    // After a change of language.
    void retranslate();

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(const session::RunSummary& run, int column) const;

    std::vector<session::RunSummary> runs_;
};

}  // namespace ui::models
