// Layers alone on the CPU executor, with the interface of LayerRig. A step runs both directions, so each call sets all that was given
// before.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/backend/cpu/cpu_executor.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/layer_rig.h"

namespace tests::support {

class CpuLayerRig {
public:
    CpuLayerRig(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion, int threads = 1)
        : plan_(makePlan(model, batch, fusion)),
          variables_(plan_),
          executor_(plan_, variables_, {.threads = threads}),
          indices_(static_cast<std::size_t>(batch)) {
        std::iota(indices_.begin(), indices_.end(), 0U);
    }

    const engine::plan::Plan& plan() const { return plan_; }
    engine::backend::Variables& variables() { return variables_; }
    // Sets the number of samples for the steps from now on; all samples of the plan at first.
    void useSamples(std::size_t count) { indices_.resize(count); }
    void setControl(const engine::backend::StepControl& control) { control_ = control; }

    std::span<const float> forward(std::span<const float> input) {
        input_.assign(input.begin(), input.end());
        return step();
    }
    // Runs a step with the input of the last forward().
    void backward(std::span<const float> output_gradient) {
        output_gradient_.assign(output_gradient.begin(), output_gradient.end());
        step();
    }
    std::span<float> tensor(const std::string& name) {
        const engine::plan::TensorId id = engine::plan::findTensor(plan_, name);
        if (id == engine::plan::kNoTensor) throw std::runtime_error("no tensor " + name);
        return executor_.values(id);
    }

private:
    static engine::plan::Plan makePlan(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion) {
        engine::plan::Plan plan = engine::plan::lowerLayers(model, {.batch = batch, .input_gradient = true});
        if (fusion == Fusion::kOn) plan = engine::plan::fuseLayers(std::move(plan));
        return engine::plan::planMemory(std::move(plan));
    }
    static void set(std::span<float> to, std::span<const float> from) {
        if (to.size() != from.size()) throw std::runtime_error("expected " + std::to_string(to.size()) + " values");
        std::copy(from.begin(), from.end(), to.begin());
    }
    std::span<const float> step() {
        set(executor_.values(plan_.input), input_);
        if (!output_gradient_.empty()) set(tensor("output:grad"), output_gradient_);
        executor_.trainStep({.indices = indices_}, control_);
        return executor_.values(plan_.output);
    }

    engine::plan::Plan plan_;
    engine::backend::Variables variables_;
    engine::backend::cpu::CpuExecutor executor_;
    std::vector<std::uint32_t> indices_;
    std::vector<float> input_, output_gradient_;
    engine::backend::StepControl control_{.seed = 5};
};

}  // namespace tests::support
