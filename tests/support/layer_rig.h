// Layers alone on the reference interpreter: set the input, run forward, give the gradient of the output, read every gradient. And the
// finite differences that prove a backward rule.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "engine/tensor/random.h"

namespace tests::support {

enum class Fusion { kOff, kOn };

class LayerRig {
public:
    LayerRig(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion)
        : plan_(makePlan(model, batch, fusion)), variables_(plan_), interpreter_(plan_, variables_, {}) {}

    const engine::plan::Plan& plan() const { return plan_; }
    engine::backend::Variables& variables() { return variables_; }

    std::span<const float> forward(std::span<const float> input) {
        const std::span<float> x = interpreter_.floats(plan_.input);
        if (input.size() != x.size()) throw std::runtime_error("input: wrong size");
        std::copy(input.begin(), input.end(), x.begin());
        interpreter_.runPhase(engine::plan::Phase::kForward, step());
        return interpreter_.floats(plan_.output);
    }
    // Called after forward().
    void backward(std::span<const float> output_gradient) {
        const std::span<float> dy = tensor("output:grad");
        if (output_gradient.size() != dy.size()) throw std::runtime_error("output gradient: wrong size");
        std::copy(output_gradient.begin(), output_gradient.end(), dy.begin());
        interpreter_.runPhase(engine::plan::Phase::kBackward, step());
    }
    std::span<float> tensor(const std::string& name) {
        const engine::plan::TensorId id = engine::plan::findTensor(plan_, name);
        if (id == engine::plan::kNoTensor) throw std::runtime_error("no tensor " + name);
        return interpreter_.floats(id);
    }

private:
    static engine::plan::Plan makePlan(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion) {
        engine::plan::Plan plan = engine::plan::lowerLayers(model, {.batch = batch, .input_gradient = true});
        if (fusion == Fusion::kOn) plan = engine::plan::fuseLayers(std::move(plan));
        return engine::plan::planMemory(std::move(plan));
    }
    engine::backend::reference::Interpreter::Step step() const {
        return {.batch = nullptr, .control = {.seed = 5}, .samples = plan_.batch};
    }

    engine::plan::Plan plan_;
    engine::backend::Variables variables_;
    engine::backend::reference::Interpreter interpreter_;
};

inline std::vector<float> randomValues(std::size_t count, std::uint64_t stream, float scale = 1) {
    const engine::tensor::RandomStream random({.seed = 1, .purpose = engine::tensor::RandomPurpose::kAugmentation, .stream = stream});
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = scale * (2 * random.uniform(0, i) - 1);
    return values;
}

// Every element of the input's gradient and of every parameter's against one-sided finite differences of sum(output * r): the gradient must
// lie between the two, within `tolerance`. (They differ where the step crosses a kink of relu or pooling.)
inline void gradientCheck(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion, double tolerance = 4e-3) {
    LayerRig rig(model, batch, fusion);
    std::uint64_t stream = 10;
    for (const engine::backend::Variables::Entry& entry : rig.variables().entries()) {
        const std::vector<float> values = randomValues(entry.values.size(), stream++, 0.7F);
        std::copy(values.begin(), values.end(), entry.values.begin());
    }
    std::vector<float> input = randomValues(rig.tensor("input").size(), 1);
    const std::vector<float> r = randomValues(rig.tensor("output:grad").size(), 2);
    auto loss = [&] {
        const std::span<const float> y = rig.forward(input);
        double sum = 0;
        for (std::size_t i = 0; i < y.size(); ++i) sum += static_cast<double>(y[i]) * r[i];
        return sum;
    };
    const double center = loss();
    rig.backward(r);

    // Read before the next forward pass: it uses their memory.
    std::map<std::string, std::vector<float>> gradients;
    for (const engine::plan::TensorDesc& tensor : rig.plan().tensors) {
        if (tensor.name != "input:grad" && tensor.role != engine::plan::TensorRole::kGradient) continue;
        const std::span<const float> values = rig.tensor(tensor.name);
        gradients[tensor.name].assign(values.begin(), values.end());
    }

    auto check = [&](const std::string& name, std::span<float> values) {
        const std::vector<float>& gradient = gradients.at(name + ":grad");
        for (std::size_t i = 0; i < values.size(); ++i) {
            constexpr float kStep = 0x1.0p-9F;
            const float original = values[i];
            values[i] = original + kStep;
            const double right = (loss() - center) / (static_cast<double>(values[i]) - original);
            values[i] = original - kStep;
            const double left = (loss() - center) / (static_cast<double>(values[i]) - original);
            values[i] = original;
            const double slack = tolerance * std::max({1.0, std::abs(left), std::abs(right)});
            EXPECT_GE(gradient[i], std::min(left, right) - slack) << name << "[" << i << "]";
            EXPECT_LE(gradient[i], std::max(left, right) + slack) << name << "[" << i << "]";
        }
    };
    check("input", input);
    for (const engine::backend::Variables::Entry& entry : rig.variables().entries()) {
        if (!entry.is_state) check(entry.name, entry.values);
    }
}

}  // namespace tests::support
