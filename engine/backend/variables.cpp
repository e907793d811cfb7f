#include <algorithm>
#include <string>

#include "engine/backend/executor.h"
#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend {

static_assert(tensor::TensorMemory::kAlignment >= plan::kAlignmentBytes);

Variables::Variables(const plan::Plan& plan) : Variables(plan, {}) {}

Variables::Variables(const plan::Plan& plan, std::span<std::byte> memory) {
    const plan::Plan laid_out = plan::layoutVariables(plan);
    if (memory.empty()) {
        memory_ = tensor::TensorMemory(std::max(laid_out.variable_bytes, plan::kAlignmentBytes));
        memory = memory_.span();
    }
    ENGINE_CHECK(static_cast<std::int64_t>(memory.size()) >= laid_out.variable_bytes);
    auto add = [this, memory](const plan::TensorDesc& tensor) {
        auto* values = reinterpret_cast<float*>(memory.data() + tensor.offset_bytes);
        by_name_.emplace(tensor.name, entries_.size());
        entries_.push_back({.name = tensor.name,
                            .shape = tensor.shape,
                            .is_slot = tensor.role == plan::TensorRole::kSlot,
                            .is_state = tensor.role == plan::TensorRole::kState,
                            .initial = tensor.initial,
                            .values = {values, static_cast<std::size_t>(plan::elementCount(tensor))}});
    };
    for (const plan::TensorDesc& tensor : laid_out.tensors) {
        if (tensor.role == plan::TensorRole::kParameter || tensor.role == plan::TensorRole::kState) add(tensor);
    }
    for (const plan::TensorDesc& tensor : laid_out.tensors) {
        if (tensor.role == plan::TensorRole::kSlot) add(tensor);
    }
}

std::span<float> Variables::values(std::string_view name) const {
    const auto place = by_name_.find(std::string(name));
    if (place == by_name_.end()) throw Error(ErrorCode::kNotFound, "variables: expected " + std::string(name) + ", got a plan without it");
    return entries_[place->second].values;
}

}  // namespace engine::backend
