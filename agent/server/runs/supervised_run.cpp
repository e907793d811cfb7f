#include "agent/server/runs/supervised_run.h"

#include <algorithm>
#include <csignal>
#include <utility>
#include <variant>

#include "agent/server/runs/epoch_results.h"
#include "agent/server/runs/submission_note.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;
using engine::run::RunState;

namespace {

std::string seconds(std::chrono::milliseconds duration) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) + " s";
}

// Not by us: what we ask with SIGTERM may end by it, and by the SIGKILL that follows.
bool killedByAnother(const SupervisedTask& task) {
    return task.exit()->signal != 0 && (!task.terminated() || (task.exit()->signal == SIGKILL && !task.killed()));
}

bool isEvaluator(const spec::TaskId& task) {
    return task.type == spec::kEvaluator;
}

bool trains(const spec::TaskId& task) {
    return task.type != "ps" && !isEvaluator(task);
}

// On another computer, whose agent watches it.
bool isFar(const SupervisedTask& task) {
    return !task.process().host().empty();
}

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
      kind_{launch.tasks_are_independent, launch.is_part},
      starter_(launch.secret, launch.across_hosts),
      first_attempt_(record_.attempts),
      by_hand_(std::move(launch.attempt)),
      adoption_(std::move(launch.adoption)),
      home_(launch.home_lost, SteadyTime()) {}

