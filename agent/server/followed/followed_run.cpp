#include "agent/server/followed/followed_run.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "agent/history/journal.h"
#include "agent/local/control_file.h"
#include "agent/local/event_files.h"
#include "agent/local/process_mark.h"
#include "agent/local/run_folder.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/epoch_results.h"
#include "agent/server/runs/run_records.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/files/regular_file.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

namespace fs = std::filesystem;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;
using engine::files::SafeFolder;
using engine::run::RunInfo;
using engine::run::RunState;

namespace {

constexpr std::chrono::milliseconds kNamedSilence{10000}, kLookAtProcess{2500};
constexpr std::size_t kMostPending = 512, kMostFollowedTasks = 1024;
constexpr const char* kWithoutAWord = "ended without a word";

// Up to which byte of each task's file the journal has its events.
std::map<spec::TaskId, std::uint64_t> toldIn(const RunInfo& run) {
    constexpr std::size_t kEvents = 512, kBytes = 1u << 20;
    const history::Journal journal(journalOf(run), history::Journal::Access::kReadOnly);
    std::map<spec::TaskId, std::uint64_t> told;
    for (std::uint64_t next = 1;;) {
        const std::vector<history::JournalEntry> entries = journal.read(next, kEvents, kBytes);
        if (entries.empty()) return told;
        next = std::max(entries.back().sequence, entries.back().damaged_to) + 1;
        for (const history::JournalEntry& entry : entries) {
            proto::TaskEvent event;
            if (entry.damaged_to == 0 && event.ParseFromString(entry.event)) {
                std::uint64_t& newest = told[convert::fromProto(event.task())];
                newest = std::max(newest, event.part_sequence());
            }
        }
    }
}

std::string submittedProject(const SafeFolder& folder) {
    const engine::files::FileDescriptor file = folder.openToRead(convert::kSubmittedProject);
    return engine::files::readWhole(file.get(), folder.path() / convert::kSubmittedProject, convert::kMaxProjectBytes);
}

// Where the tasks are that begin, as the one that begins knows it; empty without a cluster.
std::vector<spec::TaskHost> hostsOf(const FollowedStart& start) {
    return spec::taskHosts(spec::parseProject(start.project_json).run.cluster.spec);
}

}  // namespace

FollowedRun::FollowedRun(fs::path folder, std::optional<RunInfo> known, const std::string& new_id, const FollowOptions& options,
                         RunBook& book, LogSink log, SteadyTime now)
    : folder_(std::move(folder)), options_(options), book_(book), tell_(std::move(log)), loads_(options.loads) {
    opened_ = std::make_shared<const SafeFolder>(SafeFolder::open(folder_));
    if (options_.jobs) job_ = convert::readSchedulerJob(*opened_);
    openFiles();
    if (tasks_.empty() && !job_) {
        throw Error(ErrorCode::kNotFound, folder_.string() + ": expected the folder of a run that tells its events there (" +
                                              convert::kEventFolder +
                                              "/worker-0.events), or one with TensorBoard's event files, got one without them; a task "
                                              "tells them when tandem-worker trains without an agent");
    }
    openRecord(std::move(known), new_id);
    readAll(now);
    // The clocks of computers differ by a little: what is old by any clock is over.
    for (auto& [id, task] : tasks_) {
        const std::chrono::nanoseconds age(std::max<std::int64_t>(0, nowUnixNs() - task.heard_unix_ns));
        const bool is_here = task.start && convert::lifeOf(task.start->process) != convert::ProcessLife::kUnknown;
        if (is_here || age > options_.old) task.heard = now - age;
    }
    step(now);
}

// The first task makes the folder of events.
void FollowedRun::openFiles() {
    if (!events_) {
        const auto found = opened_->status(convert::kEventFolder);
        if (!found || !S_ISDIR(found->st_mode)) return;
        events_ = std::make_shared<const SafeFolder>(opened_->openFolder(convert::kEventFolder));
    }
    for (const SafeFolder::Entry& entry : events_->list()) {
        const auto id = convert::taskOfEventFile(entry.name);
        if (id && !entry.is_folder && !tasks_.contains(*id) && tasks_.size() < kMostFollowedTasks) {
            tasks_[*id].tail = std::make_unique<EventTail>(*events_, *id);
        }
    }
}

