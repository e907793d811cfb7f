#include "agent/server/runs/unfinished_runs.h"

#include <algorithm>
#include <map>
#include <utility>
#include <variant>

#include "agent/history/journal.h"
#include "agent/local/event_files.h"
#include "agent/local/far_run_note.h"
#include "agent/local/run_folder.h"
#include "agent/server/process/wall_clock.h"
#include "agent/server/runs/home_submission.h"
#include "agent/server/runs/run_records.h"
#include "agent/server/runs/submission_note.h"
#include "agent/server/runs/told_event.h"
#include "agent/wire/status.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::seconds kTryAgain{1};

// The project of a record, which an agent has checked; an empty one where it can't be read.
spec::RunSpec projectOf(const engine::run::RunInfo& run) {
    return spec::parseProject(run.project_json).run;
}

std::vector<spec::TaskPlan> plansOf(const spec::RunSpec& project) {
    try {
        return spec::planTasks(project);
    } catch (const Error&) {
        return {};
    }
}

// Each task once, in one part, whose id its host's agent gave.
bool everyTaskIsElsewhere(const std::vector<spec::TaskPlan>& plans, const std::vector<convert::PartNote>& notes) {
    std::vector<std::string> wanted, found;
    for (const spec::TaskPlan& plan : plans) {
        wanted.push_back(toString(plan.task));
    }
    for (const convert::PartNote& note : notes) {
        if (note.run.empty() || note.tasks.size() != note.ports.size()) {
            return false;
        }
        found.insert(found.end(), note.tasks.begin(), note.tasks.end());
    }
    std::sort(wanted.begin(), wanted.end());
    std::sort(found.begin(), found.end());
    return !wanted.empty() && wanted == found;
}

bool isElsewhere(const engine::run::RunInfo& run, const SubmissionNote& note) {
    return spansComputers(note.submission) && everyTaskIsElsewhere(plansOf(projectOf(run)), convert::partNotes(run.run_dir));
}

bool mayBeTakenUp(const engine::run::RunInfo& run, const SubmissionNote& note) {
    const spec::RunSpec project = projectOf(run);
    try {
        return !note.stop_asked && project.cluster.on_task_lost != spec::OnTaskLost::kFail &&
               run.attempts - note.first_attempt < project.cluster.max_restarts && !convert::readFinishedMark(run.run_dir) &&
               convert::hasBackup(run.run_dir, project);
    } catch (const Error&) {
        return false;
    }
}

// What a journal says of this attempt of the run.
struct Recollection {
    std::vector<spec::TaskEvent> events;         // but for points, and lines of the log
    std::map<spec::TaskId, std::uint64_t> told;  // the newest that each task's part told
};

Recollection recollect(const std::filesystem::path& file) {
    constexpr std::size_t kEvents = 512, kBytes = 1u << 20;
    const history::Journal journal(file, history::Journal::Access::kReadOnly);
    Recollection all;
    for (std::uint64_t next = 1;;) {
        const std::vector<history::JournalEntry> entries = journal.read(next, kEvents, kBytes);
        if (entries.empty()) {
            return all;
        }
        next = std::max(entries.back().sequence, entries.back().damaged_to) + 1;
        for (const history::JournalEntry& entry : entries) {
            if (entry.damaged_to > 0) {
                continue;
            }
            spec::TaskEvent event = convert::decodeEvent(entry.event);
            const std::uint64_t sequence = partSequenceOf(entry.event);
            const auto* change = std::get_if<spec::StateChanged>(&event.body);
            if (std::holds_alternative<spec::AttemptStarted>(event.body)) {
                all = {};
            } else if (sequence > 0) {
                all.told[event.task] = sequence;
            } else if (change != nullptr && change->state == spec::TaskState::kNotStarted) {  // this one is started again, alone
                all.told.erase(event.task);
            }
            const bool counts = change != nullptr || std::holds_alternative<spec::TaskFinished>(event.body) ||
                                std::holds_alternative<spec::CheckpointSaved>(event.body) ||
                                std::holds_alternative<spec::EpochEnd>(event.body);
            // Home's own words on a host that is silent are no word of the task.
            if (counts && (sequence > 0 || change == nullptr || change->state == spec::TaskState::kNotStarted)) {
                all.events.push_back(std::move(event));
            }
        }
    }
}

