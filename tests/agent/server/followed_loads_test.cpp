// What the computers of a followed run use, and where its tasks are in their exchange, from the files of their events alone.
#include "agent/server/followed/followed_loads.h"

#include <array>
#include <chrono>
#include <fstream>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/wire/run_convert.h"
#include "engine/run/exchange_culprit.h"
#include "tests/agent/server/followed_run_fixture.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using tests::agent_server::kSecond;

constexpr const char* kElsewhere = "a-boot-of-another-computer pid:[1] 4711 99";

class FollowedLoadsTest : public tests::agent_server::FollowedRunTest {
protected:
    FollowedLoadsTest() {
        options_.loads = {.elsewhere = [this](std::vector<HostLoad> loads) { far_.insert(far_.end(), loads.begin(), loads.end()); },
                          .here =
                              [this](const std::string& run, std::vector<agent::load::LiveTask> tasks) {
                                  run_here_ = run;
                                  here_ = std::move(tasks);
                                  ++words_here_;
                              }};
    }
    // `second`: by the clock of the task's computer, after the first start.
    void beat(const TaskId& task, double second, const std::optional<ExchangeState>& exchange = std::nullopt,
              const std::optional<HostLoad>& host = std::nullopt) {
        write(task, second, [&](agent::proto::TaskEvent& message) {
            message = agent::convert::toProto(TaskEvent{0, message.time_unix_ns(), task, Heartbeat{7, 200 << 20, 1.5}});
            if (exchange) *message.mutable_heartbeat()->mutable_exchange() = agent::convert::toProto(*exchange);
            if (host) agent::convert::toProto(*host, *message.mutable_heartbeat()->mutable_host());
        });
    }
    static HostLoad load(double cpu_cores) {
        return {.interval_s = 1, .cpu_cores = cpu_cores, .cores = 8, .memory_used_bytes = 3, .memory_bytes = 4, .tasks = {}, .gpus = {}};
    }
    // Two tasks that train on node1 and node2, which are other computers.
    std::unique_ptr<FollowedRun> followTwo() {
        start(chief_, 0, kElsewhere);
        start(other_, 0, kElsewhere);
        state(chief_, 0.1, TaskState::kTraining);
        state(other_, 0.1, TaskState::kTraining);
        return follow();
    }
    void step(FollowedRun& followed, std::chrono::milliseconds later = 1s) {
        now_ += later;
        followed.step(now_);
    }
    const HostLoad* newestOf(const std::string& host) const {
        const HostLoad* newest = nullptr;
        for (const HostLoad& one : far_) {
            if (one.host == host) newest = &one;
        }
        return newest;
    }

    std::vector<HostLoad> far_;
    std::string run_here_;
    std::vector<agent::load::LiveTask> here_;
    int words_here_ = 0;
};

TEST(ArrivalClock, GoesByTheWordThatCameSoonest) {
    ArrivalClock clock;
    const ArrivalClock::SteadyTime begin{};
    EXPECT_EQ(clock.aheadNs(), std::nullopt);
    clock.note(100 * kSecond, 90 * kSecond, begin);  // a second on its way, by a clock that is 11 s ahead
    clock.note(102 * kSecond, 91 * kSecond, begin + 1s);
    clock.note(102 * kSecond, 95 * kSecond, begin + 5s);
    EXPECT_EQ(clock.aheadNs(), 11 * kSecond);
}

TEST(ArrivalClock, FollowsAClockThatWasSetBack) {
    ArrivalClock clock;
    const ArrivalClock::SteadyTime begin{};
    clock.note(111 * kSecond, 100 * kSecond, begin);
    for (int minute = 1; minute <= 6; ++minute) {
        const std::int64_t here = (100 + 60 * minute) * kSecond;
        clock.note(here + kSecond, here, begin + std::chrono::minutes(minute));
    }
    EXPECT_EQ(clock.aheadNs(), kSecond);
}

