#include "engine/spec/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema learningRateField(double fallback) {
    return {.name = "learning_rate",
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .choices = classNames(scheduleSchemas()),
            .minimum = 0,
            .hint = "Step width: a number or a schedule"};
}

FieldSchema decayRateField(std::string name, double fallback) {
    return {.name = std::move(name),
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .minimum = 0,
            .maximum = 1,
            .hint = "Share of the running mean that is kept in a step"};
}

}  // namespace

std::vector<ObjectSchema> optimizers() {
    return {
        {"SGD",
         {learningRateField(0.01),
          {.name = "momentum",
           .kind = FieldKind::kDouble,
           .fallback = 0.0,
           .minimum = 0,
           .maximum = 1,
           .hint = "Share of the last step that goes on"},
          flagField("nesterov", false, "Look ahead along the momentum")}},
        {"Adam",
         {learningRateField(0.001),
          decayRateField("beta_1", 0.9),
          decayRateField("beta_2", 0.999),
          {.name = "epsilon", .kind = FieldKind::kDouble, .fallback = 1e-7, .minimum = 0, .hint = "Added to the root of the second moment"},
          flagField("amsgrad", false, "Use the largest second moment so far")}}};
}

}  // namespace engine::spec::objects
