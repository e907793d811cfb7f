// A run's whole history as TensorBoard's event files, as Keras' callback would have left them: for runs that had none, and to set runs side
// by side.
#pragma once

#include <cstdint>

#include "engine/files/place.h"
#include "engine/run/run_history.h"

namespace engine::exporter {

struct WrittenRunLogs {
    std::int64_t files = 0, points = 0;
};

// FOLDER/train and, where something was validated, FOLDER/validation, with the times at which it happened. A run of event files keeps its
// own tags. Throws Error as EventFile does.
WrittenRunLogs writeRunLogs(const run::RunHistory& run, const files::Place& folder);

}  // namespace engine::exporter
