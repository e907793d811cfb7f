#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/spec/catalog/objects/object_rows.h"
#include "engine/spec/catalog/optimizer_table.h"

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

constexpr std::string_view kUseEma = "use_ema", kAccumulationSteps = "gradient_accumulation_steps";

std::vector<FieldSchema> commonFields(FieldValue weight_decay) {
    return {sizeField("weight_decay", std::move(weight_decay), "Share of the weights, times the rate, that goes in every step"),
            limitField("clipnorm", "Largest norm of a variable's gradient"),
            limitField("global_clipnorm", "Largest norm of all gradients together"),
            limitField("clipvalue", "Largest size of a gradient's element"),
            flagField(std::string(kUseEma), false, "Keep a moving average of the weights, and end with it"),
            decayRateField("ema_momentum", 0.99),
            {.name = "ema_overwrite_frequency",
             .kind = FieldKind::kInt,
             .minimum = 1,
             .hint = "Steps after which the weights become their average"},
            limitField("loss_scale_factor", "Scale of the loss and its gradients; without effect in float32"),
            {.name = std::string(kAccumulationSteps),
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

std::vector<FieldSchema> scheduleFreeFields() {
    std::vector<FieldSchema> fields = momentFields();
    fields[0].minimum_excluded = true;  // the mean of the weights is found by dividing
    fields[2].fallback = 1e-8;
    fields.push_back({.name = "warmup_steps",
                      .kind = FieldKind::kInt,
                      .fallback = std::int64_t{0},
                      .minimum = 0,
                      .hint = "Steps in which the rate rises from 0"});
    return fields;
}

std::vector<FieldSchema> ftrlFields() {
    return {{.name = "learning_rate_power", .kind = FieldKind::kDouble, .fallback = -0.5, .maximum = 0, .hint = "How fast the rate falls"},
            accumulatorField(),
            sizeField("l1_regularization_strength", 0.0, "Pull of small weights to 0"),
            sizeField("l2_regularization_strength", 0.0, "Pull of all weights towards 0"),
            sizeField("l2_shrinkage_regularization_strength", 0.0, "Pull of all weights towards 0, by way of the gradient"),
            sizeField("beta", 0.0, "Added to the rate's divisor")};
}

constexpr OptimizerSlot kCommonSlots[] = {
    {.name = "average", .list = "_model_variables_moving_average", .setting = kUseEma},
    {.name = "accumulated_gradient", .list = "_accumulated_gradients", .setting = kAccumulationSteps, .above = 1},
};
constexpr OptimizerSlot kFirstMoment{.name = "m", .list = "_momentums"}, kSecondMoment{.name = "v", .list = "_velocities"},
    kLargestMoment{.name = "vhat", .list = "_velocity_hats", .setting = "amsgrad"},
    kAccumulator{.name = "accumulator", .list = "_accumulators", .start = "initial_accumulator_value"};

std::vector<OptimizerRow> rows() {
    return {
        {.schema = optimizer("SGD", 0.01, {momentumField(), flagField("nesterov", false, "Look ahead along the momentum")}),
         .formula = UpdateKind::kSgd,
         .variants = {{"momentum", UpdateKind::kMomentum}, {"nesterov", UpdateKind::kNesterov}},
         .slots = {{.name = "momentum", .list = "momentums", .setting = "momentum"}}},
        {.schema = optimizer("Adam", 0.001, adamFields()),
         .formula = UpdateKind::kAdam,
         .variants = {{"amsgrad", UpdateKind::kAmsgrad}},
         .slots = {kFirstMoment, kSecondMoment, kLargestMoment},
         .pairs_slots = true},
        {.schema = optimizer("AdamW", 0.001, adamFields(), 0.004),
         .formula = UpdateKind::kAdam,
         .variants = {{"amsgrad", UpdateKind::kAmsgrad}},
         .slots = {kFirstMoment, kSecondMoment, kLargestMoment},
         .pairs_slots = true},
        {.schema = optimizer("RMSprop", 0.001,
                             {decayRateField("rho", 0.9), momentumField(), epsilonField(),
                              flagField("centered", false, "Divide by the variance instead of the second moment")}),
         .formula = UpdateKind::kRmsprop,
         .slots = {kSecondMoment,
                   {.name = "momentum", .list = "_momentums", .setting = "momentum"},
                   {.name = "mean", .list = "_average_gradients", .setting = "centered"}}},
        {.schema = optimizer("Adagrad", 0.001, {accumulatorField(), epsilonField()}),
         .formula = UpdateKind::kAdagrad,
         .slots = {kAccumulator}},
        {.schema = optimizer("Adadelta", 0.001, {decayRateField("rho", 0.95), epsilonField()}),
         .formula = UpdateKind::kAdadelta,
         .slots = {{.name = "accumulator", .list = "_accumulated_grads"}, {.name = "delta", .list = "_accumulated_delta_vars"}},
         .pairs_slots = true},
        {.schema = optimizer("Adamax", 0.001, momentFields()),
         .formula = UpdateKind::kAdamax,
         .slots = {{.name = "m", .list = "_m"}, {.name = "u", .list = "_u"}},
         .pairs_slots = true},
        {.schema = optimizer("Nadam", 0.001, momentFields()),
         .formula = UpdateKind::kNadam,
         .slots = {kFirstMoment, kSecondMoment},
         .pairs_slots = true,
         .keeps_momentum_product = true},
        {.schema = optimizer("Ftrl", 0.001, ftrlFields()),
         .formula = UpdateKind::kFtrl,
         .slots = {kAccumulator, {.name = "linear", .list = "_linears"}},
         .pairs_slots = true},
        {.schema = optimizer("Lion", 0.001, {decayRateField("beta_1", 0.9), decayRateField("beta_2", 0.99)}),
         .formula = UpdateKind::kLion,
         .slots = {{.name = "m", .list = "_momentums", .older_list = "momentums"}}},
        {.schema = optimizer("Lamb", 0.001, momentFields()),
         .formula = UpdateKind::kLamb,
         .slots = {kFirstMoment, kSecondMoment},
         .pairs_slots = true},
        {.schema = optimizer("ScheduleFreeAdamW", 0.0025, scheduleFreeFields()),
         .formula = UpdateKind::kScheduleFree,
         .slots = {kFirstMoment, kSecondMoment},
         .pairs_slots = true},
    };
}

// A setting that is absent or null has its default.
FieldValue settingOf(const OptimizerRow& row, const Fields& config, std::string_view name) {
    const FieldValue* given = config.find(name);
    if (given != nullptr && !std::holds_alternative<std::monostate>(*given)) return *given;
    const auto field =
        std::find_if(row.schema.fields.begin(), row.schema.fields.end(), [name](const FieldSchema& one) { return one.name == name; });
    return field == row.schema.fields.end() ? FieldValue() : field->fallback;
}

bool isOn(const FieldValue& value, double above = 0) {
    if (const bool* flag = std::get_if<bool>(&value)) return *flag;
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole) > above;
    const double* number = std::get_if<double>(&value);
    return number != nullptr && *number > above;
}

std::vector<OptimizerSlot> chosenSlots(std::span<const OptimizerSlot> slots, const OptimizerRow& row, const Fields& config) {
    std::vector<OptimizerSlot> chosen;
    std::copy_if(slots.begin(), slots.end(), std::back_inserter(chosen),
                 [&](const OptimizerSlot& slot) { return slot.setting.empty() || isOn(settingOf(row, config, slot.setting), slot.above); });
    return chosen;
}

}  // namespace

std::vector<ObjectSchema> optimizers() {
    std::vector<ObjectSchema> schemas;
    for (const OptimizerRow& row : optimizerTable()) schemas.push_back(row.schema);
    return schemas;
}

}  // namespace engine::spec::objects

