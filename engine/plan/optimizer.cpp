#include "engine/plan/optimizer.h"

#include <algorithm>

#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/field_schema.h"

namespace engine::plan {
namespace {

void readMuon(const spec::Settings& settings, const spec::ObjectSpec& optimizer, UpdateRule& rule) {
    settings.read("adam_beta_1", rule.beta_1);
    settings.read("adam_beta_2", rule.beta_2);
    settings.read("muon_a", rule.muon.a);
    settings.read("muon_b", rule.muon.b);
    settings.read("muon_c", rule.muon.c);
    settings.read("ns_steps", rule.muon.steps);
    settings.read("nesterov", rule.muon.nesterov);
    settings.read("adam_lr_ratio", rule.muon.adam_rate_ratio);
    const auto readUnlessOff = [&](std::string_view name, float& value) {
        value = 0;
        if (!spec::isTurnedOff(optimizer, name)) settings.read(name, value);
    };
    readUnlessOff("rms_rate", rule.muon.rms_rate);
    readUnlessOff("adam_weight_decay", rule.muon.adam_weight_decay);
    readUnlessOff("weight_decay", rule.weight_decay);
}

}  // namespace

UpdateRule updateRule(const spec::ObjectSpec& optimizer) {
    const spec::OptimizerRow* row = spec::findOptimizer(optimizer.class_name);
    if (row == nullptr) {
        throw Error(ErrorCode::kUnimplemented, "optimizer " + optimizer.class_name + ": expected an optimizer of Keras such as Adam");
    }
    UpdateRule rule{.kind = spec::formulaOf(*row, optimizer.config)};
    // What a class does not have, or what is off, stays as UpdateRule has it.
    const spec::Settings settings(row->schema.fields, optimizer.config);
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
    settings.read("warmup_steps", rule.warmup_steps);
    settings.read("beta_2_decay", rule.adafactor.beta_2_decay);
    settings.read("epsilon_1", rule.adafactor.epsilon_1);
    settings.read("epsilon_2", rule.adafactor.epsilon_2);
    settings.read("clip_threshold", rule.adafactor.clip_threshold);
    settings.read("weight_decay", rule.weight_decay);
    if (rule.kind == UpdateKind::kMuon) readMuon(settings, optimizer, rule);
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
            slots.push_back({std::string(slot.name), static_cast<float>(spec::slotStart(optimizer, slot)), slot.form});
        }
    }
    return slots;
}

bool preparesGradients(const UpdateRule& rule) {
    return rule.accumulation_steps > 1 || rule.clip_norm > 0 || rule.global_clip_norm > 0 || rule.clip_value > 0;
}

}  // namespace engine::plan
