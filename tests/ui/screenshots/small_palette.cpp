// SPDX-License-Identifier: GPL-3.0-or-later
#include "small_palette.h"

#include <QHash>
#include <algorithm>
#include <vector>

namespace tests {
namespace {

constexpr int kMostColors = 256;
constexpr qsizetype kExact = 64;  // grounds, fills and inks: near to each other by design, and all over the picture

int distance(QRgb a, QRgb b) {
    const int red = qRed(a) - qRed(b), green = qGreen(a) - qGreen(b), blue = qBlue(a) - qBlue(b);
    return 2 * red * red + 4 * green * green + blue * blue;
}

std::vector<QRgb> commonestFirst(const QImage& picture) {
    QHash<QRgb, int> counts;
    for (int y = 0; y < picture.height(); ++y) {
        const auto* line = reinterpret_cast<const QRgb*>(picture.constScanLine(y));
        for (int x = 0; x < picture.width(); ++x) ++counts[line[x]];
    }
    std::vector<QRgb> colors;
    for (auto it = counts.cbegin(); it != counts.cend(); ++it) colors.push_back(it.key());
    std::sort(colors.begin(), colors.end(), [&](QRgb a, QRgb b) { return counts[a] != counts[b] ? counts[a] > counts[b] : a < b; });
    return colors;
}

// The commonest as they are; of the rest, shades between them, with the smallest gap between neighbours that leaves at most 256.
QList<QRgb> paletteOf(const std::vector<QRgb>& colors) {
    QList<QRgb> chosen;
    for (int gap = 0;; gap = std::max(4, gap * 2)) {
        chosen.clear();
        for (const QRgb color : colors) {
            const bool is_near = chosen.size() >= kExact &&
                                 std::any_of(chosen.begin(), chosen.end(), [&](QRgb other) { return distance(color, other) < gap; });
            if (!is_near) chosen.push_back(color);
            if (chosen.size() > kMostColors) break;
        }
        if (chosen.size() <= kMostColors) return chosen;
    }
}

}  // namespace

QImage withSmallPalette(const QImage& picture) {
    const QImage source = picture.convertToFormat(QImage::Format_RGB32);
    const QList<QRgb> palette = paletteOf(commonestFirst(source));
    QImage out(source.size(), QImage::Format_Indexed8);
    out.setColorTable(palette);
    QHash<QRgb, uchar> places;
    for (int y = 0; y < source.height(); ++y) {
        const auto* from = reinterpret_cast<const QRgb*>(source.constScanLine(y));
        uchar* to = out.scanLine(y);
        for (int x = 0; x < source.width(); ++x) {
            const auto known = places.constFind(from[x]);
            if (known != places.constEnd()) {
                to[x] = *known;
                continue;
            }
            const auto nearest = std::min_element(palette.begin(), palette.end(),
                                                  [&](QRgb a, QRgb b) { return distance(a, from[x]) < distance(b, from[x]); });
            to[x] = static_cast<uchar>(nearest - palette.begin());
            places.insert(from[x], to[x]);
        }
    }
    return out;
}

}  // namespace tests
