// What users ask of a run while it goes on, and how it stops: by their word, by its home's silence, with its agent.
#include "agent/server/supervision/supervised_run.h"

#include <algorithm>
#include <utility>

#include "agent/server/runs/submission_note.h"
#include "agent/server/supervision/task_kinds.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunState;

namespace {

// True when nothing can be asked of the task, since its computer does not answer.
bool isOutOfReach(const SupervisedTask& task) {
    return task.isFar() && !task.exit() && !task.process().isReached();
}

// False when it is among them already.
bool addOnce(std::vector<std::string>& names, const std::string& name) {
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new) {
        names.push_back(name);
    }
    return is_new;
}

}  // namespace

// Notes the stop for an agent that comes after this one: a run that its user wanted to end is not to go on by itself.
void SupervisedRun::noteStop() {
    try {
        if (std::optional<SubmissionNote> note = readSubmissionNote(record_.run_dir, record_.id); note && !note->stop_asked) {
            note->stop_asked = true;
            writeSubmissionNote(record_.run_dir, *note);
        }
    } catch (const engine::Error& error) {
        log_(spec::LogLevel::kWarning, record_.id + ": " + error.what());
    }
}

// Lets the run end with a task that was stopped on its own computer, where nobody here has asked for it.
void SupervisedRun::followStop(const SupervisedTask& task, SteadyTime now) {
    if (!task.isFar() || task.state() != spec::TaskState::kStopped || !task.givenUp().empty() || !failures_.empty()) {
        return;
    }
    if (stop_.detail.empty()) {
        stop_.detail = task.stateChange().detail;
    }
    if (!stop_.asked && !task.terminated()) {
        stop_.follows = true;
        stop({spec::ControlVerb::kStop, 0}, now);
    }
}

// Returns the time that a part leaves to the chief elsewhere: it is stopped there, and all tasks of a ring end with it after the same step.
std::chrono::milliseconds SupervisedRun::homeGrace() const {
    const bool has_chief = std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->isChief(); });
    return has_chief || kind_.tasks_are_independent ? std::chrono::milliseconds(0) : options_.graceful_stop;
}

void SupervisedRun::stopWithoutHome(SteadyTime now) {
    if (stop_.asked || !failures_.empty() || now < home_.lostAt(homeGrace())) {
        return;
    }
    stop_.detail = std::string(kHomeWasAway) + secondsText(home_.away(now));
    log_(spec::LogLevel::kWarning, record_.id + ": " + stop_.detail);
    add(launches_.front().task, spec::LogLine{spec::LogLevel::kWarning, stop_.detail + "; its tasks here stop"});
    stop({spec::ControlVerb::kStop, 0}, now);
}

void SupervisedRun::control(const spec::Control& control, SteadyTime now) {
    if (finished_) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + record_.id + ": is over");
    }
    if (control.verb == spec::ControlVerb::kStop || control.verb == spec::ControlVerb::kStopNow) {
        stop_.follows = false;
        stop(control, now);
        return;
    }
    if (stop_.asked || !failures_.empty()) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + record_.id + ": is ending");
    }
    if (restart_) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + record_.id + ": is being started again");
    }
    SupervisedTask* leader = chief();
    if (kind_.tasks_are_independent ? !sendToTasks(control) : leader == nullptr || !leader->send(control)) {
        throw engine::Error(engine::ErrorCode::kUnavailable,
                            "run " + record_.id + ": its chief " + (leader == nullptr ? "runs on another host" : "does not take controls"));
    }
}

// Sends the control to each independent task that trains. True when the chief got it; in a part of a run, when any task did.
bool SupervisedRun::sendToTasks(const spec::Control& control) {
    bool chief_has_it = false;
    for (const auto& task : tasks_) {
        if (trains(task->id()) && !task->exit() && task->send(control) && (task->isChief() || kind_.is_part)) {
            chief_has_it = true;
        }
    }
    return chief_has_it;
}

void SupervisedRun::stop(const spec::Control& control, SteadyTime now) {
    stop_.asked = true;
    noteStop();
    if (std::exchange(restart_, std::nullopt)) {
        finish();  // between two attempts nothing runs
        return;
    }
    SupervisedTask* leader = chief();
    const auto send = [&] {
        return kind_.tasks_are_independent ? sendToTasks(control) : leader != nullptr && !isOutOfReach(*leader) && leader->send(control);
    };
    if (control.verb == spec::ControlVerb::kStop && (send() || waitForTheChief())) {
        const auto patience = record_.state == RunState::kStarting ? options_.stop_while_starting : options_.graceful_stop;
        stop_.deadline = std::min(stop_.deadline.value_or(now + patience), now + patience);
        leaveTheUnreached(now);
        return;
    }
    if (control.verb == spec::ControlVerb::kStopNow) {
        stop_.at_once = true;
        for (const auto& task : tasks_) {
            task->terminate(now);  // killed in the next moment: a task that may tidy up would write a checkpoint
        }
        return;
    }
    leaveTheUnreached(now);
    terminateAll(now);
}

// Makes the stop wait for a chief out of reach. When the home of a run comes back, its parts come in sight one after the other, each with a
// stop of its own to tell.
bool SupervisedRun::waitForTheChief() {
    const SupervisedTask* leader = chief();
    stop_.waits_for_chief = stop_.follows && leader != nullptr && isOutOfReach(*leader);
    return stop_.waits_for_chief;
}

void SupervisedRun::tellTheChief() {
    SupervisedTask* leader = chief();
    if (stop_.waits_for_chief && leader != nullptr && !isOutOfReach(*leader)) {
        stop_.waits_for_chief = false;
        if (!leader->exit()) {
            leader->send(spec::Control{spec::ControlVerb::kStop, 0});
        }
    }
}

// Ends a run that its user stops without the hosts that can't be asked: they are named, and the others, of which some may wait for their
// tasks, end soon.
void SupervisedRun::leaveTheUnreached(SteadyTime now) {
    if (!stop_.asked || stop_.follows || std::none_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return isOutOfReach(*task); })) {
        return;
    }
    const SteadyTime soon = now + options_.stop_while_starting;
    stop_.deadline = std::min(stop_.deadline.value_or(soon), soon);
    const bool others_ended =
        std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->exit() || isOutOfReach(*task); });
    for (const auto& task : tasks_) {
        if (!isOutOfReach(*task)) {
            continue;
        }
        const std::string host = task->process().host();
        if (addOnce(stop_.not_asked, host)) {
            add(task->id(),
                spec::LogLine{spec::LogLevel::kWarning, host + " is out of reach and was not asked to stop; the others end without it"});
        }
        if (others_ended) {
            task->terminate(now + options_.kill_after);
        }
    }
}

// Returns why a run that was stopped ended as it did, or where it may go on.
std::string SupervisedRun::endOfAStop() const {
    std::vector<std::string> unheard;
    for (const auto& task : tasks_) {
        if (task->isFar() && !task->givenUp().empty()) {
            addOnce(unheard, task->process().host());
        }
    }
    if (!stop_.detail.empty() || unheard.empty()) {
        return stop_.detail;
    }
    std::string names;
    for (const std::string& name : unheard) {
        names += (names.empty() ? "" : ", ") + name;
    }
    return "out of reach and not asked to stop: " + names;
}

void SupervisedRun::shutDown(SteadyTime now) {
    stop_.asked = true;
    stop_.detail = "the agent was stopped";
    if (std::exchange(restart_, std::nullopt)) {
        finish();
        return;
    }
    terminateAll(now);
}

}  // namespace agent::server
