#include "agent/server/doctor/way_findings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using namespace agent::server;
using engine::spec::DoctorState;
using engine::spec::HostWay;
using engine::spec::WayOutcome;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double kFast = 900e6, kSlow = 10e6, kNear = 200, kFar = 40'000;

// Every ordered pair of so many computers, all alike.
std::vector<HostWay> waysOf(int count) {
    std::vector<HostWay> ways;
    for (int from = 1; from <= count; ++from) {
        for (int to = 1; to <= count; ++to) {
            if (from != to) {
                ways.push_back({.from = "node" + std::to_string(from),
                                .to = "node" + std::to_string(to),
                                .port = 12345,
                                .outcome = WayOutcome::kReached,
                                .round_trip_us = kNear,
                                .bytes_per_s = kFast,
                                .detail = ""});
            }
        }
    }
    return ways;
}

HostWay& way(std::vector<HostWay>& ways, const std::string& from, const std::string& to) {
    return *std::find_if(ways.begin(), ways.end(), [&](const HostWay& one) { return one.from == from && one.to == to; });
}

void fail(HostWay& way, WayOutcome outcome) {
    way.outcome = outcome;
    way.round_trip_us = way.bytes_per_s = 0;
}

// "error TITLE | DETAIL", the way the lists show them.
std::vector<std::string> told(const std::vector<HostWay>& ways) {
    std::vector<std::string> lines;
    for (const WayFinding& finding : wayFindings(ways)) {
        EXPECT_EQ(finding.row.check, "network");
        lines.push_back(std::string(toString(finding.row.state)) + " " + finding.row.title +
                        (finding.row.detail.empty() ? "" : " | " + finding.row.detail));
    }
    return lines;
}

const std::string kAllAlike =
    "ok Between computers: 0.20 ms there and back at most, 900 MB/s at least | encrypted, at the ports of the tasks";

TEST(WayFindings, EqualComputersHaveNone) {
    EXPECT_THAT(told(waysOf(3)), ElementsAre(kAllAlike));
    EXPECT_THAT(told(waysOf(2)), ElementsAre(kAllAlike));
    EXPECT_THAT(told({}), IsEmpty());
    EXPECT_THAT(suspiciousWays(waysOf(16)), IsEmpty());
}

TEST(WayFindings, WhatDiffersByLessThanFourTimesIsNoFinding) {
    std::vector<HostWay> ways = waysOf(4);
    way(ways, "node1", "node2").bytes_per_s = kFast / 3.9;
    way(ways, "node2", "node3").round_trip_us = 3.9 * kNear;
    EXPECT_THAT(suspiciousWays(ways), IsEmpty());
    for (HostWay& one : ways) one.round_trip_us = 20;
    way(ways, "node2", "node3").round_trip_us = way(ways, "node3", "node2").round_trip_us = 200;
    EXPECT_THAT(suspiciousWays(ways), IsEmpty()) << "ten times of what is next to nothing";
}

struct Closed {
    WayOutcome outcome;
    std::string detail;
};

TEST(WayFindings, AClosedPortNamesBothComputersThePortAndTheFact) {
    for (const Closed& closed :
         {Closed{WayOutcome::kRefused, "The connection was refused: a firewall rejects it, or the address is another computer's."},
          Closed{WayOutcome::kNoRoute, "There is no route to it: a firewall rejects the connection, or no way leads there."},
          Closed{WayOutcome::kTimedOut, "Nothing came back in time: probably a firewall drops what comes."},
          Closed{WayOutcome::kNotProven, "Something else answers there: it has not proven the secret of this measurement."}}) {
        std::vector<HostWay> ways = waysOf(3);
        fail(way(ways, "node1", "node3"), closed.outcome);
        const WayFinding first = wayFindings(ways).front();
        EXPECT_EQ(first.row.state, DoctorState::kError);
        EXPECT_EQ(first.row.title, "node1 can't reach node3 at port 12345");
        EXPECT_EQ(first.row.detail, closed.detail);
        EXPECT_EQ(first.row.fix, "Let TCP port 12345 through on node3, or choose a port that its firewall lets through.");
        EXPECT_EQ(first.host, "node3");
    }
}

TEST(WayFindings, AComputerThatNobodyReachesHasOneRow) {
    std::vector<HostWay> ways = waysOf(4);
    for (HostWay& one : ways) {
        if (one.to == "node2") fail(one, WayOutcome::kTimedOut);
    }
    EXPECT_THAT(
        told(ways),
        ElementsAre("error No computer can reach node2 at port 12345 | Nothing came back in time: probably a firewall drops what comes.",
                    "info Between computers: 0.20 ms there and back at most, 900 MB/s at least | encrypted, at the ports of the tasks"));
    way(ways, "node1", "node2").outcome = WayOutcome::kRefused;
    EXPECT_EQ(told(ways).size(), 4U) << "who is refused and who hears nothing have different faults";
}

TEST(WayFindings, AComputerOnASlowCableIsNamedWithTheMedian) {
    std::vector<HostWay> ways = waysOf(3);
    for (HostWay& one : ways) {
        if (one.from == "node2" || one.to == "node2") one.bytes_per_s = kSlow, one.round_trip_us = kFar;
    }
    EXPECT_THAT(told(ways),
                ElementsAre("warning node2: all its ways are slow, 10 MB/s at best; the median of the computers is 900 MB/s",
                            "warning node2: all its ways are long, 40 ms there and back at best; the median of the computers is 0.20 ms",
                            "ok Between computers: 40 ms there and back at most, 10 MB/s at least | encrypted, at the ports of the tasks"));
    EXPECT_THAT(suspiciousWays(ways), ElementsAre(0, 2, 3, 5)) << "the four ways from and to node2";
}

TEST(WayFindings, OneSlowPairIsNamedWithTheMedian) {
    std::vector<HostWay> ways = waysOf(4);
    for (HostWay* one : {&way(ways, "node2", "node4"), &way(ways, "node4", "node2")}) one->bytes_per_s = 2.5e6, one->round_trip_us = kFar;
    EXPECT_THAT(
        told(ways),
        ElementsAre("warning The way between node2 and node4 is slow: 2.50 MB/s at best; the median of all ways is 900 MB/s",
                    "warning The way between node2 and node4 is long: 40 ms there and back at best; the median of all ways is 0.20 ms",
                    "ok Between computers: 40 ms there and back at most, 2.50 MB/s at least | encrypted, at the ports of the tasks"));
}

TEST(WayFindings, AWayThatIsSlowInOneDirectionIsNamedWithBoth) {
    for (const int count : {2, 3}) {
        std::vector<HostWay> ways = waysOf(count);
        way(ways, "node2", "node1").bytes_per_s = kSlow;
        EXPECT_THAT(told(ways).front(), "warning From node2 to node1 go 10 MB/s, the other way round 900 MB/s") << count;
        EXPECT_EQ(suspiciousWays(ways).size(), 2U);
    }
}

TEST(WayFindings, WhatWasNotMeasuredIsCountedWithItsReason) {
    std::vector<HostWay> ways = waysOf(3);
    fail(way(ways, "node3", "node1"), WayOutcome::kNotTried);
    way(ways, "node3", "node1").detail = "no time was left";
    way(ways, "node3", "node2").bytes_per_s = way(ways, "node3", "node2").round_trip_us = 0;
    EXPECT_THAT(told(ways), ElementsAre("info 2 of 6 ways between computers were not measured | no time was left", kAllAlike));
    for (HostWay& one : ways) fail(one, WayOutcome::kNotTried);
    EXPECT_EQ(told(ways).size(), 1U);
}

}  // namespace
