// Every loss of Keras, with each reduction, weighted and not, on any executor: tests/data/keras/losses.json and its kin.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/spec/error.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"
#include "tests/support/score_rig.h"

namespace engine::backend {
namespace {

using tests::support::isNear;
using tests::support::Labels;
using tests::support::ScoreRig;
using tests::support::Scores;
using tests::support::toArray;

struct Backend {
    const char* name;
    std::unique_ptr<Executor> (*make)(const plan::Plan&, Variables&, const ExecutorOptions&);
};
void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
}

class KerasLosses : public ::testing::TestWithParam<Backend> {};

void expectSameLosses(const Backend& backend, const char* file) {
    const nlohmann::json golden = tests::support::readGolden(file);
    const nlohmann::json& inputs = golden.at("inputs");
    ASSERT_FALSE(golden.at("cases").empty());
    for (const nlohmann::json& one : golden.at("cases")) {
        SCOPED_TRACE(one.at("loss").get<std::string>() + " " + one.at("kwargs").dump() + " of " + one.at("y_pred").get<std::string>() +
                     " " + one.at("reduction").get<std::string>() + (one.at("weighted").get<bool>() ? " weighted" : ""));
        const tests::support::Array scores = toArray(inputs.at(one.at("y_pred")));
        const tests::support::Array labels = toArray(inputs.at(one.at("y_true")));
        spec::CompileSpec compile;
        compile.metrics.clear();
        compile.loss = {one.at("loss"), tests::support::toFields(one.at("kwargs"))};
        compile.loss.config.set("reduction", one.at("reduction").get<std::string>());
        Labels given;
        if (labels.shape.size() == 1) {
            given.classes.assign(labels.values.begin(), labels.values.end());
        } else {
            given.values = labels.values;
        }
        const bool weighted = one.at("weighted");
        if (weighted) given.weights = toArray(inputs.at("sample_weight")).values;
        Scores output{scores.shape[0], static_cast<std::int64_t>(scores.values.size()) / scores.shape[0], scores.values};
        if (scores.shape.size() > 2) output.shape.assign(scores.shape.begin() + 1, scores.shape.end());
        output.activation = one.value("activation", output.activation);
        output.penalty = one.value("penalty", output.penalty);
        output.penalised_behind = one.value("behind", output.penalised_behind);
        ScoreRig rig(backend.make, compile, output, true, weighted);
        const StepResult result = rig.step(given);
        const double value = one.at("value");
        EXPECT_NEAR(result.loss_sum / result.count, value, 2e-6 * std::max(1.0, std::abs(value)));
        EXPECT_EQ(result.count, static_cast<double>(scores.shape[0]));
        if (one.contains("gradient")) {
            // Keras' float32 sums up slopes of many signs and sizes: the largest tells how exactly.
            const std::vector<float> wanted = toArray(one.at("gradient")).values;
            float largest = 1;
            for (const float slope : wanted) largest = std::max(largest, std::abs(slope));
            EXPECT_TRUE(isNear(rig.gradient(), wanted, 2e-6 * static_cast<double>(largest)));
        }
    }
}

TEST_P(KerasLosses, HaveTheSameValueAndGradient) {
    expectSameLosses(GetParam(), "losses.json");
}

TEST_P(KerasLosses, OverAxesAndPairsHaveTheSameValueAndGradient) {
    expectSameLosses(GetParam(), "more_losses.json");
}

// Where a model ends in an activation, Keras' cross-entropies take what goes into it: nothing is cut off, and slopes come back.
TEST_P(KerasLosses, OfOutputsNearlyZeroAndOneHaveTheSameValueAndGradient) {
    expectSameLosses(GetParam(), "saturated_losses.json");
}

// A penalty of that output does not change this.
TEST_P(KerasLosses, OfPenalisedOutputsHaveTheSameValueAndGradient) {
    expectSameLosses(GetParam(), "penalised_losses.json");
}

spec::CompileSpec sequenceCompile(const std::string& reduction = "sum_over_batch_size") {
    spec::CompileSpec compile;
    compile.metrics.clear();
    compile.loss = {"CTC", {{"reduction", reduction}}};
    return compile;
}

TEST_P(KerasLosses, OfSequencesHaveTheSameValueAndGradient) {
    const nlohmann::json golden = tests::support::readGolden("ctc.json");
    ASSERT_FALSE(golden.empty());
    for (const nlohmann::json& one : golden) {
        SCOPED_TRACE(one.at("name").get<std::string>() + " " + one.at("reduction").get<std::string>());
        const tests::support::Array scores = toArray(one.at("y_pred")), labels = toArray(one.at("y_true"));
        Labels given;
        given.classes.assign(labels.values.begin(), labels.values.end());
        ScoreRig rig(GetParam().make, sequenceCompile(one.at("reduction").get<std::string>()),
                     {scores.shape[0], scores.shape[1] * scores.shape[2], scores.values, {scores.shape[1], scores.shape[2]}}, true, false);
        const StepResult result = rig.step(given);
        const double value = one.at("value");
        EXPECT_NEAR(result.loss_sum / result.count, value, 2e-6 * std::max(1.0, std::abs(value)));
        EXPECT_EQ(result.count, static_cast<double>(scores.shape[0]));
        if (!one.contains("gradient")) {
            for (const float slope : rig.gradient()) EXPECT_TRUE(std::isfinite(slope));
            continue;
        }
        // TensorFlow's float32 holds the probability of what is impossible, 1e-307, as a logarithm.
        const double tolerance = one.at("name").get<std::string>() == "impossible" ? 1e-4 : 2e-6;
        EXPECT_TRUE(isNear(rig.gradient(), toArray(one.at("gradient")).values, tolerance));
    }
}

// Times that make several runs of kept rows, among them whole ones, and a label as long as they allow.
TEST_P(KerasLosses, OfSequencesHaveTheSlopesOfFiniteDifferences) {
    for (const std::int64_t times : {2, 4, 7, 9, 10}) {
        SCOPED_TRACE(times);
        constexpr std::int64_t kClasses = 4;
        std::vector<float> values;
        for (std::int64_t i = 0; i < 3 * times * kClasses; ++i) values.push_back(static_cast<float>(std::sin(static_cast<double>(7 * i))));
        Labels labels;
        labels.classes = {1, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0};
        if (times >= 9) labels.classes = {1, 2, 2, 3, 1, 2, 2, 2, 2, 2, 3, 1, 3, 0, 0};
        ScoreRig trained(GetParam().make, sequenceCompile(), {3, times * kClasses, values, {times, kClasses}}, true, false);
        trained.step(labels);
        const std::vector<float> gradient = trained.gradient();
        ScoreRig rig(GetParam().make, sequenceCompile(), {3, times * kClasses, values, {times, kClasses}}, false, false);
        const auto lossOf = [&](std::size_t i, float change) {
            std::vector<float> scores = values;
            scores[i] += change;
            rig.setScores(scores);
            const StepResult result = rig.step(labels);
            return result.loss_sum / result.count;
        };
        constexpr float kStep = 0.02F;
        for (std::size_t i = 0; i < values.size(); i += 3) {  // every class and time of some samples
            const double slope = (lossOf(i, kStep) - lossOf(i, -kStep)) / (2 * static_cast<double>(kStep));
            EXPECT_NEAR(slope, gradient[i], 1e-3) << i;
        }
    }
}

TEST_P(KerasLosses, OfSequencesRefuseWhatIsNone) {
    const std::vector<float> values(2 * 3 * 4, 0.5F);
    const struct {
        std::vector<std::int32_t> classes;
        const char* message;
    } rows[] = {{{1, 2, 1, 4}, "label of sample 1: expected classes from 1 to 3 with zeros behind them, got 4"},
                {{1, -1, 1, 0}, "label of sample 0: expected classes from 1 to 3 with zeros behind them, got -1"},
                {{1, 2, 0, 3}, "label of sample 1: expected zeros behind all classes alone, got the class 3 behind a zero"}};
    for (const auto& row : rows) {
        ScoreRig rig(GetParam().make, sequenceCompile(), {2, 12, values, {3, 4}}, true, false);
        Labels labels;
        labels.classes = row.classes;
        try {
            rig.step(labels);
            ADD_FAILURE() << "taken: " << row.message;
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), row.message);
        }
    }
    ScoreRig rig(GetParam().make, sequenceCompile(), {2, 12, values, {3, 4}}, true, false);
    Labels numbers;
    numbers.values = {1, 2, 1, 0};
    EXPECT_THROW(rig.step(numbers), Error);
}

