// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/run_table_model.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ui/models/finding_text.h"
#include "ui/models/mean_deviation.h"
#include "ui/models/numbers.h"
#include "ui/session/error_text.h"
#include "ui/session/runs/event_files.h"

namespace ui::models {

using session::RunSummary;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kPoorScaling = 0.75;
constexpr std::size_t kMostSortKeys = 3;
constexpr char16_t kUp = u'\u25B2', kDown = u'\u25BC';

double secondsOf(const RunSummary& run) {
    return run.secondsTaken(QDateTime::currentMSecsSinceEpoch() * 1'000'000);
}

// Returns "today 14:02", "yesterday 23:10", "18 Nov", with the year when it is another one.
QString startedText(std::int64_t unix_ns) {
    const QDateTime at = QDateTime::fromMSecsSinceEpoch(unix_ns / 1'000'000);
    const QDate today = QDate::currentDate();
    const QString clock = at.toString(QStringLiteral("HH:mm"));
    if (at.date() == today) return RunTableModel::tr("today %1").arg(clock);
    if (at.date() == today.addDays(-1)) return RunTableModel::tr("yesterday %1").arg(clock);
    return QLocale().toString(at.date(), at.date().year() == today.year() ? QStringLiteral("d MMM") : QStringLiteral("d MMM yyyy"));
}

const std::pair<QString, double>* findResult(const RunSummary& run, const QString& name) {
    const auto at = std::find_if(run.results.begin(), run.results.end(), [&](const auto& entry) { return entry.first == name; });
    return at == run.results.end() ? nullptr : &*at;
}

QString resultName(int column) {
    switch (column) {
        case RunTableModel::kBestAccuracy:
            return QStringLiteral("best_val_accuracy");
        case RunTableModel::kValLoss:
            return QStringLiteral("val_loss");
        case RunTableModel::kTestAccuracy:
            return QStringLiteral("test_accuracy");
        case RunTableModel::kTestLoss:
            return QStringLiteral("test_loss");
        case RunTableModel::kImagesPerS:
            return QStringLiteral("images_per_s");
        default:
            return {};
    }
}

bool isLower(int column) {
    return column == RunTableModel::kValLoss || column == RunTableModel::kTestLoss;
}

}  // namespace

bool RunTableModel::isNumber(int column) {
    switch (column) {
        case kDuration:
        case kWorkers:
        case kBatch:
        case kBestAccuracy:
        case kValLoss:
        case kTestAccuracy:
        case kTestLoss:
        case kImagesPerS:
        case kScaling:
        case kEpochs:
        case kSeed:
            return true;
        default:
            return false;
    }
}

bool RunTableModel::isExtra(int column) {
    return column == kTestAccuracy || column == kTestLoss || column >= kOptimizer;
}

void RunTableModel::setRuns(std::vector<RunSummary> runs) {
    std::vector<int> changed;
    const bool same_runs = runs.size() == runs_.size() &&
                           std::equal(runs.begin(), runs.end(), runs_.begin(), [](const auto& a, const auto& b) { return a.id == b.id; });
    if (same_runs) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            if (isActive(runs[i].state) || runs[i] != runs_[i]) changed.push_back(static_cast<int>(i));
        }
        if (changed.empty()) return;
    }
    runs_.swap(runs);
    measureScaling();
    sorted_ = sorted();
    Order order = arranged();
    if (same_runs && order == order_) {
        for (const int run : changed) {
            const int row = rowOf(at(run).id);
            if (row >= 0) emit dataChanged(index(row, 0), index(row, kColumnCount - 1));
        }
        return;
    }
    runs_.swap(runs);
    beginResetModel();
    runs_.swap(runs);
    order_ = std::move(order);
    endResetModel();
}

bool RunTableModel::isPutAway(const RunSummary& run) const {
    return run.archived && !show_archived_ && !filter_.asksForArchived();
}

int RunTableModel::runCount() const {
    return static_cast<int>(
        std::count_if(runs_.begin(), runs_.end(), [this](const RunSummary& run) { return show_archived_ || !run.archived; }));
}

