#include "engine/event_files/run_events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/files/regular_file.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/error.h"

namespace engine::event_files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostTags = 4096, kMostTables = 32, kMostFiles = 10'000, kMostFollowedFiles = 64, kMostTagBytes = 512;
constexpr std::size_t kMostHistory = StepRows::kWindow, kMostEpochs = 4096, kMostReportEntries = 1000, kMostLines = 5000;
constexpr int kBuckets = 30;
constexpr char kOfValidation = '\x01';  // before a tag's name
constexpr std::string_view kEpoch = "epoch_", kBatch = "batch_", kEvaluation = "evaluation_", kIterations = "_vs_iterations";

const spec::TaskId kChief{"worker", 0};

std::string plainTag(std::string_view tag) {
    std::string name(tag.substr(0, kMostTagBytes));
    for (char& letter : name) {
        if (static_cast<unsigned char>(letter) < ' ') letter = ' ';
    }
    return name.empty() ? "value" : name;
}

std::int64_t asUnixNs(double wall_time) {
    constexpr double kMost = 9e9;  // the year 2255: beyond, nanoseconds have no room
    return wall_time > 0 && wall_time < kMost ? static_cast<std::int64_t>(wall_time * 1e9) : 0;
}

// Counts of equal buckets between the histogram's ends: a bucket that reaches over several gives each its share.
spec::Distribution distributionOf(std::string name, const EventHistogram& histogram) {
    spec::Distribution out{.name = std::move(name), .minimum = histogram.minimum, .maximum = histogram.maximum};
    std::vector<double> shares(kBuckets, 0.0);
    const double width = (out.maximum - out.minimum) / kBuckets;
    double number = 0, sum = 0, squares = 0;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        const double left = histogram.limits[i], right = histogram.limits[i + 1], count = histogram.counts[i];
        const double middle = left + (right - left) / 2;
        number += count;
        sum += count * middle;
        squares += count * middle * middle;
        if (count <= 0) continue;
        const auto bucketOf = [&](double x) {
            const double at = width > 0 ? (x - out.minimum) / width : kBuckets - 1.0;
            return static_cast<int>(std::clamp(at, 0.0, kBuckets - 1.0));
        };
        const int first = bucketOf(left), last = bucketOf(right);
        if (first == last || !(right > left)) {
            shares[static_cast<std::size_t>(last)] += count;
            continue;
        }
        for (int bucket = first; bucket <= last; ++bucket) {
            const double from = std::max(left, out.minimum + bucket * width);
            const double to = bucket == last ? right : std::min(right, out.minimum + (bucket + 1) * width);
            shares[static_cast<std::size_t>(bucket)] += count * std::max(0.0, to - from) / (right - left);
        }
    }
    if (histogram.sum) sum = *histogram.sum;
    if (histogram.sum_of_squares) squares = std::max(0.0, *histogram.sum_of_squares);
    out.mean = number > 0 ? sum / number : 0;
    out.deviation = number > 0 ? std::sqrt(std::max(0.0, squares / number - out.mean * out.mean)) : 0;
    out.norm = std::sqrt(squares);
    constexpr double kMostCount = 9e15;
    for (const double share : shares) out.counts.push_back(static_cast<std::int64_t>(std::llround(std::min(share, kMostCount))));
    return out;
}

double normOf(const std::vector<spec::Distribution>& distributions) {
    double squares = 0;
    for (const spec::Distribution& one : distributions) squares += one.norm * one.norm;
    return std::sqrt(squares);
}

}  // namespace

struct RunEvents::File {
    int order = 0;  // a later one counts before an earlier one
    bool is_validation = false;
    RecordTail tail;
    bool is_at_end = false, has_failed = false;
    std::size_t damaged = 0;  // records that are no events

    File(int at, bool of_validation, files::FileDescriptor file, const std::string& path)
        : order(at), is_validation(of_validation), tail(std::move(file), path) {}
};

