// Compiled with AVX-512 (F, BW, DQ, VL, BF16). As in avx512.cpp, everything sits in an unnamed namespace. An instruction multiplies pairs
// of bfloat16 and adds both products to a float32: twice the products of a multiply-add of floats. Denormals count as zero.
#include <immintrin.h>

#include <type_traits>
#include <utility>

#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {
namespace {

constexpr int kVectorBytes = 64;
constexpr int kPanelVectors = 4, kMaxRows = 12;
constexpr int kTileRows[kPanelVectors] = {12, 12, 8, 6};

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

#include "engine/backend/cpu/isa/vector.inc"

// Copies the bits of one pair into every lane. Nothing may be computed with them as a float, since a pair is no number.
inline Vec splatFrom(const float* p) {
    return _mm512_maskz_broadcastss_ps(0xFFFF, _mm_load_ss(p));
}
inline Vec withProduct(Vec sum, Vec x, Vec row) {
    return _mm512_dpbf16_ps(sum, reinterpret_cast<__m512bh>(x), reinterpret_cast<__m512bh>(row));
}

#include "engine/backend/cpu/isa/product.inc"

#include "engine/backend/cpu/isa/panel_product.inc"

constexpr PairProducts kProducts{.product = product, .convolvePanel = convolvePanel, .panelGradient = panelGradient};

}  // namespace

const PairProducts* avx512PairProducts() {
    return &kProducts;
}

}  // namespace engine::backend::cpu
