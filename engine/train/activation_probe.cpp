#include "engine/train/activation_probe.h"

#include <optional>

#include "engine/data/pipeline.h"
#include "engine/export/keras_file.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace engine::train {
namespace {

// Unfused, so that every layer has an output of its own.
plan::Plan predictionPlan(const spec::RunSpec& run) {
    return plan::lower(run.model, run.compile, {.batch = 1, .replicas = 1, .training = false});
}

// The plan up to `op`, whose output it then has.
plan::Plan upTo(const plan::Plan& whole, std::size_t op) {
    plan::Plan plan = whole;
    plan.ops.resize(op + 1);
    plan.output = plan.ops.back().outputs.front();
    plan.metrics.clear();
    for (plan::Op& one : plan.ops) {
        if (one.kind == plan::OpKind::kGather) {
            std::erase(one.outputs, plan.label);
        }
    }
    plan.label = plan.header = plan::kNoTensor;
    return plan::planMemory(std::move(plan));
}

// The last op of a layer, which makes its output; nullopt for one that has none of its own.
std::optional<std::size_t> lastOpOf(const plan::Plan& plan, const std::string& layer) {
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        const plan::Op& op = plan.ops[i];
        if (op.layer == layer && !plan::rowOf(op.kind).belongs_to_loss && !plan::rowOf(op.kind).is_alias) {
            last = i;
        }
    }
    return last;
}

}  // namespace

ActivationProbe::ActivationProbe(const spec::RunSpec& run, ExecutorFactory make_executor, int threads)
    : run_(run), plan_(predictionPlan(run_)), variables_(plan::planMemory(plan_)) {
    for (const spec::LayerSpec& layer : run_.model.layers) {
        const auto last = lastOpOf(plan_, layer.name);
        if (!last) {
            continue;
        }
        const plan::Plan part = upTo(plan_, *last);
        const spec::Shape& shape = part.tensors[static_cast<std::size_t>(part.output)].shape;
        Stage stage;
        stage.activation = {layer.name, layer.class_name, {shape.begin() + 1, shape.end()}, {}};
        stage.executor = make_executor(part, variables_, {.threads = threads, .collective = nullptr, .region = {}, .loss = {}});
        stages_.push_back(std::move(stage));
    }
}

void ActivationProbe::loadWeights(const std::filesystem::path& file) {
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables_.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    exporter::readWeights(file, run_.model, views);
    for (const Stage& stage : stages_) {
        stage.executor->reloadVariables();
    }
}

std::vector<LayerActivation> ActivationProbe::look(const std::shared_ptr<const data::Samples>& samples, std::int64_t sample) {
    if (sample < 0 || sample >= samples->count) {
        throw Error(ErrorCode::kOutOfRange, samples->source + ": expected a sample from 0 to " + std::to_string(samples->count - 1) +
                                                ", got " + std::to_string(sample));
    }
    if (const spec::Shape fed = spec::fedShape(run_.model); data::elementsOf(samples->sample_shape) != data::elementsOf(fed)) {
        throw Error(ErrorCode::kInvalidArgument, samples->source + ": its samples have the shape " + data::toString(samples->sample_shape) +
                                                     ", the model's input expects " + data::toString(fed));
    }
    const auto first = static_cast<std::uint32_t>(sample);
    data::Pipeline pipeline = data::evaluationPipeline(run_.data, samples, {first, first + 1}, 1, 0, 1);
    tensor::BatchView view;
    pipeline.next(view);
    view.labels = nullptr;
    std::vector<LayerActivation> activations;
    for (const Stage& stage : stages_) {
        LayerActivation& activation = activations.emplace_back(stage.activation);
        activation.values.resize(static_cast<std::size_t>(data::elementsOf(activation.shape)));
        stage.executor->predictStep(view, activation.values);
    }
    return activations;
}

}  // namespace engine::train
