// Layers that Keras lacks, by the kernels for GPUs against Keras' numbers.
#include "tests/support/cuda_device.h"
#include "tests/support/tandem_class_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Kernels, KerasTandemClasses, ::testing::Values(Back{"CudaExecutor", &tests::support::makeCudaExecutor}),
                         [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::backend
