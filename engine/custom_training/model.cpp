#include "engine/custom_training/model.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engine/backend/cuda_backend.h"
#include "engine/backend/device_group.h"
#include "engine/backend/initialize.h"
#include "engine/custom_training/served_model.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "engine/train/fingerprint.h"
#include "engine/train/learning_rate.h"

namespace engine::custom_training {
namespace {

plan::CompileTarget targetFor(const spec::RunSpec& run, const ModelOptions& options, std::size_t device, std::int64_t batch,
                              bool training) {
    const spec::TfConfig& config = options.peers.config;
    plan::CompileTarget target;
    target.batch = batch;
    target.replicas = training && !options.peers.servers ? options.replicas.all : 1;
    target.training = training;
    target.custom_loss = true;
    target.devices = run.strategy.devices;
    target.device = static_cast<int>(device);
    target.servers = training && options.peers.servers ? config.cluster.taskCount("ps") : 0;
    target.has_cluster = !config.cluster.empty() && config.task.has_value();
    if (target.has_cluster) target.task = *config.task;
    return target;
}

std::unique_ptr<ServedModel> servedModel(const spec::RunSpec& run, const ModelOptions& options) {
    if (!options.peers.servers) return nullptr;
    // A ps and the coordinator make a worker's plans, too: all tasks compute the same ones.
    const auto make_plans = [&run, options](std::int64_t batch) {
        plan::CompileTarget target = targetFor(run, options, 0, batch, true);
        target.task = {"worker", 0};
        return parameter_server::parameterPlans(run, target);
    };
    return std::make_unique<ServedModel>(options.peers.servers, make_plans, train::replicaFingerprint(run));
}

}  // namespace

ReplicaContext::ReplicaContext(int local, const ReplicaRange& replicas, const backend::CustomLossCall& call)
    : local_(local),
      replicas_(replicas),
      call_(call),
      elements_(call.outputs.empty() ? 0 : call.outputs.size() / call.batch.indices.size()) {}

struct Model::Parts {
    Parts(spec::RunSpec of, const ModelOptions& with)
        : run(std::move(of)),
          options(with),
          served(servedModel(run, options)),
          variables(served ? served->wholePlan() : compileFor(0, 1, true)),
          rate(run.compile.optimizer) {}

    std::size_t devices() const { return run.strategy.devices.size(); }

    plan::Plan compileFor(std::size_t device, std::int64_t batch, bool training) const {
        return plan::compile(run, targetFor(run, options, device, batch, training));
    }

    // "worker 1", "chief 0"; by the rank alone where nobody has a name.
    std::string workerName(int rank) const {
        const std::vector<spec::TaskId> tasks = options.peers.config.cluster.trainingTasks();
        const auto index = static_cast<std::size_t>(rank);
        return index < tasks.size() ? toString(tasks[index]) : "worker " + std::to_string(rank);
    }

    // Every worker finds the same one at fault, so that all throw.
    void requireSameModel() const {
        distribute::Collective& workers = *options.peers.workers;
        const std::uint64_t own = train::replicaFingerprint(run);
        std::vector<std::uint64_t> all(static_cast<std::size_t>(workers.size()));
        workers.allGather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
        const auto other = std::find_if(all.begin(), all.end(), [&all](std::uint64_t one) { return one != all.front(); });
        if (other == all.end()) return;
        throw Error(ErrorCode::kInvalidArgument, "model: expected the model, optimizer and devices of " + workerName(0) +
                                                     " on every worker, got others on " +
                                                     workerName(static_cast<int>(other - all.begin())));
    }

    void begin() {
        backend::initializeVariables(variables, run.model, options.seed);
        if (options.peers.workers) {
            requireSameModel();
            for (const backend::Variables::Entry& entry : variables.entries()) {
                options.peers.workers->broadcast(std::as_writable_bytes(entry.values), 0);
            }
        }
        if (served && served->role() == ParameterServers::Role::kCoordinator) served->connect(variables);
    }

