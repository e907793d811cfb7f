#include "engine/train/gradient_probe.h"

#include <algorithm>

#include "engine/plan/compile.h"
#include "engine/spec/catalog/dtype_policy.h"

namespace engine::train {
namespace {

constexpr const char* kSlot = ":momentum";

plan::Plan planOf(const spec::RunSpec& run, std::int64_t batch) {
    spec::RunSpec probe = run;
    // A processor computes them; the loss scale of a run only helps gradients of float16.
    probe.model = spec::withoutFloat16(probe.model);
    probe.compile.loss_scale.reset();
    probe.compile.optimizer = {"SGD", {{"learning_rate", 1.0}, {"momentum", 0.5}}};
    return plan::compile(probe, {.batch = batch});
}

}  // namespace

GradientProbe::GradientProbe(const spec::RunSpec& run, std::int64_t batch, ExecutorFactory make_executor, int threads)
    : plan_(std::make_unique<plan::Plan>(planOf(run, batch))),
      variables_(std::make_unique<backend::Variables>(*plan_)),
      executor_(make_executor(*plan_, *variables_, {.threads = threads, .collective = nullptr, .region = {}})) {}

GradientProbe::~GradientProbe() = default;

std::vector<GradientProbe::Gradient> GradientProbe::at(const backend::Variables& variables, const tensor::BatchView& batch,
                                                       const backend::StepControl& control) {
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        if (entry.is_slot) {
            std::fill(entry.values.begin(), entry.values.end(), 0.0F);
        } else {
            std::ranges::copy(variables.values(entry.name), entry.values.begin());
        }
    }
    executor_->reloadVariables();
    backend::StepControl step = control;
    step.learning_rate = 1;
    step.control = 0;
    executor_->trainStep(batch, step);
    executor_->syncVariables();
    std::vector<Gradient> gradients;
    for (const backend::Variables::Entry& entry : variables_->entries()) {
        if (entry.is_slot) {
            std::ranges::transform(entry.values, entry.values.begin(), [](float value) { return -value; });
            gradients.push_back({entry.name.substr(0, entry.name.size() - std::string_view(kSlot).size()), entry.values});
        }
    }
    return gradients;
}

}  // namespace engine::train
