// Every order of the pipeline's steps against a plain model of tf.data: lists of lists, a pass at a time.
#include <algorithm>
#include <array>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/ones.h"
#include "engine/data/pipeline.h"
#include "engine/data/shard_preview.h"
#include "engine/spec/error.h"
#include "engine/spec/project/data_order.h"

namespace engine::data {
namespace {

using enum spec::DataStep;
using Batches = std::vector<std::vector<std::uint32_t>>;

constexpr std::int64_t kSamples = 23, kBatchSize = 4;
constexpr std::size_t kSeen = 30;   // batches of an endless set that are compared
constexpr std::size_t kLong = 160;  // items that stand for no end
constexpr std::uint64_t kSeed = 5;

// What a list of items is after a shuffle: the order that the element stream gives to as many positions.
Batches shuffled(const Batches& items, std::int64_t buffer, std::uint64_t pass) {
    const ElementStreamPtr order = shuffle(range(0, static_cast<std::uint32_t>(items.size())), buffer, kSeed);
    order->start(pass);
    std::vector<std::uint32_t> positions(items.size());
    EXPECT_EQ(order->read(positions), items.size());
    Batches result;
    for (const std::uint32_t position : positions) {
        result.push_back(items[position]);
    }
    return result;
}

class PlainModel {
public:
    PlainModel(const spec::DataSpec& data, spec::Passes passes) : data_(data), passes_(passes) {}
    Batches pass(std::uint64_t number) const { return through(data_.order.size(), number); }

private:
    // Through the first `steps` of the order.
    Batches through(std::size_t steps, std::uint64_t pass) const {
        if (steps == 0) {
            Batches items;
            for (std::uint32_t i = 0; i < kSamples; ++i) {
                items.push_back({i});
            }
            return items;
        }
        const spec::DataStep step = data_.order[steps - 1];
        if (step == kCache && data_.cache) {
            return through(steps - 1, 0);  // filled by the first pass
        }
        if (step == kRepeat && passes_ == spec::Passes::kEndless) {
            Batches items;
            for (std::uint64_t round = 0; items.size() < kLong; ++round) {
                const Batches more = through(steps - 1, round);
                if (more.empty()) {
                    break;
                }
                items.insert(items.end(), more.begin(), more.end());
            }
            return items;
        }
        Batches items = through(steps - 1, pass);
        if (step == kTake && data_.take > 0 && std::ssize(items) > data_.take) {
            items.resize(static_cast<std::size_t>(data_.take));
        } else if (step == kShuffle && data_.shuffle > 0) {
            items = shuffled(items, data_.shuffle, pass);
        } else if (step == kBatch) {
            items = batched(items);
        }
        return items;
    }
    Batches batched(const Batches& items) const {
        Batches result;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (i % kBatchSize == 0) {
                result.emplace_back();
            }
            result.back().push_back(items[i].front());
        }
        if (data_.drop_remainder && !result.empty() && std::ssize(result.back()) < kBatchSize) {
            result.pop_back();
        }
        return result;
    }

