// A processor's executor that takes samples strip by strip, however few they are.
#pragma once

#include <memory>

#include "engine/backend/executor.h"

namespace tests::support {

// Four strips a thread: of one sample or none in most tests.
inline std::unique_ptr<engine::backend::Executor> makeStripwiseExecutor(const engine::plan::Plan& plan,
                                                                        engine::backend::Variables& variables,
                                                                        const engine::backend::ExecutorOptions& options) {
    engine::backend::ExecutorOptions in_strips = options;
    in_strips.strips = 4;
    return engine::backend::makeCpuExecutor(plan, variables, in_strips);
}

}  // namespace tests::support
