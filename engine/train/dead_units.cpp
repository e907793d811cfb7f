#include "engine/train/dead_units.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"

namespace engine::train {
namespace {

using plan::Plan;
using plan::TensorId;

const plan::TensorDesc& tensorOf(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

Plan predictionPlan(const spec::RunSpec& run, std::int64_t batch) {
    return plan::lower(run.model, run.compile, {.batch = batch, .replicas = 1, .training = false});
}

bool isReluLike(const plan::Op& op) {
    if (op.kind != plan::OpKind::kActivation) {
        return false;
    }
    const auto& activation = std::get<plan::ActivationAttributes>(op.attributes);
    return activation.function == plan::Activation::kRelu ||
           (activation.function == plan::Activation::kRampRelu && activation.settings.slope == 0);
}

// Outputs of the ops that count, in order. Items that are folded into the batch axis have no place of their own in a sample.
std::vector<TensorId> countedOutputs(const Plan& plan) {
    std::vector<TensorId> outputs;
    for (const plan::Op& op : plan.ops) {
        if (isReluLike(op) && tensorOf(plan, op.outputs.front()).shape.front() == plan.batch) {
            outputs.push_back(op.outputs.front());
        }
    }
    return outputs;
}

std::int64_t valuesOf(const Plan& plan, TensorId id) {
    return plan::elementCount(tensorOf(plan, id)) / plan.batch;
}

TensorId addActivation(Plan& plan, const std::string& name, std::int64_t values) {
    plan.tensors.push_back({.name = name, .shape = {plan.batch, values}});
    return static_cast<TensorId>(plan.tensors.size()) - 1;
}

// Every sample's activations one behind the other: (batch, values of all). It joins by halves, so that few are copied often.
TensorId joined(Plan& plan, std::span<const TensorId> parts) {
    if (parts.size() == 1) {
        return parts.front();
    }
    const TensorId first = joined(plan, parts.first(parts.size() / 2)), second = joined(plan, parts.subspan(parts.size() / 2));
    const std::string name = "dead_units/join" + std::to_string(plan.ops.size());
    const TensorId both = addActivation(plan, name, valuesOf(plan, first) + valuesOf(plan, second));
    plan.ops.push_back({.kind = plan::OpKind::kMerge,
                        .name = name,
                        .inputs = {first, second},
                        .outputs = {both},
                        .attributes = plan::MergeAttributes{.mode = plan::MergeMode::kConcat}});
    return both;
}

// Up to the last of the outputs, with all of them as what the plan predicts.
Plan upToOutputs(Plan plan, const std::vector<TensorId>& outputs) {
    const auto makes_last = [&](const plan::Op& op) { return !op.outputs.empty() && op.outputs.front() == outputs.back(); };
    plan.ops.erase(std::ranges::find_if(plan.ops, makes_last) + 1, plan.ops.end());
    for (plan::Op& op : plan.ops) {
        if (op.kind == plan::OpKind::kGather) {
            std::erase(op.outputs, plan.label);
            std::erase(op.outputs, plan.sample_weight);
        }
    }
    plan.metrics.clear();
    plan.label = plan.header = plan.sample_weight = plan::kNoTensor;
    std::vector<TensorId> flat = outputs;
    if (outputs.size() > 1) {
        for (TensorId& id : flat) {
            const std::string name = "dead_units/flat" + std::to_string(plan.ops.size());
            const TensorId row = addActivation(plan, name, valuesOf(plan, id));
            plan.ops.push_back({.kind = plan::OpKind::kReshape, .name = name, .inputs = {id}, .outputs = {row}});
            id = row;
        }
    }
    plan.output = joined(plan, flat);
    return plan::planMemory(plan::fuseLayers(std::move(plan)));
}

}  // namespace

DeadUnits::DeadUnits(const spec::RunSpec& run, std::int64_t samples, ExecutorFactory make_executor, int threads) {
    Plan plan = predictionPlan(run, 1);
    for (const TensorId id : countedOutputs(plan)) {
        const plan::TensorDesc& output = tensorOf(plan, id);
        layers_.push_back({output.layer, valuesOf(plan, id), output.shape.back()});
        values_ += layers_.back().values;
    }
    samples_ = values_ == 0 ? 0 : std::min(samples, kMostValues / values_);
    if (samples_ == 0) {
        return;
    }
    plan = predictionPlan(run, samples_);
    const std::vector<TensorId> outputs = countedOutputs(plan);
    plan_ = upToOutputs(std::move(plan), outputs);
    variables_ = std::make_unique<backend::Variables>(plan_);
    executor_ = make_executor(plan_, *variables_, {.threads = threads, .collective = nullptr, .region = {}, .loss = {}});
    output_.resize(static_cast<std::size_t>(samples_ * values_));
}

DeadUnits::~DeadUnits() = default;

DeadUnits::Counts DeadUnits::at(const backend::Variables& variables, const tensor::BatchView& batch) {
    Counts counts;
    if (executor_ == nullptr || batch.indices.empty()) {
        return counts;
    }
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        if (!entry.is_slot) {
            std::ranges::copy(variables.values(entry.name), entry.values.begin());
        }
    }
    executor_->reloadVariables();
    tensor::BatchView view = batch;
    view.labels = nullptr;
    view.sample_weights = nullptr;
    view.parts = {};
    view.indices = batch.indices.first(std::min(batch.indices.size(), static_cast<std::size_t>(samples_)));
    counts.samples = static_cast<std::int64_t>(view.indices.size());
    const std::span<float> output(output_.data(), static_cast<std::size_t>(counts.samples * values_));
    executor_->predictStep(view, output);
    std::int64_t begin = 0;
    for (const Layer& layer : layers_) {
        std::vector<std::uint32_t> is_alive(static_cast<std::size_t>(layer.units), 0);
        for (std::int64_t sample = 0; sample < counts.samples; ++sample) {
            const float* values = output.data() + sample * values_ + begin;
            for (std::int64_t place = 0; place < layer.values; place += layer.units) {
                for (std::int64_t unit = 0; unit < layer.units; ++unit) {
                    is_alive[static_cast<std::size_t>(unit)] |= static_cast<std::uint32_t>(values[place + unit] != 0);
                }
            }
        }
        counts.layers.push_back({layer.name, layer.units, std::ranges::count(is_alive, 0U)});
        begin += layer.values;
    }
    return counts;
}

}  // namespace engine::train
