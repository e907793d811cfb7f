// Files cut short and with flipped bits: a reader may give what it likes or throw engine::Error, but nothing else.
#pragma once

#include <algorithm>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace tests::support {

inline void expectAnErrorAtMost(const std::string& file, const std::function<void(const std::string&)>& read) {
    try {
        read(file);
    } catch (const engine::Error& error) {
        EXPECT_FALSE(std::string(error.what()).empty());
    }
}

// About `rounds` lengths and as many flipped bits, spread over the file; the same each time.
inline void forEachDamage(const std::string& whole, const std::function<void(const std::string&)>& read, std::size_t rounds = 300) {
    const std::size_t stride = std::max<std::size_t>(1, whole.size() / rounds);
    for (std::size_t length = 0; length < whole.size(); length += stride) {
        expectAnErrorAtMost(whole.substr(0, length), read);
    }
    for (std::size_t at = 0; at < whole.size(); at += stride) {
        std::string flipped = whole;
        flipped[at] = static_cast<char>(flipped[at] ^ (1 << (at / stride % 8)));
        expectAnErrorAtMost(flipped, read);
    }
}

}  // namespace tests::support