// The slopes of losses that Keras' golden numbers hold as well, by another way: the loss of scores that are a little more, and less.
TEST_P(KerasLosses, SlopesAreThoseOfFiniteDifferences) {
    const struct {
        const char* loss;
        spec::Fields config;
    } rows[] = {{"Dice", {}},
                {"Dice", {{"axis", std::vector<std::int64_t>{1}}}},
                {"Tversky", {{"alpha", 0.3}, {"beta", 0.9}, {"axis", std::vector<std::int64_t>{0}}}},
                {"Circle", {{"gamma", 4.0}}},
                {"CategoricalGeneralizedCrossEntropy", {{"q", 0.7}}}};
    const std::vector<float> values{0.6F, 0.3F, 0.1F, 0.2F, 0.5F, 0.3F, 0.25F, 0.35F, 0.4F, 0.1F, 0.2F, 0.7F};
    Labels classes, shares;
    classes.classes = {0, 1, 1, 0};
    shares.values = {1, 0, 0, 0, 1, 0, 0.5F, 0, 0.5F, 0, 0, 1};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.loss);
        const bool has_classes = std::string(row.loss).starts_with("C");
        const Labels& labels = has_classes ? classes : shares;
        spec::CompileSpec compile;
        compile.metrics.clear();
        compile.loss = {row.loss, row.config};
        ScoreRig trained(GetParam().make, compile, {4, 3, values}, true, false);
        trained.step(labels);
        const std::vector<float> gradient = trained.gradient();
        ScoreRig rig(GetParam().make, compile, {4, 3, values}, false, false);
        const auto lossOf = [&](std::size_t i, float change) {
            std::vector<float> scores = values;
            scores[i] += change;
            rig.setScores(scores);
            const StepResult result = rig.step(labels);
            return result.loss_sum / result.count;
        };
        constexpr float kStep = 0.01F;
        for (std::size_t i = 0; i < values.size(); ++i) {
            const double slope = (lossOf(i, kStep) - lossOf(i, -kStep)) / (2 * static_cast<double>(kStep));
            EXPECT_NEAR(slope, gradient[i], 2e-3) << i;
        }
    }
}

}  // namespace
}  // namespace engine::backend
