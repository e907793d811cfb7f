#include "agent/home/ssh_part.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <future>
#include <map>
#include <thread>
#include <utility>
#include <variant>

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "agent/client/part_client.h"
#include "agent/home/far_task.h"
#include "agent/home/mirror.h"
#include "agent/hosts/far_agent.h"
#include "agent/hosts/host_list.h"
#include "agent/proto/task_event.pb.h"
#include "agent/server/host/host_probe.h"
#include "agent/server/process/wall_clock.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::home {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::chrono::milliseconds kCallDeadline = 20s, kControlDeadline = 5s, kDropDeadline = 2s, kClockDeadline = 2s,
                                    kPingDeadline = 1500ms;
constexpr std::chrono::milliseconds kLook = 200ms;  // between two looks at what came without a wake
constexpr std::chrono::milliseconds kPing = 1s;     // between two signs of life
constexpr std::chrono::milliseconds kSilent = 3s;   // without one: told, and given up when the tasks there are to end
constexpr std::chrono::milliseconds kRetry = 1s;    // between two tries to reach a host again
constexpr int kClockRounds = 5;

bool trains(const spec::TaskId& task) {
    return task.type != "ps" && task.type != spec::kEvaluator;
}

// Everything that can be reached of one host, as long as its ssh lives.
class Link {
public:
    Link(const hosts::Host& host, const hosts::FarOptions& options)
        : agent_(host, options), parts_(agent_.channel()), offset_(agent_.clockOffset(kClockRounds, kClockDeadline).offset) {}

    hosts::FarAgent& agent() { return agent_; }
    client::AgentClient& client() { return agent_.client(); }
    client::PartClient& parts() { return parts_; }
    std::chrono::nanoseconds offset() const { return offset_; }

private:
    hosts::FarAgent agent_;
    client::PartClient parts_;
    const std::chrono::nanoseconds offset_;
};

spec::TaskEvent corrected(spec::TaskEvent event, std::chrono::nanoseconds offset) {
    event.time_unix_ns -= offset.count();
    if (auto* points = std::get_if<spec::StepPoints>(&event.body)) {
        for (std::int64_t& time : points->time_unix_ns) {
            time -= offset.count();
        }
    }
    return event;
}

class SshPart final : public server::FarPart {
public:
    // Reaches the host and holds its ports. Throws Error naming the host.
    SshPart(hosts::Host host, int tasks, const std::string& project_json, HomeOptions options)
        : host_(std::move(host)),
          options_(std::move(options)),
          link_(std::make_unique<Link>(host_, farOptions([] { return false; }))),
          address_(link_->agent().farAddress()),
          address_of_home_(link_->agent().ownAddress()),
          wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (address_.empty() || address_of_home_.empty()) {
            throw Error(ErrorCode::kFailedPrecondition,
                        host_.name + ": expected its sshd to say by which addresses it was reached (SSH_CONNECTION), it did not");
        }
        try {
            held_ = link_->parts().prepare(project_json, tasks, server::hostName(), kCallDeadline);
        } catch (const Error& error) {
            throw Error(error.code(), host_.name + ": " + error.what());
        }
    }

    ~SshPart() override {
        thread_.request_stop();
        wake();
        if (thread_.joinable()) {
            thread_.join();
        }
        if (!started_ && link_) {
            try {
                link_->parts().drop(held_.id, kDropDeadline);
            } catch (const Error&) {  // it lets go by itself
            }
        }
    }
    SshPart(const SshPart&) = delete;
    SshPart& operator=(const SshPart&) = delete;

    const std::string& host() const override { return host_.name; }
    const std::string& address() const override { return address_; }
    const std::vector<int>& ports() const override { return held_.ports; }
    const std::string& addressOfHome() const override { return address_of_home_; }

    void plan(server::PartPlan plan) override { plan_ = std::move(plan); }

    std::unique_ptr<server::Process> launch(const spec::TaskId& task) override {
        tasks_.push_back(std::make_shared<FarTask>(task, host_.name, [this] { wake(); }));
        auto process = FarTask::process(tasks_.back());
        if (tasks_.size() == plan_.tasks.size()) {  // tasks_ does not change any more
            thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
        }
        return process;
    }

