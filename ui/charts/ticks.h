// SPDX-License-Identifier: GPL-3.0-or-later
// Where the ticks of an axis stand and what is written at them. One format for a whole axis.
#pragma once

#include <QString>
#include <vector>

#include "ui/charts/series.h"

namespace ui::models {

struct Tick {
    double position = 0;
    QString label;
    friend bool operator==(const Tick&, const Tick&) = default;
};

// Returns ticks at multiples of 1, 2, 2.5 or 5 × 10ⁿ inside [range], at most `most` (3 to 6 in practice), with equal decimals; thousands by
// the locale.
std::vector<Tick> linearTicks(Range range, int most);
// Returns ticks at whole numbers only: for the step axis.
std::vector<Tick> countTicks(Range range, int most);
// Returns the decades inside [range] as "1e-4", thinned out to `most`; below one decade the linear ticks, written as rates.
std::vector<Tick> logTicks(Range range, int most);
// Returns ticks of seconds as "0:30", "1:00", "1:00:00" at multiples of 1, 2, 5, 10, 15 or 30 seconds, minutes, then hours.
std::vector<Tick> durationTicks(Range range, int most);
// Returns ticks of seconds since 1970 as local "14:32:05" at the same multiples.
std::vector<Tick> clockTicks(Range range, int most);
std::vector<Tick> axisTicks(XAxis axis, Range range, int most);

// Widens a range outwards to the next multiples of its tick distance, so that a curve starts and ends on a grid line.
Range niceRange(Range range, int most);

}  // namespace ui::models
