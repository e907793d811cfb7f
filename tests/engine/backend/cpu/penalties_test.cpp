// Regularizers: what they add to the loss and take off the weights, by their formulas, on both executors.
#include "tests/support/penalty_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, Penalties,
                         ::testing::Values(Backend{"Reference", makeReferenceExecutor}, Backend{"Cpu", makeCpuExecutor},
                                           Backend{"CpuInPieces", tests::support::makePiecewiseExecutor}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