void RunTableModel::measureScaling() {
    single_rates_.clear();
    for (const RunSummary& run : runs_) {
        const double rate = run.result(resultName(kImagesPerS));
        if (run.facts.workers != 1 || !(rate > 0) || run.facts.scaling_key.isEmpty()) continue;
        double& best = single_rates_[run.facts.scaling_key];
        best = std::max(best, rate);
    }
}

double RunTableModel::scaling(const RunSummary& run) const {
    const auto single = single_rates_.find(run.facts.scaling_key);
    if (single == single_rates_.end()) return kNan;
    return run.result(resultName(kImagesPerS)) / (run.facts.workers * single->second);
}

void RunTableModel::setFilter(const RunFilter& filter) {
    filter_ = filter;
    rearrange();
}

void RunTableModel::setShowArchived(bool on) {
    show_archived_ = on;
    rearrange();
}

void RunTableModel::setGroupBy(GroupBy group) {
    if (group == group_by_) return;
    group_by_ = group;
    folded_.clear();
    rearrange();
}

void RunTableModel::setFolded(int row, bool folded) {
    const int group = entry(row).group;
    if (entry(row).run >= 0 || group < 0) return;
    const QString key = order_.groups[static_cast<std::size_t>(group)].key;
    if (folded_.contains(key) == folded) return;
    folded ? (void)folded_.insert(key) : (void)folded_.remove(key);
    rearrange();
}

void RunTableModel::setBaseline(const QString& id) {
    if (id == baseline_) return;
    baseline_ = id;
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

void RunTableModel::sort(int column, Qt::SortOrder order) {
    if (column < 0 || column >= kColumnCount) return;
    std::erase_if(sort_keys_, [column](const auto& key) { return key.first == column; });
    sort_keys_.insert(sort_keys_.begin(), {column, order});
    if (sort_keys_.size() > kMostSortKeys) sort_keys_.resize(kMostSortKeys);
    sorted_ = sorted();
    rearrange();
}

void RunTableModel::rearrange() {
    Order order = arranged();
    if (order == order_) return;
    beginResetModel();
    order_ = std::move(order);
    endResetModel();
}

QString RunTableModel::groupKey(const RunSummary& run) const {
    switch (group_by_) {
        case GroupBy::kNone:
            return {};
        case GroupBy::kSeeds:
            return run.facts.twin_key;
        case GroupBy::kStrategy:
            return run.facts.strategy;
        case GroupBy::kState:
            return QString::number(static_cast<int>(run.state));
        case GroupBy::kOptimizer:
            return run.facts.optimizer;
        case GroupBy::kDataset:
            return run.facts.dataset;
        case GroupBy::kTag:
            return run.tags.value(0);
    }
    return {};
}

QString RunTableModel::groupTitle(const Group& group) const {
    const RunSummary& first = at(group.runs.front());
    switch (group_by_) {
        case GroupBy::kSeeds:
            return first.project_name.isEmpty() ? first.name : first.project_name;
        case GroupBy::kState:
            return session::runStateText(first.state);
        case GroupBy::kTag:
            return group.key.isEmpty() ? tr("No tag") : group.key;
        default:
            return group.key.isEmpty() ? tr("Unknown") : group.key;
    }
}

double RunTableModel::number(const RunSummary& run, int column) const {
    switch (column) {
        case kState:
            return static_cast<double>(run.state);
        case kStarted:
            return static_cast<double>(run.created_unix_ns);
        case kDuration:
            return secondsOf(run);
        case kWorkers:
            return run.facts.workers;
        case kBatch:
            return run.facts.global_batch > 0 ? static_cast<double>(run.facts.global_batch) : kNan;  // event files do not tell it
        case kRate:
            return run.facts.learning_rate;
        case kEpochs:
            return static_cast<double>(run.facts.epochs);
        case kSeed:
            return static_cast<double>(run.facts.seed);
        case kScaling:
            return scaling(run);
        case kCheck:
            return checked_.contains(run.id) ? 0 : 1;
        default:
            return run.result(resultName(column));
    }
}

// Missing numbers come last whichever way it is sorted.
std::vector<int> RunTableModel::sorted() const {
    std::vector<int> runs(runs_.size());
    std::iota(runs.begin(), runs.end(), 0);
    for (auto key = sort_keys_.rbegin(); key != sort_keys_.rend(); ++key) {
        const auto [column, order] = *key;
        const bool ascending = order == Qt::AscendingOrder;
        const bool by_number = isNumber(column) || column == kState || column == kStarted || column == kRate || column == kCheck;
        if (by_number) {
            std::vector<double> values(runs_.size(), kNan);
            for (const int run : runs) values[static_cast<std::size_t>(run)] = number(at(run), column);
            std::stable_sort(runs.begin(), runs.end(), [&](int a, int b) {
                const double x = values[static_cast<std::size_t>(a)], y = values[static_cast<std::size_t>(b)];
                if (std::isnan(x) || std::isnan(y)) return !std::isnan(x) && std::isnan(y);
                return ascending ? x < y : x > y;
            });
        } else {
            std::vector<QString> values(runs_.size());
            for (const int run : runs) values[static_cast<std::size_t>(run)] = text(at(run), column).toCaseFolded();
            std::stable_sort(runs.begin(), runs.end(), [&](int a, int b) {
                const int compared = values[static_cast<std::size_t>(a)].compare(values[static_cast<std::size_t>(b)]);
                return ascending ? compared < 0 : compared > 0;
            });
        }
    }
    std::stable_partition(runs.begin(), runs.end(), [this](int run) { return at(run).pinned; });
    return runs;
}

RunTableModel::Order RunTableModel::arranged() const {
    std::vector<int> runs;
    for (const int index : sorted_) {
        const RunSummary& run = at(index);
        if (isPutAway(run)) continue;
        if (filter_.accepts(run)) runs.push_back(index);
    }
    Order order;
    order.shown_runs = static_cast<int>(runs.size());
    if (group_by_ == GroupBy::kNone) {
        order.entries.reserve(runs.size());
        for (const int run : runs) order.entries.push_back({run, -1});
        return order;
    }
    std::map<QString, std::size_t> by_key;
    for (const int run : runs) {
        const QString key = groupKey(at(run));
        const auto [group, fresh] = by_key.emplace(key, order.groups.size());
        if (fresh) order.groups.push_back({key, {}, {}});
        order.groups[group->second].runs.push_back(run);
    }
    for (std::size_t i = 0; i < order.groups.size(); ++i) {
        Group& group = order.groups[i];
        group.title = groupTitle(group);
        order.entries.push_back({-1, static_cast<int>(i)});
        if (folded_.contains(group.key)) continue;
        for (const int run : group.runs) order.entries.push_back({run, static_cast<int>(i)});
    }
    return order;
}

const RunSummary* RunTableModel::run(int row) const {
    if (row < 0 || row >= rowCount() || entry(row).run < 0) return nullptr;
    return &at(entry(row).run);
}

const RunSummary* RunTableModel::find(const QString& id) const {
    const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const RunSummary& run) { return run.id == id; });
    return found == runs_.end() ? nullptr : &*found;
}

