// Ten optimizers with every setting take Keras' steps on both executors, fused and not: tests/data/keras/optimizers.json.
#include "tests/support/optimizer_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Ways, KerasOptimizers,
                         ::testing::Values(Way{"Reference", makeReferenceExecutor, false, false},
                                           Way{"ReferenceFused", makeReferenceExecutor, true, true},
                                           Way{"Cpu", makeCpuExecutor, false, false}, Way{"CpuOneUpdate", makeCpuExecutor, true, false},
                                           Way{"CpuUpdateInGradient", makeCpuExecutor, true, true},
                                           Way{"CpuInPieces", tests::support::makePiecewiseExecutor, true, true}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
