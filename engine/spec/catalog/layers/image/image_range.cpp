#include "engine/spec/catalog/layers/image/image_range.h"

#include <vector>

#include "engine/spec/catalog/field_check.h"

namespace engine::spec::layers {

FieldSchema valueRangeField() {
    return {.name = "value_range",
            .kind = FieldKind::kDoubleList,
            .fallback = std::vector<double>{0, 255},
            .minimum = -1e30,
            .maximum = 1e30,
            .hint = "The smallest and the largest value of the images"};
}

std::optional<ShapeFault> expectValueRange(const Settings& settings) {
    const std::vector<double> range = settings.getDoubles("value_range");
    if (range.size() == 2 && range[0] < range[1]) return std::nullopt;
    return ShapeFault{"value_range", "expected two rising numbers, got " + valueText(range)};
}

}  // namespace engine::spec::layers