StandingPart standingPart(const convert::PartNote& note, const std::vector<spec::TaskPlan>& plans, const Recollection& recollection) {
    StandingPart part{.tasks = {},
                      .ports = note.ports,
                      .run = note.run,
                      .folder = note.folder,
                      .next_sequence = note.first_sequence,
                      .skip_to_attempt = note.skip_to_attempt,
                      .told = {}};
    for (const std::string& name : note.tasks) {
        const auto plan = std::find_if(plans.begin(), plans.end(), [&](const spec::TaskPlan& one) { return toString(one.task) == name; });
        if (plan == plans.end()) {
            throw Error(ErrorCode::kDataLoss, "part: expected a task of the run, got " + name);
        }
        part.tasks.push_back(plan->task);
        if (const auto told = recollection.told.find(plan->task); told != recollection.told.end()) {
            part.told.insert(*told);
        }
    }
    if (part.told.size() == part.tasks.size()) {
        const auto least =
            std::min_element(part.told.begin(), part.told.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
        part.next_sequence = least->second + 1;
        part.skip_to_attempt = 0;
    }
    return part;
}

SubmissionNote noteOf(const engine::run::RunInfo& run) {
    std::optional<SubmissionNote> note = readSubmissionNote(run.run_dir, run.id);
    if (!note) {
        throw Error(ErrorCode::kDataLoss, run.run_dir + "/" + kSubmissionFile + ": expected how the run was submitted, it can't be read");
    }
    return *std::move(note);
}

}  // namespace

bool isFollowedFarAway(const engine::run::RunInfo& run) {
    const std::optional<convert::FarRunNote> note = convert::readFarRunNote(run.run_dir);
    return note && note->here == run.id;
}

bool mayGoOn(const engine::run::RunInfo& run, bool reaches_hosts) {
    if (convert::isFollowed(run.run_dir, run.id)) return true;  // its tasks never were the agent's
    if (isFollowedFarAway(run)) return reaches_hosts;
    const std::optional<SubmissionNote> note = readSubmissionNote(run.run_dir, run.id);
    return note && ((reaches_hosts && isElsewhere(run, *note)) || mayBeTakenUp(run, *note));
}

RunLaunch adoptRun(const InterruptedRun& run, const SubmissionContext& context, RunBook& book) {
    const engine::run::RunInfo& record = run.record;
    const SubmissionNote note = noteOf(record);
    const spec::RunSpec project = projectOf(record);
    const std::vector<spec::TaskPlan> plans = spec::planTasks(project);
    Recollection recollection = recollect(journalOf(record));

    std::vector<PartRequest> requests;
    for (const convert::PartNote& one : convert::partNotes(record.run_dir)) {
        auto request = std::find_if(requests.begin(), requests.end(), [&](const PartRequest& other) { return other.host == one.host; });
        if (request == requests.end()) {
            requests.push_back({.host = one.host});
            request = std::prev(requests.end());
        }
        request->standing.push_back(standingPart(one, plans, recollection));
        request->tasks += static_cast<int>(one.tasks.size());
    }
    const std::vector<std::shared_ptr<FarPart>> parts = context.parts(requests, record.project_json, "");
    const auto chief = std::find_if(plans.begin(), plans.end(), [](const spec::TaskPlan& one) { return one.is_chief; });
    const bool independent = plans.front().servers > 0;

    RunLaunch launch{.record = record, .log = book.log(record.id), .tasks = {}};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        std::vector<spec::TaskId> tasks;
        for (const StandingPart& one : requests[i].standing) {
            tasks.insert(tasks.end(), one.tasks.begin(), one.tasks.end());
        }
        for (const spec::TaskId& task : tasks) {
            launch.tasks.push_back(
                {.task = task, .chief = chief != plans.end() && chief->task == task, .process = {}, .port = {}, .part = parts[i]});
        }
        parts[i]->plan({.run_id = record.id,
                        .project_json = note.tasks_project_json,
                        .tasks = std::move(tasks),
                        .chief = chief != plans.end() ? chief->task : spec::TaskId{},
                        .folder = record.run_dir,
                        .goes_on = false,
                        .together = !independent,
                        .loads = context.far_loads,
                        .patience = std::chrono::milliseconds(static_cast<std::int64_t>(project.cluster.start_timeout_s * 1000))});
    }
    launch.restarts = restartPolicy(project, record.run_dir, note.tasks_project_json);
    launch.restarts.most = std::max(0, launch.restarts.most - (record.attempts - note.first_attempt));
    launch.heartbeat_fatal = std::chrono::milliseconds(static_cast<std::int64_t>(project.cluster.heartbeat_fatal_s * 1000));
    launch.tasks_are_independent = independent;
    launch.across_hosts = true;
    launch.adoption = Adoption{.recalled = std::move(recollection.events), .stop_asked = note.stop_asked};
    return launch;
}

