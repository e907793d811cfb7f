// SPDX-License-Identifier: GPL-3.0-or-later
// What goes wrong in a run's layers, in the user's language.
#pragma once

#include <QString>

#include "engine/run/layer_anomalies.h"

namespace ui::views {

// Returns one sentence; names of layers and numbers stand in it as everywhere.
QString anomalySentence(const engine::run::LayerAnomaly& anomaly);

}  // namespace ui::views
