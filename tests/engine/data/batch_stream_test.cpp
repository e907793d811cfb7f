#include "engine/data/batch_stream.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

using Batches = std::vector<std::vector<std::uint32_t>>;

// The batches of one pass, at most `limit`.
Batches drain(BatchStream& stream, std::uint64_t pass = 0, std::size_t limit = 100) {
    Batches batches;
    std::span<const std::uint32_t> view;
    stream.start(pass);
    while (batches.size() < limit && stream.next(view)) {
        batches.emplace_back(view.begin(), view.end());
    }
    return batches;
}

// What all workers see: a worker whose data ends first takes part with empty batches until no one has any.
std::vector<Batches> drainTogether(std::vector<BatchStreamPtr> workers) {
    std::vector<Batches> seen;
    std::size_t most = 0;
    for (const BatchStreamPtr& worker : workers) {
        seen.push_back(drain(*worker));
        most = std::max(most, seen.back().size());
    }
    for (Batches& batches : seen) {
        batches.resize(most);
    }
    return seen;
}

TEST(BatchStream, GivesTwoWorkersTheirPartsOfEachGlobalBatch) {
    BatchStreamPtr worker0 = splitBatches(batch(range(0, 10), 4), 2, 0);
    BatchStreamPtr worker1 = splitBatches(batch(range(0, 10), 4), 2, 1);
    EXPECT_EQ(drain(*worker0), (Batches{{0, 1}, {4, 5}, {8}}));
    EXPECT_EQ(drain(*worker1), (Batches{{2, 3}, {6, 7}, {9}}));
    EXPECT_EQ(worker0->count(), 3);
    EXPECT_EQ(worker0->largestBatch(), 2);
}

