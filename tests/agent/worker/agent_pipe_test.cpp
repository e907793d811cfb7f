#include "agent/worker/agent_pipe.h"

#include <chrono>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/credentials_convert.h"
#include "agent/wire/delimited.h"
#include "agent/wire/task_event_convert.h"
#include "agent/worker/exchange_teller.h"
#include "agent/worker/heartbeat.h"
#include "agent/worker/task_observer.h"

namespace agent::worker {
namespace {

namespace spec = engine::spec;
using namespace std::chrono_literals;

// Both ends of the descriptor that an agent gives to its task.
class AgentPipeTest : public testing::Test {
protected:
    AgentPipeTest() {
        int ends[2] = {-1, -1};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        task_end_ = convert::FileDescriptor(ends[0]);
        agent_end_ = convert::FileDescriptor(ends[1]);
    }
    spec::TaskEvent receive() {
        proto::TaskEvent message;
        convert::DelimitedReader reader(agent_end_.get());
        EXPECT_EQ(reader.read(message), convert::ReadResult::kMessage);
        return convert::fromProto(message);
    }
    void tell(const spec::Control& control) {
        convert::DelimitedWriter writer(agent_end_.get());
        proto::TaskOrder order;
        *order.mutable_control() = convert::toProto(control);
        EXPECT_TRUE(writer.write(order, 1min));
    }

    convert::FileDescriptor task_end_, agent_end_;
};

TEST_F(AgentPipeTest, CarriesEventsOutAndControlsIn) {
    std::promise<spec::Control> told;
    AgentPipe pipe(task_end_.get(), {[&](const spec::Control& control) { told.set_value(control); }, [] {}});
    TaskObserver observer({"worker", 1}, pipe, nullptr);
    observer.report(spec::StateChanged{spec::TaskState::kConnecting, "listening"});
    const spec::TaskEvent event = receive();
    EXPECT_EQ(event.task, (spec::TaskId{"worker", 1}));
    EXPECT_GT(event.time_unix_ns, 0);
    EXPECT_EQ(event.body, spec::EventBody(spec::StateChanged{spec::TaskState::kConnecting, "listening"}));

    tell({spec::ControlVerb::kSetLearningRate, 0.25});
    auto control = told.get_future();
    ASSERT_EQ(control.wait_for(3min), std::future_status::ready);
    EXPECT_EQ(control.get(), (spec::Control{spec::ControlVerb::kSetLearningRate, 0.25}));
}

TEST_F(AgentPipeTest, WaitsForTheReceiptOfWhatItSent) {
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) { ADD_FAILURE() << "a receipt is no control"; }, [] {}});
    TaskObserver observer({"worker", 0}, pipe, nullptr);
    for (const bool kept : {true, false}) {
        observer.report(spec::LogLine{spec::LogLevel::kInfo, "before"});
        auto confirmed = std::async(std::launch::async, [&] { return observer.confirmKept(); });
        convert::DelimitedReader reader(agent_end_.get());  // which may get both at once
        proto::TaskEvent event, question;
        ASSERT_EQ(reader.read(event), convert::ReadResult::kMessage);
        EXPECT_EQ(convert::fromProto(event).body, spec::EventBody(spec::LogLine{spec::LogLevel::kInfo, "before"}));
        ASSERT_EQ(reader.read(question), convert::ReadResult::kMessage);
        EXPECT_EQ(question.body_case(), proto::TaskEvent::BODY_NOT_SET);
        proto::TaskOrder answer;
        answer.mutable_receipt()->set_number(question.receipt_wanted());
        answer.mutable_receipt()->set_kept(kept);
        EXPECT_TRUE(convert::DelimitedWriter(agent_end_.get()).write(answer, 1min));
        EXPECT_EQ(confirmed.get(), kept);
    }
}

