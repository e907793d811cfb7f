#include "agent/wire/question_convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

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

// Every value differs from its neighbours'.
spec::Classification classification(std::int64_t classes) {
    spec::Classification told{.classes = classes, .class_names = {}, .sample_shape = {1, 2}, .samples = 4, .confusion = {}, .mistakes = {}};
    for (std::int64_t label = 0; label < classes; ++label) {
        told.class_names.push_back("class " + std::to_string(label));
        for (std::int64_t predicted = 0; predicted < classes; ++predicted) {
            told.confusion.push_back(label * 1000 + predicted);
        }
    }
    told.mistakes = {{3, 0, classes - 1, 0.9F, {0, 255}}};
    return told;
}

spec::DataFacts facts() {
    return {.problem = {},
            .dataset = "table",
            .train_samples = 340,
            .test_samples = 12,
            .train_files = {300, 40},
            .sample_shape = {2, 1},
            .sample_dtype = "uint8",
            .label_dtype = "int32",
            .smallest = -1.5,
            .largest = 7,
            .bytes = 99,
            .is_checked = true,
            .bad = 2,
            .first_bad = {"a.csv:17: expected 5 cells, got 4"},
            .not_finite = 3,
            .first_not_finite = "sample 5",
            .refusals = {"2 samples"},
            .columns = {{"x", "category", false, 4}, {"y", "integer", true, 0}},
            .has_classes = true,
            .groups_left_out = 1,
            .groups = {{"cat", 200, 8, {{7, 2, 1, 1, {0, 255}, ""}, {9, 0, 0, 0, {}, "1.5, 2"}}}, {"dog", 140, 4, {}}}};
}

