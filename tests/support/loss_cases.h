// Every loss of Keras, with each reduction, weighted and not, on any executor: tests/data/keras/losses.json.
#pragma once

#include <string>

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

TEST_P(KerasLosses, HaveTheSameValueAndGradient) {
    const nlohmann::json golden = tests::support::readGolden("losses.json");
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
        ScoreRig rig(GetParam().make, compile, {scores.shape[0], scores.shape[1], scores.values}, true, weighted);
        const StepResult result = rig.step(given);
        const double value = one.at("value");
        EXPECT_NEAR(result.loss_sum / result.count, value, 2e-6 * std::max(1.0, std::abs(value)));
        EXPECT_EQ(result.count, static_cast<double>(scores.shape[0]));
        if (one.contains("gradient")) {
            EXPECT_TRUE(isNear(rig.gradient(), toArray(one.at("gradient")).values, 2e-6));
        }
    }
}

}  // namespace
}  // namespace engine::backend
