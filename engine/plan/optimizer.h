// Optimizers as executors need them: settings resolved, slots named. Formulas: Keras 3, t = updates done + 1:
//   SGD       w -= lr g
//   momentum  m = mu m - lr g;  w += m;  nesterov: w += mu m - lr g (m already new)
//   Adam      m += (g - m)(1 - b1);  v += (g^2 - v)(1 - b2);  a = lr sqrt(1 - b2^t) / (1 - b1^t);  w -= a m / (sqrt(v) + eps)
//   amsgrad   vhat = max(vhat, v) in the place of v in the last formula
//   RMSprop   v = rho v + (1 - rho) g^2;  d = v + eps;  centered: mean = rho mean + (1 - rho) g, d = v - mean^2 + eps;
//             i = lr g / sqrt(d);  w -= i;  with momentum: m = mu m + i, w -= m
//   Adagrad   a += g^2;  w -= lr g / sqrt(a + eps)
//   Adadelta  a = rho a + (1 - rho) g^2;  d = -sqrt(D + eps) g / sqrt(a + eps);  D = rho D + (1 - rho) d^2;  w += lr d
//   Adamax    m += (g - m)(1 - b1);  u = max(b2 u, |g|);  w -= lr / (1 - b1^t) m / (u + eps)
//   Nadam     u(t) = b1 (1 - 0.96^t / 2), P = product of u(1..t);  m, v as Adam's;
//             w -= lr (u(t + 1) m / (1 - P u(t + 1)) + (1 - u(t)) g / (1 - P)) / (sqrt(v / (1 - b2^t)) + eps)
//   Ftrl      gs = g + 2 shrinkage w;  n' = n + g^2;  z += gs - (n'^-p - n^-p) / lr w;
//             w = (clip(z, -l1, l1) - z) / (n'^-p / lr + 2 l2 + beta / lr);  n = n'
//   Lion      w -= lr sign(b1 m + (1 - b1) g);  m = b2 m + (1 - b2) g
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

#include "engine/spec/fields.h"
#include "engine/tensor/device_function.h"

namespace engine::plan {

enum class UpdateKind { kSgd, kMomentum, kNesterov, kAdam, kAmsgrad, kRmsprop, kAdagrad, kAdadelta, kAdamax, kNadam, kFtrl, kLion };

struct UpdateRule {
    UpdateKind kind = UpdateKind::kSgd;
    float momentum = 0;
    float beta_1 = 0.9F, beta_2 = 0.999F, epsilon = 1e-7F;
    float rho = 0.9F;
    bool centered = false;
    float initial_accumulator = 0.1F;
    float power = -0.5F, l1 = 0, l2 = 0, shrinkage = 0, beta = 0;  // Ftrl
    float weight_decay = 0;
    float clip_norm = 0, global_clip_norm = 0, clip_value = 0;  // at most one; 0 = off
    std::int64_t accumulation_steps = 1;
    bool keeps_average = false;
    std::size_t average_slot = 0;  // its place in slotNames()
    float average_momentum = 0.99F;
    std::int64_t overwrite_every = 0;  // steps; 0: at the end of training alone
    friend bool operator==(const UpdateRule&, const UpdateRule&) = default;
};

// Throws Error: kUnimplemented naming an optimizer that no executor has, kInvalidArgument for settings that exclude each other.
UpdateRule updateRule(const spec::ObjectSpec& optimizer);

inline constexpr std::size_t kMaxSlots = 5;
inline constexpr std::string_view kAverageSlot = "average", kAccumulatorSlot = "accumulated_gradient";

// "momentum"; "m", "v"; "m", "v", "vhat"; ... then kAverageSlot and kAccumulatorSlot where the rule has them. The order of kUpdate's
// inputs.
std::vector<std::string> slotNames(const UpdateRule& rule);
// The value of a slot before the first step.
float slotStart(const UpdateRule& rule, std::string_view slot);

// Whether gradients are accumulated or clipped before the updates read them: kPrepareGradients.
bool preparesGradients(const UpdateRule& rule);

// What a rule makes of a step, computed in double: the same on every back-end.
struct StepFactors {
    bool applies = true;                           // not between two steps of an accumulation
    float step_size = 0;                           // Adam's `a`, Adamax' lr / (1 - b1^t); lr of the others
    float decay = 1;                               // 1 - weight decay * lr
    float moment = 0, gradient = 0, variance = 0;  // Nadam's factors of m, g and v
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
    factors.decay = static_cast<float>(1 - static_cast<double>(rule.weight_decay) * learning_rate);
    factors.average_momentum = step == 1 ? 0.0F : rule.average_momentum;
    factors.overwrites = rule.overwrite_every > 0 && step % rule.overwrite_every == 0;
    return factors;
}

}  // namespace engine::plan
