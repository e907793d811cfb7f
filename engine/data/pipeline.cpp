#include "engine/data/pipeline.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

// The entry of `values` for a channel: one number stands for all.
double entryOf(const std::vector<double>& values, std::int64_t channel, double fallback) {
    if (values.empty()) {
        return fallback;
    }
    return values[values.size() == 1 ? 0 : static_cast<std::size_t>(channel)];
}

AffineMap channelMap(const spec::DataSpec& data, std::int64_t channel) {
    const double std = entryOf(data.std, channel, 1);
    return AffineMap{data.scale, data.offset}.then({1 / std, -entryOf(data.mean, channel, 0) / std});
}

DecodeOptions decodingOf(const spec::DataSpec& data) {
    const std::int64_t cores = std::max(1U, std::thread::hardware_concurrency());
    return {.batches_ahead = data.prefetch, .threads = static_cast<int>(data.decode_threads > 0 ? data.decode_threads : cores)};
}

// What of the files lies in `part`.
std::vector<Extent> within(std::vector<Extent> files, Extent part) {
    for (Extent& file : files) {
        file.begin = std::clamp(file.begin, part.begin, part.end);
        file.end = std::clamp(file.end, part.begin, part.end);
    }
    return files;
}

}  // namespace

SampleMap sampleMap(const spec::DataSpec& data, const Samples& samples) {
    const std::int64_t channels = samples.sample_shape.empty() ? 1 : samples.sample_shape.back();
    for (const auto& [name, values] : {std::pair{"data.mean", &data.mean}, std::pair{"data.std", &data.std}}) {
        if (values->size() > 1 && static_cast<std::int64_t>(values->size()) != channels) {
            throw Error(ErrorCode::kInvalidArgument, std::string(name) + ": expected 1 or " + std::to_string(channels) +
                                                         " numbers for samples of shape " + toString(samples.sample_shape) + ", got " +
                                                         std::to_string(values->size()));
        }
    }
    SampleMap map{channelMap(data, 0), {}, {}};
    if (data.mean.size() <= 1 && data.std.size() <= 1) {
        return map;
    }
    const std::int64_t elements = elementsOf(samples.sample_shape);
    for (std::int64_t k = 0; k < elements; ++k) {
        const AffineMap one = channelMap(data, k % channels);
        map.scales.push_back(static_cast<float>(one.scale));
        map.offsets.push_back(static_cast<float>(one.offset));
    }
    return map;
}

Pipeline::Pipeline(std::shared_ptr<const Samples> samples, SampleMap map, BatchStreamPtr batches, const DecodeOptions& decoding)
    : samples_(std::move(samples)), map_(std::move(map)), batches_(std::move(batches)), view_(samples_->view()) {
    view_.scale = static_cast<float>(map_.all.scale);
    view_.offset = static_cast<float>(map_.all.offset);
    if (!map_.scales.empty()) {
        view_.scales = map_.scales.data();
        view_.offsets = map_.offsets.data();
    }
    if (samples_->decoder != nullptr) {
        ahead_ = std::make_unique<DecodeAhead>(samples_, *batches_, decoding);
    }
    batches_->start(0);
}

void Pipeline::start(std::uint64_t pass) {
    if (ahead_ != nullptr) {
        ahead_->restart();
    }
    batches_->start(pass);
}

bool Pipeline::next(tensor::BatchView& view) {
    view = view_;
    if (ahead_ != nullptr) {
        return ahead_->next(view, elements_);
    }
    std::span<const std::uint32_t> indices;
    const bool more = batches_->next(indices);
    elements_ = view.indices = more ? indices : std::span<const std::uint32_t>();
    return more;
}

void Pipeline::skip(std::int64_t batches) {
    std::span<const std::uint32_t> indices;
    for (std::int64_t i = 0; i < batches; ++i) {
        batches_->next(indices);
    }
}

TrainingSplit splitTraining(const spec::DataSpec& data, std::int64_t samples) {
    const std::int64_t used = data.take > 0 ? std::min(data.take, samples) : samples;
    const auto kept = static_cast<std::int64_t>(std::floor(static_cast<double>(used) * (1.0 - data.validation_split)));
    if (data.validation_split > 0 && (kept <= 0 || kept >= used)) {
        throw Error(ErrorCode::kInvalidArgument,
                    "data.validation_split: " + std::to_string(data.validation_split) + " of " + std::to_string(used) + " samples leaves " +
                        std::to_string(std::max<std::int64_t>(kept, 0)) + " for training, expected at least one on both sides");
    }
    const auto end = static_cast<std::uint32_t>(used);
    const auto border = data.validation_split > 0 ? static_cast<std::uint32_t>(kept) : end;
    return {{0, border}, {border, end}};
}

ReplicaShare shareOf(const spec::RunSpec& run, const spec::TaskPlan& task) {
    return {.replicas = task.replicas,
            .index = task.rank,
            .global_batch = task.global_batch_size,
            .endless = run.fit.steps_per_epoch > 0,
            .seed = static_cast<std::uint64_t>(run.fit.seed)};
}

bool isShardedByFile(const spec::DataSpec& data, const Samples& samples, int replicas) {
    const bool is_asked = data.auto_shard == spec::AutoShardPolicy::kFile;
    if (replicas < 2 || (!is_asked && data.auto_shard != spec::AutoShardPolicy::kAuto)) {
        return false;
    }
    if (is_asked && samples.files.empty()) {
        throw Error(ErrorCode::kInvalidArgument, "data.auto_shard: FILE expects a data set that is read from several files, but \"" +
                                                     data.dataset + "\" is held in memory; use DATA or AUTO");
    }
    return !samples.files.empty();
}

BatchStreamPtr trainingBatches(const spec::DataSpec& data, const Samples& samples, Extent part, const ReplicaShare& share) {
    const bool by_file = isShardedByFile(data, samples, share.replicas);
    const bool sees_everything = data.auto_shard == spec::AutoShardPolicy::kOff;
    const bool own_order = sees_everything && data.seed_per_worker;
    const Remainder remainder = data.drop_remainder ? Remainder::kDrop : Remainder::kKeep;

    ElementStreamPtr elements = by_file ? extents(within(shardFiles(samples.files, share.replicas, share.index), part)) : extents({part});
    if (data.shuffle > 0) {
        elements = shuffle(std::move(elements), data.shuffle, share.seed, own_order ? static_cast<std::uint64_t>(share.index) : 0);
    }
    if (share.endless) {
        elements = repeat(std::move(elements));
    }
    if (sees_everything || by_file) {
        return cycledBatches(std::move(elements), replicaBatchSizes(share.global_batch, share.replicas, share.index), remainder);
    }
    return splitBatches(batch(std::move(elements), share.global_batch, remainder), share.replicas, share.index);
}

Pipeline trainingPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, const ReplicaShare& share) {
    SampleMap map = sampleMap(data, *samples);
    BatchStreamPtr batches = trainingBatches(data, *samples, part, share);
    return {std::move(samples), std::move(map), std::move(batches), decodingOf(data)};
}

Pipeline evaluationPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, int replicas, int index,
                            std::int64_t batch_size) {
    const std::int64_t size = part.end - part.begin;
    const auto border = [&](std::int64_t i) { return static_cast<std::uint32_t>(part.begin + size * i / replicas); };
    BatchStreamPtr batches = batch(extents({{border(index), border(index + 1)}}), batch_size);
    SampleMap map = sampleMap(data, *samples);
    return {std::move(samples), std::move(map), std::move(batches), decodingOf(data)};
}

}  // namespace engine::data
