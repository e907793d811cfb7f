#include "engine/run/exchange_culprit.h"

#include <gtest/gtest.h>

namespace engine::run {
namespace {

using spec::ExchangeState;
using spec::TaskId;
using Why = ExchangeCulprit::Why;

ExchangeRank worker(int index, ExchangeState state) {
    return {.task = {"worker", index}, .host = "node" + std::to_string(index / 8), .state = std::move(state)};
}
ExchangeState goesOn(std::uint64_t sequence, double age_s = 0.3) {
    return {.sequence = sequence, .bucket = 1, .buckets = 2, .bytes = 4096, .awaited = {}, .step_wait_s = {}, .age_s = age_s};
}
ExchangeState waits(std::uint64_t sequence, TaskId awaited, double wait_s, double age_s = 0.3) {
    ExchangeState state = goesOn(sequence, age_s);
    state.wait_s = wait_s;
    state.awaited = std::move(awaited);
    return state;
}

// A ring in which `silent` was stopped while the others were at operation 100: each waits for its left neighbour.
std::vector<ExchangeRank> stoppedRing(int size, int silent, double for_s) {
    std::vector<ExchangeRank> ranks;
    for (int i = 0; i < size; ++i) {
        ranks.push_back(i == silent ? worker(i, goesOn(99, for_s + 0.4)) : worker(i, waits(100, {"worker", (i + size - 1) % size}, for_s)));
    }
    return ranks;
}

TEST(ExchangeCulprit, NamesTheStoppedTaskOfARingAndHowManyWaitForIt) {
    const auto culprit = findCulprit(stoppedRing(8, 3, 3.0));
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 3u);
    EXPECT_EQ(culprit->why, Why::kSilent);
    EXPECT_EQ(culprit->waiting, 7u);
    EXPECT_DOUBLE_EQ(culprit->longest_s, 3.3);
}

TEST(ExchangeCulprit, NamesItWithinFiveSecondsOfTheStop) {
    // Whatever the moment of its last word in the second before: words come once a second, readings too.
    for (const double before : {0.0, 0.5, 1.0}) {
        auto ranks = stoppedRing(4, 1, 2.6);
        ranks[1].state->age_s = 2.6 + before;
        EXPECT_TRUE(findCulprit(ranks)) << before;
    }
}

TEST(ExchangeCulprit, NobodyIsNamedBeforeItIsKnownWhoStandsStill) {
    // A second after the stop nothing tells the stopped task from one whose word is due.
    EXPECT_FALSE(findCulprit(stoppedRing(4, 1, 1.0)));
}

TEST(ExchangeCulprit, NobodyIsNamedWhileWaitsAreNoise) {
    std::vector<ExchangeRank> ranks;
    for (int i = 0; i < 8; ++i) ranks.push_back(worker(i, waits(100, {"worker", (i + 7) % 8}, 0.04 * i)));
    EXPECT_FALSE(findCulprit(ranks));
    EXPECT_FALSE(findCulprit({}));
    for (ExchangeRank& rank : ranks) rank.state.reset();
    EXPECT_FALSE(findCulprit(ranks));
}

TEST(ExchangeCulprit, NamesATaskThatComputesWhileAllOthersWait) {
    std::vector<ExchangeRank> ranks;
    for (int i = 0; i < 6; ++i) ranks.push_back(i == 4 ? worker(i, goesOn(41)) : worker(i, waits(42, {"worker", (i + 5) % 6}, 1.6)));
    const auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 4u);
    EXPECT_EQ(culprit->why, Why::kBehind);
    EXPECT_EQ(culprit->waiting, 5u);
}

TEST(ExchangeCulprit, AWordFromBeforeTheWaitAccusesNobody) {
    const std::vector<ExchangeRank> old_word = {worker(0, waits(8, {"worker", 1}, 0.7, 0.1)), worker(1, goesOn(7, 0.9))};
    EXPECT_FALSE(findCulprit(old_word));
    const std::vector<ExchangeRank> just_begun = {worker(0, waits(8, {"worker", 1}, 2.0, 0.1)),
                                                  worker(1, waits(8, {"worker", 2}, 0.1, 0.9)), worker(2, goesOn(7, 0.9))};
    EXPECT_FALSE(findCulprit(just_begun));
}

TEST(ExchangeCulprit, FollowsWhoWaitsForWhomThroughSharedMemoryAndRingAlike) {
    // Three of one host see each other's memory and name the late one itself; the fourth waits for its neighbour.
    const std::vector<ExchangeRank> ranks = {worker(0, waits(5, {"worker", 2}, 1.5)), worker(1, waits(5, {"worker", 2}, 1.4)),
                                             worker(2, goesOn(4)), worker(3, waits(5, {"worker", 0}, 1.2))};
    const auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 2u);
    EXPECT_EQ(culprit->waiting, 3u);
}

