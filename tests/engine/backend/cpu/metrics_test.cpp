// Keras' metrics over two batches on both executors: tests/data/keras/metrics.json.
#include "tests/support/metric_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, KerasMetrics,
                         ::testing::Values(Backend{"Reference", makeReferenceExecutor}, Backend{"Cpu", makeCpuExecutor},
                                           Backend{"CpuInPieces", tests::support::makePiecewiseExecutor}),
                         [](const auto& param) { return param.param.name; });

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
