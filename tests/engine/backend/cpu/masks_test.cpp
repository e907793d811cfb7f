// Masks on both executors against Keras' numbers: tests/data/keras/masks.json. What each layer does with a mask that it meets, and what a
// mask does to the loss and the metrics.
#include "tests/support/mask_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, KerasMasks,
                         ::testing::Values(Back{"Reference", &makeReferenceExecutor}, Back{"Portable", &makeCpuExecutor, 1, Isa::kPortable},
                                           Back{"Avx2TwoThreads", &makeCpuExecutor, 2, Isa::kAvx2},
                                           Back{"Avx512", &makeCpuExecutor, 1, Isa::kAvx512},
                                           Back{"Avx512ThreeThreads", &makeCpuExecutor, 3, Isa::kAvx512}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
