#include "engine/train/predictor.h"

#include "engine/data/pipeline.h"
#include "engine/export/keras_file.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"

namespace engine::train {
namespace {

constexpr std::int64_t kBatch = 256;

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
    : run_(run),
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
    if (data::elementsOf(samples->sample_shape) != data::elementsOf(run_.model.input_shape)) {
        throw Error(ErrorCode::kInvalidArgument, samples->source + ": its samples have the shape " + data::toString(samples->sample_shape) +
                                                     ", the model's input expects " + data::toString(run_.model.input_shape));
    }
    const data::Extent all{0, static_cast<std::uint32_t>(samples->count)};
    data::Pipeline pipeline = data::evaluationPipeline(run_.data, samples, all, 1, 0, plan_.batch);
    const auto outputs = static_cast<std::size_t>(data::elementsOf(output_shape_));
    std::vector<float> predictions(static_cast<std::size_t>(samples->count) * outputs);
    std::span<float> rest(predictions);
    tensor::BatchView view;
    while (pipeline.next(view)) {
        view.labels = nullptr;
        executor_->predictStep(view, rest.first(view.indices.size() * outputs));
        rest = rest.subspan(view.indices.size() * outputs);
    }
    return predictions;
}

}  // namespace engine::train