void SupervisedRun::start(ProcessLauncher& launcher, SteadyTime now) {
    starter_.use(launcher);
    home_.hear(now);
    if (by_hand_) {
        add(launches_.front().task, *by_hand_);
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

// For an agent that comes after this one: what its user wanted to end is not to go on by itself.
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

std::unique_ptr<SupervisedTask> SupervisedRun::launch(TaskLaunch& launch, SteadyTime now) {
    std::unique_ptr<SupervisedTask> task = starter_.start(launch, now);
    log_(spec::LogLevel::kInfo, record_.id + ": started " + toString(launch.task) +
                                    (isFar(*task) ? " on " + task->process().host() : ", pid " + std::to_string(task->process().pid())));
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

void SupervisedRun::addLiveTasks(std::vector<LiveTask>& tasks, SteadyTime now) const {
    for (const auto& task : tasks_) {
        if (task->exit() || isFar(*task)) {
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

bool SupervisedRun::endedWell(const SupervisedTask& task) const {
    if (task.state() == spec::TaskState::kDone && task.exit()->signal != 0) {
        return true;  // it had done everything
    }
    const bool clean = task.exit()->exit_code == 0 && task.saidItEnded();
    const bool stopped = (task.terminated() && (stop_.asked || !killedByAnother(task))) || (stop_.asked && task.exit()->exit_code == 0);
    // Who is asked to end at once is lost to its peers, and one of them may fail of that before it is reached itself.
    const bool at_once = stop_.at_once && failures_.empty() && task.terminated();
    // So may those that still wait for each other when the run is to stop.
    const bool not_begun = stop_.asked && record_.state == RunState::kStarting && failures_.empty() && !killedByAnother(task);
    return task.givenUp().empty() && (at_once || not_begun || (task.state() != spec::TaskState::kFailed && (clean || stopped)));
}

std::string SupervisedRun::failureReason(const SupervisedTask& task) const {
    if (!task.givenUp().empty()) {
        return task.givenUp();
    }
    const std::string end = toString(*task.exit());
    std::string reason = isFar(task) ? end + " on " + task.process().host() : end;
    if (task.exit()->exit_code == 0) {
        reason += " before it was done";
    }
    // Of a far task its agent may have said the same.
    if (task.state() == spec::TaskState::kFailed && !task.stateChange().detail.empty() && task.stateChange().detail != end) {
        reason += ": " + task.stateChange().detail;
    } else if (task.streamLoss() && task.exit()->signal == 0 && !task.saidItEnded()) {
        reason += ": " + task.streamLoss()->why;
    }
    return reason;
}

void SupervisedRun::noteEnd(SupervisedTask& task, SteadyTime now) {
    log_(spec::LogLevel::kInfo, record_.id + ": " + toString(task.id()) + " ended: " + toString(*task.exit()));
    if (stop_.asked && failures_.empty() && isFar(task) &&
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
    if (task.isChief() && !kind_.is_part && !stop_deadline_ && !(chiefIsDone() && evaluates_still)) {
        stop_deadline_ = now + options_.graceful_stop;  // the others have nothing left to do
    }
    endHelpers(now);
}

// One that was stopped on its own computer, where nobody here has asked for it, ends the run with it.
void SupervisedRun::followStop(const SupervisedTask& task, SteadyTime now) {
    if (!isFar(task) || task.state() != spec::TaskState::kStopped || !task.givenUp().empty() || !failures_.empty()) {
        return;
    }
    if (stop_.detail.empty()) {
        stop_.detail = task.stateChange().detail;
    }
    if (!stop_.asked && !task.terminated()) {
        stop({spec::ControlVerb::kStop, 0}, now);
    }
}

// Servers and evaluators have nothing to do once every task that trains has ended. Of a run that has all its steps they end by themselves:
// evaluators after the last checkpoint, servers unless they were started again when it was over, or wait for a worker that was lost.
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
    failures_.push_back({task.id(), reason, task.failedUnixNs() == 0 ? nowUnixNs() : task.failedUnixNs(), lost, lost});
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

bool SupervisedRun::comesBack(const SupervisedTask& task, bool lost) {
    return (kind_.tasks_are_independent || isEvaluator(task.id())) && lost && failures_.empty() && !stop_.asked && !stop_deadline_ &&
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

// A task that ended by itself may only have noticed that another one hangs. It counts from that one's last word to it, the agent from the
// last word to the agent: up to a heartbeat later, hence not the whole of heartbeat_lost.
void SupervisedRun::giveUpTheSilent(SteadyTime now) {
    for (const auto& task : tasks_) {
        const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - task->heard().last);
        if (task->exit() || isFar(*task) || task->terminated() || !task->heard().ever || silence < heartbeat_lost_ * 2 / 3) {
            continue;
        }
        const std::string reason = "no heartbeat for " + seconds(silence);
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
    if (task.exit() || isFar(task) || task.terminated()) {
        return;
    }
    const auto silence = std::chrono::duration_cast<std::chrono::milliseconds>(now - task.heard().last);
    if (task.stalled && silence < heartbeat_lost_) {
        task.stalled = false;
        add(task.id(), task.stateChange());
    } else if (!task.stalled && silence >= heartbeat_lost_) {
        task.stalled = true;
        add(task.id(), spec::StateChanged{spec::TaskState::kWaiting, "no heartbeat for " + seconds(silence), spec::WaitCause::kSilence});
    }
    if (silence >= (task.heard().ever ? heartbeat_fatal_ : options_.first_word)) {
        giveUp(task, "no heartbeat for " + seconds(silence), now);
        terminateAll(now);
    } else if (!task.exit() && task.streamLoss() && now >= task.streamLoss()->at + options_.stream_grace) {
        giveUp(task, task.streamLoss()->why, now);
        terminateAll(now);
    }
}

// Where the chief of a ring is elsewhere, it is stopped there, and all tasks end with it after the same step.
std::chrono::milliseconds SupervisedRun::homeGrace() const {
    const bool has_chief = std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->isChief(); });
    return has_chief || kind_.tasks_are_independent ? std::chrono::milliseconds(0) : options_.graceful_stop;
}

void SupervisedRun::stopWithoutHome(SteadyTime now) {
    if (stop_.asked || !failures_.empty() || now < home_.lostAt(homeGrace())) {
        return;
    }
    stop_.detail = std::string(kHomeWasAway) + seconds(home_.away(now));
    log_(spec::LogLevel::kWarning, record_.id + ": " + stop_.detail);
    add(launches_.front().task, spec::LogLine{spec::LogLevel::kWarning, stop_.detail + "; its tasks here stop"});
    stop({spec::ControlVerb::kStop, 0}, now);
}

void SupervisedRun::keepDeadlines(SteadyTime now) {
    for (const auto& task : tasks_) {
        watchSilence(*task, now);
    }
    if (stop_deadline_ && now >= *stop_deadline_) {
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
    SteadyTime next = stop_deadline_ && *stop_deadline_ > now ? *stop_deadline_ : now + heartbeat_lost_;
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
            next = at > now && !task->terminated() && !isFar(*task) ? std::min(next, at) : next;
        }
        if (const auto& lost = task->streamLoss(); lost && !task->terminated()) {
            next = std::min(next, lost->at + options_.stream_grace);
        }
    }
    for (const Return& due : returns_) {
        next = std::min(next, due.at);
    }
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

void SupervisedRun::endAttempt(SteadyTime now) {
    if (const auto gone = mayRestart() ? leaveOutTheLost() : std::nullopt) {
        planRestart(*gone, now);
    } else {
        finish();
    }
}

// A chief that has told its results and was lost before it said that it is done may not have written everything.
bool SupervisedRun::mayRestart() {
    const SupervisedTask* leader = chief();
    const bool chief_is_done = leader != nullptr && leader->state() == spec::TaskState::kDone;
    return !failures_.empty() && rootCause().lost && restarts_done_ < restarts_.most && !stop_.asked && !chief_is_done;
}

bool SupervisedRun::hasBackup() const {
    try {
        return restarts_.has_backup && restarts_.has_backup();
    } catch (const engine::Error& error) {  // the chief says it again, and why
        log_(spec::LogLevel::kWarning, record_.id + ": " + error.what());
        return false;
    }
}

// Of a run that goes on without them; the failure says so. Answers the names that no task has any more; nullopt when nobody can go on.
std::optional<std::vector<spec::TaskId>> SupervisedRun::leaveOutTheLost() {
    std::vector<spec::TaskId> lost;
    for (const Failure& failure : failures_) {
        if (failure.lost) {
            lost.push_back(failure.task);
        }
    }
    if (!restarts_.without_lost || std::none_of(lost.begin(), lost.end(), trains)) {
        return std::vector<spec::TaskId>();
    }
    const RunContinuation::Outcome outcome = restarts_.without_lost->leaveOut(lost, hasBackup(), launches_, record_);
    Failure& cause = failures_[static_cast<std::size_t>(&rootCause() - failures_.data())];
    cause.reason += "; " + (outcome.obstacle.empty() ? outcome.told : outcome.obstacle);
    if (!outcome.obstacle.empty()) {
        return std::nullopt;
    }
    if (!outcome.warning.empty()) {
        log_(spec::LogLevel::kWarning, record_.id + ": " + outcome.warning);
    }
    return outcome.gone;
}

// Nothing runs until restart_, and the run is no failed one: its tasks are told of as not started.
void SupervisedRun::planRestart(const std::vector<spec::TaskId>& gone, SteadyTime now) {
    constexpr int kMostDoublings = 16;
    const Failure cause = rootCause();
    const bool from_backup = hasBackup();
    const auto pause = std::min(options_.restart_pause * (1 << std::min(restarts_done_, kMostDoublings)), options_.longest_pause);
    ++restarts_done_;
    restart_ = {.at = now + pause, .ports_by = now + pause + options_.port_patience};
    record_.attempts = first_attempt_ + restarts_done_;
    const int most = first_attempt_ + restarts_.most;
    add(cause.task, spec::AttemptStarted{record_.attempts, most, from_backup, cause.reason});
    for (const spec::TaskId& task : gone) {
        add(task, spec::StateChanged{spec::TaskState::kStopped, "left out"});
    }
    log_(spec::LogLevel::kWarning, record_.id + ": " + toString(cause.task) + ": " + cause.reason + "; attempt " +
                                       std::to_string(record_.attempts) + " of " + std::to_string(most) + " follows");
    failures_.clear();
    stop_deadline_.reset();
    record_.state = RunState::kStarting;
    writeRecord();
    publish(now);
}

// The same processes on the same ports, which are held first: peers know them by these.
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

void SupervisedRun::finish() {
    const bool every_done =
        std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->state() == spec::TaskState::kDone; });
    const bool done = every_done || chiefIsDone();
    if (!failures_.empty()) {
        const Failure& failure = rootCause();
        record_.detail = toString(failure.task) + ": " + failure.reason + restartsText(failure);
    } else if (!done) {
        record_.detail = stop_.detail;
    }
    record_.finished_unix_ns = nowUnixNs();
    finished_ = true;
    record_.state = !failures_.empty() ? RunState::kFailed : done ? RunState::kDone : RunState::kStopped;
    if (!book_.close(record_)) {
        log_(spec::LogLevel::kError, record_.id + ": its end could not be written to the index of runs");
    }
    log_(spec::LogLevel::kInfo, record_.id + ": over" + (record_.detail.empty() ? "" : ": " + record_.detail));
}

void SupervisedRun::control(const spec::Control& control, SteadyTime now) {
    if (finished_) {
        throw engine::Error(engine::ErrorCode::kFailedPrecondition, "run " + record_.id + ": is over");
    }
    if (control.verb == spec::ControlVerb::kStop || control.verb == spec::ControlVerb::kStopNow) {
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

// Of independent tasks: each that trains. True when the chief got it; of a part, when any of them did.
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
    const auto send = [&] { return kind_.tasks_are_independent ? sendToTasks(control) : leader != nullptr && leader->send(control); };
    if (control.verb == spec::ControlVerb::kStop && send()) {
        const auto patience = record_.state == RunState::kStarting ? options_.stop_while_starting : options_.graceful_stop;
        stop_deadline_ = std::min(stop_deadline_.value_or(now + patience), now + patience);
        return;
    }
    if (control.verb == spec::ControlVerb::kStopNow) {
        stop_.at_once = true;
        for (const auto& task : tasks_) {
            task->terminate(now);  // killed in the next moment: a task that may tidy up would write a checkpoint
        }
        return;
    }
    terminateAll(now);
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
