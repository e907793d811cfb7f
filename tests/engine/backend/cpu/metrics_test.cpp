// Keras' metrics over two batches on both executors: tests/data/keras/metrics.json.
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

// Not offered: their values are of a kind of their own.
bool isLeftOut(const std::string& class_name) {
    return class_name == "R2Score" || class_name == "F1Score";
}

// The result after each of the two batches of the metric, or of one of those that it becomes.
std::vector<double> resultsOf(const Backend& backend, const spec::MetricSpec& metric, const nlohmann::json& golden, std::size_t which = 0) {
    const std::vector<Array> truths = toArrays(golden.at("y_true")), predictions = toArrays(golden.at("y_pred"));
    const bool has_classes = metric.name.starts_with("Sparse");
    const std::int64_t samples = predictions[0].shape[0], columns = predictions[0].shape.size() > 1 ? predictions[0].shape[1] : 1;
    spec::CompileSpec compile;
    compile.loss = {has_classes ? "SparseCategoricalCrossentropy" : "MeanSquaredError", {}};
    compile.metrics = {metric};
    const bool weighs = golden.contains("sample_weight");
    if (weighs) std::swap(compile.metrics, compile.weighted_metrics);
    ScoreRig rig(backend.make, compile, {samples, columns, predictions[0].values}, weighs, weighs);
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
        if (isLeftOut(class_name)) continue;
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
INSTANTIATE_TEST_SUITE_P(Executors, KerasMetrics,
                         ::testing::Values(Backend{"Reference", makeReferenceExecutor}, Backend{"Cpu", makeCpuExecutor}),
                         [](const auto& param) { return param.param.name; });

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

TEST(WeightedMetrics, AreNamedAsKerasDoes) {
    spec::CompileSpec compile;
    compile.loss = {"MeanSquaredError", {}};
    compile.metrics = {"mae", {"Recall", {{"thresholds", std::vector<double>{0.25, 0.5}}}}};
    compile.weighted_metrics = {"mae", "mse"};
    const ScoreRig rig(makeCpuExecutor, compile, {2, 1, {0.5F, 0.5F}}, true, false);
    std::vector<std::string> names;
    for (const plan::NamedMetric& metric : rig.plan().metrics) names.push_back(metric.name);
    EXPECT_EQ(names, (std::vector<std::string>{"mae", "recall_at_0.25", "recall_at_0.5", "weighted_mae", "mse"}));
}

// "accuracy" is the one that fits the labels and the outputs, and counts in training as in evaluation.
TEST(Accuracy, FitsLossAndShape) {
    const auto kindOf = [](const char* loss, std::int64_t columns) {
        spec::CompileSpec compile;
        compile.loss = {loss, {{"from_logits", false}}};
        return ScoreRig(makeCpuExecutor, compile, {2, columns, std::vector<float>(static_cast<std::size_t>(2 * columns))}, true, false)
            .plan()
            .metrics.front()
            .attributes.kind;
    };
    EXPECT_EQ(kindOf("SparseCategoricalCrossentropy", 3), plan::MetricKind::kSparseCategoricalAccuracy);
    EXPECT_EQ(kindOf("CategoricalCrossentropy", 3), plan::MetricKind::kCategoricalAccuracy);
    EXPECT_EQ(kindOf("BinaryCrossentropy", 1), plan::MetricKind::kBinaryAccuracy);
}

// A model that ends in softmax is trained on its logits; a metric of probabilities still sees these.
TEST(Metrics, SeeTheModelsOutputInTraining) {
    spec::RunSpec run;
    run.model = tests::support::model(
        {2}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{2}}, {"activation", std::string("softmax")}})});
    run.compile.optimizer = {"SGD", {}};
    run.compile.loss = {"CategoricalCrossentropy", {}};
    run.compile.metrics = {"mae", "accuracy"};
    const plan::Plan plan = plan::compile(run, {.batch = 1});
    Variables variables(plan);
    const auto executor = makeCpuExecutor(plan, variables, {});
    const std::vector<float> input{1, 0}, label{1, 0};
    const std::vector<std::uint32_t> indices{0};
    const StepResult step = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                 .sample_dtype = tensor::DType::kFloat32,
                                                 .sample_elements = 2,
                                                 .labels = reinterpret_cast<const std::byte*>(label.data()),
                                                 .label_dtype = tensor::DType::kFloat32,
                                                 .label_elements = 2,
                                                 .indices = indices},
                                                {});
    const std::vector<double> sums(step.header.begin(), step.header.end());
    EXPECT_NEAR(plan::metricValue(plan.metrics[0].attributes, sums), 0.5, 1e-6);  // weights are zero: both outputs are a half
    EXPECT_NEAR(plan::lossValue(sums), std::log(2.0), 1e-6);
}

}  // namespace
}  // namespace engine::backend
