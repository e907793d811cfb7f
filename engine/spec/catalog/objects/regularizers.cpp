#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema strengthField(const char* name, double fallback, const char* hint) {
    return {.name = name, .kind = FieldKind::kDouble, .fallback = fallback, .minimum = 0, .hint = hint};
}

}  // namespace

std::vector<ObjectSchema> regularizers() {
    const char* const sizes = "Times the sum of sizes";
    const char* const squares = "Times the sum of squares";
    return {{"L1", {strengthField("l1", 0.01, sizes)}},
            {"L2", {strengthField("l2", 0.01, squares)}},
            {"L1L2", {strengthField("l1", 0.0, sizes), strengthField("l2", 0.0, squares)}},
            {"OrthogonalRegularizer",
             {strengthField("factor", 0.01, "Times the mean product of two vectors of length 1"),
              {.name = "mode",
               .kind = FieldKind::kChoice,
               .fallback = "rows",
               .choices = {"rows", "columns"},
               .hint = "The vectors that are pulled to right angles"}}}};
}

}  // namespace engine::spec::objects
