#include "agent/distributed/cluster_coordinator.h"

#include <atomic>
#include <map>
#include <optional>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

#include "agent/distributed/function_queue.h"
#include "agent/distributed/served_cluster.h"
#include "agent/distributed/users_secret.h"
#include "agent/transport/function_links.h"
#include "agent/transport/function_service.h"
#include "engine/checksum/crc32c.h"
#include "engine/spec/error.h"

namespace agent::distributed {

namespace custom = engine::custom_training;
using engine::Error;
using engine::ErrorCode;
using Role = custom::ParameterServers::Role;

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 20ms;           // at what has changed, while a worker or a function is waited for
constexpr auto kAwaitedAtTheEnd = 5s;  // a worker that is not there
constexpr auto kWaitingReport = 5s;

std::string secondsOf(std::chrono::milliseconds time) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(time).count()) + " s";
}

}  // namespace

struct PerWorkerDataset::State {
    std::function<custom::DistributedDataset(int worker)> make;
    int worker = -1;  // of this process; below 0: it is none
    std::optional<custom::DistributedDataset> dataset;
    std::optional<custom::DistributedIterator> iterator;
};

custom::DistributedBatch PerWorkerDataset::next() {
    State& state = *state_;
    if (state.worker < 0) {
        throw Error(ErrorCode::kFailedPrecondition, "data set: expected a function on a worker to draw from it, got another task");
    }
    if (!state.dataset) state.dataset.emplace(state.make(state.worker));
    if (!state.iterator) state.iterator.emplace(state.dataset->iterator());
    std::optional<custom::DistributedBatch> batch = state.iterator->next();
    if (!batch)
        throw Error(ErrorCode::kOutOfRange,
                    "data set: expected another batch, got the end of worker " + std::to_string(state.worker) + "'s data");
    return std::move(*batch);
}

void PerWorkerDataset::restart() {
    state_->iterator.reset();
}

class ClusterCoordinator::Impl {
public:
    Impl(std::shared_ptr<ServedCluster> cluster, const CoordinatorOptions& options)
        : cluster_(std::move(cluster)), options_(options), queue_(options.queue_limit, cluster_->workers()) {}

    ~Impl() {
        if (cluster_->role() != Role::kCoordinator) return;
        callWorkers();
        queue_.fail(Error(ErrorCode::kCancelled, "the coordinator has ended"));
        give_up_at_ = Clock::now() + kAwaitedAtTheEnd;
        for (std::jthread& thread : threads_) thread.request_stop();
        threads_.clear();
        cluster_->leave(true);
    }

    Role role() const { return cluster_->role(); }

    void define(const std::string& name, Function function) {
        requireOpen("a function");
        if (name.empty() || !function) throw Error(ErrorCode::kInvalidArgument, "function: expected a name and a function, got none");
        if (!functions_.emplace(name, std::move(function)).second) {
            throw Error(ErrorCode::kInvalidArgument, "function " + name + ": expected each name once, got it a second time");
        }
        program_ += name + '\n';
    }

    std::shared_ptr<PerWorkerDataset::State> createDataset(std::function<custom::DistributedDataset(int worker)> make) {
        requireOpen("a data set");
        auto state = std::make_shared<PerWorkerDataset::State>();
        state->make = std::move(make);
        state->worker = role() == Role::kWorker ? cluster_->task().index : -1;
        program_ += '\n';
        return state;
    }

    int serve() {
        is_closed_ = true;
        switch (role()) {
            case Role::kCoordinator:
                throw Error(ErrorCode::kFailedPrecondition, "serve: expected a worker or a ps, got chief 0: it schedules functions");
            case Role::kServer:
                cluster_->serveVariables();
                return 0;
            case Role::kWorker:
                serveFunctions();
                return 0;
        }
        return 0;
    }