namespace engine::spec {

std::span<const OptimizerRow> optimizerTable() {
    static const std::vector<OptimizerRow> table = objects::rows();
    return table;
}

const OptimizerRow* findOptimizer(std::string_view class_name) {
    for (const OptimizerRow& row : optimizerTable()) {
        if (row.schema.class_name == class_name) return &row;
    }
    return nullptr;
}

UpdateKind formulaOf(const OptimizerRow& row, const Fields& config) {
    UpdateKind formula = row.formula;
    for (const FormulaVariant& variant : row.variants) {
        if (!objects::isOn(objects::settingOf(row, config, variant.setting))) break;
        formula = variant.formula;
    }
    return formula;
}

std::vector<OptimizerSlot> ownSlots(const ObjectSpec& optimizer) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    return row == nullptr ? std::vector<OptimizerSlot>{} : objects::chosenSlots(row->slots, *row, optimizer.config);
}

std::span<const OptimizerSlot> commonSlots() {
    return objects::kCommonSlots;
}

std::vector<OptimizerSlot> commonSlots(const ObjectSpec& optimizer) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    return objects::chosenSlots(objects::kCommonSlots, row == nullptr ? OptimizerRow{} : *row, optimizer.config);
}

double slotStart(const ObjectSpec& optimizer, const OptimizerSlot& slot) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    if (row == nullptr || slot.start.empty()) return 0;
    const FieldValue value = objects::settingOf(*row, optimizer.config, slot.start);
    const double* number = std::get_if<double>(&value);
    return number == nullptr ? 0 : *number;
}

}  // namespace engine::spec
