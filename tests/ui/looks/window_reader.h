// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a window as it is painted and says what is wrong with its texts.
#pragma once

#include <QImage>
#include <QStringList>
#include <QWidget>

namespace tests {

struct WindowReading {
    QImage picture;
    QStringList faults;  // sentences that name the widget or the text
    int texts = 0;       // how many were read; a reading of nothing proves nothing
};

// Clipped: a text wider or higher than its place, without a tooltip that shows it whole. Cut: what is wider than a view that scrolls up and
// down only. Overlapping: siblings of one layout, or two painted texts of one place. Contrast: the letters' strongest pixel against the
// ground's commonest, in the picture itself; only at a device ratio of 2 and more, as thin letters do not reach their colour below.
WindowReading readWindow(QWidget& window);

}  // namespace tests
