#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema firstRateField() {
    return {.name = "initial_learning_rate", .kind = FieldKind::kDouble, .required = true, .minimum = 0, .hint = "Rate of the first step"};
}

FieldSchema stepsField(std::string name, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kInt, .required = true, .minimum = 1, .hint = std::move(hint)};
}

FieldSchema factorField(std::string name, double fallback, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .minimum = 0,
            .minimum_excluded = true,
            .hint = std::move(hint)};
}

FieldSchema factorPerDecayField(std::string hint) {
    FieldSchema row = factorField("decay_rate", 1.0, std::move(hint));
    row.fallback = {};
    row.required = true;
    return row;
}

FieldSchema staircaseField() {
    return flagField("staircase", false, "Only whole multiples of decay_steps count");
}

// Shorter and shorter ways down would never reach the steps after their sum.
FieldSchema longerField() {
    return {.name = "t_mul", .kind = FieldKind::kDouble, .fallback = 2.0, .minimum = 1, .hint = "Each way down is longer by this factor"};
}

FieldSchema floorField() {
    return {.name = "alpha",
            .kind = FieldKind::kDouble,
            .fallback = 0.0,
            .minimum = 0,
            .maximum = 1,
            .hint = "Share of the rate that is left at the end"};
}

}  // namespace

std::vector<ObjectSchema> schedules() {
    return {
        {"ExponentialDecay",
         {firstRateField(), stepsField("decay_steps", "Steps after which decay_rate applies in full"),
          factorPerDecayField("Factor over decay_steps"), staircaseField()}},
        {"PiecewiseConstantDecay",
         {{.name = "boundaries", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Last steps of each piece"},
          {.name = "values", .kind = FieldKind::kDoubleList, .required = true, .minimum = 0, .hint = "Rates, one more than boundaries"}}},
        {"PolynomialDecay",
         {firstRateField(),
          stepsField("decay_steps", "Steps to the last rate"),
          {.name = "end_learning_rate", .kind = FieldKind::kDouble, .fallback = 1e-4, .minimum = 0, .hint = "The last rate"},
          factorField("power", 1.0, "1: a straight line"),
          flagField("cycle", false, "Begin again, with longer and longer ways down")}},
        {"InverseTimeDecay",
         {firstRateField(), stepsField("decay_steps", "Steps after which decay_rate counts once"),
          factorPerDecayField("Added to the rate's divisor over decay_steps"), staircaseField()}},
        {"CosineDecay",
         {firstRateField(),
          stepsField("decay_steps", "Steps of the way down"),
          floorField(),
          {.name = "warmup_target", .kind = FieldKind::kDouble, .minimum = 0, .hint = "Rate at the end of a linear rise before"},
          {.name = "warmup_steps", .kind = FieldKind::kInt, .fallback = std::int64_t{0}, .minimum = 0, .hint = "Steps of that rise"}}},
        {"CosineDecayRestarts",
         {firstRateField(), stepsField("first_decay_steps", "Steps of the first way down"), longerField(),
          factorField("m_mul", 1.0, "Each begins lower by this factor"), floorField()}}};
}

}  // namespace engine::spec::objects
