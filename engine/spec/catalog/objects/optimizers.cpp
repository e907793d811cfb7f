#include <algorithm>
#include <cctype>
#include <iterator>
#include <regex>
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

FieldSchema optimizerNumberField(std::string name, double fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kDouble, .fallback = fallback, .hint = std::move(hint)};
}

std::vector<FieldSchema> adafactorFields() {
    FieldSchema decay = optimizerNumberField("beta_2_decay", -0.8, "Power of the step that new squares of gradients count by");
    decay.maximum = 0;
    FieldSchema clip = limitField("clip_threshold", "Root mean square above which a step is made shorter");
    clip.fallback = 1.0;
    return {std::move(decay), sizeField("epsilon_1", 1e-30, "Added to the squares of gradients"),
            sizeField("epsilon_2", 1e-3, "Smallest scale of a variable's steps"), std::move(clip),
            flagField("relative_step", true, "Keep a rate below the root of the steps; Keras does so either way")};
}

std::vector<FieldSchema> muonFields() {
    constexpr const char* kPolynomial = "Coefficient of the polynomial that makes a step orthogonal";
    FieldSchema momentum = momentumField();
    momentum.fallback = 0.95;
    FieldSchema rms_rate = limitField("rms_rate", "Root mean square of a step's elements at a rate of 1; none: as they are");
    rms_rate.fallback = 0.2;
    return {decayRateField("adam_beta_1", 0.9),
            decayRateField("adam_beta_2", 0.999),
            sizeField("adam_weight_decay", 0.004, "Weight decay of the variables that Adam changes"),
            epsilonField(),
            {.name = "exclude_layers",
             .kind = FieldKind::kTextList,
             .fallback = std::vector<std::int64_t>{},  // what a list without entries is read as
             .hint = "Regular expressions of paths of variables that Adam changes"},
            flagField("exclude_embeddings", true, "Let Adam change the variables with embedding in their path"),
            optimizerNumberField("muon_a", 3.4445, kPolynomial),
            optimizerNumberField("muon_b", -4.775, kPolynomial),
            optimizerNumberField("muon_c", 2.0315, kPolynomial),
            sizeField("adam_lr_ratio", 1.0, "Adam's rate as a share of the rate"),
            std::move(momentum),
            {.name = "ns_steps",
             .kind = FieldKind::kInt,
             .fallback = std::int64_t{5},
             .minimum = 0,
             .maximum = 100,
             .hint = "Times that the polynomial is applied"},
            flagField("nesterov", true, "Look ahead along the momentum"),
            std::move(rms_rate)};
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
         .in_turn = 2},
        {.schema = optimizer("AdamW", 0.001, adamFields(), 0.004),
         .formula = UpdateKind::kAdam,
         .variants = {{"amsgrad", UpdateKind::kAmsgrad}},
         .slots = {kFirstMoment, kSecondMoment, kLargestMoment},
         .in_turn = 2,
         .refused_where_null = {"weight_decay"}},
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
         .in_turn = 2},
        {.schema = optimizer("Adamax", 0.001, momentFields()),
         .formula = UpdateKind::kAdamax,
         .slots = {{.name = "m", .list = "_m"}, {.name = "u", .list = "_u"}},
         .in_turn = 2},
        {.schema = optimizer("Nadam", 0.001, momentFields()),
         .formula = UpdateKind::kNadam,
         .slots = {kFirstMoment, kSecondMoment},
         .in_turn = 2,
         .keeps_momentum_product = true},
        {.schema = optimizer("Ftrl", 0.001, ftrlFields()),
         .formula = UpdateKind::kFtrl,
         .slots = {kAccumulator, {.name = "linear", .list = "_linears"}},
         .in_turn = 2},
        {.schema = optimizer("Lion", 0.001, {decayRateField("beta_1", 0.9), decayRateField("beta_2", 0.99)}),
         .formula = UpdateKind::kLion,
         .slots = {{.name = "m", .list = "_momentums", .older_list = "momentums"}}},
        {.schema = sinceKeras3(optimizer("Lamb", 0.001, momentFields())),
         .formula = UpdateKind::kLamb,
         .slots = {kFirstMoment, kSecondMoment},
         .in_turn = 2},
        {.schema = optimizer("Adafactor", 0.001, adafactorFields()),
         .formula = UpdateKind::kAdafactor,
         .slots = {{.name = "r", .list = "_r", .form = SlotForm::kWithoutLastAxis},
                   {.name = "c", .list = "_c", .form = SlotForm::kWithoutSecondLast},
                   {.name = "v", .list = "_v"}},
         .in_turn = 3,
         .numbers_slots = true},
        {.schema = sinceKeras3(optimizer("Muon", 0.001, muonFields(), 0.004)),
         .formula = UpdateKind::kMuon,
         .slots = {{.name = "m", .list = "momentums"}, {.name = "v", .list = "adam_velocities", .form = SlotForm::kOfAdam}},
         .in_turn = 2,
         .numbers_slots = true,
         .off_where_null = {"rms_rate", "weight_decay", "adam_weight_decay"}},
        {.schema = sinceKeras3(optimizer("ScheduleFreeAdamW", 0.0025, scheduleFreeFields())),
         .formula = UpdateKind::kScheduleFree,
         .slots = {kFirstMoment, kSecondMoment},
         .in_turn = 2},
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

