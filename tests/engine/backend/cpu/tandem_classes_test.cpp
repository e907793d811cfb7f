// Layers that Keras lacks, on the reference and the CPU against Keras' numbers.
#include "engine/backend/cpu/cpu_features.h"
#include "tests/support/forced_isa.h"
#include "tests/support/tandem_class_cases.h"

namespace engine::backend {
namespace {

using cpu::Isa;

Back backOf(const char* name, Isa isa, int threads) {
    const auto make = [isa](const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
        const tests::support::ForcedIsa forced(tests::support::wordOf(isa));
        return makeCpuExecutor(plan, variables, options);
    };
    const bool is_there = isa <= cpu::supportedIsa();
    return {name, make, threads, is_there ? "" : "this processor has no " + std::string(toString(isa))};
}

INSTANTIATE_TEST_SUITE_P(Executors, KerasTandemClasses,
                         ::testing::Values(Back{"Reference", &makeReferenceExecutor}, backOf("Portable", Isa::kPortable, 1),
                                           backOf("Avx2TwoThreads", Isa::kAvx2, 2), backOf("Avx512ThreeThreads", Isa::kAvx512, 3)),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
