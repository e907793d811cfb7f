#include "engine/distribute/device_collective.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/collective_cases.h"
#include "tests/support/spawn_ranks.h"

namespace {

using engine::Error;
using engine::ErrorCode;
using engine::distribute::Collective;
using engine::distribute::makeDeviceCollectives;
using engine::spec::ReduceRoute;
using tests::support::randomInput;
using Way = ReduceRoute::Way;

std::vector<std::string> deviceNames(int n) {
    std::vector<std::string> names;
    for (int i = 0; i < n; ++i) names.push_back("CPU:" + std::to_string(i));
    return names;
}

// fn on a thread a device; a collective goes when its fn returns or throws.
void onDevices(int n, const std::function<void(Collective&)>& fn) {
    auto members = makeDeviceCollectives(deviceNames(n), {.deadline = std::chrono::seconds(60)});
    tests::support::spawnRanks(n, std::function<void(int)>([&](int rank) {
                                   const auto collective = std::move(members[static_cast<std::size_t>(rank)]);
                                   fn(*collective);
                               }));
}

TEST(DeviceCollective, IsUsedLikeThis) {
    onDevices(3, [](Collective& collective) {
        std::vector<float> gradients(40, static_cast<float>(collective.rank() + 1));
        const std::uint64_t ticket = collective.startReduceSum(gradients, {.way = Way::kOneDevice, .main = 2});
        collective.wait(ticket);
        EXPECT_THAT(gradients, testing::Each(6.0F));
    });
}

struct Case {
    int devices;
    std::size_t floats;
};
class EveryNumberOfDevices : public testing::TestWithParam<Case> {};

TEST_P(EveryNumberOfDevices, GivesExactSumsAndCopies) {
    onDevices(GetParam().devices, [](Collective& collective) { tests::support::expectAllOperationsWork(collective, GetParam().floats); });
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const int devices : tests::support::kRanks) {
        for (const std::size_t floats : tests::support::kSizes) all.push_back({devices, floats});
    }
    return all;
}
INSTANTIATE_TEST_SUITE_P(Devices, EveryNumberOfDevices, testing::ValuesIn(cases()), [](const auto& row) {
    return std::to_string(row.param.devices) + "Devices" + std::to_string(row.param.floats) + "Floats";
});

// What every device holds after a sum of random inputs.
std::vector<std::vector<float>> sumAlong(const ReduceRoute& route, int devices, std::size_t count) {
    std::vector<std::vector<float>> results(static_cast<std::size_t>(devices));
    onDevices(devices, [&](Collective& collective) {
        std::vector<float>& mine = results[static_cast<std::size_t>(collective.rank())];
        mine = randomInput(collective.rank(), count);
        collective.wait(collective.startReduceSum(mine, route));
    });
    return results;
}

std::vector<float> inOrder(int begin, int end, std::size_t count) {
    std::vector<float> sum = randomInput(begin, count);
    for (int device = begin + 1; device < end; ++device) {
        const std::vector<float> next = randomInput(device, count);
        for (std::size_t i = 0; i < count; ++i) sum[i] += next[i];
    }
    return sum;
}

constexpr std::size_t kCount = 5003;

TEST(DeviceCollective, AddsOnOneDeviceInTheOrderOfTheDevices) {
    for (int devices : {1, 2, 3, 4, 5}) {
        const std::vector<float> expected = inOrder(0, devices, kCount);
        for (int main = 0; main < devices; ++main) {
            EXPECT_THAT(sumAlong({.way = Way::kOneDevice, .main = main}, devices, kCount), testing::Each(expected));
        }
    }
}

TEST(DeviceCollective, KeepsASumWhereTheVariablesAre) {
    const auto results = sumAlong({.way = Way::kKeep, .main = 1}, 3, kCount);
    EXPECT_EQ(results[1], inOrder(0, 3, kCount));
    EXPECT_EQ(results[0], randomInput(0, kCount));
    EXPECT_EQ(results[2], randomInput(2, kCount));
}

TEST(DeviceCollective, AddsHalvesOnTheirMainDevices) {
    struct Row {
        int devices, main, second;
    };
    for (const Row row : {Row{2, 0, 1}, Row{2, 1, 0}, Row{3, 0, 1}, Row{3, 2, 0}, Row{4, 1, 3}, Row{4, 2, 0}, Row{5, 1, 3}}) {
        std::vector<float> expected = inOrder(0, row.devices / 2, kCount);
        const std::vector<float> other = inOrder(row.devices / 2, row.devices, kCount);
        for (std::size_t i = 0; i < kCount; ++i) expected[i] += other[i];
        EXPECT_THAT(sumAlong({.way = Way::kHalves, .main = row.main, .second = row.second}, row.devices, kCount), testing::Each(expected))
            << row.devices << " devices, " << row.main << " and " << row.second;
    }
}

// The routes do not only move differently: with four devices every one adds in an order of its own.
TEST(DeviceCollective, HasAnOrderOfItsOwnForEachRoute) {
    const auto ring = sumAlong({.way = Way::kRing}, 4, kCount);
    const auto halves = sumAlong({.way = Way::kHalves, .main = 0, .second = 2}, 4, kCount);
    const auto one = sumAlong({.way = Way::kOneDevice}, 4, kCount);
    EXPECT_NE(ring, halves);
    EXPECT_NE(ring, one);
    EXPECT_NE(halves, one);
    EXPECT_EQ(ring, sumAlong({.way = Way::kRing}, 4, kCount));
    EXPECT_THAT(ring, testing::Each(ring[0]));
}

TEST(DeviceCollective, TakesMoreSumsUnderWayThanItHasPosts) {
    onDevices(3, [](Collective& collective) {
        std::vector<std::vector<float>> data(200, std::vector<float>(17, 1.0F));
        std::vector<std::uint64_t> tickets;
        for (std::size_t k = 0; k < data.size(); ++k) {
            const Way way = k % 3 == 0 ? Way::kRing : k % 3 == 1 ? Way::kOneDevice : Way::kHalves;
            tickets.push_back(collective.startReduceSum(data[k], {.way = way, .main = 0, .second = 1}));
        }
        for (std::uint64_t ticket : tickets) collective.wait(ticket);
        for (const auto& sums : data) ASSERT_THAT(sums, testing::Each(3.0F));
    });
}

TEST(DeviceCollective, NamesADeviceThatIsNoMore) {
    try {
        onDevices(3, [](Collective& collective) {
            std::vector<float> data(10, 1.0F);
            if (collective.rank() == 1) throw Error(ErrorCode::kOutOfRange, "label");
            collective.allReduceSum(data);
        });
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), testing::HasSubstr("CPU:1"));
    }
}

TEST(DeviceCollective, RefusesDifferentSizes) {
    try {
        onDevices(2, [](Collective& collective) {
            std::vector<float> data(collective.rank() == 0 ? 10 : 11, 1.0F);
            collective.allReduceSum(data);
        });
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
        EXPECT_THAT(error.what(), testing::HasSubstr("expected 40 bytes from every device, got 44 from CPU:1"));
    }
}

}  // namespace
