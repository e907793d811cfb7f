// SPDX-License-Identifier: GPL-3.0-or-later
// Projects opened lately, each with what its last run came to.
#pragma once

#include <QAbstractListModel>
#include <functional>
#include <vector>

#include "ui/session/values.h"

namespace ui::models {

class RecentModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { kPathRole = Qt::UserRole + 1, kStrategyRole, kMetricRole, kMetricNameRole, kPhaseRole, kWhenRole, kColorRole, kCurveRole };
    // Returns the curve of a run by its id; empty when it is not known.
    using Curves = std::function<std::vector<double>(const QString&)>;

    explicit RecentModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}
    // Sets the rows. A run belongs to a project by its name; the newest counts. `runs` are the newest first.
    void setRows(std::vector<session::RecentProject> projects, const std::vector<session::RunSummary>& runs, const Curves& curves = {});
    QString path(int row) const { return rows_[static_cast<std::size_t>(row)].project.path; }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Row {
        session::RecentProject project;
        session::RunSummary run;  // phase kNone: none yet
        QList<double> curve;
    };
    std::vector<Row> rows_;
};

// Returns "MultiWorkerMirrored" for "MultiWorkerMirroredStrategy".
QString shortStrategy(const QString& name);

}  // namespace ui::models
