// Compiled for the least processor of the target: vectors of 16 bytes, which SSE2 and Neon have.
#include <type_traits>
#include <utility>

#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {
namespace {

constexpr int kVectorBytes = 16;
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

inline Vec loadPart(const float* p, int count) {
    Vec v{};
    for (int i = 0; i < count; ++i) v[i] = p[i];
    return v;
}
inline void storePart(float* p, Vec v, int count) {
    for (int i = 0; i < count; ++i) p[i] = v[i];
}
inline Vec larger(Vec a, Vec b) {
    return a > b ? a : b;
}
inline Vec lesser(Vec a, Vec b) {
    return a < b ? a : b;
}
// p[0] in lane 0 and p[lane] in its own; the rest 0 and not read.
inline Vec loadTwo(const float* p, int lane) {
    Vec v{};
    v[0] = p[0];
    v[lane] = p[lane];
    return v;
}
inline Vec squareRoot(Vec x) {
    Vec y;
    for (int i = 0; i < kWidth; ++i) y[i] = __builtin_sqrtf(x[i]);
    return y;
}

inline Vec reciprocal(Vec x) {
    return 1 / x;
}
inline IntVec loadBytes(const std::uint8_t* p) {
    return IntVec{p[0], p[1], p[2], p[3]};
}
inline void storeBytes(std::uint8_t* p, IntVec v) {
    for (int i = 0; i < kWidth; ++i) p[i] = static_cast<std::uint8_t>(v[i]);
}
inline Vec toFloats(IntVec v) {
    return __builtin_convertvector(v, Vec);
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

constexpr KernelTable kTable = makeTable(Isa::kPortable);

}  // namespace

const KernelTable* portableKernels() {
    return &kTable;
}

}  // namespace engine::backend::cpu
