#include "engine/plan/constraint.h"

#include <array>
#include <string>
#include <utility>
#include <variant>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

constexpr std::array<std::pair<std::string_view, ConstraintKind>, 4> kKinds{{{"MaxNorm", ConstraintKind::kMaxNorm},
                                                                             {"NonNeg", ConstraintKind::kNonNeg},
                                                                             {"UnitNorm", ConstraintKind::kUnitNorm},
                                                                             {"MinMaxNorm", ConstraintKind::kMinMaxNorm}}};

std::vector<int> axesOf(const spec::LayerSpec& layer, std::string_view field, const spec::Fields& config, std::size_t rank) {
    std::vector<int> axes;
    for (const std::int64_t axis : config.getInts("axis", {0})) {
        const auto size = static_cast<std::int64_t>(rank);
        if (axis < -size || axis >= size) {
            throw Error(ErrorCode::kInvalidArgument, layer.name + ": " + std::string(field) + ": expected axes of a weight of rank " +
                                                         std::to_string(rank) + ", got " + std::to_string(axis));
        }
        axes.push_back(static_cast<int>(axis < 0 ? axis + size : axis));
    }
    return axes;
}

}  // namespace

std::optional<ConstraintAttributes> constraintOf(const spec::LayerSpec& layer, std::string_view field, std::size_t rank) {
    const spec::FieldValue* value = layer.config.find(field);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    spec::ObjectSpec constraint;
    if (const auto* box = std::get_if<spec::ObjectBox>(value)) constraint = box->get();
    if (const auto* name = std::get_if<std::string>(value)) constraint.class_name = *name;
    const std::string class_name = spec::canonicalClass(spec::constraintSchemas(), constraint.class_name);
    for (const auto& [name, kind] : kKinds) {
        if (name != class_name) continue;
        ConstraintAttributes result{.kind = kind};
        if (kind == ConstraintKind::kNonNeg) return result;
        constexpr double kMost = 2;  // Keras' default of MaxNorm
        result.minimum = constraint.config.getDouble("min_value", 0);
        result.maximum = constraint.config.getDouble("max_value", kind == ConstraintKind::kMaxNorm ? kMost : 1);
        result.rate = constraint.config.getDouble("rate", 1);
        result.axes = axesOf(layer, field, constraint.config, rank);
        return result;
    }
    throw Error(ErrorCode::kUnimplemented, layer.name + ": " + std::string(field) +
                                               ": expected MaxNorm, NonNeg, UnitNorm or MinMaxNorm, got " + constraint.class_name);
}

}  // namespace engine::plan
