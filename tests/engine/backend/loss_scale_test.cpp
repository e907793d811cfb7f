// Loss scaling by the reference; what others make of it.
#include "engine/spec/error.h"
#include "tests/support/loss_scale_cases.h"

namespace engine::backend {
namespace {

INSTANTIATE_TEST_SUITE_P(Executors, LossScaling, ::testing::Values(Backend{"Reference", makeReferenceExecutor}),
                         [](const auto& param) { return param.param.name; });

}  // namespace
}  // namespace engine::backend
