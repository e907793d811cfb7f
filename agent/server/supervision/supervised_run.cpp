#include "agent/server/supervision/supervised_run.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "agent/server/runs/epoch_results.h"
#include "agent/server/supervision/task_kinds.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunState;

namespace {

bool ready(const pollfd& entry) {
    return entry.fd >= 0 && entry.revents != 0;
}

}  // namespace

SupervisedRun::SupervisedRun(RunLaunch launch, const SupervisorOptions& options, RunBook& book, LogSink log)
    : options_(options),
      heartbeat_fatal_(options.heartbeat_fatal.value_or(launch.heartbeat_fatal)),
      heartbeat_lost_(std::min(options.heartbeat_lost, heartbeat_fatal_ / 2)),
      book_(book),
      log_(std::move(log)),
      record_(std::move(launch.record)),
      events_(std::move(launch.log)),
      launches_(std::move(launch.tasks)),
      restarts_(std::move(launch.restarts)),
      kind_{launch.tasks_are_independent, launch.is_part, launch.across_hosts},
      starter_(launch.secret, launch.across_hosts),
      first_attempt_(record_.attempts),
      by_hand_(std::move(launch.attempt)),
      adoption_(std::move(launch.adoption)),
      home_(launch.home_lost, SteadyTime()) {}

void SupervisedRun::start(ProcessLauncher& launcher, SteadyTime now) {
    starter_.use(launcher);
    home_.hear(now);
    if (by_hand_) {
        addAttempt(launches_.front().task, *by_hand_);
    } else if (kind_.across_hosts && !adoption_) {
        addAttempt(launches_.front().task, {.attempt = first_attempt_, .attempts = first_attempt_ + restarts_.most, .reason = {}});
    }
    launchAll(now);
    if (adoption_) {
        adopt(now);
    }
    publish(now);
    if (everyTaskEnded()) {
        endAttempt(now);
    }
}

// The tasks' last words count as heard, and go into no journal again.
void SupervisedRun::adopt(SteadyTime now) {
    for (const spec::TaskEvent& event : std::exchange(adoption_->recalled, {})) {
        const auto task = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& one) { return one->id() == event.task; });
        if (task != tasks_.end()) {
            recall(**task, event);
            note(event);
        }
    }
    const std::string text = std::string(kAgentKilled) + "; it is here again, and follows what went on elsewhere";
    add(launches_.front().task, spec::LogLine{spec::LogLevel::kWarning, text});
    log_(spec::LogLevel::kWarning, record_.id + ": " + text);
    if (adoption_->stop_asked) {
        stop({spec::ControlVerb::kStop, 0}, now);
    }
}

std::unique_ptr<SupervisedTask> SupervisedRun::launch(TaskLaunch& launch, SteadyTime now) {
    std::unique_ptr<SupervisedTask> task = starter_.start(launch, now);
    log_(spec::LogLevel::kInfo, record_.id + ": started " + toString(launch.task) +
                                    (task->isFar() ? " on " + task->process().host() : ", pid " + std::to_string(task->process().pid())));
    return task;
}

void SupervisedRun::launchAll(SteadyTime now) {
    starter_.beginAttempt();
    for (TaskLaunch& launch : launches_) {
        try {
            tasks_.push_back(this->launch(launch, now));
        } catch (const engine::Error& error) {
            failures_.push_back({launch.task, std::string("could not be started: ") + error.what(), nowUnixNs(), true});
            add(launch.task, spec::StateChanged{spec::TaskState::kFailed, failures_.back().reason});
            add(launch.task, spec::TaskFailed{.reason = failures_.back().reason, .exit_code = -1, .signal = 0, .last_lines = {}});
            terminateAll(now);
            break;
        }
    }
}

void SupervisedRun::addDescriptors(std::vector<pollfd>& descriptors) const {
    for (const auto& task : tasks_) {
        descriptors.push_back({task->exit() ? -1 : task->process().exitDescriptor(), POLLIN, 0});
        descriptors.push_back({task->eventDescriptor(), POLLIN, 0});
        descriptors.push_back({task->outputDescriptor(), POLLIN, 0});
        descriptors.push_back({task->errorDescriptor(), POLLIN, 0});
    }
}

void SupervisedRun::addLiveTasks(std::vector<load::LiveTask>& tasks, SteadyTime now) const {
    for (const auto& task : tasks_) {
        if (task->exit() || task->isFar()) {
            continue;
        }
        tasks.push_back({record_.id, task->id(), task->process().pid(), task->heard().exchange});
        if (auto& exchange = tasks.back().exchange) {
            exchange->age_s = std::max(0.0, std::chrono::duration<double>(now - task->heard().exchange_at).count());
        }
    }
}

bool SupervisedRun::step(std::span<const pollfd> descriptors, SteadyTime now) {
    const SupervisedTask::Sink sink = [this](ToldEvent told, const spec::TaskEvent* event) { take(std::move(told), event); };
    bool more = false;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        const auto entries = descriptors.subspan(i * kDescriptorsPerTask, kDescriptorsPerTask);
        if (ready(entries[1]) || tasks_[i]->moreEvents()) {
            more |= tasks_[i]->readEvents(sink, now);
        }
        if (ready(entries[2]) || ready(entries[3])) {
            tasks_[i]->readOutput(sink);
        }
    }
    std::vector<SupervisedTask*> ended;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
        if (ready(descriptors[i * kDescriptorsPerTask]) && tasks_[i]->reapIfEnded(sink, now)) {
            ended.push_back(tasks_[i].get());
        }
    }
    for (SupervisedTask* task : ended) {
        noteEnd(*task, now);
    }
    for (const SupervisedTask* task : ended) {
        followStop(*task, now);
    }
    keepDeadlines(now);
    publish(now);
    if (everyTaskEnded() && !finished_ && !restart_) {
        endAttempt(now);
    }
    return more;
}

