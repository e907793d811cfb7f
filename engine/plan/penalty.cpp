#include "engine/plan/penalty.h"

#include <string>
#include <variant>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {

std::optional<Penalty> penaltyOf(const spec::LayerSpec& layer, std::string_view field) {
    const spec::FieldValue* value = layer.config.find(field);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return std::nullopt;
    if (field == "activity_regularizer" && layer.class_name == "SimpleRNN") return std::nullopt;  // Keras takes one and adds nothing
    spec::ObjectSpec regularizer;
    if (const auto* box = std::get_if<spec::ObjectBox>(value)) regularizer = box->get();
    if (const auto* name = std::get_if<std::string>(value)) regularizer.class_name = *name;
    const std::string class_name = spec::canonicalClass(spec::regularizerSchemas(), regularizer.class_name);
    const spec::ObjectSchema* schema = spec::findSchema(spec::regularizerSchemas(), class_name);
    if (schema == nullptr) {
        throw Error(ErrorCode::kUnimplemented, layer.name + ": " + std::string(field) +
                                                   ": expected L1, L2, L1L2 or OrthogonalRegularizer, got " + regularizer.class_name);
    }
    const spec::Settings settings(schema->fields, regularizer.config);
    Penalty penalty;
    settings.read("l1", penalty.l1);
    settings.read("l2", penalty.l2);
    penalty.of_activity = field == "activity_regularizer";
    settings.read("factor", penalty.orthogonal);
    if (penalty.orthogonal != 0) {
        penalty.vectors = settings.getString("mode") == "rows" ? PenalisedVectors::kRows : PenalisedVectors::kColumns;
    }
    if (penalty.l1 == 0 && penalty.l2 == 0 && penalty.orthogonal == 0) return std::nullopt;
    return penalty;
}

TensorId penalisedVariable(NameIndex& names, const spec::LayerSpec& layer, std::string_view field) {
    const std::string name = layer.name + "/" + std::string(field.substr(0, field.rfind('_')));
    const TensorId own = names.find(name);
    return own != kNoTensor ? own : names.find(name + "_kernel");
}

}  // namespace engine::plan
