// The batches that a task trains with, in step with the epochs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/data/dataset.h"
#include "engine/data/pipeline.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

// Owned by the trainer; one thread.
class TrainingBatches {
public:
    // This task's share of the samples that the project trains with. `run` and `task` outlive it. Throws Error as data::splitTraining() and
    // data::trainingPipeline().
    TrainingBatches(const spec::RunSpec& run, const spec::TaskPlan& task, std::shared_ptr<const data::Samples> samples);

    // Which samples are not trained with, but validate; may be empty.
    data::Extent heldBack() const { return split_.validation; }
    // Samples of the largest one.
    std::int64_t largest() const { return pipeline_.largestBatch(); }
    // Steps of an epoch, the same on all replicas: one whose data end first takes part with empty batches until no one has any, so the
    // longest pass counts. All replicas call it. `collective` is null for a task alone. Throws Error(kInvalidArgument) when there is none.
    std::int64_t stepsPerEpoch(distribute::Collective* collective) const;

    // Goes to the batch that comes after `steps` steps of `epoch`; called before each epoch. With fit.steps_per_epoch, which is then
    // `length`, batches go on over the epochs' borders, and their place is found only once.
    void goTo(std::int32_t epoch, std::int64_t steps, std::int64_t length);
    // With fit.steps_per_epoch: how many batches the task has taken when `steps` steps of `epoch` are done. Otherwise -1: each epoch begins
    // anew.
    std::int64_t takenAt(std::int32_t epoch, std::int64_t steps, std::int64_t length) const;
    // The first goTo() is to the batch behind so many; -1: behind as many as there are steps. Others took part in those, of a run that had
    // another number of replicas.
    void goOnAfter(std::int64_t batches) { taken_ = batches; }
    std::int64_t taken() const { return taken_; }
    // The view points into the set and into this; it is valid until the next call. Throws what decoding threw.
    void next(tensor::BatchView& view) { pipeline_.next(view); }
    // Which samples the last one has: the line of data.log_shards about step `step`, from 1.
    std::string shardLine(std::int64_t step, std::int32_t epoch) const;

private:
    const spec::RunSpec& run_;
    const spec::TaskPlan& task_;
    const data::TrainingSplit split_;
    data::Pipeline pipeline_;
    bool started_ = false;
    std::int64_t taken_ = -1;  // goOnAfter()
    std::int64_t ahead_ = 0;   // of the steps: batches that were taken more than those, or (below 0) fewer
};

}  // namespace engine::train
