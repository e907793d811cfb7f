#include "agent/worker/parameter_tasks.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

#include "agent/transport/parameter_links.h"
#include "agent/transport/parameter_service.h"
#include "agent/transport/shared_store.h"
#include "engine/parameter_server/parameter_store.h"
#include "engine/thread/mutex.h"
#include "engine/train/fingerprint.h"
#include "engine/train/task_plans.h"

namespace agent::worker {

namespace ps = engine::parameter_server;
namespace spec = engine::spec;

namespace {

std::chrono::milliseconds milliseconds(double seconds) {
    return std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
}

ParameterCluster clusterOf(const ParameterTask& task) {
    return parameterCluster(task.cluster, engine::train::replicaFingerprint(task.run));
}

// "serving worker 0, worker 2"
std::string servingText(const std::vector<spec::TaskId>& workers) {
    std::string text;
    for (const spec::TaskId& worker : workers) text += (text.empty() ? "serving " : ", ") + toString(worker);
    return text.empty() ? "no worker is connected" : text;
}

// Tells what a ps does, once a second, from a thread of its own; what is left when it goes.
class LoadTeller {
public:
    LoadTeller(const ps::ParameterStore& store, const ParameterTask& task)
        : store_(store), report_(task.report), progress_(task.progress), thread_([this](const std::stop_token& stop) { run(stop); }) {}
    LoadTeller(const LoadTeller&) = delete;
    LoadTeller& operator=(const LoadTeller&) = delete;
    ~LoadTeller() {
        thread_.request_stop();
        thread_.join();
        tell();
    }

private:
    void run(const std::stop_token& stop) {
        constexpr std::chrono::seconds kInterval{1};
        while (!stop.stop_requested()) {
            {
                engine::MutexLock lock(mutex_);
                wake_.wait_for(lock, stop, kInterval, [] { return false; });
            }
            if (!stop.stop_requested()) tell();
        }
    }

    // Tells the load since the last time; a while in which nothing happened is left out.
    void tell() {
        const ps::ParameterStore::Load now = store_.load();
        if (progress_ != nullptr) progress_->applied(static_cast<std::uint64_t>(now.updates));
        const auto at = std::chrono::steady_clock::now();
        if (now.updates == told_.updates && now.pulled_bytes == told_.pulled_bytes && now.pushed_bytes == told_.pushed_bytes) {
            told_at_ = at;
            return;
        }
        spec::ServerLoad load{.seconds = std::chrono::duration<double>(at - told_at_).count(),
                              .updates = now.updates - told_.updates,
                              .steps = now.steps - told_.steps,
                              .pulled_bytes = now.pulled_bytes - told_.pulled_bytes,
                              .pushed_bytes = now.pushed_bytes - told_.pushed_bytes,
                              .staleness = {}};
        for (std::size_t i = 0; i < now.staleness.size(); ++i) {
            const std::int64_t updates = now.staleness[i] - told_.staleness[i];
            if (updates == 0) continue;
            load.staleness.resize(i + 1, 0);
            load.staleness[i] = updates;
        }
        told_ = now;
        told_at_ = at;
        if (report_) report_(std::move(load));
    }

    const ps::ParameterStore& store_;
    const std::function<void(spec::EventBody)>& report_;
    engine::distribute::ExchangeProgress* const progress_;
    ps::ParameterStore::Load told_;  // of this thread, then of the destructor's
    std::chrono::steady_clock::time_point told_at_ = std::chrono::steady_clock::now();
    engine::Mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;  // last: it uses the others
};

class WorkersServers final : public engine::train::ParameterServers {
public:
    explicit WorkersServers(const ParameterTask& task) : task_(task), plans_(engine::train::parameterPlans(task.run, task.plan)) {}

    const ps::ParameterPlans& plans() const override { return plans_; }

    Connection connect() override {
        links_.reset();
        ParameterLinksOptions options{.cluster = clusterOf(task_), .secret = task_.secret, .plans = &plans_};
        options.rank = options.cluster.servers() + task_.plan.rank;
        options.offer_shared_memory = task_.run.cluster.transport != spec::TransportChoice::kGrpc;
        options.start_timeout = milliseconds(task_.run.cluster.start_timeout_s);
        options.lost_after = milliseconds(task_.silence_s);
        options.on_listening = [this] {
            task_.report(spec::StateChanged{spec::TaskState::kConnecting, "listening at " + task_.plan.address});
        };
        options.on_waiting = [this](const std::string& text, const std::vector<spec::TaskId>& awaited) {
            task_.report(spec::StateChanged{spec::TaskState::kWaiting, text, spec::WaitCause::kPeers, awaited});
        };
        options.on_log = [this](const std::string& text) { task_.report(spec::LogLine{spec::LogLevel::kInfo, text}); };
        options.is_cancelled = task_.is_cancelled;
        links_ = std::make_unique<ParameterLinks>(options);
        const int chief = options.cluster.chief();
        return {.links = links_->links(),
                .region = links_->region(),
                .description = links_->describe(),
                .chief = chief < 0 ? std::string() : toString(options.cluster.names()[static_cast<std::size_t>(chief)]),
                .progress = task_.progress};
    }

    void leave(bool complete) override {
        if (links_) links_->leave(complete);
    }

private:
    const ParameterTask& task_;
    const ps::ParameterPlans plans_;
    std::unique_ptr<ParameterLinks> links_;
};

}  // namespace

void serveParameters(const ParameterTask& task) {
    const ps::ParameterPlans plans = engine::train::parameterPlans(task.run, task.plan);
    const SharedStore shared = makeSharedStore(plans, task.plan.task.index,
                                               {.make_executor = task.make_executor, .max_staleness = task.run.strategy.max_staleness});
    const LoadTeller teller(*shared.store, task);
    ParameterServiceOptions options{.cluster = clusterOf(task), .server = task.plan.task.index, .secret = task.secret};
    options.offer_shared_memory = task.run.cluster.transport != spec::TransportChoice::kGrpc;
    options.region_bytes = static_cast<std::size_t>(plans.worker.shared_bytes);
    options.start_timeout = milliseconds(task.run.cluster.start_timeout_s);
    options.lost_after = milliseconds(task.silence_s);
    options.serves_forever = task.serves_forever;
    options.is_coordinated = task.plan.coordinated_workers > 0;
    options.on_listening = [&task] { task.report(spec::StateChanged{spec::TaskState::kConnecting, "listening at " + task.plan.address}); };
    options.on_log = [&task](const std::string& text) { task.report(spec::LogLine{spec::LogLevel::kInfo, text}); };
    options.on_workers = [&task](const std::vector<spec::TaskId>& workers) {
        task.report(spec::StateChanged{workers.empty() ? spec::TaskState::kWaiting : spec::TaskState::kTraining, servingText(workers)});
    };
    options.is_cancelled = task.is_cancelled;
    ParameterService(options, *shared.store, shared.offered(), shared.no_segment).serve();
}

std::unique_ptr<engine::train::ParameterServers> findParameterServers(const ParameterTask& task) {
    return std::make_unique<WorkersServers>(task);
}

}  // namespace agent::worker