TEST(ExchangeCulprit, OfTasksThatWaitForEachOtherTheOneBehindIsNamed) {
    std::vector<ExchangeRank> ranks = {worker(0, waits(9, {"worker", 1}, 2)), worker(1, waits(7, {"worker", 0}, 2))};
    const auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 1u);
    ranks[1].state->sequence = 9;  // the same operation: the bytes are lost between them, and neither is to blame
    EXPECT_FALSE(findCulprit(ranks));
}

TEST(ExchangeCulprit, NamesTheServerThatWorkersWaitFor) {
    const std::vector<ExchangeRank> ranks = {worker(0, waits(30, {"ps", 0}, 3.1)),
                                             worker(1, waits(28, {"ps", 0}, 3.0)),
                                             {.task = {"ps", 0}, .host = "node9", .state = goesOn(58, 3.4)}};
    const auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 2u);
    EXPECT_EQ(culprit->why, Why::kSilent);
}

TEST(ExchangeCulprit, OneThatWaitsForNobodyInParticularWaitsForTheLastWorker) {
    ExchangeState held = waits(30, {}, 2.0);
    held.awaited.reset();
    std::vector<ExchangeRank> ranks = {
        worker(0, held), worker(1, goesOn(24)), worker(2, goesOn(27)), {.task = {"ps", 0}, .host = "", .state = goesOn(2)}};
    auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 1u);
    ranks[3].state->age_s = 3;  // nobody gets a turn from a server that does not run
    culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 3u);
    EXPECT_EQ(culprit->why, Why::kSilent);
}

TEST(ExchangeCulprit, ATaskThatNeverSpokeIsNamedByThoseWhoWaitForIt) {
    const std::vector<ExchangeRank> ranks = {worker(0, waits(1, {"worker", 1}, 4)), {.task = {"worker", 1}, .host = "", .state = {}}};
    const auto culprit = findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 1u);
}

TEST(ExchangeCulprit, AThousandTasksAreNoTrouble) {
    const auto culprit = findCulprit(stoppedRing(1000, 512, 3.0));
    ASSERT_TRUE(culprit);
    EXPECT_EQ(culprit->rank, 512u);
    EXPECT_EQ(culprit->waiting, 999u);
}

TEST(ExchangeRanks, CollectsTheTasksOfARunOverItsHosts) {
    const spec::HostLoad near{.tasks = {{.run_id = "r1", .task = {"worker", 1}, .exchange = goesOn(7, 0.2)},
                                        {.run_id = "other", .task = {"worker", 0}, .exchange = goesOn(1)}},
                              .gpus = {}};
    const spec::HostLoad far{.tasks = {{.run_id = "r1", .task = {"worker", 0}, .exchange = goesOn(8, 0.5)}}, .gpus = {}};
    const std::vector<HostReading> readings = {{"near", &near}, {"far", &far}, {"gone", nullptr}};
    const std::vector<TaskId> tasks = {{"worker", 0}, {"worker", 1}, {"worker", 2}};
    const auto ranks = exchangeRanks(readings, "r1", tasks);
    ASSERT_EQ(ranks.size(), 3u);
    EXPECT_EQ(ranks[0], (ExchangeRank{.task = {"worker", 0}, .host = "far", .state = goesOn(8, 0.5)}));
    EXPECT_EQ(ranks[1], (ExchangeRank{.task = {"worker", 1}, .host = "near", .state = goesOn(7, 0.2)}));
    EXPECT_EQ(ranks[2], (ExchangeRank{.task = {"worker", 2}, .host = "", .state = {}}));
}

TEST(ExchangeRanks, TheYoungerWordOfATaskCounts) {
    const spec::HostLoad before{.tasks = {{.run_id = "r1", .task = {"worker", 0}, .exchange = goesOn(3, 9)}}, .gpus = {}};
    const spec::HostLoad now{.tasks = {{.run_id = "r1", .task = {"worker", 0}, .exchange = goesOn(8, 0.1)}}, .gpus = {}};
    for (const auto& readings : {std::vector<HostReading>{{"a", &before}, {"b", &now}}, {{"b", &now}, {"a", &before}}}) {
        const auto ranks = exchangeRanks(readings, "r1", {});
        ASSERT_EQ(ranks.size(), 1u);
        EXPECT_EQ(ranks[0].host, "b");
        EXPECT_EQ(ranks[0].state->sequence, 8u);
    }
}

}  // namespace
}  // namespace engine::run
