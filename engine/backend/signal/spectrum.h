// A number of each complex one, and its gradient: one definition for every back-end. Meaning: plan::Spectrum.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/plan/op_attributes.h"
#include "engine/plan/signal/signal_numbers.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

using plan::kLeastPower;

struct ComplexNumber {
    float real = 0, imag = 0;
};

// `is_single`: of the first or the last frequency, which has no twin among those that are left out.
TANDEM_DEVICE inline float spectrumValue(plan::Spectrum::Number number, ComplexNumber at, bool is_single) {
    using Number = plan::Spectrum::Number;
    if (number == Number::kAngle) return std::atan2(at.imag + 0.0F, at.real);  // a zero with a sign would turn half a circle
    const float power = at.real * at.real + at.imag * at.imag;
    if (number == Number::kPower) return is_single ? power : 2 * power;
    const float magnitude = std::sqrt(power > kLeastPower ? power : kLeastPower);
    return number == Number::kMagnitude ? magnitude : std::log(magnitude);
}

// Numbers that are held at the least one have no gradient, and neither has the angle of zero.
TANDEM_DEVICE inline ComplexNumber spectrumGradient(plan::Spectrum::Number number, ComplexNumber at, bool is_single, float dy) {
    using Number = plan::Spectrum::Number;
    const float power = at.real * at.real + at.imag * at.imag;
    if (number == Number::kAngle) {
        const float part = power > 0 ? dy / power : 0;
        return {-at.imag * part, at.real * part};
    }
    if (number == Number::kPower) {
        const float twice = (is_single ? 2.0F : 4.0F) * dy;
        return {at.real * twice, at.imag * twice};
    }
    if (power < kLeastPower) return {};
    const float part = dy / (number == Number::kMagnitude ? std::sqrt(power) : power);
    return {at.real * part, at.imag * part};
}

}  // namespace engine::backend
