// Constraints by their kernels.
#include "tests/support/constraint_cases.h"
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, Constraints,
                         ::testing::Values(Backend{"Cuda", cuda::makeUpdateAndLossOps},
                                           Backend{"CudaExecutor", tests::support::makeCudaExecutor}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