std::vector<const RunSummary*> RunTableModel::shown() const {
    std::vector<const RunSummary*> all;
    for (const Entry& one : order_.entries) {
        if (one.run >= 0) all.push_back(&at(one.run));
    }
    return all;
}

int RunTableModel::rowOf(const QString& id) const {
    for (std::size_t row = 0; row < order_.entries.size(); ++row) {
        const Entry& one = order_.entries[row];
        if (one.run >= 0 && at(one.run).id == id) return static_cast<int>(row);
    }
    return -1;
}

QStringList RunTableModel::checked() const {
    QStringList ids;
    for (const RunSummary* run : shown()) {
        if (checked_.contains(run->id)) ids << run->id;
    }
    if (ids.size() == checked_.size()) return ids;
    const QSet<QString> seen(ids.begin(), ids.end());
    for (const RunSummary& run : runs_) {
        if (checked_.contains(run.id) && !seen.contains(run.id) && !isPutAway(run)) ids << run.id;
    }
    return ids;
}

void RunTableModel::setChecked(const QStringList& ids) {
    const QSet<QString> wanted(ids.begin(), ids.end());
    if (wanted == checked_) return;
    checked_ = wanted;
    if (rowCount() > 0) emit dataChanged(index(0, kCheck), index(rowCount() - 1, kName));
    emit checkedChanged();
}

