// A run that Tandem did not make: it is read from TensorBoard's event files (engine/event_files), which other programs wrote.
#pragma once

#include "engine/run/run_info.h"

namespace engine::run {

// RunInfo::imported_from is then the folder of the files (absolute), where an archive leaves a computer's name.
inline bool isOfEventFiles(const RunInfo& run) {
    return run.followed && run.imported_from.starts_with('/');
}

}  // namespace engine::run
