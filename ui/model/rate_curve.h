// SPDX-License-Identifier: GPL-3.0-or-later
// The learning rate over a whole run, drawn while it is edited: the numbers are the engine's, step by step what training will use.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::views {

class RateCurve : public QWidget {
    Q_OBJECT
public:
    explicit RateCurve(const theme::ThemeController& themes, QWidget* parent = nullptr);
    // Sets the rates, which are evenly spread over `epochs`; empty: the settings give no curve.
    void setRates(std::vector<double> rates, double epochs);
    const std::vector<double>& rates() const { return rates_; }
    static constexpr int kPoints = 400;
    QSize sizeHint() const override { return {276, 150}; }
    QSize minimumSizeHint() const override { return {140, 150}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<double> rates_;
    double epochs_ = 1;
};

}  // namespace ui::views
