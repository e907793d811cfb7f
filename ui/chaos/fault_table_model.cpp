// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chaos/fault_table_model.h"

#include <QDateTime>
#include <QFontMetrics>
#include <QLocale>

#include "ui/models/finding_text.h"

namespace ui::models {

namespace chaos = engine::chaos;

namespace {

QString secondsText(double seconds) {
    return FaultTableModel::tr("%1 s").arg(QLocale().toString(seconds, 'f', seconds < 10 ? 2 : 1));
}

double secondsSince(const chaos::FaultStory& story, std::int64_t unix_ns) {
    return static_cast<double>(unix_ns - story.time_unix_ns) * 1e-9;
}

}  // namespace

FaultTableModel::FaultTableModel(const session::Chaos& chaos, const theme::ThemeController& themes, QObject* parent)
    : QAbstractTableModel(parent), chaos_(chaos), themes_(themes), stories_(chaos.stories()) {}

void FaultTableModel::reset() {
    beginResetModel();
    stories_ = chaos_.stories();
    endResetModel();
}

void FaultTableModel::repaint() {
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
}

int FaultTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(stories_.size());
}

int FaultTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

const chaos::FaultStory& FaultTableModel::story(int row) const {
    return stories_[stories_.size() - 1 - static_cast<std::size_t>(row)];
}

QString FaultTableModel::kindWord(chaos::FaultKind kind) {
    switch (kind) {
        case chaos::FaultKind::kKill:
            return tr("Kill");
        case chaos::FaultKind::kStop:
            return tr("Stand still");
        case chaos::FaultKind::kSlow:
            return tr("Slow down");
        case chaos::FaultKind::kCut:
            return tr("Cut off");
        case chaos::FaultKind::kFillDisk:
            return tr("Fill the disk");
        case chaos::FaultKind::kSkew:
            return tr("Set the clock wrong");
    }
    return {};
}

QString FaultTableModel::text(const chaos::FaultStory& story, int column) const {
    switch (column) {
        case kFault:
            return kindWord(story.fault.kind);
        case kTask: {
            const QString task = QString::fromStdString(toString(story.fault.task));
            return story.fault.peer ? tr("%1 from %2").arg(task, QString::fromStdString(toString(*story.fault.peer))) : task;
        }
        case kWhen:
            return QLocale().toString(QDateTime::fromMSecsSinceEpoch(story.time_unix_ns / 1'000'000).time(), QStringLiteral("HH:mm:ss"));
        case kNamed:
            return story.named_unix_ns ? secondsText(secondsSince(story, *story.named_unix_ns)) : QStringLiteral("–");
        case kBy:
            return agentText(QString::fromStdString(story.named_by));
        case kHealed:
            if (story.healed_unix_ns) {
                return tr("%1, step %2")
                    .arg(secondsText(secondsSince(story, *story.healed_unix_ns)), QLocale().toString(story.healed_step));
            }
            return story.run_is_over ? tr("not before the end") : QStringLiteral("…");
        default:
            return {};
    }
}

QVariant FaultTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const chaos::FaultStory& of = story(index.row());
    if (role == Qt::ForegroundRole && index.column() == kHealed && of.run_is_over) return themes_.theme().err;
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && index.column() == kFault) return QString::fromStdString(toText(of.fault));
    return role == Qt::DisplayRole || role == Qt::ToolTipRole ? text(of, index.column()) : QVariant();
}

QVariant FaultTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::SizeHintRole) {  // with room for the padding that the head's style has
        const QFontMetrics metrics(themes_.font(theme::TextRole::kSection));
        const QString head = headerData(section, orientation, Qt::DisplayRole).toString();
        return QSize(metrics.horizontalAdvance(head) + 2 * theme::kSpace4, theme::kListRowHeight);
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kFault:
            return tr("Fault");
        case kTask:
            return tr("Task");
        case kWhen:
            return tr("Time");
        case kNamed:
            return tr("Named after");
        case kBy:
            return tr("Named by");
        case kHealed:
            return tr("Healed after");
        default:
            return {};
    }
}

}  // namespace ui::models

#include "moc_fault_table_model.cpp"
