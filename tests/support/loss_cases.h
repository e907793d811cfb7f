// Every loss of Keras, with each reduction, weighted and not, on any executor: tests/data/keras/losses.json and more_losses.json.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
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
