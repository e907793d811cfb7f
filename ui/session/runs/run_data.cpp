// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_data.h"

#include "ui/session/runs/run_names.h"
#include "ui/session/runs/run_record.h"

namespace ui::session {

engine::report::RunData runData(const RunRecord& run) {
    engine::report::RunData data = engine::report::runData(run.history(), fileStemOf(run.summary()).toStdString());
    data.facts.name = run.summary().name.toStdString();
    return data;
}

}  // namespace ui::session
