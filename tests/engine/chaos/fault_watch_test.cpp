#include "engine/chaos/fault_watch.h"

#include <gtest/gtest.h>

namespace {

using namespace std::chrono_literals;
using namespace engine::chaos;
using namespace engine::spec;

const TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1}, kServer{"ps", 0};

// A journal that is told line by line, by seconds.
class FaultWatchTest : public ::testing::Test {
protected:
    void tell(int second, const TaskId& task, EventBody body) { watch.add({0, at(second), task, std::move(body)}); }
    void step(int second, const TaskId& task, std::int64_t number) {
        StepPoints points;
        points.step = {number};
        points.epoch = {0};
        points.time_unix_ns = {at(second)};
        tell(second, task, points);
    }
    void inject(int second, const Fault& fault) { tell(second, fault.task, LogLine{LogLevel::kWarning, journalLine({fault, false})}); }
    void end(int second, const Fault& fault) { tell(second, fault.task, LogLine{LogLevel::kWarning, journalLine({fault, true})}); }
    static std::int64_t at(int second) { return 1'000'000'000LL * second; }
    const FaultStory& story() { return watch.stories().at(0); }

    FaultWatch watch;
};

TEST_F(FaultWatchTest, AKilledTaskIsNamedByItsEndAndHealedByTheFirstStepOfTheNextAttempt) {
    step(1, kWorker0, 10);
    inject(2, usualFault(FaultKind::kKill, kWorker1));
    step(3, kWorker0, 11);
    EXPECT_FALSE(story().named_unix_ns) << "what another one does shows nothing";
    tell(4, kWorker1, StateChanged{TaskState::kFailed, "killed by signal 9 (SIGKILL)"});
    EXPECT_EQ(story().named_unix_ns, at(4));
    EXPECT_EQ(story().named_by, "worker 1: killed by signal 9 (SIGKILL)");
    tell(5, kWorker0, StateChanged{TaskState::kFailed, "worker 1 is gone"});
    EXPECT_EQ(story().named_unix_ns, at(4)) << "the first one counts";
    tell(6, kWorker1, AttemptStarted{2, 4, true, "killed by signal 9 (SIGKILL)"});
    step(5, kWorker0, 12);
    EXPECT_FALSE(story().healed_unix_ns) << "a step of the attempt before comes late";
    tell(7, kWorker0, RunStarted{.resumed_step = 5});
    EXPECT_EQ(watch.step(), 5);
    step(8, kWorker0, 6);
    EXPECT_EQ(story().healed_unix_ns, at(8));
    EXPECT_EQ(story().healed_step, 6);
    watch.finish();
    EXPECT_FALSE(story().run_is_over) << "it healed before";
}

TEST_F(FaultWatchTest, AShortStopHealsWithoutBeingNamed) {
    const Fault stop{FaultKind::kStop, kWorker1, {}, 2s};
    inject(1, stop);
    step(1, kWorker1, 5);
    step(2, kWorker1, 6);
    EXPECT_FALSE(story().healed_unix_ns) << "its time is not over";
    end(3, stop);
    step(4, kWorker0, 8);
    EXPECT_FALSE(story().healed_unix_ns) << "of another task";
    step(4, kWorker1, 8);
    EXPECT_EQ(story().healed_unix_ns, at(4));
    EXPECT_EQ(story().over_unix_ns, at(3));
    EXPECT_FALSE(story().named_unix_ns);
}

TEST_F(FaultWatchTest, ALongStopIsNamedBySilence) {
    inject(1, {FaultKind::kStop, kWorker1, {}, 20s});
    tell(5, kWorker1, StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
    EXPECT_EQ(story().named_by, "worker 1: no heartbeat for 4 s");
    tell(11, kWorker1, AttemptStarted{2, 4, true, "no heartbeat for 10 s"});
    step(12, kWorker0, 3);
    EXPECT_EQ(story().healed_unix_ns, at(12)) << "it was started again before the stop was over";
}

TEST_F(FaultWatchTest, ACutIsNamedByEitherEnd) {
    const Fault cut{FaultKind::kCut, kWorker1, kWorker0, 6s};
    inject(1, cut);
    tell(2, kWorker0, LogLine{LogLevel::kInfo, "worker 12 at localhost:1 has given no sign of life for 4 s"});
    EXPECT_FALSE(story().named_unix_ns) << "another one";
    tell(5, kWorker0, LogLine{LogLevel::kInfo, "worker 1 at localhost:1 has given no sign of life for 4 s"});
    EXPECT_EQ(story().named_by, "worker 0: worker 1 at localhost:1 has given no sign of life for 4 s");
    end(7, cut);
    step(8, kWorker0, 9);
    EXPECT_EQ(story().healed_unix_ns, at(8));
}

TEST_F(FaultWatchTest, AServerThatComesBackAloneHealsWhenItIsAtWork) {
    inject(1, usualFault(FaultKind::kKill, kServer));
    tell(2, kServer, StateChanged{TaskState::kNotStarted, "killed by signal 9 (SIGKILL)"});
    EXPECT_EQ(story().named_by, "ps 0: killed by signal 9 (SIGKILL)");
    step(3, kWorker0, 7);
    EXPECT_FALSE(story().healed_unix_ns);
    tell(4, kServer, StateChanged{TaskState::kTraining, ""});
    step(5, kWorker0, 8);
    EXPECT_EQ(story().healed_unix_ns, at(5));
}

TEST_F(FaultWatchTest, ARunThatEndsLeavesItOpen) {
    inject(1, usualFault(FaultKind::kKill, kWorker1));
    tell(2, kWorker1, TaskFailed{.reason = "killed by signal 9 (SIGKILL)", .signal = 9, .last_lines = {}});
    watch.finish();
    EXPECT_TRUE(story().isClosed());
    EXPECT_TRUE(story().run_is_over);
    EXPECT_EQ(story().named_unix_ns, at(2));
}

TEST_F(FaultWatchTest, AnEndIsPutDownToTheLastOfSeveralFaults) {
    inject(1, usualFault(FaultKind::kSlow, kWorker1));
    inject(2, usualFault(FaultKind::kKill, kWorker1));
    tell(3, kWorker1, StateChanged{TaskState::kFailed, "killed by signal 9 (SIGKILL)"});
    tell(4, kWorker0, StateChanged{TaskState::kFailed, "worker 1 is gone"});
    tell(5, kWorker1, AttemptStarted{2, 4, true, "killed by signal 9 (SIGKILL)"});
    ASSERT_EQ(watch.stories().size(), 2U);
    EXPECT_FALSE(watch.stories()[0].named_unix_ns) << "nobody named the slowness";
    EXPECT_EQ(watch.stories()[1].named_unix_ns, at(3));
}

TEST_F(FaultWatchTest, EachOfSeveralHasItsOwnStory) {
    const Fault stop{FaultKind::kStop, kWorker1, {}, 1s};
    for (const int second : {1, 11}) {
        inject(second, stop);
        end(second + 1, stop);
        step(second + 2, kWorker1, second);
    }
    ASSERT_EQ(watch.stories().size(), 2U);
    EXPECT_EQ(watch.stories()[0].healed_unix_ns, at(3));
    EXPECT_EQ(watch.stories()[1].time_unix_ns, at(11));
    EXPECT_EQ(watch.stories()[1].healed_unix_ns, at(13));
}

}  // namespace
