// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_table_model.h"

#include <QDateTime>
#include <QLocale>
#include <cmath>

#include "ui/models/numbers.h"
#include "ui/session/error_text.h"

namespace ui::models {

using session::RunSummary;

namespace {

double secondsOf(const RunSummary& run) {
    if (run.created_unix_ns == 0) return 0;
    const std::int64_t end = run.finished_unix_ns > 0 ? run.finished_unix_ns : QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    return static_cast<double>(end - run.created_unix_ns) * 1e-9;
}

}  // namespace

void RunTableModel::setRuns(std::vector<RunSummary> runs) {
    if (runs.size() == runs_.size()) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (runs[i] == runs_[i] && session::isFinal(runs[i].phase)) continue;
            runs_[i] = runs[i];
            emit dataChanged(index(static_cast<int>(i), 0), index(static_cast<int>(i), kColumnCount - 1));
        }
        return;
    }
    beginResetModel();
    runs_ = std::move(runs);
    endResetModel();
}

void RunTableModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
    if (!runs_.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(runs_.size());
}
int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QString RunTableModel::text(const RunSummary& run, int column) const {
    switch (column) {
        case kName:
            return run.name;
        case kState:
            return session::phaseText(run.phase);
        case kStarted:
            return QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.created_unix_ns / 1'000'000), "d MMM, HH:mm:ss");
        case kDuration:
            return formatDuration(secondsOf(run));
        case kTasks:
            return QString::number(run.tasks);
        case kTestAccuracy:
            return formatMetric(run.result("test_accuracy"));
        case kTestLoss:
            return formatMetric(run.result("test_loss"));
        case kImagesPerS: {
            const double rate = run.result("images_per_s");
            return std::isfinite(rate) ? formatCount(std::llround(rate)) : QString(kMissing);
        }
        default:
            return {};
    }
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const RunSummary& run = runs_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::DisplayRole:
            return text(run, index.column());
        case Qt::ToolTipRole:
            return run.detail.isEmpty() ? run.run_dir : run.detail;
        case Qt::TextAlignmentRole:
            return static_cast<int>(Qt::AlignVCenter | (index.column() <= kState ? Qt::AlignLeft : Qt::AlignRight));
        case kColorRole:
            return run.color;
        case kPhaseRole:
            return static_cast<int>(run.phase);
        case kIdRole:
            return run.id;
        case kSortRole:
            switch (index.column()) {
                case kStarted:
                    return static_cast<qlonglong>(run.created_unix_ns);
                case kDuration:
                    return secondsOf(run);
                case kTasks:
                    return run.tasks;
                case kTestAccuracy:
                    return run.result("test_accuracy");
                case kTestLoss:
                    return run.result("test_loss");
                case kImagesPerS:
                    return run.result("images_per_s");
                default:
                    return text(run, index.column());
            }
        default:
            return {};
    }
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignVCenter | (section <= kState ? Qt::AlignLeft : Qt::AlignRight));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kName:
            return tr("Run");
        case kState:
            return tr("State");
        case kStarted:
            return tr("Started");
        case kDuration:
            return tr("Duration");
        case kTasks:
            return tr("Tasks");
        case kTestAccuracy:
            return tr("Test accuracy");
        case kTestLoss:
            return tr("Test loss");
        case kImagesPerS:
            return tr("Images/s");
        default:
            return {};
    }
}

}  // namespace ui::models
