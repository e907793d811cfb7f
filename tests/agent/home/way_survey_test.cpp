#include "agent/home/way_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "engine/spec/error.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::home;
namespace spec = engine::spec;
using agent::client::AskOptions;
using spec::HostWay;
using spec::WayOutcome;
using testing::HasSubstr;
using testing::IsEmpty;

// Computers that answer as their agents' workers would, and remember who was asked what.
class FakeHosts {
public:
    explicit FakeHosts(int count) {
        for (int host = 0; host < count; ++host) {
            hosts.push_back({.name = "node" + std::to_string(host + 1),
                             .tasks = {{"worker " + std::to_string(host), "10.77.0." + std::to_string(host + 1) + ":12345"}},
                             .ask = [this, host](const spec::EngineQuestion& question,
                                                 const AskOptions& options) { return answer(host, question, options); },
                             .obstacle = ""});
        }
    }

    std::vector<HostWay> survey(std::chrono::milliseconds whole = 300s) {
        return surveyWays(hosts, {.listen_within = 60s, .whole = whole, .is_cancelled = is_cancelled});
    }

    std::vector<SurveyHost> hosts;
    // What becomes of a call between two ranks; set before a survey.
    std::map<std::pair<int, int>, spec::CalledWay> faults;
    std::set<int> mute;  // computers whose worker fails instead of listening
    std::function<bool()> is_cancelled;

    int most_at_once = 0;     // measurements
    bool has_shared = false;  // of which two were of one computer
    int measured = 0, listening = 0;
    std::set<int> served;

private:
    spec::EngineAnswer answer(int host, const spec::EngineQuestion& question, const AskOptions& options) {
        if (const auto* serve = std::get_if<spec::ServeWaysQuestion>(&question.asked)) {
            return listen(host, *serve, options);
        }
        const auto& call = std::get<spec::CallWaysQuestion>(question.asked);
        EXPECT_EQ(call.own.rank, host);
        EXPECT_FALSE(call.own.key_pem.empty());
        if (call.measures) begin(host, call.called.at(0));
        spec::CalledWays called;
        for (const int rank : call.called) {
            const auto fault = faults.find({host, rank});
            spec::CalledWay way = fault != faults.end() ? fault->second : spec::CalledWay{rank, WayOutcome::kReached, "", 100, 1e9};
            if (!call.measures) way.round_trip_us = way.bytes_per_s = 0;
            called.ways.push_back(way);
        }
        if (call.measures) end(host, call.called.at(0));
        return called;
    }

    spec::EngineAnswer listen(int host, const spec::ServeWaysQuestion& serve, const AskOptions& options) {
        EXPECT_EQ(serve.own.at(0).rank, host);
        EXPECT_EQ(serve.group.secret.size(), 32U);
        if (mute.contains(host)) throw engine::Error(engine::ErrorCode::kAlreadyExists, "worker: port 12345 is in use by another program");
        {
            const std::lock_guard lock(mutex_);
            ++listening;
            served.insert(host);
        }
        options.progress({spec::EngineProgress::Stage::kListen, "", 1, 1});
        while (!options.is_cancelled()) std::this_thread::sleep_for(1ms);
        const std::lock_guard lock(mutex_);
        --listening;
        throw engine::Error(engine::ErrorCode::kCancelled, "question: cancelled");
    }

    void begin(int a, int b) {
        {
            const std::lock_guard lock(mutex_);
            EXPECT_EQ(served.size() + mute.size(), hosts.size()) << "everybody listens before anybody calls";
            has_shared = has_shared || busy_.contains(a) || busy_.contains(b);
            busy_.insert({a, b});
            most_at_once = std::max(most_at_once, static_cast<int>(busy_.size()) / 2);
            ++measured;
        }
        std::this_thread::sleep_for(2ms);  // long enough for another one to begin meanwhile
    }
    void end(int a, int b) {
        const std::lock_guard lock(mutex_);
        busy_.erase(a);
        busy_.erase(b);
    }

    std::mutex mutex_;
    std::set<int> busy_;
};

TEST(WaySurvey, MeasuresEveryWayOnceWhereAllAreAlike) {
    FakeHosts five(5);
    const std::vector<HostWay> ways = five.survey();
    ASSERT_EQ(ways.size(), 20U);
    EXPECT_EQ(ways[0], (HostWay{"node1", "node2", 12345, WayOutcome::kReached, 100, 1e9, ""}));
    EXPECT_EQ(ways[19], (HostWay{"node5", "node4", 12345, WayOutcome::kReached, 100, 1e9, ""}));
    EXPECT_EQ(five.measured, 20);
    EXPECT_FALSE(five.has_shared) << "no computer has two measurements at a time";
    EXPECT_EQ(five.listening, 0) << "nobody listens any more";
}

