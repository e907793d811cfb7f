#include "engine/lab/lab_result.h"

#include <cmath>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::lab {
namespace {

using spec::WeightDifference;
using testing::ElementsAre;
using Kind = ReplicaCause::Kind;

LabRow row(const std::string& name) {
    return chosenRows({name}).back();
}

spec::TaskEvent event(const spec::TaskId& task, spec::EventBody body) {
    static std::uint64_t sequence = 0;
    return {.sequence = ++sequence, .time_unix_ns = 1, .task = task, .body = std::move(body)};
}

// Points of a task: step k at k tenths of a second.
spec::StepPoints points(std::vector<std::int64_t> steps, std::vector<float> losses) {
    spec::StepPoints told;
    for (const std::int64_t step : steps) {
        told.epoch.push_back(0);
        told.time_unix_ns.push_back(step * 100'000'000);
    }
    told.step = std::move(steps);
    told.columns = {{"loss", std::move(losses)}};
    return told;
}

constexpr std::int64_t kSteps = 100;

LossCurve fallingCurve() {
    LossCurve curve;
    for (std::int64_t step = 1; step <= kSteps; ++step) {
        curve.step.push_back(step);
        curve.loss.push_back(2.0 / static_cast<double>(step));
    }
    return curve;
}

// The verdict of a row with such a difference, whose losses are the reference's but for what `change` does to them.
LabResult judged(
    const std::string& name, const WeightDifference& difference, const ReplicaCause& cause = {}, const LabSettings& settings = {},
    const std::function<void(LossCurve&)>& change = [](LossCurve&) {}) {
    LabResult reference, result;
    reference.row = row("Default");
    result.row = row(name);
    result.difference = difference;
    reference.curve = result.curve = fallingCurve();
    change(result.curve);
    judge(result, reference, cause, settings);
    return result;
}

const WeightDifference kSmall{.largest = 1e-3, .variable = "dense/kernel", .distance = 1e-3, .norm = 20, .values = 10},
    kLarge{.largest = 0.1, .variable = "dense/kernel", .distance = 1, .norm = 20, .values = 10},
    kGrown{.largest = 0.01, .variable = "dense/kernel", .distance = 0.1, .norm = 20, .values = 10},
    kLost{.norm = 20, .not_finite = 1, .values = 10};

TEST(LabResult, JudgesAllWeightsTogetherByTheTolerance) {
    EXPECT_EQ(judged("CentralStorage", kSmall).verdict, Verdict::kEqual);
    EXPECT_EQ(judged("CentralStorage", kSmall, {}, {.tolerance = 0, .may_grow = false}).verdict, Verdict::kDiffers);
    EXPECT_EQ(judged("CentralStorage", {.norm = 20, .values = 10}, {}, {.tolerance = 0, .may_grow = false}).verdict, Verdict::kEqual);
    EXPECT_EQ(judged("CentralStorage", kLarge).verdict, Verdict::kDiffers);
    EXPECT_EQ(judged("CentralStorage", kLost).verdict, Verdict::kDiffers);
    EXPECT_EQ(judged("ParameterServer:1", kLarge).verdict, Verdict::kDiffers);
    EXPECT_EQ(judged("ParameterServer:3", kLarge).verdict, Verdict::kAsynchronous);
    EXPECT_EQ(judged("ParameterServer:3", kSmall).verdict, Verdict::kAsynchronous);
    EXPECT_EQ(judged("Default", {.norm = 20, .values = 10}).verdict, Verdict::kReference);
}

TEST(LabResult, KnowsWhyReplicasMayDiffer) {
    const ReplicaCause cause{Kind::kStatistics, "bn"};
    const LabResult result = judged("CentralStorage", kLarge, cause);
    EXPECT_EQ(result.verdict, Verdict::kMayDiffer);
    EXPECT_EQ(result.cause, cause);
    EXPECT_EQ(judged("CentralStorage", kSmall, cause).verdict, Verdict::kEqual);
    EXPECT_EQ(judged("CentralStorage", kSmall, cause).cause, ReplicaCause());
}

TEST(LabResult, TakesRoundingThatGrowsStepByStepForEqual) {
    const auto grow = [](LossCurve& curve) {
        double apart = 1e-7;
        for (double& loss : curve.loss) loss += apart = std::min(apart * 1.2, 1e-3);
    };
    const LabResult result = judged("CentralStorage", kGrown, {}, {}, grow);
    EXPECT_EQ(result.verdict, Verdict::kEqual);
    ASSERT_TRUE(result.grown_from);
    EXPECT_GT(*result.grown_from, 20);
    EXPECT_LT(*result.grown_from, 40);
    EXPECT_EQ(judged("CentralStorage", kGrown, {}, {.may_grow = false}, grow).verdict, Verdict::kDiffers);
    EXPECT_EQ(judged("CentralStorage", kLarge, {}, {}, grow).verdict, Verdict::kDiffers) << "too far";
}

TEST(LabResult, TakesAnErrorThatComesAtOnceForOne) {
    for (const std::size_t at : {std::size_t{0}, std::size_t{1}, std::size_t{60}}) {
        const auto jump = [at](LossCurve& curve) {
            for (std::size_t i = at; i < curve.loss.size(); ++i) curve.loss[i] += 2e-3;
        };
        EXPECT_EQ(judged("CentralStorage", kGrown, {}, {}, jump).verdict, Verdict::kDiffers) << "step " << at + 1;
    }
    EXPECT_EQ(judged("CentralStorage", kGrown, {}, {}, [](LossCurve& curve) { curve.loss[5] = std::nan(""); }).verdict, Verdict::kDiffers);
    const auto shorten = [](LossCurve& curve) {
        curve.step.pop_back();
        curve.loss.pop_back();
    };
    EXPECT_EQ(judged("CentralStorage", kGrown, {}, {}, shorten).verdict, Verdict::kDiffers) << "another number of steps";
}

TEST(LabResult, AnUnexpectedDifferenceTurnsTheLabRed) {
    std::vector<LabResult> results{{.row = row("Default"), .verdict = Verdict::kReference},
                                   {.row = row("OneDevice"), .verdict = Verdict::kEqual},
                                   {.row = row("CentralStorage"), .verdict = Verdict::kMayDiffer},
                                   {.row = row("ParameterServer:1"), .verdict = Verdict::kCouldNotRun},
                                   {.row = row("ParameterServer:3"), .verdict = Verdict::kAsynchronous}};
    EXPECT_EQ(outcomeOf(results), LabOutcome::kEqual);
    results[1].verdict = Verdict::kDiffers;
    EXPECT_EQ(outcomeOf(results), LabOutcome::kDiffers);
    results[3].verdict = Verdict::kFailed;
    EXPECT_EQ(outcomeOf(results), LabOutcome::kFailed);
    results[3].verdict = Verdict::kCouldNotRun;
    results[0].verdict = Verdict::kCouldNotRun;
    EXPECT_EQ(outcomeOf(results), LabOutcome::kFailed) << "without a reference nothing is shown";
}

TEST(LabResult, TakesCurveSpeedAndCheckpointOfARun) {
    run::RunHistory history({.id = "7", .run_dir = "/runs/7"});
    const spec::TaskId chief{"worker", 0};
    history.add({event(chief, points({1, 2, 3, 4, 5}, {5, 4, 3, 2, 1})),
                 event(chief, spec::TaskFinished{.results = {{"steps", 5}}, .checkpoint = "checkpoints/ckpt_1", .weights_sha256 = {}})});
    LabResult result{.row = row("OneDevice")};
    takeRun(result, history);
    EXPECT_THAT(result.curve.step, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(result.curve.loss, ElementsAre(5, 4, 3, 2, 1));
    EXPECT_NEAR(result.steps_per_s.value(), 10, 1e-9);
    EXPECT_FALSE(result.mean_staleness);
    EXPECT_EQ(result.run_id, "7");
    EXPECT_EQ(result.checkpoint, "/runs/7/checkpoints/ckpt_1");
}

TEST(LabResult, JoinsTheStepsOfWorkersThatShareThem) {
    run::RunHistory history({.id = "8"});
    const spec::TaskId first{"worker", 0}, second{"worker", 1};
    history.add(
        {event(first, points({1, 4}, {5, 2})), event(second, points({2, 3, 5}, {4, 3, 1})),
         event(first, spec::TaskFinished{
                          .results = {{"mean_staleness", 0.5}, {"largest_staleness", 2}}, .checkpoint = {}, .weights_sha256 = {}})});
    LabResult result{.row = row("ParameterServer:3")};
    takeRun(result, history);
    EXPECT_THAT(result.curve.step, ElementsAre(1, 2, 3, 4, 5));
    EXPECT_THAT(result.curve.loss, ElementsAre(5, 4, 3, 2, 1));
    EXPECT_EQ(result.mean_staleness, 0.5);
    EXPECT_EQ(result.largest_staleness, 2);
    EXPECT_EQ(result.checkpoint, "");
}

TEST(LabResult, HasNoSpeedOfTooFewSteps) {
    run::PointTable table;
    EXPECT_FALSE(stepsPerSecond(table));
    table.appendRow(1, 0, 0.5, {});
    EXPECT_FALSE(stepsPerSecond(table));
    table.appendRow(2, 0, 0.5, {});
    EXPECT_FALSE(stepsPerSecond(table)) << "no time went by";
    table.appendRow(3, 0, 1.0, {});
    EXPECT_EQ(stepsPerSecond(table), 4);
}

}  // namespace
}  // namespace engine::lab
