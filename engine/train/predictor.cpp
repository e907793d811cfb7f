#include "engine/train/predictor.h"

#include "engine/data/pipeline.h"
#include "engine/export/keras_file.h"
#include "engine/plan/compile.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/train/fit/predictions.h"

namespace engine::train {
namespace {

constexpr std::int64_t kBatch = 256;

// The run as a processor predicts with it.
spec::RunSpec onProcessor(spec::RunSpec run) {
    run.model = spec::withoutFloat16(std::move(run.model));
    return run;
}

plan::Plan forwardPlan(const spec::RunSpec& run) {
    plan::CompileTarget target;
    target.batch = kBatch;
    target.training = false;
    return plan::compile(run, target);
}

spec::Shape withoutBatch(const plan::Plan& plan) {
    const spec::Shape& shape = plan.tensors[static_cast<std::size_t>(plan.output)].shape;
    return {shape.begin() + 1, shape.end()};
}

}  // namespace

Predictor::Predictor(const spec::RunSpec& run, ExecutorFactory make_executor, int threads)
    : run_(onProcessor(run)),
      plan_(forwardPlan(run_)),
      output_shape_(withoutBatch(plan_)),
      variables_(plan_),
      executor_(make_executor(plan_, variables_, {.threads = threads, .collective = nullptr, .region = {}})) {}

void Predictor::loadWeights(const std::filesystem::path& file) {
    std::vector<exporter::MutableVariableView> views;
    for (const backend::Variables::Entry& entry : variables_.entries()) {
        views.push_back({entry.name, entry.shape, entry.values});
    }
    exporter::readWeights(file, run_.model, views);
    executor_->reloadVariables();
}

std::vector<float> Predictor::predict(const std::shared_ptr<const data::Samples>& samples) {
    if (const spec::Shape fed = spec::fedShape(run_.model); data::elementsOf(samples->sample_shape) != data::elementsOf(fed)) {
        throw Error(ErrorCode::kInvalidArgument, samples->source + ": its samples have the shape " + data::toString(samples->sample_shape) +
                                                     ", the model's input expects " + data::toString(fed));
    }
    const data::Extent all{0, static_cast<std::uint32_t>(samples->count)};
    data::Pipeline pipeline = data::evaluationPipeline(run_.data, samples, all, 1, 0, plan_.batch);
    const auto outputs = static_cast<std::size_t>(data::elementsOf(output_shape_));
    Predictions predictions(static_cast<std::size_t>(samples->count), outputs, 0);
    tensor::BatchView view;
    while (pipeline.next(view)) {
        view.labels = nullptr;
        executor_->predictStep(view, predictions.batch(view.indices.size()));
        predictions.place(pipeline.elements());
    }
    return predictions.take();
}

}  // namespace engine::train
