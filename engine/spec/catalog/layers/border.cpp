#include "engine/spec/catalog/layers/border.h"

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {

std::optional<ShapeFault> readBorder(const Fields& config, const char* field, std::int64_t fallback, Axes axes, Border& border) {
    const std::vector<std::int64_t> values = config.getInts(field, {fallback});
    const bool is_image = axes == Axes::kImage;
    switch (values.size()) {
        case 1:
            border = {.left = values[0], .right = values[0]};
            if (is_image) border.top = border.bottom = values[0];
            return std::nullopt;
        case 2:
            border = is_image ? Border{values[0], values[0], values[1], values[1]} : Border{0, 0, values[0], values[1]};
            return std::nullopt;
        case 4:
            if (!is_image) break;
            border = {values[0], values[1], values[2], values[3]};
            return std::nullopt;
        default:
            break;
    }
    return ShapeFault{field,
                      std::string("expected ") + (is_image ? "one, two or four" : "one or two") + " numbers, got " + valueText(values)};
}

FieldSchema borderField(Axes axes, std::string name, std::int64_t fallback, std::string hint) {
    const std::size_t count = axes == Axes::kImage ? 4 : 2;
    return {.name = std::move(name),
            .kind = FieldKind::kIntList,
            .fallback = std::vector<std::int64_t>(count, fallback),
            .minimum = 0,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

}  // namespace engine::spec::layers
