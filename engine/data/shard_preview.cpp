#include "engine/data/shard_preview.h"

#include <algorithm>
#include <utility>

#include "engine/data/pipeline.h"
#include "engine/spec/error.h"

namespace engine::data {

namespace {

std::vector<BatchStreamPtr> streamsOf(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks) {
    const TrainingSplit split = splitTraining(run.data, training.count);
    std::vector<BatchStreamPtr> streams;
    for (const spec::TaskPlan& task : tasks) {
        ReplicaShare share = shareOf(run, task);
        share.seed = static_cast<std::uint64_t>(spec::orderSeed(run, task));
        streams.push_back(trainingBatches(run.data, training, split.train, share));
    }
    return streams;
}

std::int64_t longestPass(const spec::RunSpec& run, const std::vector<BatchStreamPtr>& streams) {
    std::int64_t steps = run.fit.steps_per_epoch;
    for (const BatchStreamPtr& stream : streams) {
        steps = run.fit.steps_per_epoch > 0 ? steps : std::max(steps, stream->count());
    }
    if (steps <= 0) {
        throw Error(ErrorCode::kInvalidArgument, "data: the training samples make no whole batch, expected at least one");
    }
    return steps;
}

}  // namespace

std::int64_t epochSteps(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks) {
    return longestPass(run, streamsOf(run, training, tasks));
}

std::vector<ShardStep> previewShards(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks,
                                     std::int64_t steps) {
    const std::vector<BatchStreamPtr> streams = streamsOf(run, training, tasks);
    const std::int64_t per_epoch = longestPass(run, streams);
    const bool has_devices = std::any_of(tasks.begin(), tasks.end(), [](const spec::TaskPlan& task) { return task.devices.size() > 1; });
    std::span<const std::uint32_t> batch;
    std::vector<ShardStep> preview;
    const std::int64_t before = run.fit.initial_weights.empty() ? 0 : run.fit.initial_epoch;  // epochs of a training that goes on
    for (std::int64_t epoch = run.fit.initial_epoch; epoch < run.fit.epochs && std::ssize(preview) < steps; ++epoch) {
        const bool is_first = epoch == run.fit.initial_epoch;
        for (const BatchStreamPtr& stream : streams) {
            if (run.fit.steps_per_epoch == 0) {
                stream->start(static_cast<std::uint64_t>(epoch));
            } else if (is_first) {  // an endless stream goes on over the epochs' borders
                stream->start(0);
                for (std::int64_t skipped = 0; skipped < before * per_epoch; ++skipped) {
                    stream->next(batch);
                }
            }
        }
        for (std::int64_t i = 0; i < per_epoch && std::ssize(preview) < steps; ++i) {
            ShardStep step{.step = epoch * per_epoch + i + 1, .epoch = epoch, .elements = {}};
            for (const BatchStreamPtr& stream : streams) {
                const bool more = stream->next(batch);
                const std::span<const std::uint32_t> parts = more ? stream->parts() : std::span<const std::uint32_t>();
                step.elements.emplace_back(batch.begin(), more ? batch.end() : batch.begin());
                if (has_devices) {
                    step.parts.emplace_back(parts.begin(), parts.end());
                }
            }
            preview.push_back(std::move(step));
        }
    }
    return preview;
}

}  // namespace engine::data
