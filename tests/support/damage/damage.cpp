#include "tests/support/damage/damage.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace {

std::atomic<bool> is_limited{false};

void* allocate(std::size_t size, std::size_t alignment) noexcept {
    if (is_limited.load(std::memory_order_relaxed) && size > tests::support::kMostBytes) {
        return nullptr;
    }
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    return rounded < size ? nullptr : std::aligned_alloc(alignment, rounded);
}

void* allocateOrThrow(std::size_t size, std::size_t alignment) {
    if (void* memory = allocate(size, alignment)) {
        return memory;
    }
    throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
    return allocateOrThrow(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    return allocate(size, alignof(std::max_align_t));
}
void operator delete(void* memory, const std::nothrow_t&) noexcept {
    std::free(memory);
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    std::free(memory);
}

namespace tests::support {
namespace {

struct LimitedMemory {
    LimitedMemory() { is_limited = true; }
    ~LimitedMemory() { is_limited = false; }
    LimitedMemory(const LimitedMemory&) = delete;
    LimitedMemory& operator=(const LimitedMemory&) = delete;
};

// SplitMix64: the same numbers on every machine.
class Numbers {
public:
    std::size_t below(std::size_t limit) {
        state_ += 0x9E3779B97F4A7C15U;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
        z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
        return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
    }

private:
    std::uint64_t state_ = 20240229;
};

class Damager {
public:
    Damager(const std::string& whole, const std::function<void(const std::string&)>& read, const DamageOptions& options)
        : whole_(whole), read_(read), options_(options), stride_(std::max<std::size_t>(1, whole.size() / options.rounds)) {}

    void run() {
        for (std::size_t at = 0; at < whole_.size(); at += stride_) {
            expectAnErrorAtMost(whole_.substr(0, at), "cut short", at);
            flipBit(at);
            putHugeCount(at);
        }
        for (std::size_t round = 0; round < options_.rounds && !whole_.empty(); ++round) {
            drawBytes();
            movePiece(round);
        }
        replaceNumbers();
    }

private:
    void expectAnErrorAtMost(const std::string& file, const char* damage, std::size_t at) {
        const auto where = [&] { return std::string(damage) + " at byte " + std::to_string(at) + " of " + std::to_string(whole_.size()); };
        const LimitedMemory limited;
        try {
            read_(file);
        } catch (const engine::Error& error) {
            const std::string message = error.what();
            EXPECT_TRUE(!message.empty() && message.find(options_.named) != std::string::npos) << where() << ": " << message;
            EXPECT_NE(error.code(), engine::ErrorCode::kResourceExhausted) << where() << ": " << message;
        } catch (const std::bad_alloc&) {
            ADD_FAILURE() << where() << ": more than " << kMostBytes << " bytes of memory at once";
        } catch (const std::exception& error) {
            ADD_FAILURE() << where() << ": no engine::Error: " << error.what();
        }
    }

    void flipBit(std::size_t at) {
        std::string file = whole_;
        file[at] = static_cast<char>(file[at] ^ (1 << (at / stride_ % 8)));
        expectAnErrorAtMost(file, "a flipped bit", at);
    }
    void putHugeCount(std::size_t at) {
        constexpr std::array<std::string_view, 4> kCounts{std::string_view("\xFF\xFF\xFF\xFF", 4), std::string_view("\xFF\xFF\xFF\x7F", 4),
                                                          std::string_view("\x7F\xFF\xFF\xFF", 4),
                                                          std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F", 8)};
        std::string file = whole_;
        const std::string_view count = kCounts[at / stride_ % kCounts.size()];
        file.replace(at, std::min(count.size(), file.size() - at), count);
        expectAnErrorAtMost(file, "a huge count", at);
    }
    void drawBytes() {
        std::string file = whole_;
        const std::size_t at = numbers_.below(file.size());
        for (std::size_t i = at; i < std::min(file.size(), at + 1 + numbers_.below(8)); ++i) {
            file[i] = static_cast<char>(numbers_.below(256));
        }
        expectAnErrorAtMost(file, "random bytes", at);
    }
    void movePiece(std::size_t round) {
        const std::size_t at = numbers_.below(whole_.size());
        const std::size_t size = 1 + numbers_.below(std::min<std::size_t>(64, whole_.size()));
        std::string file = whole_;
        round % 2 == 0 ? file.erase(at, size) : file.insert(at, whole_.substr(at, size));
        expectAnErrorAtMost(file, round % 2 == 0 ? "a piece left out" : "a piece doubled", at);
    }
    void replaceNumbers() {
        constexpr std::array<std::string_view, 5> kInstead{"99999999999999999999999", "4611686018427387904", "2147483647", "-1", "1e999"};
        std::size_t round = 0;
        for (std::size_t at = 0; at < whole_.size() && round < options_.rounds; ++at) {
            std::size_t end = at;
            while (end < whole_.size() && std::isdigit(static_cast<unsigned char>(whole_[end])) != 0) {
                ++end;
            }
            if (end > at) {
                std::string file = whole_;
                file.replace(at, end - at, kInstead[round++ % kInstead.size()]);
                expectAnErrorAtMost(file, "another number", at);
                at = end;
            }
        }
    }

    const std::string& whole_;
    const std::function<void(const std::string&)>& read_;
    const DamageOptions& options_;
    const std::size_t stride_;
    Numbers numbers_;
};

}  // namespace

void forEachDamage(const std::string& whole, const std::function<void(const std::string&)>& read, const DamageOptions& options) {
    Damager(whole, read, options).run();
}

}  // namespace tests::support
