// SPDX-License-Identifier: GPL-3.0-or-later
// Curves of runs that differ by their seed alone, as one curve with a band: mean and standard deviation at each step that all of them have.
#pragma once

#include <cstdint>
#include <vector>

namespace ui::models {

struct CurvePoint {
    std::int64_t step = 0;
    double seconds = 0;  // since the run was created
    double value = 0;
};
using Curve = std::vector<CurvePoint>;  // of rising step

struct MeanCurve {
    Curve mean;                       // seconds are a mean, too
    std::vector<float> lower, upper;  // mean - deviation and mean + deviation, one entry a point
};

MeanCurve meanCurve(const std::vector<Curve>& curves);

}  // namespace ui::models
