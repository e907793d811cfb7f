// SPDX-License-Identifier: GPL-3.0-or-later
// Where the flags of marks stand: each has a row of its own where it would cover another one, and joins one where no row is left. Private
// to ui/charts.
#pragma once

#include <QRectF>
#include <QString>
#include <functional>
#include <vector>

namespace ui::charts {

struct FlagWish {
    std::size_t marker = 0;  // as the caller counts them
    double x = 0;            // of the mark's line, in pixels
    QString label{};
    bool urgent = false;  // has its room before all others
};

struct Flag {
    QRectF rect{};
    double x = 0;
    QString label{};                     // "restarted", "restarted +2" where three stand for one
    std::vector<std::size_t> markers{};  // the first is the one that the label names
    friend bool operator==(const Flag&, const Flag&) = default;
};

struct FlagRoom {
    double left = 0, right = 0, top = 0;  // a flag that would go beyond `right` stands at the left of its line
    double height = 16, pitch = 17;       // of a flag, and from row to row
    int rows = 1;                         // at least 1
};

// Returns the flags of `wishes`, of which no two overlap; `widthOf` tells how wide a label is, its frame included. When a place has more
// marks than there are rows, its last flag stands for several.
std::vector<Flag> placeFlags(std::vector<FlagWish> wishes, const FlagRoom& room, const std::function<double(const QString&)>& widthOf);

}  // namespace ui::charts
