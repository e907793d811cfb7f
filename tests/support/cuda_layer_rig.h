// Layers alone on the CUDA executor, with the interface of LayerRig. Include after tests/support/cuda_emulator/emulator.h where that is
// wanted. A step runs both directions, so each call sets all that was given before.
#pragma once

#include <cstdint>
#include <map>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/layer_rig.h"

namespace tests::support {

class CudaLayerRig {
public:
    CudaLayerRig(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion)
        : plan_(makePlan(model, batch, fusion)),
          variables_(plan_),
          executor_(plan_, variables_, {},
                    std::make_shared<engine::backend::cuda::Session>(0, engine::backend::cuda::LibraryOptions{}, choices_)),
          indices_(static_cast<std::size_t>(batch)) {
        std::iota(indices_.begin(), indices_.end(), 0U);
    }

    const engine::plan::Plan& plan() const { return plan_; }
    std::string planText() const { return executor_.planText(); }
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
    // Returns a copy of what the device has now.
    std::span<float> tensor(const std::string& name) {
        std::vector<float>& values = copies_[name];
        values = executor_.read(idOf(name));
        return values;
    }

private:
    static engine::plan::Plan makePlan(const engine::spec::ModelSpec& model, std::int64_t batch, Fusion fusion) {
        engine::plan::Plan plan = engine::plan::lowerLayers(model, {.batch = batch, .input_gradient = true});
        if (fusion == Fusion::kOn) plan = engine::plan::fuseLayers(std::move(plan));
        return engine::plan::planMemory(std::move(plan));
    }
    engine::plan::TensorId idOf(const std::string& name) const {
        const engine::plan::TensorId id = engine::plan::findTensor(plan_, name);
        if (id == engine::plan::kNoTensor) throw std::runtime_error("no tensor " + name);
        return id;
    }
    void set(engine::plan::TensorId id, std::span<const float> values) { executor_.write(id, values); }
    std::span<const float> step() {
        executor_.reloadVariables();
        set(plan_.input, input_);
        if (!output_gradient_.empty()) set(idOf("output:grad"), output_gradient_);
        executor_.trainStep({.indices = indices_}, control_);
        executor_.syncVariables();
        output_ = executor_.read(plan_.output);
        return output_;
    }

    engine::plan::Plan plan_;
    engine::backend::Variables variables_;
    engine::backend::cuda::Choices choices_;
    engine::backend::cuda::CudaExecutor executor_;
    std::vector<std::uint32_t> indices_;
    std::vector<float> input_, output_gradient_, output_;
    std::map<std::string, std::vector<float>> copies_;
    engine::backend::StepControl control_{.seed = 5};
};

}  // namespace tests::support