// The earliest start says which run this is.
void FollowedRun::openRecord(std::optional<RunInfo> known, const std::string& new_id) {
    const FollowedMessage* first = nullptr;
    bool is_known = false;  // the file of a task that began earlier may have come in sight later
    for (auto& [id, task] : tasks_) {
        const FollowedMessage* message = task.tail->peek();
        if (message == nullptr || !message->start) continue;
        if (first == nullptr || message->time_unix_ns < first->time_unix_ns) first = message;
        is_known = is_known || (known && known->created_unix_ns == message->time_unix_ns);
    }
    is_known = is_known || isOfJob(known);
    if (first == nullptr && !job_) {
        throw Error(ErrorCode::kDataLoss,
                    (folder_ / convert::kEventFolder).string() +
                        ": expected a file that begins with the start of its task, got none; its first line may be on "
                        "its way");
    }
    if (first != nullptr && first->start->version > convert::kEventFilesVersion) {
        throw Error(ErrorCode::kFailedPrecondition, folder_.string() + ": expected events of version " +
                                                        std::to_string(convert::kEventFilesVersion) + ", got version " +
                                                        std::to_string(first->start->version) + ", of a newer Tandem");
    }
    if (is_known) {
        record_ = *std::move(known);
        record_.run_dir = folder_.string();
        record_.followed = true;
        for (const auto& [id, end] : toldIn(record_)) {
            if (const auto task = tasks_.find(id); task != tasks_.end()) task->second.told = end;
        }
        told_attempts_ = record_.attempts;
        if (!isFinal(record_.state)) {
            log_ = book_.goOn(record_);
        } else if (job_ && record_.state != RunState::kDone && job_->submitted_unix_ns > record_.finished_unix_ns) {
            goOn(job_->submitted_unix_ns);
        }
        return;
    }
    record_.id = job_ ? job_->run : new_id;
    record_.run_dir = folder_.string();
    record_.followed = true;
    if (job_) {
        record_.name = job_->name;
        record_.created_unix_ns = job_->submitted_unix_ns;
        record_.tasks = job_->tasks;
        record_.project_json = submittedProject(*opened_);
    } else {
        record_.name = first->start->run_name;
        record_.created_unix_ns = first->time_unix_ns;
        record_.tasks = static_cast<int>(std::max<std::size_t>(1, first->start->tasks.size()));
        record_.project_json = first->start->project_json;
    }
    log_ = book_.open(record_, {}, [this] { convert::noteFollowed(*opened_, record_.id); });
}

// The one whose next message is the earliest; null when no file has a further one now.
FollowedRun::Task* FollowedRun::nextTask() {
    Task* next = nullptr;
    std::int64_t time = 0;
    for (auto& [id, task] : tasks_) {
        const FollowedMessage* message = nullptr;
        try {
            message = task.tail->peek();
        } catch (const Error& error) {
            tell_(spec::LogLevel::kWarning, record_.id + ": " + error.what());
            if (log_) add(id, nowUnixNs(), spec::LogLine{spec::LogLevel::kWarning, error.what()});
        }
        if (message != nullptr && (next == nullptr || message->time_unix_ns < time)) {
            next = &task;
            time = message->time_unix_ns;
        }
    }
    return next;
}

void FollowedRun::readAll(SteadyTime now) {
    while (Task* task = nextTask()) {
        take(task->tail->task(), *task, *task->tail->peek(), now);
        task->tail->pop();
        if (pending_.size() >= kMostPending) publish();
    }
}

void FollowedRun::take(const spec::TaskId& id, Task& task, const FollowedMessage& message, SteadyTime now) {
    const bool is_new = message.end > task.told;
    if (is_new && !log_) goOn(message.time_unix_ns);
    if (message.start) {
        begin(id, task, message, is_new);
    } else if (task.lost && is_new) {
        task.lost = false;
        add(id, message.time_unix_ns, spec::LogLine{spec::LogLevel::kInfo, toString(id) + " is heard again"});
    }
    task.heard = now;
    task.heard_unix_ns = std::max(task.heard_unix_ns, message.time_unix_ns);
    if ((task.is_silent || task.was_ended) && is_new) {
        task.is_silent = task.was_ended = false;
        if (!message.start) add(id, message.time_unix_ns, spec::StateChanged{task.state, task.detail});
    }
    loads_.take(id, message, now);
    if (message.event) note(id, task, *message.event);
    if (is_new && !message.told.bytes.empty()) pending_.push_back(message.told);
    task.told = std::max(task.told, message.end);
}

