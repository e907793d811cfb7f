#include "engine/custom_training/served_model.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "engine/spec/error.h"

namespace engine::custom_training {
namespace {

namespace ps = parameter_server;

// How often a worker looks whether the coordinator has given the servers their values.
constexpr std::chrono::milliseconds kLook{5};

bool holdTheSame(const std::vector<plan::ServerPlan>& a, const std::vector<plan::ServerPlan>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const plan::ServerPlan& one, const plan::ServerPlan& other) {
        return one.bucket == other.bucket && one.reads == other.reads && one.plan == other.plan;
    });
}

}  // namespace

// A worker's step for batches of one size.
struct ServedModel::Training {
    Training(ps::ParameterPlans of, const ParameterServers::Connection& connection, backend::Variables& all, const StepOptions& options)
        : largest_part(options.largest_part),
          plans(std::move(of)),
          client(plans, connection.links, all),
          executor(backend::makeCpuExecutor(
              plans.worker, all, {.threads = options.threads, .region = connection.region, .loss = options.loss, .parameters = &client})) {}

    const std::int64_t largest_part;
    const ps::ParameterPlans plans;
    ps::ParameterClient client;
    const std::unique_ptr<backend::Executor> executor;
};

ServedModel::ServedModel(std::shared_ptr<ParameterServers> servers, MakePlans make_plans, std::uint64_t model)
    : servers_(std::move(servers)),
      make_plans_(std::move(make_plans)),
      declared_(std::make_shared<const ps::ParameterPlans>(make_plans_(1))) {
    servers_->declare(declared_, model);
}
ServedModel::~ServedModel() = default;

void ServedModel::connect(backend::Variables& all) {
    if (connected_) return;
    if (role() == ParameterServers::Role::kServer) {
        throw Error(ErrorCode::kFailedPrecondition,
                    "model: expected the coordinator or a worker to use it, got a ps, which only serves it");
    }
    connection_ = servers_->connect();
    client_ = std::make_unique<ps::ParameterClient>(*declared_, connection_.links, all);
    if (role() == ParameterServers::Role::kCoordinator && !client_->isReady()) client_->give(all, 0, 0);
    while (!client_->isReady()) {
        servers_->checkWait();
        std::this_thread::sleep_for(kLook);
    }
    connected_ = true;
}

void ServedModel::read(backend::Variables& all) {
    connect(all);
    client_->read(all);
}

std::int64_t ServedModel::globalStep() {
    return client_ ? client_->globalStep() : 0;
}

void ServedModel::prepare(backend::Variables& all, const StepOptions& options) {
    if (training_ && options.largest_part <= training_->largest_part) return;
    ps::ParameterPlans plans = make_plans_(options.largest_part);
    ENGINE_CHECK(std::equal(plans.servers.begin(), plans.servers.end(), declared_->servers.begin(), declared_->servers.end(), holdTheSame));
    training_.reset();
    training_ = std::make_unique<Training>(std::move(plans), connection_, all, options);
}

std::int64_t ServedModel::train(backend::Variables& all, const tensor::BatchView& batch, const backend::StepControl& control,
                                const StepOptions& options) {
    if (role() != ParameterServers::Role::kWorker) {
        throw Error(ErrorCode::kFailedPrecondition,
                    "model: expected a worker to train it, in a function that the coordinator schedules; got the " +
                        std::string(role() == ParameterServers::Role::kCoordinator ? "coordinator" : "ps"));
    }
    connect(all);
    prepare(all, options);
    while (true) {
        training_->client.setLearningRate(control.learning_rate);
        training_->executor->trainStep(batch, control);
        const ps::ParameterClient::Step& step = training_->client.lastStep();
        if (!step.is_void) return step.global_step;
    }
}

std::string ServedModel::planText() const {
    return training_ ? training_->executor->planText() : "";
}

}  // namespace engine::custom_training