struct RunEvents::Tag {
    enum class Kind { kColumn, kEpochLog, kIterations };
    struct Point {
        std::int64_t step, time_unix_ns;
        float value;
    };
    std::string name, column;
    Kind kind = Kind::kColumn;
    bool is_column_too = false;  // kEpochLog
    bool is_of_batch = false;    // kColumn: Keras' batch_...
    int table = -1;
    std::size_t place = 0;  // of the column in the table
    int file = -1;          // the newest that has told of it
    std::int64_t last_step = std::numeric_limits<std::int64_t>::min();
    std::vector<Point> history{};  // all points while they are few
    bool has_history = true;
    float last_value = 0;  // of the column
    Tag* next = nullptr;   // the tag that came behind it last time
};

struct RunEvents::Table {
    StepRows rows;
    std::vector<Tag*> tags{};
};

struct RunEvents::Report {
    spec::WeightReport report;
    std::int64_t time_unix_ns = 0;
    bool is_told = true;
};

RunEvents::RunEvents(std::vector<RunSource> sources) : sources_(std::move(sources)), report_(std::make_unique<Report>()) {
    report_->report.step = std::numeric_limits<std::int64_t>::min();
}

RunEvents::~RunEvents() = default;

void RunEvents::tell(std::int64_t time_unix_ns, spec::EventBody body, const spec::TaskId& task) {
    events_.push_back({.sequence = 0, .time_unix_ns = time_unix_ns, .task = task, .body = std::move(body)});
}

void RunEvents::say(spec::LogLevel level, std::string text) {
    if (lines_ >= kMostLines) return;
    if (++lines_ == kMostLines) text = "further lines of these event files are left out";
    tell(std::max<std::int64_t>(now_unix_ns_, 1), spec::LogLine{level, std::move(text)}, kChief);
}

void RunEvents::sayAll(std::vector<std::string> damage) {
    for (std::string& one : damage) say(spec::LogLevel::kWarning, std::move(one));
}

void RunEvents::hear(double wall_time) {
    const std::int64_t time = asUnixNs(wall_time);
    if (time > 0) now_unix_ns_ = time;
    if (now_unix_ns_ == 0) now_unix_ns_ = 1;
    if (last_unix_ns_ == 0) {
        first_unix_ns_ = now_unix_ns_;
        tell(now_unix_ns_, spec::StateChanged{spec::TaskState::kTraining, {}}, kChief);
    }
    last_unix_ns_ = std::max(last_unix_ns_, now_unix_ns_);
}

void RunEvents::openFiles(std::size_t source) {
    const RunSource& from = sources_[source];
    try {
        const files::SafeFolder folder = files::SafeFolder::open(from.folder);
        for (const files::SafeFolder::Entry& entry : folder.list()) {
            if (entry.is_folder || !isEventFile(entry.name)) continue;
            const std::string path = (from.folder / entry.name).string();
            if (seen_.size() >= kMostFiles || seen_.contains(path)) continue;
            seen_[path] = 1;
            try {
                files::FileDescriptor file = folder.openToRead(entry.name);
                files::requireRegular(file.get(), path);
                files_.push_back(std::make_unique<File>(opened_++, from.is_validation, std::move(file), path));
            } catch (const Error& error) {
                say(spec::LogLevel::kWarning, error.what());
            }
        }
    } catch (const Error&) {
        // Out of reach for a while; what is open is read on.
    }
}

void RunEvents::findFiles() {
    std::erase_if(files_, [&](const auto& file) {
        if (!file->tail.isReplaced()) return false;
        say(spec::LogLevel::kWarning, file->tail.path().string() + ": is gone, or another file has its place");
        seen_.erase(file->tail.path().string());
        return true;
    });
    for (std::size_t source = 0; source < sources_.size(); ++source) openFiles(source);
    // Where there are many files, the older ones are read to their end and no longer followed.
    std::size_t surplus = files_.size() > kMostFollowedFiles ? files_.size() - kMostFollowedFiles : 0;
    std::erase_if(files_, [&](const auto& file) { return surplus > 0 && file->is_at_end && surplus-- > 0; });
}