void SupervisedRun::take(ToldEvent told, const spec::TaskEvent* event) {
    if (event != nullptr) {
        note(*event);
    }
    pending_.push_back(std::move(told));
}

// What the record says follows from what the tasks tell.
void SupervisedRun::note(const spec::TaskEvent& event) {
    const SupervisedTask* leader = chief();
    if (isEvaluator(event.task)) {
        if (const auto* finished = std::get_if<spec::TaskFinished>(&event.body)) {
            mergeResults(record_.results, finished->results);
        } else if (const auto* measured = std::get_if<spec::EpochEnd>(&event.body)) {
            addEpoch(record_.results, *measured);
            writeRecord();
        }
    }
    if (leader != nullptr && event.task == leader->id()) {
        if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
            if (change->state == spec::TaskState::kTraining) {
                changeState(RunState::kTraining);
            } else if (change->state == spec::TaskState::kPaused) {
                changeState(RunState::kPaused);
            }
        } else if (const auto* finished = std::get_if<spec::TaskFinished>(&event.body)) {
            mergeResults(record_.results, finished->results);
            record_.checkpoint = finished->checkpoint;
            record_.weights_sha256 = finished->weights_sha256;
        } else if (const auto* saved = std::get_if<spec::CheckpointSaved>(&event.body)) {
            record_.checkpoint = saved->prefix;
        } else if (const auto* epoch = std::get_if<spec::EpochEnd>(&event.body)) {
            addEpoch(record_.results, *epoch);
            writeRecord();
        }
    }
}

void SupervisedRun::add(const spec::TaskId& task, spec::EventBody body) {
    pending_.push_back(toldEvent({.sequence = 0, .time_unix_ns = nowUnixNs(), .task = task, .body = std::move(body)}));
}

void SupervisedRun::changeState(RunState state) {
    if (record_.state != state) {
        record_.state = state;
        writeRecord();
    }
}

void SupervisedRun::writeRecord() {
    if (!book_.update(record_)) {
        log_(spec::LogLevel::kError, record_.id + ": its state could not be written to the index of runs");
    }
}

void SupervisedRun::keepDeadlines(SteadyTime now) {
    for (const auto& task : tasks_) {
        watchSilence(*task, now);
    }
    endFaults(now);
    tellTheChief();
    leaveTheUnreached(now);
    if (stop_.deadline && now >= *stop_.deadline) {
        terminateAll(now);
    }
    for (const auto& task : tasks_) {
        task->killIfDue(now);
    }
    if (restart_ && now >= restart_->at) {
        restart(now);
    }
    stopWithoutHome(now);
    if (stop_.asked || !failures_.empty()) {
        returns_.clear();
    }
    bringBack(now);
}

SteadyTime SupervisedRun::nextDeadline(SteadyTime now) const {
    SteadyTime next = stop_.deadline && *stop_.deadline > now ? *stop_.deadline : now + heartbeat_lost_;
    if (!events_->isSaved()) {
        next = std::min(next, std::max(save_again_, now));
    }
    for (const auto& task : tasks_) {
        if (task->exit()) {
            continue;
        }
        next = std::min(next, task->killAt().value_or(next));
        for (const auto limit : {heartbeat_lost_, task->heard().ever ? heartbeat_fatal_ : options_.first_word}) {
            const SteadyTime at = task->heard().last + limit;
            next = at > now && !task->terminated() && !task->isFar() ? std::min(next, at) : next;
        }
        if (const auto& lost = task->streamLoss(); lost && !task->terminated()) {
            next = std::min(next, lost->at + options_.stream_grace);
        }
    }
    for (const Return& due : returns_) {
        next = std::min(next, due.at);
    }
    next = std::min(next, faults_.nextEnd());
    if (const SteadyTime lost = home_.lostAt(homeGrace()); lost > now) {
        next = std::min(next, lost);
    }
    return restart_ ? std::min(next, restart_->at) : next;
}

// A journal that can't be written ends nothing: the log keeps the events and tries again.
void SupervisedRun::publish(SteadyTime now) {
    const bool was_saved = events_->isSaved();
    if (!pending_.empty()) {
        events_->publish(std::exchange(pending_, {}));
    } else if (!was_saved && now >= save_again_) {
        events_->save();
    }
    for (const auto& task : tasks_) {
        if (task->wantsReceipt()) {
            task->giveReceipt(events_->isSaved());
        }
    }
    if (!events_->isSaved()) {
        save_again_ = now >= save_again_ ? now + options_.save_again : save_again_;
        if (was_saved) {
            log_(spec::LogLevel::kError, record_.id + ": its events can't be kept on disk; they wait in memory");
        }
    } else if (!was_saved) {
        log_(spec::LogLevel::kInfo, record_.id + ": its events are on disk again");
    }
}

void SupervisedRun::finish() {
    const bool every_done =
        std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->state() == spec::TaskState::kDone; });
    const bool done = every_done || chiefIsDone();
    if (!failures_.empty()) {
        const Failure& failure = rootCause();
        record_.detail = toString(failure.task) + ": " + failure.reason + restartsText(failure);
    } else if (!done) {
        record_.detail = endOfAStop();
    }
    record_.finished_unix_ns = nowUnixNs();
    finished_ = true;
    record_.state = !failures_.empty() ? RunState::kFailed : done ? RunState::kDone : RunState::kStopped;
    if (!book_.close(record_)) {
        log_(spec::LogLevel::kError, record_.id + ": its end could not be written to the index of runs");
    }
    log_(spec::LogLevel::kInfo, record_.id + ": over" + (record_.detail.empty() ? "" : ": " + record_.detail));
}

}  // namespace agent::server
