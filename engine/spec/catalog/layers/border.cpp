#include "engine/spec/catalog/layers/border.h"

#include <array>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {

std::optional<ShapeFault> readBorder(const Settings& settings, const char* field, Axes axes, Border& border) {
    constexpr std::array kExpected{"one or two", "one, two or four", "one, three or six"};
    const std::vector<std::int64_t> values = settings.getInts(field);
    const std::size_t count = axisCount(axes);
    const bool is_for_all = values.size() == 1, is_for_axes = values.size() == count, is_for_sides = values.size() == 2 * count;
    if (!is_for_all && !is_for_axes && !is_for_sides)
        return ShapeFault{field, std::string("expected ") + kExpected[count - 1] + " numbers, got " + valueText(values)};
    border = {};
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t axis = firstAxis(axes) + i;
        border.before[axis] = is_for_all ? values[0] : is_for_sides ? values[2 * i] : values[i];
        border.after[axis] = is_for_all ? values[0] : is_for_sides ? values[2 * i + 1] : values[i];
    }
    return std::nullopt;
}

FieldSchema borderField(Axes axes, std::string name, std::int64_t fallback, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kIntList,
            .fallback = std::vector<std::int64_t>(2 * axisCount(axes), fallback),
            .minimum = 0,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

}  // namespace engine::spec::layers
