// One element's update: weight decay and the formulas of engine/spec/catalog/update_kind.h in float32, and the moving average after them.
// Written once for every back-end that has no vectors of its own.
#pragma once

#include <cmath>

#include "engine/plan/optimizer.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// The optimizer's own values of one element by their part in the formula, not by their place among the slots:
//                       first        second    third
//   momentum, Lion      m
//   Adam's kin          m            v         vhat
//   RMSprop             v            momentum  mean
//   Adagrad             accumulator
//   Adadelta            accumulator  delta
//   Ftrl                accumulator  linear
//   schedule-free       z            v
//   Adafactor           r            c         v       where r and c are not by element
struct UpdateValues {
    float first = 0, second = 0, third = 0;
};
inline constexpr std::size_t kUpdateValues = 3;

namespace update_formulas {

TANDEM_DEVICE inline float greater(float a, float b) {
    return a < b ? b : a;
}
TANDEM_DEVICE inline float sign(float x) {
    return static_cast<float>((x > 0) - (x < 0));
}
// n^-p; the default power is a root.
TANDEM_DEVICE inline float poweredAccumulator(float n, float power) {
    return power == -0.5F ? std::sqrt(n) : std::pow(n, -power);
}

TANDEM_DEVICE inline void rmsprop(const plan::UpdateRule& rule, float rate, float g, float& w, UpdateValues& s) {
    s.first = rule.rho * s.first + (1 - rule.rho) * g * g;
    float denominator = s.first + rule.epsilon;
    if (rule.centered) {
        s.third = rule.rho * s.third + (1 - rule.rho) * g;
        denominator = s.first - s.third * s.third + rule.epsilon;
    }
    float step = rate * g / std::sqrt(denominator);
    if (rule.momentum > 0) step = s.second = rule.momentum * s.second + step;
    w -= step;
}

TANDEM_DEVICE inline void ftrl(const plan::UpdateRule& rule, float rate, float g, float& w, UpdateValues& s) {
    const float ridge = 2 * rule.l2 + rule.beta / rate;
    const float shrunk = g + 2 * rule.shrinkage * w;
    const float after = s.first + g * g;
    const float powered = poweredAccumulator(after, rule.power);
    s.second += shrunk - (powered - poweredAccumulator(s.first, rule.power)) / rate * w;
    const float divisor = powered / rate + ridge;  // 0 in the padding between tensors
    const float clipped = s.second < -rule.l1 ? -rule.l1 : rule.l1 < s.second ? rule.l1 : s.second;
    w = divisor == 0 ? 0 : (clipped - s.second) / divisor;
    s.first = after;
}

TANDEM_DEVICE inline void adadelta(const plan::UpdateRule& rule, float rate, float g, float& w, UpdateValues& s) {
    s.first = rule.rho * s.first + (1 - rule.rho) * g * g;
    const float delta = -std::sqrt(s.second + rule.epsilon) * g / std::sqrt(s.first + rule.epsilon);
    s.second = rule.rho * s.second + (1 - rule.rho) * delta * delta;
    w += rate * delta;
}

// `before`: the weight before its decay, where the first step begins.
TANDEM_DEVICE inline void scheduleFree(const plan::UpdateRule& rule, const plan::StepFactors& factors, float g, float before, float& w,
                                       UpdateValues& s) {
    const float then = factors.is_first ? before : s.first;
    s.second += (g * g - s.second) * (1 - rule.beta_2);
    s.first = then - factors.step_size * g / (std::sqrt(s.second * factors.variance) + rule.epsilon);
    float mean = (w - (1 - rule.beta_1) * s.first) / rule.beta_1;
    mean = (1 - factors.moment) * mean + factors.moment * s.first;
    w = (1 - rule.beta_1) * s.first + rule.beta_1 * mean;
}

template <plan::UpdateKind kKind>
TANDEM_DEVICE void adamLike(const plan::UpdateRule& rule, const plan::StepFactors& factors, float g, float& w, UpdateValues& s) {
    s.first += (g - s.first) * (1 - rule.beta_1);
    if constexpr (kKind == plan::UpdateKind::kAdamax) {
        s.second = greater(rule.beta_2 * s.second, std::abs(g));
        w -= factors.step_size * s.first / (s.second + rule.epsilon);
        return;
    }
    s.second += (g * g - s.second) * (1 - rule.beta_2);
    if constexpr (kKind == plan::UpdateKind::kNadam) {
        const float step = factors.moment * s.first + factors.gradient * g;
        w -= factors.step_size * step / (std::sqrt(s.second * factors.variance) + rule.epsilon);
        return;
    }
    float second = s.second;
    if constexpr (kKind == plan::UpdateKind::kAmsgrad) second = s.third = greater(s.third, s.second);
    const float rate = kKind == plan::UpdateKind::kMuon ? factors.adam_step_size : factors.step_size;
    w -= s.first * rate / (std::sqrt(second) + rule.epsilon);
}

}  // namespace update_formulas

