#include <xmmintrin.h>

#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/processor.h"

namespace engine::backend::cpu {

// The compiler's run-time library asks CPUID, and XGETBV for what the operating system saves.
Isa supportedIsa() {
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        return Isa::kAvx512;
    }
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? Isa::kAvx2 : Isa::kPortable;
}

bool supportsPairProducts() {
    return supportedIsa() == Isa::kAvx512 && __builtin_cpu_supports("avx512bf16");
}

namespace {
constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x0040;  // bits of MXCSR
}

FlushDenormals::FlushDenormals() : saved_(_mm_getcsr()) {
    _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero);
}
FlushDenormals::~FlushDenormals() {
    _mm_setcsr(saved_);
}

void pauseCore() {
    _mm_pause();
}

}  // namespace engine::backend::cpu
