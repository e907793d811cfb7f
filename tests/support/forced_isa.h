// The instruction set that executors made meanwhile use.
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

#include "engine/backend/cpu/cpu_features.h"

namespace tests::support {

// Sets TANDEM_CPU for a scope.
class ForcedIsa {
public:
    explicit ForcedIsa(const std::string& word) {
        if (const char* before = std::getenv("TANDEM_CPU")) before_ = before;
        setenv("TANDEM_CPU", word.c_str(), 1);
    }
    ~ForcedIsa() {
        if (before_) {
            setenv("TANDEM_CPU", before_->c_str(), 1);
        } else {
            unsetenv("TANDEM_CPU");
        }
    }
    ForcedIsa(const ForcedIsa&) = delete;
    ForcedIsa& operator=(const ForcedIsa&) = delete;

private:
    std::optional<std::string> before_;
};

inline const char* wordOf(engine::backend::cpu::Isa isa) {
    using engine::backend::cpu::Isa;
    return isa == Isa::kAvx512 ? "avx512" : isa == Isa::kAvx2 ? "avx2" : "portable";
}

}  // namespace tests::support
