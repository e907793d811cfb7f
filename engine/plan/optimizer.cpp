#include "engine/plan/optimizer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "engine/spec/error.h"

namespace engine::plan {
namespace {

float number(const spec::Fields& config, std::string_view name, double fallback) {
    return static_cast<float>(config.getDouble(name, fallback));
}

void readSgd(const spec::Fields& config, UpdateRule& rule) {
    rule.momentum = number(config, "momentum", 0);
    const bool nesterov = config.getBool("nesterov", false);
    rule.kind = rule.momentum == 0 ? UpdateKind::kSgd : nesterov ? UpdateKind::kNesterov : UpdateKind::kMomentum;
}

void readAdam(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = config.getBool("amsgrad", false) ? UpdateKind::kAmsgrad : UpdateKind::kAdam;
}

void readAdamW(const spec::Fields& config, UpdateRule& rule) {
    readAdam(config, rule);
    rule.weight_decay = number(config, "weight_decay", 0.004);
}

void readRmsprop(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = UpdateKind::kRmsprop;
    rule.momentum = number(config, "momentum", 0);
    rule.rho = number(config, "rho", 0.9);
    rule.centered = config.getBool("centered", false);
}

void readAdagrad(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = UpdateKind::kAdagrad;
    rule.initial_accumulator = number(config, "initial_accumulator_value", 0.1);
}

void readAdadelta(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = UpdateKind::kAdadelta;
    rule.rho = number(config, "rho", 0.95);
}

void readAdamax(const spec::Fields&, UpdateRule& rule) {
    rule.kind = UpdateKind::kAdamax;
}

void readNadam(const spec::Fields&, UpdateRule& rule) {
    rule.kind = UpdateKind::kNadam;
}

void readFtrl(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = UpdateKind::kFtrl;
    rule.initial_accumulator = number(config, "initial_accumulator_value", 0.1);
    rule.power = number(config, "learning_rate_power", -0.5);
    rule.l1 = number(config, "l1_regularization_strength", 0);
    rule.l2 = number(config, "l2_regularization_strength", 0);
    rule.shrinkage = number(config, "l2_shrinkage_regularization_strength", 0);
    rule.beta = number(config, "beta", 0);
}

void readLion(const spec::Fields& config, UpdateRule& rule) {
    rule.kind = UpdateKind::kLion;
    rule.beta_2 = number(config, "beta_2", 0.99);
}

using Reader = void (*)(const spec::Fields& config, UpdateRule& rule);
constexpr std::array<std::pair<std::string_view, Reader>, 10> kReaders{{{"SGD", readSgd},
                                                                        {"Adam", readAdam},
                                                                        {"AdamW", readAdamW},
                                                                        {"RMSprop", readRmsprop},
                                                                        {"Adagrad", readAdagrad},
                                                                        {"Adadelta", readAdadelta},
                                                                        {"Adamax", readAdamax},
                                                                        {"Nadam", readNadam},
                                                                        {"Ftrl", readFtrl},
                                                                        {"Lion", readLion}}};

void readCommon(const spec::ObjectSpec& optimizer, UpdateRule& rule) {
    const spec::Fields& config = optimizer.config;
    rule.beta_1 = number(config, "beta_1", 0.9);
    rule.beta_2 = number(config, "beta_2", 0.999);
    rule.epsilon = number(config, "epsilon", 1e-7);
    rule.weight_decay = number(config, "weight_decay", 0);
    rule.clip_norm = number(config, "clipnorm", 0);
    rule.global_clip_norm = number(config, "global_clipnorm", 0);
    rule.clip_value = number(config, "clipvalue", 0);
    rule.accumulation_steps = std::max<std::int64_t>(config.getInt("gradient_accumulation_steps", 1), 1);
    rule.keeps_average = config.getBool("use_ema", false);
    rule.average_momentum = number(config, "ema_momentum", 0.99);
    rule.overwrite_every = config.getInt("ema_overwrite_frequency", 0);
    if ((rule.clip_norm > 0) + (rule.global_clip_norm > 0) + (rule.clip_value > 0) > 1) {
        throw Error(ErrorCode::kInvalidArgument,
                    "optimizer " + optimizer.class_name + ": expected one of clipnorm, global_clipnorm and clipvalue, got several");
    }
}

std::vector<std::string> ownSlots(const UpdateRule& rule) {
    switch (rule.kind) {
        case UpdateKind::kSgd:
            return {};
        case UpdateKind::kMomentum:
        case UpdateKind::kNesterov:
            return {"momentum"};
        case UpdateKind::kAdam:
        case UpdateKind::kNadam:
            return {"m", "v"};
        case UpdateKind::kAmsgrad:
            return {"m", "v", "vhat"};
        case UpdateKind::kRmsprop: {
            std::vector<std::string> slots{"v"};
            if (rule.momentum > 0) slots.push_back("momentum");
            if (rule.centered) slots.push_back("mean");
            return slots;
        }
        case UpdateKind::kAdagrad:
            return {"accumulator"};
        case UpdateKind::kAdadelta:
            return {"accumulator", "delta"};
        case UpdateKind::kAdamax:
            return {"m", "u"};
        case UpdateKind::kFtrl:
            return {"accumulator", "linear"};
        case UpdateKind::kLion:
            return {"m"};
    }
    return {};
}

}  // namespace

UpdateRule updateRule(const spec::ObjectSpec& optimizer) {
    const auto reader =
        std::find_if(kReaders.begin(), kReaders.end(), [&optimizer](const auto& row) { return row.first == optimizer.class_name; });
    if (reader == kReaders.end()) {
        throw Error(ErrorCode::kUnimplemented, "optimizer " + optimizer.class_name + ": expected an optimizer of Keras such as Adam");
    }
    UpdateRule rule;
    readCommon(optimizer, rule);
    reader->second(optimizer.config, rule);
    rule.average_slot = ownSlots(rule).size();
    return rule;
}

std::vector<std::string> slotNames(const UpdateRule& rule) {
    std::vector<std::string> slots = ownSlots(rule);
    if (rule.keeps_average) slots.emplace_back(kAverageSlot);
    if (rule.accumulation_steps > 1) slots.emplace_back(kAccumulatorSlot);
    return slots;
}

float slotStart(const UpdateRule& rule, std::string_view slot) {
    const bool is_filled = (rule.kind == UpdateKind::kAdagrad || rule.kind == UpdateKind::kFtrl) && slot == "accumulator";
    return is_filled ? rule.initial_accumulator : 0.0F;
}

bool preparesGradients(const UpdateRule& rule) {
    return rule.accumulation_steps > 1 || rule.clip_norm > 0 || rule.global_clip_norm > 0 || rule.clip_value > 0;
}

}  // namespace engine::plan
