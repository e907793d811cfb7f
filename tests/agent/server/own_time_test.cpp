#include "agent/server/runs/own_time.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using agent::server::OwnTime;

TEST(OwnTime, LeavesOutTheTimeInWhichTheProcessWasStopped) {
    OwnTime::Time now = OwnTime::Time() + 1h;
    OwnTime time(now);
    const OwnTime::Time heard = time.at(now);
    now += 4s;
    EXPECT_EQ(time.turn(now, 4s) - heard, 4s) << "as long as it meant to sleep";
    now += 30s;
    EXPECT_EQ(time.turn(now, 2s) - heard, 6s) << "stopped for 28 s";
    EXPECT_EQ(time.leftOut(), 28s);
    now += 500ms;
    EXPECT_EQ(time.turn(now, 0s) - heard, 6500ms) << "a little late is no stop";
    now += 1s;
    EXPECT_EQ(time.at(now) - heard, 7500ms);
}

}  // namespace