private:
    hosts::FarOptions farOptions(std::function<bool()> is_cancelled) const {
        return {.version = options_.version, .is_cancelled = std::move(is_cancelled)};
    }

    void wake() const {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t ignored = ::write(wake_.get(), &one, sizeof one);
    }

    void log(spec::LogLevel level, const std::string& text) const { options_.log(level, text); }

    // What follows is the part's own thread, but for what the handlers of a watch do under the mutex.

    void run(const std::stop_token& stop) {
        while (!stop.stop_requested() && !everyTaskEnded()) {
            waitForWork();
            for (std::size_t i = 0; i < tasks_.size(); ++i) {
                takeOrders(i);
            }
            if (!started_ && credentials_.size() == tasks_.size()) {
                start();
            }
            keepLink();
            mirror(false);
            look(stop);
            obeySignals();
        }
        watch_.reset();
    }

    void waitForWork() {
        std::vector<pollfd> waiting{{wake_.get(), POLLIN, 0}};
        for (const auto& task : tasks_) {
            waiting.push_back({task->hasEnded() || closed_.contains(task->id()) ? -1 : task->orderDescriptor(), POLLIN, 0});
        }
        ::poll(waiting.data(), waiting.size(), static_cast<int>(kLook.count()));
        std::uint64_t count = 0;
        [[maybe_unused]] const ssize_t ignored = ::read(wake_.get(), &count, sizeof count);
    }

    void takeOrders(std::size_t index) {
        FarTask& task = *tasks_[index];
        proto::TaskOrder order;
        try {
            while (!closed_.contains(task.id())) {
                const convert::ReadResult result = task.orders().read(order);
                if (result == convert::ReadResult::kWouldBlock) {
                    return;
                }
                if (result == convert::ReadResult::kEnd) {
                    closed_[task.id()] = true;
                    return;
                }
                if (order.has_credentials()) {
                    credentials_[task.id()] = convert::fromProto(order.credentials());
                } else if (order.has_control() && isFirstTrainer(task)) {
                    hand(convert::fromProto(order.control()));
                }
            }
        } catch (const Error& error) {
            closed_[task.id()] = true;
            log(spec::LogLevel::kError, host_.name + ": " + toString(task.id()) + ": " + error.what());
        }
    }

    // Controls are the part's, not a task's: of those that get one the first hands it on.
    bool isFirstTrainer(const FarTask& task) const {
        const auto first =
            std::find_if(tasks_.begin(), tasks_.end(), [](const auto& one) { return trains(one->id()) && !one->hasEnded(); });
        return first != tasks_.end() && first->get() == &task;
    }

    void hand(const spec::Control& control) {
        try {
            if (!link_ || !started_) {
                throw Error(ErrorCode::kUnavailable, "is out of reach");
            }
            link_->client().control(run_id_, control, kControlDeadline);
        } catch (const Error& error) {
            tellFirst(spec::LogLine{spec::LogLevel::kWarning, host_.name + ": a control was not taken: " + error.what()});
        }
    }

    void start() {
        std::vector<client::PartTask> tasks;
        for (std::size_t i = 0; i < plan_.tasks.size(); ++i) {
            tasks.push_back({plan_.tasks[i], held_.ports[i], credentials_.at(plan_.tasks[i])});
        }
        try {
            run_id_ = link_->parts().start(held_.id, plan_.project_json, tasks, kCallDeadline).id;
            started_ = true;
            log(spec::LogLevel::kInfo, host_.name + ": its part is run " + run_id_ + " there");
            watch();
        } catch (const Error& error) {
            started_ = true;  // not again
            const std::string reason = "its part could not be started: " + std::string(error.what());
            tellAll(spec::StateChanged{spec::TaskState::kFailed, reason});
            endAll({.exit_code = 1, .signal = 0}, "");
        }
    }

    void watch() {
        const std::chrono::nanoseconds offset = link_->offset();
        client::WatchHandler handler;
        handler.events = [this, offset](std::vector<spec::TaskEvent> events) {
            for (spec::TaskEvent& event : events) {
                next_sequence_ = event.sequence + 1;
                take(corrected(std::move(event), offset));
            }
            return true;
        };
        handler.finished = [this](const std::optional<std::string>& error) {
            {
                const engine::MutexLock lock(mutex_);
                (error ? lost_ : over_) = true;
                why_ = error.value_or("");
            }
            wake();
        };
        watch_ = link_->client().watch(run_id_, next_sequence_, std::move(handler));
        last_answer_ = next_ping_ = Clock::now();
    }

    // An agent that takes no connection is lost at once, one that is silent when ssh notices.
    void keepLink() {
        if (!watch_ || Clock::now() < next_ping_) {
            return;
        }
        try {
            link_->agent().channel()->ping(kPingDeadline);
            last_answer_ = Clock::now();
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kDeadlineExceeded) {
                const engine::MutexLock lock(mutex_);
                lost_ = true;
                why_ = error.what();
            }
        }
        next_ping_ = Clock::now() + kPing;
    }

    bool isSilent() const { return started_ && Clock::now() - last_answer_ > kSilent; }
    std::string silence() const {
        const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(Clock::now() - last_answer_).count();
        return host_.name + " has not answered for " + std::to_string(seconds) + " s";
    }

    // From the watch's thread. What the far agent says of a task's end is its process' end; the rest is the task's own word.
    void take(const spec::TaskEvent& event) {
        const auto task = std::find_if(tasks_.begin(), tasks_.end(), [&](const auto& one) { return one->id() == event.task; });
        if (task == tasks_.end()) {
            return;
        }
        if (const auto* failed = std::get_if<spec::TaskFailed>(&event.body)) {
            const bool gave_up = failed->exit_code == -1 && failed->signal == 0;
            (*task)->end({.exit_code = failed->exit_code, .signal = failed->signal}, gave_up ? failed->reason + " on " + host_.name : "");
            return;
        }
        if (const auto* change = std::get_if<spec::StateChanged>(&event.body)) {
            const engine::MutexLock lock(mutex_);
            states_[event.task] = *change;
        }
        if (std::holds_alternative<spec::CheckpointSaved>(event.body)) {
            const engine::MutexLock lock(mutex_);
            has_new_files_ = true;
            wake();
        }
        static_cast<void>((*task)->tell(event));  // false: the supervisor has let go of it, and this part ends
    }

    // What the handlers have noted.
    void look(const std::stop_token& stop) {
        bool over = false, lost = false;
        std::string why;
        {
            const engine::MutexLock lock(mutex_);
            over = over_;
            lost = lost_;
            why = why_;
        }
        if (over) {
            endOver();
            return;
        }
        tellSilence(why);
        if (lost) {
            reachAgain(stop);
        }
    }

    void tellSilence(const std::string& why) {
        const bool silent = isSilent();
        if (silent == told_silence_) {
            return;
        }
        told_silence_ = silent;
        const std::string text = silence() + (why.empty() ? "" : " (" + why + ")");
        const std::string line = silent ? text + "; what runs there goes on" : host_.name + " answers again";
        log(silent ? spec::LogLevel::kWarning : spec::LogLevel::kInfo, line);
        tellFirst(spec::LogLine{silent ? spec::LogLevel::kWarning : spec::LogLevel::kInfo, line});
        for (const auto& task : tasks_) {
            if (task->hasEnded()) {
                continue;
            }
            spec::StateChanged change{spec::TaskState::kWaiting, text, spec::WaitCause::kSilence};
            if (!silent) {
                const engine::MutexLock lock(mutex_);
                change = states_.contains(task->id()) ? states_[task->id()] : spec::StateChanged{spec::TaskState::kConnecting, ""};
            }
            static_cast<void>(task->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = task->id(), .body = change}));
        }
    }

    // Brings the files of the part home where they belong there. What could not be brought is tried again with the next ones.
    void mirror(bool last) {
        {
            const engine::MutexLock lock(mutex_);
            if (plan_.mirror.empty() || !link_ || (!last && !std::exchange(has_new_files_, false))) {
                return;
            }
        }
        try {
            if (!mirror_) {
                mirror_.emplace(plan_.mirror);
            }
            mirror_->update(link_->parts(), run_id_);
        } catch (const Error& error) {
            const std::string text = host_.name + ": files of its part could not be brought here: " + error.what();
            tellFirst(spec::LogLine{last ? spec::LogLevel::kError : spec::LogLevel::kWarning, text});
        }
    }

    // The part is over there. A task of which nothing was said ended well, unless the agent itself did not live to see it.
    void endOver() {
        watch_.reset();
        std::string given_up;
        try {
            const engine::run::RunInfo run = link_->client().getRun(run_id_, kCallDeadline);
            const bool blames_a_task = std::any_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->hasEnded(); });
            if (run.state == engine::run::RunState::kFailed && !blames_a_task) {
                given_up = host_.name + ": " + (run.detail.empty() ? "its part failed" : run.detail);
            }
        } catch (const Error& error) {
            log(spec::LogLevel::kWarning, host_.name + ": how its part ended is not known: " + error.what());
        }
        mirror(true);
        endAll({.exit_code = 0, .signal = 0}, given_up);
    }

    void reachAgain(const std::stop_token& stop) {
        if (Clock::now() < next_try_) {
            return;
        }
        watch_.reset();
        link_.reset();
        {
            const engine::MutexLock lock(mutex_);
            over_ = false;  // asked again over the next connection
        }
        const auto is_cancelled = [&] {
            const int signal = wantedSignal();
            return stop.stop_requested() || signal == SIGKILL || (signal != 0 && isSilent());
        };
        try {
            link_ = std::make_unique<Link>(host_, farOptions(is_cancelled));
            {
                const engine::MutexLock lock(mutex_);
                lost_ = false;
                why_.clear();
            }
            watch();
        } catch (const Error& error) {
            link_.reset();
            const engine::MutexLock lock(mutex_);
            lost_ = true;
            why_ = error.what();
            next_try_ = Clock::now() + kRetry;
        }
    }

    // The strongest that a task is to get.
    int wantedSignal() const {
        int wanted = 0;
        for (const auto& task : tasks_) {
            const int signal = task->hasEnded() ? 0 : task->wantedSignal();
            wanted = signal == SIGKILL || wanted == 0 ? signal : wanted;
            if (wanted == SIGKILL) {
                break;
            }
        }
        return wanted;
    }

    // The supervisor ends tasks one by one, an agent a run: the first that is to end takes its part along, as all do that are to end here.
    void obeySignals() {
        const int wanted = wantedSignal();
        if (wanted == 0 || everyTaskEnded()) {
            return;
        }
        if (!started_) {
            endAll({.exit_code = -1, .signal = SIGTERM}, "");
            return;
        }
        if (isSilent()) {
            endAll({.exit_code = -1, .signal = 0}, silence());
            return;
        }
        if (wanted == sent_signal_ || !link_ || !watch_) {
            return;
        }
        sent_signal_ = wanted;
        try {
            const spec::ControlVerb verb = wanted == SIGKILL ? spec::ControlVerb::kStopNow : spec::ControlVerb::kStop;
            link_->client().control(run_id_, {verb, 0}, kPingDeadline);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kFailedPrecondition) {  // else it is over there, and the journal says how
                sent_signal_ = 0;
                next_ping_ = Clock::now();
                log(spec::LogLevel::kWarning, host_.name + ": a stop was not taken: " + error.what());
            }
        }
    }

    bool everyTaskEnded() const {
        return std::all_of(tasks_.begin(), tasks_.end(), [](const auto& task) { return task->hasEnded(); });
    }

    void endAll(const server::ExitStatus& status, const std::string& given_up) {
        for (const auto& task : tasks_) {
            task->end(status, given_up);
        }
    }

    // What concerns the host rather than a task, once.
    void tellFirst(const spec::EventBody& body) {
        const auto task = std::find_if(tasks_.begin(), tasks_.end(), [](const auto& one) { return !one->hasEnded(); });
        if (task != tasks_.end()) {
            static_cast<void>((*task)->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = (*task)->id(), .body = body}));
        }
    }

    void tellAll(const spec::EventBody& body) {
        for (const auto& task : tasks_) {
            if (!task->hasEnded()) {
                static_cast<void>(task->tell({.sequence = 0, .time_unix_ns = server::nowUnixNs(), .task = task->id(), .body = body}));
            }
        }
    }

    const hosts::Host host_;
    const HomeOptions options_;
    std::unique_ptr<Link> link_;  // null while the host is out of reach
    const std::string address_, address_of_home_;
    client::HeldPart held_;
    const convert::FileDescriptor wake_;
    server::PartPlan plan_;
    std::vector<std::shared_ptr<FarTask>> tasks_;  // of the plan, in its order

    std::map<spec::TaskId, trust::RunCredentials> credentials_;
    std::map<spec::TaskId, bool> closed_;  // the supervisor orders nothing more
    bool started_ = false;
    std::optional<Mirror> mirror_;
    std::string run_id_;
    int sent_signal_ = 0;
    bool told_silence_ = false;
    Clock::time_point next_try_{}, next_ping_{}, last_answer_{};
    std::atomic<std::uint64_t> next_sequence_ = 1;

    engine::Mutex mutex_;
    bool over_ TANDEM_GUARDED_BY(mutex_) = false;
    bool lost_ TANDEM_GUARDED_BY(mutex_) = false;
    bool has_new_files_ TANDEM_GUARDED_BY(mutex_) = false;
    std::string why_ TANDEM_GUARDED_BY(mutex_);
    std::map<spec::TaskId, spec::StateChanged> states_ TANDEM_GUARDED_BY(mutex_);

    std::unique_ptr<client::Watch> watch_;
    std::jthread thread_;
};

}  // namespace