void RunTableModel::toggleChecked(int row) {
    QSet<QString> wanted = checked_;
    const Entry& one = entry(row);
    std::vector<int> runs{one.run};
    if (one.run < 0) runs = order_.groups[static_cast<std::size_t>(one.group)].runs;
    const bool all = std::all_of(runs.begin(), runs.end(), [&](int run) { return checked_.contains(at(run).id); });
    for (const int run : runs) all ? (void)wanted.remove(at(run).id) : (void)wanted.insert(at(run).id);
    setChecked(QStringList(wanted.begin(), wanted.end()));
}

void RunTableModel::retranslate() {
    emit headerDataChanged(Qt::Horizontal, 0, kColumnCount - 1);
    for (Group& group : order_.groups) group.title = groupTitle(group);
    if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, kColumnCount - 1));
}

int RunTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(order_.entries.size());
}
int RunTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumnCount;
}

QString RunTableModel::rateText(const RunSummary& run) const {
    if (!(run.facts.learning_rate > 0)) return QString(kMissing);
    const QString rate = formatRate(run.facts.learning_rate);
    return run.facts.rate_schedule.isEmpty() ? rate : tr("%1 decay", "a learning rate that changes on the way").arg(rate);
}

QString RunTableModel::numberText(int column, double value) const {
    switch (column) {
        case kDuration:
            return formatDuration(value);
        case kScaling:
            return std::isfinite(value) ? QString::number(value, 'f', 2) : QString(kMissing);
        case kWorkers:
        case kBatch:
        case kEpochs:
        case kSeed:
        case kImagesPerS:
            return std::isfinite(value) ? formatCount(std::llround(value)) : QString(kMissing);
        default:
            return formatMetric(value);
    }
}

QString RunTableModel::deltaText(const RunSummary& run, int column) const {
    const RunSummary* base = baseline_.isEmpty() || run.id == baseline_ ? nullptr : find(baseline_);
    const QString name = resultName(column);
    if (base == nullptr || name.isEmpty()) return {};
    const double delta = run.result(name) - base->result(name);
    if (!std::isfinite(delta)) return {};
    const QString size = numberText(column, std::abs(delta));
    if (delta == 0) return size;
    return QChar(delta > 0 ? kUp : kDown) + QStringLiteral(" ") + (delta > 0 ? '+' : QChar(u'\u2212')) + size;
}

QString RunTableModel::text(const RunSummary& run, int column) const {
    switch (column) {
        case kName:
            return run.name;
        case kState:
            return session::runStateText(run.state);
        case kStarted:
            return startedText(run.created_unix_ns);
        case kStrategy:
            return run.facts.strategy;
        case kRate:
            return rateText(run);
        case kOptimizer:
            return run.facts.optimizer;
        case kDataset:
            return run.facts.dataset;
        case kTags:
            return run.tags.join(QStringLiteral(", "));
        case kNotes:
            return QString(run.notes).replace('\n', ' ');
        default:
            break;
    }
    if (!isNumber(column)) return {};
    if (const QString delta = deltaText(run, column); !delta.isEmpty()) return delta;
    const auto* result = findResult(run, resultName(column));
    if (result && std::isnan(result->second)) return QStringLiteral("NaN");
    return numberText(column, number(run, column));
}

QString RunTableModel::textOfGroup(const Group& group, int column) const {
    if (column == kName) return tr("%1 (%n run(s))", nullptr, static_cast<int>(group.runs.size())).arg(group.title);
    if (resultName(column).isEmpty() && column != kScaling) return {};
    // Agents of before a run had attempts made a run of each: the same folder and the same seed are one sample, and the last one tells it.
    const auto sampleOf = [&](int run) { return at(run).run_dir + QLatin1Char('\n') + QString::number(at(run).facts.seed); };
    QHash<QString, std::int64_t> last;
    for (const int run : group.runs) {
        std::int64_t& newest = last[sampleOf(run)];
        newest = std::max(newest, at(run).created_unix_ns);
    }
    MeanDeviation mean;
    for (const int run : group.runs) {
        const bool is_earlier = group_by_ == GroupBy::kSeeds && !at(run).run_dir.isEmpty() && at(run).created_unix_ns < last[sampleOf(run)];
        if (!is_earlier) mean.add(number(at(run), column));
    }
    if (mean.count() == 0) return {};
    if (mean.count() == 1) return numberText(column, mean.mean());
    return numberText(column, mean.mean()) + QStringLiteral(" %1 ").arg(kPlusMinus) + numberText(column, mean.deviation());
}

