#include "agent/distributed/served_cluster.h"

#include <algorithm>
#include <utility>

#include "agent/distributed/users_secret.h"
#include "agent/transport/shared_store.h"
#include "engine/backend/executor.h"
#include "engine/spec/error.h"

namespace agent::distributed {

namespace ps = engine::parameter_server;
namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

namespace {

spec::TfConfig configOf(const ClusterOptions& options) {
    spec::TfConfig config = readTfConfig(options, spec::TfConfigUse::kParameterServer);
    for (const char* job : {"chief", "worker", "ps"}) {
        if (config.cluster.taskCount(job) > 0) continue;
        throw Error(ErrorCode::kInvalidArgument,
                    "TF_CONFIG, cluster: expected a chief, at least one worker and at least one ps, got no " + std::string(job));
    }
    const bool fits = config.task && config.cluster.address(*config.task) &&
                      (config.task->type == "chief" || config.task->type == "worker" || config.task->type == "ps");
    if (!fits) {
        throw Error(ErrorCode::kInvalidArgument, "TF_CONFIG, task: expected a chief, worker or ps of its cluster, got " +
                                                     (config.task ? toString(*config.task) : std::string("none")));
    }
    return config;
}

engine::custom_training::ParameterServers::Role roleOf(const std::string& type) {
    using Role = engine::custom_training::ParameterServers::Role;
    return type == "chief" ? Role::kCoordinator : type == "ps" ? Role::kServer : Role::kWorker;
}

}  // namespace

ServedCluster::ServedCluster(ClusterOptions options, std::optional<std::int64_t> max_staleness)
    : options_(std::move(options)), config_(configOf(options_)), role_(roleOf(config_.task->type)), max_staleness_(max_staleness) {}

ServedCluster::~ServedCluster() = default;

worker::ParameterCluster ServedCluster::cluster() const {
    if (!plans_) throw Error(ErrorCode::kFailedPrecondition, "strategy: expected a model in its scope, got none");
    return worker::parameterCluster(config_.cluster, model_);
}

int ServedCluster::rank() const {
    const std::vector<spec::TaskId> tasks = cluster().tasks;
    return static_cast<int>(std::find(tasks.begin(), tasks.end(), task()) - tasks.begin());
}

void ServedCluster::declare(std::shared_ptr<const ps::ParameterPlans> plans, std::uint64_t model) {
    if (plans_) {
        throw Error(ErrorCode::kUnimplemented, "strategy: expected one model in the scope of parameter servers, got a second");
    }
    plans_ = std::move(plans);
    model_ = model;
}

engine::custom_training::ParameterServers::Connection ServedCluster::connect() {
    if (!links_) {
        worker::ParameterLinksOptions links{.cluster = cluster(), .rank = rank(), .secret = usersSecret(), .plans = plans_.get()};
        links.offer_shared_memory = options_.transport != spec::TransportChoice::kGrpc;
        links.start_timeout = options_.start_timeout;
        links.lost_after = options_.lost_after;
        links.on_waiting = [this](const std::string& text, const std::vector<spec::TaskId>&) { log(text); };
        links.on_log = [this](const std::string& text) { log(text); };
        links.is_cancelled = options_.is_cancelled;
        links_ = std::make_unique<worker::ParameterLinks>(links);
        connected_at_ = std::chrono::steady_clock::now();
        log(links_->describe());
    }
    return {.links = links_->links(), .region = links_->region()};
}

void ServedCluster::checkWait() {
    if (options_.is_cancelled && options_.is_cancelled()) {
        throw Error(ErrorCode::kCancelled, toString(task()) + ": stopped while waiting for the coordinator's values");
    }
    if (std::chrono::steady_clock::now() - connected_at_ < options_.start_timeout) return;
    throw Error(ErrorCode::kDeadlineExceeded, toString(task()) + ": gave up waiting for the coordinator's model after " +
                                                  std::to_string(options_.start_timeout.count() / 1000) + " s");
}

void ServedCluster::serveVariables() {
    worker::ParameterServiceOptions service{.cluster = cluster(), .server = task().index, .secret = usersSecret()};
    const worker::SharedStore shared = worker::makeSharedStore(
        *plans_, task().index, {.make_executor = engine::backend::makeCpuExecutor, .max_staleness = max_staleness_});
    service.offer_shared_memory = options_.transport != spec::TransportChoice::kGrpc;
    service.region_bytes = static_cast<std::size_t>(plans_->worker.shared_bytes);
    service.start_timeout = options_.start_timeout;
    service.lost_after = options_.lost_after;
    service.is_coordinated = true;
    service.on_log = [this](const std::string& text) { log(text); };
    service.is_cancelled = options_.is_cancelled;
    worker::ParameterService(service, *shared.store, shared.offered(), shared.no_segment).serve();
}

void ServedCluster::leave(bool complete) {
    if (links_) links_->leave(complete);
}

void ServedCluster::log(const std::string& text) const {
    if (options_.log) options_.log(text);
}

}  // namespace agent::distributed
