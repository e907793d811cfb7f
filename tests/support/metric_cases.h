// Keras' metrics over two batches on any executor: tests/data/keras/metrics.json.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/plan/metric.h"
#include "tests/support/golden.h"
#include "tests/support/score_rig.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::Labels;
using tests::support::ScoreRig;
using tests::support::toArray;
using tests::support::toArrays;

struct Backend {
    const char* name;
    std::unique_ptr<Executor> (*make)(const plan::Plan&, Variables&, const ExecutorOptions&);
};
void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
}

// The result after each of the batches of the metric, or of one of those that it becomes; `trains`: in steps that train.
std::vector<double> resultsOf(const Backend& backend, const spec::MetricSpec& metric, const nlohmann::json& golden, std::size_t which = 0,
                              bool trains = false) {
    const std::vector<Array> truths = toArrays(golden.at("y_true")), predictions = toArrays(golden.at("y_pred"));
    const bool has_classes = metric.name.starts_with("Sparse") || truths[0].shape.size() < predictions[0].shape.size();
    const std::int64_t samples = predictions[0].shape[0], columns = predictions[0].shape.size() > 1 ? predictions[0].shape[1] : 1;
    spec::CompileSpec compile;
    compile.loss = {has_classes ? "SparseCategoricalCrossentropy" : "MeanSquaredError", {}};
    compile.metrics = {metric};
    const bool weighs = golden.contains("sample_weight");
    if (weighs) std::swap(compile.metrics, compile.weighted_metrics);
    const std::string activation = golden.value("activation", "linear");
    ScoreRig rig(backend.make, compile, {samples, columns, predictions[0].values, {}, activation}, weighs || trains, weighs);
    std::vector<double> sums, results;
    for (std::size_t batch = 0; batch < truths.size(); ++batch) {
        rig.setScores(predictions[batch].values);
        Labels labels;
        if (has_classes) {
            labels.classes.assign(truths[batch].values.begin(), truths[batch].values.end());
        } else {
            labels.values = truths[batch].values;
        }
        if (weighs) labels.weights = toArray(golden.at("sample_weight")[batch]).values;
        const StepResult step = rig.step(labels);
        sums.resize(step.header.size());
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += step.header[i];
        results.push_back(plan::metricValue(rig.plan().metrics.at(which).attributes, sums));
    }
    return results;
}

class KerasMetrics : public ::testing::TestWithParam<Backend> {};

TEST_P(KerasMetrics, HaveTheSameResultAfterEachBatch) {
    const nlohmann::json cases = tests::support::readGolden("metrics.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        const std::string class_name = golden.at("class_name");
        SCOPED_TRACE(class_name + " " + golden.at("config").dump());
        const nlohmann::json& wanted = golden.at("result_after_each_batch");
        if (!golden.at("config").contains("thresholds")) {
            spec::Fields config = tests::support::toFields(golden.at("config"));
            config.set("name", class_name);  // a class, not the name that stands for the accuracy that fits
            const std::vector<double> results = resultsOf(GetParam(), {class_name, config}, golden);
            for (std::size_t i = 0; i < results.size(); ++i) {
                const double value = wanted[i];
                EXPECT_NEAR(results[i], value, 1e-6 * std::max(1.0, std::abs(value))) << "batch " << i;
            }
            continue;
        }
        // A list of thresholds gives a list of results there, and is a metric each here.
        for (std::size_t t = 0; t < golden.at("config").at("thresholds").size(); ++t) {
            const double threshold = golden.at("config").at("thresholds")[t];
            const std::vector<double> results = resultsOf(GetParam(), {class_name, {{"thresholds", threshold}}}, golden);
            for (std::size_t i = 0; i < results.size(); ++i) EXPECT_NEAR(results[i], wanted[i][t].get<double>(), 1e-6) << threshold;
        }
    }
}

// More metrics than stand in metrics.json, each with weights and without.
TEST_P(KerasMetrics, OfOverlapsAndBestsHaveTheSameResultAfterEachBatch) {
    const nlohmann::json cases = tests::support::readGolden("more_metrics.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        const std::string class_name = golden.at("class_name");
        SCOPED_TRACE(class_name + " " + golden.at("config").dump() + (golden.contains("sample_weight") ? " weighted" : ""));
        spec::Fields config = tests::support::toFields(golden.at("config"));
        config.set("name", class_name);
        const std::vector<double> results = resultsOf(GetParam(), {class_name, config}, golden);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const double value = golden.at("result_after_each_batch")[i];
            EXPECT_NEAR(results[i], value, 2e-6 * std::max(1.0, std::abs(value))) << "batch " << i;
        }
    }
}

// Where a metric divides by nothing, it is no number where Keras' is none.
TEST_P(KerasMetrics, OfNothingToDivideByAreNumbersWhereKerasAre) {
    const nlohmann::json cases = tests::support::readGolden("undefined_metrics.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        const std::string class_name = golden.at("class_name");
        SCOPED_TRACE(class_name + " " + golden.at("config").dump() + " of " + golden.at("y_true").dump());
        spec::Fields config = tests::support::toFields(golden.at("config"));
        config.set("name", class_name);
        const std::vector<double> results = resultsOf(GetParam(), {class_name, config}, golden);
        for (std::size_t i = 0; i < results.size(); ++i) {
            const nlohmann::json& wanted = golden.at("result_after_each_batch")[i];
            if (wanted.is_null()) {
                EXPECT_TRUE(std::isnan(results[i])) << "batch " << i << ": " << results[i];
            } else {
                EXPECT_NEAR(results[i], wanted.get<double>(), 1e-6) << "batch " << i;
            }
        }
    }
}

