#include "engine/train/fit/training_batches.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "engine/data/shard_preview.h"
#include "engine/spec/error.h"

namespace engine::train {

TrainingBatches::TrainingBatches(const spec::RunSpec& run, const spec::TaskPlan& task, std::shared_ptr<const data::Samples> samples)
    : run_(run),
      task_(task),
      split_(data::splitTraining(run_.data, samples->count)),
      pipeline_(data::trainingPipeline(run_.data, std::move(samples), split_.train, data::shareOf(run_, task_))) {}

std::int64_t TrainingBatches::stepsPerEpoch(distribute::Collective* collective) const {
    if (run_.fit.steps_per_epoch > 0) {
        return run_.fit.steps_per_epoch;
    }
    std::int64_t steps = pipeline_.batchesPerPass();
    if (collective != nullptr) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(collective->size()));
        collective->allGather(std::as_bytes(std::span(&steps, 1)), std::as_writable_bytes(std::span(all)));
        steps = *std::max_element(all.begin(), all.end());
    }
    if (steps <= 0) {
        throw Error(ErrorCode::kInvalidArgument, "data: " + std::to_string(split_.train.end - split_.train.begin) +
                                                     " training samples make no whole batch of " + std::to_string(task_.global_batch_size) +
                                                     ", expected at least one");
    }
    return steps;
}

void TrainingBatches::goTo(std::int32_t epoch, std::int64_t steps, std::int64_t length) {
    const bool endless = run_.fit.steps_per_epoch > 0;
    if (!endless) {
        pipeline_.start(static_cast<std::uint64_t>(epoch));
        pipeline_.skip(steps);
    } else if (!started_) {
        ahead_ = taken_ < 0 ? 0 : taken_ - (epoch * length + steps);
        pipeline_.start(0);
        pipeline_.skip(epoch * length + steps + ahead_);
    }
    started_ = true;
}

std::int64_t TrainingBatches::takenAt(std::int32_t epoch, std::int64_t steps, std::int64_t length) const {
    return run_.fit.steps_per_epoch > 0 ? epoch * length + steps + ahead_ : -1;
}

std::string TrainingBatches::shardLine(std::int64_t step, std::int32_t epoch) const {
    return "shard: " + data::shardLine(step, epoch, task_.task, pipeline_.elements(), pipeline_.parts());
}

}  // namespace engine::train
