#include "agent/inspect/engine_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <limits>
#include <vector>

#include "agent/inspect/comparison.h"
#include "agent/local/file_descriptor.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "agent/worker/task_runner.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

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

    tests::support::TempDir dir_;
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

TEST(ImportedModels, HaveCompileSettingsThatGoWithTheirOutputWhereTheFileHasNone) {
    const tests::support::TempDir dir;
    const std::string file = (dir.path() / "model.json").string();
    std::ofstream(file) << R"({"class_name": "Sequential", "config": {"name": "prices", "layers": [
        {"class_name": "InputLayer", "config": {"batch_shape": [null, 7]}},
        {"class_name": "Dense", "config": {"name": "dense", "units": 1, "activation": "linear"}}]}})";
    const auto imported = std::get<spec::ImportedModel>(
        answer({.run = {}, .base_dir = {}, .asked = spec::ImportQuestion{.file = file}}, EngineSurroundings{}));
    EXPECT_FALSE(imported.is_compiled);
    EXPECT_EQ(imported.run.compile.loss.class_name, "MeanSquaredError");
    ASSERT_EQ(imported.findings.size(), 1U);
    EXPECT_EQ(toString(imported.findings[0]),
              "info: expected compile settings in the file, got none: Adam, MeanSquaredError and the metric "
              "mae go with the model's output");
}

TEST_F(AnswerOn, TellsOfDataAndOfWhatIsWrongWithThem) {
    question_.run.data.dataset = "csv";
    question_.run.data.csv.label = "y";
    question_.run.data.train_files = {"table.csv"};
    question_.base_dir = dir_.path();
    question_.asked = spec::DataQuestion{.check = true};
    std::ofstream(dir_.path() / "table.csv") << "x,y\n1.5,0\n2.5,1\nnan,1\n";
    std::vector<spec::EngineProgress> steps;
    EngineSurroundings surroundings{.progress = [&](const spec::EngineProgress& step) { steps.push_back(step); }};
    const auto facts = std::get<spec::DataFacts>(worker::answer(question_, surroundings));
    EXPECT_FALSE(facts.problem);
    EXPECT_EQ(facts.train_samples, 3);
    ASSERT_EQ(facts.columns.size(), 2U);
    EXPECT_TRUE(facts.columns.back().is_label);
    EXPECT_EQ(facts.not_finite, 1);
    ASSERT_EQ(facts.groups.size(), 2U);
    EXPECT_EQ(facts.groups[1].train, 2);
    EXPECT_FALSE(facts.groups[1].samples.empty());
    ASSERT_FALSE(steps.empty());
    EXPECT_EQ(steps.back().stage, spec::EngineProgress::Stage::kRead);
    EXPECT_EQ(steps.back().total, 3);

    question_.run.data.train_files = {"lost.csv"};
    ask(convert::toProto(question_));
    const auto lost = std::get<spec::DataFacts>(convert::fromProto(answer(), question_));
    ASSERT_TRUE(lost.problem);
    EXPECT_EQ(lost.problem->code, engine::ErrorCode::kNotFound);
    EXPECT_THAT(lost.problem->message, HasSubstr("lost.csv"));
    EXPECT_FALSE(lost.problem->can_fetch);
}

TEST_F(AnswerOn, StopsReadingOnceNobodyWantsTheAnswer) {
    question_.run.data.dataset = "csv";
    question_.run.data.csv.label = "y";
    question_.run.data.train_files = {"table.csv"};
    question_.base_dir = dir_.path();
    question_.asked = spec::DataQuestion();
    std::ofstream(dir_.path() / "table.csv") << "x,y\n1.5,0\n2.5,1\n";
    const auto facts = std::get<spec::DataFacts>(worker::answer(question_, {.is_cancelled = [] { return true; }}));
    ASSERT_TRUE(facts.problem);
    EXPECT_EQ(facts.problem->code, engine::ErrorCode::kCancelled);
}

TEST_F(AnswerOn, DealsSamplesToTheTasksOfTheCluster) {
    question_.run.data.dataset = "csv";
    question_.run.data.csv.label = "y";
    question_.run.data.train_files = {"table.csv"};
    question_.run.data.shuffle = 0;
    question_.run.data.batch_size_per_replica = 2;
    question_.run.data.validate_on_test = false;
    question_.run.data.auto_shard = spec::AutoShardPolicy::kData;
    question_.run.strategy.name = "MultiWorkerMirroredStrategy";
    question_.run.cluster.spec.jobs = {{"worker", {{0, "localhost:1"}, {1, "localhost:2"}}}};
    question_.run.model.input_shape = {1};
    question_.run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}, {"activation", "softmax"}}}};
    question_.base_dir = dir_.path();
    question_.asked = spec::ShardsQuestion{.steps = 1};
    std::ofstream table(dir_.path() / "table.csv");
    table << "x,y\n";
    for (int i = 0; i < 8; ++i) {
        table << i << ".5," << i % 2 << '\n';
    }
    table.close();
    ask(convert::toProto(question_));
    const auto preview = std::get<spec::ShardPreview>(convert::fromProto(answer(), question_));
    EXPECT_EQ(preview.training_samples, 8);
    EXPECT_EQ(preview.global_batch_size, 4);
    EXPECT_EQ(preview.tasks, (std::vector<spec::TaskId>{{"worker", 0}, {"worker", 1}}));
    ASSERT_EQ(preview.steps.size(), 1U);
    std::vector<std::uint32_t> all = preview.steps[0].elements.at(0);
    all.insert(all.end(), preview.steps[0].elements.at(1).begin(), preview.steps[0].elements.at(1).end());
    std::sort(all.begin(), all.end());
    EXPECT_EQ(all, (std::vector<std::uint32_t>{0, 1, 2, 3})) << "the first global batch, each sample once";
}

TEST_F(AnswerOn, TellsWhatReplicasHandToEachOther) {
    question_.run.strategy.logical_cpus = 2;
    question_.asked = spec::TrafficQuestion();
    ask(convert::toProto(question_));
    const auto traffic = std::get<spec::StepTraffic>(convert::fromProto(answer(), question_));
    EXPECT_GE(traffic.bytes, 2 * 200) << "4 x 10 weights and 10 of the bias, in and out";
    EXPECT_LT(traffic.bytes, 2 * 400);
}

TEST(WeightDifference, IsTheLargestOfAllVariables) {
    spec::WeightDifference found;
    addDifference(found, "same", std::vector<float>{1, 2}, std::vector<float>{1, 2});
    EXPECT_EQ(found.largest, 0);
    EXPECT_EQ(found.variable, "");
    EXPECT_EQ(found.distance, 0);
    EXPECT_DOUBLE_EQ(found.norm, std::sqrt(5));
    addDifference(found, "kernel", std::vector<float>{3, 0.5F}, std::vector<float>{2, 0});
    addDifference(found, "bias", std::vector<float>{0.25F}, std::vector<float>{0});
    EXPECT_EQ(found.largest, 1);
    EXPECT_DOUBLE_EQ(found.distance, std::sqrt(1 + 0.25 + 0.0625));
    EXPECT_DOUBLE_EQ(found.norm, 3);
    EXPECT_EQ(found.variable, "kernel");
    EXPECT_EQ(found.values, 5);
}

TEST(WeightDifference, CountsWhatIsNoNumber) {
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    spec::WeightDifference found;
    addDifference(found, "lost", std::vector<float>{nan, nan, infinity, 1}, std::vector<float>{nan, 1, 1, infinity});
    EXPECT_EQ(found, (spec::WeightDifference{.not_finite = 3, .values = 4}));
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
