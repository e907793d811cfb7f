// Which learning rates a run can be told to train with.
#pragma once

#include <limits>

namespace engine::spec {

// A number above 0 that stays one as a float, which is how training has it.
inline bool isSettableRate(double rate) {
    using Float = std::numeric_limits<float>;
    return rate >= static_cast<double>(Float::denorm_min()) && rate <= static_cast<double>(Float::max());
}

}  // namespace engine::spec
