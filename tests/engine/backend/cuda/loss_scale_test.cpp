// Loss scaling decided on the device.
#include "tests/support/cuda_update_and_loss_ops.h"
#include "tests/support/loss_scale_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, LossScaling, ::testing::Values(Backend{"Cuda", cuda::makeUpdateAndLossOps}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
