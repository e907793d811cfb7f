// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_raster.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ui::charts {
namespace {

constexpr int kParts = 3;  // of a column: steep curves get smooth sides
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Premultiplied `color` over `ground`, with `cover` from 0 to 255.
QRgb over(QRgb color, QRgb ground, unsigned cover) {
    const auto scaled = [](QRgb value, unsigned share) {  // all four bytes by share / 255
        const std::uint32_t even = (value & 0xFF00FFU) * share + 0x800080U, odd = ((value >> 8) & 0xFF00FFU) * share + 0x800080U;
        return (((even + ((even >> 8) & 0xFF00FFU)) >> 8) & 0xFF00FFU) | ((odd + ((odd >> 8) & 0xFF00FFU)) & 0xFF00FF00U);
    };
    const QRgb ink = scaled(color, cover);
    if (ground == 0) return ink;
    return ink + scaled(ground, 255U - static_cast<unsigned>(qAlpha(ink)));
}

}  // namespace

CurveRaster::CurveRaster(QSize pixels)
    : image_(pixels.expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied),
      line_(static_cast<std::size_t>(image_.width()) * kParts),
      wide_(line_.size()),
      cover_(static_cast<std::size_t>(image_.height())) {
    image_.fill(0);
}

void CurveRaster::draw(std::span<const QPointF> points, const CurvePen& pen) {
    if (points.empty() || pen.color.alpha() == 0) return;
    follow(points);
    widen(pen.width);
    fill(pen);
}

// Where the line itself runs in each part.
void CurveRaster::follow(std::span<const QPointF> points) {
    std::fill(line_.begin(), line_.end(), Reach{kInfinity, -kInfinity});
    const auto last = static_cast<std::ptrdiff_t>(line_.size()) - 1;
    const auto take = [&](std::ptrdiff_t part, double y) {
        Reach& reach = line_[static_cast<std::size_t>(part)];
        reach.low = std::min(reach.low, static_cast<float>(y));
        reach.high = std::max(reach.high, static_cast<float>(y));
    };
    const auto edge = static_cast<double>(line_.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        const QPointF& to = points[i];
        const QPointF& from = points[i == 0 ? 0 : i - 1];
        const double x0 = from.x() * kParts, x1 = to.x() * kParts;
        if (!(x1 >= 0) || !(x0 < edge)) continue;
        const double slope = x1 > x0 ? (to.y() - from.y()) / (x1 - x0) : 0;
        const auto yAt = [&](double x) { return from.y() + (x - x0) * slope; };
        const double begin = std::max(x0, 0.0), end = std::min(x1, edge);
        const auto first = std::min(static_cast<std::ptrdiff_t>(begin), last), final = std::min(static_cast<std::ptrdiff_t>(end), last);
        take(first, x0 < 0 ? yAt(0) : from.y());
        take(final, x1 > edge ? yAt(edge) : to.y());
        for (std::ptrdiff_t part = first; part < final; ++part) {
            const double y = yAt(static_cast<double>(part + 1));
            take(part, y);
            take(part + 1, y);
        }
    }
}

// Rolls a disk of the pen's width along the line.
void CurveRaster::widen(double width) {
    const double radius = width / 2;
    const int side = static_cast<int>(std::floor(radius * kParts));
    std::fill(wide_.begin(), wide_.end(), Reach{kInfinity, -kInfinity});
    const auto count = static_cast<std::ptrdiff_t>(line_.size());
    for (int step = -side; step <= side; ++step) {
        const double across = static_cast<double>(step) / kParts;
        const auto up = static_cast<float>(std::sqrt(std::max(0.0, radius * radius - across * across)));
        const std::ptrdiff_t begin = std::max(0, -step), end = count - std::max(0, step);
        for (std::ptrdiff_t part = begin; part < end; ++part) {
            const Reach& line = line_[static_cast<std::size_t>(part + step)];
            Reach& wide = wide_[static_cast<std::size_t>(part)];
            wide.low = std::min(wide.low, line.low - up);
            wide.high = std::max(wide.high, line.high + up);
        }
    }
}

void CurveRaster::fill(const CurvePen& pen) {
    const QRgb color = qPremultiply(pen.color.rgba());
    const double period = pen.on + pen.off;
    for (int x = 0; x < image_.width(); ++x) {
        if (pen.off > 0 && std::fmod(x, period) >= pen.on) continue;
        fillColumn(x, std::span(wide_).subspan(static_cast<std::size_t>(x) * kParts, kParts), color);
    }
}

void CurveRaster::fillColumn(int x, std::span<const Reach> parts, QRgb color) {
    const auto bottom = static_cast<float>(image_.height());
    float top = bottom, end = 0;
    for (const Reach& part : parts) {
        top = std::min(top, part.low);
        end = std::max(end, part.high);
    }
    const int first = std::max(0, static_cast<int>(std::floor(std::max(top, 0.0F))));
    const int last = std::min(image_.height(), static_cast<int>(std::ceil(std::min(end, bottom))));
    if (first >= last) return;
    // Rows within a part are whole; those at its ends are what is left of them.
    float* cover = cover_.data();
    std::fill(cover + first, cover + last, 0.0F);
    for (const Reach& part : parts) {
        const float low = std::max(part.low, static_cast<float>(first)), high = std::min(part.high, static_cast<float>(last));
        if (!(low < high)) continue;
        const int begin = static_cast<int>(low), final = std::min(static_cast<int>(high), last - 1);
        if (begin == final) {
            cover[begin] += high - low;
            continue;
        }
        cover[begin] += static_cast<float>(begin + 1) - low;
        for (int row = begin + 1; row < final; ++row) cover[row] += 1;
        cover[final] += high - static_cast<float>(final);
    }
    const auto stride = image_.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    auto* pixel = reinterpret_cast<QRgb*>(image_.bits()) + first * stride + x;
    const bool opaque = qAlpha(color) == 255;
    for (int row = first; row < last; ++row, pixel += stride) {
        const auto share = std::min(static_cast<unsigned>(cover[row] * (255.0F / kParts) + 0.5F), 255U);
        if (share == 255 && opaque) {
            *pixel = color;
        } else if (share > 0) {
            *pixel = over(color, *pixel, share);
        }
    }
}

}  // namespace ui::charts