void FollowedRun::begin(const spec::TaskId& id, Task& task, const FollowedMessage& message, bool is_new) {
    const bool again = task.attempt == attempt_;
    if (again && (!independent_ || everyTaskIsOver())) {
        beginAttempt(id, message);
    } else if (job_ && is_new && attempt_ == 1 && id == message.start->chief) {
        // The project names the computers and the number of tasks that it was made for: a scheduler chooses others.
        if (std::vector<spec::TaskHost> hosts = hostsOf(*message.start); !hosts.empty())
            add(id, message.time_unix_ns, spec::AttemptStarted{.attempt = 1, .attempts = 1, .hosts = std::move(hosts)});
    }
    task.start = message.start;
    task.attempt = attempt_;
    task.state = spec::TaskState::kNotStarted;
    task.lost = task.finished = false;
    loads_.begin(id, *message.start);
    chief_ = message.start->chief;
    independent_ = message.start->independent;
    if (id == chief_) chief_over_.reset();
}

void FollowedRun::beginAttempt(const spec::TaskId& id, const FollowedMessage& message) {
    ++attempt_;
    if (attempt_ <= told_attempts_) return;  // the journal has it
    told_attempts_ = attempt_;
    const std::string& why = job_ ? queue_.cause : record_.detail;
    const std::string reason = why.empty() ? toString(id) + " was started again" : why;
    queue_.cause.clear();
    // A run that is done by now has removed its backup.
    const bool from_backup = had_backup_ || hasBackup();
    had_backup_ = false;
    record_.attempts = attempt_;
    record_.state = RunState::kStarting;
    record_.detail.clear();
    record_changed_ = true;
    add(id, message.time_unix_ns,
        spec::AttemptStarted{.attempt = attempt_,
                             .attempts = attempt_,
                             .from_backup = from_backup,
                             .reason = reason,
                             .by_hand = true,
                             .hosts = job_ ? hostsOf(*message.start) : std::vector<spec::TaskHost>()});
}

bool FollowedRun::hasBackup() const {
    try {
        return convert::hasBackup(folder_, spec::parseProject(record_.project_json).run);
    } catch (const Error&) {
        return false;  // the chief says what is wrong
    }
}

// Opens the record again of a run that was over, because its tasks tell more.
void FollowedRun::goOn(std::int64_t time_unix_ns) {
    if (record_.finished_unix_ns > 0) record_.idle_ns += std::max<std::int64_t>(0, time_unix_ns - record_.finished_unix_ns);
    record_.finished_unix_ns = 0;
    const auto chief = tasks_.find(chief_);
    const bool trains = chief != tasks_.end() && chief->second.state == spec::TaskState::kTraining;  // and was only out of sight
    record_.state = trains ? RunState::kTraining : RunState::kStarting;
    log_ = book_.reopen(record_);
    tell_(spec::LogLevel::kInfo, record_.id + ": goes on in its folder");
}

void FollowedRun::note(const spec::TaskId& id, Task& task, const spec::TaskEvent& event) {
    const bool is_chief = id == chief_;
    if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
        task.state = change->state;
        task.detail = change->detail;
        task.changed_unix_ns = event.time_unix_ns;
        const RunState state = change->state == spec::TaskState::kTraining ? RunState::kTraining
                               : change->state == spec::TaskState::kPaused ? RunState::kPaused
                                                                           : record_.state;
        if (is_chief && log_ && state != record_.state) {
            record_.state = state;
            record_changed_ = true;
        }
    } else if (const auto* finished = std::get_if<spec::TaskFinished>(&event.body)) {
        if (is_chief || id.type == spec::kEvaluator) mergeResults(record_.results, finished->results);
        if (is_chief) {
            task.finished = true;
            record_.checkpoint = finished->checkpoint;
            record_.weights_sha256 = finished->weights_sha256;
        }
    } else if (const auto* saved = std::get_if<spec::CheckpointSaved>(&event.body); saved != nullptr && is_chief) {
        record_.checkpoint = saved->prefix;
    } else if (const auto* epoch = std::get_if<spec::EpochEnd>(&event.body);
               epoch != nullptr && (is_chief || id.type == spec::kEvaluator)) {
        addEpoch(record_.results, *epoch);
        record_changed_ = true;
    }
}

