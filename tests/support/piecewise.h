// A processor's executor that takes a training step in pieces, or a thread's samples in strips, however small the batch is.
#pragma once

#include <memory>

#include "engine/backend/executor.h"

namespace tests::support {

// Three samples at once, so that a batch's last piece is shorter than the others in most tests.
inline std::unique_ptr<engine::backend::Executor> makePiecewiseExecutor(const engine::plan::Plan& plan,
                                                                        engine::backend::Variables& variables,
                                                                        const engine::backend::ExecutorOptions& options) {
    engine::backend::ExecutorOptions in_pieces = options;
    in_pieces.piece = 3;
    return engine::backend::makeCpuExecutor(plan, variables, in_pieces);
}

// Four strips a thread: of one sample or none in most tests.
inline std::unique_ptr<engine::backend::Executor> makeStripwiseExecutor(const engine::plan::Plan& plan,
                                                                        engine::backend::Variables& variables,
                                                                        const engine::backend::ExecutorOptions& options) {
    engine::backend::ExecutorOptions in_strips = options;
    in_strips.strips = 4;
    return engine::backend::makeCpuExecutor(plan, variables, in_strips);
}

}  // namespace tests::support
