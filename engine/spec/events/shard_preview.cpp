#include "engine/spec/events/shard_preview.h"

namespace engine::spec {

std::string shardLine(std::int64_t step, std::int64_t epoch, const TaskId& task, std::span<const std::uint32_t> elements,
                      std::span<const std::uint32_t> parts) {
    std::string line = "step " + std::to_string(step) + " epoch " + std::to_string(epoch) + " " + toString(task) + ":";
    const auto add = [&line](std::span<const std::uint32_t> some) {
        for (const std::uint32_t element : some) {
            line += " " + std::to_string(element);
        }
    };
    if (parts.empty()) {
        add(elements);
    }
    for (std::size_t device = 0; device < parts.size(); ++device) {
        line += device == 0 ? "" : " |";
        add(elements.first(parts[device]));
        elements = elements.subspan(parts[device]);
    }
    return line;
}

}  // namespace engine::spec