// Updates one value of a variable, in a step that applies its gradients. Of Muon this is Adam, for the variables that it leaves to that.
template <plan::UpdateKind kKind>
TANDEM_DEVICE void updateElement(const plan::UpdateRule& rule, const plan::StepFactors& factors, float g, float& w, UpdateValues& s) {
    using plan::UpdateKind;
    const float rate = factors.step_size, before = w, decay = kKind == UpdateKind::kMuon ? factors.adam_decay : factors.decay;
    if (decay != 1) w *= decay;
    if constexpr (kKind == UpdateKind::kSgd) {
        w -= rate * g;
    } else if constexpr (kKind == UpdateKind::kMomentum || kKind == UpdateKind::kNesterov) {
        s.first = rule.momentum * s.first - rate * g;
        w += kKind == UpdateKind::kNesterov ? rule.momentum * s.first - rate * g : s.first;
    } else if constexpr (kKind == UpdateKind::kRmsprop) {
        update_formulas::rmsprop(rule, rate, g, w, s);
    } else if constexpr (kKind == UpdateKind::kAdagrad) {
        s.first += g * g;
        w -= rate * g / std::sqrt(s.first + rule.epsilon);
    } else if constexpr (kKind == UpdateKind::kAdadelta) {
        update_formulas::adadelta(rule, rate, g, w, s);
    } else if constexpr (kKind == UpdateKind::kFtrl) {
        update_formulas::ftrl(rule, rate, g, w, s);
    } else if constexpr (kKind == UpdateKind::kLion) {
        w -= rate * update_formulas::sign(rule.beta_1 * s.first + (1 - rule.beta_1) * g);
        s.first = rule.beta_2 * s.first + (1 - rule.beta_2) * g;
    } else if constexpr (kKind == UpdateKind::kScheduleFree) {
        update_formulas::scheduleFree(rule, factors, g, before, w, s);
    } else {
        update_formulas::adamLike<kKind>(rule, factors, g, w, s);
    }
}

// Lamb's update is two passes over a variable: advanceElement(), and w less rate * ratio * directionOfElement().
TANDEM_DEVICE inline float directionOfElement(const plan::UpdateRule& rule, const plan::StepFactors& factors, const UpdateValues& s) {
    return s.first * factors.moment / (std::sqrt(s.second * factors.variance) + rule.epsilon);
}
struct SquaresOfElement {
    double weight = 0, direction = 0;
};
TANDEM_DEVICE inline SquaresOfElement advanceElement(const plan::UpdateRule& rule, const plan::StepFactors& factors, float g, float& w,
                                                     UpdateValues& s) {
    if (factors.decay != 1) w *= factors.decay;
    s.first += (g - s.first) * (1 - rule.beta_1);
    s.second += (g * g - s.second) * (1 - rule.beta_2);
    const auto weight = static_cast<double>(w), direction = static_cast<double>(directionOfElement(rule, factors, s));
    return {weight * weight, direction * direction};
}
TANDEM_DEVICE inline float normRatio(double weight_squares, double direction_squares) {
    return weight_squares > 0 && direction_squares > 0 ? static_cast<float>(std::sqrt(weight_squares / direction_squares)) : 1.0F;
}

