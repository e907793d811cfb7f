#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"

namespace engine::spec::objects {
namespace {

FieldSchema lossNumberField(std::string name, double fallback, double minimum, double maximum, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kDouble,
            .fallback = fallback,
            .minimum = minimum,
            .maximum = maximum,
            .hint = std::move(hint)};
}

FieldSchema fromLogitsField(std::string hint) {
    return flagField("from_logits", false, std::move(hint));
}

FieldSchema smoothingField() {
    return lossNumberField("label_smoothing", 0.0, 0, 1, "Share of each label that is spread over all classes");
}

FieldSchema alphaField() {
    return lossNumberField("alpha", 0.25, 0, 1, "Weight of the classes");
}

FieldSchema gammaField() {
    return lossNumberField("gamma", 2.0, 0, 100, "How much less samples count that are right already");
}

FieldSchema positiveField(std::string name, double fallback, std::string hint) {
    FieldSchema field = lossNumberField(std::move(name), fallback, 0, 1e300, std::move(hint));
    field.minimum_excluded = true;
    return field;
}

// The fields of a class, and those of every loss.
ObjectSchema loss(std::string class_name, std::vector<FieldSchema> fields = {}) {
    fields.push_back({.name = "reduction",
                      .kind = FieldKind::kChoice,
                      .fallback = "sum_over_batch_size",
                      .choices = {"sum_over_batch_size", "mean", "mean_with_sample_weight", "sum"},
                      .hint = "How a batch's losses become one number"});
    return {std::move(class_name), std::move(fields)};
}

// A loss of two sets, as far as they overlap.
ObjectSchema overlapLoss(std::string class_name, std::vector<FieldSchema> fields = {}) {
    ObjectSchema schema = loss(std::move(class_name), std::move(fields));
    schema.fields.push_back(
        {.name = "axis",
         .kind = FieldKind::kIntList,
         .hint = "Neighbouring axes over which one loss is taken, 0 is the batch; without them all of a batch makes one"});
    return schema;
}

}  // namespace

std::vector<ObjectSchema> losses() {
    const std::string softmax_hint = "The last layer has no softmax", sigmoid_hint = "The last layer has no sigmoid";
    FieldSchema noise = lossNumberField("q", 0.5, 0, 0.9999, "Near 0 as cross-entropy; near 1 wrong labels count less");
    noise.minimum_excluded = true;
    return {
        loss("SparseCategoricalCrossentropy",
             {fromLogitsField(softmax_hint),
              {.name = "ignore_class", .kind = FieldKind::kInt, .hint = "Label of samples that do not count"}}),
        loss("CategoricalCrossentropy", {fromLogitsField(softmax_hint), smoothingField()}),
        loss("BinaryCrossentropy", {fromLogitsField(sigmoid_hint), smoothingField()}),
        loss("CategoricalFocalCrossentropy", {alphaField(), gammaField(), fromLogitsField(softmax_hint), smoothingField()}),
        loss("BinaryFocalCrossentropy", {flagField("apply_class_balancing", false, "Weigh the class 1 by alpha, the class 0 by the rest"),
                                         alphaField(), gammaField(), fromLogitsField(sigmoid_hint), smoothingField()}),
        loss("MeanSquaredError"),
        loss("MeanAbsoluteError"),
        loss("MeanAbsolutePercentageError"),
        loss("MeanSquaredLogarithmicError"),
        loss("Huber", {positiveField("delta", 1.0, "Error up to which the loss is quadratic")}),
        loss("LogCosh"),
        loss("Hinge"),
        loss("SquaredHinge"),
        loss("CategoricalHinge"),
        loss("KLDivergence"),
        loss("Poisson"),
        loss("CosineSimilarity"),
        sinceKeras3(overlapLoss("Dice")),
        sinceKeras3(overlapLoss("Tversky", {lossNumberField("alpha", 0.5, 0, 1e300, "Weight of what is true and not predicted"),
                                            lossNumberField("beta", 0.5, 0, 1e300, "Weight of what is predicted and not true")})),
        sinceKeras3(loss("Circle", {positiveField("gamma", 80.0, "How steeply distances count"),
                                    lossNumberField("margin", 0.4, 0, 1, "Distance within which samples of one class are near enough"),
                                    flagField("remove_diagonal", true, "A sample makes no pair with itself")})),
        sinceKeras3(loss("CategoricalGeneralizedCrossEntropy", {noise})),
        sinceKeras3(loss("CTC"))};
}

}  // namespace engine::spec::objects
