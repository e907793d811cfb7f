// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/flag_layout.h"

#include <algorithm>
#include <cmath>

namespace ui::charts {
namespace {

constexpr double kFlagGap = 2;

QRectF rectAt(double x, int row, double width, const FlagRoom& room) {
    QRectF rect(x, room.top + row * room.pitch, width, room.height);
    if (rect.right() > room.right) rect.moveRight(x);
    if (rect.left() < room.left) rect.moveLeft(room.left);
    return rect;
}

bool isFree(const QRectF& rect, const std::vector<Flag>& flags, const Flag* but = nullptr) {
    const QRectF wanted = rect.adjusted(-kFlagGap, 0, kFlagGap, 0);
    return std::none_of(flags.begin(), flags.end(), [&](const Flag& one) { return &one != but && one.rect.intersects(wanted); });
}

}  // namespace

std::vector<Flag> placeFlags(std::vector<FlagWish> wishes, const FlagRoom& room, const std::function<double(const QString&)>& widthOf) {
    std::stable_sort(wishes.begin(), wishes.end(), [](const FlagWish& a, const FlagWish& b) {
        return a.urgent != b.urgent ? a.urgent : !a.urgent && a.x < b.x;  // what is urgent comes in the caller's order
    });
    std::vector<Flag> flags;
    for (const FlagWish& wish : wishes) {
        const double width = widthOf(wish.label);
        bool placed = false;
        for (int row = 0; row < room.rows && !placed; ++row) {
            const QRectF rect = rectAt(wish.x, row, width, room);
            if (!isFree(rect, flags)) continue;
            flags.push_back({rect, wish.x, wish.label, {wish.marker}});
            placed = true;
        }
        if (placed) continue;
        // The nearest flag of the lowest row that has any speaks for it.
        const auto lowest = std::max_element(flags.begin(), flags.end(), [&](const Flag& a, const Flag& b) {
            return std::pair(a.rect.top(), -std::abs(a.x - wish.x)) < std::pair(b.rect.top(), -std::abs(b.x - wish.x));
        });
        lowest->markers.push_back(wish.marker);
        const int row = static_cast<int>(std::lround((lowest->rect.top() - room.top) / room.pitch));
        const QString count = QStringLiteral("+%1").arg(lowest->markers.size() - 1);
        const auto named =
            std::find_if(wishes.begin(), wishes.end(), [&](const FlagWish& one) { return one.marker == lowest->markers[0]; });
        const QRectF whole = rectAt(lowest->x, row, widthOf(named->label + QLatin1Char(' ') + count), room);
        const bool fits = isFree(whole, flags, &*lowest);
        lowest->label = fits ? named->label + QLatin1Char(' ') + count : count;
        if (fits) {
            lowest->rect = whole;
        } else if (const double left_out = lowest->rect.width() - widthOf(QStringLiteral("+99")); left_out > 0) {
            const bool at_left = lowest->rect.left() < lowest->x;  // of its line, where it stays
            lowest->rect.adjust(at_left ? left_out : 0, 0, at_left ? 0 : -left_out, 0);
        }
    }
    return flags;
}

}  // namespace ui::charts
