#include "engine/train/fit/evaluator.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "engine/spec/error.h"
#include "engine/train/classification.h"
#include "engine/train/fit/predictions.h"
#include "engine/train/fit/step_totals.h"

namespace engine::train {
namespace {

data::Extent allOf(const data::Samples& samples) {
    return {0, static_cast<std::uint32_t>(samples.count)};
}

// The first number of a sample's label.
double firstNumber(const data::Samples& samples, std::size_t index) {
    if (samples.label_dtype != tensor::DType::kFloat32) {
        return static_cast<double>(samples.label(static_cast<std::int64_t>(index)));
    }
    float number = 0;
    std::memcpy(&number, samples.labels.data() + index * (samples.labels.size() / static_cast<std::size_t>(samples.count)), sizeof number);
    return static_cast<double>(number);
}

// The sums of all replicas, added in the order of their ranks.
void addUp(distribute::Collective& collective, std::span<double> sums) {
    std::vector<double> all(sums.size() * static_cast<std::size_t>(collective.size()));
    collective.allGather(std::as_bytes(sums), std::as_writable_bytes(std::span(all)));
    std::fill(sums.begin(), sums.end(), 0.0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        sums[i % sums.size()] += all[i];
    }
}

}  // namespace

Evaluator::Evaluator(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, const data::Dataset& dataset,
                     data::Extent held_back, TaskExecutors& executors)
    : run_(run), task_(task), collective_(collective), dataset_(dataset), executors_(executors), validated_(validated(held_back)) {}

// Samples that validation_steps batches hold, or all. How they are batched here is the evaluation's own choice.
Evaluator::Validated Evaluator::validated(data::Extent held_back) const {
    Validated found;
    if (held_back.begin < held_back.end) {
        found = {dataset_.train, held_back};
    } else if (run_.data.validate_on_test && dataset_.test != nullptr) {
        found = {dataset_.test, allOf(*dataset_.test)};
    }
    if (run_.fit.validation_steps > 0) {
        const std::int64_t batch = run_.fit.validation_batch_size > 0 ? run_.fit.validation_batch_size : task_.global_batch_size;
        const std::int64_t all = found.part.end - found.part.begin;
        const bool fewer = run_.fit.validation_steps < (all + batch - 1) / batch;
        found.part.end = fewer ? found.part.begin + static_cast<std::uint32_t>(run_.fit.validation_steps * batch) : found.part.end;
    }
    return found;
}

bool Evaluator::validatesWithWholeTest() const {
    if (!validates() || validated_.samples != dataset_.test) return false;
    const data::Extent all = allOf(*dataset_.test);
    return validated_.part.begin == all.begin && validated_.part.end == all.end;
}

Metrics Evaluator::validate(const Looked& looked) {
    ENGINE_CHECK(validates());
    return evaluate(validated_.samples, validated_.part, looked);
}

std::optional<Evaluator::Means> Evaluator::means() {
    if (!validates() || collective_ != nullptr || executors_.classes() != 1) {
        return std::nullopt;
    }
    std::vector<float> predictions = predict(validated_.samples, validated_.part);
    if (run_.compile.loss.class_name.starts_with("Binary")) {
        toProbabilities(run_.compile, predictions, 1);
    }
    const data::Samples& samples = *validated_.samples;
    Means sums;
    double count = 0;
    for (std::uint32_t i = validated_.part.begin; i < validated_.part.end; ++i) {
        const float prediction = predictions[i - validated_.part.begin];
        if (!isPredicted({&prediction, 1})) continue;
        sums.label += firstNumber(samples, i);
        sums.prediction += static_cast<double>(prediction);
        ++count;
    }
    count = std::max(count, 1.0);
    return Means{sums.label / count, sums.prediction / count};
}

Metrics Evaluator::test() {
    if (!hasTest()) {
        throw Error(ErrorCode::kFailedPrecondition, "data: the set \"" + dataset_.name + "\" has no test samples to evaluate with");
    }
    return evaluate(dataset_.test, allOf(*dataset_.test));
}

Metrics Evaluator::evaluate(const std::shared_ptr<const data::Samples>& samples, data::Extent part, const Looked& looked) {
    data::Pipeline pipeline =
        data::evaluationPipeline(run_.data, samples, part, task_.replicas, spec::shareOf(task_), executors_.evaluationBatch());
    backend::Executor& executor = executors_.evaluation();
    StepTotals totals(executors_.evaluationPlan());
    tensor::BatchView view;
    while (pipeline.next(view)) {
        totals.add(executor.evaluateStep(view));
        if (looked) looked(static_cast<std::int64_t>(totals.samples()));
    }
    if (collective_ != nullptr) {
        addUp(*collective_, totals.sums());
    }
    return {.loss = totals.loss(),
            .accuracy = totals.accuracy(),
            .samples = static_cast<std::int64_t>(totals.samples()),
            .logs = totals.logs()};
}

std::vector<float> Evaluator::predict(const std::shared_ptr<const data::Samples>& samples, data::Extent part) {
    data::Pipeline pipeline = data::evaluationPipeline(run_.data, samples, part, 1, 0, executors_.evaluationBatch());
    backend::Executor& executor = executors_.evaluation();
    const plan::Plan& plan = executors_.evaluationPlan();
    const plan::TensorDesc& output = plan.tensors[static_cast<std::size_t>(plan.output)];
    const auto width = static_cast<std::size_t>(plan::elementCount(output) / plan.batch);
    Predictions predictions(part.end - part.begin, width, part.begin);
    tensor::BatchView view;
    while (pipeline.next(view)) {
        executor.predictStep(view, predictions.batch(view.indices.size()));
        predictions.place(pipeline.elements());
    }
    return predictions.take();
}

TrainingContext::Validated Evaluator::predictValidated(std::int64_t most) {
    if (!validates()) return {};
    data::Extent part = validated_.part;
    part.end = part.begin + static_cast<std::uint32_t>(std::min<std::int64_t>(part.end - part.begin, most));
    return {
        .samples = validated_.samples, .first = part.begin, .count = part.end - part.begin, .outputs = predict(validated_.samples, part)};
}

}  // namespace engine::train
