#include "engine/backend/cpu/parameter_update.h"

#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

UpdateFormula formulaOf(plan::UpdateKind kind) {
    switch (kind) {
        case plan::UpdateKind::kSgd:
            return UpdateFormula::kSgd;
        case plan::UpdateKind::kMomentum:
            return UpdateFormula::kMomentum;
        case plan::UpdateKind::kNesterov:
            return UpdateFormula::kNesterov;
        case plan::UpdateKind::kAdam:
            return UpdateFormula::kAdam;
        case plan::UpdateKind::kAmsgrad:
            return UpdateFormula::kAmsgrad;
    }
    return UpdateFormula::kSgd;
}

}  // namespace

ParameterUpdate::ParameterUpdate(const Memory& memory, const plan::Op& op, plan::TensorId gradient)
    : rule_(plan::updateRule(op.optimizer.optimizer)) {
    setRule();
    const plan::TensorId parameter = memory.tensor(gradient).of;
    prototype_.parameter = memory.floats(parameter);
    prototype_.gradient = memory.floats(gradient);
    prototype_.count = memory.elements(parameter);
    int slot = 0;
    for (plan::TensorId id : plan::slotsOf(memory.plan(), parameter)) {
        ENGINE_CHECK(slot < 3);
        prototype_.slots[slot++] = memory.floats(id);
    }
}

ParameterUpdate::ParameterUpdate(const plan::Op& op, const FlatRun& run) : rule_(plan::updateRule(op.optimizer.optimizer)) {
    setRule();
    prototype_.parameter = run.parameter;
    prototype_.gradient = run.gradient;
    prototype_.count = run.count;
    ENGINE_CHECK(run.slots.size() <= 3);
    for (std::size_t i = 0; i < run.slots.size(); ++i) prototype_.slots[i] = run.slots[i];
}

void ParameterUpdate::setRule() {
    prototype_.formula = formulaOf(rule_.kind);
    prototype_.momentum = rule_.momentum;
    prototype_.beta_1 = rule_.beta_1;
    prototype_.beta_2 = rule_.beta_2;
    prototype_.epsilon = rule_.epsilon;
}

void ParameterUpdate::apply(const KernelTable& kernels, float step_size, Range elements, const float* gradient) const {
    UpdateArgs args = prototype_;
    args.step_size = step_size;
    args.parameter += elements.begin;
    args.gradient = gradient;
    args.count = elements.size();
    for (float*& slot : args.slots) {
        if (slot != nullptr) slot += elements.begin;
    }
    kernels.update(args);
}

void ParameterUpdate::addAccesses(std::vector<Access>& accesses) const {
    const std::int64_t bytes = prototype_.count * static_cast<std::int64_t>(sizeof(float));
    accesses.push_back({prototype_.parameter, bytes, 0, true});
    for (const float* slot : prototype_.slots) {
        if (slot != nullptr) accesses.push_back({slot, bytes, 0, true});
    }
}

}  // namespace engine::backend::cpu
