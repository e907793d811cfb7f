// SPDX-License-Identifier: GPL-3.0-or-later
// Floats over the lower right corner of the canvas: smaller, the zoom in percent, larger, the whole model.
#pragma once

#include "ui/widgets/card_frame.h"

class QToolButton;

namespace ui::canvas {
class ModelCanvas;
}

namespace ui::views {

class CanvasZoom : public widgets::CardFrame {
    Q_OBJECT
public:
    // `canvas` is its parent.
    CanvasZoom(canvas::ModelCanvas& canvas, const theme::ThemeController& themes);
    void retranslate();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void place();

    canvas::ModelCanvas& canvas_;
    QToolButton *out_, *in_, *fit_;
};

}  // namespace ui::views
