#include "engine/custom_training/strategy.h"

#include <algorithm>
#include <thread>

#include "engine/backend/cuda_backend.h"
#include "engine/backend/device_group.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"
#include "engine/spec/validate/validate.h"
#include "engine/train/learning_rate.h"

namespace engine::custom_training {
namespace {

// The project's loss is not looked at: the program has its own.
bool concernsLoss(const spec::Diagnostic& diagnostic) {
    return diagnostic.path.starts_with("compile.loss") || diagnostic.path.starts_with("compile.metrics");
}

plan::Plan compileFor(const spec::RunSpec& run, std::size_t device, std::int64_t batch, bool training) {
    plan::CompileTarget target;
    target.batch = batch;
    target.replicas = training ? static_cast<int>(run.strategy.devices.size()) : 1;
    target.training = training;
    target.custom_loss = true;
    target.devices = run.strategy.devices;
    target.device = static_cast<int>(device);
    return plan::compile(run, target);
}

}  // namespace

ReplicaContext::ReplicaContext(int replica, int replicas, const backend::CustomLossCall& call)
    : replica_(replica),
      replicas_(replicas),
      call_(call),
      elements_(call.outputs.empty() ? 0 : call.outputs.size() / call.batch.indices.size()) {}

struct Model::Parts {
    Parts(spec::RunSpec of, int of_threads)
        : run(std::move(of)), threads(of_threads), variables(compileFor(run, 0, 1, true)), rate(run.compile.optimizer) {}

    std::size_t devices() const { return run.strategy.devices.size(); }

    std::unique_ptr<backend::Executor> makeExecutor(std::int64_t batch, bool training) {
        std::vector<plan::Plan> plans;
        for (std::size_t device = 0; device < devices(); ++device) plans.push_back(compileFor(run, device, batch, training));
        const auto loss = [this](int device, const backend::CustomLossCall& call) {
            ReplicaContext replica(device, static_cast<int>(devices()), call);
            (*step)(replica);
            return 0.0;
        };
        auto executor = backend::makeDeviceGroup(&backend::makeExecutor, plans, variables,
                                                 {.devices = run.strategy.devices, .threads = threads, .loss = loss});
        executor->reloadVariables();
        return executor;
    }

    const spec::RunSpec run;
    const int threads;
    backend::Variables variables;  // outlives the executors
    train::LearningRate rate;
    std::int64_t iterations = 0;
    const std::function<void(ReplicaContext&)>* step = nullptr;  // during a step
    std::int64_t train_batch = 0, predict_batch = 0;             // of a replica
    std::unique_ptr<backend::Executor> trains, predicts;
};

Model::Model(spec::RunSpec run, int threads, std::uint64_t seed) : parts_(std::make_unique<Parts>(std::move(run), threads)) {
    backend::initializeVariables(parts_->variables, parts_->run.model, seed);
}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;

void Model::train(const DistributedBatch& inputs, const std::function<void(ReplicaContext&)>& step) {
    Parts& parts = *parts_;
    if (inputs.largestPart() > parts.train_batch) {  // plans are made for the largest batch so far
        if (parts.trains) parts.trains->syncVariables();
        parts.trains = parts.makeExecutor(inputs.largestPart(), true);
        parts.train_batch = inputs.largestPart();
    }
    parts.step = &step;
    backend::StepControl control;
    control.learning_rate = parts.rate.at(parts.iterations);
    control.iteration = parts.iterations;
    parts.trains->trainStep(inputs.view(), control);
    ++parts.iterations;
}

std::vector<float> Model::predict(const DistributedBatch& inputs) {
    Parts& parts = *parts_;
    if (parts.trains) parts.trains->syncVariables();
    if (inputs.largestPart() > parts.predict_batch) {
        parts.predicts = parts.makeExecutor(inputs.largestPart(), false);
        parts.predict_batch = inputs.largestPart();
    }
    parts.predicts->reloadVariables();
    const plan::Plan plan = compileFor(parts.run, 0, 1, false);
    const std::int64_t elements = plan::elementCount(plan.tensors[static_cast<std::size_t>(plan.output)]);
    std::vector<float> outputs(static_cast<std::size_t>(inputs.samples() * elements));
    tensor::BatchView view = inputs.view();
    view.labels = nullptr;
    parts.predicts->predictStep(view, outputs);
    return outputs;
}

std::int64_t Model::iterations() const {
    return parts_->iterations;
}

void Model::setLearningRate(float rate) {
    parts_->rate.set(rate);
}

std::span<const float> Model::values(std::string_view name) const {
    if (parts_->trains) parts_->trains->syncVariables();
    return parts_->variables.values(name);
}

std::string Model::planText() const {
    return parts_->trains ? parts_->trains->planText() : "";
}

Strategy::Strategy(std::string name, StrategyOptions options)
    : threads_(options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))) {
    spec_.name = std::move(name);
    spec_.devices = std::move(options.devices);
    spec_.cross_device_ops = std::move(options.cross_device_ops);
}

Strategy Strategy::oneDevice(std::string device) {
    return {spec::strategyName(spec::StrategyKind::kOneDevice), {.devices = {std::move(device)}}};
}
Strategy Strategy::mirrored(StrategyOptions options) {
    return {spec::strategyName(spec::StrategyKind::kMirrored), std::move(options)};
}
Strategy Strategy::centralStorage(StrategyOptions options) {
    return {spec::strategyName(spec::StrategyKind::kCentralStorage), std::move(options)};
}

Model Strategy::Scope::model(spec::ModelSpec model, spec::ObjectSpec optimizer, std::uint64_t seed) const {
    spec::RunSpec run;
    run.model = std::move(model);
    run.compile.optimizer = std::move(optimizer);
    run.compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
    run.compile.metrics = {};
    run.strategy = strategy_.spec_;
    for (const spec::Diagnostic& diagnostic : spec::validate(run)) {
        if (diagnostic.severity == spec::Severity::kError && !concernsLoss(diagnostic)) {
            throw Error(ErrorCode::kInvalidArgument, diagnostic.path + ": " + diagnostic.message);
        }
    }
    std::vector<std::string> devices;
    for (const spec::DeviceName& device : spec::devicesOf(run.strategy)) devices.push_back(toString(device));
    run.strategy.devices = std::move(devices);
    return {std::move(run), strategy_.threads_, seed};
}

}  // namespace engine::custom_training
