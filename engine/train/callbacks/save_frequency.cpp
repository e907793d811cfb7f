#include "engine/train/callbacks/save_frequency.h"

#include "engine/spec/error.h"

namespace engine::train {

std::int64_t saveFrequency(const spec::Fields& config, const std::string& field, const std::string& path) {
    const spec::FieldValue* value = config.find(field);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) {
        return 0;
    }
    if (const auto* text = std::get_if<std::string>(value); text != nullptr && *text == "epoch") {
        return 0;
    }
    const auto* steps = std::get_if<std::int64_t>(value);
    if (steps == nullptr || *steps < 1) {
        throw Error(ErrorCode::kInvalidArgument, path + "." + field + ": expected \"epoch\" or a number of steps from 1");
    }
    return *steps;
}

}  // namespace engine::train
