#include "engine/backend/cpu/cpu_features.h"

#include <cstdlib>
#include <string>

#include "engine/backend/cpu/kernel_table.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {

std::string_view toString(Isa isa) {
    switch (isa) {
        case Isa::kPortable:
            return "portable";
        case Isa::kAvx2:
            return "AVX2";
        case Isa::kAvx512:
            return "AVX-512";
    }
    return "";
}

Isa chooseIsa() {
    const char* forced = std::getenv("TANDEM_CPU");
    if (forced == nullptr || *forced == '\0') return supportedIsa();
    const std::string word = forced;
    const Isa isa = word == "avx512" ? Isa::kAvx512 : word == "avx2" ? Isa::kAvx2 : Isa::kPortable;
    if (isa == Isa::kPortable && word != "portable") {
        throw Error(ErrorCode::kInvalidArgument, "TANDEM_CPU: expected avx512, avx2 or portable, got " + word);
    }
    if (isa > supportedIsa()) {
        throw Error(ErrorCode::kFailedPrecondition,
                    "TANDEM_CPU: expected at most " + std::string(toString(supportedIsa())) + " on this processor, got " + word);
    }
    return isa;
}

const KernelTable& kernelTable(Isa isa) {
    const KernelTable* table = isa == Isa::kAvx512 ? avx512Kernels() : isa == Isa::kAvx2 ? avx2Kernels() : portableKernels();
    ENGINE_CHECK(table != nullptr);
    return *table;
}

const PairProducts* pairProducts(Isa isa) {
    return isa == Isa::kAvx512 && supportsPairProducts() ? avx512PairProducts() : nullptr;
}

}  // namespace engine::backend::cpu