RunLaunch takeUpRun(const InterruptedRun& run, const SubmissionContext& context, RunBook& book) {
    const SubmissionNote note = noteOf(run.record);
    Submission submission = note.submission;
    submission.taken_up = TakenUp{.run = run.record.id, .first_attempt = note.first_attempt, .last_told_unix_ns = run.last_told_unix_ns};
    return spansComputers(submission) ? prepareRunOnHosts(submission, context, book) : prepareRun(submission, context, book);
}

UnfinishedRuns::UnfinishedRuns(SubmissionContext context, RunBook& book, TaskSupervisor& supervisor, LogSink log)
    : context_(std::move(context)), book_(book), supervisor_(supervisor), log_(std::move(log)) {
    for (InterruptedRun& run : book_.interrupted()) {
        if (convert::isFollowed(run.record.run_dir, run.record.id) || isFollowedFarAway(run.record))
            continue;  // RunFollower's and FarRuns'
        const std::chrono::milliseconds patience(static_cast<std::int64_t>(projectOf(run.record).cluster.start_timeout_s * 1000));
        due_.push_back({std::move(run), std::chrono::steady_clock::now() + patience});
    }
    waiting_ = static_cast<int>(due_.size());
    if (!due_.empty()) {
        thread_ = std::jthread([this](const std::stop_token& stop) { goOn(stop); });
    }
}

UnfinishedRuns::~UnfinishedRuns() {
    thread_.request_stop();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void UnfinishedRuns::goOn(const std::stop_token& stop) {
    while (!due_.empty() && !stop.stop_requested()) {
        for (std::size_t i = 0; i < due_.size() && !stop.stop_requested();) {
            if (tryOnce(due_[i])) {
                due_.erase(due_.begin() + static_cast<std::ptrdiff_t>(i));
                --waiting_;
            } else {
                ++i;
            }
        }
        if (!due_.empty()) {
            engine::MutexLock lock(mutex_);
            stopped_.wait_for(lock, stop, kTryAgain, [] { return false; });
        }
    }
    for (const Due& due : due_) {
        fail(due.run, "the agent was stopped");
        --waiting_;
    }
}

// False when it is to be tried again: a host may be out of reach for a while, and a port be held by what is about to end.
bool UnfinishedRuns::tryOnce(const Due& due) {
    try {
        const SubmissionNote note = noteOf(due.run.record);
        const bool elsewhere = context_.parts && isElsewhere(due.run.record, note);
        RunLaunch launch = elsewhere ? adoptRun(due.run, context_, book_) : takeUpRun(due.run, context_, book_);
        log_(spec::LogLevel::kWarning, due.run.record.id + ": " + kAgentKilled +
                                           (elsewhere ? "; what goes on elsewhere is followed again"
                                                      : "; it goes on from its backup, attempt " + std::to_string(launch.record.attempts)));
        supervisor_.start(std::move(launch));
        return true;
    } catch (const Error& error) {
        const bool passes = convert::mayPass(error) || error.code() == ErrorCode::kAlreadyExists;
        if (passes && std::chrono::steady_clock::now() < due.until) {
            return false;
        }
        fail(due.run, error.what());
        return true;
    }
}

void UnfinishedRuns::fail(const InterruptedRun& run, const std::string& why) {
    engine::run::RunInfo record = book_.find(run.record.id);
    record.state = engine::run::RunState::kFailed;
    record.detail = std::string(kAgentKilled) + ", and it could not go on: " + why;
    record.finished_unix_ns = nowUnixNs();
    log_(spec::LogLevel::kError, record.id + ": " + record.detail);
    book_.close(record);
}

}  // namespace agent::server
