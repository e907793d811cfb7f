// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

#include "ui/charts/helpers.h"

namespace ui::charts {
namespace {

constexpr int kParts = 3;  // of a column: steep curves get smooth sides
constexpr int kStripWidth = 64;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Returns all four bytes of `value` multiplied by share / 255, rounded.
inline QRgb scaled(QRgb value, unsigned share) {
    const std::uint32_t even = (value & 0xFF00FFU) * share + 0x800080U, odd = ((value >> 8) & 0xFF00FFU) * share + 0x800080U;
    return (((even + ((even >> 8) & 0xFF00FFU)) >> 8) & 0xFF00FFU) | ((odd + ((odd >> 8) & 0xFF00FFU)) & 0xFF00FF00U);
}

// Returns premultiplied `color` over `ground`, with `cover` from 0 to 255.
inline QRgb over(QRgb color, QRgb ground, unsigned cover) {
    const QRgb ink = scaled(color, cover);
    if (ground == 0) return ink;
    return ink + scaled(ground, 255U - static_cast<unsigned>(qAlpha(ink)));
}

// Does over() with all of `ink` for `count` pixels in a row, which a compiler makes many at a time of.
void coverAll(QRgb* pixels, int count, QRgb ink) {
    if (qAlpha(ink) == 255) {
        std::fill_n(pixels, count, ink);
        return;
    }
    constexpr int kAtOnce = 4;
    std::array<std::uint8_t, kAtOnce * sizeof(QRgb)> inks{};
    for (int i = 0; i < kAtOnce; ++i) std::memcpy(&inks[i * sizeof(QRgb)], &ink, sizeof(QRgb));
    const auto rest = static_cast<std::uint16_t>(255 - qAlpha(ink));
    int i = 0;
    for (; i + kAtOnce <= count; i += kAtOnce) {
        std::array<std::uint8_t, inks.size()> bytes;
        std::memcpy(bytes.data(), pixels + i, bytes.size());
        for (std::size_t k = 0; k < bytes.size(); ++k) {
            const auto product = static_cast<std::uint16_t>(bytes[k] * rest + 128);
            bytes[k] =
                static_cast<std::uint8_t>(inks[k] + static_cast<std::uint8_t>(static_cast<std::uint16_t>(product + (product >> 8)) >> 8));
        }
        std::memcpy(pixels + i, bytes.data(), bytes.size());
    }
    for (; i < count; ++i) pixels[i] = over(ink, pixels[i], 255);
}

// How far something reaches in y in each part of the columns; nothing is there when low > high.
struct Reaches {
    std::vector<float> low, high;

    void clear(std::size_t count) {
        low.assign(count, kInfinity);
        high.assign(count, -kInfinity);
    }
};

// Some columns of an image. All that curves need of them stays in the memory of one processor, and the pixels of a column lie side by side.
class Strip {
public:
    Strip(QSize image, int left, int right) : image_(image), left_(left), right_(right) {}

    void draw(std::span<const RasterCurve> curves) {
        const auto height = static_cast<std::size_t>(image_.height());
        pixels_.assign(height * static_cast<std::size_t>(right_ - left_), 0);
        cover_.resize(height);
        for (const RasterCurve& curve : curves) {
            if (curve.points.empty() || curve.pen.color.alpha() == 0) continue;
            follow(curve.points, curve.pen.width);
            widen(curve.pen.width);
            fill(curve.pen);
        }
    }
    // Copies the columns into the image, whose lines are `stride` pixels apart.
    void copyTo(QRgb* image, qsizetype stride) const;

private:
    void follow(const QVector<QPointF>& points, double width);
    void widen(double width);
    void fill(const CurvePen& pen);
    void fillColumn(QRgb* column, std::size_t first_part, QRgb color);
    void fillRows(QRgb* column, int first, int last, std::size_t first_part, QRgb color);

