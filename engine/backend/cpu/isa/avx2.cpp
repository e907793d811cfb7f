// Compiled with AVX2 and FMA. Everything sits in an unnamed namespace and no library template is instantiated, so that the
// linker cannot give this file's code to a processor without these instructions.
#include <immintrin.h>

#include <type_traits>
#include <utility>

#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {
namespace {

constexpr int kVectorBytes = 32;
// Tiles for 16 registers: sums, one row of b, one value of a.
constexpr int kPanelVectors = 2, kMaxRows = 8;
constexpr int kTileRows[kPanelVectors] = {8, 6};
constexpr int kPoolVectors = 2;
constexpr int kPoolWindows[kPoolVectors] = {2, 1};
constexpr int kPoolGradientVectors = 1, kPoolGradientRows = 9;
constexpr int kBlockRows = 32;
// A shuffle of two vectors by a vector of indices takes several instructions.
constexpr bool kHasLookup = false;

#include "engine/backend/cpu/isa/types.inc"

inline __m256i firstLanes(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline Vec loadPart(const float* p, int count) {
    return _mm256_maskload_ps(p, firstLanes(count));
}
inline void storePart(float* p, Vec v, int count) {
    _mm256_maskstore_ps(p, firstLanes(count), v);
}
inline Vec larger(Vec a, Vec b) {
    return _mm256_max_ps(a, b);
}
inline Vec lesser(Vec a, Vec b) {
    return _mm256_min_ps(a, b);
}
// p[0] in lane 0 and p[lane] in its own; the rest 0 and not read.
inline Vec loadTwo(const float* p, int lane) {
    Vec v{};
    v[0] = p[0];
    v[lane] = p[lane];
    return v;
}
inline Vec squareRoot(Vec x) {
    return _mm256_sqrt_ps(x);
}

inline Vec reciprocal(Vec x) {
    return 1 / x;
}
inline IntVec loadBytes(const std::uint8_t* p) {
    return reinterpret_cast<IntVec>(_mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(p))));
}
inline void storeBytes(std::uint8_t* p, IntVec v) {
    const __m256i all = reinterpret_cast<__m256i>(v);
    const __m128i words = _mm_packus_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(p), _mm_packus_epi16(words, words));
}
inline Vec toFloats(IntVec v) {
    return _mm256_cvtepi32_ps(reinterpret_cast<__m256i>(v));
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

constexpr KernelTable kTable = makeTable(Isa::kAvx2);

}  // namespace

const KernelTable* avx2Kernels() {
    return &kTable;
}

}  // namespace engine::backend::cpu