std::vector<std::string> excludedLayers(const OptimizerRow& row, const Fields& config) {
    const FieldValue value = settingOf(row, config, "exclude_layers");
    const auto* texts = std::get_if<std::vector<std::string>>(&value);
    return texts == nullptr ? std::vector<std::string>{} : *texts;
}

// Keras' rule for Muon.
bool isLeftToAdam(const ObjectSpec& optimizer, const TrainedVariable& variable) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    if (row == nullptr || variable.shape.size() != 2) return true;
    std::string lower = variable.path;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (isOn(settingOf(*row, optimizer.config, "exclude_embeddings")) && lower.find("embedding") != std::string::npos) return true;
    const std::vector<std::string> excluded = excludedLayers(*row, optimizer.config);
    return std::any_of(excluded.begin(), excluded.end(),
                       [&](const std::string& expression) { return std::regex_search(variable.path, std::regex(expression)); });
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

bool nullIsOff(std::string_view class_name, std::string_view setting) {
    const OptimizerRow* row = findOptimizer(class_name);
    return row != nullptr && std::find(row->off_where_null.begin(), row->off_where_null.end(), setting) != row->off_where_null.end();
}

bool nullIsRefused(std::string_view class_name, std::string_view setting) {
    const OptimizerRow* row = findOptimizer(class_name);
    if (row == nullptr) return false;
    return std::find(row->refused_where_null.begin(), row->refused_where_null.end(), setting) != row->refused_where_null.end();
}

bool isTurnedOff(const ObjectSpec& optimizer, std::string_view setting) {
    const FieldValue* given = optimizer.config.find(setting);
    return given != nullptr && std::holds_alternative<std::monostate>(*given) && nullIsOff(optimizer.class_name, setting);
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

std::optional<Shape> slotShape(const ObjectSpec& optimizer, SlotForm form, const TrainedVariable& variable) {
    Shape shape = variable.shape;
    switch (form) {
        case SlotForm::kAsVariable:
            return shape;
        case SlotForm::kWithoutLastAxis:
        case SlotForm::kWithoutSecondLast:
            if (shape.size() < 2) return Shape{};
            shape.erase(shape.end() - (form == SlotForm::kWithoutLastAxis ? 1 : 2));
            return shape;
        case SlotForm::kOfAdam:
            return objects::isLeftToAdam(optimizer, variable) ? std::optional(shape) : std::nullopt;
    }
    return std::nullopt;
}

std::optional<std::string> badExpression(const ObjectSpec& optimizer) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    if (row == nullptr) return std::nullopt;
    for (const std::string& expression : objects::excludedLayers(*row, optimizer.config)) {
        try {
            const std::regex parsed(expression);
        } catch (const std::regex_error&) {
            return expression;
        }
    }
    return std::nullopt;
}

double slotStart(const ObjectSpec& optimizer, const OptimizerSlot& slot) {
    const OptimizerRow* row = findOptimizer(optimizer.class_name);
    if (row == nullptr || slot.start.empty()) return 0;
    const FieldValue value = objects::settingOf(*row, optimizer.config, slot.start);
    const double* number = std::get_if<double>(&value);
    return number == nullptr ? 0 : *number;
}

}  // namespace engine::spec
