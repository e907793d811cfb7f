// SPDX-License-Identifier: GPL-3.0-or-later
// Flat ground with a 1 px edge: cards (radius 8), wells (sunken, radius 6) and docks (one edge only).
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

enum class FrameKind { kCard, kWell, kDockRight, kDockLeft, kRail, kPlain, kDashed };

class CardFrame : public QWidget {
    Q_OBJECT
public:
    CardFrame(const theme::ThemeController& themes, FrameKind kind, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    const FrameKind kind_;
};

}  // namespace ui::widgets
