// What follows from a task that has ended, or that gives no sign of life.
#include "agent/server/supervision/supervised_run.h"

#include <algorithm>
#include <csignal>
#include <utility>

#include "agent/local/task_exit.h"
#include "agent/server/supervision/task_kinds.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunState;

namespace {

// True when a signal that was not ours ended the task: our SIGTERM may end it, and so may the SIGKILL that follows.
bool killedByAnother(const SupervisedTask& task) {
    return task.exit()->signal != 0 && (!task.terminated() || (task.exit()->signal == SIGKILL && !task.killed()));
}

}  // namespace

bool SupervisedRun::endedWell(const SupervisedTask& task) const {
    if (task.state() == spec::TaskState::kDone && task.exit()->signal != 0) {
        return true;  // it had done everything
    }
    const bool clean = task.exit()->exit_code == 0 && task.saidItEnded();
    const bool stopped = (task.terminated() && (stop_.asked || !killedByAnother(task))) || (stop_.asked && task.exit()->exit_code == 0);
    // Who is asked to end at once is lost to its peers, and one of them may fail of that before it is reached itself.
    const bool at_once = stop_.at_once && failures_.empty() && task.terminated();
    // The same holds for tasks that still wait for each other when the run is to stop.
    const bool not_begun = stop_.asked && record_.state == RunState::kStarting && failures_.empty() && !killedByAnother(task);
    return task.givenUp().empty() && (at_once || not_begun || (task.state() != spec::TaskState::kFailed && (clean || stopped)));
}

std::string SupervisedRun::failureReason(const SupervisedTask& task) const {
    if (!task.givenUp().empty()) {
        return task.givenUp();
    }
    const std::string end = toString(*task.exit());
    std::string reason = task.isFar() ? end + " on " + task.process().host() : end;
    if (task.exit()->exit_code == 0) {
        reason += " before it was done";
    }
    // The agent of a task on another computer may have said the same already: it is not repeated.
    if (task.state() == spec::TaskState::kFailed && !task.stateChange().detail.empty() && task.stateChange().detail != end) {
        reason += ": " + task.stateChange().detail;
    } else if (task.streamLoss() && task.exit()->signal == 0 && !task.saidItEnded()) {
        reason += ": " + task.streamLoss()->why;
    }
    return reason;
}

void SupervisedRun::noteEnd(SupervisedTask& task, SteadyTime now) {
    log_(spec::LogLevel::kInfo, record_.id + ": " + toString(task.id()) + " ended: " + toString(*task.exit()));
    if (stop_.asked && failures_.empty() && task.isFar() &&
        !task.givenUp().empty()) {  // nobody can say how it ended, and nobody waits for it
        add(task.id(), spec::LogLine{spec::LogLevel::kWarning, task.givenUp() + ": what ran there may go on"});
        add(task.id(), spec::StateChanged{spec::TaskState::kStopped, task.givenUp()});
        endHelpers(now);
        return;
    }
    if (!endedWell(task)) {
        fail(task, now);
        return;
    }
    if (!spec::isFinal(task.state()) || task.state() == spec::TaskState::kFailed) {
        const bool done = task.saidItEnded() && !task.terminated();
        const std::string why = failures_.empty() ? std::string() : "stopped because " + toString(failures_.front().task) + " failed";
        add(task.id(), spec::StateChanged{done ? spec::TaskState::kDone : spec::TaskState::kStopped, done ? std::string() : why});
    }
    const bool evaluates_still =
        std::any_of(tasks_.begin(), tasks_.end(), [](const auto& one) { return isEvaluator(one->id()) && !one->exit(); });
    if (task.isChief() && !kind_.is_part && !stop_.deadline && !(chiefIsDone() && evaluates_still)) {
        stop_.deadline = now + options_.graceful_stop;  // the others have nothing left to do
    }
    endHelpers(now);
}

// Ends servers and evaluators, which have nothing to do once every task that trains has ended. When the run has all its steps they end by
// themselves: evaluators after the last checkpoint, servers unless they were started again when it was over, or wait for a worker that was
// lost.
void SupervisedRun::endHelpers(SteadyTime now) {
    const auto is_needed = [](const auto& task) { return trains(task->id()) && !task->exit(); };
    if (kind_.is_part || !returns_.empty() || std::any_of(tasks_.begin(), tasks_.end(), is_needed)) {
        return;
    }
    if (!chiefIsDone()) {
        terminateAll(now);
        return;
    }
    const auto is_lost = [this](const auto& task) { return task->exit() && !endedWell(*task); };
    if (restarts_done_ == 0 && std::none_of(tasks_.begin(), tasks_.end(), is_lost)) {
        return;
    }
    for (const auto& task : tasks_) {
        if (!isEvaluator(task->id())) {
            task->terminate(now + options_.kill_after);
        }
    }
}

