// Activations, normalisation, embedding and recurrent layers on both executors against Keras' numbers: tests/data/keras.
#include "tests/support/layer_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, KerasLayers,
                         ::testing::Values(Back{"Reference", &makeReferenceExecutor, 1}, Back{"Cpu", &makeCpuExecutor, 1},
                                           Back{"CpuTwoThreads", &makeCpuExecutor, 2}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
