#include "engine/backend/constraint.h"

#include <gtest/gtest.h>

#include "engine/plan/constraint.h"
#include "engine/spec/error.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::toArray;

spec::LayerSpec layerWith(const std::string& class_name, spec::Fields config) {
    return {"Dense", "dense", {{"kernel_constraint", spec::ObjectBox({class_name, std::move(config)})}}};
}

TEST(Constraint, GivesKerasWeights) {
    const nlohmann::json cases = tests::support::readGolden("constraints.json");
    ASSERT_FALSE(cases.empty());
    for (const nlohmann::json& golden : cases) {
        SCOPED_TRACE(golden.at("class_name").get<std::string>() + " " + golden.at("config").dump());
        Array weight = toArray(golden.at("w"));
        const auto constraint = plan::constraintOf(layerWith(golden.at("class_name"), tests::support::toFields(golden.at("config"))),
                                                   "kernel_constraint", weight.shape.size());
        ASSERT_TRUE(constraint);
        applyConstraint(*constraint, weight.shape, weight.values);
        EXPECT_TRUE(tests::support::isNear(weight.values, toArray(golden.at("after")).values, 1e-6));
    }
}

TEST(Constraint, RefusesAxesThatTheWeightLacks) {
    EXPECT_THROW(plan::constraintOf(layerWith("UnitNorm", {{"axis", std::int64_t{2}}}), "kernel_constraint", 2), Error);
    EXPECT_THROW(plan::constraintOf(layerWith("Norm", {}), "kernel_constraint", 2), Error);
    EXPECT_FALSE(plan::constraintOf({"Dense", "dense", {{"kernel_constraint", std::monostate{}}}}, "kernel_constraint", 2));
}

}  // namespace
}  // namespace engine::backend
