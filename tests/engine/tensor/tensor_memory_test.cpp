#include "engine/tensor/tensor_memory.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include <gtest/gtest.h>

namespace engine::tensor {
namespace {

constexpr std::int64_t kMebibyte = 1 << 20;

bool isZeroed(const TensorMemory& memory) {
    return std::all_of(memory.span().begin(), memory.span().end(), [](std::byte value) { return value == std::byte{0}; });
}

std::uintptr_t addressOf(const TensorMemory& memory) {
    return reinterpret_cast<std::uintptr_t>(memory.data());
}

// What the kernel keeps in large pages of the mapping that an address lies in; -1 where it does not say.
std::int64_t largePageBytes(std::uintptr_t address) {
    std::ifstream maps("/proc/self/smaps");
    bool is_here = false;
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t begin = 0, end = 0;
        if (std::istringstream range(line); range >> std::hex >> begin && range.get() == '-' && range >> end) {
            is_here = begin <= address && address < end;
        } else if (is_here && line.starts_with("AnonHugePages:")) {
            return std::stoll(line.substr(line.find(':') + 1)) * 1024;
        }
    }
    return -1;
}

bool systemHasLargePages() {
    std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
    std::string modes;
    std::getline(file, modes);
    return modes.find("[madvise]") != std::string::npos || modes.find("[always]") != std::string::npos;
}

TEST(TensorMemory, IsZeroedAndBeginsOnALine) {
    for (std::int64_t bytes :
         {std::int64_t{0}, std::int64_t{1}, std::int64_t{64}, std::int64_t{1000}, kMebibyte - 1, kMebibyte, 5 * kMebibyte + 3}) {
        const TensorMemory memory(bytes);
        ASSERT_NE(memory.data(), nullptr) << bytes;
        EXPECT_EQ(static_cast<std::int64_t>(memory.span().size()), bytes);
        EXPECT_EQ(addressOf(memory) % TensorMemory::kAlignment, 0U) << bytes;
        EXPECT_TRUE(isZeroed(memory)) << bytes;
    }
}

TEST(TensorMemory, MovesAndIsEmptyUntilThen) {
    TensorMemory memory;
    EXPECT_TRUE(memory.span().empty());
    TensorMemory other(3 * kMebibyte);
    other.data()[3 * kMebibyte - 1] = std::byte{7};
    const std::byte* at = other.data();
    memory = std::move(other);
    EXPECT_EQ(memory.data(), at);
    EXPECT_EQ(memory.span().back(), std::byte{7});
}

TEST(TensorMemory, LiesInLargePagesWhereItIsLarge) {
    if (!systemHasLargePages()) GTEST_SKIP() << "this system has no large pages for who asks";
    const TensorMemory memory(16 * kMebibyte);
    const std::int64_t large = largePageBytes(addressOf(memory));
    if (large == 0) GTEST_SKIP() << "the system had no large page left";
    EXPECT_GE(large, 2 * kMebibyte);
    EXPECT_EQ(addressOf(memory) % (2 * kMebibyte), 0U);
}

}  // namespace
}  // namespace engine::tensor
