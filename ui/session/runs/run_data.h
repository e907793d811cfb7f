// SPDX-License-Identifier: GPL-3.0-or-later
// A run's record as what data files and reports are written from: the same that the command line makes of the journal, under the name that
// the user gave the run.
#pragma once

#include "engine/report/run_data.h"

namespace ui::session {

class RunRecord;

engine::report::RunData runData(const RunRecord& run);

}  // namespace ui::session
