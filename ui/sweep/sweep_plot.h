// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep's trials as lines over parallel axes: an axis for each field, one for the epochs where they differ, and the objective. Pure.
#pragma once

#include "engine/sweep/sweep.h"
#include "ui/parallel/parallel_axes.h"

namespace ui::models {

// Returns the trials that have a value, by their number from 1 as id. `epochs`: the name of that axis.
ParallelPlot sweepPlot(const engine::sweep::Sweep& sweep, const QString& epochs);

}  // namespace ui::models
