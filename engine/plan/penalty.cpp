#include "engine/plan/penalty.h"

#include <string>
#include <variant>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/error.h"

namespace engine::plan {

std::optional<Penalty> penaltyOf(const spec::LayerSpec& layer, std::string_view field) {
    const spec::FieldValue* value = layer.config.find(field);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    spec::ObjectSpec regularizer;
    if (const auto* box = std::get_if<spec::ObjectBox>(value)) regularizer = box->get();
    if (const auto* name = std::get_if<std::string>(value)) regularizer.class_name = *name;
    const std::string class_name = spec::canonicalClass(spec::regularizerSchemas(), regularizer.class_name);
    if (spec::findSchema(spec::regularizerSchemas(), class_name) == nullptr) {
        throw Error(ErrorCode::kUnimplemented,
                    layer.name + ": " + std::string(field) + ": expected L1, L2 or L1L2, got " + regularizer.class_name);
    }
    constexpr double kAlone = 0.01;  // Keras' default of the two classes with one number
    Penalty penalty;
    penalty.l1 = static_cast<float>(regularizer.config.getDouble("l1", class_name == "L1" ? kAlone : 0));
    penalty.l2 = static_cast<float>(regularizer.config.getDouble("l2", class_name == "L2" ? kAlone : 0));
    penalty.of_activity = field == "activity_regularizer";
    if (penalty.l1 == 0 && penalty.l2 == 0) return std::nullopt;
    return penalty;
}

TensorId penalisedVariable(const Plan& plan, const spec::LayerSpec& layer, std::string_view field) {
    const std::string name = layer.name + "/" + std::string(field.substr(0, field.rfind('_')));
    const TensorId own = findTensor(plan, name);
    return own != kNoTensor ? own : findTensor(plan, name + "_kernel");
}

}  // namespace engine::plan
