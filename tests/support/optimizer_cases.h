// Optimizers with every setting take Keras' steps on any executor, fused and not: tests/data/keras/optimizers.json and
// more_optimizers.json. Lamb by hand; Adafactor and Muon, whose reference whole_update_test.cpp compares with Keras, as the reference does.
#pragma once

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
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

void expectSameSteps(const Way& way, const char* file, std::size_t runs) {
    const nlohmann::json golden = tests::support::readGolden(file);
    const std::vector<Array> dw = toArrays(golden.at("grads_w")), db = toArrays(golden.at("grads_b"));
    ASSERT_EQ(golden.at("runs").size(), runs);
    for (const nlohmann::json& run : golden.at("runs")) {
        const std::string class_name = run.at("class_name");
        SCOPED_TRACE(class_name + " " + run.at("config").dump());
        ChosenGradients layer(way, {class_name, tests::support::toFields(run.at("config"))});
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

TEST_P(KerasOptimizers, TakeTheSameSteps) {
    expectSameSteps(GetParam(), "optimizers.json", 59);
}

TEST_P(KerasOptimizers, WithoutASchedule) {
    expectSameSteps(GetParam(), "more_optimizers.json", 6);
}

// Keras' Lamb in double, a variable at a time: no golden run has it.
class LambByHand {
public:
    explicit LambByHand(std::vector<float> weights) : w_(weights.begin(), weights.end()), m_(w_.size()), v_(w_.size()) {}

    void step(const std::vector<float>& gradient, double rate, double decay, int t) {
        constexpr double kBeta1 = 0.9, kBeta2 = 0.999, kEpsilon = 1e-7;
        std::vector<double> u(w_.size());
        double weights = 0, directions = 0;
        for (std::size_t i = 0; i < w_.size(); ++i) {
            w_[i] -= w_[i] * decay * rate;
            m_[i] = kBeta1 * m_[i] + (1 - kBeta1) * gradient[i];
            v_[i] = kBeta2 * v_[i] + (1 - kBeta2) * gradient[i] * gradient[i];
            u[i] = m_[i] / (1 - std::pow(kBeta1, t)) / (std::sqrt(v_[i] / (1 - std::pow(kBeta2, t))) + kEpsilon);
            weights += w_[i] * w_[i];
            directions += u[i] * u[i];
        }
        const double ratio = weights > 0 && directions > 0 ? std::sqrt(weights) / std::sqrt(directions) : 1;
        for (std::size_t i = 0; i < w_.size(); ++i) w_[i] -= ratio * rate * u[i];
    }
    std::vector<float> weights() const { return {w_.begin(), w_.end()}; }

private:
    std::vector<double> w_, m_, v_;
};

TEST_P(KerasOptimizers, ScaleLambsStepByTheNormsOfEachVariable) {
    const nlohmann::json golden = tests::support::readGolden("optimizers.json");
    const std::vector<Array> dw = toArrays(golden.at("grads_w")), db = toArrays(golden.at("grads_b"));
    for (const double decay : {0.0, 0.01}) {
        for (const bool begins_at_zero : {false, true}) {
            SCOPED_TRACE("decay " + std::to_string(decay) + (begins_at_zero ? ", a bias of zeros, which has no norm" : ""));
            const std::vector<float> w0 = toArray(golden.at("w0")).values,
                                     b0 = begins_at_zero ? std::vector<float>(kUnits) : toArray(golden.at("b0")).values;
            ChosenGradients layer(GetParam(), {"Lamb", {{"learning_rate", 0.05}, {"weight_decay", decay}}});
            layer.set("dense/kernel", w0);
            layer.set("dense/bias", b0);
            LambByHand w(w0), b(b0);
            for (std::size_t step = 0; step < dw.size(); ++step) {
                layer.step(dw[step].values, db[step].values, 0.05F, static_cast<std::int64_t>(step));
                w.step(dw[step].values, 0.05, decay, static_cast<int>(step) + 1);
                b.step(db[step].values, 0.05, decay, static_cast<int>(step) + 1);
                EXPECT_TRUE(isNear(layer.get("dense/kernel"), w.weights(), 1e-5)) << "step " << step;
                EXPECT_TRUE(isNear(layer.get("dense/bias"), b.weights(), 1e-5)) << "step " << step;
            }
        }
    }
}

// Kernels of two axes and more, a table, and biases, larger than a block of any executor's.
std::vector<std::pair<std::string, std::vector<float>>> trainedByWay(const Way& way, const spec::ObjectSpec& optimizer) {
    constexpr std::int64_t kBatch = 5, kLength = 6;
    using tests::support::layer;
    spec::RunSpec run;
    run.model = tests::support::model(
        {kLength},
        {layer("Embedding", "embedding", {{"input_dim", std::int64_t{40}}, {"output_dim", std::int64_t{24}}}),
         layer("Conv1D", "conv1d", {{"filters", std::int64_t{50}}, {"kernel_size", std::int64_t{3}}, {"activation", std::string("tanh")}}),
         layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{70}}, {"activation", std::string("tanh")}}),
         layer("Dense", "out", {{"units", std::int64_t{3}}})});
    run.compile = {.optimizer = optimizer, .loss = {"MeanSquaredError", {}}, .metrics = {}};
    const plan::Plan plan = plan::compile(run, {.batch = kBatch, .fuse = way.fuse, .fuse_updates_into_gradients = way.into_gradients});
    Variables variables(plan);
    initializeVariables(variables, run.model, 1);
    const std::unique_ptr<Executor> executor = way.make(plan, variables, {});
    executor->reloadVariables();
    std::vector<float> inputs(kBatch * kLength), labels(kBatch * 3);
    for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = static_cast<float>(i * 7 % 40);
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<float>(std::sin(static_cast<double>(i)));
    const std::vector<std::uint32_t> indices{0, 1, 2, 3, 4};
    for (std::int64_t step = 0; step < 4; ++step) {
        executor->trainStep({.samples = reinterpret_cast<const std::byte*>(inputs.data()),
                             .sample_dtype = tensor::DType::kFloat32,
                             .sample_elements = kLength,
                             .labels = reinterpret_cast<const std::byte*>(labels.data()),
                             .label_dtype = tensor::DType::kFloat32,
                             .label_elements = 3,
                             .indices = indices},
                            {.learning_rate = 0.01F, .iteration = step});
    }
    executor->syncVariables();
    std::vector<std::pair<std::string, std::vector<float>>> values;
    for (const Variables::Entry& entry : variables.entries()) {
        values.emplace_back(entry.name, std::vector<float>(entry.values.begin(), entry.values.end()));
    }
    return values;
}

TEST_P(KerasOptimizers, TakeWholeVariablesAsTheReferenceDoes) {
    const std::vector<spec::ObjectSpec> optimizers{
        {"Adafactor", {{"weight_decay", 0.01}}},
        {"Adafactor", {{"gradient_accumulation_steps", std::int64_t{2}}, {"use_ema", true}, {"clipnorm", 0.5}}},
        {"Muon", {{"exclude_layers", std::vector<std::string>{"/out/"}}}},
        {"Muon", {{"exclude_embeddings", false}, {"nesterov", false}, {"ns_steps", std::int64_t{2}}, {"use_ema", true}}}};
    for (const spec::ObjectSpec& optimizer : optimizers) {
        const auto wanted = trainedByWay({"Reference", makeReferenceExecutor, false, false}, optimizer);
        const auto got = trainedByWay(GetParam(), optimizer);
        ASSERT_EQ(got.size(), wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            EXPECT_TRUE(isNear(got[i].second, wanted[i].second, 2e-5)) << optimizer.class_name << " " << got[i].first;
        }
    }
}

}  // namespace
}  // namespace engine::backend