    const spec::DataSpec& data_;
    const spec::Passes passes_;
};

Batches engineBatches(const spec::DataSpec& data, const ReplicaShare& share, std::uint64_t pass, std::size_t skipped = 0) {
    const Samples samples = ones(kSamples);
    const TrainingSplit split = splitTraining(data, samples.count);
    const BatchStreamPtr stream = trainingBatches(data, samples, split.train, share);
    std::span<const std::uint32_t> batch;
    stream->start(pass);
    Batches batches;
    for (std::size_t i = 0; i < kSeen && stream->next(batch); ++i) {
        if (i >= skipped) {
            batches.emplace_back(batch.begin(), batch.end());
        }
    }
    return batches;
}

// Calls with each order of the steps that see more than one sample, the maps in front, prefetch at the end.
template <typename Each>
int forEachLegalOrder(spec::DataSpec& data, spec::Passes passes, const Each& each) {
    std::array steps{kTake, kCache, kShuffle, kRepeat, kBatch};
    std::sort(steps.begin(), steps.end());
    int legal = 0;
    do {
        data.order = {kScale, kNormalize, kOneHot};
        data.order.insert(data.order.end(), steps.begin(), steps.end());
        data.order.push_back(kPrefetch);
        if (!hasErrors(orderFindings(data, passes))) {
            each();
            ++legal;
        }
    } while (std::next_permutation(steps.begin(), steps.end()));
    return legal;
}

std::string chainOf(const spec::DataSpec& data, spec::Passes passes) {
    spec::RunSpec run;
    run.data = data;
    run.fit.steps_per_epoch = passes == spec::Passes::kEndless ? 3 : 0;
    return chainText(run, kBatchSize);
}

TEST(DataOrder, MakesTheBatchesOfTfDatasChain) {
    for (const spec::Passes passes : {spec::Passes::kOneAnEpoch, spec::Passes::kEndless}) {
        for (const std::int64_t take : {0, 3}) {
            for (const bool drops : {false, true}) {
                spec::DataSpec data;
                data.take = take;
                data.shuffle = 6;
                data.drop_remainder = drops;
                const int legal = forEachLegalOrder(data, passes, [&] {
                    for (const std::uint64_t pass : {0U, 1U}) {
                        if (passes == spec::Passes::kEndless && pass > 0) {
                            continue;
                        }
                        Batches expected = PlainModel(data, passes).pass(pass);
                        expected.resize(std::min(expected.size(), kSeen));
                        const ReplicaShare share{.global_batch = kBatchSize, .endless = passes == spec::Passes::kEndless, .seed = kSeed};
                        EXPECT_EQ(engineBatches(data, share, pass), expected) << chainOf(data, passes) << " pass " << pass;
                    }
                });
                EXPECT_EQ(legal, passes == spec::Passes::kOneAnEpoch ? 120 : take == 0 ? 60 : 40);
            }
        }
    }
}

// DATA: what the workers see together is what one would see alone.
TEST(DataOrder, IsSharedByWorkersInEachOrder) {
    spec::DataSpec data;
    data.take = 3;
    data.shuffle = 6;
    for (const spec::Passes passes : {spec::Passes::kOneAnEpoch, spec::Passes::kEndless}) {
        const bool endless = passes == spec::Passes::kEndless;
        forEachLegalOrder(data, passes, [&] {
            const Batches alone = engineBatches(data, {.global_batch = kBatchSize, .endless = endless, .seed = kSeed}, 1);
            std::vector<Batches> workers;
            for (int index : {0, 1}) {
                workers.push_back(
                    engineBatches(data, {.replicas = 2, .index = index, .global_batch = kBatchSize, .endless = endless, .seed = kSeed}, 1));
            }
            ASSERT_EQ(workers[0].size(), alone.size()) << chainOf(data, passes);
            for (std::size_t i = 0; i < alone.size(); ++i) {
                std::vector<std::uint32_t> both = workers[0][i];
                both.insert(both.end(), workers[1][i].begin(), workers[1][i].end());
                EXPECT_EQ(both, alone[i]) << chainOf(data, passes) << " batch " << i;
            }
        });
    }
}

// A pass that goes on after n batches, as after an interruption, is the rest of the whole pass; nothing but the seed decides.
TEST(DataOrder, GoesOnInTheMiddleOfEachOrder) {
    spec::DataSpec data;
    data.take = 3;
    data.shuffle = 6;
    for (const spec::Passes passes : {spec::Passes::kOneAnEpoch, spec::Passes::kEndless}) {
        const bool endless = passes == spec::Passes::kEndless;
        forEachLegalOrder(data, passes, [&] {
            const auto samples = std::make_shared<const Samples>(ones(kSamples));
            const TrainingSplit split = splitTraining(data, kSamples);
            const ReplicaShare share{.global_batch = kBatchSize, .endless = endless, .seed = kSeed};
            Pipeline whole = trainingPipeline(data, samples, split.train, share),
                     resumed = trainingPipeline(data, samples, split.train, share);
            const std::int64_t skipped =
                std::min<std::int64_t>(5, whole.batchesPerPass() == ElementStream::kEndless ? 5 : whole.batchesPerPass());
            tensor::BatchView view, again;
            whole.start(1);
            for (std::int64_t i = 0; i < skipped; ++i) {
                whole.next(view);
            }
            resumed.start(1);
            resumed.skip(skipped);
            for (int i = 0; i < 7; ++i) {
                const bool more = whole.next(view);
                ASSERT_EQ(resumed.next(again), more);
                EXPECT_EQ(std::vector(view.indices.begin(), view.indices.end()), std::vector(again.indices.begin(), again.indices.end()))
                    << chainOf(data, passes);
            }
        });
    }
}

TEST(DataOrder, CountsTheStepsThatTheEngineMakes) {
    Samples samples = ones(kSamples);
    for (const bool has_files : {false, true}) {
        samples.files = has_files ? std::vector<Extent>{{0, 9}, {9, 10}, {10, 23}} : std::vector<Extent>{};
        for (const auto policy : {spec::AutoShardPolicy::kAuto, spec::AutoShardPolicy::kData, spec::AutoShardPolicy::kOff}) {
            for (const double split : {0.0, 0.3}) {
                for (const std::int64_t take : {0, 2, 11, 100}) {
                    spec::RunSpec run;
                    run.data.auto_shard = policy;
                    run.data.shuffle = 6;
                    run.data.validation_split = split;
                    run.data.take = take;
                    run.data.batch_size_per_replica = 2;
                    forEachLegalOrder(run.data, spec::Passes::kOneAnEpoch, [&] {
                        std::vector<spec::TaskPlan> tasks(2);
                        for (int rank : {0, 1}) {
                            spec::TaskPlan& task = tasks[static_cast<std::size_t>(rank)];
                            task.rank = rank;
                            task.replicas = 2;
                            task.global_batch_size = 4;
                        }
                        spec::SetSize size{kSamples, {}};
                        for (const Extent& file : samples.files) {
                            size.files.push_back(file.end - file.begin);
                        }
                        EXPECT_EQ(stepsPerEpoch(run, size, 2), epochSteps(run, samples, tasks))
                            << chainOf(run.data, spec::Passes::kOneAnEpoch) << " files " << has_files << " split " << split;
                    });
                }
            }
        }
    }
}

TEST(DataOrder, RefusesAnOrderThatIsNotPossible) {
    spec::DataSpec data;
    data.order = {kTake, kScale, kNormalize, kOneHot, kRepeat, kCache, kShuffle, kBatch, kPrefetch};
    EXPECT_NO_THROW(engineBatches(data, {.global_batch = 4}, 0));
    try {
        engineBatches(data, {.global_batch = 4, .endless = true}, 0);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), testing::HasSubstr("data.order: cache: expected it before repeat, got it behind"));
    }
    data.order.clear();
    EXPECT_THROW(engineBatches(data, {.global_batch = 4}, 0), Error);
}

TEST(DataOrder, NormalisesBeforeItScales) {
    spec::DataSpec data;
    data.scale = 3;
    data.offset = 5;
    data.mean = {2};
    data.std = {4};
    EXPECT_EQ(sampleMap(data, ones(1)).all, (AffineMap{0.75, 0.75}));  // (x * 3 + 5 - 2) / 4
    data.order = {kTake, kNormalize, kScale, kOneHot, kCache, kShuffle, kRepeat, kBatch, kPrefetch};
    EXPECT_EQ(sampleMap(data, ones(1)).all, (AffineMap{0.75, 3.5}));  // (x - 2) / 4 * 3 + 5
}

}  // namespace
}  // namespace engine::data
