#include "agent/wire/question_convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/proto/question.pb.h"
#include "agent/wire/size_limits.h"

namespace agent::convert {
namespace {

namespace spec = engine::spec;
using engine::ErrorCode;
using testing::HasSubstr;

spec::RunSpec project() {
    spec::RunSpec run;
    run.name = "small";
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    return run;
}

spec::EngineQuestion question(spec::AskedOfEngine asked) {
    return {.run = project(), .base_dir = "/home/me", .asked = std::move(asked)};
}

spec::EngineAnswer carried(const spec::EngineAnswer& answer, spec::AskedOfEngine asked) {
    proto::Answer whole;
    for (const proto::Answer& piece : toProto(answer)) {
        proto::Answer read;
        EXPECT_TRUE(read.ParseFromString(piece.SerializeAsString()));
        EXPECT_LT(piece.ByteSizeLong(), 2 * kMaxPageBytes);
        whole.MergeFrom(read);
    }
    return fromProto(whole, question(std::move(asked)));
}

std::string messageOf(ErrorCode expected, const std::function<void()>& action) {
    try {
        action();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), expected) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

// Each kind of question with every field set, and an answer to it.
struct Row {
    spec::AskedOfEngine asked;
    spec::EngineAnswer answer;
};
std::vector<Row> rows() {
    return {
        {spec::PredictQuestion{.checkpoint = "/ckpt", .data = "/x\xFF.npy", .out = "/y.csv", .threads = 3}, spec::Prediction{{7, 10}}},
        {spec::PlacementQuestion(),
         spec::Placement{{{"conv/Conv2D", "Conv2D", "/job:worker/replica:0/task:1/device:CPU:0", "worker 1", 3}}}},
    };
}

TEST(QuestionConvert, CarriesEveryQuestion) {
    for (const Row& row : rows()) {
        proto::Question message;
        ASSERT_TRUE(message.ParseFromString(toProto(question(row.asked)).SerializeAsString()));
        const spec::EngineQuestion back = fromProto(message);
        EXPECT_EQ(back.run, project());
        EXPECT_EQ(back.base_dir, "/home/me");
        EXPECT_EQ(back.asked, row.asked) << row.asked.index();
    }
    EXPECT_EQ(rows().size(), std::variant_size_v<spec::AskedOfEngine>);
}

TEST(QuestionConvert, CarriesEveryAnswerToItsQuestionAlone) {
    const std::vector<Row> all = rows();
    for (const Row& row : all) {
        EXPECT_EQ(carried(row.answer, row.asked), row.answer) << row.answer.index();
        for (const Row& other : all) {
            if (other.answer.index() != row.answer.index()) {
                EXPECT_THAT(messageOf(ErrorCode::kDataLoss, [&] { carried(row.answer, other.asked); }), HasSubstr("something else"));
            }
        }
        EXPECT_THAT(messageOf(ErrorCode::kDataLoss, [&] { fromProto(proto::Answer(), question(row.asked)); }), HasSubstr("tandem-worker"));
    }
}

TEST(QuestionConvert, SpreadsALargeAnswerOverSeveralMessages) {
    spec::Placement large;
    for (int i = 0; i < 60000; ++i) {
        large.ops.push_back({"op_" + std::to_string(i), "MatMul", "/job:worker/replica:0/task:1/device:CPU:0", "worker 1", i});
    }
    EXPECT_GT(toProto(spec::EngineAnswer(large)).size(), 1U);
    EXPECT_EQ(carried(large, spec::PlacementQuestion()), spec::EngineAnswer(large));
    EXPECT_EQ(toProto(spec::EngineAnswer(spec::Placement())).size(), 1U);
    EXPECT_EQ(carried(spec::Placement(), spec::PlacementQuestion()), spec::EngineAnswer(spec::Placement()));
}

TEST(QuestionConvert, CarriesAFailureWhateverWasAsked) {
    const spec::PredictQuestion asked{.checkpoint = "/a", .out = "/b"};
    const engine::Error failure(ErrorCode::kOutOfRange, "sample 9: expected one below 4");
    EXPECT_EQ(messageOf(ErrorCode::kOutOfRange, [&] { fromProto(toProto(failure), question(asked)); }), failure.what());
    proto::Answer later;
    later.mutable_failure()->set_code(99);
    messageOf(ErrorCode::kInternal, [&] { fromProto(later, question(asked)); });
    EXPECT_EQ(noteToProto("a line \xFF").note(), "a line \xEF\xBF\xBD");
}

TEST(QuestionConvert, RefusesPathsThatMeanAnotherFileElsewhere) {
    const auto refused = [](const spec::AskedOfEngine& asked) {
        return messageOf(ErrorCode::kInvalidArgument, [&] { toProto(question(asked)); });
    };
    EXPECT_EQ(refused(spec::PredictQuestion{.checkpoint = "ckpt", .out = "/y.csv"}), "checkpoint: expected an absolute path, got \"ckpt\"");
    EXPECT_THAT(refused(spec::PredictQuestion{.checkpoint = "/ckpt", .data = "x.npy", .out = "/y.csv"}), HasSubstr("data: "));
    EXPECT_THAT(refused(spec::PredictQuestion{.checkpoint = "/ckpt", .out = "/" + std::string(5000, 'x')}),
                HasSubstr("out: expected at most"));
    spec::EngineQuestion elsewhere = question(spec::PlacementQuestion());
    elsewhere.base_dir = ".";
    EXPECT_THAT(messageOf(ErrorCode::kInvalidArgument, [&] { toProto(elsewhere); }), HasSubstr("base_dir: "));
}

TEST(QuestionConvert, RefusesWhatIsNoQuestion) {
    const spec::EngineQuestion good = question(spec::PlacementQuestion());
    proto::Question message = toProto(good);
    message.clear_placement();
    EXPECT_THAT(messageOf(ErrorCode::kInvalidArgument, [&] { fromProto(message); }), HasSubstr("got none"));
    message = toProto(good);
    message.set_project_json("{\"tandem\": ");
    messageOf(ErrorCode::kInvalidArgument, [&] { fromProto(message); });
    message.set_project_json(std::string(kMaxProjectBytes + 1, ' '));
    EXPECT_THAT(messageOf(ErrorCode::kInvalidArgument, [&] { fromProto(message); }), HasSubstr("project: expected at most"));
}

}  // namespace
}  // namespace agent::convert