    std::shared_ptr<const void> schedule(std::string_view function, Values arguments) {
        if (role() != Role::kCoordinator) {
            throw Error(ErrorCode::kFailedPrecondition, "schedule: expected the chief, got " + toString(cluster_->task()) + ": it serves");
        }
        const auto found = functions_.find(function);
        if (found == functions_.end()) {
            std::string names;
            for (const auto& [name, defined] : functions_) names += (names.empty() ? "" : ", ") + name;
            throw Error(ErrorCode::kNotFound, "function " + std::string(function) + ": expected one that was defined (" +
                                                  (names.empty() ? "there is none" : names) + ")");
        }
        if (sizeOf(arguments) > worker::kMaxFunctionBytes) {
            throw Error(ErrorCode::kInvalidArgument, "function " + found->first + ": expected arguments of at most " +
                                                         std::to_string(worker::kMaxFunctionBytes) + " bytes, got " +
                                                         std::to_string(sizeOf(arguments)));
        }
        start();
        return queue_.push(found->first, std::move(arguments));
    }

    FunctionQueue& queue() { return queue_; }

private:
    void requireOpen(const std::string& what) const {
        if (is_closed_) {
            throw Error(ErrorCode::kFailedPrecondition, what + ": expected before serve() and the first schedule(), got it after");
        }
    }

    // Equal on all tasks that run the same program.
    std::uint64_t program() const { return engine::checksum::crc32c(program_); }

    // Its port is free for functions once the servers are connected.
    void serveFunctions() {
        cluster_->connect();
        worker::FunctionServiceOptions service{
            .cluster = cluster_->cluster(), .rank = cluster_->rank(), .secret = usersSecret(), .program = program()};
        service.start_timeout = cluster_->options().start_timeout;
        service.lost_after = cluster_->options().lost_after;
        service.on_log = [this](const std::string& text) { cluster_->log(text); };
        service.is_cancelled = cluster_->options().is_cancelled;
        worker::FunctionService(service).serve([this](const std::string& name, const Values& arguments) {
            const auto found = functions_.find(name);
            if (found == functions_.end()) throw Error(ErrorCode::kNotFound, "expected a function that the program defines, got none");
            return found->second({.worker = cluster_->task().index, .arguments = arguments});
        });
        cluster_->leave(false);
    }

    // Connects to the workers of a program that has scheduled nothing, since they wait to hear of the end, too.
    void callWorkers() {
        try {
            start();
        } catch (const Error& error) {
            cluster_->log(std::string("the workers are not told of the end: ") + error.what());
        }
    }

    void start() {
        if (is_closed_) return;
        links_ = std::make_unique<worker::FunctionLinks>(worker::FunctionLinksOptions{.cluster = cluster_->cluster(),
                                                                                      .rank = cluster_->rank(),
                                                                                      .secret = usersSecret(),
                                                                                      .program = program(),
                                                                                      .lost_after = cluster_->options().lost_after,
                                                                                      .call_deadline = options_.function_deadline});
        is_closed_ = true;
        const auto tasks = cluster_->cluster().tasks;
        for (std::size_t rank = 0; rank < tasks.size(); ++rank) {
            if (tasks[rank].type != "worker") continue;
            threads_.emplace_back([this, rank](const std::stop_token& stop) { attend(static_cast<int>(rank), stop); });
        }
    }

    // One worker, on a thread of its own: calls it, brings it functions, and calls it again when it is lost.
    void attend(int rank, const std::stop_token& stop) {
        try {
            while (const std::unique_ptr<worker::FunctionLink> link = awaitWorker(rank, stop)) {
                cluster_->log(links_->placeOf(rank) + " is connected");
                bringFunctions(*link, stop);
                if (stop.stop_requested()) return link->sayGoodbye();
                cluster_->log(links_->placeOf(rank) + " is lost");
            }
        } catch (const Error& error) {  // it refuses: no other worker can be better
            queue_.fail(error);
            queue_.giveUpWorker(error);
        }
    }

