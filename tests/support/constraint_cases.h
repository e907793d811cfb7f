// Constraints within whole steps on any executor: after the update, whatever is fused or reduced.
#pragma once

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"

namespace engine::backend {
namespace {

struct Backend {
    const char* name;
    std::unique_ptr<Executor> (*make)(const plan::Plan&, Variables&, const ExecutorOptions&);
};
void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
}

spec::RunSpec run() {
    spec::RunSpec run;
    run.model =
        tests::support::model({2}, {tests::support::layer("Dense", "dense",
                                                          {{"units", std::int64_t{2}},
                                                           {"kernel_constraint", spec::ObjectBox({"MaxNorm", {{"max_value", 1.0}}})},
                                                           {"bias_constraint", std::string("non_neg")}}),
                                    tests::support::layer("Dense", "dense_1", {{"units", std::int64_t{1}}})});
    run.compile = {.optimizer = {"SGD", {}}, .loss = {"MeanSquaredError", {}}, .metrics = {}};
    return run;
}

class Constraints : public ::testing::TestWithParam<Backend> {};

TEST_P(Constraints, HoldAfterEveryUpdate) {
    for (const bool fuse : {false, true}) {
        const plan::Plan plan = plan::compile(run(), {.batch = 1, .fuse = fuse});
        Variables variables(plan);
        const std::span<float> kernel = variables.values("dense/kernel"), bias = variables.values("dense/bias");
        std::fill(kernel.begin(), kernel.end(), 3.0F);
        std::fill(variables.values("dense_1/kernel").begin(), variables.values("dense_1/kernel").end(), 0.5F);
        const auto executor = GetParam().make(plan, variables, {});
        executor->reloadVariables();
        const std::vector<float> input{1, 2}, label{-5};
        const std::vector<std::uint32_t> indices{0};
        for (std::int64_t step = 0; step < 3; ++step) {
            executor->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                                 .sample_dtype = tensor::DType::kFloat32,
                                 .sample_elements = 2,
                                 .labels = reinterpret_cast<const std::byte*>(label.data()),
                                 .label_dtype = tensor::DType::kFloat32,
                                 .label_elements = 1,
                                 .indices = indices},
                                {.learning_rate = 0.01F, .iteration = step});
            executor->syncVariables();
            for (std::size_t column = 0; column < 2; ++column) {
                EXPECT_LE(std::hypot(kernel[column], kernel[column + 2]), 1.0F + 1e-6F) << "step " << step;
                EXPECT_GE(bias[column], 0.0F);
            }
        }
        EXPECT_LT(variables.values("dense_1/bias")[0], -0.1F) << "the other layer is free";
    }
}

}  // namespace
}  // namespace engine::backend
