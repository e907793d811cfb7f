// SipHash-2-4 of Aumasson and Bernstein ("SipHash: a fast short-input PRF", 2012), as TensorFlow's strong hashes of texts are made.
#pragma once

#include <cstdint>
#include <string_view>

namespace engine::checksum {

// The hash of 64 bits by a key of two numbers, the paper's k0 and k1.
std::uint64_t sipHash24(std::string_view bytes, std::uint64_t first, std::uint64_t second);

}  // namespace engine::checksum