    QSize image_;
    int left_, right_;
    std::ptrdiff_t begin_ = 0;  // the first part of line_, counted from the image's left edge
    Reaches line_, wide_;       // the line, in the strip and what reaches into it; the line with its width, in the strip
    std::vector<float> cover_;  // by row: how many parts of a column
    std::vector<QRgb> pixels_;  // column by column
};

// Finds where the line itself runs in each part.
void Strip::follow(const QVector<QPointF>& points, double width) {
    const auto side = static_cast<std::ptrdiff_t>(width / 2 * kParts) + 1;
    begin_ = std::max<std::ptrdiff_t>(0, left_ * kParts - side);
    const auto end_part = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(image_.width()) * kParts, right_ * kParts + side);
    line_.clear(static_cast<std::size_t>(end_part - begin_));
    const auto edge_left = static_cast<double>(begin_), edge_right = static_cast<double>(end_part);
    const auto take = [&](std::ptrdiff_t part, double y) {
        float &low = line_.low[static_cast<std::size_t>(part - begin_)], &high = line_.high[static_cast<std::size_t>(part - begin_)];
        low = std::min(low, static_cast<float>(y));
        high = std::max(high, static_cast<float>(y));
    };
    const auto left_of = [&](const QPointF& point) { return point.x() * kParts < edge_left; };
    const auto inside = std::partition_point(points.begin(), points.end(), left_of) - points.begin();
    for (qsizetype i = inside; i < points.size(); ++i) {
        const QPointF& to = points[i];
        const QPointF& from = points[i == 0 ? 0 : i - 1];
        const double x0 = from.x() * kParts, x1 = to.x() * kParts;
        if (!(x0 < edge_right)) break;
        const double slope = x1 > x0 ? (to.y() - from.y()) / (x1 - x0) : 0;
        const auto yAt = [&](double x) { return from.y() + (x - x0) * slope; };
        const double begin = std::max(x0, edge_left), end = std::min(x1, edge_right);
        const auto first = std::min(static_cast<std::ptrdiff_t>(begin), end_part - 1);
        const auto final = std::min(static_cast<std::ptrdiff_t>(end), end_part - 1);
        take(first, x0 < edge_left ? yAt(edge_left) : from.y());
        take(final, x1 > edge_right ? yAt(edge_right) : to.y());
        for (std::ptrdiff_t part = first; part < final; ++part) {
            const double y = yAt(static_cast<double>(part + 1));
            take(part, y);
            take(part + 1, y);
        }
    }
}

// Rolls a disk of the pen's width along the line.
void Strip::widen(double width) {
    const double radius = width / 2;
    const int side = static_cast<int>(std::floor(radius * kParts));
    const std::ptrdiff_t begin = left_ * kParts, end = right_ * kParts;
    wide_.clear(static_cast<std::size_t>(end - begin));
    const auto end_of_line = begin_ + static_cast<std::ptrdiff_t>(line_.low.size());
    for (int step = -side; step <= side; ++step) {
        const double across = static_cast<double>(step) / kParts;
        const auto up = static_cast<float>(std::sqrt(std::max(0.0, radius * radius - across * across)));
        const std::ptrdiff_t first = std::max(begin, begin_ - step), count = std::min(end, end_of_line - step) - first;
        const float *low = line_.low.data() + (first + step - begin_), *high = line_.high.data() + (first + step - begin_);
        float *wide_low = wide_.low.data() + (first - begin), *wide_high = wide_.high.data() + (first - begin);
        for (std::ptrdiff_t i = 0; i < count; ++i) {
            wide_low[i] = std::min(wide_low[i], low[i] - up);
            wide_high[i] = std::max(wide_high[i], high[i] + up);
        }
    }
}

void Strip::fill(const CurvePen& pen) {
    const QRgb color = qPremultiply(pen.color.rgba());
    const double period = pen.on + pen.off;
    for (int x = left_; x < right_; ++x) {
        if (pen.off > 0 && std::fmod(x, period) >= pen.on) continue;
        const auto column = static_cast<std::size_t>(x - left_);
        fillColumn(pixels_.data() + column * static_cast<std::size_t>(image_.height()), column * kParts, color);
    }
}

void Strip::fillColumn(QRgb* column, std::size_t first_part, QRgb color) {
    const auto bottom = static_cast<float>(image_.height());
    float top = bottom, end = 0, all_top = 0, all_end = bottom;
    for (std::size_t part = first_part; part < first_part + kParts; ++part) {
        top = std::min(top, wide_.low[part]);
        end = std::max(end, wide_.high[part]);
        all_top = std::max(all_top, wide_.low[part]);
        all_end = std::min(all_end, wide_.high[part]);
    }
    const int first = std::max(0, static_cast<int>(std::floor(std::max(top, 0.0F))));
    const int last = std::min(image_.height(), static_cast<int>(std::ceil(std::min(end, bottom))));
    if (first >= last) return;
    // Rows that every part covers whole, and those before and behind.
    if (std::ceil(all_top) < std::floor(all_end)) {
        const auto whole = static_cast<int>(std::ceil(all_top)), after = static_cast<int>(std::floor(all_end));
        fillRows(column, first, whole, first_part, color);
        coverAll(column + whole, after - whole, color);
        fillRows(column, after, last, first_part, color);
    } else {
        fillRows(column, first, last, first_part, color);
    }
}

void Strip::fillRows(QRgb* column, int first, int last, std::size_t first_part, QRgb color) {
    if (first >= last) return;
    // Rows within a part are whole; those at its ends are what is left of them.
    float* cover = cover_.data();
    std::fill(cover + first, cover + last, 0.0F);
    for (std::size_t part = first_part; part < first_part + kParts; ++part) {
        const float low = std::max(wide_.low[part], static_cast<float>(first)), high = std::min(wide_.high[part], static_cast<float>(last));
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
    const bool opaque = qAlpha(color) == 255;
    for (int row = first; row < last; ++row) {
        const auto share = std::min(static_cast<unsigned>(cover[row] * (255.0F / kParts) + 0.5F), 255U);
        if (share == 255 && opaque) {
            column[row] = color;
        } else if (share > 0) {
            column[row] = over(color, column[row], share);
        }
    }
}

void Strip::copyTo(QRgb* image, qsizetype stride) const {
    constexpr int kRows = 16;  // at a time: their lines stay near while the columns pass
    const int height = image_.height();
    for (int top = 0; top < height; top += kRows) {
        const int bottom = std::min(top + kRows, height);
        for (int x = left_; x < right_; ++x) {
            const QRgb* column = pixels_.data() + static_cast<std::ptrdiff_t>(x - left_) * height;
            for (int row = top; row < bottom; ++row) image[row * stride + x] = column[row];
        }
    }
}

}  // namespace

QImage rasterized(QSize pixels, std::span<const RasterCurve> curves) {
    QImage image(pixels.expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    auto* bits = reinterpret_cast<QRgb*>(image.bits());
    const auto stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
    std::vector<Strip> strips;
    for (int left = 0; left < image.width(); left += kStripWidth) {
        strips.emplace_back(image.size(), left, std::min(left + kStripWidth, image.width()));
    }
    forEachShared(strips, [&](Strip& strip) {
        strip.draw(curves);
        strip.copyTo(bits, stride);
    });
    return image;
}

}  // namespace ui::charts
