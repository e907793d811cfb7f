// Loss and metrics of samples that nobody trains on, and what the model predicts for them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/pipeline.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/python_text.h"
#include "engine/train/fit/task_executors.h"

namespace engine::train {

struct Metrics {
    double loss = 0;      // mean over all samples
    double accuracy = 0;  // of the first metric that is one; NaN without
    std::int64_t samples = 0;
    Logs logs;  // every metric and "loss", by name
};

// Owned by the trainer; one thread. Replicas make the same calls in the same order, each looks at its share, and all get the sums of all.
class Evaluator {
public:
    // `held_back`: which training samples validate; where it is empty and the project says so, the test set does. All references and
    // `collective` (null for a task alone) outlive it.
    Evaluator(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, const data::Dataset& dataset,
              data::Extent held_back, TaskExecutors& executors);

    // True when there are samples to validate with.
    bool validates() const { return validated_.samples != nullptr; }
    // True when validate() looks at what test() looks at: each sample of the test set.
    bool validatesWithWholeTest() const;
    // Validates over fit.validation_steps batches, or over all samples. Requires validates(). Throws Error as the executor and the
    // collective. `looked` is told after each batch how many samples of this replica are done.
    using Looked = std::function<void(std::int64_t samples)>;
    Metrics validate(const Looked& looked = {});
    // For a model with one output: the mean label and the mean prediction of what validate() looks at, a probability where the loss takes
    // one. Nothing for other models, and for one of several replicas.
    struct Means {
        double label = 0, prediction = 0;
    };
    std::optional<Means> means();
    // What the model gives for the first of what validate() looks at, at most `most`, of this replica alone.
    TrainingContext::Validated predictValidated(std::int64_t most);
    bool hasTest() const { return dataset_.test != nullptr; }
    // Each sample once. Throws Error(kFailedPrecondition) without a test set.
    Metrics test();
    // (samples of `part`, outputs) of this replica alone.
    std::vector<float> predict(const std::shared_ptr<const data::Samples>& samples, data::Extent part);

private:
    struct Validated {
        std::shared_ptr<const data::Samples> samples{};  // null where nothing validates
        data::Extent part{};
    };
    Validated validated(data::Extent held_back) const;
    Metrics evaluate(const std::shared_ptr<const data::Samples>& samples, data::Extent part, const Looked& looked = {});

    const spec::RunSpec& run_;
    const spec::TaskPlan& task_;
    distribute::Collective* const collective_;
    const data::Dataset& dataset_;
    TaskExecutors& executors_;
    const Validated validated_;
};

}  // namespace engine::train
