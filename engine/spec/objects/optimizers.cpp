#include <utility>

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

// A number of at least 0.
FieldSchema sizeField(std::string name, FieldValue fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kDouble, .fallback = std::move(fallback), .minimum = 0, .hint = std::move(hint)};
}

// A number above 0, or nothing.
FieldSchema limitField(std::string name, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kDouble, .minimum = 0, .minimum_excluded = true, .hint = std::move(hint)};
}

FieldSchema epsilonField() {
    return sizeField("epsilon", 1e-7, "Added to the root of the second moment");
}

FieldSchema momentumField() {
    return {.name = "momentum",
            .kind = FieldKind::kDouble,
            .fallback = 0.0,
            .minimum = 0,
            .maximum = 1,
            .hint = "Share of the last step that goes on"};
}

FieldSchema accumulatorField() {
    return sizeField("initial_accumulator_value", 0.1, "Sum of squared gradients before the first step");
}

std::vector<FieldSchema> commonFields(FieldValue weight_decay) {
    return {sizeField("weight_decay", std::move(weight_decay), "Share of the weights, times the rate, that goes in every step"),
            limitField("clipnorm", "Largest norm of a variable's gradient"),
            limitField("global_clipnorm", "Largest norm of all gradients together"),
            limitField("clipvalue", "Largest size of a gradient's element"),
            flagField("use_ema", false, "Keep a moving average of the weights, and end with it"),
            decayRateField("ema_momentum", 0.99),
            {.name = "ema_overwrite_frequency",
             .kind = FieldKind::kInt,
             .minimum = 1,
             .hint = "Steps after which the weights become their average"},
            limitField("loss_scale_factor", "Scale of the loss and its gradients; without effect in float32"),
            {.name = "gradient_accumulation_steps",
             .kind = FieldKind::kInt,
             .minimum = 2,
             .hint = "Steps whose mean gradient makes one update"}};
}

// Learning rate, the fields of the class, those of every optimizer.
ObjectSchema optimizer(std::string class_name, double learning_rate, std::vector<FieldSchema> own, FieldValue weight_decay = {}) {
    ObjectSchema schema{std::move(class_name), {learningRateField(learning_rate)}};
    for (std::vector<FieldSchema> fields : {std::move(own), commonFields(std::move(weight_decay))}) {
        schema.fields.insert(schema.fields.end(), fields.begin(), fields.end());
    }
    return schema;
}

std::vector<FieldSchema> adamFields() {
    return {decayRateField("beta_1", 0.9), decayRateField("beta_2", 0.999), epsilonField(),
            flagField("amsgrad", false, "Use the largest second moment so far")};
}

std::vector<FieldSchema> momentFields() {
    return {decayRateField("beta_1", 0.9), decayRateField("beta_2", 0.999), epsilonField()};
}

std::vector<FieldSchema> ftrlFields() {
    return {{.name = "learning_rate_power", .kind = FieldKind::kDouble, .fallback = -0.5, .maximum = 0, .hint = "How fast the rate falls"},
            accumulatorField(),
            sizeField("l1_regularization_strength", 0.0, "Pull of small weights to 0"),
            sizeField("l2_regularization_strength", 0.0, "Pull of all weights towards 0"),
            sizeField("l2_shrinkage_regularization_strength", 0.0, "Pull of all weights towards 0, by way of the gradient"),
            sizeField("beta", 0.0, "Added to the rate's divisor")};
}

}  // namespace

std::vector<ObjectSchema> optimizers() {
    return {optimizer("SGD", 0.01, {momentumField(), flagField("nesterov", false, "Look ahead along the momentum")}),
            optimizer("Adam", 0.001, adamFields()),
            optimizer("AdamW", 0.001, adamFields(), 0.004),
            optimizer("RMSprop", 0.001,
                      {decayRateField("rho", 0.9), momentumField(), epsilonField(),
                       flagField("centered", false, "Divide by the variance instead of the second moment")}),
            optimizer("Adagrad", 0.001, {accumulatorField(), epsilonField()}),
            optimizer("Adadelta", 0.001, {decayRateField("rho", 0.95), epsilonField()}),
            optimizer("Adamax", 0.001, momentFields()),
            optimizer("Nadam", 0.001, momentFields()),
            optimizer("Ftrl", 0.001, ftrlFields()),
            optimizer("Lion", 0.001, {decayRateField("beta_1", 0.9), decayRateField("beta_2", 0.99)})};
}

}  // namespace engine::spec::objects
