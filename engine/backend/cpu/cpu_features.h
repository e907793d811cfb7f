// Which vector instructions this processor offers, and which the run uses.
#pragma once

#include <string_view>

namespace engine::backend::cpu {

enum class Isa { kPortable, kAvx2, kAvx512 };

std::string_view toString(Isa isa);  // "AVX-512"

// What processor and operating system support. AVX-512 means F, BW, DQ and VL; AVX2 includes FMA.
Isa supportedIsa();

// AVX-512 BF16 beside AVX-512: products of bfloat16 in one instruction.
bool supportsPairProducts();

// The best supported one, or what the environment's TANDEM_CPU (avx512, avx2, portable) asks for. Throws Error: kInvalidArgument for
// another word, kFailedPrecondition for what the processor lacks.
Isa chooseIsa();

}  // namespace engine::backend::cpu
