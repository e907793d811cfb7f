// Ten optimizers with every setting take Keras' steps on any executor, fused and not: tests/data/keras/optimizers.json.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/plan/compile.h"
#include "tests/support/golden.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::Array;
using tests::support::isNear;
using tests::support::toArray;
using tests::support::toArrays;

constexpr std::int64_t kInputs = 3, kUnits = 2, kSamples = 4;

struct Way {
    const char* name;
    std::unique_ptr<Executor> (*make)(const plan::Plan&, Variables&, const ExecutorOptions&);
    bool fuse, into_gradients;
};
void PrintTo(const Way& way, std::ostream* out) {
    *out << way.name;
}

// A Dense layer whose gradients are chosen: three samples are unit vectors, the fourth is zero, so that row i of y is row i of w plus b,
// and the last is b alone. With half the squared error summed, dl/dy = y - t.
class ChosenGradients {
public:
    ChosenGradients(const Way& way, const spec::ObjectSpec& optimizer) : plan_(makePlan(way, optimizer)), variables_(plan_) {
        initializeVariables(variables_, model(), 1);
        executor_ = way.make(plan_, variables_, {});
        executor_->reloadVariables();
    }

    void set(const std::string& name, const std::vector<float>& values) {
        std::copy(values.begin(), values.end(), variables_.values(name).begin());
        executor_->reloadVariables();
    }
    std::vector<float> get(const std::string& name) {
        executor_->syncVariables();
        const std::span<const float> values = variables_.values(name);
        return {values.begin(), values.end()};
    }

    void step(const std::vector<float>& dw, const std::vector<float>& db, float rate, std::int64_t iteration) {
        const std::vector<float> w = get("dense/kernel"), b = get("dense/bias");
        std::vector<float> labels(kSamples * kUnits);
        for (std::size_t c = 0; c < kUnits; ++c) {
            float rest = db[c];
            for (std::size_t r = 0; r < kInputs; ++r) {
                labels[r * kUnits + c] = w[r * kUnits + c] + b[c] - dw[r * kUnits + c];
                rest -= dw[r * kUnits + c];
            }
            labels[kInputs * kUnits + c] = b[c] - rest;
        }
        const std::vector<float> input{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0};
        const std::vector<std::uint32_t> indices{0, 1, 2, 3};
        executor_->trainStep({.samples = reinterpret_cast<const std::byte*>(input.data()),
                              .sample_dtype = tensor::DType::kFloat32,
                              .sample_elements = kInputs,
                              .labels = reinterpret_cast<const std::byte*>(labels.data()),
                              .label_dtype = tensor::DType::kFloat32,
                              .label_elements = kUnits,
                              .indices = indices},
                             {.learning_rate = rate, .iteration = iteration});
    }

private:
    static spec::ModelSpec model() {
        return tests::support::model({kInputs}, {tests::support::layer("Dense", "dense", {{"units", kUnits}})});
    }
    static plan::Plan makePlan(const Way& way, const spec::ObjectSpec& optimizer) {
        spec::RunSpec run;
        run.model = model();
        run.compile = {.optimizer = optimizer, .loss = {"MeanSquaredError", {{"reduction", std::string("sum")}}}, .metrics = {}};
        return plan::compile(run, {.batch = kSamples, .fuse = way.fuse, .fuse_updates_into_gradients = way.into_gradients});
    }

    plan::Plan plan_;
    Variables variables_;
    std::unique_ptr<Executor> executor_;
};

// Ours of Keras' variable "w_velocity".
std::string slotOf(const std::string& optimizer, const std::string& keras) {
    static const std::map<std::string, std::string> kSlots{{"velocity", "v"},
                                                           {"velocity_hat", "vhat"},
                                                           {"accumulator", "accumulator"},
                                                           {"average_gradient", "mean"},
                                                           {"accumulated_grad", "accumulator"},
                                                           {"accumulated_delta_var", "delta"},
                                                           {"norm", "u"},
                                                           {"linear", "linear"},
                                                           {"average", "average"},
                                                           {"gradient_accumulator", "accumulated_gradient"}};
    const std::string name = keras.substr(2);
    const std::string slot = name == "momentum" ? (optimizer == "SGD" || optimizer == "RMSprop" ? "momentum" : "m") : kSlots.at(name);
    return std::string(keras.starts_with("w") ? "dense/kernel:" : "dense/bias:") + slot;
}

class KerasOptimizers : public ::testing::TestWithParam<Way> {};

TEST_P(KerasOptimizers, TakeTheSameSteps) {
    const nlohmann::json golden = tests::support::readGolden("optimizers.json");
    const std::vector<Array> dw = toArrays(golden.at("grads_w")), db = toArrays(golden.at("grads_b"));
    ASSERT_EQ(golden.at("runs").size(), 59U);
    for (const nlohmann::json& run : golden.at("runs")) {
        const std::string class_name = run.at("class_name");
        SCOPED_TRACE(class_name + " " + run.at("config").dump());
        ChosenGradients layer(GetParam(), {class_name, tests::support::toFields(run.at("config"))});
        layer.set("dense/kernel", toArray(golden.at("w0")).values);
        layer.set("dense/bias", toArray(golden.at("b0")).values);
        const float rate = run.at("config").at("learning_rate");
        for (std::size_t step = 0; step < dw.size(); ++step) {
            layer.step(dw[step].values, db[step].values, rate, static_cast<std::int64_t>(step));
            const nlohmann::json& after = run.at("after_each_step")[step];
            EXPECT_TRUE(isNear(layer.get("dense/kernel"), toArray(after.at("w")).values, 1e-5)) << "step " << step;
            EXPECT_TRUE(isNear(layer.get("dense/bias"), toArray(after.at("b")).values, 1e-5)) << "step " << step;
        }
        for (const auto& [name, value] : run.at("variables_at_end").items()) {
            EXPECT_TRUE(isNear(layer.get(slotOf(class_name, name)), toArray(value).values, 1e-5)) << name;
        }
    }
}

}  // namespace
}  // namespace engine::backend
