#include "engine/train/callbacks/monitor.h"

#include "engine/spec/catalog/monitor_direction.h"
#include "engine/spec/error.h"

namespace engine::train {

Monitor::Monitor(const std::string& name, const std::string& mode, double min_delta) : name_(name), min_delta_(min_delta) {
    if (mode == "min" || mode == "max") {
        smaller_is_better_ = mode == "min";
        return;
    }
    if (mode != "auto") {
        throw Error(ErrorCode::kInvalidArgument, "callbacks: mode: expected auto, min or max, got \"" + mode + "\"");
    }
    const auto direction = spec::betterDirection(name);
    if (!direction) {
        throw Error(ErrorCode::kInvalidArgument,
                    "callbacks: monitor \"" + name + "\" does not tell whether smaller or larger is better; set mode to min or max");
    }
    smaller_is_better_ = *direction == spec::Direction::kFalling;
}

void Monitor::save(exporter::SavedObject& state) const {
    if (best_) {
        state.set("best", *best_);
    }
}

std::optional<double> optionalDouble(const spec::Fields& config, const std::string& name) {
    const spec::FieldValue* value = config.find(name);
    return value == nullptr || std::holds_alternative<std::monostate>(*value) ? std::nullopt : std::optional(config.getDouble(name, 0));
}

}  // namespace engine::train
