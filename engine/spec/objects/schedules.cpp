#include "engine/spec/objects/object_rows.h"

namespace engine::spec::objects {

std::vector<ObjectSchema> schedules() {
    return {
        {"ExponentialDecay",
         {{.name = "initial_learning_rate", .kind = FieldKind::kDouble, .required = true, .minimum = 0, .hint = "Rate of the first step"},
          {.name = "decay_steps",
           .kind = FieldKind::kInt,
           .required = true,
           .minimum = 1,
           .hint = "Steps after which decay_rate applies in full"},
          {.name = "decay_rate",
           .kind = FieldKind::kDouble,
           .required = true,
           .minimum = 0,
           .minimum_excluded = true,
           .hint = "Factor over decay_steps"},
          flagField("staircase", false, "Only whole multiples of decay_steps count")}},
        {"PiecewiseConstantDecay",
         {{.name = "boundaries", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Last steps of each piece"},
          {.name = "values", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Rates, one more than boundaries"}}}};
}

}  // namespace engine::spec::objects
