#include "engine/spec/catalog/loss_rules.h"

#include <algorithm>
#include <vector>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec {

LossLabels lossLabels(std::string_view class_name) {
    if (class_name == "SparseCategoricalCrossentropy" || class_name == "CategoricalGeneralizedCrossEntropy") return LossLabels::kClasses;
    if (class_name == "CTC") return LossLabels::kSequences;
    return class_name == "Circle" ? LossLabels::kNames : LossLabels::kValues;
}

bool takesWholeLabels(std::string_view class_name) {
    return lossLabels(class_name) != LossLabels::kValues;
}

std::optional<AxisRange> lossAxes(const ObjectSpec& loss, std::size_t rank) {
    const auto axes = static_cast<std::int64_t>(rank);
    const ObjectSchema* schema = findSchema(lossSchemas(), loss.class_name);
    if (schema == nullptr || !Settings(schema->fields, loss.config).has("axis")) return AxisRange{axes - 1, 1};
    std::vector<std::int64_t> named = Settings(schema->fields, loss.config).getInts("axis");
    if (named.empty()) return AxisRange{0, axes};
    for (std::int64_t& axis : named) axis = axis < 0 ? axis + axes : axis;
    std::sort(named.begin(), named.end());
    const auto count = static_cast<std::int64_t>(named.size());
    const bool neighbours = std::adjacent_find(named.begin(), named.end(), [](auto a, auto b) { return b != a + 1; }) == named.end();
    if (!neighbours || named.front() < 0 || named.back() >= axes) return std::nullopt;
    return AxisRange{named.front(), count};
}

std::string lossAxesFault(const ObjectSpec& loss, std::size_t rank) {
    if (lossAxes(loss, rank)) return {};
    return "expected neighbouring axes of the model's output, each once, from 0 to " + std::to_string(rank - 1) + ", got " +
           valueText(*loss.config.find("axis"));
}

bool joinsSamples(const ObjectSpec& loss, std::size_t rank) {
    if (loss.class_name == "Circle") return true;
    const std::optional<AxisRange> axes = lossAxes(loss, rank);
    return axes && axes->first == 0;
}

}  // namespace engine::spec
