// Adafactor and Muon take Keras' steps on variables of every shape: tests/data/keras/whole_optimizers.json.
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/update_formulas.h"
#include "engine/plan/optimizer.h"
#include "tests/support/golden.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using plan::TensorId;
using plan::TensorRole;
using tests::support::isNear;
using tests::support::toArray;

// The update of some variables, alone.
class UpdateAlone {
public:
    UpdateAlone(const spec::ObjectSpec& optimizer, const std::vector<std::pair<std::string, spec::Shape>>& shapes)
        : plan_(planOf(optimizer, shapes)), variables_(plan_), interpreter_(plan_, variables_, {}) {}

    std::span<float> values(const std::string& name) {
        for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
            if (plan_.tensors[i].name == name) return interpreter_.floats(static_cast<TensorId>(i), 1);
        }
        throw std::out_of_range(name);
    }
    void set(const std::string& name, const std::vector<float>& given) { std::copy(given.begin(), given.end(), values(name).begin()); }
    void step(float rate, std::int64_t iteration) {
        interpreter_.run(interpreter_.plan().ops.front(),
                         {.batch = nullptr, .control = {.learning_rate = rate, .iteration = iteration}, .samples = 1});
    }

private:
    static plan::Plan planOf(const spec::ObjectSpec& optimizer, const std::vector<std::pair<std::string, spec::Shape>>& shapes) {
        plan::Plan plan;
        plan.batch = 1;
        plan::Op op{.kind = plan::OpKind::kFusedUpdate,
                    .phase = plan::Phase::kUpdate,
                    .name = "update",
                    .attributes = plan::OptimizerAttributes{optimizer}};
        const auto add = [&](plan::TensorDesc tensor) {
            plan.tensors.push_back(std::move(tensor));
            op.inputs.push_back(static_cast<TensorId>(plan.tensors.size() - 1));
            return op.inputs.back();
        };
        for (const auto& [name, shape] : shapes) {
            const TensorId w = add({.name = name, .role = TensorRole::kParameter, .shape = shape});
            op.outputs.push_back(w);
            add({.name = name + ":grad", .role = TensorRole::kStatistic, .shape = shape});
            for (const plan::Slot& slot : plan::slotsOf(optimizer)) {
                if (const auto of_slot = spec::slotShape(optimizer, slot.form, {name, shape})) {
                    op.outputs.push_back(add(
                        {.name = name + ":" + slot.name, .role = TensorRole::kSlot, .shape = *of_slot, .of = w, .slot_name = slot.name}));
                }
            }
        }
        plan.ops.push_back(std::move(op));
        return plan;
    }

    plan::Plan plan_;
    Variables variables_;
    reference::Interpreter interpreter_;
};

TEST(WholeUpdate, TakesKerasSteps) {
    const nlohmann::json golden = tests::support::readGolden("whole_optimizers.json");
    std::vector<std::pair<std::string, spec::Shape>> shapes;
    for (const auto& [name, value] : golden.at("start").items()) shapes.emplace_back(name, toArray(value).shape);
    ASSERT_EQ(golden.at("runs").size(), 4U);
    for (const nlohmann::json& run : golden.at("runs")) {
        const std::string class_name = run.at("class_name");
        SCOPED_TRACE(class_name + " " + run.at("config").dump());
        UpdateAlone update({class_name, tests::support::toFields(run.at("config"))}, shapes);
        for (const auto& [name, value] : golden.at("start").items()) update.set(name, toArray(value).values);
        for (std::size_t step = 0; step < golden.at("gradients").size(); ++step) {
            for (const auto& [name, value] : golden.at("gradients")[step].items()) update.set(name + ":grad", toArray(value).values);
            update.step(run.at("config").at("learning_rate"), static_cast<std::int64_t>(step));
            for (const auto& [name, value] : run.at("after_each_step")[step].items()) {
                EXPECT_TRUE(isNear(update.values(name), toArray(value).values, 1e-5)) << name << ", step " << step;
            }
        }
        for (const auto& [name, value] : run.at("slots_at_end").items()) {
            EXPECT_TRUE(isNear(update.values(name), toArray(value).values, 1e-5)) << name;
        }
    }
}

// Where a row and a column have no gradient at all, their product is nothing to a float; Keras divides 0 by it.
TEST(WholeUpdate, OfAdafactorLeavesWhatHasNoGradient) {
    UpdateAlone update({"Adafactor", {}}, {{"w", {2, 2}}});
    update.set("w", {1, 2, 3, 4});
    update.set("w:grad", {5, 0, 0, 0});
    update.step(0.1F, 0);
    const std::span<const float> w = update.values("w");
    EXPECT_LT(w[0], 1);
    EXPECT_EQ((std::vector<float>{w[1], w[2], w[3]}), (std::vector<float>{2, 3, 4}));
}

// One infinite gradient takes all others with it where the norm of all is clipped, and is alone where each has its own, as in Keras.
TEST(ClipFactor, IsNoNumberForANormOfAllWithoutAnEnd) {
    constexpr double kEndless = std::numeric_limits<double>::infinity(), kNone = std::numeric_limits<double>::quiet_NaN();
    const plan::UpdateRule all{.global_clip_norm = 2.0F}, each{.clip_norm = 2.0F};
    for (const plan::UpdateRule& rule : {all, each}) {
        EXPECT_EQ(clipFactor(rule, 0.0), 1.0F);
        EXPECT_EQ(clipFactor(rule, 4.0), 1.0F);
        EXPECT_EQ(clipFactor(rule, 16.0), 0.5F);
        EXPECT_TRUE(std::isnan(clipFactor(rule, kNone)));
    }
    EXPECT_TRUE(std::isnan(clipFactor(all, kEndless)));
    EXPECT_EQ(clipFactor(each, kEndless), 0.0F);
}

}  // namespace
}  // namespace engine::backend
