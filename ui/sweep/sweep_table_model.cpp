// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_table_model.h"

#include <QPainter>
#include <QPixmap>
#include <cmath>
#include <limits>

#include "engine/sweep/sweep_project.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::models {

using engine::sweep::Trial;
using engine::sweep::TrialState;

namespace {

constexpr int kMark = 16, kRatio = 2;
constexpr double kDot = 5;

QPixmap blank() {
    QPixmap picture(kMark * kRatio, kMark * kRatio);
    picture.setDevicePixelRatio(kRatio);
    picture.fill(Qt::transparent);
    return picture;
}

const char* iconOf(TrialState state) {
    switch (state) {
        case TrialState::kWaiting:
            return "clock";
        case TrialState::kTraining:
            return "play";
        case TrialState::kPaused:
            return "pause";
        case TrialState::kDone:
            return "check-circle";
        case TrialState::kFailed:
            return "error";
    }
    return "info";
}

// Returns why a trial has no value: what its run ended of, or what kept the run from being made.
QString errorText(const Trial& trial) {
    const QString told = QString::fromStdString(trial.error), text = agentText(told);
    return text == told ? findingText(told) : text;
}

// Returns what the runs of a trial in training say now, else the value that the trial ended its last rung with.
double latestOf(const Trial& trial) {
    double sum = 0;
    int told = 0;
    for (const engine::sweep::TrialRun& run : trial.runs) {
        if (std::isnan(run.latest)) continue;
        sum += run.latest;
        ++told;
    }
    return trial.state == TrialState::kTraining && told > 0 ? sum / told : trial.value();
}

}  // namespace

SweepTableModel::SweepTableModel(const session::SweepDesk& desk, const theme::ThemeController& themes, QObject* parent)
    : QAbstractTableModel(parent), desk_(desk), themes_(themes) {}

void SweepTableModel::reset() {
    beginResetModel();
    rows_ = desk_.sweep() ? static_cast<int>(desk_.sweep()->trials().size()) : 0;
    columns_ = kFirstField + 1 + (desk_.sweep() ? static_cast<int>(desk_.sweep()->settings().fields.size()) : 0);
    best_ = desk_.sweep() ? desk_.sweep()->best() : std::nullopt;
    endResetModel();
}

void SweepTableModel::refresh() {
    best_ = desk_.sweep() ? desk_.sweep()->best() : std::nullopt;
    if (rows_ > 0) emit dataChanged(index(0, 0), index(rows_ - 1, columns_ - 1));
}

void SweepTableModel::repaint() {
    refresh();
    emit headerDataChanged(Qt::Horizontal, 0, columns_ - 1);
}

int SweepTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : rows_;
}

int SweepTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns_;
}

QVariant SweepTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columns_) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section >= kFirstField && section < noteColumn()) {
        return QString::fromStdString(desk_.sweep()->settings().fields[static_cast<std::size_t>(section - kFirstField)].path);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kTrial:
            return tr("Trial");
        case kState:
            return tr("State");
        case kEpochs:
            return tr("Epochs");
        case kValue:
            return desk_.sweep() ? QString::fromStdString(desk_.sweep()->settings().objective.log) : QString();
        default:
            if (section == noteColumn()) return tr("Note");
            return QString::fromStdString(
                engine::sweep::shortPath(desk_.sweep()->settings().fields[static_cast<std::size_t>(section - kFirstField)].path));
    }
}

