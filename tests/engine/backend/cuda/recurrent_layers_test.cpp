// Recurrent layers by their kernels.
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/layer_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasLayers,
                         ::testing::Values(Back{"Cuda", &cuda::makeUpdateAndLossOps, 1},
                                           Back{"CudaExecutor", &tests::support::makeCudaExecutor, 1}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
