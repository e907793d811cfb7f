#include "agent/client/lab_run.h"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/lab_agent.h"
#include "tests/support/model_builder.h"

namespace agent::client {
namespace {

namespace lab = engine::lab;
namespace spec = engine::spec;
using engine::ErrorCode;
using lab::LabResult;
using lab::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;

class LabRun : public testing::Test {
protected:
    LabRun() {
        order_.project.name = "digits";
        order_.project.model = tests::support::tutorialModel();
        order_.project.compile = tests::support::compileWith({"Adam", {}});
        order_.settings = {.rows = lab::chosenRows({}), .steps = 20};
        order_.data_dir = "/data";
        listener_.begun = [this](std::size_t row) { told_.push_back("begun " + std::to_string(row)); };
        listener_.ended = [this](std::size_t row, const LabResult& result) {
            told_.push_back(std::to_string(row) + " " + std::string(toString(result.verdict)));
        };
    }

    std::vector<LabResult> run() {
        tests::LabAgent client(world_);
        return runLab(client, order_, listener_);
    }
    void choose(const std::vector<std::string>& names) { order_.settings.rows = lab::chosenRows(names); }

    const std::shared_ptr<tests::LabWorld> world_ = std::make_shared<tests::LabWorld>();
    LabOrder order_;
    LabListener listener_;
    std::vector<std::string> told_;
};

TEST_F(LabRun, TrainsEveryStrategyForAsManyStepsAsRunsOfTheAgent) {
    const std::vector<LabResult> results = run();
    ASSERT_EQ(world_->submits.size(), lab::labRows().size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        const SubmitRequest& request = world_->submits[i];
        const lab::LabRow& row = results[i].row;
        EXPECT_EQ(request.run.strategy.name, spec::strategyName(row.kind));
        EXPECT_EQ(request.local_servers, row.servers);
        EXPECT_EQ(request.local_workers, row.workers > 1 || row.servers > 0 ? row.workers : 0);
        EXPECT_EQ(request.data_dir, "/data");
        EXPECT_THAT(request.run.name, HasSubstr(labelOf(row)));
        EXPECT_EQ(results[i].curve.step.size(), 20U) << row.name;
        EXPECT_NEAR(results[i].steps_per_s.value(), 100, 1e-6) << row.name;
        EXPECT_TRUE(results[i].bytes_per_step) << row.name;
        EXPECT_EQ(results[i].mean_staleness.has_value(), row.servers > 0) << row.name;
        const Verdict expected = i == 0 ? Verdict::kReference : isSynchronous(row) ? Verdict::kEqual : Verdict::kAsynchronous;
        EXPECT_EQ(results[i].verdict, expected) << row.name;
    }
    EXPECT_EQ(told_.size(), 2 * results.size());
    EXPECT_EQ(lab::outcomeOf(results), lab::LabOutcome::kEqual);
}

TEST_F(LabRun, FindsTheRowWhoseWeightsAreOthers) {
    choose({"OneDevice", "MultiWorkerMirrored"});
    world_->difference = [](const spec::RunSpec& run) {
        const bool is_wrong = run.cluster.spec.empty() && run.strategy.name == "OneDeviceStrategy";
        return spec::WeightDifference{
            .largest = is_wrong ? 0.5 : 1e-6, .variable = "dense/kernel", .distance = is_wrong ? 0.5 : 1e-6, .norm = 2, .values = 9};
    };
    const std::vector<LabResult> results = run();
    EXPECT_THAT(told_, ElementsAre("begun 0", "0 reference", "begun 1", "1 differs", "begun 2", "2 equal", "begun 3", "3 equal", "begun 4",
                                   "4 equal"));
    EXPECT_EQ(results[1].difference->largest, 0.5);
    EXPECT_EQ(lab::outcomeOf(results), lab::LabOutcome::kDiffers);
}

TEST_F(LabRun, SaysWhyReplicasMayDiffer) {
    choose({"CentralStorage", "ParameterServer:1"});
    order_.project.model.layers.insert(order_.project.model.layers.begin() + 1, tests::support::layer("BatchNormalization", "bn"));
    world_->difference = [](const spec::RunSpec&) {
        return spec::WeightDifference{.largest = 0.5, .distance = 0.5, .norm = 2, .values = 9};
    };
    const std::vector<LabResult> results = run();
    EXPECT_EQ(results[1].verdict, Verdict::kMayDiffer);
    EXPECT_EQ(results[1].cause.object, "bn");
    EXPECT_EQ(results[2].verdict, Verdict::kDiffers) << "one replica has no excuse";
}

TEST_F(LabRun, LeavesOutWhatAStrategyCannotTrain) {
    choose({"OneDevice", "ParameterServer"});
    world_->obstacle = [](const spec::RunSpec& run) {
        return run.strategy.name == "ParameterServerStrategy" ? "compile.loss_scale: expected none, got one" : "";
    };
    const std::vector<LabResult> results = run();
    EXPECT_EQ(world_->submits.size(), 2U);
    EXPECT_EQ(results[2].verdict, Verdict::kCouldNotRun);
    EXPECT_EQ(results[2].error, "compile.loss_scale: expected none, got one");
    EXPECT_EQ(lab::outcomeOf(results), lab::LabOutcome::kEqual);
}

TEST_F(LabRun, GoesOnBehindARunThatFailed) {
    choose({"OneDevice", "CentralStorage"});
    world_->failure = [](const spec::RunSpec& run) {
        return run.strategy.name == "OneDeviceStrategy" ? "worker 0: killed by signal 9" : "";
    };
    const std::vector<LabResult> results = run();
    EXPECT_EQ(results[1].verdict, Verdict::kFailed);
    EXPECT_EQ(results[1].error, "run run-2 ended as Failed: worker 0: killed by signal 9");
    EXPECT_EQ(results[2].verdict, Verdict::kEqual);
    EXPECT_EQ(lab::outcomeOf(results), lab::LabOutcome::kFailed);
}

TEST_F(LabRun, TrainsNothingElseWithoutAReference) {
    choose({"OneDevice"});
    order_.project.compile.loss.class_name = "Hinge of a door";
    const std::vector<LabResult> results = run();
    EXPECT_TRUE(world_->submits.empty());
    EXPECT_EQ(results[0].verdict, Verdict::kCouldNotRun);
    EXPECT_THAT(results[0].error, HasSubstr("compile.loss"));
    EXPECT_THAT(results[1].error, HasSubstr("no reference"));
}

TEST_F(LabRun, StopsTheRunInProgressWhenItIsCancelled) {
    world_->is_held = true;
    std::atomic<bool> is_cancelled = false;
    listener_.stepped = [&](std::size_t, std::int64_t steps) { is_cancelled = steps == 20; };
    listener_.is_cancelled = [&] { return is_cancelled.load(); };
    try {
        run();
        FAIL() << "it went on";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kCancelled);
    }
    ASSERT_EQ(world_->controls.size(), 1U);
    EXPECT_EQ(world_->controls[0].second.verb, spec::ControlVerb::kStopNow);
}

TEST_F(LabRun, EndsWithTheAgent) {
    tests::LabAgent client(world_);
    world_->answers = false;
    EXPECT_THROW(runLab(client, order_, listener_), engine::Error);
}

}  // namespace
}  // namespace agent::client
