// Residual blocks by the kernels for GPUs against Keras' numbers.
#include "tests/support/cuda_device.h"
#include "tests/support/residual_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasResidual, ::testing::Values(Back{"CudaExecutor", &tests::support::makeCudaExecutor}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
