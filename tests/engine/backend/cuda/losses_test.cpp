// Every loss of Keras by its kernels.
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/loss_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasLosses,
                         ::testing::Values(Backend{"Cuda", cuda::makeUpdateAndLossOps},
                                           Backend{"CudaExecutor", tests::support::makeCudaExecutor}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