bool RunEvents::read(std::uint64_t most) {
    const std::uint64_t end = bytes_read_ + most;
    bool has_more = false;
    for (const auto& file : files_) {
        if (file->is_at_end && !file->tail.hasGrown()) continue;
        while (true) {
            if (bytes_read_ >= end) {
                has_more = true;
                break;
            }
            const std::uint64_t before = file->tail.position();
            std::optional<std::string_view> record;
            try {
                record = file->tail.next();
            } catch (const Error& error) {
                if (!std::exchange(file->has_failed, true)) say(spec::LogLevel::kWarning, error.what());
            }
            bytes_read_ += file->tail.position() - before;
            if (file->tail.hasDamage()) sayAll(file->tail.takeDamage());
            if (!record) {
                file->is_at_end = true;
                file->tail.rest();
                break;
            }
            file->is_at_end = file->has_failed = false;
            takeRecord(*file, *record);
        }
        if (has_more) break;
    }
    tellHeld(true);
    return has_more;
}

void RunEvents::settle() {
    tellHeld(false);
}

void RunEvents::tellHeld(bool but_last) {
    for (const auto& table : tables_) table->rows.tellAll(but_last);
    if (!but_last || epochs_.size() > 1) tellEpochs();
    if (!but_last) tellReport();
}

std::vector<spec::TaskEvent> RunEvents::takeEvents() {
    return std::exchange(events_, {});
}

class RunEvents::Hearer final : public EventSink {
public:
    Hearer(RunEvents& run, const File& file) : run_(run), file_(file) {}
    void takeScalar(std::string_view tag, std::int64_t step, double wall_time, double value) override {
        run_.hear(wall_time);
        run_.takeScalar(file_, tag, step, value);
    }
    void takeOther(std::int64_t step, double wall_time, const EventValue& value) override {
        run_.hear(wall_time);
        run_.takeOther(file_, step, value);
    }
    void takeRestart(std::int64_t step, double wall_time) override {
        run_.hear(wall_time);
        run_.restart(step);
    }

private:
    RunEvents& run_;
    const File& file_;
};

void RunEvents::takeRecord(File& file, std::string_view record) {
    Hearer hearer(*this, file);
    if (!reader_.read(record, hearer) && ++file.damaged <= 3) {
        say(spec::LogLevel::kWarning, file.tail.path().string() + ": expected an event at byte " + std::to_string(file.tail.position()) +
                                          ", got " + std::to_string(record.size()) + " bytes that are none");
    }
}

RunEvents::Tag& RunEvents::tagOf(std::string_view name, bool is_validation) {
    if (last_tag_ != nullptr && last_tag_->next != nullptr && last_tag_->next->name == name) return *last_tag_->next;
    const auto known = tags_.find(std::string(name));
    if (known != tags_.end()) return *known->second;
    auto tag = std::make_unique<Tag>();
    tag->name = name;
    std::string_view own = name;
    if (is_validation) own.remove_prefix(1);
    if (is_validation) {
        tag->kind = own.starts_with(kEvaluation) && own.ends_with(kIterations) ? Tag::Kind::kIterations : Tag::Kind::kEpochLog;
        if (own.starts_with(kEpoch)) own.remove_prefix(kEpoch.size());
        tag->column = "val_" + plainTag(own);
    } else if (own.starts_with(kEpoch) && own.size() > kEpoch.size()) {
        tag->kind = Tag::Kind::kEpochLog;
        tag->column = plainTag(own.substr(kEpoch.size()));
        tag->is_column_too = !tags_.contains(std::string(kBatch) + tag->column);
    } else if (own.starts_with(kBatch) && own.size() > kBatch.size()) {
        tag->column = plainTag(own.substr(kBatch.size()));
        tag->is_of_batch = true;
    } else {
        tag->column = plainTag(own);
    }
    return *tags_.emplace(std::string(name), std::move(tag)).first->second;
}

// True for a value of an older file than the newest that has told of the tag. For any other value it cuts what no longer counts.
bool RunEvents::isOutdated(Tag& tag, const File& file, std::int64_t step) {
    if (file.order < tag.file) return step <= tag.last_step;
    const bool is_first = file.order > tag.file;
    const bool goes_back = tag.last_step >= step && (is_first || tag.last_step > step);
    tag.file = file.order;
    if (!goes_back) return false;
    if (tag.kind == Tag::Kind::kEpochLog) {
        cutEpochs(tag, step);
    } else {
        cutTag(tag, step);
    }
    return false;
}

