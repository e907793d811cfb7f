// Tests of damaged files: a reader may give what it likes or throw engine::Error that names the file, but it neither crashes, nor throws
// anything else, nor asks for memory that the file does not justify. That it ends at all is checked by ctest's time limit.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace tests::support {

struct DamageOptions {
    std::size_t rounds = 100;  // places of each kind of damage, spread over the file
    std::string named;         // a part of every error's message: the file; empty for readers that know no name
};

// Calls `read` with copies of `whole` that are cut short, have flipped bits, bytes drawn at random, pieces left out or doubled, huge binary
// counts, and in place of decimal numbers huge, negative and fractional ones. The same copies each time.
// A program that links this replaces operator new: one that asks for more than kMostBytes at once while `read` runs gets std::bad_alloc,
// which is a failure of the test.
void forEachDamage(const std::string& whole, const std::function<void(const std::string&)>& read, const DamageOptions& options = {});

inline constexpr std::size_t kMostBytes = std::size_t{128} << 20;

}  // namespace tests::support
