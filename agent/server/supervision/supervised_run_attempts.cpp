// How tasks are started again: one alone, all of them, or those that are left.
#include "agent/server/supervision/supervised_run.h"

#include <algorithm>
#include <utility>

#include "agent/server/supervision/task_kinds.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunState;

// Tells of the attempt, with the computers of its tasks: the record is that of the attempt which begins.
void SupervisedRun::addAttempt(const spec::TaskId& task, spec::AttemptStarted attempt) {
    attempt.hosts = spec::taskHosts(spec::parseProject(record_.project_json).run.cluster.spec);
    add(task, std::move(attempt));
}

bool SupervisedRun::comesBack(const SupervisedTask& task, bool lost) {
    return (kind_.tasks_are_independent || isEvaluator(task.id())) && lost && failures_.empty() && !stop_.asked && !stop_.deadline &&
           restarts_done_ < restarts_.most && !chiefIsDone() && task.exit().has_value();
}

void SupervisedRun::planReturn(const SupervisedTask& task, const std::string& reason, SteadyTime now) {
    const auto index = static_cast<std::size_t>(
        std::find_if(tasks_.begin(), tasks_.end(), [&task](const auto& one) { return one.get() == &task; }) - tasks_.begin());
    ++restarts_done_;
    const SteadyTime at = now + options_.restart_pause;
    returns_.push_back({.task = index, .at = at, .port_by = at + options_.port_patience});
    add(task.id(), spec::LogLine{spec::LogLevel::kWarning, toString(task.id()) + ": " + reason + "; it is started again (" +
                                                               std::to_string(restarts_done_) + " of " + std::to_string(restarts_.most) +
                                                               "), the others go on"});
    add(task.id(), spec::StateChanged{spec::TaskState::kNotStarted, reason});
}

void SupervisedRun::bringBack(SteadyTime now) {
    constexpr std::chrono::milliseconds kLookAgain{100};
    if (!returns_.empty() && chiefIsDone()) {  // nothing is missing: the chief has written everything
        for (const Return& due : returns_)
            add(tasks_[due.task]->id(), spec::StateChanged{spec::TaskState::kStopped, "the run was done by then"});
        returns_.clear();
        endHelpers(now);
        return;
    }
    for (std::size_t i = 0; i < returns_.size();) {
        Return& due = returns_[i];
        if (now < due.at) {
            ++i;
            continue;
        }
        TaskLaunch& again = launches_[due.task];
        try {
            again.port.holdAgain();
            tasks_[due.task] = launch(again, now);
        } catch (const engine::Error& error) {
            if (error.code() == engine::ErrorCode::kAlreadyExists && now < due.port_by) {
                due.at = now + kLookAgain;
                ++i;
                continue;
            }
            failures_.push_back({again.task, std::string("could not be started again: ") + error.what(), nowUnixNs(), true, false});
            add(again.task, spec::StateChanged{spec::TaskState::kFailed, failures_.back().reason});
            terminateAll(now);
        }
        returns_.erase(returns_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

void SupervisedRun::endAttempt(SteadyTime now) {
    if (const auto without = mayRestart() ? leaveOutTheLost() : std::nullopt) {
        planRestart(*without, now);
    } else {
        finish();
    }
}

// A lost task, or the way between tasks that are all well.
bool SupervisedRun::mayEndOtherwise() const {
    return rootCause().lost || std::all_of(failures_.begin(), failures_.end(), [](const Failure& one) { return one.missed_a_peer; });
}

// A chief that has told its results and was lost before it said that it is done may not have written everything.
bool SupervisedRun::mayRestart() {
    const SupervisedTask* leader = chief();
    const bool chief_is_done = leader != nullptr && leader->state() == spec::TaskState::kDone;
    return !failures_.empty() && mayEndOtherwise() && restarts_done_ < restarts_.most && !stop_.asked && !chief_is_done;
}

bool SupervisedRun::hasBackup() const {
    try {
        return restarts_.has_backup && restarts_.has_backup();
    } catch (const engine::Error& error) {  // the chief says it again, and why
        log_(spec::LogLevel::kWarning, record_.id + ": " + error.what());
        return false;
    }
}

// Takes the lost tasks out of a run that may go on without them; the failure says so. nullopt when the others can't go on.
std::optional<RunContinuation::Outcome> SupervisedRun::leaveOutTheLost() {
    std::vector<spec::TaskId> lost;
    for (const Failure& failure : failures_) {
        if (failure.lost) {
            lost.push_back(failure.task);
        }
    }
    if (!restarts_.without_lost || std::none_of(lost.begin(), lost.end(), trains)) {
        return RunContinuation::Outcome();
    }
    RunContinuation::Outcome outcome = restarts_.without_lost->leaveOut(lost, hasBackup(), launches_, record_);
    Failure& cause = failures_[static_cast<std::size_t>(&rootCause() - failures_.data())];
    cause.reason += "; " + (outcome.obstacle.empty() ? outcome.told : outcome.obstacle);
    if (!outcome.obstacle.empty()) {
        return std::nullopt;
    }
    if (!outcome.warning.empty()) {
        log_(spec::LogLevel::kWarning, record_.id + ": " + outcome.warning);
    }
    return outcome;
}

// Plans the next attempt. Nothing runs until restart_, and the run is no failed one: its tasks are told of as not started.
void SupervisedRun::planRestart(const RunContinuation::Outcome& without, SteadyTime now) {
    constexpr int kMostDoublings = 16;
    const Failure cause = rootCause();
    const bool from_backup = hasBackup();
    const auto pause = std::min(options_.restart_pause * (1 << std::min(restarts_done_, kMostDoublings)), options_.longest_pause);
    ++restarts_done_;
    restart_ = {.at = now + pause, .ports_by = now + pause + options_.port_patience};
    record_.attempts = first_attempt_ + restarts_done_;
    const int most = first_attempt_ + restarts_.most;
    addAttempt(
        cause.task,
        {.attempt = record_.attempts, .attempts = most, .from_backup = from_backup, .reason = cause.reason, .left_out = without.left_out});
    for (const spec::TaskId& task : without.gone) {
        add(task, spec::StateChanged{spec::TaskState::kStopped, "left out"});
    }
    log_(spec::LogLevel::kWarning, record_.id + ": " + toString(cause.task) + ": " + cause.reason + "; attempt " +
                                       std::to_string(record_.attempts) + " of " + std::to_string(most) + " follows");
    failures_.clear();
    stop_.deadline.reset();
    record_.state = RunState::kStarting;
    writeRecord();
    publish(now);
}

// Starts the same processes on the same ports, which are held first: peers know them by these.
void SupervisedRun::restart(SteadyTime now) {
    constexpr std::chrono::milliseconds kLookAgain{100};
    for (TaskLaunch& launch : launches_) {
        try {
            launch.port.holdAgain();
        } catch (const engine::Error& error) {
            if (error.code() == engine::ErrorCode::kAlreadyExists && now < restart_->ports_by) {
                restart_->at = now + kLookAgain;
                return;
            }
            restart_.reset();
            failures_.push_back({launch.task, std::string("could not be started again: ") + error.what(), nowUnixNs(), true, false});
            return;
        }
    }
    restart_.reset();
    tasks_.clear();
    launchAll(now);
}

std::string SupervisedRun::restartsText(const Failure& cause) const {
    if (!cause.lost || restarts_done_ == 0) {
        return {};
    }
    return ", after " + std::to_string(restarts_done_) + (restarts_done_ == 1 ? " restart" : " restarts");
}

}  // namespace agent::server