TEST_F(AgentPipeTest, WaitsForAReceiptNoLongerThanItMust) {
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [] {}});
    EXPECT_FALSE(pipe.confirmKept(20ms)) << "an agent that hangs";
    auto confirmed = std::async(std::launch::async, [&] { return pipe.confirmKept(1min); });
    agent_end_.reset();
    ASSERT_EQ(confirmed.wait_for(50s), std::future_status::ready) << "an agent that is gone";
    EXPECT_FALSE(confirmed.get());
}

TEST_F(AgentPipeTest, HandsOnTheCredentialsOfARunOnSeveralComputers) {
    std::promise<trust::RunCredentials> handed;  // a second one would throw
    AgentPipe pipe(task_end_.get(), {.control = [](const spec::Control&) {},
                                     .ended = [] {},
                                     .secret =
                                         [&](const convert::Secret& secret, const auto& credentials) {
                                             handed.set_value({secret, credentials.value()});
                                         }});
    const trust::RunCredentials sent{convert::makeSecret(), {"authority", "certificate", "key"}};
    convert::DelimitedWriter writer(agent_end_.get());
    for (int i = 0; i < 2; ++i) {
        proto::TaskOrder order;
        convert::toProto(sent, *order.mutable_credentials());
        EXPECT_TRUE(writer.write(order, 1min));
    }
    auto got = handed.get_future();
    ASSERT_EQ(got.wait_for(3min), std::future_status::ready);
    const trust::RunCredentials credentials = got.get();
    EXPECT_EQ(credentials.secret, sent.secret);
    EXPECT_EQ(credentials.tls.certificate_pem, "certificate");
    EXPECT_EQ(credentials.tls.key_pem, "key");
}

TEST_F(AgentPipeTest, HandsOnTheSecretOfTheRunOnce) {
    std::promise<spec::Control> told;
    std::promise<convert::Secret> handed;  // a second one would throw
    AgentPipe pipe(task_end_.get(), {.control = [&](const spec::Control& control) { told.set_value(control); },
                                     .ended = [] {},
                                     .secret =
                                         [&](const convert::Secret& secret, const auto& credentials) {
                                             EXPECT_FALSE(credentials);
                                             handed.set_value(secret);
                                         }});
    const convert::Secret secret = convert::makeSecret();
    convert::DelimitedWriter writer(agent_end_.get());
    for (const std::string& bytes : {std::string("too short"), std::string(convert::bytesOf(secret)), std::string(32, 'x')}) {
        proto::TaskOrder order;
        order.set_secret(bytes);
        EXPECT_TRUE(writer.write(order, 1min));
    }
    tell({spec::ControlVerb::kPause, 0});
    auto control = told.get_future();
    ASSERT_EQ(control.wait_for(3min), std::future_status::ready);
    EXPECT_EQ(handed.get_future().get(), secret);
}

TEST_F(AgentPipeTest, SaysOnceThatTheAgentIsGone) {
    std::promise<void> ended;
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [&] { ended.set_value(); }});
    agent_end_.reset();
    EXPECT_EQ(ended.get_future().wait_for(3min), std::future_status::ready);
    pipe.send({});  // dropped, no signal, no exception
}

TEST_F(AgentPipeTest, EndsQuietlyWhenTheTaskIsDone) {
    bool ended = false;
    {
        AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [&] { ended = true; }});
    }
    EXPECT_FALSE(ended);
}

TEST_F(AgentPipeTest, HeartbeatsComeWhateverTrainingDoes) {
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [] {}});
    TaskObserver observer({"worker", 0}, pipe, nullptr);
    spec::StepPoints points;
    points.step = {41, 42};
    points.epoch = {0, 0};
    points.time_unix_ns = {1, 2};
    observer.report(points);
    receive();
    const HeartbeatThread heartbeat(observer, {}, 10ms);
    const auto beat = std::get<spec::Heartbeat>(receive().body);
    EXPECT_EQ(beat.step, 42);
    EXPECT_GT(beat.resident_bytes, 1 << 20);
}

