// Ten optimizers with every setting by their kernels: one by one, all in one update, and after each gradient.
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/optimizer_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasOptimizers,
                         ::testing::Values(Way{"Cuda", cuda::makeUpdateAndLossOps, false, false},
                                           Way{"CudaOneUpdate", cuda::makeUpdateAndLossOps, true, false},
                                           Way{"CudaUpdateInGradient", cuda::makeUpdateAndLossOps, true, true},
                                           Way{"CudaExecutor", tests::support::makeCudaExecutor, true, false}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
