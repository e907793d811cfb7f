#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema numberField(const char* name, double fallback, const char* hint) {
    return {.name = name, .kind = FieldKind::kDouble, .fallback = fallback, .hint = hint};
}

FieldSchema deviationField() {
    return {.name = "stddev", .kind = FieldKind::kDouble, .fallback = 0.05, .minimum = 0, .hint = "Standard deviation"};
}

FieldSchema seedField() {
    return {.name = "seed", .kind = FieldKind::kInt, .hint = "Random numbers of its own; empty: from the run's seed"};
}

}  // namespace

std::vector<ObjectSchema> initializers() {
    const FieldSchema mean = numberField("mean", 0.0, "Mean");
    const FieldSchema gain = numberField("gain", 1.0, "What the values are multiplied with");
    const FieldSchema scale{.name = "scale",
                            .kind = FieldKind::kDouble,
                            .fallback = 1.0,
                            .minimum = 0,
                            .minimum_excluded = true,
                            .hint = "Variance times the fan"};
    const FieldSchema mode{.name = "mode",
                           .kind = FieldKind::kChoice,
                           .fallback = "fan_in",
                           .choices = {"fan_in", "fan_out", "fan_avg"},
                           .hint = "Whose number divides the scale: inputs, outputs or the mean of both"};
    const FieldSchema distribution{.name = "distribution",
                                   .kind = FieldKind::kChoice,
                                   .fallback = "truncated_normal",
                                   .choices = {"truncated_normal", "untruncated_normal", "uniform"},
                                   .hint = "How the values are spread"};
    return {{"GlorotUniform", {seedField()}},
            {"GlorotNormal", {seedField()}},
            {"HeUniform", {seedField()}},
            {"HeNormal", {seedField()}},
            {"LecunUniform", {seedField()}},
            {"LecunNormal", {seedField()}},
            {"RandomNormal", {mean, deviationField(), seedField()}},
            {"RandomUniform", {numberField("minval", -0.05, "Least value"), numberField("maxval", 0.05, "Largest value"), seedField()}},
            {"TruncatedNormal", {mean, deviationField(), seedField()}},
            {"VarianceScaling", {scale, mode, distribution, seedField()}},
            {"Orthogonal", {gain, seedField()}},
            {"Identity", {gain}},
            {"Zeros", {}},
            {"Ones", {}},
            {"Constant", {numberField("value", 0.0, "The value")}}};
}

}  // namespace engine::spec::objects
