#include "agent/server/supervision/task_supervisor.h"

#include <algorithm>
#include <future>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::server {

namespace {

SteadyTime steadyNow() {
    return std::chrono::steady_clock::now();
}

}  // namespace

TaskSupervisor::TaskSupervisor(const SupervisorOptions& options, ProcessLauncher& launcher, RunBook& book, LogSink log)
    : options_(options),
      launcher_(launcher),
      book_(book),
      log_(std::move(log)),
      wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      own_time_(steadyNow()),
      thread_([this](const std::stop_token& stop) { loop(stop); }) {}

TaskSupervisor::~TaskSupervisor() {
    shutDown();
}

void TaskSupervisor::shutDown() {
    ending_ = true;
    thread_.request_stop();
    wake();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void TaskSupervisor::wake() const {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
}

void TaskSupervisor::post(Command command) {
    {
        const engine::MutexLock lock(mutex_);
        commands_.push_back(std::move(command));
    }
    wake();
}

void TaskSupervisor::start(RunLaunch launch) {
    if (ending_) {
        throw engine::Error(engine::ErrorCode::kUnavailable, "agent: it is ending");
    }
    ++active_runs_;
    auto run = std::make_shared<std::unique_ptr<SupervisedRun>>(std::make_unique<SupervisedRun>(std::move(launch), options_, book_, log_));
    post([this, run](SteadyTime now) {
        runs_.push_back(std::move(*run));
        runs_.back()->start(launcher_, now);
    });
}

void TaskSupervisor::control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) {
    askRun(
        run_id, [control](SupervisedRun& run, SteadyTime now) { run.control(control, now); }, deadline);
}

void TaskSupervisor::inject(const std::string& run_id, const engine::chaos::Fault& fault, std::chrono::milliseconds deadline) {
    askRun(
        run_id, [fault](SupervisedRun& run, SteadyTime now) { run.inject(fault, now); }, deadline);
}

void TaskSupervisor::askRun(const std::string& run_id, std::function<void(SupervisedRun& run, SteadyTime now)> asked,
                            std::chrono::milliseconds deadline) {
    auto answer = std::make_shared<std::promise<void>>();
    std::future<void> answered = answer->get_future();
    post([this, answer, run_id, asked = std::move(asked)](SteadyTime now) {
        try {
            const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const auto& entry) { return entry->id() == run_id; });
            if (run == runs_.end()) {
                throw engine::Error(engine::ErrorCode::kNotFound, "run " + run_id + ": is not running");
            }
            asked(**run, now);
            answer->set_value();
        } catch (const engine::Error&) {
            answer->set_exception(std::current_exception());
        }
    });
    if (answered.wait_for(deadline) != std::future_status::ready) {
        throw engine::Error(engine::ErrorCode::kDeadlineExceeded, "run " + run_id + ": the supervisor did not answer in time");
    }
    answered.get();
}

void TaskSupervisor::hearHome(const std::string& run_id) {
    post([this, run_id](SteadyTime now) {
        const auto run = std::find_if(runs_.begin(), runs_.end(), [&](const auto& entry) { return entry->id() == run_id; });
        if (run != runs_.end()) {
            (*run)->hearHome(now);
        }
    });
}

std::vector<load::LiveTask> TaskSupervisor::liveTasks(std::chrono::milliseconds deadline) {
    if (active_runs_ == 0 || ending_) {
        return {};
    }
    auto answer = std::make_shared<std::promise<std::vector<load::LiveTask>>>();
    std::future<std::vector<load::LiveTask>> answered = answer->get_future();
    post([this, answer](SteadyTime now) {
        std::vector<load::LiveTask> tasks;
        for (const auto& run : runs_) {
            run->addLiveTasks(tasks, now);
        }
        answer->set_value(std::move(tasks));
    });
    return answered.wait_for(deadline) == std::future_status::ready ? answered.get() : std::vector<load::LiveTask>();
}

void TaskSupervisor::runCommands() {
    std::vector<Command> commands;
    {
        const engine::MutexLock lock(mutex_);
        commands.swap(commands_);
    }
    for (const Command& command : commands) {
        command(ownNow());
    }
}

SteadyTime TaskSupervisor::ownNow() const {
    return own_time_.at(steadyNow());
}

// One poll over everything: the wake descriptor first, then each run's. An agent without runs sleeps until it is woken.
SteadyTime TaskSupervisor::pollOnce(bool more) {
    descriptors_.clear();
    descriptors_.push_back({wake_.get(), POLLIN, 0});
    SteadyTime next = SteadyTime::max();
    const SteadyTime now = ownNow();
    for (const auto& run : runs_) {
        run->addDescriptors(descriptors_);
        next = std::min(next, run->nextDeadline(now));
    }
    int timeout_ms = -1;
    if (more) {
        timeout_ms = 0;
    } else if (!runs_.empty()) {
        timeout_ms = static_cast<int>(std::max<std::int64_t>(0, std::chrono::ceil<std::chrono::milliseconds>(next - now).count()));
    }
    ::poll(descriptors_.data(), descriptors_.size(), timeout_ms);
    if (descriptors_.front().revents != 0) {
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t ignored = ::read(wake_.get(), &count, sizeof count);
    }
    // Without a run the supervisor may sleep for any time, and no task is judged.
    const auto sleep = timeout_ms < 0 ? OwnTime::Duration::max() / 2 : OwnTime::Duration(std::chrono::milliseconds(timeout_ms));
    const auto left_out = own_time_.leftOut();
    const SteadyTime turn = own_time_.turn(steadyNow(), sleep);
    if (const auto stop = std::chrono::duration_cast<std::chrono::milliseconds>(own_time_.leftOut() - left_out); stop.count() > 0) {
        log_(engine::spec::LogLevel::kWarning,
             "this agent itself stood still for " + std::to_string(stop.count()) + " ms: no task is blamed for that");
    }
    return turn;
}

bool TaskSupervisor::stepRuns(const std::vector<pollfd>& descriptors, SteadyTime now) {
    bool more = false;
    std::size_t offset = 1;
    for (const auto& run : runs_) {
        const std::size_t count = run->taskCount() * SupervisedRun::kDescriptorsPerTask;
        more |= run->step(std::span(descriptors).subspan(offset, count), now);
        offset += count;
    }
    dropFinished();
    return more;
}

void TaskSupervisor::dropFinished() {
    active_runs_ -= static_cast<int>(std::erase_if(runs_, [](const auto& run) { return run->finished(); }));
}

void TaskSupervisor::loop(const std::stop_token& stop) {
    bool more = false;
    for (;;) {
        if (stop.stop_requested()) {
            runCommands();
            for (const auto& run : runs_) {
                run->shutDown(ownNow());  // asks only once
            }
            dropFinished();
            if (runs_.empty()) {
                return;
            }
        }
        const SteadyTime now = pollOnce(more);
        more = stepRuns(descriptors_, now);
        runCommands();
        dropFinished();
    }
}

}  // namespace agent::server
