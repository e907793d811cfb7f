// The transports between threads: what a star, and a star of several centres, needs of them. Rings: ring_test.cpp.
#include "engine/distribute/transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/distribute/loopback.h"
#include "engine/spec/error.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/star_cases.h"

namespace {

using engine::distribute::Edges;
using engine::distribute::makeLoopbackTransports;
using tests::support::expectStarWorks;
using tests::support::spawnRanks;

struct Case {
    int ranks;
    std::size_t floats;
    int centres = 1;
};

class Star : public testing::TestWithParam<Case> {};

TEST_P(Star, CarriesBytesToItsCentreAndBack) {
    const auto [ranks, floats, centres] = GetParam();
    std::vector<int> first;
    for (int rank = 0; rank < centres; ++rank) first.push_back(rank);
    const auto transports = makeLoopbackTransports(Edges::star(ranks, first));
    spawnRanks(ranks, std::function<void(int)>([&, floats = floats, centres = centres](int rank) {
                   expectStarWorks(*transports[static_cast<std::size_t>(rank)], floats, centres);
                   transports[static_cast<std::size_t>(rank)]->leave("");
               }));
}

INSTANTIATE_TEST_SUITE_P(Loopback, Star, testing::Values(Case{2, 1}, Case{4, 1}, Case{4, 300'001}, Case{7, 1000}, Case{5, 70'000, 2}),
                         [](const auto& row) {
                             return std::to_string(row.param.ranks) + "Ranks" + std::to_string(row.param.floats) + "Floats" +
                                    std::to_string(row.param.centres) + "Centres";
                         });

TEST(Transport, HasNoWayBesideItsEdges) {
    const auto transports = makeLoopbackTransports(Edges::star(3));
    const std::array<std::byte, 4> bytes{};
    EXPECT_TRUE(transports[1]->trySend(0, 1, bytes));
    EXPECT_ANY_THROW(transports[1]->trySend(2, 1, bytes));
    EXPECT_ANY_THROW(transports[2]->tryReceive(1));
    for (const auto& transport : transports) transport->leave("");
}

}  // namespace
