// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/engine_call.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "engine/spec/error.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {
namespace {

namespace spec = engine::spec;
using namespace std::chrono_literals;

constexpr int kDeadlineMs = 180'000;

// Answers how many samples are asked for, after so many looks at whether somebody waits.
class EngineCallTest : public testing::Test {
protected:
    EngineCallTest() {
        world_->engine = [this](const spec::EngineQuestion& question, const agent::client::AskOptions& options) -> spec::EngineAnswer {
            silence_ = options.longest_silence;
            const std::int64_t samples = std::get<spec::DataQuestion>(question.asked).samples;
            while (samples == kNever) {
                if (options.is_cancelled()) {
                    cancelled_ = true;
                    throw engine::Error(engine::ErrorCode::kCancelled, "question: cancelled");
                }
                std::this_thread::sleep_for(5ms);
            }
            if (samples < 0) throw engine::Error(engine::ErrorCode::kOutOfRange, "samples: expected 0 or more");
            options.progress({spec::EngineProgress::Stage::kRead, "x", 1, samples});
            return spec::DataFacts{.train_samples = samples};
        };
    }
    void connectAgent() { slot_->put(std::make_shared<tests::FakeAgentClient>(world_)); }
    static EngineCall::MakeQuestion samples(std::int64_t count) {
        return [count] { return spec::EngineQuestion{.run = {}, .base_dir = {}, .asked = spec::DataQuestion{.samples = count}}; };
    }
    static std::int64_t countIn(const QSignalSpy& answered) {
        return std::get<spec::DataFacts>(answered.back()[0].value<spec::EngineAnswer>()).train_samples;
    }

    static constexpr std::int64_t kNever = 999;
    std::atomic<bool> cancelled_ = false;
    std::chrono::milliseconds silence_{0};
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    std::shared_ptr<ClientSlot> slot_ = std::make_shared<ClientSlot>();
    EngineCall call_{slot_};
    QSignalSpy answered_{&call_, &EngineCall::answered}, failed_{&call_, &EngineCall::failed}, progressed_{&call_, &EngineCall::progressed};
};

TEST_F(EngineCallTest, TellsProgressAndThenTheAnswer) {
    connectAgent();
    call_.start(samples(7), 5000);
    EXPECT_TRUE(call_.isRunning());
    ASSERT_TRUE(QTest::qWaitFor([&] { return answered_.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(countIn(answered_), 7);
    ASSERT_EQ(progressed_.count(), 1);
    EXPECT_EQ(progressed_[0][0].value<spec::EngineProgress>().total, 7);
    EXPECT_FALSE(call_.isRunning());
    EXPECT_EQ(silence_, 5000ms);
    EXPECT_EQ(failed_.count(), 0);
}

TEST_F(EngineCallTest, SaysWhyThereIsNoAnswer) {
    connectAgent();
    call_.start(samples(-1));
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed_.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(failed_[0][0].value<ErrorInfo>().code, static_cast<int>(engine::ErrorCode::kFailedPrecondition));
    EXPECT_EQ(failed_[0][0].value<ErrorInfo>().detail, "samples: expected 0 or more");
    call_.start([]() -> spec::EngineQuestion { throw engine::Error(engine::ErrorCode::kNotFound, "run.json: none"); });
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed_.count() == 2; }, kDeadlineMs));
    EXPECT_EQ(failed_[1][0].value<ErrorInfo>().detail, "run.json: none") << "of making the question";
    EXPECT_FALSE(call_.isRunning());
}

TEST_F(EngineCallTest, WaitsForTheConnectionOfTheStart) {
    call_.start(samples(3));
    std::this_thread::sleep_for(100ms);
    QCoreApplication::processEvents();
    EXPECT_TRUE(call_.isRunning());
    connectAgent();
    ASSERT_TRUE(QTest::qWaitFor([&] { return answered_.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(countIn(answered_), 3);
}

TEST_F(EngineCallTest, HearsThatThereIsNoAgent) {
    call_.start(samples(3));
    std::this_thread::sleep_for(100ms);  // it waits by then
    slot_->fail("agent: could not be started");
    ASSERT_TRUE(QTest::qWaitFor([&] { return failed_.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(failed_[0][0].value<ErrorInfo>().detail, "agent: could not be started");
    EXPECT_EQ(failed_[0][0].value<ErrorInfo>().code, static_cast<int>(engine::ErrorCode::kUnavailable));
}

TEST_F(EngineCallTest, IsNotHeardOnceItIsCancelledOrAnotherIsAsked) {
    connectAgent();
    call_.start(samples(kNever));
    ASSERT_TRUE(QTest::qWaitFor([&] { return world_->asked.size() == 1; }, kDeadlineMs));
    call_.start(samples(4));
    ASSERT_TRUE(QTest::qWaitFor([&] { return answered_.count() == 1; }, kDeadlineMs));
    EXPECT_EQ(countIn(answered_), 4);
    ASSERT_TRUE(QTest::qWaitFor([&] { return cancelled_.load(); }, kDeadlineMs)) << "the first one ends";
    call_.start(samples(5));
    call_.cancel();
    EXPECT_FALSE(call_.isRunning());
    QTest::qWait(200);
    EXPECT_EQ(answered_.count(), 1);
    EXPECT_EQ(failed_.count(), 0);
}

TEST_F(EngineCallTest, EndsWithItsQuestion) {
    connectAgent();
    {
        EngineCall other(slot_);
        other.start(samples(kNever));
        ASSERT_TRUE(QTest::qWaitFor([&] { return world_->asked.size() == 1; }, kDeadlineMs));
    }
    EXPECT_TRUE(cancelled_) << "nothing of it goes on";
}

TEST(ClientSlot, GivesUpAtItsDeadlineAndOnDemand) {
    ClientSlot slot;
    const auto codeOf = [&slot](std::chrono::milliseconds deadline, bool is_cancelled) {
        try {
            slot.take(deadline, [is_cancelled] { return is_cancelled; });
        } catch (const engine::Error& error) {
            return error.code();
        }
        return engine::ErrorCode::kInternal;
    };
    EXPECT_EQ(codeOf(10ms, false), engine::ErrorCode::kUnavailable);
    EXPECT_EQ(codeOf(10min, true), engine::ErrorCode::kCancelled);
}

}  // namespace
}  // namespace ui::session
