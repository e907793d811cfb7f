#include "engine/backend/cpu/parameter_update.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

std::optional<UpdateFormula> vectorisedFormula(plan::UpdateKind kind) {
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
        default:
            return std::nullopt;
    }
}

FlatRun runOf(const Memory& memory, plan::TensorId gradient) {
    const plan::TensorId parameter = memory.tensor(gradient).of;
    FlatRun run{
        .parameter = memory.floats(parameter), .gradient = memory.floats(gradient), .slots = {}, .count = memory.elements(parameter)};
    const std::vector<plan::TensorId>& slots = memory.slotsOf(parameter);
    ENGINE_CHECK(slots.size() <= run.slots.size());
    std::transform(slots.begin(), slots.end(), run.slots.begin(), [&memory](plan::TensorId id) { return memory.floats(id); });
    return run;
}

}  // namespace

ParameterUpdate::ParameterUpdate(const Memory& memory, const plan::Op& op, plan::TensorId gradient)
    : ParameterUpdate(op, runOf(memory, gradient)) {}

ParameterUpdate::ParameterUpdate(const plan::Op& op, const FlatRun& run)
    : rule_(plan::updateRule(*plan::optimizerOf(op))), run_(run), vectorised_(vectorisedFormula(rule_.kind)) {}

void ParameterUpdate::apply(const KernelTable& kernels, const plan::StepFactors& factors, Range elements, const float* gradient) const {
    FlatRun piece = run_;
    piece.parameter += elements.begin;
    piece.gradient = gradient;
    piece.count = elements.size();
    for (float*& slot : piece.slots) {
        if (slot != nullptr) slot += elements.begin;
    }
    if (!vectorised_) return updateRun(rule_, factors, piece);
    if (factors.applies) applyVectorised(kernels, factors, piece);
    updateAverage(rule_, factors, piece);
}

void ParameterUpdate::applyVectorised(const KernelTable& kernels, const plan::StepFactors& factors, const FlatRun& piece) const {
    UpdateArgs args{.formula = *vectorised_,
                    .step_size = factors.step_size,
                    .momentum = rule_.momentum,
                    .beta_1 = rule_.beta_1,
                    .beta_2 = rule_.beta_2,
                    .epsilon = rule_.epsilon,
                    .decay = factors.decay,
                    .parameter = piece.parameter,
                    .gradient = piece.gradient,
                    .count = piece.count};
    std::copy_n(piece.slots.begin(), std::size(args.slots), std::begin(args.slots));
    kernels.update(args);
}

void ParameterUpdate::addAccesses(std::vector<Access>& accesses) const {
    const std::int64_t bytes = run_.count * static_cast<std::int64_t>(sizeof(float));
    accesses.push_back({run_.parameter, bytes, 0, true});
    for (const float* slot : run_.slots) {
        if (slot != nullptr) accesses.push_back({slot, bytes, 0, true});
    }
}

}  // namespace engine::backend::cpu
