#include "agent/home/far_task.h"

#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/task_event_convert.h"

namespace agent::home {
namespace {

using namespace std::chrono_literals;
namespace spec = engine::spec;

bool isReadable(int descriptor) {
    pollfd entry{descriptor, POLLIN, 0};
    return ::poll(&entry, 1, 0) == 1;
}

class FarTaskTest : public ::testing::Test {
protected:
    int woken_ = 0;
    const std::shared_ptr<FarTask> task_ = std::make_shared<FarTask>(spec::TaskId{"worker", 1}, "node2", [this] { ++woken_; });
    std::unique_ptr<server::Process> process_ = FarTask::process(task_);
};

TEST_F(FarTaskTest, TellsTheSupervisorWhatItsAgentTold) {
    const spec::TaskEvent event{0, 42, {"worker", 1}, spec::LogLine{spec::LogLevel::kInfo, "far"}};
    EXPECT_TRUE(task_->tell(event));
    convert::DelimitedReader reader(process_->eventDescriptor());
    proto::TaskEvent message;
    ASSERT_EQ(reader.read(message), convert::ReadResult::kMessage);
    EXPECT_EQ(convert::fromProto(message), event);
    EXPECT_EQ(reader.read(message), convert::ReadResult::kWouldBlock);
}

TEST_F(FarTaskTest, HandsOnWhatTheSupervisorOrders) {
    proto::TaskOrder order;
    EXPECT_EQ(task_->orders().read(order), convert::ReadResult::kWouldBlock);
    order.mutable_control()->set_verb(proto::CONTROL_VERB_PAUSE);
    ASSERT_TRUE(convert::DelimitedWriter(process_->eventDescriptor()).write(order, 1s));
    proto::TaskOrder got;
    ASSERT_EQ(task_->orders().read(got), convert::ReadResult::kMessage);
    EXPECT_EQ(got.control().verb(), proto::CONTROL_VERB_PAUSE);
}

TEST_F(FarTaskTest, SaysWhetherItsComputerAnswers) {
    EXPECT_TRUE(process_->isReached());
    task_->setReached(false);
    EXPECT_FALSE(process_->isReached());
    task_->setReached(true);
    EXPECT_TRUE(process_->isReached());
}

TEST_F(FarTaskTest, EndsAsItsAgentSays) {
    EXPECT_FALSE(isReadable(process_->exitDescriptor()));
    EXPECT_EQ(process_->tryReap(), std::nullopt);
    task_->end({.exit_code = -1, .signal = SIGKILL}, "");
    task_->end({.exit_code = 0, .signal = 0}, "too late");
    EXPECT_TRUE(isReadable(process_->exitDescriptor()));
    EXPECT_EQ(process_->tryReap(), (server::ExitStatus{.exit_code = -1, .signal = SIGKILL}));
    EXPECT_EQ(process_->givenUp(), "");
    EXPECT_EQ(process_->host(), "node2");
}

TEST_F(FarTaskTest, RemembersTheStrongestSignal) {
    EXPECT_EQ(task_->wantedSignal(), 0);
    process_->signalGroup(SIGTERM);
    EXPECT_EQ(task_->wantedSignal(), SIGTERM);
    process_->signalGroup(SIGKILL);
    process_->signalGroup(SIGTERM);
    EXPECT_EQ(task_->wantedSignal(), SIGKILL);
    EXPECT_EQ(woken_, 2);
}

TEST_F(FarTaskTest, IsToBeKilledWhenTheSupervisorLetsGo) {
    process_.reset();
    EXPECT_EQ(task_->wantedSignal(), SIGKILL);
    EXPECT_FALSE(task_->tell({0, 1, {"worker", 1}, spec::Heartbeat{}}));
    proto::TaskOrder order;
    EXPECT_EQ(task_->orders().read(order), convert::ReadResult::kEnd);
}

TEST_F(FarTaskTest, PrintsNothing) {
    char byte = 0;
    EXPECT_EQ(::read(process_->outputDescriptor(), &byte, 1), 0);
    EXPECT_EQ(::read(process_->errorDescriptor(), &byte, 1), 0);
}

}  // namespace
}  // namespace agent::home
