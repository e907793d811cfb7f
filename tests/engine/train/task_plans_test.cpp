// What the loss of a plan takes as labels, in every precision.
#include "engine/train/task_plans.h"

#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::layer;
using tests::support::quarterRun;
using tests::support::replica;

data::LabelNeed needOf(spec::RunSpec run, const std::string& policy) {
    run.model.dtype_policy = policy;
    return labelNeed(forwardPlan(run, replica(run), 0, 1));
}

// In mixed precision weights are made shorter before a batch is read.
TEST(LabelNeed, IsTheLossOwnInEveryPrecision) {
    for (const std::string policy : {"float32", "mixed_bfloat16"}) {
        SCOPED_TRACE(policy);
        spec::RunSpec run = quarterRun();
        run.compile.loss = {"SparseCategoricalCrossentropy", {{"from_logits", true}}};
        EXPECT_EQ(needOf(run, policy).classes, 4);
        EXPECT_FALSE(needOf(run, policy).sequences);
        run.compile.loss.config.set("ignore_class", std::int64_t{255});
        EXPECT_EQ(needOf(run, policy).classes, 0) << "the ignored class may lie outside of the others";

        run.model = tests::support::model({7, 3}, {layer("Dense", "dense", {{"units", std::int64_t{5}}})});
        run.compile.loss = {"CTC", {}};
        run.compile.metrics.clear();
        EXPECT_EQ(needOf(run, policy).classes, 5);
        EXPECT_TRUE(needOf(run, policy).sequences);
    }
}

}  // namespace
}  // namespace engine::train