void FollowedRun::add(const spec::TaskId& task, std::int64_t time_unix_ns, spec::EventBody body) {
    pending_.push_back(toldEvent({.sequence = 0, .time_unix_ns = time_unix_ns, .task = task, .body = std::move(body)}));
}

void FollowedRun::publish() {
    if (log_) {
        log_->publish(std::exchange(pending_, {}));
        if (std::exchange(record_changed_, false)) book_.update(record_);
    }
    pending_.clear();
}

void FollowedRun::publishLoads(SteadyTime now) {
    if (!log_) return loads_.end(record_.id);
    for (const auto& [id, task] : tasks_) loads_.setOver(id, task.attempt != attempt_ || task.isOver());
    loads_.publish(record_.id, now, nowUnixNs());
}

void FollowedRun::step(SteadyTime now) {
    if (gone_) return;
    if (!log_ && !convert::isFollowed(folder_, record_.id)) {
        gone_ = true;  // an agent took it over, or another run has the folder
        return;
    }
    try {
        openFiles();
    } catch (const Error&) {
        // A folder that is out of reach for a while; what is open is read on.
    }
    if (std::any_of(tasks_.begin(), tasks_.end(), [&](const auto& one) { return one.second.tail->isReplaced(*events_); })) {
        gone_ = true;
        if (log_) {
            record_.detail = "its folder is gone, or another run began in it";
            finish(RunState::kFailed);
        }
        return loads_.end(record_.id);
    }
    // A task that is dead before everything was read has said everything.
    std::vector<Task*> dead;
    for (auto& [id, task] : tasks_) {
        if (log_ && task.start && !task.isOver() && isLost(task, now)) dead.push_back(&task);
    }
    readAll(now);
    if (log_) {
        for (Task* task : dead) {
            if (!task->isOver() && isLost(*task, now)) lose(task->tail->task(), *task);
        }
        lookAtJob(now);
        judge(now);
    }
    publish();
    publishLoads(now);
}

bool FollowedRun::isLost(const Task& task, SteadyTime now) const {
    const auto silent = now - task.heard;
    if (silent < kLookAtProcess) return false;
    const convert::ProcessLife life = convert::lifeOf(task.start->process);
    return life == convert::ProcessLife::kGone || (life == convert::ProcessLife::kUnknown && silent >= options_.silence);
}

void FollowedRun::lose(const spec::TaskId& id, Task& task) {
    task.lost = true;
    task.changed_unix_ns = task.heard_unix_ns;
    const bool is_gone = convert::lifeOf(task.start->process) == convert::ProcessLife::kGone;
    const std::chrono::seconds silence = std::chrono::duration_cast<std::chrono::seconds>(options_.silence);
    task.detail = is_gone ? kWithoutAWord : "has told nothing for " + std::to_string(silence.count()) + " s";
    if (!task.start->host.empty()) task.detail += " on " + task.start->host;
    if (id != chief_ && chiefIsDone()) {  // nothing is missing: the chief has written everything
        add(id, task.heard_unix_ns, spec::LogLine{spec::LogLevel::kWarning, task.detail + "; the run was done by then"});
        add(id, task.heard_unix_ns, spec::StateChanged{spec::TaskState::kStopped, task.detail});
        task.was_ended = true;
        return;
    }
    add(id, task.heard_unix_ns, spec::TaskFailed{.reason = task.detail, .exit_code = -1, .signal = 0, .last_lines = {}});
    add(id, task.heard_unix_ns, spec::StateChanged{spec::TaskState::kFailed, task.detail});
}

bool FollowedRun::chiefIsDone() const {
    const auto chief = tasks_.find(chief_);
    return chief != tasks_.end() && chief->second.attempt == attempt_ && chief->second.state == spec::TaskState::kDone;
}

bool FollowedRun::everyTaskIsOver() const {
    return std::all_of(tasks_.begin(), tasks_.end(),
                       [this](const auto& one) { return one.second.attempt != attempt_ || one.second.isOver(); });
}

