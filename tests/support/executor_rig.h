// Layers alone on any executor: one step from a given input and gradient of the output; then every tensor that matters can be read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "tests/support/model_cases.h"

namespace tests::support {

struct ExecutorRigOptions {
    std::int64_t batch = 1;
    bool training = true;
    int threads = 1;
};

// Input, output and every gradient lie in the region that an executor takes from outside.
class ExecutorRig {
public:
    ExecutorRig(const engine::spec::ModelSpec& model, const ExecutorFactory& make, const ExecutorRigOptions& options)
        : plan_(makePlan(model, options)),
          region_(static_cast<std::size_t>(plan_.shared_bytes)),
          variables_(plan_),
          indices_(static_cast<std::size_t>(options.batch)) {
        std::iota(indices_.begin(), indices_.end(), 0U);
        executor_ = make(plan_, variables_, {.threads = options.threads, .collective = nullptr, .region = region_});
    }

    engine::backend::Variables& variables() { return variables_; }
    bool has(const std::string& name) const { return engine::plan::findTensor(plan_, name) != engine::plan::kNoTensor; }
    // The input, "output", "output:grad", "input:grad", the gradient of a weight.
    std::span<float> tensor(const std::string& name) {
        const engine::plan::TensorId id = name == "output" ? plan_.output : engine::plan::findTensor(plan_, name);
        if (id == engine::plan::kNoTensor) throw std::runtime_error("no tensor " + name);
        const engine::plan::TensorDesc& desc = plan_.tensors[static_cast<std::size_t>(id)];
        if (desc.region != engine::plan::Region::kShared) throw std::runtime_error("not to be read: " + name);
        return {reinterpret_cast<float*>(region_.data() + desc.offset_bytes), static_cast<std::size_t>(engine::plan::elementCount(desc))};
    }

    void run(std::span<const float> input, std::span<const float> output_gradient) {
        set("input", input);
        if (plan_.training) set("output:grad", output_gradient);
        const engine::tensor::BatchView batch{.indices = indices_};
        executor_->reloadVariables();
        if (plan_.training) {
            executor_->trainStep(batch, {.seed = 5});
        } else {
            std::vector<float> output(tensor("output").size());
            executor_->predictStep(batch, output);
        }
        executor_->syncVariables();
    }

private:
    void set(const std::string& name, std::span<const float> values) {
        const std::span<float> to = tensor(name);
        if (values.size() != to.size()) throw std::runtime_error(name + ": wrong size");
        std::copy(values.begin(), values.end(), to.begin());
    }

    static engine::plan::Plan makePlan(const engine::spec::ModelSpec& model, const ExecutorRigOptions& options) {
        using engine::plan::TensorRole;
        engine::plan::Plan plan =
            engine::plan::lowerLayers(model, {.batch = options.batch, .training = options.training, .input_gradient = true});
        plan.header = static_cast<engine::plan::TensorId>(plan.tensors.size());  // a step reports, even of nothing
        plan.tensors.push_back({.name = "header", .role = TensorRole::kStepHeader, .shape = {engine::plan::StepHeader::kSize}});
        plan = engine::plan::planMemory(std::move(plan));
        for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
            engine::plan::TensorDesc& tensor = plan.tensors[i];
            const auto id = static_cast<engine::plan::TensorId>(i);
            const bool is_wanted = tensor.role == TensorRole::kInput || tensor.role == TensorRole::kGradient ||
                                   tensor.name == "input:grad" || id == plan.output;
            if (id != plan.header && (!is_wanted || tensor.offset_bytes < 0)) continue;
            tensor.region = engine::plan::Region::kShared;
            tensor.offset_bytes = plan.shared_bytes;
            plan.shared_bytes += engine::plan::alignUp(engine::plan::byteCount(tensor));
        }
        return plan;
    }

    engine::plan::Plan plan_;
    std::vector<std::byte> region_;
    engine::backend::Variables variables_;
    std::vector<std::uint32_t> indices_;
    std::unique_ptr<engine::backend::Executor> executor_;
};

}  // namespace tests::support
