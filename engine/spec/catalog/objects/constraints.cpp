#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema normField(const char* name, double fallback, const char* hint) {
    return {.name = name, .kind = FieldKind::kDouble, .fallback = fallback, .minimum = 0, .hint = hint};
}

FieldSchema axesField() {
    return {.name = "axis",
            .kind = FieldKind::kIntList,
            .fallback = std::int64_t{0},
            .minimum = -8,
            .maximum = 8,
            .hint = "Axes of the weight that one norm covers: 0 of a dense kernel, 0, 1, 2 of a filter"};
}

}  // namespace

std::vector<ObjectSchema> constraints() {
    return {{"MaxNorm", {normField("max_value", 2.0, "Largest norm"), axesField()}},
            {"NonNeg", {}},
            {"UnitNorm", {axesField()}},
            {"MinMaxNorm",
             {normField("min_value", 0.0, "Smallest norm"),
              normField("max_value", 1.0, "Largest norm"),
              {.name = "rate",
               .kind = FieldKind::kDouble,
               .fallback = 1.0,
               .minimum = 0,
               .maximum = 1,
               .hint = "1: at once; less: step by step"},
              axesField()}}};
}

}  // namespace engine::spec::objects