// Keras counts epochs anew: which batches lie behind them is not what it was. Training says so, whose files are read before those of the
// validation that belongs to it.
void RunEvents::cutEpochs(Tag& tag, std::int64_t step) {
    if (tag.name.starts_with(kOfValidation)) return;
    std::erase_if(epoch_steps_, [&](const auto& entry) { return entry.first > step; });
    if (last_batch_step_ > 0) epoch_steps_[step] = last_batch_step_;
    cutTag(tag, last_batch_step_ > 0 ? last_batch_step_ : step);
}

// What the tag has from this step on is void, for its next value comes there; other tags keep theirs. Where the rows have left the window,
// a tag of which all points are known moves to another table with that value; else the table is told anew from this step on, with those
// points of other tags that are known.
void RunEvents::cutTag(Tag& tag, std::int64_t step) {
    std::erase_if(tag.history, [&](const Tag::Point& point) { return point.step >= step; });
    if (tag.table < 0) return;
    Table& table = *tables_[static_cast<std::size_t>(tag.table)];
    if (table.rows.takes(step)) {
        table.rows.clearColumnFrom(tag.place, step);
    } else if (!tag.has_history) {
        table.rows.cutFrom(step);
        for (const Tag* other : table.tags) {
            for (const Tag::Point& point : other->history) {
                if (point.step < step || !table.rows.takes(step, 2)) continue;  // the next value has a place of its own
                table.rows.set(point.step, point.time_unix_ns, other->place, point.value);
            }
        }
    }
}

// What all of its tags have from this step on is void.
void RunEvents::cutTable(std::size_t table, std::int64_t step) {
    tables_[table]->rows.cutFrom(step);
    for (Tag* tag : tables_[table]->tags) {
        tag->last_step = std::min(tag->last_step, step - 1);
        std::erase_if(tag->history, [&](const Tag::Point& point) { return point.step >= step; });
    }
}

void RunEvents::takeScalar(const File& file, std::string_view name, std::int64_t step, double value) {
    constexpr std::int64_t kMostStep = std::int64_t{1} << 53;  // beyond, a chart's axis can't tell them apart
    if (step < 0 || step > kMostStep) return;
    std::string marked;
    if (file.is_validation) {
        marked = kOfValidation + std::string(name);
        name = marked;
    }
    if (tags_.size() >= kMostTags && !tags_.contains(std::string(name))) {
        if (!std::exchange(told_too_many_, true)) {
            say(spec::LogLevel::kWarning, "more than " + std::to_string(kMostTags) + " tags; further ones are left out");
        }
        return;
    }
    Tag& tag = tagOf(name, file.is_validation);
    if (last_tag_ != nullptr) last_tag_->next = &tag;  // most writers tell of their tags in one order, again and again
    last_tag_ = &tag;
    if (isOutdated(tag, file, step)) return;
    tag.last_step = step;
    if (tag.kind == Tag::Kind::kIterations) {
        if (last_batch_step_ > 0) last_batch_step_ = std::max(last_batch_step_, step);
    } else if (tag.kind == Tag::Kind::kEpochLog) {
        const std::int64_t behind = takeEpochLog(tag, step, value);
        if (tag.is_column_too) putPoint(tag, behind, static_cast<float>(value));
    } else {
        if (tag.is_of_batch) last_batch_step_ = step;
        putPoint(tag, step, static_cast<float>(value));
    }
}

void RunEvents::putPoint(Tag& tag, std::int64_t step, float value) {
    if (tag.table < 0 || !tables_[static_cast<std::size_t>(tag.table)]->rows.takes(step)) moveTag(tag, step);
    if (tag.table < 0) return;
    tables_[static_cast<std::size_t>(tag.table)]->rows.set(step, now_unix_ns_, tag.place, value);
    tag.last_value = value;
    if (!tag.has_history) return;
    if (tag.history.size() < kMostHistory) {
        tag.history.push_back({step, now_unix_ns_, value});
    } else {
        tag.has_history = false;
        tag.history = {};
    }
}