// Adafactor's square of a gradient, what becomes of a mean of them, and the step of an element with its v. Where v is too small for a float
// the gradient is 0: so is the step (Keras has NaN).
TANDEM_DEVICE inline float regulatedSquare(const plan::UpdateRule& rule, float g) {
    return g * g + rule.adafactor.epsilon_1;
}
TANDEM_DEVICE inline float blendedMean(const plan::StepFactors& factors, float before, float fresh) {
    return factors.moment * before + factors.variance * fresh;
}
TANDEM_DEVICE inline float factoredStep(float g, float v) {
    return v > 0 ? g / std::sqrt(v) : 0.0F;
}
// What the steps of a variable are multiplied with, from the sums of squares of its `count` weights and steps.
TANDEM_DEVICE inline float factoredScale(const plan::UpdateRule& rule, const plan::StepFactors& factors, double weight_squares,
                                         double step_squares, std::int64_t count) {
    const double weights = std::sqrt(weight_squares / static_cast<double>(count)), smallest = rule.adafactor.epsilon_2;
    const double steps = std::sqrt(step_squares / static_cast<double>(count)) / static_cast<double>(rule.adafactor.clip_threshold);
    return static_cast<float>((weights < smallest ? smallest : weights) * static_cast<double>(factors.step_size) / (steps < 1 ? 1 : steps));
}

// Muon's momentum of an element, and what is made orthogonal.
TANDEM_DEVICE inline float advanceMomentum(const plan::UpdateRule& rule, float g, float& m) {
    m += g + m * (rule.momentum - 1);
    return rule.muon.nesterov ? g + rule.momentum * m : m;
}
// What one over the norm of a matrix is to Muon.
TANDEM_DEVICE inline float overNorm(double squares) {
    return static_cast<float>(1 / (std::sqrt(squares) + 1e-7));
}
// What an orthogonal step of a matrix is multiplied with.
TANDEM_DEVICE inline float orthogonalScale(const plan::UpdateRule& rule, const plan::StepFactors& factors, std::int64_t rows,
                                           std::int64_t columns) {
    if (rule.muon.rms_rate == 0) return factors.step_size;
    return factors.step_size * rule.muon.rms_rate * std::sqrt(static_cast<float>(rows < columns ? columns : rows));
}

// What a gradient is multiplied with that is clipped by a norm, from the sum of its squares, of all gradients' with global_clipnorm. A
// gradient without an end takes all others with it then, as in Keras: nothing of such a step is a number.
TANDEM_DEVICE inline float clipFactor(const plan::UpdateRule& rule, double squares) {
    const double clip = static_cast<double>(rule.clip_norm > 0 ? rule.clip_norm : rule.global_clip_norm), norm = std::sqrt(squares);
    if (norm <= clip) return 1.0F;
    const bool takes_all = rule.clip_norm == 0 && std::isinf(norm);
    return static_cast<float>(takes_all ? norm - norm : clip / norm);
}

// Advances the moving average, in a step that does not apply, too.
TANDEM_DEVICE inline void averageElement(const plan::StepFactors& factors, float& w, float& average) {
    average = factors.average_momentum * average + (1 - factors.average_momentum) * w;
    if (factors.overwrites) w = average;
}

// Calls function.template operator()<kind>() for a kind of updateElement(): nothing for one that always takes whole variables.
template <typename Function>
void withUpdateKind(plan::UpdateKind kind, Function&& function) {
    using plan::UpdateKind;
    switch (kind) {
        case UpdateKind::kSgd:
            return function.template operator()<UpdateKind::kSgd>();
        case UpdateKind::kMomentum:
            return function.template operator()<UpdateKind::kMomentum>();
        case UpdateKind::kNesterov:
            return function.template operator()<UpdateKind::kNesterov>();
        case UpdateKind::kAdam:
            return function.template operator()<UpdateKind::kAdam>();
        case UpdateKind::kAmsgrad:
            return function.template operator()<UpdateKind::kAmsgrad>();
        case UpdateKind::kRmsprop:
            return function.template operator()<UpdateKind::kRmsprop>();
        case UpdateKind::kAdagrad:
            return function.template operator()<UpdateKind::kAdagrad>();
        case UpdateKind::kAdadelta:
            return function.template operator()<UpdateKind::kAdadelta>();
        case UpdateKind::kAdamax:
            return function.template operator()<UpdateKind::kAdamax>();
        case UpdateKind::kNadam:
            return function.template operator()<UpdateKind::kNadam>();
        case UpdateKind::kFtrl:
            return function.template operator()<UpdateKind::kFtrl>();
        case UpdateKind::kLion:
            return function.template operator()<UpdateKind::kLion>();
        case UpdateKind::kScheduleFree:
            return function.template operator()<UpdateKind::kScheduleFree>();
        case UpdateKind::kMuon:
            return function.template operator()<UpdateKind::kMuon>();
        case UpdateKind::kLamb:
        case UpdateKind::kAdafactor:
            break;
    }
}

}  // namespace engine::backend