TEST(BatchStream, TakesShufflesRepeatsAndFreezesWholeBatches) {
    const auto source = [] { return batch(range(0, 10), 3); };
    const Batches plain{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}};
    EXPECT_EQ(drain(*takeBatches(source(), 2)), (Batches{{0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(takeBatches(source(), 2)->count(), 2);
    EXPECT_EQ(takeBatches(source(), 9)->count(), 4);
    EXPECT_EQ(takeBatches(repeatBatches(source()), 6)->count(), 6);
    EXPECT_EQ(drain(*repeatBatches(source()), 0, 6), (Batches{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {9}, {0, 1, 2}, {3, 4, 5}}));
    EXPECT_EQ(repeatBatches(source())->count(), ElementStream::kEndless);
    EXPECT_TRUE(drain(*repeatBatches(batch(range(0, 2), 3, Remainder::kDrop))).empty());
    EXPECT_EQ(repeatBatches(batch(range(0, 2), 3, Remainder::kDrop))->count(), 0);

    const BatchStreamPtr mixed = shuffleBatches(source(), 4, 7);
    EXPECT_EQ(mixed->count(), 4);
    EXPECT_EQ(mixed->largestBatch(), 3);
    std::vector<Batches> passes{drain(*mixed, 0), drain(*mixed, 1), drain(*mixed, 2)};
    EXPECT_FALSE(passes[0] == passes[1] && passes[1] == passes[2]);
    EXPECT_EQ(drain(*shuffleBatches(source(), 4, 7), 1), passes[1]) << "the passes before do not matter";
    for (Batches& one : passes) {
        std::sort(one.begin(), one.end());
        EXPECT_EQ(one, plain) << "batches stay whole";
    }
    EXPECT_EQ(drain(*shuffleBatches(source(), 1, 7)), plain);
    const BatchStreamPtr kept = frozenBatches(shuffleBatches(source(), 4, 7));
    EXPECT_EQ(drain(*kept, 5), drain(*shuffleBatches(source(), 4, 7), 0));
    EXPECT_EQ(drain(*kept, 6), drain(*kept, 5));
}

// The examples seen with TensorFlow 2.21, two workers with one replica each.
struct SeenCase {
    const char* name;
    BatchStreamPtr (*make)(int worker);
    Batches worker0, worker1;
};

BatchStreamPtr dataShard(std::uint32_t n, std::int64_t global, int worker, Remainder remainder = Remainder::kKeep) {
    return splitBatches(batch(range(0, n), global, remainder), 2, worker);
}
BatchStreamPtr off(std::uint32_t n, std::int64_t global, int worker, Remainder remainder = Remainder::kKeep) {
    return cycledBatches(range(0, n), replicaBatchSizes(global, 2, worker), remainder);
}
BatchStreamPtr files(const std::vector<Extent>& all, std::int64_t global, int worker) {
    return cycledBatches(extents(shardFiles(all, 2, worker)), replicaBatchSizes(global, 2, worker));
}

class SeenInTensorFlow : public testing::TestWithParam<SeenCase> {};

TEST_P(SeenInTensorFlow, IsWhatTheWorkersGet) {
    std::vector<BatchStreamPtr> workers;
    workers.push_back(GetParam().make(0));
    workers.push_back(GetParam().make(1));
    const std::vector<Batches> seen = drainTogether(std::move(workers));
    EXPECT_EQ(seen[0], GetParam().worker0);
    EXPECT_EQ(seen[1], GetParam().worker1);
}

INSTANTIATE_TEST_SUITE_P(
    BatchStream, SeenInTensorFlow,
    testing::Values(
        SeenCase{"DataDropsTheRemainder", [](int w) { return dataShard(10, 4, w, Remainder::kDrop); }, {{0, 1}, {4, 5}}, {{2, 3}, {6, 7}}},
        SeenCase{"DataGivesAnUnevenRestToTheFirst",
                 [](int w) { return dataShard(12, 5, w); },
                 {{0, 1, 2}, {5, 6, 7}, {10}},
                 {{3, 4}, {8, 9}, {11}}},
        SeenCase{"OffShowsEverythingToBoth",
                 [](int w) { return off(10, 4, w); },
                 {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}},
                 {{0, 1}, {2, 3}, {4, 5}, {6, 7}, {8, 9}}},
        SeenCase{"OffWithAnUnevenBatch",
                 [](int w) { return off(12, 5, w); },
                 {{0, 1, 2}, {3, 4}, {5, 6, 7}, {8, 9}, {10, 11}},
                 {{0, 1}, {2, 3, 4}, {5, 6}, {7, 8, 9}, {10, 11}}},
        SeenCase{"UnevenBatchDropsTheRemainder",
                 [](int w) { return dataShard(10, 3, w, Remainder::kDrop); },
                 {{0, 1}, {3, 4}, {6, 7}},
                 {{2}, {5}, {8}}},
        SeenCase{"OwnShardThenBatchWithOff",
                 [](int w) { return cycledBatches(shard(range(0, 12), 2, w), replicaBatchSizes(4, 2, w)); },
                 {{0, 2}, {4, 6}, {8, 10}},
                 {{1, 3}, {5, 7}, {9, 11}}},
        SeenCase{"TwoFiles",
                 [](int w) {
                     return files({{0, 4}, {10, 15}}, 4, w);
                 },
                 {{0, 1}, {2, 3}, {}},
                 {{10, 11}, {12, 13}, {14}}},
        SeenCase{"ThreeFiles",
                 [](int w) {
                     return files({{0, 4}, {10, 15}, {20, 26}}, 4, w);
                 },
                 {{0, 1}, {2, 3}, {20, 21}, {22, 23}, {24, 25}},
                 {{10, 11}, {12, 13}, {14}, {}, {}}},
        SeenCase{"PerWorkerDataSetsFromAFunction",
                 [](int w) { return batch(shard(range(0, 8), 2, w), 2); },
                 {{0, 2}, {4, 6}},
                 {{1, 3}, {5, 7}}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(BatchStream, SplitsARepeatedSetAcrossTheBorderOfItsPasses) {
    const auto make = [](int worker) { return splitBatches(batch(repeat(range(0, 6)), 4), 2, worker); };
    EXPECT_EQ(drain(*make(0), 0, 3), (Batches{{0, 1}, {4, 5}, {2, 3}}));
    EXPECT_EQ(drain(*make(1), 0, 3), (Batches{{2, 3}, {0, 1}, {4, 5}}));
    EXPECT_EQ(make(0)->count(), ElementStream::kEndless);
}

TEST(BatchStream, LeavesTheLastPiecesEmptyWhenThereIsTooLittle) {
    const auto make = [](int worker) { return splitBatches(batch(range(0, 4), 4), 3, worker); };
    EXPECT_EQ(drain(*make(0)), (Batches{{0, 1}}));
    EXPECT_EQ(drain(*make(1)), (Batches{{2, 3}}));
    EXPECT_EQ(drain(*make(2)), (Batches{{}}));
}

// What each device of a worker gets, batch by batch.
std::vector<Batches> drainDevices(BatchStream& stream) {
    std::vector<Batches> batches;
    std::span<const std::uint32_t> batch;
    stream.start(0);
    while (stream.next(batch)) {
        Batches& parts = batches.emplace_back();
        std::size_t begin = 0;
        for (const std::uint32_t part : stream.parts()) {
            parts.emplace_back(batch.begin() + static_cast<std::ptrdiff_t>(begin),
                               batch.begin() + static_cast<std::ptrdiff_t>(begin + part));
            begin += part;
        }
        EXPECT_EQ(begin, batch.size());
        EXPECT_LE(static_cast<std::int64_t>(batch.size()), stream.largestBatch());
    }
    return batches;
}

// tf.distribute's rule: of the n = workers * devices pieces of a global batch worker w has those with i mod workers = w, in their order.
TEST(BatchStream, GivesThePiecesOfAGlobalBatchToTheDevicesOfTheWorkersInTurn) {
    const auto make = [](int worker) { return splitBatches(batch(range(0, 21), 8), 2, worker, 2); };
    const std::vector<Batches> first = drainDevices(*make(0)), second = drainDevices(*make(1));
    EXPECT_EQ(first, (std::vector<Batches>{{{0, 1}, {4, 5}}, {{8, 9}, {12, 13}}, {{16, 17}, {20}}}));
    EXPECT_EQ(second, (std::vector<Batches>{{{2, 3}, {6, 7}}, {{10, 11}, {14, 15}}, {{18, 19}, {}}}));
    EXPECT_EQ(make(0)->largestBatch(), 4);
    EXPECT_EQ(make(1)->count(), 3);
    // Three samples over four devices: pieces of one, so a device is idle before another has all that it could take.
    EXPECT_EQ(drainDevices(*splitBatches(batch(range(0, 3), 8), 2, 0, 2)), (std::vector<Batches>{{{0}, {2}}}));
    EXPECT_EQ(drainDevices(*splitBatches(batch(range(0, 3), 8), 2, 1, 2)), (std::vector<Batches>{{{1}, {}}}));
}

using BatchStage = BatchStreamPtr (*)(BatchStreamPtr);

// Pieces that are read alone are those of the batches that are read as a whole, whatever stands before and behind batch().
TEST(BatchStream, ReadsAWorkersPiecesAlone) {
    const std::vector<ElementStreamPtr (*)()> sources{[] { return range(0, 61); },
                                                      [] {
                                                          return extents({{0, 4}, {9, 40}});
                                                      },
                                                      [] { return take(shuffle(range(0, 61), 9, 5), 50); },
                                                      [] { return repeat(shuffle(range(0, 61), 100, 5)); }, [] { return range(0, 0); }};
    const std::vector<BatchStage> stages{[](BatchStreamPtr batches) { return batches; },
                                         [](BatchStreamPtr batches) { return takeBatches(std::move(batches), 3); },
                                         [](BatchStreamPtr batches) { return shuffleBatches(std::move(batches), 4, 7); },
                                         [](BatchStreamPtr batches) { return repeatBatches(std::move(batches)); },
                                         [](BatchStreamPtr batches) { return frozenBatches(shuffleBatches(std::move(batches), 99, 7)); }};
    constexpr std::size_t kLimit = 40;
    for (std::size_t source = 0; source < sources.size(); ++source) {
        for (std::size_t stage = 0; stage < stages.size(); ++stage) {
            for (const Remainder remainder : {Remainder::kKeep, Remainder::kDrop}) {
                for (const auto& [workers, devices] : {std::pair{1, 1}, {2, 1}, {3, 1}, {7, 1}, {1, 3}, {2, 2}, {3, 2}, {20, 1}}) {
                    for (int index = 0; index < workers; ++index) {
                        SCOPED_TRACE("source " + std::to_string(source) + ", stage " + std::to_string(stage) + ", worker " +
                                     std::to_string(index) + " of " + std::to_string(workers) + " with " + std::to_string(devices));
                        const BatchStreamPtr split =
                            splitBatches(stages[stage](batch(sources[source](), 12, remainder)), workers, index, devices);
                        const BatchStreamPtr own = stages[stage](batch(sources[source](), 12, remainder, Pieces{workers, index, devices}));
                        EXPECT_EQ(own->count(), split->count());
                        EXPECT_EQ(own->largestBatch(), split->largestBatch());
                        for (const std::uint64_t pass : {0U, 2U}) {
                            split->start(pass);
                            own->start(pass);
                            std::span<const std::uint32_t> expected, got;
                            for (std::size_t i = 0; i < kLimit; ++i) {
                                const bool more = split->next(expected);
                                ASSERT_EQ(own->next(got), more) << "batch " << i;
                                EXPECT_THAT(got, testing::ElementsAreArray(expected)) << "batch " << i;
                                if (!more) break;
                                EXPECT_THAT(own->parts(), testing::ElementsAreArray(split->parts())) << "batch " << i;
                            }
                        }
                    }
                }
            }
        }
    }
}

// Counts what is asked of its source.
class Counted final : public ElementStream {
public:
    struct Counts {
        std::int64_t read = 0, calls = 0;
    };
    Counted(ElementStreamPtr source, Counts& counts) : source_(std::move(source)), counts_(counts) {}

    void start(std::uint64_t pass) override { source_->start(pass); }
    std::size_t read(std::span<std::uint32_t> out) override {
        const std::size_t got = source_->read(out);
        counts_.read += static_cast<std::int64_t>(got);
        ++counts_.calls;
        return got;
    }
    std::size_t skip(std::size_t n) override {
        ++counts_.calls;
        return source_->skip(n);
    }
    std::int64_t count() const override { return source_->count(); }
    std::int64_t left() const override { return source_->left(); }

private:
    ElementStreamPtr source_;
    Counts& counts_;
};

// A worker's part of a step costs the same beside 2 workers as beside 64.
TEST(BatchStream, ReadsNoMoreBesideMoreWorkers) {
    constexpr std::int64_t kOwn = 8, kSteps = 10;
    for (const int devices : {1, 2}) {
        for (const int workers : {2, 64}) {
            Counted::Counts counts;
            const std::int64_t global = kOwn * workers;
            auto source = std::make_unique<Counted>(range(0, static_cast<std::uint32_t>(global * kSteps)), counts);
            const BatchStreamPtr stream = batch(std::move(source), global, Remainder::kKeep, Pieces{workers, workers / 2, devices});
            EXPECT_EQ(drain(*stream).size(), static_cast<std::size_t>(kSteps));
            EXPECT_EQ(counts.read, kOwn * kSteps) << workers << " workers";
            EXPECT_LE(counts.calls, (2 * devices + 1) * kSteps + 2) << workers << " workers";
        }
    }
}

TEST(BatchStream, DealsATasksOwnBatchesToItsDevicesInOrder) {
    EXPECT_EQ(drainDevices(*dealBatches(batch(range(0, 11), 6), 3)),
              (std::vector<Batches>{{{0, 1}, {2, 3}, {4, 5}}, {{6, 7}, {8, 9}, {10}}}));
    const BatchStreamPtr uneven = dealBatches(cycledBatches(range(0, 9), {7}), 2);
    EXPECT_EQ(drainDevices(*uneven), (std::vector<Batches>{{{0, 1, 2, 3}, {4, 5, 6}}, {{7, 8}, {}}}));
    EXPECT_EQ(uneven->largestBatch(), 7);
    EXPECT_THAT(dealBatches(batch(range(0, 4), 2), 1)->parts(), testing::IsEmpty());
}

TEST(BatchStream, SplitsAnUnevenGlobalBatchOverTwoReplicas) {
    EXPECT_EQ(drain(*dataShard(5, 4, 0)), (Batches{{0, 1}, {4}}));
    EXPECT_EQ(drain(*dataShard(5, 4, 1)), (Batches{{2, 3}, {}}));
    EXPECT_EQ(replicaBatchSizes(7, 2, 0), (std::vector<std::int64_t>{4, 3}));
    EXPECT_EQ(replicaBatchSizes(7, 2, 1), (std::vector<std::int64_t>{3, 4}));
}

TEST(BatchStream, CountsWhatItYields) {
    for (std::uint32_t n : {0U, 1U, 6U, 7U, 11U, 12U, 13U}) {
        for (std::int64_t global : {2, 3, 5, 7}) {
            for (Remainder remainder : {Remainder::kKeep, Remainder::kDrop}) {
                for (int worker : {0, 1}) {
                    const BatchStreamPtr cycled = off(n, global, worker, remainder);
                    EXPECT_EQ(cycled->count(), static_cast<std::int64_t>(drain(*cycled).size())) << n << " by " << global;
                    const BatchStreamPtr split = dataShard(n, global, worker, remainder);
                    EXPECT_EQ(split->count(), static_cast<std::int64_t>(drain(*split).size())) << n << " by " << global;
                }
            }
        }
    }
}

TEST(BatchStream, RefusesFewerFilesThanWorkers) {
    try {
        shardFiles({{0, 4}}, 2, 0);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), testing::HasSubstr("at least one file per worker (2), the data set has 1"));
    }
}

TEST(BatchStream, RefusesAGlobalBatchSmallerThanTheReplicas) {
    EXPECT_THROW(replicaBatchSizes(2, 3, 0), Error);
}

}  // namespace
}  // namespace engine::data
