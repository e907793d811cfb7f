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

using Quad [[gnu::vector_size(kVectorBytes)]] = float;
inline Quad loadPart(const float* p, int count) {
    Quad v{};
    for (int i = 0; i < count; ++i) v[i] = p[i];
    return v;
}
inline void storePart(float* p, Quad v, int count) {
    for (int i = 0; i < count; ++i) p[i] = v[i];
}
inline Quad squareRoot(Quad x) {
    Quad y;
    for (int i = 0; i < kVectorBytes / 4; ++i) y[i] = __builtin_sqrtf(x[i]);
    return y;
}

#include "engine/backend/cpu/isa/vector.inc"

#include "engine/backend/cpu/isa/product.inc"

#include "engine/backend/cpu/isa/convolution.inc"

#include "engine/backend/cpu/isa/elementwise.inc"

#include "engine/backend/cpu/isa/update.inc"

#include "engine/backend/cpu/isa/table.inc"

constexpr KernelTable kTable = makeTable(Isa::kPortable);

}  // namespace

const KernelTable* portableKernels() { return &kTable; }

}  // namespace engine::backend::cpu
