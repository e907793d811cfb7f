// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/ticks.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/models/numbers.h"

namespace ui::models {
namespace {

struct Distance {
    double value = 1;
    int decimals = 0;  // digits after the point that a multiple of it needs
};

// Returns the smallest of 1, 2, 2.5, 5 × 10ⁿ (not below `least`) that `fits`.
template <typename Fits>
Distance niceDistance(double size, int most, double least, Fits fits) {
    const double rough = std::max(size / (std::max(most, 1) + 1), least);
    int power = static_cast<int>(std::floor(std::log10(rough)));
    for (;; ++power) {
        for (const double mantissa : {1.0, 2.0, 2.5, 5.0}) {
            const double distance = mantissa * std::pow(10.0, power);
            const bool whole = least < 1 || std::abs(distance - std::round(distance)) < 1e-9;
            const bool ends = distance > 2 * size * std::max(most, 1);  // nothing larger would help
            if (whole && distance >= least && (ends || fits(distance))) return {distance, std::max(0, (mantissa == 2.5 ? 1 : 0) - power)};
        }
    }
}

double firstMultiple(Range range, double distance) {
    return std::ceil(range.lower / distance - 1e-6);
}
double lastMultiple(Range range, double distance) {
    return std::floor(range.upper / distance + 1e-6);
}

Distance tickDistance(Range range, int most, double least) {
    return niceDistance(range.size(), most, least,
                        [&](double d) { return lastMultiple(range, d) - firstMultiple(range, d) + 1 <= std::max(most, 1); });
}

template <typename Label>
std::vector<Tick> multiples(Range range, double distance, Label label) {
    std::vector<Tick> ticks;
    const double last = lastMultiple(range, distance);
    for (double n = firstMultiple(range, distance); n <= last; ++n) {
        const double position = n * distance;
        ticks.push_back({position, label(position)});
    }
    return ticks;
}

bool drawable(Range range) {
    return std::isfinite(range.lower) && std::isfinite(range.upper) && range.size() > 0;
}

double timeDistance(double size, int most) {
    static constexpr std::array kSeconds{1.0,   2.0,   5.0,    10.0,   15.0,   30.0,    60.0,    120.0,   300.0,
                                         600.0, 900.0, 1800.0, 3600.0, 7200.0, 10800.0, 21600.0, 43200.0, 86400.0};
    const double rough = size / std::max(most, 1);
    for (const double seconds : kSeconds) {
        if (seconds >= rough) return seconds;
    }
    return std::ceil(rough / kSeconds.back()) * kSeconds.back();
}

}  // namespace

std::vector<Tick> linearTicks(Range range, int most) {
    if (!drawable(range)) return {};
    const Distance distance = tickDistance(range, most, 0);
    const QLocale locale;
    return multiples(range, distance.value,
                     [&](double v) { return locale.toString(std::abs(v) < 1e-9 * distance.value ? 0.0 : v, 'f', distance.decimals); });
}

std::vector<Tick> countTicks(Range range, int most) {
    if (!drawable(range)) return {};
    const Distance distance = tickDistance(range, most, 1);
    return multiples(range, distance.value, [](double v) { return formatCount(std::llround(v)); });
}

std::vector<Tick> logTicks(Range range, int most) {
    if (!drawable(range) || range.lower <= 0) return {};
    const int first = static_cast<int>(std::ceil(std::log10(range.lower) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(range.upper) + 1e-9));
    std::vector<Tick> ticks;
    if (last < first + 1) {
        // Less than two decades: 1, 2 and 5, or round numbers where even these are too far apart.
        for (int power = first - 1; power <= last; ++power) {
            for (const double mantissa : {1.0, 2.0, 5.0}) {
                const double position = mantissa * std::pow(10.0, power);
                if (position >= range.lower && position <= range.upper) ticks.push_back({position, formatRate(position)});
            }
        }
        if (ticks.size() >= 2) return ticks;
        ticks = multiples(range, tickDistance(range, most, 0).value, [](double v) { return formatRate(v); });
        std::erase_if(ticks, [](const Tick& tick) { return tick.position <= 0; });
        return ticks;
    }
    const int stride = std::max(1, static_cast<int>(std::ceil(static_cast<double>(last - first + 1) / std::max(most, 1))));
    for (int power = first; power <= last; power += stride) ticks.push_back({std::pow(10.0, power), QStringLiteral("1e%1").arg(power)});
    return ticks;
}

std::vector<Tick> durationTicks(Range range, int most) {
    if (!drawable(range)) return {};
    if (range.size() < most) return linearTicks(range, most);
    return multiples(range, timeDistance(range.size(), most), [](double v) { return formatDuration(std::max(0.0, v)); });
}

std::vector<Tick> clockTicks(Range range, int most) {
    if (!drawable(range)) return {};
    // Multiples of local time, so that hours fall on full hours in every zone.
    const double offset = QDateTime::fromSecsSinceEpoch(static_cast<qint64>(range.lower)).offsetFromUtc();
    const double distance = timeDistance(range.size(), most);
    std::vector<Tick> ticks = multiples({range.lower + offset, range.upper + offset}, distance, [](double) { return QString(); });
    for (Tick& tick : ticks) {
        tick.position -= offset;
        tick.label = QDateTime::fromSecsSinceEpoch(std::llround(tick.position))
                         .toString(distance < 60 ? QStringLiteral("HH:mm:ss") : QStringLiteral("HH:mm"));
    }
    return ticks;
}

std::vector<Tick> axisTicks(XAxis axis, Range range, int most) {
    switch (axis) {
        case XAxis::kStep:
            return countTicks(range, most);
        case XAxis::kRelative:
            return durationTicks(range, most);
        case XAxis::kWall:
            return clockTicks(range, most);
        case XAxis::kEpoch:
            return linearTicks(range, most);
    }
    return {};
}

Range niceRange(Range range, int most) {
    if (!drawable(range)) return range;
    const auto outwards = [&](double d) { return Range{std::floor(range.lower / d + 1e-9) * d, std::ceil(range.upper / d - 1e-9) * d}; };
    const Distance distance =
        niceDistance(range.size(), most, 0, [&](double d) { return std::round(outwards(d).size() / d) + 1 <= std::max(most, 2); });
    return outwards(distance.value);
}

}  // namespace ui::models
