// Optimizers as executors need them: settings resolved, slots named. Formulas: engine/spec/catalog/update_kind.h.
// Around the formula, for all of them, in this order:
//   every k-th step alone, with the mean of k gradients (gradient_accumulation_steps; t counts updates, schedules count every step)
//   clipnorm: g clip / max(|g|, clip) for each variable; global_clipnorm: the norm of all of them; clipvalue: g within [-clip, clip]
//   w -= w decay lr
//   the formula
//   average = ema average + (1 - ema) w, w in the first step;  every ema_overwrite_frequency t w = average
// loss_scale_factor multiplies the loss and divides its gradient: in float32 nothing is left of it.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/update_kind.h"
#include "engine/spec/fields.h"
#include "engine/tensor/device_function.h"

namespace engine::plan {

using spec::UpdateKind;

struct AdafactorNumbers {
    float beta_2_decay = -0.8F, epsilon_1 = 1e-30F, epsilon_2 = 1e-3F, clip_threshold = 1;
    friend bool operator==(const AdafactorNumbers&, const AdafactorNumbers&) = default;
};
struct MuonNumbers {
    float a = 3.4445F, b = -4.775F, c = 2.0315F;
    std::int64_t steps = 5;
    bool nesterov = true;
    float rms_rate = 0;  // 0: steps are as long as they are
    float adam_rate_ratio = 1, adam_weight_decay = 0;
    friend bool operator==(const MuonNumbers&, const MuonNumbers&) = default;
};

struct UpdateRule {
    UpdateKind kind = UpdateKind::kSgd;
    float momentum = 0;
    float beta_1 = 0.9F, beta_2 = 0.999F, epsilon = 1e-7F;
    float rho = 0.9F;
    bool centered = false;
    float power = -0.5F, l1 = 0, l2 = 0, shrinkage = 0, beta = 0;  // Ftrl
    std::int64_t warmup_steps = 0;                                 // schedule-free
    AdafactorNumbers adafactor{};
    MuonNumbers muon{};
    float weight_decay = 0;
    float clip_norm = 0, global_clip_norm = 0, clip_value = 0;  // at most one; 0 = off
    std::int64_t accumulation_steps = 1;
    bool keeps_average = false;
    std::size_t average_slot = 0;  // its place in slotsOf()
    float average_momentum = 0.99F;
    std::int64_t overwrite_every = 0;  // steps; 0: at the end of training alone
    friend bool operator==(const UpdateRule&, const UpdateRule&) = default;
};

// Throws Error: kUnimplemented naming an optimizer that no executor has, kInvalidArgument for settings that exclude each other.
UpdateRule updateRule(const spec::ObjectSpec& optimizer);

inline constexpr std::size_t kMaxSlots = 5;
inline constexpr std::string_view kAverageSlot = "average", kAccumulatorSlot = "accumulated_gradient";

// A variable that an optimizer keeps beside weights: spec::slotShape() says beside which.
struct Slot {
    std::string name;  // "momentum", "m", "v"; kAverageSlot, kAccumulatorSlot
    float initial = 0;
    spec::SlotForm form = spec::SlotForm::kAsVariable;
    friend bool operator==(const Slot&, const Slot&) = default;
};
// The optimizer's own, then kAverageSlot and kAccumulatorSlot where its settings ask for them. The order of kUpdate's inputs.
std::vector<Slot> slotsOf(const spec::ObjectSpec& optimizer);

// True when kPrepareGradients accumulates or clips gradients before the updates read them.
bool preparesGradients(const UpdateRule& rule);

// What a rule makes of a step, computed in double: the same on every back-end.
struct StepFactors {
    bool applies = true;  // not between two steps of an accumulation
    float step_size = 0;  // Adam's `a`, Adamax' lr / (1 - b1^t), Adafactor's p; lr of the others
    float decay = 1;      // 1 - weight decay * lr
    // Nadam's factors of m, g and v; Lamb's of m and v; schedule-free: 1 / t, none, of v; Adafactor: b, none, 1 - b
    float moment = 0, gradient = 0, variance = 0;
    float adam_step_size = 0, adam_decay = 1;  // of what Muon leaves to Adam
    bool is_first = false;                     // no update was before it
    float average_momentum = 0;
    bool overwrites = false;
};
// Nadam's u(t).
TANDEM_DEVICE inline double nadamMomentum(const UpdateRule& rule, double t) {
    return static_cast<double>(rule.beta_1) * (1 - 0.5 * std::pow(0.96, t));
}
// Nadam's P of u(1) to u(steps). Far on, 0.96^t is nothing and what remains is a power of b1.
TANDEM_DEVICE inline double nadamProduct(const UpdateRule& rule, std::int64_t steps) {
    constexpr std::int64_t kVanishes = 1000;  // 0.96^1000 < 1e-17
    const std::int64_t near = steps < kVanishes ? steps : kVanishes;
    double product = 1, power = 1;
    for (std::int64_t i = 0; i < near; ++i) {
        power *= 0.96;
        product *= static_cast<double>(rule.beta_1) * (1 - 0.5 * power);
    }
    return product * std::pow(static_cast<double>(rule.beta_1), static_cast<double>(steps - near));
}

TANDEM_DEVICE inline StepFactors stepFactors(const UpdateRule& rule, float learning_rate, std::int64_t iteration) {
    StepFactors factors;
    const std::int64_t step = iteration / rule.accumulation_steps + 1;
    const auto t = static_cast<double>(step);
    const double first = 1 - std::pow(static_cast<double>(rule.beta_1), t);
    factors.applies = (iteration + 1) % rule.accumulation_steps == 0;
    factors.step_size = learning_rate;
    if (rule.kind == UpdateKind::kAdam || rule.kind == UpdateKind::kAmsgrad) {
        factors.step_size = static_cast<float>(learning_rate * std::sqrt(1 - std::pow(static_cast<double>(rule.beta_2), t)) / first);
    } else if (rule.kind == UpdateKind::kAdamax) {
        factors.step_size = static_cast<float>(learning_rate / first);
    } else if (rule.kind == UpdateKind::kNadam) {
        const double now = nadamMomentum(rule, t), next = nadamMomentum(rule, t + 1), product = nadamProduct(rule, step);
        factors.moment = static_cast<float>(next / (1 - product * next));
        factors.gradient = static_cast<float>((1 - now) / (1 - product));
        factors.variance = static_cast<float>(1 / (1 - std::pow(static_cast<double>(rule.beta_2), t)));
    }
    if (rule.kind == UpdateKind::kLamb) {
        factors.moment = static_cast<float>(1 / first);
        factors.variance = static_cast<float>(1 / (1 - std::pow(static_cast<double>(rule.beta_2), t)));
    }
    if (rule.kind == UpdateKind::kAdafactor) {
        const double fresh = std::pow(t, static_cast<double>(rule.adafactor.beta_2_decay)), most = 1 / std::sqrt(t);
        if (learning_rate > most) factors.step_size = static_cast<float>(most);
        factors.moment = static_cast<float>(1 - fresh);
        factors.variance = static_cast<float>(fresh);
    }
    if (rule.kind == UpdateKind::kMuon) {
        const double second = std::sqrt(1 - std::pow(static_cast<double>(rule.beta_2), t));
        factors.adam_step_size = static_cast<float>(rule.muon.adam_rate_ratio * learning_rate * second / first);
        factors.adam_decay = static_cast<float>(1 - static_cast<double>(rule.muon.adam_weight_decay) * learning_rate);
    }
    if (rule.kind == UpdateKind::kScheduleFree) {
        const auto warmup = static_cast<double>(rule.warmup_steps);
        if (t < warmup) factors.step_size = static_cast<float>(learning_rate * (t / warmup));
        factors.moment = static_cast<float>(1 / t);
        factors.variance = static_cast<float>(1 / (1 - std::pow(static_cast<double>(rule.beta_2), t)));
    }
    factors.is_first = step == 1;
    factors.decay = static_cast<float>(1 - static_cast<double>(rule.weight_decay) * learning_rate);
    factors.average_momentum = step == 1 ? 0.0F : rule.average_momentum;
    factors.overwrites = rule.overwrite_every > 0 && step % rule.overwrite_every == 0;
    return factors;
}

}  // namespace engine::plan