TEST(WaySurvey, EveryPairHasItsRoundAndNoRoundHasAComputerTwice) {
    for (std::size_t count = 0; count < 20; ++count) {
        std::set<std::pair<std::size_t, std::size_t>> pairs;
        for (const auto& round : pairRounds(count)) {
            std::set<std::size_t> in_round;
            for (const auto& pair : round) {
                EXPECT_LT(pair.first, pair.second);
                EXPECT_TRUE(in_round.insert(pair.first).second && in_round.insert(pair.second).second) << count;
                EXPECT_TRUE(pairs.insert(pair).second) << count;
            }
        }
        EXPECT_EQ(pairs.size(), count * (count == 0 ? 0 : count - 1) / 2);
        EXPECT_LE(pairRounds(count).size(), count) << "as few rounds as there can be";
    }
}

TEST(WaySurvey, AComputerWithSeveralTasksIsReachedWhenAllAre) {
    FakeHosts two(2);
    two.hosts[1].tasks.push_back({"worker 2", "10.77.0.2:23456"});
    two.faults[{0, 2}] = {2, WayOutcome::kTimedOut, "Connection timed out", 0, 0};
    const std::vector<HostWay> ways = two.survey();
    ASSERT_EQ(ways.size(), 2U);
    EXPECT_EQ(ways[0], (HostWay{"node1", "node2", 23456, WayOutcome::kTimedOut, 0, 0, "Connection timed out"}));
    EXPECT_EQ(ways[1].outcome, WayOutcome::kReached) << "the way back";
    EXPECT_EQ(two.measured, 1) << "what is not reached is not measured";
}

TEST(WaySurvey, SaysWhyAComputerTakesNoPart) {
    FakeHosts three(3);
    three.hosts[1].obstacle = "it is not in the list of hosts";
    three.hosts[1].ask = nullptr;
    three.mute = {2};
    three.served = {1};  // nobody asks it
    const std::vector<HostWay> ways = three.survey();
    ASSERT_EQ(ways.size(), 6U);
    for (const HostWay& way : ways) EXPECT_EQ(way.outcome, WayOutcome::kNotTried);
    EXPECT_EQ(ways[0].detail, "node2: it is not in the list of hosts");
    EXPECT_EQ(ways[1].detail, "node3: worker: port 12345 is in use by another program");
}

TEST(WaySurvey, WhatLooksSlowIsMeasuredAgainAndTheBestCounts) {
    FakeHosts three(3);
    for (const auto& [a, b] : {std::pair{0, 1}, {1, 0}, {1, 2}, {2, 1}}) three.faults[{a, b}] = {b, WayOutcome::kReached, "", 40'000, 1e6};
    std::vector<HostWay> ways = three.survey();
    EXPECT_EQ(ways[0].bytes_per_s, 1e6);
    EXPECT_EQ(three.measured, 6 + 2 * 4) << "twice more each";

    FakeHosts moment(3);
    int looks = 0;
    const auto ask = moment.hosts[0].ask;
    moment.hosts[0].ask = [&](const spec::EngineQuestion& question, const AskOptions& options) {
        spec::EngineAnswer answer = ask(question, options);
        auto* called = std::get_if<spec::CalledWays>(&answer);
        if (called != nullptr && called->ways.at(0).bytes_per_s > 0 && called->ways[0].rank == 1 && looks++ == 0)
            called->ways[0].bytes_per_s = 1e6;
        return answer;
    };
    ways = moment.survey();
    EXPECT_EQ(ways[0].bytes_per_s, 1e9) << "a moment's load is none of the way's";
}

TEST(WaySurvey, ALostAgentAndTheEndOfTimeAreTold) {
    FakeHosts two(2);
    const auto ask = two.hosts[0].ask;
    two.hosts[0].ask = [&](const spec::EngineQuestion& question, const AskOptions& options) -> spec::EngineAnswer {
        if (std::holds_alternative<spec::CallWaysQuestion>(question.asked))
            throw engine::Error(engine::ErrorCode::kUnavailable, "it is gone");
        return ask(question, options);
    };
    std::vector<HostWay> ways = two.survey();
    EXPECT_EQ(ways[0], (HostWay{"node1", "node2", 12345, WayOutcome::kNotTried, 0, 0, "node1: it is gone"}));
    EXPECT_EQ(ways[1].bytes_per_s, 1e9);

    FakeHosts late(2);
    std::atomic<bool> is_late = false;
    const auto answer = late.hosts[1].ask;
    late.hosts[1].ask = [&](const spec::EngineQuestion& question, const AskOptions& options) {
        if (std::holds_alternative<spec::CallWaysQuestion>(question.asked)) is_late = true;
        return answer(question, options);
    };
    late.is_cancelled = [&] { return is_late.load(); };
    ways = late.survey();
    EXPECT_EQ(late.measured, 0);
    EXPECT_EQ(ways[0].detail, "no time was left");
    EXPECT_EQ(late.listening, 0);
}

TEST(WaySurvey, OneComputerHasNoWays) {
    EXPECT_THAT(FakeHosts(1).survey(), IsEmpty());
    EXPECT_THAT(FakeHosts(0).survey(), IsEmpty());
}

}  // namespace
