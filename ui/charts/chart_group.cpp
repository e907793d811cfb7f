// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_group.h"

#include <algorithm>

#include "ui/charts/chart_card.h"

namespace ui::charts {

void ChartGroup::add(ChartCard& card) {
    cards_.push_back(&card);
    card.axes().setX(axis_);
    card.setSmoothing(smoothing_);
    connect(&card, &QObject::destroyed, this,
            [this](QObject* gone) { std::erase_if(cards_, [gone](ChartCard* one) { return static_cast<QObject*>(one) == gone; }); });
    connect(&card, &ChartCard::cursorMoved, this, [this, source = &card](std::optional<double> x) {
        cursor_ = x ? x : pinned_;
        for (ChartCard* one : cards_) {
            if (one != source || !x) one->setCursor(cursor_);
        }
    });
    connect(&card, &ChartCard::xRangeChosen, this, [this, source = &card](std::optional<models::Range> range) {
        for (ChartCard* one : cards_) {
            if (one != source) one->axes().setXRange(range);
        }
        setFollows(!range);
    });
    connect(&card, &ChartCard::xAxisCycleWanted, this, &ChartGroup::cycleXAxis);
}

void ChartGroup::setXAxis(models::XAxis axis) {
    if (axis == axis_) return;
    axis_ = axis;
    for (ChartCard* one : cards_) one->axes().setX(axis);
    setFollows(true);
    emit xAxisChanged(axis);
}

void ChartGroup::cycleXAxis() {
    const auto now = std::find(axes_.begin(), axes_.end(), axis_);
    setXAxis(now == axes_.end() || now + 1 == axes_.end() ? axes_.front() : now[1]);
}

void ChartGroup::setSmoothing(double weight) {
    smoothing_ = weight;
    for (ChartCard* one : cards_) one->setSmoothing(weight);
}

void ChartGroup::followTail() {
    for (ChartCard* one : cards_) one->axes().setXRange(std::nullopt);
    setFollows(true);
}

void ChartGroup::zoomTo(models::Range range) {
    for (ChartCard* one : cards_) one->axes().setXRange(range);
    setFollows(false);
}

void ChartGroup::setCursor(std::optional<double> x) {
    cursor_ = x;
    for (ChartCard* one : cards_) one->setCursor(x);
}

void ChartGroup::pinCursor(std::optional<double> x) {
    if (x == pinned_) return;
    pinned_ = x;
    setCursor(x);
}

void ChartGroup::setFollows(bool follows) {
    if (follows == follows_) return;
    follows_ = follows;
    emit followChanged(follows);
}

}  // namespace ui::charts

#include "moc_chart_group.cpp"
