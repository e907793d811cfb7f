// Compiled with AVX-512 (F, BW, DQ, VL) and FMA. Everything sits in an unnamed namespace and no library template is instantiated, so that
// the linker cannot give this file's code to a processor without these instructions.
#include <immintrin.h>

#include <type_traits>
#include <utility>

#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {
namespace {

constexpr int kVectorBytes = 64;
// Tiles for 32 registers: sums, one row of b, one value of a.
constexpr int kPanelVectors = 4, kMaxRows = 12;
constexpr int kTileRows[kPanelVectors] = {12, 12, 8, 6};
constexpr int kPoolVectors = 2;
constexpr int kPoolWindows[kPoolVectors] = {3, 3};
constexpr int kPoolGradientVectors = 2, kPoolGradientRows = 9;
constexpr int kBlockRows = 48;
// A shuffle of two vectors by a vector of indices is one instruction.
constexpr bool kHasLookup = true;

#include "engine/backend/cpu/isa/types.inc"

inline Vec loadPart(const float* p, int count) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>((1U << count) - 1), p);
}
inline void storePart(float* p, Vec v, int count) {
    _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1U << count) - 1), v);
}
inline Vec larger(Vec a, Vec b) {
    return _mm512_maskz_max_ps(0xFFFF, a, b);
}
inline Vec lesser(Vec a, Vec b) {
    return _mm512_maskz_min_ps(0xFFFF, a, b);
}
// p[0] in lane 0 and p[lane] in its own; the rest 0 and not read.
inline Vec loadTwo(const float* p, int lane) {
    return _mm512_maskz_loadu_ps(static_cast<__mmask16>(1U | 1U << lane), p);
}
inline Vec squareRoot(Vec x) {
    return _mm512_maskz_sqrt_ps(0xFFFF, x);
}

// An estimate of 14 bits and one step of Newton's: within an ulp or so, without the divider, which the square root keeps busy.
inline Vec reciprocal(Vec x) {
    const Vec estimate = _mm512_maskz_rcp14_ps(0xFFFF, x);
    return estimate * (2 - x * estimate);
}
inline IntVec loadBytes(const std::uint8_t* p) {
    return reinterpret_cast<IntVec>(_mm512_maskz_cvtepu8_epi32(0xFFFF, _mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
inline void storeBytes(std::uint8_t* p, IntVec v) {
    _mm512_mask_cvtepi32_storeu_epi8(p, 0xFFFF, reinterpret_cast<__m512i>(v));
}
inline Vec toFloats(IntVec v) {
    return _mm512_maskz_cvtepi32_ps(0xFFFF, reinterpret_cast<__m512i>(v));
}

#include "engine/backend/cpu/isa/vector.inc"

#include "engine/backend/cpu/isa/float_product.inc"

#include "engine/backend/cpu/isa/product.inc"

#include "engine/backend/cpu/isa/transpose.inc"

#include "engine/backend/cpu/isa/convolution.inc"

#include "engine/backend/cpu/isa/elementwise.inc"

#include "engine/backend/cpu/isa/panel_product.inc"

#include "engine/backend/cpu/isa/panel.inc"

#include "engine/backend/cpu/isa/winograd.inc"

#include "engine/backend/cpu/isa/depthwise.inc"

#include "engine/backend/cpu/isa/image.inc"

#include "engine/backend/cpu/isa/math.inc"

#include "engine/backend/cpu/isa/activation.inc"

#include "engine/backend/cpu/isa/normalization.inc"

#include "engine/backend/cpu/isa/recurrent.inc"

#include "engine/backend/cpu/isa/update.inc"

#include "engine/backend/cpu/isa/table.inc"

constexpr KernelTable kTable = makeTable(Isa::kAvx512);

}  // namespace

const KernelTable* avx512Kernels() {
    return &kTable;
}

}  // namespace engine::backend::cpu
