#include "engine/plan/optimizer.h"

#include <algorithm>

#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/error.h"
#include "engine/spec/field_schema.h"

namespace engine::plan {
namespace {

// The settings of an optimizer with the defaults of its schema. What its class does not have stays as UpdateRule has it.
class Settings {
public:
    Settings(const spec::OptimizerRow& row, const spec::Fields& config) : fields_(row.schema.fields), config_(config) {}

    void read(std::string_view name, float& value) const {
        if (const spec::FieldSchema* field = find(name)) {
            value = static_cast<float>(config_.getDouble(name, usual<double>(*field, static_cast<double>(value))));
        }
    }
    void read(std::string_view name, bool& value) const {
        if (const spec::FieldSchema* field = find(name)) value = config_.getBool(name, usual<bool>(*field, value));
    }
    void read(std::string_view name, std::int64_t& value) const {
        if (const spec::FieldSchema* field = find(name)) value = config_.getInt(name, usual<std::int64_t>(*field, value));
    }

private:
    const spec::FieldSchema* find(std::string_view name) const {
        const auto found = std::find_if(fields_.begin(), fields_.end(), [name](const spec::FieldSchema& one) { return one.name == name; });
        return found == fields_.end() ? nullptr : &*found;
    }
    // Of a setting whose default is null the rule's own value: off.
    template <typename T>
    static T usual(const spec::FieldSchema& field, T off) {
        const T* fallback = std::get_if<T>(&field.fallback);
        return fallback == nullptr ? off : *fallback;
    }

    const std::vector<spec::FieldSchema>& fields_;
    const spec::Fields& config_;
};

}  // namespace

UpdateRule updateRule(const spec::ObjectSpec& optimizer) {
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    if (row == nullptr) {
        throw Error(ErrorCode::kUnimplemented, "optimizer " + optimizer.class_name + ": expected an optimizer of Keras such as Adam");
    }
    UpdateRule rule{.kind = spec::formulaOf(*row, optimizer.config)};
    const Settings settings(*row, optimizer.config);
    settings.read("momentum", rule.momentum);
    settings.read("beta_1", rule.beta_1);
    settings.read("beta_2", rule.beta_2);
    settings.read("epsilon", rule.epsilon);
    settings.read("rho", rule.rho);
    settings.read("centered", rule.centered);
    settings.read("learning_rate_power", rule.power);
    settings.read("l1_regularization_strength", rule.l1);
    settings.read("l2_regularization_strength", rule.l2);
    settings.read("l2_shrinkage_regularization_strength", rule.shrinkage);
    settings.read("beta", rule.beta);
    settings.read("weight_decay", rule.weight_decay);
    settings.read("clipnorm", rule.clip_norm);
    settings.read("global_clipnorm", rule.global_clip_norm);
    settings.read("clipvalue", rule.clip_value);
    settings.read("gradient_accumulation_steps", rule.accumulation_steps);
    settings.read("use_ema", rule.keeps_average);
    settings.read("ema_momentum", rule.average_momentum);
    settings.read("ema_overwrite_frequency", rule.overwrite_every);
    rule.accumulation_steps = std::max<std::int64_t>(rule.accumulation_steps, 1);
    if ((rule.clip_norm > 0) + (rule.global_clip_norm > 0) + (rule.clip_value > 0) > 1) {
        throw Error(ErrorCode::kInvalidArgument,
                    "optimizer " + optimizer.class_name + ": expected one of clipnorm, global_clipnorm and clipvalue, got several");
    }
    rule.average_slot = spec::ownSlots(optimizer).size();
    return rule;
}

std::vector<Slot> slotsOf(const spec::ObjectSpec& optimizer) {
    std::vector<Slot> slots;
    for (const auto& some : {spec::ownSlots(optimizer), spec::commonSlots(optimizer)}) {
        for (const spec::OptimizerSlot& slot : some) {
            slots.push_back({std::string(slot.name), static_cast<float>(spec::slotStart(optimizer, slot))});
        }
    }
    return slots;
}

bool preparesGradients(const UpdateRule& rule) {
    return rule.accumulation_steps > 1 || rule.clip_norm > 0 || rule.global_clip_norm > 0 || rule.clip_value > 0;
}

}  // namespace engine::plan
