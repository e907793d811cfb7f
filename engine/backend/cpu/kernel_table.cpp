#include "engine/backend/cpu/kernel_table.h"

#include "engine/spec/error.h"

namespace engine::backend::cpu {

const KernelTable& kernelTable(Isa isa) {
    const KernelTable* table = isa == Isa::kAvx512 ? avx512Kernels() : isa == Isa::kAvx2 ? avx2Kernels() : portableKernels();
    ENGINE_CHECK(table != nullptr);
    return *table;
}

const PairProducts* pairProducts(Isa isa) {
    return isa == Isa::kAvx512 && supportsPairProducts() ? avx512PairProducts() : nullptr;
}

}  // namespace engine::backend::cpu