RunTableModel::Tone RunTableModel::tone(const RunSummary& run, int column) const {
    if (column == kState) return run.state == session::RunState::kFailed ? Tone::kError : Tone::kPlain;
    if (column == kScaling) return number(run, column) < kPoorScaling ? Tone::kWarning : Tone::kPlain;
    if (resultName(column).isEmpty()) return isNumber(column) || column == kRate ? Tone::kMuted : Tone::kPlain;
    const auto* result = findResult(run, resultName(column));
    if (result && std::isnan(result->second)) return Tone::kError;
    if (deltaText(run, column).isEmpty()) return Tone::kPlain;
    const double delta = result->second - find(baseline_)->result(resultName(column));
    if (delta == 0) return Tone::kPlain;
    return (delta < 0) == isLower(column) ? Tone::kBetter : Tone::kWorse;
}

QVariant RunTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const Entry& one = entry(index.row());
    const int column = index.column();
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignVCenter | (isNumber(column) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == kGroupRole) return one.run < 0;
    if (one.run < 0) {
        const Group& group = order_.groups[static_cast<std::size_t>(one.group)];
        if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole) return textOfGroup(group, column);
        if (role == kFoldedRole) return folded_.contains(group.key);
        if (role == Qt::CheckStateRole && column == kCheck) {
            const auto count =
                std::count_if(group.runs.begin(), group.runs.end(), [this](int run) { return checked_.contains(at(run).id); });
            return static_cast<int>(count == 0                                                ? Qt::Unchecked
                                    : count == static_cast<std::ptrdiff_t>(group.runs.size()) ? Qt::Checked
                                                                                              : Qt::PartiallyChecked);
        }
        return {};
    }
    const RunSummary& run = at(one.run);
    switch (role) {
        case Qt::DisplayRole:
            return text(run, column);
        case Qt::EditRole:
            return column == kName || column == kTags || column == kNotes ? text(run, column) : QVariant();
        case Qt::AccessibleTextRole:
            return column == kCheck ? (checked_.contains(run.id) ? tr("%1, in the charts") : tr("%1, not in the charts")).arg(run.name)
                                    : text(run, column);
        case Qt::CheckStateRole:
            if (column != kCheck) return {};
            return static_cast<int>(checked_.contains(run.id) ? Qt::Checked : Qt::Unchecked);
        case Qt::ToolTipRole: {
            if (column == kRate && !run.facts.rate_schedule.isEmpty()) return run.facts.rate_schedule;
            if (column == kStarted) return QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.created_unix_ns / 1'000'000));
            if (column == kNotes) return run.notes;
            if (column != kName && column != kState) return text(run, column);
            QStringList lines{run.name};
            if (run.attempts > 1) lines << tr("%n attempt(s), %1 in all", nullptr, run.attempts).arg(formatDuration(secondsOf(run)));
            const QString event_folder = session::eventFolderOf(run);
            if (!event_folder.isEmpty()) {
                lines << tr("Event files of %1").arg(event_folder);
            } else if (!run.imported_from.isEmpty())
                lines << tr("Imported from %1").arg(run.imported_from);
            for (const QString& line : {agentText(run.detail), run.notes, run.run_dir}) {
                if (!line.isEmpty()) lines << line;
            }
            return lines.join('\n');
        }
        case kColorRole:
            return run.color;
        case kDashRole:
            return run.dash;
        case kPhaseRole:
            return static_cast<int>(run.state);
        case kIdRole:
            return run.id;
        case kPinnedRole:
            return run.pinned;
        case kArchivedRole:
            return run.archived;
        case kTagsRole:
            return run.tags;
        case kToneRole:
            return static_cast<int>(tone(run, column));
        default:
            return {};
    }
}

