#include "engine/backend/cpu/cpu_features.h"
#include "engine/backend/cpu/kernel_table.h"
#include "engine/backend/cpu/processor.h"

namespace engine::backend::cpu {

Isa supportedIsa() {
    return Isa::kPortable;
}
const KernelTable* avx2Kernels() {
    return nullptr;
}
bool supportsPairProducts() {
    return false;
}
const PairProducts* avx512PairProducts() {
    return nullptr;
}
const KernelTable* avx512Kernels() {
    return nullptr;
}

FlushDenormals::FlushDenormals() : saved_(0) {}
FlushDenormals::~FlushDenormals() = default;

void pauseCore() {}

}  // namespace engine::backend::cpu
