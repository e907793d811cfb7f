// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lab/lab_table_model.h"

#include <QLocale>
#include <QPainter>
#include <QPixmap>

#include "engine/spec/project/strategy_table.h"
#include "ui/models/numbers.h"
#include "ui/widgets/painting.h"

namespace ui::models {

using engine::lab::LabResult;
using engine::lab::ReplicaCause;
using engine::lab::Verdict;
using session::LabRowState;

namespace {

constexpr int kSeriesColors = 8, kMark = 16, kRatio = 2;
constexpr double kDot = 5;

const char* iconOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::kEqual:
            return "check-circle";
        case Verdict::kDiffers:
        case Verdict::kFailed:
            return "error";
        case Verdict::kMayDiffer:
            return "info";
        case Verdict::kReference:
            return "target";
        case Verdict::kAsynchronous:
            return "clock";
        case Verdict::kCouldNotRun:
            return "minus";
    }
    return "info";
}

QPixmap blank() {
    QPixmap picture(kMark * kRatio, kMark * kRatio);
    picture.setDevicePixelRatio(kRatio);
    picture.fill(Qt::transparent);
    return picture;
}

}  // namespace

LabTableModel::LabTableModel(const session::Lab& lab, const theme::ThemeController& themes, QObject* parent)
    : QAbstractTableModel(parent), lab_(lab), themes_(themes) {}

void LabTableModel::reset() {
    beginResetModel();
    endResetModel();
}

void LabTableModel::rowChanged(int index) {
    emit dataChanged(this->index(index, 0), this->index(index, kColumnCount - 1));
}

void LabTableModel::repaint() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
}

int LabTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lab_.rows().size());
}

int LabTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QVariant LabTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::FontRole) return themes_.font(theme::TextRole::kSmallMedium);
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kStrategy:
            return tr("Strategy");
        case kVerdict:
            return tr("Verdict");
        case kDifference:
            return tr("Largest difference");
        case kSpeed:
            return tr("Steps/s");
        case kBytes:
            return tr("Moved a step");
        case kStaleness:
            return tr("Staleness");
        case kNote:
            return tr("Note");
        default:
            return {};
    }
}