TEST_F(FollowedLoadsTest, OfOtherComputersAreHandedOnWithTimesOfThisOne) {
    start(chief_, 100, kElsewhere);
    state(chief_, 100.1, TaskState::kTraining);
    beat(chief_, 101, std::nullopt, load(3));
    const auto followed = follow();
    EXPECT_THAT(far_, IsEmpty()) << "nothing says yet how that clock goes";
    beat(chief_, 105.9, std::nullopt, load(5));  // that computer's clock is a hundred seconds ahead
    const std::int64_t before = nowUnixNs();
    step(*followed);
    const std::int64_t after = nowUnixNs();
    ASSERT_THAT(far_, SizeIs(2)) << "what was told before, too";
    EXPECT_EQ(far_[0].cpu_cores, 3);
    EXPECT_EQ(far_[1].cpu_cores, 5);
    EXPECT_GE(far_[1].time_unix_ns, before);
    EXPECT_LE(far_[1].time_unix_ns, after);
    EXPECT_EQ(far_[1].time_unix_ns - far_[0].time_unix_ns, 4'900'000'000);
    EXPECT_EQ(far_[1].host, "node1");
    EXPECT_EQ(far_[1].cores, 8);
    ASSERT_THAT(far_[1].tasks, SizeIs(1));
    EXPECT_EQ(far_[1].tasks[0],
              (TaskLoad{.run_id = "new-run", .task = chief_, .pid = 4711, .cpu_cores = 1.5, .resident_bytes = 200 << 20}));
    step(*followed);
    EXPECT_THAT(far_, SizeIs(2)) << "nothing new was told";
}

TEST_F(FollowedLoadsTest, ComeOnceASecondBetweenTheReadingsOfTheTask) {
    const auto followed = followTwo();
    beat(chief_, 3, std::nullopt, load(3));
    step(*followed);
    far_.clear();
    beat(chief_, 4);
    step(*followed, 500ms);
    EXPECT_THAT(far_, IsEmpty()) << "too soon";
    step(*followed, 500ms);
    ASSERT_THAT(far_, SizeIs(1));
    EXPECT_EQ(far_[0].cpu_cores, 3) << "the computer's newest";
    EXPECT_THAT(far_[0].tasks, SizeIs(1));
    beat(chief_, 40);
    step(*followed);
    ASSERT_THAT(far_, SizeIs(2));
    EXPECT_EQ(far_[1].cores, 0) << "nobody has told of the computer for long";
    state(chief_, 41, TaskState::kDone);
    step(*followed);
    EXPECT_THAT(far_.back().tasks, IsEmpty());
}

// The X-ray needs nothing but what the tasks tell in their files.
TEST_F(FollowedLoadsTest, SayWhomTheTasksWaitFor) {
    const auto followed = followTwo();
    const ExchangeState waits{
        .sequence = 7, .bucket = 1, .buckets = 2, .bytes = 400, .wait_s = 3, .awaited = other_, .step_wait_s = {}, .age_s = 0};
    const ExchangeState goes_on{.sequence = 7, .bucket = 1, .buckets = 2, .bytes = 400, .wait_s = 0, .awaited = {}, .step_wait_s = {}};
    beat(chief_, 5, waits, load(1));
    beat(other_, 5, goes_on, load(1));
    step(*followed);
    const std::array readings{engine::run::HostReading{"node1", newestOf("node1")}, engine::run::HostReading{"node2", newestOf("node2")}};
    ASSERT_TRUE(readings[0].load != nullptr && readings[1].load != nullptr);
    const std::array tasks{chief_, other_};
    const auto ranks = engine::run::exchangeRanks(readings, "new-run", tasks);
    ASSERT_THAT(ranks, SizeIs(2));
    EXPECT_EQ(ranks[0].state, waits);
    const auto culprit = engine::run::findCulprit(ranks);
    ASSERT_TRUE(culprit);
    EXPECT_EQ(ranks[culprit->rank].task, other_);
    EXPECT_EQ(ranks[culprit->rank].host, "node2");
    EXPECT_EQ(culprit->why, engine::run::ExchangeCulprit::Why::kBehind);

    // The other one stands still: the word of its computer gets older, and that of node1 goes on.
    beat(chief_, 9, waits, load(1));
    step(*followed, 4s);
    EXPECT_EQ(newestOf("node1")->tasks[0].exchange->age_s, 0);
    EXPECT_GT(newestOf("node1")->time_unix_ns, newestOf("node2")->time_unix_ns) << "nothing came from there";
}

TEST_F(FollowedLoadsTest, TasksOfThisComputerAreMeasuredByItsAgent) {
    start(chief_, 0);
    state(chief_, 0.1, TaskState::kTraining);
    const auto followed = follow();
    ExchangeState exchange{.sequence = 3, .bytes = 10, .awaited = {}, .step_wait_s = {}};
    beat(chief_, 5, exchange, load(1));
    step(*followed);
    EXPECT_EQ(run_here_, "new-run");
    EXPECT_THAT(here_, ElementsAre(agent::load::LiveTask{"new-run", chief_, ::getpid(), exchange}));
    step(*followed, 2s);
    ASSERT_THAT(here_, SizeIs(1));
    EXPECT_EQ(here_[0].exchange->age_s, 2);
    EXPECT_THAT(far_, IsEmpty()) << "what the task told of the computer is not needed";
    state(chief_, 6, TaskState::kDone);
    step(*followed);
    EXPECT_TRUE(followed->isOver());
    EXPECT_THAT(here_, IsEmpty());
    const int words = words_here_;
    step(*followed);
    EXPECT_EQ(words_here_, words) << "once";
}

TEST_F(FollowedLoadsTest, ATaskThatIsGoneIsNotMeasured) {
    const std::string mark = agent::convert::ownProcessMark();
    start(chief_, 0, mark.substr(0, mark.rfind(' ')) + " 1");
    beat(chief_, 5);
    const auto followed = follow();
    step(*followed, 500ms);
    EXPECT_EQ(words_here_, 0);
    EXPECT_THAT(far_, IsEmpty());
}

TEST_F(FollowedLoadsTest, FilesOfEarlierVersionsTellOfTheirTasksAlone) {
    const auto followed = followTwo();
    const ExchangeState exchange{.sequence = 7, .bytes = 400, .awaited = {}, .step_wait_s = {}};
    beat(chief_, 5, exchange);
    step(*followed);
    ASSERT_THAT(far_, SizeIs(1));
    EXPECT_EQ(far_[0].cores, 0) << "the computer was not measured";
    ASSERT_THAT(far_[0].tasks, SizeIs(1));
    EXPECT_EQ(far_[0].tasks[0].exchange, exchange);
}

TEST_F(FollowedLoadsTest, NumbersThatMakeNoSenseAreNothing) {
    const auto followed = followTwo();
    HostLoad odd = load(std::numeric_limits<double>::quiet_NaN());
    odd.memory_used_bytes = -5;
    odd.sent_bytes_per_s = std::numeric_limits<double>::infinity();
    odd.gpus.assign(100, {std::string(300, 'x'), 7, -1, 2});
    odd.tasks.push_back({"of-somebody-else", {"worker", 5}, 1});
    beat(chief_, 5, std::nullopt, odd);
    step(*followed);
    ASSERT_THAT(far_, SizeIs(1));
    const HostLoad& seen = far_[0];
    EXPECT_EQ(seen.cpu_cores, 0);
    EXPECT_EQ(seen.memory_used_bytes, 0);
    EXPECT_EQ(seen.sent_bytes_per_s, 0);
    ASSERT_THAT(seen.gpus, SizeIs(64));
    EXPECT_LE(seen.gpus[0].name.size(), 256U);
    EXPECT_EQ(seen.gpus[0].busy, 1);
    EXPECT_EQ(seen.gpus[0].memory_used_bytes, 0);
    ASSERT_THAT(seen.tasks, SizeIs(1));
    EXPECT_EQ(seen.tasks[0].task, chief_);
}

TEST_F(FollowedLoadsTest, TimesThatNoClockHasAreNotReckonedWith) {
    const auto followed = followTwo();
    for (const std::int64_t time : {std::numeric_limits<std::int64_t>::max(), std::numeric_limits<std::int64_t>::min()}) {
        write(chief_, 0, [&](agent::proto::TaskEvent& message) {
            message = agent::convert::toProto(TaskEvent{0, time, chief_, Heartbeat{7, 1, 1}});
        });
    }
    step(*followed);
    EXPECT_THAT(far_, IsEmpty());
    beat(chief_, 5);
    step(*followed);
    EXPECT_THAT(far_, SizeIs(1));
}

TEST_F(FollowedLoadsTest, WhatALaterVersionTellsIsReadPast) {
    start(chief_, 0);
    const auto append = [&](std::string bytes) {  // shorter than 128 bytes
        bytes += std::string("\x98\x06\x01", 3);  // field 99 with the number 1
        std::ofstream(run() / "events" / "worker-0.events", std::ios::binary | std::ios::app) << static_cast<char>(bytes.size()) << bytes;
    };
    agent::proto::TaskEvent message =
        agent::convert::toProto(TaskEvent{0, begin_ + kSecond, chief_, StateChanged{TaskState::kTraining, ""}});
    append(message.SerializeAsString());
    message.clear_body();
    append(message.SerializeAsString());  // an event of a kind that is not known
    points(chief_, 2, 1);
    auto followed = follow();
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 step 1"));
    EXPECT_THAT(log_, Not(testing::Contains(HasSubstr("damaged"))));
    followed.reset();
    makeBook();
    const auto again = follow(book_->interrupted().front().record);
    EXPECT_THAT(journal(), ElementsAre("w0 Training", "w0 step 1")) << "nothing twice";
}

}  // namespace
