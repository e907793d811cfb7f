// Permute: axis i of the output is axis dims[i] of the input, counted from 1 without the batch.
#include <algorithm>
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferPermute(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<std::int64_t> dims = settingsOf(layer).getInts("dims");
    std::vector<std::int64_t> sorted = dims;
    std::sort(sorted.begin(), sorted.end());
    const auto rank = static_cast<std::int64_t>(info.input_shape.size());
    bool good = static_cast<std::int64_t>(dims.size()) == rank;
    for (std::size_t i = 0; good && i < sorted.size(); ++i) good = sorted[i] == static_cast<std::int64_t>(i) + 1;
    if (!good) {
        return ShapeFault{"dims", "expected each axis from 1 to " + std::to_string(rank) + " once, got " + valueText(dims)};
    }
    for (std::int64_t axis : dims) info.output_shape.push_back(info.input_shape[static_cast<std::size_t>(axis) - 1]);
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> permuteLayers() {
    return {{.schema = {"Permute",
                        LayerCategory::kShape,
                        {{.name = "dims",
                          .kind = FieldKind::kIntList,
                          .required = true,
                          .minimum = 1,
                          .maximum = 100,
                          .hint = "The input's axes in the output's order, counted from 1"}}},
             .infer = inferPermute,
             .place = 170,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
