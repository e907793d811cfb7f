// Layers of images and sequences: nets that hold them train on the CPU as on the reference, with odd sizes, short batches, several threads.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "tests/support/image_cases.h"

namespace engine::backend::cpu {
namespace {

using tests::support::expectTrainsLikeReference;
using tests::support::imageCases;
using tests::support::ModelCase;

class ImageLayers : public ::testing::TestWithParam<int> {};

TEST_P(ImageLayers, TrainLikeTheReference) {
    for (const ModelCase& c : imageCases()) expectTrainsLikeReference(c, makeCpuExecutor, {.threads = GetParam()});
}

// Keras hands the gradient of a global maximum to all equal ones, and a part to each; that of a window goes to the first. The kernel of
// zeros makes equal ones: 2 comes back, and the kernel's gradient is -2 times what each one's share of the input is.
TEST(GlobalMaximum, SharesItsGradientAmongEqualOnes) {
    using Make = std::unique_ptr<Executor> (*)(const plan::Plan&, Variables&, const ExecutorOptions&);
    const auto kernelAfter = [](const char* pool, Make make) {
        const spec::ObjectBox zeros({"Zeros", {}});
        spec::RunSpec run;
        run.model = tests::support::model(
            {4, 1},
            {tests::support::layer("Dense", "dense", {{"units", std::int64_t{1}}, {"kernel_initializer", zeros}}),
             tests::support::layer(
                 pool, "pool",
                 std::string_view(pool) == "MaxPooling1D" ? spec::Fields{{"pool_size", std::vector<std::int64_t>{4}}} : spec::Fields{})});
        if (std::string_view(pool) == "MaxPooling1D") run.model.layers.push_back(tests::support::layer("Flatten", "flatten"));
        run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
        const plan::Plan plan = plan::compile(run, {.batch = 1});
        Variables variables(plan);
        initializeVariables(variables, run.model, 1);
        const auto executor = make(plan, variables, {});
        executor->reloadVariables();
        const std::vector<float> input{1, 2, 3, 6}, labels{1};
        const std::vector<std::uint32_t> indices{0};
        executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                             .sample_dtype = tensor::DType::kFloat32,
                             .sample_elements = 4,
                             .labels = reinterpret_cast<const std::byte*>(labels.data()),
                             .label_dtype = tensor::DType::kFloat32,
                             .label_elements = 1,
                             .indices = indices},
                            {.learning_rate = 1});
        executor->syncVariables();
        return variables.values("dense/kernel")[0];
    };
    EXPECT_EQ(kernelAfter("GlobalMaxPooling1D", makeCpuExecutor), 2.0F * (1 + 2 + 3 + 6) / 4);
    EXPECT_EQ(kernelAfter("GlobalMaxPooling1D", makeReferenceExecutor), 2.0F * (1 + 2 + 3 + 6) / 4);
    EXPECT_EQ(kernelAfter("MaxPooling1D", makeCpuExecutor), 2.0F * 1);
    EXPECT_EQ(kernelAfter("MaxPooling1D", makeReferenceExecutor), 2.0F * 1);
}

INSTANTIATE_TEST_SUITE_P(Threads, ImageLayers, ::testing::Values(1, 3),
                         [](const auto& param) { return std::to_string(param.param) + (param.param == 1 ? "Thread" : "Threads"); });

}  // namespace
}  // namespace engine::backend::cpu
