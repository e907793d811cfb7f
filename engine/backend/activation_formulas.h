// Activation functions of one value and their derivatives: one definition for `reference`, which computes in double, and for kernels, which
// compute in float. engine/plan/activation.h says what each is. Functions along rows are not here.
#pragma once

#include <cmath>
#include <numbers>

#include "engine/plan/activation.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

template <typename Real>
struct ActivationFormulas {
    static constexpr Real kGeluCube = static_cast<Real>(0.044715), kShrink = static_cast<Real>(0.5);

    TANDEM_DEVICE static Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
    TANDEM_DEVICE static Real softplus(Real x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x))); }
    TANDEM_DEVICE static Real within(Real x, Real least, Real most) { return x < least ? least : most < x ? most : x; }
    TANDEM_DEVICE static Real hardSigmoid(Real x) { return within(x / 6 + static_cast<Real>(0.5), 0, 1); }
    TANDEM_DEVICE static Real normalIntegral(Real x) { return static_cast<Real>(0.5) * std::erfc(-x / std::numbers::sqrt2_v<Real>); }
    TANDEM_DEVICE static Real normalDensity(Real x) {
        return std::exp(static_cast<Real>(-0.5) * x * x) / std::sqrt(2 * std::numbers::pi_v<Real>);
    }
    TANDEM_DEVICE static Real geluRoot() { return std::sqrt(2 / std::numbers::pi_v<Real>); }

    TANDEM_DEVICE static Real value(plan::Activation activation, const plan::ActivationSettings& s, Real x) {
        using plan::Activation;
        switch (activation) {
            case Activation::kRelu:
                return x < 0 ? 0 : x;
            case Activation::kRampRelu: {
                const Real y = x <= s.threshold ? s.slope * (x - s.threshold) : x;
                return s.limit < y ? s.limit : y;
            }
            case Activation::kElu:
                return s.scale * (x > 0 ? x : s.alpha * std::expm1(x));
            case Activation::kGelu:
                return x * normalIntegral(x);
            case Activation::kGeluTanh:
                return static_cast<Real>(0.5) * x * (1 + std::tanh(geluRoot() * (x + kGeluCube * x * x * x)));
            case Activation::kSigmoid:
                return sigmoid(x);
            case Activation::kHardSigmoid:
                return hardSigmoid(x);
            case Activation::kTanh:
                return std::tanh(x);
            case Activation::kHardTanh:
            case Activation::kHardTanhOfValue:
                return within(x, -1, 1);
            case Activation::kSoftplus:
                return softplus(x);
            case Activation::kSoftsign:
                return x / (1 + std::abs(x));
            case Activation::kSilu:
                return x * sigmoid(x);
            case Activation::kHardSilu:
                return x * hardSigmoid(x);
            case Activation::kMish:
                return x * std::tanh(softplus(x));
            case Activation::kExponential:
                return std::exp(x);
            case Activation::kLogSigmoid:
                return -softplus(-x);
            case Activation::kTanhShrink:
                return x - std::tanh(x);
            case Activation::kSoftShrink:
                return x > kShrink ? x - kShrink : x < -kShrink ? x + kShrink : 0;
            case Activation::kHardShrink:
                return std::abs(x) > kShrink ? x : 0;
            case Activation::kSquareplus:
                return (x + std::sqrt(x * x + 4)) / 2;
            case Activation::kSparsePlus:
                return x <= -1 ? 0 : x < 1 ? (x + 1) * (x + 1) / 4 : x;
            case Activation::kSparseSigmoid:
                return within((x + 1) / 2, 0, 1);
            default:
                return x;
        }
    }

    // The derivative at a point. `v` is the activation's input when plan::derivesFromInput() says so, else its output.
    TANDEM_DEVICE static Real derivative(plan::Activation activation, const plan::ActivationSettings& s, Real v) {
        using plan::Activation;
        switch (activation) {
            case Activation::kRelu:
                return v > 0 ? 1 : 0;
            case Activation::kRampRelu:
                if (v <= s.threshold) return v < s.threshold ? s.slope : s.at_threshold;
                return v > s.limit ? 0 : v == s.limit ? s.at_limit : 1;
            case Activation::kElu:
                return v > 0 ? s.scale : v == 0 ? s.at_zero : v + static_cast<Real>(s.scale) * s.alpha;
            case Activation::kGelu:
                return normalIntegral(v) + v * normalDensity(v);
            case Activation::kGeluTanh: {
                const Real t = std::tanh(geluRoot() * (v + kGeluCube * v * v * v));
                return static_cast<Real>(0.5) * (1 + t) +
                       static_cast<Real>(0.5) * v * (1 - t * t) * geluRoot() * (1 + 3 * kGeluCube * v * v);
            }
            case Activation::kSigmoid:
                return v * (1 - v);
            case Activation::kHardSigmoid:
                return v > 0 && v < 1 ? static_cast<Real>(1) / 6 : 0;
            case Activation::kTanh:
                return 1 - v * v;
            case Activation::kHardTanh:
                return v >= -1 && v <= 1 ? 1 : 0;
            case Activation::kHardTanhOfValue:
                return v > -1 && v < 1 ? 1 : 0;
            case Activation::kSoftplus:
                return sigmoid(v);
            case Activation::kSoftsign:
                return (1 - std::abs(v)) * (1 - std::abs(v));
            case Activation::kSilu:
                return sigmoid(v) * (1 + v * (1 - sigmoid(v)));
            case Activation::kHardSilu:
                return v <= -3 ? 0 : v >= 3 ? 1 : v / 3 + static_cast<Real>(0.5);
            case Activation::kMish: {
                const Real t = std::tanh(softplus(v));
                return t + v * (1 - t * t) * sigmoid(v);
            }
            case Activation::kExponential:
                return v;
            case Activation::kLogSigmoid:
                return sigmoid(-v);
            case Activation::kTanhShrink:
                return std::tanh(v) * std::tanh(v);
            case Activation::kSoftShrink:
            case Activation::kHardShrink:
                return std::abs(v) > kShrink ? 1 : 0;
            case Activation::kSquareplus:
                return static_cast<Real>(0.5) + static_cast<Real>(0.5) * v / std::sqrt(v * v + 4);
            case Activation::kSparsePlus:
                return v <= -1 ? 0 : v < 1 ? (v + 1) / 2 : 1;
            case Activation::kSparseSigmoid:
                return v > -1 && v < 1 ? static_cast<Real>(0.5) : 0;
            default:
                return 1;
        }
    }
};

}  // namespace engine::backend
