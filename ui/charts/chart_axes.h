// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a chart: what x counts, where it begins and what it leaves out, both scales, and the part that is zoomed in.
#pragma once

#include <QObject>
#include <cstdint>
#include <optional>
#include <vector>

#include "ui/charts/chart_types.h"

namespace ui::charts {

struct ChartState;

// Changes the state of one card, which owns it. GUI thread only.
class ChartAxes : public QObject {
    Q_OBJECT
public:
    // `state` outlives every call.
    ChartAxes(ChartState& state, QObject* parent);

    void setOrigin(std::int64_t time_unix_ns);  // zero of the relative axis
    // Sets the stretches of time that the relative axis leaves out; they are ordered by time and do not overlap.
    void setPauses(std::vector<models::Pause> pauses);
    void setStepsPerEpoch(double steps, double first_epoch = 0);  // as models::Series has it
    void setStepName(const QString& name);                        // of the step axis; empty: "step"
    void setX(models::XAxis axis);
    models::XAxis x() const;
    void setYScale(YScale scale);
    YScale yScale() const;
    void setXScale(XScale scale);
    XScale xScale() const;
    void setOutliers(Outliers outliers);
    void setXRange(std::optional<models::Range> range);  // empty: everything, following the newest point
    std::optional<models::Range> xRange() const;

    // These follow what the user does with the axes; they emit xRangeChosen().
    void choose(std::optional<models::Range> x, std::optional<models::Range> y);
    void reset();
    void zoomBy(double factor);  // about the cursor, else about the middle
    void panBy(double share);    // of what is shown

signals:
    void changed();       // to be seen at once
    void unitsChanged();  // what x means of the points; soon
    void xRangeChosen(std::optional<ui::models::Range> range);

private:
    ChartState& state_;
};

}  // namespace ui::charts