server::PartMaker partsOverSsh(HomeOptions options) {
    return [options = std::move(options)](const std::vector<server::PartRequest>& requests, const std::string& project_json) {
        const std::vector<hosts::Host> known = hosts::HostList().list();
        std::vector<std::future<std::shared_ptr<server::FarPart>>> reached;
        std::vector<hosts::Host> wanted;
        for (const server::PartRequest& request : requests) {
            const auto host = std::find_if(known.begin(), known.end(), [&](const hosts::Host& one) { return one.name == request.host; });
            if (host == known.end()) {
                hosts::throwUnknownHost(request.host, known);
            }
            wanted.push_back(*host);
        }
        for (std::size_t i = 0; i < requests.size(); ++i) {
            reached.push_back(std::async(std::launch::async, [&, i]() -> std::shared_ptr<server::FarPart> {
                return std::make_shared<SshPart>(wanted[i], requests[i].tasks, project_json, options);
            }));
        }
        std::vector<std::shared_ptr<server::FarPart>> parts;
        std::optional<Error> failed;
        for (auto& one : reached) {
            try {
                parts.push_back(one.get());
            } catch (const Error& error) {
                failed = failed ? Error(failed->code(), std::string(failed->what()) + "\n" + error.what()) : error;
            }
        }
        if (failed) {
            throw Error(*failed);
        }
        return parts;
    };
}

}  // namespace agent::home
