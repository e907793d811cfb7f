#include "engine/plan/optimizer.h"

#include <cmath>
#include <string_view>
#include <variant>

#include "engine/spec/error.h"

namespace engine::plan {
namespace {

[[noreturn]] void refuse(const spec::ObjectSpec& optimizer, const std::string& what) {
    throw Error(ErrorCode::kUnimplemented, "optimizer " + optimizer.class_name + ": " + what);
}

// A setting that changes the update and that no executor has. Off: absent, null, false or zero.
void refuseWhenSet(const spec::ObjectSpec& optimizer, std::string_view name) {
    const spec::FieldValue* value = optimizer.config.find(name);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return;
    if (const bool* flag = std::get_if<bool>(value); flag != nullptr && !*flag) return;
    if (const double* number = std::get_if<double>(value); number != nullptr && *number == 0) return;
    if (const std::int64_t* number = std::get_if<std::int64_t>(value); number != nullptr && *number == 0) return;
    refuse(optimizer, "expected no " + std::string(name) + " (not supported), got one");
}

}  // namespace

UpdateRule updateRule(const spec::ObjectSpec& optimizer) {
    for (std::string_view name :
         {"weight_decay", "clipnorm", "global_clipnorm", "clipvalue", "use_ema", "loss_scale_factor", "gradient_accumulation_steps"}) {
        refuseWhenSet(optimizer, name);
    }
    const spec::Fields& config = optimizer.config;
    UpdateRule rule;
    if (optimizer.class_name == "SGD") {
        rule.momentum = static_cast<float>(config.getDouble("momentum", 0));
        const bool nesterov = config.getBool("nesterov", false);
        rule.kind = rule.momentum == 0 ? UpdateKind::kSgd : nesterov ? UpdateKind::kNesterov : UpdateKind::kMomentum;
        return rule;
    }
    if (optimizer.class_name == "Adam") {
        rule.kind = config.getBool("amsgrad", false) ? UpdateKind::kAmsgrad : UpdateKind::kAdam;
        rule.beta_1 = static_cast<float>(config.getDouble("beta_1", 0.9));
        rule.beta_2 = static_cast<float>(config.getDouble("beta_2", 0.999));
        rule.epsilon = static_cast<float>(config.getDouble("epsilon", 1e-7));
        return rule;
    }
    refuse(optimizer, "expected SGD or Adam");
}

std::vector<std::string> slotNames(const UpdateRule& rule) {
    switch (rule.kind) {
        case UpdateKind::kSgd:
            return {};
        case UpdateKind::kMomentum:
        case UpdateKind::kNesterov:
            return {"momentum"};
        case UpdateKind::kAdam:
            return {"m", "v"};
        case UpdateKind::kAmsgrad:
            return {"m", "v", "vhat"};
    }
    return {};
}

float stepSize(const UpdateRule& rule, float learning_rate, std::int64_t iteration) {
    if (rule.kind != UpdateKind::kAdam && rule.kind != UpdateKind::kAmsgrad) return learning_rate;
    const double t = static_cast<double>(iteration) + 1;
    return static_cast<float>(learning_rate * std::sqrt(1 - std::pow(static_cast<double>(rule.beta_2), t)) /
                              (1 - std::pow(static_cast<double>(rule.beta_1), t)));
}

}  // namespace engine::plan