spec::WayGroup wayGroup() {
    return {.secret = std::string(32, '\x01'),
            .authority_pem = "pem",
            .tasks = {{"worker 0", "10.77.0.1:2222"}, {"worker 1", "[fd77::2]:2222"}}};
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
        {spec::EvaluateQuestion{.checkpoint = "/ckpt", .threads = 2, .confusion = true, .mistakes = 5, .pictures = true},
         spec::Evaluation{.accuracy = 0.75, .loss = 0.5, .samples = 4, .classification = classification(2)}},
        {spec::InspectQuestion{.checkpoint = "/ckpt", .data = "/x.npy", .sample = 6},
         spec::Inspection{.sample_shape = {1, 2},
                          .pixels = {0, 255},
                          .top = {{"dog", 1, 0.9F}},
                          .layers = {{"conv", "Conv2D", {1, 2, 2}, -1, 2.5F, 2, {0, 255, 7, 200}}}}},
        {spec::ImportQuestion{"/model.keras"},
         spec::ImportedModel{
             .run = project(), .is_compiled = true, .findings = {{spec::Severity::kWarning, "compile.loss", "not known", "choose one"}}}},
        {spec::ExportQuestion{.checkpoint = "/ckpt", .out = "/model.onnx", .onnx = true, .batch = 16}, spec::WrittenFile{1234567}},
        {spec::DataQuestion{.fetch = true, .check = true, .samples = 3, .draw = 9}, facts()},
        {spec::DatasetsQuestion(), spec::Datasets{{"mnist", "cifar10"}}},
        {spec::ShardsQuestion{.steps = 7},
         spec::ShardPreview{.dataset = "mnist",
                            .training_samples = 60000,
                            .policy = "DATA",
                            .reason = "because",
                            .chain = "shuffle, batch",
                            .meanings = {"a"},
                            .advice = {"b", "c"},
                            .tasks = {{"chief", 0}, {"worker", 0}},
                            .global_batch_size = 5,
                            .steps_per_epoch = 2,
                            .steps = {{1, 0, {{4, 0, 7}, {1, 2}}, {{2, 1}, {1, 1}}}, {2, 0, {{3}, {}}, {{1, 0}, {0, 0}}}}}},
        {spec::TrafficQuestion(), spec::StepTraffic{123456}},
        {spec::WeightsQuestion{.checkpoint = "/a/ckpt_1", .reference = "/b/ckpt_1"},
         spec::WeightDifference{.largest = 0.5, .variable = "dense/kernel", .distance = 0.75, .norm = 8, .not_finite = 3, .values = 70}},
        {spec::ServeWaysQuestion{.group = wayGroup(), .own = {{1, "cert", "key"}, {0, "c", "k"}}, .within_s = 30}, spec::ServedWays{7}},
        {spec::CallWaysQuestion{.group = wayGroup(), .own = {1, "cert", "key"}, .called = {0, 1}, .measures = true},
         spec::CalledWays{{{1, spec::WayOutcome::kReached, "", 120.5, 9e8}, {0, spec::WayOutcome::kTimedOut, "no answer", 0, 0}}}},
        {spec::InputsQuestion{"/weights.h5"}, spec::InputFindings{{{spec::Severity::kError, "fit.initial_weights", "a.h5: none", ""}}}},
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

TEST(QuestionConvert, SpreadsPicturesAndLongListsToo) {
    spec::DataFacts many = facts();
    many.groups.clear();
    for (int group = 0; group < 4; ++group) {
        spec::GroupFacts& added = many.groups.emplace_back(spec::GroupFacts{"group " + std::to_string(group), group, 1, {}});
        for (int sample = 0; sample < 100; ++sample) {
            added.samples.push_back({sample, 48, 48, 3, std::vector<std::uint8_t>(48 * 48 * 3, static_cast<std::uint8_t>(sample)), ""});
        }
    }
    EXPECT_GT(toProto(spec::EngineAnswer(many)).size(), 1U);
    EXPECT_EQ(carried(many, spec::DataQuestion()), spec::EngineAnswer(many));

    const spec::Evaluation table{.classification = classification(500)};
    EXPECT_GT(toProto(spec::EngineAnswer(table)).size(), 1U);
    EXPECT_EQ(carried(table, spec::EvaluateQuestion{.checkpoint = "/ckpt"}), spec::EngineAnswer(table));

    spec::ShardPreview shards{.tasks = {{"worker", 0}}, .steps = {{1, 0, {std::vector<std::uint32_t>(400'000, 3'000'000'000U)}, {}}}};
    EXPECT_GT(toProto(spec::EngineAnswer(shards)).size(), 1U);
    EXPECT_EQ(carried(shards, spec::ShardsQuestion()), spec::EngineAnswer(shards));
}

TEST(QuestionConvert, CarriesWhyASetCanNotBeLookedAt) {
    const spec::DataFacts answer{.problem = spec::DataProblem{ErrorCode::kNotFound, "cifar10: is not on this computer", true}};
    EXPECT_EQ(carried(answer, spec::DataQuestion()), spec::EngineAnswer(answer));
    const spec::ImportedModel refused{.findings = {{spec::Severity::kError, "model.layers[2]", "expected a layer", ""}}};
    EXPECT_EQ(carried(refused, spec::ImportQuestion{"/m.h5"}), spec::EngineAnswer(refused));
}

TEST(QuestionConvert, CarriesProgress) {
    using Stage = spec::EngineProgress::Stage;
    for (const Stage stage : {Stage::kFetch, Stage::kRead, Stage::kListen}) {
        const spec::EngineProgress progress{stage, "train-images", 7, 5'000'000'000};
        EXPECT_EQ(fromProto(toProto(progress).progress()), progress);
    }
}

// Each message is one that was right and is changed in one place.
TEST(QuestionConvert, RefusesAnswersThatContradictThemselves) {
    const auto refused = [](const Row& row, const std::function<void(proto::Answer&)>& change) {
        proto::Answer message = toProto(row.answer).front();
        change(message);
        messageOf(ErrorCode::kDataLoss, [&] { fromProto(message, question(row.asked)); });
    };
    for (const Row& row : rows()) {
        if (std::holds_alternative<spec::Evaluation>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_evaluation()->mutable_classification()->add_confusion(1); });
            refused(row, [](proto::Answer& message) { message.mutable_evaluation()->mutable_classification()->add_class_names("third"); });
            refused(row, [](proto::Answer& message) {
                message.mutable_evaluation()->mutable_classification()->mutable_mistakes(0)->set_predicted(2);
            });
        } else if (std::holds_alternative<spec::Inspection>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_inspection()->mutable_layers(0)->set_shown(3); });
            refused(row, [](proto::Answer& message) { message.mutable_inspection()->mutable_layers(0)->set_shown(0); });
        } else if (std::holds_alternative<spec::DataFacts>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_data()->mutable_groups(0)->mutable_samples(0)->set_rows(3); });
            refused(row, [](proto::Answer& message) { message.mutable_data()->mutable_groups(1)->set_index(5); });
        } else if (std::holds_alternative<spec::ShardPreview>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_shards()->mutable_steps(0)->set_task(2); });
            refused(row, [](proto::Answer& message) { message.mutable_shards()->mutable_steps(0)->set_parts(0, 9); });
        } else if (std::holds_alternative<spec::ServedWays>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_served_ways()->set_calls(-1); });
        } else if (std::holds_alternative<spec::CalledWays>(row.answer)) {
            refused(row, [](proto::Answer& message) { message.mutable_called_ways()->mutable_ways(0)->set_bytes_per_s(-1); });
            refused(row, [](proto::Answer& message) {
                message.mutable_called_ways()->mutable_ways(0)->set_round_trip_us(std::numeric_limits<double>::infinity());
            });
        }
    }
}

