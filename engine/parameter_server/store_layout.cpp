#include "engine/parameter_server/store_layout.h"

#include <algorithm>
#include <cstring>

#include "engine/plan/memory.h"

namespace engine::parameter_server {

StoreLayout storeLayout(const plan::Plan& server_plan, std::size_t buckets) {
    const auto aligned = [](std::size_t bytes) { return static_cast<std::size_t>(plan::alignUp(static_cast<std::int64_t>(bytes))); };
    StoreLayout layout;
    layout.versions = aligned(sizeof(StoreState));
    layout.variables = layout.versions + aligned(buckets * sizeof(std::int64_t));
    for (const plan::TensorDesc& tensor : server_plan.tensors) {
        if (!plan::isVariable(tensor) || tensor.role == plan::TensorRole::kSlot) continue;
        layout.pulled = std::max(layout.pulled, static_cast<std::size_t>(tensor.offset_bytes + plan::byteCount(tensor)));
    }
    layout.bytes = layout.variables + aligned(static_cast<std::size_t>(server_plan.variable_bytes));
    return layout;
}

std::uint64_t copyOut(std::span<const std::byte> memory, const StoreLayout& layout, std::span<const ByteRange> ranges,
                      std::span<std::byte> values, std::span<std::int64_t> versions) {
    const auto* state = reinterpret_cast<const StoreState*>(memory.data());
    // Versions first: an update that comes in between makes a push look older than it is, never younger.
    const std::uint64_t generation = state->generation.load(std::memory_order_acquire);
    const auto* stored = reinterpret_cast<const std::atomic<std::int64_t>*>(memory.data() + layout.versions);
    for (std::size_t i = 0; i < versions.size(); ++i) versions[i] = stored[i].load(std::memory_order_acquire);
    const std::span<const std::byte> variables = memory.subspan(layout.variables);
    for (const ByteRange& range : ranges) std::memcpy(values.data() + range.offset, variables.data() + range.offset, range.bytes);
    return generation;
}

}  // namespace engine::parameter_server