// True while the results of a run that has all its steps are still to come: an evaluator ends by itself behind the last checkpoint. One
// that is lost, or whose job is over, is waited for no more.
bool FollowedRun::evaluatesStill(SteadyTime now) const {
    if (!chiefIsDone() || (queue_.ended && now - *queue_.ended >= options_.chief_grace)) return false;
    return std::any_of(tasks_.begin(), tasks_.end(), [this](const auto& one) {
        return one.first.type == spec::kEvaluator && one.second.attempt == attempt_ && !one.second.isOver();
    });
}

// Ends what goes by the tasks that told no end: a file that comes in sight late, a server that serves on, a task that hangs. They say
// again how they are where they are heard once more.
void FollowedRun::endTasks(const std::string& why) {
    for (auto& [id, task] : tasks_) {
        if (!task.start || task.attempt != attempt_ || task.isOver()) continue;
        task.is_silent = false;
        task.was_ended = true;
        add(id, record_.finished_unix_ns, spec::StateChanged{spec::TaskState::kStopped, why});
    }
}

// Requires an open log.
void FollowedRun::judge(SteadyTime now) {
    for (auto& [id, task] : tasks_) {
        if (!task.start || task.attempt != attempt_ || task.isOver()) continue;
        if (now - task.heard >= kNamedSilence && !task.is_silent) {
            task.is_silent = true;
            add(id, nowUnixNs(),
                spec::StateChanged{spec::TaskState::kWaiting, "has told nothing for " + std::to_string(kNamedSilence.count() / 1000) + " s",
                                   spec::WaitCause::kSilence});
        }
    }
    const auto chief = tasks_.find(chief_);
    const bool chief_is_over = chief != tasks_.end() && chief->second.attempt == attempt_ && chief->second.isOver();
    if (chief_is_over && !chief_over_) chief_over_ = now;
    const bool tasks_are_over =
        chief_is_over && (everyTaskIsOver() || (now - *chief_over_ >= options_.chief_grace && !evaluatesStill(now)));
    if (!tasks_are_over && !queue_.ended) return;
    const Task* cause = nullptr;
    const auto isWorse = [](const Task& a, const Task& b) {
        return std::pair(!a.lost, a.changed_unix_ns) < std::pair(!b.lost, b.changed_unix_ns);
    };
    for (const auto& [id, task] : tasks_) {
        const bool failed = task.attempt == attempt_ && (task.lost || task.state == spec::TaskState::kFailed);
        if (failed && (cause == nullptr || isWorse(task, *cause))) cause = &task;
    }
    if (tasks_are_over && chief->second.state == spec::TaskState::kDone) {
        record_.detail.clear();
        finish(RunState::kDone);
    } else if (job_) {
        judgeJob(cause, tasks_are_over, now);
    } else if (cause != nullptr) {
        record_.detail = toString(cause->tail->task()) + ": " + cause->detail;
        finish(RunState::kFailed);
    } else {
        record_.detail = chief->second.detail;
        finish(RunState::kStopped);
    }
}

void FollowedRun::finish(RunState state) {
    record_.state = state;
    record_.finished_unix_ns = record_.created_unix_ns;
    for (const auto& [id, task] : tasks_) record_.finished_unix_ns = std::max(record_.finished_unix_ns, task.heard_unix_ns);
    endTasks(state == RunState::kDone ? "the run was done by then" : record_.detail);
    publish();
    had_backup_ = hasBackup();
    log_ = nullptr;
    chief_over_.reset();
    if (!book_.close(record_)) {
        tell_(spec::LogLevel::kError, record_.id + ": its end could not be written to the index of runs");
    }
    tell_(spec::LogLevel::kInfo, record_.id + ": over" + (record_.detail.empty() ? "" : ": " + record_.detail));
}

std::optional<convert::SchedulerJob> FollowedRun::control(const spec::Control& control) const {
    if (!log_) throw Error(ErrorCode::kFailedPrecondition, "run " + record_.id + ": is over");
    if (job_ && control.verb == spec::ControlVerb::kStopNow) return job_;
    if (job_ && everyTaskIsOver()) {
        if (control.verb == spec::ControlVerb::kStop) return job_;
        throw Error(ErrorCode::kFailedPrecondition, "run " + record_.id + ": waits for job " + job_->job);
    }
    convert::addControl(*opened_, control);
    return std::nullopt;
}

}  // namespace agent::server