bool RunTableModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return false;
    if (role == Qt::CheckStateRole && index.column() == kCheck) {
        if (data(index, Qt::CheckStateRole) != value) toggleChecked(index.row());
        return true;
    }
    const RunSummary* edited = run(index.row());
    if (role != Qt::EditRole || edited == nullptr || value == data(index, Qt::EditRole)) return false;
    const QString id = edited->id, said = value.toString().simplified();
    switch (index.column()) {
        case kName:
            emit renameWanted(id, said);
            return true;
        case kTags: {
            QStringList tags = said.split(',', Qt::SkipEmptyParts);
            for (QString& tag : tags) tag = tag.trimmed();
            tags.removeAll(QString());
            tags.removeDuplicates();
            emit tagsWanted(id, tags);
            return true;
        }
        case kNotes:
            emit notesWanted(id, value.toString());
            return true;
        default:
            return false;
    }
}

Qt::ItemFlags RunTableModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (!index.isValid()) return flags;
    if (index.column() == kCheck) flags |= Qt::ItemIsUserCheckable;
    const bool said_by_user = index.column() == kName || index.column() == kTags || index.column() == kNotes;
    if (said_by_user && entry(index.row()).run >= 0) flags |= Qt::ItemIsEditable;
    return flags;
}

QVariant RunTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignVCenter | (isNumber(section) ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::AccessibleTextRole && section == kCheck) return tr("In the charts");
    if (role == Qt::ToolTipRole) {
        if (section == kScaling) return tr("Images/s over workers times the best rate of one worker that does the same work");
        if (section == kBatch) return tr("Over all replicas");
        if (section == kCheck) return tr("Shown in the charts");
    }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
        case kName:
            return tr("Run");
        case kState:
            return tr("State");
        case kStarted:
            return tr("Started");
        case kDuration:
            return tr("Time");
        case kStrategy:
            return tr("Strategy");
        case kWorkers:
            return tr("Workers");
        case kBatch:
            return tr("Batch");
        case kRate:
            return tr("Learning rate");
        case kBestAccuracy:
            return tr("Best val acc");
        case kValLoss:
            return tr("Val loss");
        case kTestAccuracy:
            return tr("Test acc");
        case kTestLoss:
            return tr("Test loss");
        case kImagesPerS:
            return tr("Images/s");
        case kScaling:
            return tr("Scaling");
        case kOptimizer:
            return tr("Optimizer");
        case kDataset:
            return tr("Data set");
        case kEpochs:
            return tr("Epochs");
        case kSeed:
            return tr("Seed");
        case kTags:
            return tr("Tags");
        case kNotes:
            return tr("Notes");
        default:
            return {};
    }
}

QString RunTableModel::toCsv() const {
    const auto quoted = [](QString cell) { return '"' + cell.replace('"', QStringLiteral("\"\"")) + '"'; };
    QStringList lines{QStringLiteral(
        "id,name,state,started_unix_s,duration_s,strategy,workers,global_batch,learning_rate,schedule,best_val_accuracy,val_loss,"
        "test_accuracy,test_loss,images_per_s,scaling,optimizer,dataset,epochs,seed,tags,notes")};
    const auto plain = [](double value) { return std::isfinite(value) ? QString::number(value, 'g', 9) : QString(); };
    for (const RunSummary* run : shown()) {
        QStringList cells{quoted(run->id),
                          quoted(run->name),
                          quoted(session::runStateText(run->state)),
                          QString::number(run->created_unix_ns / 1'000'000'000),
                          plain(secondsOf(*run)),
                          quoted(run->facts.strategy)};
        for (const int column : {kWorkers, kBatch, kRate}) cells << plain(number(*run, column));
        cells << quoted(run->facts.rate_schedule);
        for (const int column : {kBestAccuracy, kValLoss, kTestAccuracy, kTestLoss, kImagesPerS, kScaling})
            cells << plain(number(*run, column));
        cells << quoted(run->facts.optimizer) << quoted(run->facts.dataset) << plain(number(*run, kEpochs)) << plain(number(*run, kSeed))
              << quoted(run->tags.join(' ')) << quoted(run->notes);
        lines << cells.join(',');
    }
    return lines.join('\n') + '\n';
}

}  // namespace ui::models

#include "moc_run_table_model.cpp"