QVariant SweepTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || !desk_.sweep()) return {};
    const Trial& one = trial(index.row());
    const bool is_field = index.column() >= kFirstField && index.column() < noteColumn();
    switch (role) {
        case Qt::DisplayRole:
            return text(index.row(), index.column());
        case Qt::ToolTipRole:
            return index.column() == noteColumn() ? text(index.row(), index.column()) : QVariant();
        case Qt::DecorationRole:
            return picture(index.row(), index.column());
        case Qt::ForegroundRole:
            return index.column() == kState         ? stateColor(one)
                   : index.column() == noteColumn() ? themes_.theme().text2
                                                    : themes_.theme().text;
        case Qt::FontRole:
            return themes_.font(isNumber(index.column()) || is_field               ? theme::TextRole::kMono
                                : index.column() == kTrial && best_ == index.row() ? theme::TextRole::kStrong
                                                                                   : theme::TextRole::kBody);
        case Qt::TextAlignmentRole:
            return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        case kSortRole:
            return sortKey(index.row(), index.column());
        default:
            return {};
    }
}

QString SweepTableModel::text(int row, int column) const {
    const Trial& one = trial(row);
    switch (column) {
        case kTrial:
            return QString::number(row + 1);
        case kState:
            return stateText(one);
        case kEpochs: {
            const std::vector<std::int64_t>& rungs = desk_.sweep()->rungs();
            return one.rung < 0
                       ? QString(QChar(kMissing))
                       : QStringLiteral("%1 / %2").arg(formatCount(one.epochs()), formatCount(rungs[static_cast<std::size_t>(one.rung)]));
        }
        case kValue:
            return formatMetric(latestOf(one));
        default:
            break;
    }
    if (column == noteColumn()) {
        if (!one.error.empty()) return errorText(one);
        return best_ == row ? tr("Best so far") : QString();
    }
    return QString::fromStdString(one.configuration[static_cast<std::size_t>(column - kFirstField)]);
}

QString SweepTableModel::stateText(const Trial& one) const {
    switch (one.state) {
        case TrialState::kWaiting:
            return tr("Waiting");
        case TrialState::kTraining:
            return desk_.isRunning() ? tr("Training") : tr("Stopped");
        case TrialState::kPaused:
            return tr("At its rung");
        case TrialState::kDone:
            return tr("Done");
        case TrialState::kFailed:
            return tr("Failed");
    }
    return {};
}

QVariant SweepTableModel::sortKey(int row, int column) const {
    const Trial& one = trial(row);
    switch (column) {
        case kTrial:
            return row;
        case kState:
            return static_cast<int>(one.state);
        case kEpochs:
            return QVariant::fromValue<qlonglong>(one.epochs());
        case kValue: {
            // The best first, and what has no value last.
            const double value = latestOf(one);
            if (std::isnan(value)) return std::numeric_limits<double>::infinity();
            return desk_.sweep()->settings().objective.rises ? -value : value;
        }
        default:
            break;
    }
    if (column == noteColumn()) return text(row, column);
    const auto field = static_cast<std::size_t>(column - kFirstField);
    return engine::sweep::placeOf(desk_.sweep()->settings().fields[field], one.configuration[field]).value_or(-1);
}

QColor SweepTableModel::stateColor(const Trial& one) const {
    const theme::Theme& t = themes_.theme();
    switch (one.state) {
        case TrialState::kTraining:
        case TrialState::kDone:
            return t.ok;
        case TrialState::kFailed:
            return t.err;
        case TrialState::kPaused:
            return t.text2;
        case TrialState::kWaiting:
            break;
    }
    return t.text3;
}

// Returns the dot of the trial's line, or the state's mark.
QVariant SweepTableModel::picture(int row, int column) const {
    if (column == kTrial) {
        QPixmap dot = blank();
        QPainter painter(&dot);
        painter.setRenderHint(QPainter::Antialiasing);
        widgets::paintDot(painter, {kMark / 2.0, kMark / 2.0}, kDot, themes_.theme().seriesColor(row), std::isfinite(trial(row).value()));
        return dot;
    }
    if (column != kState) return {};
    const Trial& one = trial(row);
    QPixmap mark = blank();
    QPainter painter(&mark);
    themes_.paintIcon(painter, QString::fromLatin1(iconOf(one.state)), {0, 0, kMark, kMark}, stateColor(one));
    return mark;
}

}  // namespace ui::models

#include "moc_sweep_table_model.cpp"
