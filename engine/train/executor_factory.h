// Which back-end computes: whoever starts a task says it, as a function.
#pragma once

#include <memory>

#include "engine/backend/executor.h"

namespace engine::train {

// backend::makeCpuExecutor and its siblings. Throws Error as they do.
using ExecutorFactory = std::unique_ptr<backend::Executor> (*)(const plan::Plan&, backend::Variables&, const backend::ExecutorOptions&);

}  // namespace engine::train
