// Division by a number that a kernel is launched with: a product and a shift instead of the hundred instructions of a division of 64 bits.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/spec/error.h"
#include "engine/tensor/device_function.h"

namespace engine::backend::cuda {

// Numbers below 2^31 by a number below 2^31 go by m = ceil(2^s / divisor), s = 31 + ceil(log2 divisor): n m / 2^s, cut, is the quotient
// (Granlund, Montgomery 1994). Others divide.
class Division {
public:
    struct Parts {
        std::int64_t quotient, rest;
    };

    Division() = default;  // by 1
    explicit Division(std::int64_t divisor) : divisor_(divisor) {
        ENGINE_CHECK(divisor >= 1);
        is_small_ = divisor < kSmall;
        if (!is_small_) return;
        const auto small = static_cast<std::uint64_t>(divisor);
        const int log = std::bit_width(small - 1);
        shift_ = 31 + log;
        multiplier_ = static_cast<std::uint32_t>(((std::uint64_t{1} << shift_) + small - 1) / small);
    }

    TANDEM_DEVICE std::int64_t divisor() const { return divisor_; }
    // Divides n. Requires n >= 0.
    TANDEM_DEVICE Parts operator()(std::int64_t n) const {
        std::int64_t quotient;
        if (is_small_ && n < kSmall) {
            quotient = static_cast<std::int64_t>((static_cast<std::uint64_t>(n) * multiplier_) >> shift_);
        } else {
            quotient = n / divisor_;
        }
        return {quotient, n - quotient * divisor_};
    }

private:
    static constexpr std::int64_t kSmall = std::int64_t{1} << 31;

    std::int64_t divisor_ = 1;
    std::uint32_t multiplier_ = 1U << 31;
    int shift_ = 31;
    bool is_small_ = true;
};

}  // namespace engine::backend::cuda
