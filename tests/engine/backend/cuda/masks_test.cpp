// Masks in recurrent layers, losses and metrics by their kernels.
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/mask_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasMasks,
                         ::testing::Values(Back{"Cuda", &cuda::makeUpdateAndLossOps},
                                           Back{"CudaExecutor", &tests::support::makeCudaExecutor}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
