// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of one page that share their x axis: one cursor, one zoom, one smoothing.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "ui/charts/series.h"

namespace ui::charts {

class ChartCard;

// The cards outlive the group or are its siblings; GUI thread only.
class ChartGroup : public QObject {
    Q_OBJECT
public:
    explicit ChartGroup(QObject* parent = nullptr) : QObject(parent) {}

    void add(ChartCard& card);
    const std::vector<ChartCard*>& cards() const { return cards_; }
    void setXAxis(models::XAxis axis);
    models::XAxis xAxis() const { return axis_; }
    // Sets the axes that cycleXAxis() goes through: all of them at first.
    void setAxes(std::vector<models::XAxis> axes) { axes_ = std::move(axes); }
    void cycleXAxis();
    void setSmoothing(double weight);
    double smoothing() const { return smoothing_; }
    // False after a zoom or a pan, until followTail() or a reset.
    bool follows() const { return follows_; }
    void followTail();
    void zoomTo(models::Range range);  // of the x axis, in every card
    void setCursor(std::optional<double> x);
    std::optional<double> cursor() const { return cursor_; }  // in units of the x axis
    // Sets where the cursor stands while the mouse is elsewhere; nullopt: nowhere.
    void pinCursor(std::optional<double> x);

signals:
    void xAxisChanged(ui::models::XAxis axis);
    void followChanged(bool follows);

private:
    void setFollows(bool follows);

    std::vector<ChartCard*> cards_;
    std::vector<models::XAxis> axes_{models::XAxis::kStep, models::XAxis::kRelative, models::XAxis::kWall, models::XAxis::kEpoch};
    models::XAxis axis_ = models::XAxis::kStep;
    double smoothing_ = 0.6;
    std::optional<double> cursor_, pinned_;
    bool follows_ = true;
};

}  // namespace ui::charts