void SupervisedRun::fail(const SupervisedTask& task, SteadyTime now) {
    const std::string reason = failureReason(task);
    const bool given_up = !task.givenUp().empty();
    const bool lost = given_up || killedByAnother(task);
    if (lost && !task.isChief() && chiefIsDone()) {  // nothing is missing: the chief has written everything
        add(task.id(), spec::LogLine{spec::LogLevel::kWarning, reason + "; the run was done by then"});
        add(task.id(), spec::StateChanged{spec::TaskState::kStopped, reason});
        endHelpers(now);
        return;
    }
    if (comesBack(task, lost)) {
        planReturn(task, reason, now);
        return;
    }
    if (isEvaluator(task.id()) && failures_.empty() && !stop_.asked) {  // who trains does not need it
        add(task.id(), spec::LogLine{spec::LogLevel::kError, toString(task.id()) + ": " + reason + "; the run goes on without it"});
        add(task.id(), spec::StateChanged{spec::TaskState::kFailed, reason});
        endHelpers(now);
        return;
    }
    failures_.push_back({.task = task.id(),
                         .reason = reason,
                         .time_unix_ns = task.failedUnixNs() == 0 ? nowUnixNs() : task.failedUnixNs(),
                         .certain = lost,
                         .lost = lost,
                         .missed_a_peer = !given_up && task.exit()->exit_code == local::kPeerLostExit});
    if (task.state() != spec::TaskState::kFailed && !given_up) {
        add(task.id(), spec::StateChanged{spec::TaskState::kFailed, reason});
    }
    // The signal that ends a task which was given up is ours, and no cause.
    add(task.id(), spec::TaskFailed{.reason = reason,
                                    .exit_code = given_up ? -1 : task.exit()->exit_code,
                                    .signal = given_up ? 0 : task.exit()->signal,
                                    .last_lines = {task.lastLines().begin(), task.lastLines().end()}});
    if (kind_.is_part && kind_.tasks_are_independent) {
        return;
    }
    giveUpTheSilent(now);
    terminateAll(now);
}

// A task that ended by itself may only have noticed that another one hangs. It counts from that one's last word to it, the agent from the
// last word to the agent: up to a heartbeat later, hence not the whole of heartbeat_lost.
void SupervisedRun::giveUpTheSilent(SteadyTime now) {
    for (const auto& task : tasks_) {
        const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - task->heard().last);
        if (task->exit() || task->isFar() || task->terminated() || !task->heard().ever || silence < heartbeat_lost_ * 2 / 3) {
            continue;
        }
        const std::string reason = "no heartbeat for " + secondsText(silence);
        if (!task->stalled) {
            task->stalled = true;
            add(task->id(), spec::StateChanged{spec::TaskState::kWaiting, reason, spec::WaitCause::kSilence});
        }
        giveUp(*task, reason, now);
    }
}

// The verdict is told at once, not when the task has ended: who watches sees who is to blame.
void SupervisedRun::giveUp(SupervisedTask& task, const std::string& reason, SteadyTime now) {
    if (task.exit() || !task.givenUp().empty()) {
        return;
    }
    task.giveUp(reason, now + options_.kill_after);
    if (task.isChief() || !chiefIsDone()) {
        add(task.id(), spec::StateChanged{spec::TaskState::kFailed, reason});
    }
}

void SupervisedRun::terminateAll(SteadyTime now) {
    for (const auto& task : tasks_) {
        task->terminate(now + options_.kill_after);
    }
}

void SupervisedRun::watchSilence(SupervisedTask& task, SteadyTime now) {
    if (task.exit() || task.isFar() || task.terminated()) {
        return;
    }
    const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - task.heard().last);
    if (task.stalled && silence < heartbeat_lost_) {
        task.stalled = false;
        add(task.id(), task.stateChange());
    } else if (!task.stalled && silence >= heartbeat_lost_) {
        task.stalled = true;
        add(task.id(),
            spec::StateChanged{spec::TaskState::kWaiting, "no heartbeat for " + secondsText(silence), spec::WaitCause::kSilence});
    }
    if (silence >= (task.heard().ever ? heartbeat_fatal_ : options_.first_word)) {
        giveUp(task, "no heartbeat for " + secondsText(silence), now);
        terminateAll(now);
    } else if (!task.exit() && task.streamLoss() && now >= task.streamLoss()->at + options_.stream_grace) {
        if (task.state() == spec::TaskState::kDone) {  // it had done everything: a loaded computer may take its time to end a process
            task.terminate(now + options_.kill_after);
            return;
        }
        giveUp(task, task.streamLoss()->why, now);
        terminateAll(now);
    }
}

bool SupervisedRun::everyTaskEnded() const {
    return returns_.empty() && std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->exit().has_value(); });
}

SupervisedTask* SupervisedRun::chief() {
    const auto found = std::find_if(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->isChief(); });
    return found == tasks_.end() ? nullptr : found->get();
}

bool SupervisedRun::chiefIsDone() {
    const SupervisedTask* leader = chief();
    return leader != nullptr && leader->saidItEnded() && leader->state() != spec::TaskState::kStopped &&
           leader->state() != spec::TaskState::kFailed;
}

// A task that was killed rather than one that noticed it; else the one that failed first, whoever ended first.
const SupervisedRun::Failure& SupervisedRun::rootCause() const {
    return *std::min_element(failures_.begin(), failures_.end(), [](const Failure& a, const Failure& b) {
        return std::pair(!a.certain, a.time_unix_ns) < std::pair(!b.certain, b.time_unix_ns);
    });
}

}  // namespace agent::server
