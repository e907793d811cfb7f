// SPDX-License-Identifier: GPL-3.0-or-later
// Runs as lines over parallel axes: which axes there are, where a run crosses them, and which runs a brush lets by. No widget inside.
#pragma once

#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "ui/session/values.h"

namespace ui::models {

struct ParallelAxis {
    QString name;
    bool logarithmic = false;
    QStringList categories;  // of texts, in the order of the axis from its foot; empty: numbers
    double low = 0, high = 1;
    std::vector<double> stops;  // positions of the runs' values, where they are few
    bool whole = false;         // no run has a fraction there
    bool result = false;        // what a run reached, not what it was given
    // Returns the text at a position: a category's, or a number's.
    QString label(double position) const;
    // Returns where labels stand on the axis: 0 is its foot, 1 its top.
    std::vector<double> ticks() const;
    friend bool operator==(const ParallelAxis&, const ParallelAxis&) = default;
};

struct ParallelLine {
    QString id, name;
    int color = 0, dash = 0;
    std::vector<double> positions;  // by axis, 0 at the foot to 1; NaN: the run has no value there
};

// A part of an axis, in positions.
struct AxisBrush {
    double low = 0, high = 1;
    friend bool operator==(const AxisBrush&, const AxisBrush&) = default;
};
using Brushes = std::vector<std::optional<AxisBrush>>;  // by axis

struct ParallelPlot {
    std::vector<ParallelAxis> axes;
    std::vector<ParallelLine> lines;
};

// Returns axes of settings that are not alike in all runs, then of the results that any run has. A rate has a logarithmic axis.
ParallelPlot parallelPlot(const std::vector<session::RunSummary>& runs);

// True when the brushes let the line by. A line without a value on a brushed axis is not let by.
bool letsBy(const Brushes& brushes, const ParallelLine& line);

}  // namespace ui::models
