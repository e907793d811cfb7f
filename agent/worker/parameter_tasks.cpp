#include "agent/worker/parameter_tasks.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "agent/transport/parameter_links.h"
#include "agent/transport/parameter_service.h"
#include "engine/distribute/shared_segment.h"
#include "engine/parameter_server/parameter_store.h"
#include "engine/spec/error.h"
#include "engine/train/fingerprint.h"
#include "engine/train/task_plans.h"

namespace agent::worker {

namespace ps = engine::parameter_server;
namespace spec = engine::spec;
using engine::Error;
using engine::distribute::SharedSegment;

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
        return {.links = links_->links(), .region = links_->region(), .description = links_->describe()};
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
    const std::vector<engine::plan::ServerPlan>& own = plans.servers[static_cast<std::size_t>(task.plan.task.index)];
    const std::size_t buckets = plans.worker.buckets.size();
    SharedSegment segment;
    std::string no_segment;
    try {
        segment = SharedSegment::create(ps::storeLayout(own.front().plan, buckets).bytes);
    } catch (const Error& error) {
        no_segment = error.what();
    }
    ps::ParameterStore store(own, buckets,
                             {.make_executor = task.make_executor,
                              .memory = no_segment.empty() ? segment.span() : std::span<std::byte>(),
                              .max_staleness = task.run.strategy.max_staleness});
    ParameterServiceOptions options{.cluster = clusterOf(task), .server = task.plan.task.index, .secret = task.secret};
    options.offer_shared_memory = task.run.cluster.transport != spec::TransportChoice::kGrpc;
    options.region_bytes = static_cast<std::size_t>(plans.worker.shared_bytes);
    options.start_timeout = milliseconds(task.run.cluster.start_timeout_s);
    options.lost_after = milliseconds(task.silence_s);
    options.serves_forever = task.serves_forever;
    options.on_listening = [&task] { task.report(spec::StateChanged{spec::TaskState::kConnecting, "listening at " + task.plan.address}); };
    options.on_log = [&task](const std::string& text) { task.report(spec::LogLine{spec::LogLevel::kInfo, text}); };
    options.on_workers = [&task](const std::vector<spec::TaskId>& workers) {
        task.report(spec::StateChanged{workers.empty() ? spec::TaskState::kWaiting : spec::TaskState::kTraining, servingText(workers)});
    };
    options.is_cancelled = task.is_cancelled;
    ParameterService(options, store, no_segment.empty() ? &segment : nullptr, no_segment).serve();
}

std::unique_ptr<engine::train::ParameterServers> findParameterServers(const ParameterTask& task) {
    return std::make_unique<WorkersServers>(task);
}

}  // namespace agent::worker
