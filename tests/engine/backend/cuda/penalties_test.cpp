// Regularizers by their kernels.
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/penalty_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, Penalties,
                         ::testing::Values(Backend{"Cuda", cuda::makeUpdateAndLossOps},
                                           Backend{"CudaExecutor", tests::support::makeCudaExecutor}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
