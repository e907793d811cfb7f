// SPDX-License-Identifier: GPL-3.0-or-later
// What tables and comparisons of runs show of a run's project. Pure; any thread.
#pragma once

#include <QString>
#include <utility>
#include <vector>

#include "ui/session/values.h"

namespace ui::session {

// Returns the facts of a project as its run resolved it; empty ones when the text is no project.
RunFacts factsOf(const QString& project_json);

// True when there is later news of `a` than of `b`: a run that goes on comes before those that are over; of these, the last to end comes
// first.
bool isLater(const RunSummary& a, const RunSummary& b);

// Returns every value of the project by its path as `--set` takes it ("fit.epochs", "model.layers[2].config.units"), in the order of the
// keys.
std::vector<std::pair<QString, QString>> settingsOf(const QString& project_json);

}  // namespace ui::session
