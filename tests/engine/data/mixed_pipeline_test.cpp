// The batches that training gets where data.mix is set: on any number of replicas and devices, in memory or decoded, from the beginning of
// a pass or from its middle.
#include <algorithm>
#include <map>
#include <numeric>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/mixing/mixed_batches.h"
#include "engine/data/pipeline.h"
#include "engine/data/read_report.h"
#include "engine/spec/error.h"
#include "tests/support/near.h"

namespace engine::data {
namespace {

using tests::support::isNear;

constexpr std::int64_t kSamples = 50, kRows = 4, kColumns = 5, kClasses = 3;
constexpr std::size_t kElements = kRows * kColumns;

std::byte pixel(std::int64_t sample, std::size_t place) {
    return static_cast<std::byte>((static_cast<std::size_t>(sample) * 37 + place * 11) % 251);
}

std::shared_ptr<Samples> images() {
    auto samples = std::make_shared<Samples>();
    samples->source = samples->label_source = "images";
    samples->count = kSamples;
    samples->sample_shape = {kRows, kColumns};
    samples->samples = ByteBuffer(kSamples * kElements);
    samples->labels = ByteBuffer(kSamples);
    for (std::int64_t i = 0; i < kSamples; ++i) {
        for (std::size_t k = 0; k < kElements; ++k) samples->samples.data()[static_cast<std::size_t>(i) * kElements + k] = pixel(i, k);
        samples->labels.data()[i] = static_cast<std::byte>(i % kClasses);
    }
    oneHotLabels(*samples, kClasses);
    return samples;
}

// The same samples, decoded when they are asked for; one of them may be damaged.
class Decoder final : public SampleDecoder {
public:
    explicit Decoder(std::int64_t damaged) : damaged_(damaged) {}
    void decode(std::int64_t index, std::byte* into) const override {
        if (index == damaged_) throw Error(ErrorCode::kDataLoss, "sample " + std::to_string(index));
        for (std::size_t k = 0; k < kElements; ++k) into[k] = pixel(index, k);
    }

private:
    const std::int64_t damaged_;
};

std::shared_ptr<Samples> decoded(bool cached, std::int64_t damaged = -1) {
    auto samples = images();
    samples->samples = {};
    samples->decoder = std::make_shared<Decoder>(damaged);
    samples->report = std::make_shared<ReadReport>(spec::BadRecord::kSkip);
    if (cached) samples->cache = std::make_shared<DecodedCache>(kElements, kSamples);
    return samples;
}

spec::DataSpec mixedBy(const spec::ObjectSpec& mix) {
    spec::DataSpec data;
    data.shuffle = 20;
    data.decode_threads = 2;
    data.mix = mix;
    return data;
}

const spec::ObjectSpec kMixUp{"MixUp", {{"alpha", 1.0}}}, kCutMix{"CutMix", {}};

struct Sample {
    std::vector<float> values, label;
    friend bool operator==(const Sample&, const Sample&) = default;
};
using Step = std::map<std::uint32_t, Sample>;  // by the sample's number in the set

// Adds the pipeline's next batch to a step, each sample as an executor would gather it.
bool gather(Pipeline& pipeline, Step& step) {
    tensor::BatchView view;
    if (!pipeline.next(view)) return false;
    EXPECT_EQ(view.sample_dtype, tensor::DType::kFloat32);
    EXPECT_EQ(view.label_dtype, tensor::DType::kFloat32);
    EXPECT_EQ(view.set, 0U) << "no executor may keep it";
    EXPECT_EQ(view.scales, nullptr);
    const std::span<const std::uint32_t> numbers = view.numbersInSet();
    EXPECT_TRUE(std::ranges::equal(numbers, pipeline.elements())) << "random layers draw by them";
    for (std::size_t i = 0; i < view.indices.size(); ++i) {
        const auto* values = reinterpret_cast<const float*>(view.samples) + view.indices[i] * kElements;
        const auto* label = reinterpret_cast<const float*>(view.labels) + static_cast<std::size_t>(view.indices[i]) * kClasses;
        Sample sample{{values, values + kElements}, {label, label + kClasses}};
        for (float& value : sample.values) value = value * view.scale + view.offset;
        EXPECT_TRUE(step.emplace(numbers[i], std::move(sample)).second) << "twice in a batch";
    }
    return true;
}

std::vector<Step> passOf(Pipeline& pipeline, std::uint64_t pass) {
    pipeline.start(pass);
    std::vector<Step> steps;
    for (Step step; gather(pipeline, step); step.clear()) steps.push_back(step);
    return steps;
}

std::vector<Step> alone(const spec::DataSpec& data, std::uint64_t pass = 0, std::uint64_t seed = 4) {
    Pipeline pipeline = trainingPipeline(data, images(), {0, kSamples}, {.global_batch = 12, .seed = seed});
    return passOf(pipeline, pass);
}

TEST(MixedPipeline, MixesLabelsByTheSharesOfValues) {
    const std::vector<Step> steps = alone(mixedBy(kMixUp)), plain = [] {
        std::vector<Step> all(1);
        for (std::int64_t i = 0; i < kSamples; ++i) {
            Sample& sample = all[0][static_cast<std::uint32_t>(i)];
            for (std::size_t k = 0; k < kElements; ++k) sample.values.push_back(std::to_integer<int>(pixel(i, k)) / 255.0F);
            sample.label.resize(kClasses);
            sample.label[static_cast<std::size_t>(i % kClasses)] = 1;
        }
        return all;
    }();
    ASSERT_EQ(steps.size(), 5U);
    EXPECT_EQ(steps.back().size(), 2U);
    int mixed = 0;
    for (const Step& step : steps) {
        for (const auto& [number, sample] : step) {
            EXPECT_NEAR(std::accumulate(sample.label.begin(), sample.label.end(), 0.0F), 1, 1e-6);
            // Some partner of the batch and some share explain all values.
            bool is_explained = false;
            for (const auto& [partner, other] : step) {
                const Sample &own = plain[0].at(number), &mate = plain[0].at(partner);
                for (std::size_t k = 0; k < kElements && !is_explained; ++k) {
                    if (own.values[k] == mate.values[k]) continue;
                    const float share = (sample.values[k] - mate.values[k]) / (own.values[k] - mate.values[k]);
                    bool fits = share > -1e-4F && share < 1.0001F;
                    for (std::size_t j = 0; j < kElements && fits; ++j)
                        fits = std::abs(share * own.values[j] + (1 - share) * mate.values[j] - sample.values[j]) < 1e-4F;
                    for (std::size_t j = 0; j < kClasses && fits; ++j)
                        fits = std::abs(share * own.label[j] + (1 - share) * mate.label[j] - sample.label[j]) < 2e-3F;
                    is_explained = fits;
                    break;
                }
                is_explained =
                    is_explained || (partner == number && isNear(sample.values, own.values, 1e-6) && isNear(sample.label, own.label, 1e-6));
            }
            EXPECT_TRUE(is_explained) << number;
            mixed += isNear(sample.values, plain[0].at(number).values, 1e-4) ? 0 : 1;
        }
    }
    EXPECT_GT(mixed, 30);
}

TEST(MixedPipeline, CutsOutOfOnePartner) {
    int cut = 0;
    for (const Step& step : alone(mixedBy(kCutMix))) {
        for (const auto& [number, sample] : step) {
            EXPECT_NEAR(std::accumulate(sample.label.begin(), sample.label.end(), 0.0F), 1, 1e-6);
            std::size_t foreign = 0;
            for (std::size_t k = 0; k < kElements; ++k) {
                const auto is = [&](std::uint32_t which) {
                    return std::abs(sample.values[k] - std::to_integer<int>(pixel(which, k)) / 255.0F) < 1e-6F;
                };
                if (is(number)) continue;
                ++foreign;
                EXPECT_TRUE(std::ranges::any_of(step, [&](const auto& other) { return is(other.first); })) << number << " " << k;
            }
            cut += foreign > 0 && foreign < kElements ? 1 : 0;
        }
    }
    EXPECT_GT(cut, 5);
}

// What a sample becomes does not depend on who trains with it.
TEST(MixedPipeline, GivesReplicasAndDevicesTheirPartsOfOneMixture) {
    for (const spec::ObjectSpec& mix : {kMixUp, kCutMix}) {
        const spec::DataSpec data = mixedBy(mix);
        const std::vector<Step> expected = alone(data, 2);
        for (const auto& [replicas, devices] : {std::pair{1, 2}, {1, 5}, {2, 1}, {3, 1}, {2, 3}, {5, 2}}) {
            for (const int storage : {0, 1, 2}) {  // in memory, decoded, decoded into a cache
                SCOPED_TRACE(mix.class_name + " " + std::to_string(replicas) + " x " + std::to_string(devices) + " storage " +
                             std::to_string(storage));
                std::vector<Step> steps(expected.size());
                for (int index = 0; index < replicas; ++index) {
                    Pipeline pipeline =
                        trainingPipeline(data, storage == 0 ? images() : decoded(storage == 2), {0, kSamples},
                                         {.replicas = replicas, .index = index, .devices = devices, .global_batch = 12, .seed = 4});
                    pipeline.start(2);
                    for (Step& step : steps) EXPECT_TRUE(gather(pipeline, step));
                    Step none;
                    EXPECT_FALSE(gather(pipeline, none));
                }
                EXPECT_EQ(steps, expected);
            }
        }
    }
}

TEST(MixedPipeline, GoesOnBehindBatchesThatWereSkipped) {
    for (const bool endless : {false, true}) {
        for (const int storage : {0, 1}) {
            const auto make = [&] {
                return trainingPipeline(mixedBy(kMixUp), storage == 0 ? images() : decoded(false), {0, kSamples},
                                        {.replicas = 2, .index = 1, .global_batch = 12, .endless = endless, .seed = 4});
            };
            Pipeline whole = make(), resumed = make();
            whole.start(3);
            resumed.start(3);
            Step passed;
            for (int i = 0; i < 3; ++i) {
                gather(whole, passed);
                passed.clear();
            }
            resumed.skip(3);
            for (int i = 0; i < 2; ++i) {
                Step one, other;
                EXPECT_TRUE(gather(whole, one) && gather(resumed, other));
                EXPECT_EQ(one, other);
            }
        }
    }
}

TEST(MixedPipeline, MixesEveryEpochAnewByItsSeedAlone) {
    spec::DataSpec data = mixedBy(kMixUp);
    data.shuffle = 0;  // the same batches in all epochs
    EXPECT_EQ(alone(data, 0), alone(data, 0));
    EXPECT_NE(alone(data, 0), alone(data, 1));
    EXPECT_NE(alone(data, 0, 4), alone(data, 0, 5)) << "the run's seed";
    data.mix.config.set("seed", std::int64_t{7});
    EXPECT_EQ(alone(data, 0, 4), alone(data, 0, 5)) << "a seed of its own";
    const std::vector<Step> seventh = alone(data);
    data.mix.config.set("seed", std::int64_t{8});
    EXPECT_NE(alone(data), seventh);
}

// With OFF each worker has batches of its own, which it mixes by numbers of its own.
TEST(MixedPipeline, MixesBatchesThatAWorkerReadsByItself) {
    spec::DataSpec data = mixedBy(kMixUp);
    data.shuffle = 0;
    data.auto_shard = spec::AutoShardPolicy::kOff;
    const auto first = [&](int index) {
        Pipeline pipeline = trainingPipeline(data, images(), {0, kSamples}, {.replicas = 2, .index = index, .global_batch = 12, .seed = 4});
        Step step;
        EXPECT_TRUE(gather(pipeline, step));
        return step;
    };
    const Step one = first(0), other = first(1);
    ASSERT_EQ(one.size(), 6U);
    EXPECT_NE(one, other);
    EXPECT_EQ(one.begin()->first, other.begin()->first);
}

TEST(MixedPipeline, LeavesSamplesThatAreEvaluatedAsTheyAre) {
    const auto samples = images();
    Pipeline pipeline = evaluationPipeline(mixedBy(kMixUp), samples, {0, kSamples}, 1, 0, 8);
    tensor::BatchView view;
    ASSERT_TRUE(pipeline.next(view));
    EXPECT_EQ(view.samples, samples->samples.data());
    EXPECT_EQ(view.labels, samples->labels.data());
    EXPECT_EQ(view.sample_dtype, tensor::DType::kUInt8);
}

// (x * scale - mean) / std by channel, then the mixture: whole samples that are their own partners show it.
TEST(MixedPipeline, ScalesBeforeItMixes) {
    spec::DataSpec data = mixedBy(kMixUp);
    data.shuffle = 0;
    data.scale = 0.5;
    data.mean = {1, 2, 3, 4, 5};
    data.std = {2};
    Pipeline pipeline = trainingPipeline(data, images(), {7, 8}, {.global_batch = 1});
    Step step;
    ASSERT_TRUE(gather(pipeline, step));
    const std::vector<float>& values = step.at(7).values;
    for (std::size_t k = 0; k < kElements; ++k) {
        const double expected = (std::to_integer<int>(pixel(7, k)) * 0.5 - static_cast<double>(k % 5 + 1)) / 2;
        EXPECT_NEAR(values[k], expected, 1e-4) << k;
    }
}

TEST(MixedPipeline, HasOneBatchInMemory) {
    Pipeline pipeline = trainingPipeline(mixedBy(kCutMix), images(), {0, kSamples}, {.global_batch = 12});
    tensor::BatchView first, later;
    pipeline.start(0);
    ASSERT_TRUE(pipeline.next(first));
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(pipeline.next(later));
        EXPECT_EQ(later.samples, first.samples);
        EXPECT_EQ(later.labels, first.labels);
        EXPECT_EQ(later.sample_elements, static_cast<std::int64_t>(kElements));
    }
    Pipeline moved = std::move(pipeline);
    ASSERT_TRUE(moved.next(later));
    EXPECT_EQ(later.indices.size(), 2U);
    EXPECT_FALSE(moved.next(later));
    EXPECT_TRUE(later.indices.empty());
}

// A sample that can't be read is left out, and who was to be mixed with it stays as it is.
TEST(MixedPipeline, DoesWithoutADamagedPartner) {
    spec::DataSpec data = mixedBy(kMixUp);
    data.shuffle = 0;
    constexpr std::uint32_t kDamaged = 3;
    for (const bool cached : {false, true}) {
        Pipeline pipeline = trainingPipeline(data, decoded(cached, kDamaged), {0, kSamples}, {.global_batch = 12, .seed = 4});
        Step step;
        ASSERT_TRUE(gather(pipeline, step));
        EXPECT_EQ(step.size(), 11U);
        EXPECT_FALSE(step.contains(kDamaged));
        const BatchStreamPtr stream = trainingBatches(data, *images(), {0, kSamples}, {.global_batch = 12, .seed = 4});
        std::span<const std::uint32_t> batch;
        stream->start(0);
        ASSERT_TRUE(stream->next(batch));
        const Step whole = alone(data).front();
        int left = 0;
        for (std::uint32_t i = 0; i < 12; ++i) {
            if (i == kDamaged) continue;
            if (stream->mixings()[i].partner != kDamaged) {
                EXPECT_EQ(step.at(i), whole.at(i));
                continue;
            }
            ++left;
            for (std::size_t k = 0; k < kElements; ++k) EXPECT_NEAR(step.at(i).values[k], std::to_integer<int>(pixel(i, k)) / 255.0F, 1e-6);
            EXPECT_NEAR(step.at(i).label[i % kClasses], 1, 1e-6);
        }
        EXPECT_LE(left, 1);
    }
}

// The numbers of a worker's own elements, and the partners of all, are those that everybody draws.
TEST(MixedBatches, DrawsTheSharesOfItsPiecesAlone) {
    const MixRule rule{.settings = {}, .image = {}, .seed = 9};
    const BatchStreamPtr whole = mixBatches(batch(range(0, 50), 12), rule, 0);
    whole->start(1);
    for (const auto& [workers, devices] : {std::pair{3, 1}, {2, 2}, {5, 1}}) {
        for (int index = 0; index < workers; ++index) {
            const Pieces pieces{workers, index, devices};
            const BatchStreamPtr own = mixBatches(batch(range(0, 50), 12), rule, 0, pieces);
            std::span<const std::uint32_t> expected, got;
            whole->start(1);
            own->start(1);
            while (whole->next(expected)) {
                ASSERT_TRUE(own->next(got));
                EXPECT_THAT(got, testing::ElementsAreArray(expected)) << "a partner may be anywhere";
                const std::span<const Mixing> all = whole->mixings(), some = own->mixings();
                ASSERT_EQ(some.size(), all.size());
                for (std::size_t i = 0; i < all.size(); ++i) EXPECT_EQ(some[i].partner, all[i].partner) << i;
                for (int device = 0; device < devices; ++device) {
                    const Pieces::Place place = pieces.of(all.size(), device);
                    for (std::size_t i = place.begin; i < place.begin + place.size; ++i) EXPECT_EQ(some[i], all[i]) << i;
                }
            }
        }
    }
}

TEST(MixedBatches, TellsPartnersOfOtherReplicasAsGuests) {
    spec::DataSpec data = mixedBy(kMixUp);
    const ReplicaShare share{.replicas = 3, .index = 1, .global_batch = 12, .seed = 4};
    const BatchStreamPtr stream = trainingBatches(data, *images(), {0, kSamples}, share);
    EXPECT_TRUE(stream->isMixed());
    EXPECT_EQ(stream->mostGuests(), 4);
    std::span<const std::uint32_t> batch;
    std::size_t guests = 0;
    stream->start(0);
    while (stream->next(batch)) {
        ASSERT_EQ(stream->mixings().size(), batch.size());
        for (const Mixing& mixing : stream->mixings()) EXPECT_LT(mixing.partner, batch.size() + stream->guests().size());
        for (const std::uint32_t guest : stream->guests()) EXPECT_FALSE(std::ranges::count(batch, guest));
        guests += stream->guests().size();
    }
    EXPECT_GT(guests, 0U);
    data.mix = {};
    EXPECT_FALSE(trainingBatches(data, *images(), {0, kSamples}, share)->isMixed());
}

}  // namespace
}  // namespace engine::data
