#include "engine/distribute/two_level_collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "engine/distribute/segments.h"
#include "engine/spec/error.h"
#include "tests/support/collective_cases.h"
#include "tests/support/spawn_ranks.h"

namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::Collective;
using engine::distribute::LoopbackOptions;
using engine::distribute::makeTwoLevelCollectives;
using tests::support::randomInput;

struct Shape {
    int workers;
    int devices;  // each
};

// fn on a thread a device of each worker; a member goes when its fn returns or throws, a worker's when the last of its devices has.
void onDevices(Shape shape, const std::function<void(Collective&)>& fn, LoopbackOptions loopback = {}) {
    std::vector<std::string> names;
    for (int device = 0; device < shape.devices; ++device) names.push_back("CPU:" + std::to_string(device));
    const auto work = [&](Collective& between) {
        auto members = makeTwoLevelCollectives(names, between, {.devices = {.deadline = std::chrono::seconds(60)}});
        tests::support::spawnRanks(shape.devices, std::function<void(int)>([&](int device) {
                                       const auto member = std::move(members[static_cast<std::size_t>(device)]);
                                       fn(*member);
                                   }));
    };
    tests::support::spawnRanks(shape.workers, work, {.deadline = std::chrono::seconds(60)}, loopback);
}

TEST(TwoLevelCollective, IsUsedLikeThis) {
    onDevices({.workers = 2, .devices = 3}, [](Collective& collective) {
        std::vector<float> gradients(40, static_cast<float>(collective.rank() + 1));
        collective.wait(collective.startAllReduceSum(gradients));
        EXPECT_THAT(gradients, testing::Each(21.0F));
    });
}

struct Case {
    Shape shape;
    std::size_t floats;
};
class EveryShape : public testing::TestWithParam<Case> {};

TEST_P(EveryShape, GivesExactSumsAndCopies) {
    for (const bool peer_views : {true, false}) {
        onDevices(GetParam().shape, [](Collective& collective) { tests::support::expectAllOperationsWork(collective, GetParam().floats); },
                  {.peer_views = peer_views});
    }
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Shape shape : {Shape{1, 2}, Shape{2, 1}, Shape{2, 2}, Shape{2, 3}, Shape{3, 2}}) {
        for (const std::size_t floats : tests::support::kSizes) all.push_back({shape, floats});
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Devices, EveryShape, testing::ValuesIn(cases()), [](const auto& row) {
    return std::to_string(row.param.shape.workers) + "x" + std::to_string(row.param.shape.devices) + "Devices" +
           std::to_string(row.param.floats) + "Floats";
});

// The devices of a worker in their order, then the workers in that of the ring.
TEST(TwoLevelCollective, AddsInOneOrderWhateverCarriesTheBytes) {
    constexpr Shape kShape{3, 2};
    constexpr std::size_t kCount = 5003;
    std::vector<std::vector<float>> of_worker;
    for (int worker = 0; worker < kShape.workers; ++worker) {
        std::vector<float> sum = randomInput(worker * kShape.devices, kCount);
        const std::vector<float> second = randomInput(worker * kShape.devices + 1, kCount);
        for (std::size_t i = 0; i < kCount; ++i) sum[i] += second[i];
        of_worker.push_back(std::move(sum));
    }
    std::vector<float> expected(kCount);
    for (int s = 0; s < kShape.workers; ++s) {
        const auto segment = engine::distribute::segmentOf(kCount, kShape.workers, s);
        const auto at = [&](int k, std::size_t i) { return of_worker[static_cast<std::size_t>((s + k) % kShape.workers)][i]; };
        for (std::size_t i = segment.begin; i < segment.begin + segment.count; ++i) expected[i] = (at(1, i) + at(2, i)) + at(0, i);
    }
    for (const bool peer_views : {true, false}) {
        onDevices(kShape,
                  [&](Collective& collective) {
                      const std::span<std::byte> region = collective.allocateRegion(kCount * sizeof(float));
                      const std::span<float> inside{reinterpret_cast<float*>(region.data()), kCount};
                      std::vector<float> outside = randomInput(collective.rank(), kCount);
                      std::copy(outside.begin(), outside.end(), inside.begin());
                      collective.allReduceSum(inside);
                      EXPECT_THAT(std::vector<float>(inside.begin(), inside.end()), testing::ElementsAreArray(expected));
                      collective.allReduceSum(outside);
                      EXPECT_EQ(outside, expected);
                  },
                  {.peer_views = peer_views});
    }
}

TEST(TwoLevelCollective, TakesMoreSumsUnderWayThanItHasRoomFor) {
    onDevices({.workers = 2, .devices = 2}, [](Collective& collective) {
        std::vector<std::vector<float>> data(150, std::vector<float>(17, 1.0F));
        std::vector<std::uint64_t> tickets;
        for (auto& sums : data) tickets.push_back(collective.startAllReduceSum(sums));
        for (const std::uint64_t ticket : tickets) collective.wait(ticket);
        for (const auto& sums : data) ASSERT_THAT(sums, testing::Each(4.0F));
    });
}

// What each device is told when one of another worker, or its neighbour, is no more.
TEST(TwoLevelCollective, EndsOnEveryWorkerWhenOneDeviceIsNoMore) {
    std::mutex mutex;
    std::map<int, std::string> told;
    const auto work = [&](Collective& collective) {
        std::vector<float> data(10, 1.0F);
        if (collective.rank() == 3) throw Error(ErrorCode::kOutOfRange, "label");
        try {
            collective.allReduceSum(data);
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
            const std::lock_guard lock(mutex);
            told[collective.rank()] = error.what();
            throw;
        }
    };
    EXPECT_THROW(onDevices({.workers = 2, .devices = 2}, work), Error);
    EXPECT_THAT(told, testing::SizeIs(3));
    EXPECT_THAT(told[0], testing::HasSubstr("worker 1"));
    EXPECT_THAT(told[1], testing::HasSubstr("CPU:0"));
    EXPECT_THAT(told[2], testing::HasSubstr("CPU:1"));
}

}  // namespace