TEST(QuestionConvert, RefusesNumbersOutOfRange) {
    const auto refused = [](const spec::AskedOfEngine& asked) {
        return messageOf(ErrorCode::kInvalidArgument, [&] { fromProto(toProto(question(asked))); });
    };
    EXPECT_EQ(refused(spec::EvaluateQuestion{.checkpoint = "/ckpt", .mistakes = -1}), "mistakes: expected 0 to 1000, got -1");
    EXPECT_EQ(refused(spec::DataQuestion{.samples = 1001}), "samples: expected 0 to 1000, got 1001");
    EXPECT_EQ(refused(spec::ShardsQuestion{.steps = 0}), "steps: expected 1 to 1000000, got 0");
    EXPECT_EQ(refused(spec::PredictQuestion{.checkpoint = "/a", .out = "/b", .threads = 5000}), "threads: expected 0 to 1024, got 5000");
    EXPECT_EQ(refused(spec::ServeWaysQuestion{.group = wayGroup(), .own = {{2, "c", "k"}}}),
              "ways: expected the rank of one of 2 tasks, got 2");
    EXPECT_EQ(refused(spec::ServeWaysQuestion{.group = wayGroup(), .own = {{1, "c", "k"}}, .within_s = 301}),
              "ways: expected 1 to 300 s, got 301");
    EXPECT_EQ(refused(spec::ServeWaysQuestion{.group = wayGroup(), .own = {}}), "ways: expected a task that listens, got none");
    EXPECT_EQ(refused(spec::CallWaysQuestion{.group = wayGroup(), .own = {0, "c", "k"}, .called = {-1}}),
              "ways: expected the rank of one of 2 tasks, got -1");
    EXPECT_EQ(refused(spec::CallWaysQuestion{.group = wayGroup(), .own = {0, "c", "k"}, .called = {1, 1, 1}}),
              "ways: expected each task to be called once, got 3 calls to 2 tasks");
    EXPECT_EQ(refused(spec::CallWaysQuestion{.group = {.secret = "x"}, .own = {0, "c", "k"}}),
              "ways: expected a secret of 32 bytes, got 1 bytes");
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
    EXPECT_THAT(refused(spec::EvaluateQuestion{.checkpoint = "ckpt"}), HasSubstr("checkpoint: "));
    EXPECT_THAT(refused(spec::InspectQuestion{.checkpoint = "/ckpt", .data = "x.npy"}), HasSubstr("data: "));
    EXPECT_THAT(refused(spec::ImportQuestion{"model.h5"}), HasSubstr("file: "));
    EXPECT_THAT(refused(spec::ExportQuestion{.checkpoint = "/ckpt", .out = "model.h5"}), HasSubstr("out: "));
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
