#include "engine/data/pipeline.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/data/mixing/mixed_batches.h"
#include "engine/spec/error.h"
#include "engine/spec/project/data_order.h"
#include "engine/thread/usable_cores.h"

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
    const AffineMap scaled{data.scale, data.offset};
    const AffineMap normalized{1 / std, -entryOf(data.mean, channel, 0) / std};
    return meaningOf(data, spec::Passes::kOneAnEpoch).normalizes_first ? normalized.then(scaled) : scaled.then(normalized);
}

DecodeOptions decodingOf(const spec::DataSpec& data) {
    return {.batches_ahead = data.prefetch, .threads = data.decode_threads > 0 ? static_cast<int>(data.decode_threads) : usableCores()};
}

spec::DataSpec withoutSplit(spec::DataSpec data) {
    data.validation_split = 0;
    return data;
}

void requireLegalOrder(const spec::DataSpec& data, spec::Passes passes) {
    for (const spec::Diagnostic& finding : orderFindings(data, passes)) {
        if (finding.severity == spec::Severity::kError) {
            throw Error(ErrorCode::kInvalidArgument, finding.path + ": " + finding.message);
        }
    }
}

// The steps on their way from elements to batches: what comes behind batch works on batches.
class Chain {
public:
    explicit Chain(ElementStreamPtr elements) : elements_(std::move(elements)) {}

    void take(std::int64_t n) {
        isBatched() ? void(batches_ = takeBatches(std::move(batches_), n)) : void(elements_ = data::take(std::move(elements_), n));
    }
    void shuffle(std::int64_t buffer, std::uint64_t seed, std::uint64_t stream) {
        is_shuffled_ = true;
        isBatched() ? void(batches_ = shuffleBatches(std::move(batches_), buffer, seed, stream))
                    : void(elements_ = data::shuffle(std::move(elements_), buffer, seed, stream));
    }
    void repeat() {
        isBatched() ? void(batches_ = repeatBatches(std::move(batches_))) : void(elements_ = data::repeat(std::move(elements_)));
    }
    // Samples are cached where they are decoded (Samples::cache); here a cache holds the order that it is filled in.
    void cache() {
        if (is_shuffled_) {
            isBatched() ? void(batches_ = frozenBatches(std::move(batches_))) : void(elements_ = frozen(std::move(elements_)));
        }
    }
    void batch(std::vector<std::int64_t> sizes, Remainder remainder, const Pieces& pieces) {
        batches_ = cycledBatches(std::move(elements_), std::move(sizes), remainder, pieces);
    }
    BatchStreamPtr finish() { return std::move(batches_); }

private:
    bool isBatched() const { return batches_ != nullptr; }

    ElementStreamPtr elements_;
    BatchStreamPtr batches_;
    bool is_shuffled_ = false;
};

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

Pipeline::Pipeline(std::shared_ptr<const Samples> samples, SampleMap map, BatchStreamPtr batches, const DecodeOptions& decoding,
                   const std::optional<MixRule>& rule)
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
    ENGINE_CHECK(batches_->isMixed() == rule.has_value());
    if (rule) {
        mixer_ = std::make_unique<BatchMixer>(*rule, *samples_, batches_->largestBatch());
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
    bool more = false;
    std::span<const Mixing> mixings;
    if (ahead_ != nullptr) {
        more = ahead_->next(view, elements_);
        mixings = ahead_->mixings();
    } else if ((more = batches_->next(view.indices))) {
        view.parts = batches_->parts();
        elements_ = view.indices;
        if (mixer_ != nullptr) {
            mixings = mixer_->inSet(batches_->mixings(), elements_, batches_->guests());
        }
    } else {
        elements_ = view.indices = {};
    }
    parts_ = view.parts;
    if (mixer_ != nullptr) {
        mixer_->mix(view, elements_, mixings);
    }
    return more;
}

