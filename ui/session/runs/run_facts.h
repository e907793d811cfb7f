// SPDX-License-Identifier: GPL-3.0-or-later
// What tables and comparisons of runs show of a run's project. Pure; any thread.
#pragma once

#include <QString>
#include <utility>
#include <vector>

#include "ui/session/values.h"

namespace ui::session {

// Of a project as its run resolved it; a text that is no project gives empty facts.
RunFacts factsOf(const QString& project_json);

// Whether there is later news of `a` than of `b`: one that goes on comes before those that are over, of these the last one to end.
bool isLater(const RunSummary& a, const RunSummary& b);

// Every value of the project by its path as `--set` takes it ("fit.epochs", "model.layers[2].config.units"), in the order of the keys.
std::vector<std::pair<QString, QString>> settingsOf(const QString& project_json);

}  // namespace ui::session
