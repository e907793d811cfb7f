// SPDX-License-Identifier: GPL-3.0-or-later
// A run's model as the engine is asked about it. Reads files: not on the GUI thread.
#pragma once

#include <QString>
#include <string>

#include "engine/spec/events/engine_question.h"

namespace ui::session {

struct RunQuestion {
    engine::spec::EngineQuestion question;  // the run's own project; what is asked is left to the caller
    std::string checkpoint;                 // absolute
};

// Returns the question about a run. `checkpoint`: its path below the run's folder, "checkpoints/ckpt_3"; empty: the latest. Throws
// engine::Error for a folder without a project that can be read.
RunQuestion questionOfRun(const QString& run_dir, const QString& checkpoint);

}  // namespace ui::session
