#include "engine/tensor/bfloat16.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace engine::tensor {
namespace {

float ofBits(std::uint32_t bits) {
    return std::bit_cast<float>(bits);
}

TEST(Bfloat16, RoundsToTheNearestAndTiesToEven) {
    struct Row {
        const char* name;
        std::uint32_t from;
        std::uint16_t to;
    };
    const Row rows[] = {
        {"one", 0x3F80'0000, 0x3F80},
        {"below a tie", 0x3F80'7FFF, 0x3F80},
        {"tie above an even number", 0x3F80'8000, 0x3F80},
        {"above a tie", 0x3F80'8001, 0x3F81},
        {"tie above an odd number", 0x3F81'8000, 0x3F82},
        {"negative tie", 0xBF81'8000, 0xBF82},
        {"up to the next power", 0x3FFF'8000, 0x4000},
        {"zero", 0x0000'0000, 0x0000},
        {"negative zero", 0x8000'0000, 0x8000},
        {"denormal", 0x0001'8000, 0x0002},
        {"the largest that stays finite", 0x7F7F'7FFF, 0x7F7F},
        {"beyond it", 0x7F7F'8000, 0x7F80},
        {"infinity", 0x7F80'0000, 0x7F80},
        {"negative infinity", 0xFF80'0000, 0xFF80},
        {"quiet NaN", 0x7FC0'0000, 0x7FC0},
        {"NaN in the lower half alone", 0x7F80'0001, 0x7FC0},
        {"NaN of every bit", 0xFFFF'FFFF, 0xFFFF},
    };
    for (const Row& row : rows) EXPECT_EQ(toBfloat16(ofBits(row.from)), row.to) << row.name;
}

TEST(Bfloat16, ComesBackAsItWas) {
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const float value = fromBfloat16(static_cast<std::uint16_t>(bits));
        if (std::isnan(value)) {
            EXPECT_TRUE(std::isnan(fromBfloat16(toBfloat16(value))));
        } else {
            EXPECT_EQ(toBfloat16(value), bits);
        }
    }
}

// Eight bits of precision: an error of 2^-8 of the value at most.
TEST(Bfloat16, ErrsByHalfOfTheLastBitAtMost) {
    for (float value = 1e-30F; value < 1e30F; value *= 1.37F) {
        EXPECT_LE(std::abs(fromBfloat16(toBfloat16(value)) - value), value * 0x1p-8F) << value;
    }
}

}  // namespace
}  // namespace engine::tensor
