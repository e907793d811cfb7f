// SPDX-License-Identifier: GPL-3.0-or-later
// One segment per epoch, filled as steps go by; above 40 epochs one bar with ticks.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

class EpochProgress : public QWidget {
    Q_OBJECT
public:
    explicit EpochProgress(const theme::ThemeController& themes, QWidget* parent = nullptr);
    // `done` in epochs, fraction included: 7.67 of 12.
    void setProgress(double done, int epochs);
    QSize sizeHint() const override { return {240, 8}; }
    QSize minimumSizeHint() const override { return {60, 8}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    double done_ = 0;
    int epochs_ = 0;
};

}  // namespace ui::widgets
