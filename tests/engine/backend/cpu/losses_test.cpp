// Every loss of Keras, with each reduction, weighted and not, on both executors: tests/data/keras/losses.json.
#include "tests/support/loss_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, KerasLosses,
                         ::testing::Values(Backend{"Reference", makeReferenceExecutor}, Backend{"Cpu", makeCpuExecutor},
                                           Backend{"CpuInPieces", tests::support::makePiecewiseExecutor}),
                         [](const auto& param) { return param.param.name; });

// Of probabilities the clip would stop the gradient; Keras on TensorFlow looks behind the sigmoid, and so do we.
TEST(BinaryCrossentropy, OfAModelThatEndsInSigmoidIsThatOfItsLogits) {
    spec::RunSpec run;
    run.model = tests::support::model(
        {1}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{1}}, {"activation", std::string("sigmoid")}})});
    run.compile = {.optimizer = {"SGD", {}}, .loss = {"BinaryCrossentropy", {}}, .metrics = {"accuracy"}};
    const plan::Plan plan = plan::compile(run, {.batch = 1});
    Variables variables(plan);
    variables.values("dense/bias")[0] = -20;
    const auto executor = makeCpuExecutor(plan, variables, {});
    const std::vector<float> input{0}, labels{1};
    const std::vector<std::uint32_t> indices{0};
    const StepResult step = executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                                 .sample_dtype = tensor::DType::kFloat32,
                                                 .sample_elements = 1,
                                                 .labels = reinterpret_cast<const std::byte*>(labels.data()),
                                                 .label_dtype = tensor::DType::kFloat32,
                                                 .label_elements = 1,
                                                 .indices = indices},
                                                {.learning_rate = 1});
    EXPECT_NEAR(step.loss_sum, 20, 1e-4);
    EXPECT_NEAR(variables.values("dense/bias")[0], -19, 1e-4);
    EXPECT_EQ(step.header[static_cast<std::size_t>(plan.metrics.front().attributes.offset)], 0);  // wrong, and seen as a probability
}

// A class's weight is that of its samples, whatever form the labels have.
TEST(ClassWeights, WeighTheSamplesOfAClass) {
    spec::RunSpec run;
    run.model = tests::support::model({2}, {tests::support::layer("Dense", "dense", {{"units", std::int64_t{2}}, {"use_bias", false}})});
    run.compile.metrics.clear();
    run.compile.optimizer = {"SGD", {}};
    run.fit.class_weight = {{1, 3.0}};
    const std::vector<float> input{1, 0, 0, 1};
    const std::vector<std::int32_t> classes{0, 1};
    const std::vector<float> one_hot{1, 0, 0, 1};
    const std::vector<std::uint32_t> indices{0, 1};
    for (const bool sparse : {true, false}) {
        run.compile.loss = {sparse ? "SparseCategoricalCrossentropy" : "CategoricalCrossentropy", {{"from_logits", true}}};
        const plan::Plan plan = plan::compile(run, {.batch = 2});
        Variables variables(plan);
        const auto executor = makeCpuExecutor(plan, variables, {});
        const tensor::BatchView view{
            .samples = reinterpret_cast<const std::byte*>(input.data()),
            .sample_dtype = tensor::DType::kFloat32,
            .sample_elements = 2,
            .labels = sparse ? reinterpret_cast<const std::byte*>(classes.data()) : reinterpret_cast<const std::byte*>(one_hot.data()),
            .label_dtype = sparse ? tensor::DType::kInt32 : tensor::DType::kFloat32,
            .label_elements = sparse ? 1 : 2,
            .indices = indices};
        // All scores are zero: each sample's loss is log 2.
        EXPECT_NEAR(executor->trainStep(view, {}).loss_sum, std::log(2.0) * (1 + 3), 1e-6);
    }
}

}  // namespace
}  // namespace engine::backend
