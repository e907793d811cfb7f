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

inline __m256i firstLanes(int count) {
    return _mm256_cmpgt_epi32(_mm256_set1_epi32(count), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
inline __m256 loadPart(const float* p, int count) { return _mm256_maskload_ps(p, firstLanes(count)); }
inline void storePart(float* p, __m256 v, int count) { _mm256_maskstore_ps(p, firstLanes(count), v); }
inline __m256 squareRoot(__m256 x) { return _mm256_sqrt_ps(x); }

#include "engine/backend/cpu/isa/vector.inc"

#include "engine/backend/cpu/isa/product.inc"

#include "engine/backend/cpu/isa/convolution.inc"

#include "engine/backend/cpu/isa/elementwise.inc"

#include "engine/backend/cpu/isa/update.inc"

#include "engine/backend/cpu/isa/table.inc"

constexpr KernelTable kTable = makeTable(Isa::kAvx2);

}  // namespace

const KernelTable* avx2Kernels() { return &kTable; }

}  // namespace engine::backend::cpu
