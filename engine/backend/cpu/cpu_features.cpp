#include "engine/backend/cpu/cpu_features.h"

#include <cstdlib>
#include <string>

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

}  // namespace engine::backend::cpu
