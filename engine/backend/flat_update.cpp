#include "engine/backend/flat_update.h"

#include <algorithm>
#include <utility>

#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

struct Group {
    plan::TensorId parameter, gradient;
    std::vector<plan::TensorId> slots;
};

std::vector<Group> groupsOf(const plan::Plan& plan, const plan::Op& op) {
    std::vector<Group> groups;
    if (op.fused_update) {
        for (plan::TensorId id : op.outputs) {
            const plan::TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            if (tensor.role == plan::TensorRole::kGradient) groups.push_back({tensor.of, id, plan::slotsOf(plan, tensor.of)});
        }
        return groups;
    }
    for (std::size_t i = 0; i < op.inputs.size();) {
        ENGINE_CHECK(i + 1 < op.inputs.size());
        Group group{op.inputs[i], op.inputs[i + 1], {}};
        for (i += 2; i < op.inputs.size(); ++i) {
            const plan::TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(op.inputs[i])];
            if (tensor.role != plan::TensorRole::kSlot || tensor.of != group.parameter) break;
            group.slots.push_back(op.inputs[i]);
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

bool continues(const FlatRun& run, const FlatRun& next) {
    const std::int64_t distance =
        plan::alignUp(run.count * static_cast<std::int64_t>(sizeof(float))) / static_cast<std::int64_t>(sizeof(float));
    if (next.parameter != run.parameter + distance || next.gradient != run.gradient + distance) return false;
    for (std::size_t i = 0; i < run.slots.size(); ++i) {
        if (run.slots[i] != nullptr && next.slots[i] != run.slots[i] + distance) return false;
    }
    return true;
}

// Elements are on their own: the compiler may take several at once.
template <plan::UpdateKind kKind>
void updateElements(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    const auto [first, second, third] = updateValues(rule, run.slots);
    for (std::int64_t i = 0; i < run.count; ++i) {
        UpdateValues values;
        if (first != nullptr) values.first = first[i];
        if (second != nullptr) values.second = second[i];
        if (third != nullptr) values.third = third[i];
        updateElement<kKind>(rule, factors, run.gradient[i], run.parameter[i], values);
        if (first != nullptr) first[i] = values.first;
        if (second != nullptr) second[i] = values.second;
        if (third != nullptr) third[i] = values.third;
    }
}

}  // namespace

std::vector<FlatRun> flatRuns(const plan::Plan& plan, const plan::Op& op, const std::function<float*(plan::TensorId)>& address) {
    std::vector<FlatRun> runs;
    const spec::ObjectSpec& optimizer = *plan::optimizerOf(op);
    const bool joins = !spec::takesWholeVariables(plan::updateRule(optimizer).kind);
    const std::vector<plan::Slot> slots = plan::slotsOf(optimizer);
    for (const Group& group : groupsOf(plan, op)) {
        const plan::TensorDesc& variable = plan.tensors[static_cast<std::size_t>(group.parameter)];
        FlatRun next{
            .parameter = address(group.parameter), .gradient = address(group.gradient), .slots = {}, .count = plan::elementCount(variable)};
        const std::size_t rank = variable.shape.size();
        if (rank >= 2) {
            next.rows = variable.shape[rank - 2];
            next.columns = variable.shape[rank - 1];
        }
        for (const plan::TensorId id : group.slots) {
            const std::string& name = plan.tensors[static_cast<std::size_t>(id)].slot_name;
            const auto place = std::find_if(slots.begin(), slots.end(), [&](const plan::Slot& slot) { return slot.name == name; });
            ENGINE_CHECK(place != slots.end());
            next.slots[static_cast<std::size_t>(place - slots.begin())] = address(id);
        }
        if (joins && !runs.empty() && continues(runs.back(), next)) {
            runs.back().count = next.parameter - runs.back().parameter + next.count;
        } else {
            runs.push_back(next);
        }
    }
    return runs;
}

FlatRun partOf(const FlatRun& run, std::int64_t begin, std::int64_t count) {
    FlatRun part = run;
    part.parameter += begin;
    part.gradient += begin;
    for (float*& slot : part.slots) {
        if (slot != nullptr) slot += begin;
    }
    part.count = count;
    part.rows = part.columns = 0;
    return part;
}

std::array<float*, kUpdateValues> updateValues(const plan::UpdateRule& rule, const std::array<float*, plan::kMaxSlots>& slots) {
    const std::size_t own = rule.average_slot;
    std::array<float*, kUpdateValues> values{};
    std::copy_n(slots.begin(), std::min(own, values.size()), values.begin());
    if (rule.kind == plan::UpdateKind::kRmsprop && rule.centered && rule.momentum == 0) std::swap(values[1], values[2]);
    return values;
}

void updateWeights(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    if (!factors.applies) return;
    withUpdateKind(rule.kind, [&]<plan::UpdateKind kKind>() { updateElements<kKind>(rule, factors, run); });
}

void updateAverage(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    if (!rule.keeps_average) return;
    float* average = run.slots[rule.average_slot];
    for (std::int64_t i = 0; i < run.count; ++i) averageElement(factors, run.parameter[i], average[i]);
}

void updateRun(const plan::UpdateRule& rule, const plan::StepFactors& factors, const FlatRun& run) {
    updateWeights(rule, factors, run);
    updateAverage(rule, factors, run);
}

}  // namespace engine::backend