// Moves the tag to the first table that can take all that is known of it, else to a new one.
void RunEvents::moveTag(Tag& tag, std::int64_t step) {
    std::int64_t first = step;
    for (const Tag::Point& point : tag.history) first = std::min(first, point.step);
    const auto takes = [&](std::size_t table) {
        return static_cast<int>(table) != tag.table && tables_[table]->rows.takes(first, tag.history.size() + 1);
    };
    std::size_t to = 0;
    while (to < tables_.size() && !takes(to)) ++to;
    if (tag.table >= 0) {
        Table& before = *tables_[static_cast<std::size_t>(tag.table)];
        if (tag.has_history) before.rows.clearColumn(tag.place);
        std::erase(before.tags, &tag);
        tag.table = -1;
    }
    if (to == tables_.size()) {
        if (to == kMostTables) {
            if (!std::exchange(told_too_many_, true)) {
                say(spec::LogLevel::kWarning, "more than " + std::to_string(kMostTables) + " kinds of steps; further ones are left out");
            }
            return;
        }
        const spec::TaskId task = to == 0 ? kChief : spec::TaskId{"curves", static_cast<int>(to)};
        tables_.push_back(std::make_unique<Table>(Table{.rows = StepRows([this, task](spec::StepPoints points) {
                                                            points.aggregated = task == kChief;
                                                            const std::int64_t time = points.time_unix_ns.back();
                                                            tell(time, std::move(points), task);
                                                        })}));
    }
    Table& table = *tables_[to];
    tag.table = static_cast<int>(to);
    tag.place = table.rows.addColumn(tag.column);
    table.tags.push_back(&tag);
    for (const Tag::Point& point : tag.history) table.rows.set(point.step, point.time_unix_ns, tag.place, point.value);
}

// Answers how many batches lie behind the end of the epoch; the epoch itself where no batches are told of.
std::int64_t RunEvents::takeEpochLog(const Tag& tag, std::int64_t step, double value) {
    constexpr std::int64_t kMostEpoch = std::numeric_limits<std::int32_t>::max();
    const auto [known, is_new] = epoch_steps_.try_emplace(step, last_batch_step_ > 0 ? last_batch_step_ : step);
    const std::int64_t behind = known->second;
    if (is_new && epoch_steps_.size() > 4 * kMostEpochs) epoch_steps_.erase(epoch_steps_.begin());
    if (step > kMostEpoch) return behind;
    auto& logs = epochs_[{behind, static_cast<std::int32_t>(step)}];
    const auto same = std::find_if(logs.begin(), logs.end(), [&](const auto& log) { return log.first == tag.column; });
    if (same == logs.end()) {
        logs.emplace_back(tag.column, value);
    } else {
        same->second = value;
    }
    if (epochs_.size() > kMostEpochs) tellEpochs();
    return behind;
}

void RunEvents::tellEpochs() {
    for (auto& [key, logs] : epochs_) {
        // What validation measured is told by itself: it may come long after what training has.
        const auto validation =
            std::stable_partition(logs.begin(), logs.end(), [](const auto& log) { return !log.first.starts_with("val_"); });
        spec::EpochEnd end{.epoch = key.second, .step = key.first};
        if (validation != logs.begin()) {
            end.logs.assign(logs.begin(), validation);
            tell(now_unix_ns_, end, kChief);
        }
        if (validation != logs.end()) {
            end.logs.assign(validation, logs.end());
            tell(now_unix_ns_, end, kChief);
        }
    }
    epochs_.clear();
}