QVariant LabTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const LabRowState& state = row(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return text(state, index.column());
        case Qt::ToolTipRole:
            return index.column() == kNote || index.column() == kStrategy ? text(state, index.column()) : QVariant();
        case Qt::DecorationRole:
            return picture(index.row(), index.column());
        case Qt::ForegroundRole:
            return index.column() == kVerdict ? verdictColor(state)
                   : index.column() == kNote  ? themes_.theme().text2
                                              : themes_.theme().text;
        case Qt::FontRole:
            return themes_.font(isNumber(index.column())     ? theme::TextRole::kMono
                                : index.column() == kVerdict ? theme::TextRole::kStrong
                                                             : theme::TextRole::kBody);
        case Qt::TextAlignmentRole:
            return static_cast<int>((isNumber(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
        default:
            return {};
    }
}

QString LabTableModel::rowText(const engine::lab::LabRow& row) {
    QStringList parts{QString::fromStdString(engine::spec::strategyName(row.kind))};
    if (!row.cross_device_ops.empty())
        parts << QString::fromUtf8(row.cross_device_ops.data(), static_cast<qsizetype>(row.cross_device_ops.size()));
    if (row.servers > 0) parts << QStringLiteral("%1 ps").arg(row.servers);
    if (row.workers > 1) {
        parts << tr("%1 workers").arg(row.workers);
    } else if (row.servers > 0) {
        parts << tr("1 worker");
    }
    return parts.join(QStringLiteral(", "));
}

QString LabTableModel::text(const LabRowState& state, int column) const {
    if (column == kStrategy) return rowText(state.row);
    if (column == kVerdict) return verdictText(state);
    if (!state.result) return column == kNote ? QString() : QString(QChar(kMissing));
    const LabResult& result = *state.result;
    switch (column) {
        case kDifference:
            return result.difference ? formatRate(result.difference->largest) : QString(QChar(kMissing));
        case kSpeed:
            return result.steps_per_s ? QLocale().toString(*result.steps_per_s, 'f', 1) : QString(QChar(kMissing));
        case kBytes:
            return result.bytes_per_step ? formatBytes(*result.bytes_per_step) : QString(QChar(kMissing));
        case kStaleness:
            return result.mean_staleness
                       ? tr("%1, at most %2").arg(*result.mean_staleness, 0, 'f', 2).arg(result.largest_staleness.value_or(0))
                       : QString(QChar(kMissing));
        default:
            return noteText(result);
    }
}

QString LabTableModel::verdictWord(Verdict verdict) {
    switch (verdict) {
        case Verdict::kReference:
            return tr("Reference");
        case Verdict::kEqual:
            return tr("Equal");
        case Verdict::kDiffers:
            return tr("Differs");
        case Verdict::kMayDiffer:
            return tr("Differs as expected");
        case Verdict::kAsynchronous:
            return tr("Asynchronous");
        case Verdict::kCouldNotRun:
            return tr("Could not run");
        case Verdict::kFailed:
            return tr("Failed");
    }
    return {};
}

QString LabTableModel::verdictText(const LabRowState& state) const {
    if (state.result) return verdictWord(state.result->verdict);
    if (state.phase == LabRowState::Phase::kRunning)
        return tr("Step %1 of %2").arg(formatCount(state.steps), formatCount(lab_.settings().steps));
    return lab_.isRunning() ? tr("Waiting") : tr("Not trained");
}

QString LabTableModel::noteText(const LabResult& result) const {
    using Kind = ReplicaCause::Kind;
    if (!result.error.empty()) return QString::fromStdString(result.error);
    const QString object = QString::fromStdString(result.cause.object);
    switch (result.cause.kind) {
        case Kind::kStatistics:
            return tr("%1: BatchNormalization takes the statistics of each replica's own part of the batch, as in Keras").arg(object);
        case Kind::kLevels:
            return tr("%1: Equalization counts the values of each replica's own part of the batch, as in Keras").arg(object);
        case Kind::kClipping:
            return tr("%1: each replica clips its own gradients before they are summed, as in Keras").arg(object);
        case Kind::kMask:
            return tr("%1: the loss is a mean over what the mask leaves of each replica's part, as in Keras").arg(object);
        case Kind::kReduction:
            return tr("The loss is reduced (%1) on each replica's part, as in Keras").arg(object);
        case Kind::kNone:
            break;
    }
    if (result.grown_from) return tr("The same until step %1, from where on rounding grew").arg(formatCount(*result.grown_from));
    if (result.verdict == Verdict::kDiffers && result.difference)
        return tr("It should be equal and is not, most in %1").arg(QString::fromStdString(result.difference->variable));
    if (result.verdict == Verdict::kAsynchronous) return tr("Its workers do not wait for each other");
    return {};
}

QColor LabTableModel::verdictColor(const LabRowState& state) const {
    const theme::Theme& t = themes_.theme();
    if (!state.result) return state.phase == LabRowState::Phase::kRunning ? t.accent : t.text3;
    switch (state.result->verdict) {
        case Verdict::kEqual:
            return t.ok;
        case Verdict::kDiffers:
        case Verdict::kFailed:
            return t.err;
        default:
            return t.text2;
    }
}

// Returns the dot of the row's curve, or the verdict's mark.
QVariant LabTableModel::picture(int index, int column) const {
    const LabRowState& state = row(index);
    if (column == kStrategy) {
        QPixmap dot = blank();
        QPainter painter(&dot);
        painter.setRenderHint(QPainter::Antialiasing);
        widgets::paintDot(painter, {kMark / 2.0, kMark / 2.0}, kDot, themes_.theme().seriesColor(index), index < kSeriesColors);
        return dot;
    }
    if (column != kVerdict || !state.result) return {};
    QPixmap mark = blank();
    QPainter painter(&mark);
    themes_.paintIcon(painter, QString::fromLatin1(iconOf(state.result->verdict)), {0, 0, kMark, kMark}, verdictColor(state));
    return mark;
}

}  // namespace ui::models

#include "moc_lab_table_model.cpp"
