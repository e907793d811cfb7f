// SPDX-License-Identifier: GPL-3.0-or-later
// What paintText() paints, told to who asks: so a test reads painted widgets, delegates and canvases as it reads labels.
#pragma once

#include <QColor>
#include <QRectF>
#include <QString>
#include <functional>

namespace ui::widgets {

struct PaintedText {
    QString text;
    QRectF ink;    // what the shown letters cover, in pixels of the device painted on, as far as the painter is not clipped
    QColor color;  // as asked for
    bool elided = false;
};

// Called at each paintText() from now on; an empty function ends that. GUI thread only.
void observePaintedText(std::function<void(const PaintedText&)> observer);

}  // namespace ui::widgets