TEST_F(AgentPipeTest, HeartbeatsTellOfTheExchangeWhileTrainingStandsStillInIt) {
    engine::distribute::ExchangeProgress progress;
    progress.beginStep(7, 512);
    progress.waitsFor(1, engine::distribute::ExchangeProgress::Clock::now() - 3s);
    ExchangeTeller teller(progress, {{"worker", 0}, {"worker", 1}});
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [] {}});
    TaskObserver observer({"worker", 0}, pipe, nullptr);
    const HeartbeatThread heartbeat(
        observer,
        [&] { return LiveState{.exchange = teller.tell(engine::distribute::ExchangeProgress::Clock::now()), .host = spec::HostLoad{}}; },
        10ms);
    proto::TaskEvent message;
    ASSERT_EQ(convert::DelimitedReader(agent_end_.get()).read(message), convert::ReadResult::kMessage);
    ASSERT_TRUE(message.heartbeat().has_exchange());
    EXPECT_FALSE(message.heartbeat().has_host()) << "its agent measures the computer itself";
    const spec::ExchangeState state = convert::fromProto(message.heartbeat().exchange());
    EXPECT_EQ(state.sequence, 7U);
    EXPECT_EQ(state.bytes, 512);
    EXPECT_GE(state.wait_s, 3);
    EXPECT_EQ(state.awaited, (spec::TaskId{"worker", 1}));
}

TEST(ExchangeTeller, TellsNothingBeforeTheFirstOperationAndMeansOverTheLastCalls) {
    using Clock = engine::distribute::ExchangeProgress::Clock;
    engine::distribute::ExchangeProgress progress;
    ExchangeTeller teller(progress, {{"ps", 0}});
    EXPECT_EQ(teller.tell(Clock::now()), std::nullopt);
    progress.beginStep(1, 64);
    progress.addWait(30ms);
    progress.beginStep(2, 64);
    progress.addWait(10ms);
    EXPECT_DOUBLE_EQ(teller.tell(Clock::now())->step_wait_s.value(), 0.02);
    EXPECT_EQ(teller.tell(Clock::now())->step_wait_s, std::nullopt) << "no step began since";
    progress.beginStep(3, 64);
    progress.addWait(5ms);
    EXPECT_DOUBLE_EQ(teller.tell(Clock::now())->step_wait_s.value(), 0.005);
    progress.waitsFor(4, Clock::now());
    EXPECT_EQ(teller.tell(Clock::now())->awaited, std::nullopt) << "nobody has that rank";
}

TEST_F(AgentPipeTest, LeavesWhatAllReplicasKnowToTheChief) {
    AgentPipe pipe(task_end_.get(), {[](const spec::Control&) {}, [] {}});
    TaskObserver observer({"worker", 1}, pipe, nullptr, SharedEvents::kLeaveToTheChief);
    observer.report(spec::EpochEnd{});
    observer.report(spec::RunStarted{});
    observer.report(spec::LogLine{spec::LogLevel::kInfo, "mine"});
    EXPECT_EQ(receive().body, spec::EventBody(spec::LogLine{spec::LogLevel::kInfo, "mine"}));
}

TEST(TaskObserver, GivesAStopOnceAndBeforeWhatWaits) {
    class NoSink final : public EventSink {
        void send(const spec::TaskEvent&) override {}
        bool confirmKept(std::chrono::milliseconds) override { return true; }
    } sink;
    bool stop = false;
    TaskObserver observer({"worker", 0}, sink, [&] { return stop; });
    EXPECT_EQ(observer.takeControl(0ms), std::nullopt);
    observer.post({spec::ControlVerb::kPause, 0});
    stop = true;
    EXPECT_EQ(observer.takeControl(0ms), (spec::Control{spec::ControlVerb::kStop, 0}));
    EXPECT_EQ(observer.takeControl(0ms), (spec::Control{spec::ControlVerb::kPause, 0}));
    EXPECT_EQ(observer.takeControl(1ms), std::nullopt);
}

}  // namespace
}  // namespace agent::worker