void RunEvents::takeHistogram(std::string_view tag, std::int64_t step, const EventHistogram& histogram) {
    Report& held = *report_;
    if (step < held.report.step) return;  // of a tag that counts other steps
    if (step > held.report.step) {
        tellReport();
        held.report = {.epoch = static_cast<std::int32_t>(std::clamp<std::int64_t>(step, 0, 1'000'000)), .step = step};
    }
    std::string name = plainTag(tag);
    if (name.ends_with("/histogram")) name.resize(name.size() - std::string_view("/histogram").size());
    const bool is_gradient = name.find("grad") != std::string::npos;
    if (name.ends_with("/gradient")) name.resize(name.size() - std::string_view("/gradient").size());
    auto& list = is_gradient ? held.report.gradients : held.report.weights;
    spec::Distribution distribution = distributionOf(std::move(name), histogram);
    const auto same = std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == distribution.name; });
    if (same != list.end()) {
        *same = std::move(distribution);
    } else if (list.size() < kMostReportEntries) {
        list.push_back(std::move(distribution));
    }
    held.time_unix_ns = now_unix_ns_;
    held.is_told = false;
}

void RunEvents::tellReport() {
    if (report_->is_told) return;
    report_->is_told = true;
    report_->report.weights_norm = normOf(report_->report.weights);
    report_->report.gradients_norm = normOf(report_->report.gradients);
    tell(report_->time_unix_ns, report_->report, kChief);
}

void RunEvents::takeOther(const File& file, std::int64_t step, const EventValue& value) {
    constexpr std::size_t kMostTextLines = 200;
    if (value.histogram) return takeHistogram(value.tag, step, *value.histogram);
    const std::string name = plainTag(value.tag);
    if (value.text) {
        std::string_view rest = *value.text;
        for (std::size_t line = 0; !rest.empty() && line < kMostTextLines; ++line) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            if (end > 0) say(spec::LogLevel::kInfo, name + ": " + std::string(rest.substr(0, end)));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    } else if (value.images) {
        std::string marked = "\x02" + std::string(value.tag);
        if (tags_.contains(marked) || tags_.size() >= kMostTags) return;
        tags_.emplace(std::move(marked), std::make_unique<Tag>());
        say(spec::LogLevel::kInfo, name + ": " + std::to_string(value.images->count) + " pictures of " +
                                       std::to_string(value.images->width) + " x " + std::to_string(value.images->height) +
                                       " points; TensorBoard shows them");
    } else if (!value.hparams.empty()) {
        std::string line = "hparams:";
        for (const auto& [parameter, text] : value.hparams) line += (line.back() == ':' ? " " : ", ") + parameter + "=" + text;
        say(spec::LogLevel::kInfo, std::move(line));
    } else if (value.ends_session && !file.is_validation) {
        is_over_ = true;
        has_failed_ = value.has_failed;
    }
}

// The writer said so: what any tag has from this step on is void, as TensorBoard takes it.
void RunEvents::restart(std::int64_t step) {
    const bool has_any = !tables_.empty() || !report_->is_told || !epochs_.empty() || !epoch_steps_.empty();
    is_over_ = has_failed_ = false;
    if (!has_any) return;
    tellHeld(false);
    for (std::size_t table = 0; table < tables_.size(); ++table) cutTable(table, step);
    std::erase_if(epoch_steps_, [&](const auto& entry) { return entry.first >= step; });
    if (report_->report.step >= step) report_->report = {.epoch = 0, .step = step - 1};
    ++attempt_;
    tell(now_unix_ns_,
         spec::AttemptStarted{.attempt = attempt_,
                              .attempts = attempt_,
                              .from_backup = step > 0,
                              .reason = "its writer began again at step " + std::to_string(step),
                              .by_hand = true},
         kChief);
    tell(now_unix_ns_, spec::RunStarted{.resumed_step = step - 1}, kChief);
    tell(now_unix_ns_, spec::StateChanged{spec::TaskState::kTraining, {}}, kChief);
}

std::vector<std::pair<std::string, double>> RunEvents::lastValues() const {
    constexpr std::size_t kMostValues = 64;
    std::vector<std::pair<std::string, double>> values;
    for (const auto& [name, tag] : tags_) {
        if (tag->table != 0 || (tag->has_history && tag->history.empty()) || values.size() == kMostValues) continue;
        values.emplace_back(tag->column, static_cast<double>(tag->has_history ? tag->history.back().value : tag->last_value));
    }
    std::sort(values.begin(), values.end());
    return values;
}

}  // namespace engine::event_files