void Pipeline::skip(std::int64_t batches) {
    std::span<const std::uint32_t> indices;
    for (std::int64_t i = 0; i < batches; ++i) {
        batches_->next(indices);
    }
}

TrainingSplit splitTraining(const spec::DataSpec& data, std::int64_t samples) {
    const std::int64_t used = trainedSamples(withoutSplit(data), samples);
    const std::int64_t kept = trainedSamples(data, samples);
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
            .index = spec::shareOf(task),
            .devices = static_cast<int>(task.devices.size()),
            .global_batch = task.global_batch_size,
            .endless = run.fit.steps_per_epoch > 0,
            .seed = static_cast<std::uint64_t>(run.fit.seed),
            .input = run.model.input_shape};
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
    const spec::Passes passes = share.endless ? spec::Passes::kEndless : spec::Passes::kOneAnEpoch;
    requireLegalOrder(data, passes);
    const bool by_file = isShardedByFile(data, samples, share.replicas);
    const bool sees_everything = data.auto_shard == spec::AutoShardPolicy::kOff;
    const bool own_order = sees_everything && data.seed_per_worker;
    const bool is_split = !sees_everything && !by_file && share.replicas > 1;
    const std::optional<MixRule> rule = mixRule(data, share.input, samples, share.seed);
    // The pieces of this task alone are read, unless they are mixed: a partner may be anywhere in the whole batch.
    const Pieces pieces = is_split ? Pieces{share.replicas, share.index, share.devices} : Pieces{};
    const bool reads_pieces = is_split && !rule;
    const auto sizes = [&] {
        return is_split ? std::vector{share.global_batch} : replicaBatchSizes(share.global_batch, share.replicas, share.index);
    };

    Chain chain(by_file ? extents(within(shardFiles(samples.files, share.replicas, share.index), part)) : extents({part}));
    for (const spec::DataStep step : data.order) {
        if (!isOn(data, passes, step)) {
            continue;
        }
        switch (step) {
            case spec::DataStep::kTake:
                if (!meaningOf(data, passes).take_is_first) {  // else `part` is what it left
                    chain.take(data.take);
                }
                break;
            case spec::DataStep::kCache:
                chain.cache();
                break;
            case spec::DataStep::kShuffle:
                chain.shuffle(data.shuffle, share.seed, own_order ? static_cast<std::uint64_t>(share.index) : 0);
                break;
            case spec::DataStep::kRepeat:
                chain.repeat();
                break;
            case spec::DataStep::kBatch:
                chain.batch(sizes(), data.drop_remainder ? Remainder::kDrop : Remainder::kKeep, reads_pieces ? pieces : Pieces{});
                break;
            case spec::DataStep::kScale:  // these see one sample at a time, while a batch is gathered
            case spec::DataStep::kNormalize:
            case spec::DataStep::kOneHot:
            case spec::DataStep::kPrefetch:
                break;
        }
    }
    BatchStreamPtr batches = chain.finish();
    if (reads_pieces) {
        return batches;
    }
    if (rule) {
        batches = mixBatches(std::move(batches), *rule, is_split ? 0 : static_cast<std::uint64_t>(share.index), pieces);
    }
    // tf.distribute splits the batches of one task as it does a global batch: a smaller one in equal pieces too.
    const bool splits_its_own = share.replicas == 1 && share.devices > 1;
    return is_split || splits_its_own ? splitBatches(std::move(batches), share.replicas, share.index, share.devices)
                                      : dealBatches(std::move(batches), share.devices);
}

Pipeline trainingPipeline(const spec::DataSpec& data, std::shared_ptr<const Samples> samples, Extent part, const ReplicaShare& share) {
    SampleMap map = sampleMap(data, *samples);
    const std::optional<MixRule> rule = mixRule(data, share.input, *samples, share.seed);
    BatchStreamPtr batches = trainingBatches(data, *samples, part, share);
    return {std::move(samples), std::move(map), std::move(batches), decodingOf(data), rule};
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
