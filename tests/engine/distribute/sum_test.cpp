#include "engine/distribute/sum.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "tests/support/collective_cases.h"

namespace {

using engine::distribute::addInto;
using engine::distribute::sumToAll;
using tests::support::randomInput;

TEST(Sum, AddsToOwnFromAnyAlignment) {
    for (std::size_t count = 0; count < 150; ++count) {
        std::vector<float> own = randomInput(0, count);
        const std::vector<float> before = own;
        const std::vector<float> incoming = randomInput(1, count);
        std::vector<std::byte> shifted(count * sizeof(float) + 1);
        if (count > 0) std::memcpy(shifted.data() + 1, incoming.data(), count * sizeof(float));
        addInto(own.data(), shifted.data() + 1, count);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(own[i], incoming[i] + before[i]);
    }
}

TEST(Sum, GivesEveryPartTheSumInTheOrderOfTheParts) {
    for (std::size_t parts = 2; parts < 6; ++parts) {
        for (const std::size_t count : {0, 1, 15, 16, 17, 63, 64, 65, 1000}) {
            std::vector<std::vector<float>> data;
            std::vector<float*> pointers;
            for (std::size_t p = 0; p < parts; ++p) data.push_back(randomInput(static_cast<int>(p), count));
            for (auto& part : data) pointers.push_back(part.data());
            std::vector<float> expected = data[0];
            for (std::size_t p = 1; p < parts; ++p) {
                for (std::size_t i = 0; i < count; ++i) expected[i] += data[p][i];
            }
            sumToAll(pointers, count);
            for (const auto& part : data) EXPECT_EQ(part, expected) << parts << " parts of " << count;
        }
    }
}

}  // namespace