// Cross-entropies of outputs that are nearly 0 and 1, taken from what goes into the last activation, whether or not a step that trains
// leaves that out; and curves of predictions that lie at their thresholds and outside of them.
TEST_P(KerasMetrics, OfOutputsAtTheirEndsHaveTheSameResultAfterEachBatch) {
    const nlohmann::json cases = tests::support::readGolden("saturated_metrics.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        const std::string class_name = golden.at("class_name");
        for (const bool trains : {false, true}) {
            SCOPED_TRACE(class_name + " " + golden.at("config").dump() + (trains ? " in training" : ""));
            spec::Fields config = tests::support::toFields(golden.at("config"));
            config.set("name", class_name);
            const std::vector<double> results = resultsOf(GetParam(), {class_name, config}, golden, 0, trains);
            for (std::size_t i = 0; i < results.size(); ++i) {
                const double value = golden.at("result_after_each_batch")[i];
                EXPECT_NEAR(results[i], value, 2e-6 * std::max(1.0, std::abs(value))) << "batch " << i;
            }
        }
    }
}

TEST_P(KerasMetrics, CountSamplesByTheirWeight) {
    const nlohmann::json cases = tests::support::readGolden("weighted_metrics.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        const std::string class_name = golden.at("class_name");
        SCOPED_TRACE(class_name + " " + golden.at("config").dump());
        const nlohmann::json& wanted = golden.at("result_after_each_batch");
        spec::Fields config = tests::support::toFields(golden.at("config"));
        config.set("name", class_name);
        const bool is_list = wanted[0].is_array();
        for (std::size_t t = 0; t < (is_list ? wanted[0].size() : 1); ++t) {
            const std::vector<double> results = resultsOf(GetParam(), {class_name, config}, golden, t);
            for (std::size_t i = 0; i < results.size(); ++i) {
                const double value = is_list ? wanted[i][t] : wanted[i];
                EXPECT_NEAR(results[i], value, 2e-6 * std::max(1.0, std::abs(value))) << "batch " << i << ", threshold " << t;
            }
        }
    }
}

// The wanted values are computed by hand, for three samples, a fourth of nothing but zeros, and three classes; the first three are the
// example of Keras' documentation.
TEST_P(KerasMetrics, ScoreClassesByThreeAverages) {
    const struct {
        const char* class_name;
        spec::Fields config;
        bool has_zeros, is_weighted;
        double wanted;
    } rows[] = {
        {"F1Score", {{"average", "macro"}, {"threshold", 0.5}}, false, false, (0.5 + 0.8 + 2.0 / 3) / 3},
        {"F1Score", {{"average", "weighted"}, {"threshold", 0.5}}, false, false, (3 * 0.5 + 2 * 0.8 + 2.0 / 3) / 6},
        {"F1Score", {{"average", "micro"}, {"threshold", 0.5}}, false, false, 2.0 / 3},
        {"F1Score", {{"average", "micro"}, {"threshold", 0.5}}, false, true, 12.0 / 17},
        {"FBetaScore", {{"average", "macro"}, {"beta", 2.0}, {"threshold", 0.5}}, false, false, (5.0 / 13 + 10.0 / 11 + 5.0 / 6) / 3},
        {"F1Score", {{"average", "macro"}}, false, false, (0 + 0.5 + 2.0 / 3) / 3},
        {"F1Score", {{"average", "macro"}}, true, false, (0 + 0.4 + 2.0 / 3) / 3},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(std::string(row.class_name) + " " + row.config.getString("average", ""));
        std::vector<float> scores{0.2F, 0.6F, 0.7F, 0.2F, 0.6F, 0.6F, 0.6F, 0.8F, 0.0F}, labels{1, 1, 1, 1, 0, 0, 1, 1, 0};
        if (row.has_zeros) {
            scores.insert(scores.end(), 3, 0.0F);
            labels.insert(labels.end(), {0, 1, 0});
        }
        spec::CompileSpec compile;
        compile.loss = {"MeanSquaredError", {}};
        compile.metrics = {{row.class_name, row.config}};
        if (row.is_weighted) std::swap(compile.metrics, compile.weighted_metrics);
        ScoreRig rig(GetParam().make, compile, {row.has_zeros ? 4 : 3, 3, scores}, row.is_weighted, row.is_weighted);
        Labels given;
        given.values = labels;
        if (row.is_weighted) given.weights = {2, 1, 1};
        const StepResult step = rig.step(given);
        const std::vector<double> sums(step.header.begin(), step.header.end());
        EXPECT_NEAR(plan::metricValue(rig.plan().metrics.at(0).attributes, sums), row.wanted, 1e-6);
    }
}

}  // namespace
}  // namespace engine::backend