    // Null when the coordinator ends before the worker is there.
    std::unique_ptr<worker::FunctionLink> awaitWorker(int rank, const std::stop_token& stop) {
        const std::chrono::milliseconds timeout = cluster_->options().start_timeout;
        const auto since = Clock::now();
        auto report_at = since + kWaitingReport;
        bool given_up = false;
        while (!stop.stop_requested() || Clock::now() < give_up_at_.load()) {
            if (auto link = links_->connect(rank, Clock::now() + kLook)) {
                if (given_up) queue_.takeBackWorker();
                return link;
            }
            const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - since);
            const std::string obstacle = links_->obstacleTo(rank);
            if (Clock::now() >= report_at && !given_up) {
                report_at += kWaitingReport;
                cluster_->log("waiting for " + links_->placeOf(rank) + " (" + secondsOf(waited) + " of " + secondsOf(timeout) + ")" +
                              obstacle);
            }
            if (waited >= timeout && !given_up) {
                given_up = true;
                queue_.giveUpWorker(Error(ErrorCode::kDeadlineExceeded, "coordinator: no worker is left; gave up waiting for " +
                                                                            links_->placeOf(rank) + " after " + secondsOf(timeout) +
                                                                            obstacle));
            }
        }
        return nullptr;
    }

    // Hands functions to the worker until it is lost or the coordinator ends.
    void bringFunctions(worker::FunctionLink& link, const std::stop_token& stop) {
        while (!stop.stop_requested() && !link.isOver()) {
            std::optional<FunctionQueue::Call> call = queue_.take(kLook);
            if (!call) continue;
            try {
                const worker::FunctionLink::Outcome outcome = link.call(call->function, call->arguments, stop);
                if (const auto* error = std::get_if<Error>(&outcome)) {
                    queue_.failed(*call, *error);
                } else {
                    queue_.done(*call, std::get<Values>(outcome));
                }
            } catch (const Error& error) {
                cluster_->log("function " + call->function + " goes back to the queue: " + error.what());
                queue_.lost(std::move(*call), error);
                return;
            }
        }
    }

    const std::shared_ptr<ServedCluster> cluster_;
    const CoordinatorOptions options_;
    std::map<std::string, Function, std::less<>> functions_;  // constant once closed
    std::string program_;                                     // what was defined, as text
    bool is_closed_ = false;
    FunctionQueue queue_;
    std::atomic<Clock::time_point> give_up_at_{Clock::time_point::max()};  // of threads that were told to stop
    std::unique_ptr<worker::FunctionLinks> links_;
    std::vector<std::jthread> threads_;  // last: they use the others
};

ClusterCoordinator::ClusterCoordinator(const ParameterServerStrategy& strategy, const CoordinatorOptions& options)
    : impl_(std::make_unique<Impl>(strategy.cluster_, options)) {}
ClusterCoordinator::~ClusterCoordinator() = default;

void ClusterCoordinator::define(const std::string& name, Function function) {
    impl_->define(name, std::move(function));
}
PerWorkerDataset ClusterCoordinator::createPerWorkerDataset(std::function<custom::DistributedDataset(int worker)> make) {
    return PerWorkerDataset(impl_->createDataset(std::move(make)));
}
bool ClusterCoordinator::isServer() const {
    return impl_->role() != Role::kCoordinator;
}
int ClusterCoordinator::serve() {
    return impl_->serve();
}
RemoteValue ClusterCoordinator::schedule(std::string_view function, Values arguments) {
    return RemoteValue(impl_->schedule(function, std::move(arguments)));
}
void ClusterCoordinator::join() {
    impl_->queue().wait();
}
bool ClusterCoordinator::done() {
    return impl_->queue().isDone();
}
Values ClusterCoordinator::fetch(const RemoteValue& value) {
    if (value.result_ == nullptr) throw Error(ErrorCode::kInvalidArgument, "fetch: expected what schedule() returned, got an empty value");
    return impl_->queue().fetch(*static_cast<const FunctionQueue::Result*>(value.result_.get()));
}

}  // namespace agent::distributed
