// SPDX-License-Identifier: GPL-3.0-or-later
// How numbers are written, everywhere alike.
#pragma once

#include <QString>
#include <cstdint>
#include <span>

namespace ui::models {

inline constexpr char16_t kMissing = u'\u2014';

QString formatMetric(double value);                        // 0.0269; a dash when not finite
QString formatRate(double value);                          // 1e-3, 2.5e-4, 0
QString formatCount(std::int64_t value);                   // 346,176 by the locale
QString formatDuration(double seconds);                    // 0:48, 1:02:03
QString formatClock(double seconds);                       // 00:42.810, minutes, seconds and milliseconds since launch
QString formatMilliseconds(double microseconds);           // 13.3 ms
QString formatBytes(std::int64_t bytes);                   // 1.32 MB of 2^20, as Keras prints it
QString formatPercent(double fraction);                    // 63.9 %
QString formatShape(std::span<const std::int64_t> shape);  // 26 × 26 × 32 with thin spaces; "scalar" when empty

// Reads the text of a learning-rate field: any decimal number above 0 with a point, "1e-4" included. Returns a negative number when it is
// none.
double parseRate(const QString& text);

}  // namespace ui::models
