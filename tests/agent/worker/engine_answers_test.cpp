#include "agent/inspect/engine_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>

#include "agent/local/file_descriptor.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "agent/worker/task_runner.h"
#include "engine/spec/error.h"

namespace agent::worker {
namespace {

namespace spec = engine::spec;
using namespace std::chrono_literals;
using convert::FileDescriptor;
using convert::ReadResult;
using testing::HasSubstr;

class AnswerOn : public testing::Test {
protected:
    AnswerOn() {
        int ends[2] = {-1, -1};
        EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        agent_ = FileDescriptor(ends[0]);
        worker_ = FileDescriptor(ends[1]);
        question_.run.model.input_shape = {4};
        question_.run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    }

    void ask(const proto::Question& question) { ASSERT_TRUE(convert::DelimitedWriter(agent_.get()).write(question, 5s)); }
    // All that the worker says, and then its end.
    proto::Answer answer() {
        EXPECT_EQ(answerOn(worker_.get(), {}), kExitDone);
        worker_.reset();
        convert::DelimitedReader reader(agent_.get());
        proto::Answer whole, piece;
        while (reader.read(piece) == ReadResult::kMessage) {
            whole.MergeFrom(piece);
        }
        return whole;
    }

    FileDescriptor agent_, worker_;
    spec::EngineQuestion question_{.run = {}, .base_dir = {}, .asked = spec::PlacementQuestion()};
};

TEST_F(AnswerOn, AnswersWhatIsAsked) {
    ask(convert::toProto(question_));
    const auto placed = std::get<spec::Placement>(convert::fromProto(answer(), question_));
    EXPECT_EQ(placed, std::get<spec::Placement>(worker::answer(question_, {})));
    EXPECT_FALSE(placed.ops.empty());
}

TEST_F(AnswerOn, FailsInTheEnginesWords) {
    question_.run.strategy.devices = {"TPU:0"};
    ask(convert::toProto(question_));
    try {
        convert::fromProto(answer(), question_);
        FAIL() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("strategy.devices[0]"));
    }
}

TEST_F(AnswerOn, RefusesAQuestionThatItDoesNotKnow) {
    ask({});
    EXPECT_THAT(answer().failure().message(), HasSubstr("expected"));
}

TEST_F(AnswerOn, EndsWhenNobodyAsksOrListens) {
    agent_.reset();
    EXPECT_EQ(answerOn(worker_.get(), {}), kExitAgentGone);
}

}  // namespace
}  // namespace agent::worker