    // The group's devices add up; a sum between workers goes through the caller's collective.
    struct Replicas {
        distribute::AlignedMemory region;
        std::unique_ptr<backend::Executor> executor;
    };
    Replicas makeReplicas(std::int64_t batch, bool training) {
        std::vector<plan::Plan> plans;
        for (std::size_t device = 0; device < devices(); ++device) plans.push_back(compileFor(device, batch, training));
        Replicas made;
        backend::DeviceGroupOptions group{.devices = run.strategy.devices, .threads = options.threads};
        if (training && options.replicas.all > options.replicas.here) {
            constexpr std::size_t kLeast = 64;
            made.region = distribute::AlignedMemory(std::max(static_cast<std::size_t>(plans.front().shared_bytes), kLeast));
            group.between = options.peers.workers.get();
            group.region = made.region.span();
        }
        group.loss = [this](int device, const backend::CustomLossCall& call) { return callStep(device, call); };
        made.executor = backend::makeDeviceGroup(&backend::makeExecutor, plans, variables, group);
        made.executor->reloadVariables();
        return made;
    }

    double callStep(int device, const backend::CustomLossCall& call) const {
        ReplicaContext replica(device, options.replicas, call);
        (*step)(replica);
        return 0.0;
    }

    void trainHere(const DistributedBatch& inputs, const backend::StepControl& control) {
        if (inputs.largestPart() > train_batch) {  // plans are made for the largest batch so far
            if (trains.executor) trains.executor->syncVariables();
            trains.executor.reset();  // before the region that it works on
            trains = makeReplicas(inputs.largestPart(), true);
            train_batch = inputs.largestPart();
        }
        trains.executor->trainStep(inputs.view(), control);
        ++iterations;
    }

    void trainServed(const DistributedBatch& inputs, const backend::StepControl& control) {
        const backend::CustomLoss loss = [this](const backend::CustomLossCall& call) { return callStep(0, call); };
        tensor::BatchView view = inputs.view();
        view.parts = {};
        iterations =
            served->train(variables, view, control, {.largest_part = inputs.largestPart(), .threads = options.threads, .loss = loss});
    }

    // `variables` are those that were trained last.
    void sync() {
        if (served) {
            served->read(variables);
        } else if (trains.executor) {
            trains.executor->syncVariables();
        }
    }

    const spec::RunSpec run;
    const ModelOptions options;
    const std::unique_ptr<ServedModel> served;  // null: the variables are of this process
    backend::Variables variables;               // outlives the executors
    train::LearningRate rate;
    std::int64_t iterations = 0;
    const std::function<void(ReplicaContext&)>* step = nullptr;  // during a step
    std::int64_t train_batch = 0, predict_batch = 0;             // of a replica
    Replicas trains, predicts;
};

Model::Model(spec::RunSpec run, const ModelOptions& options) : parts_(std::make_unique<Parts>(std::move(run), options)) {
    parts_->begin();
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;

void Model::train(const DistributedBatch& inputs, const std::function<void(ReplicaContext&)>& step) {
    Parts& parts = *parts_;
    parts.step = &step;
    backend::StepControl control;
    control.learning_rate = parts.rate.at(parts.iterations);
    control.iteration = parts.iterations;
    parts.served ? parts.trainServed(inputs, control) : parts.trainHere(inputs, control);
}

std::vector<float> Model::predict(const DistributedBatch& inputs) {
    Parts& parts = *parts_;
    parts.sync();
    if (inputs.largestPart() > parts.predict_batch) {
        parts.predicts = parts.makeReplicas(inputs.largestPart(), false);
        parts.predict_batch = inputs.largestPart();
    }
    parts.predicts.executor->reloadVariables();
    const plan::Plan plan = parts.compileFor(0, 1, false);
    const std::int64_t elements = plan::elementCount(plan.tensors[static_cast<std::size_t>(plan.output)]);
    std::vector<float> outputs(static_cast<std::size_t>(inputs.samples() * elements));
    tensor::BatchView view = inputs.view();
    view.labels = nullptr;
    view.parts = {};
    parts.predicts.executor->predictStep(view, outputs);
    return outputs;
}

std::int64_t Model::iterations() const {
    const bool asks = parts_->served && parts_->served->role() == ParameterServers::Role::kCoordinator;
    return asks ? parts_->served->globalStep() : parts_->iterations;
}

void Model::setLearningRate(float rate) {
    parts_->rate.set(rate);
}

std::span<const float> Model::values(std::string_view name) const {
    parts_->sync();
    return parts_->variables.values(name);
}

std::string Model::planText() const {
    if (parts_->served) return parts_->served->planText();
    return parts_->trains.executor ? parts_->trains.executor->planText() : "";
}

}  // namespace engine::custom_training
