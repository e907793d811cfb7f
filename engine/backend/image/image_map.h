// RandomImage's maps: one definition for every back-end. The map of a sample depends on seed, epoch, iteration, layer and the sample's
// index in the data set, like dropout's masks (dropout_mask.h). Matrices are Keras' (layers/preprocessing/image_preprocessing), reading
// between and beyond cells is that of TensorFlow's ImageProjectiveTransformV3.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/image/range_draws.h"
#include "engine/plan/plan.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// Cell (row, column) of the result is read at row (a * row + b * column + c) / s, column (d * row + e * column + f) / s of the image, with
// s = g * row + h * column + 1; beyond it where s is 0.
struct ImageMap {
    float a = 1, b = 0, c = 0, d = 0, e = 1, f = 0, g = 0, h = 0;
    friend bool operator==(const ImageMap&, const ImageMap&) = default;
};

// Which cells (row * width + column) one of the result is made of, and how much of each; `constant` comes on top.
struct ImageTaps {
    int count = 0;
    std::int64_t cells[4] = {};
    float weights[4] = {};
    float constant = 0;
};

namespace image_map_detail {

using Fill = plan::RandomImage::Fill;

// Rows of (row, column, 1) -> (row, column).
struct Matrix {
    double a = 1, b = 0, c = 0, d = 0, e = 1, f = 0;
};

// First `inner`, then `outer`.
TANDEM_DEVICE inline Matrix after(const Matrix& outer, const Matrix& inner) {
    return {.a = outer.a * inner.a + outer.b * inner.d,
            .b = outer.a * inner.b + outer.b * inner.e,
            .c = outer.a * inner.c + outer.b * inner.f + outer.c,
            .d = outer.d * inner.a + outer.e * inner.d,
            .e = outer.d * inner.b + outer.e * inner.e,
            .f = outer.d * inner.c + outer.e * inner.f + outer.f};
}

// The numbers of one sample, by what they are for.
enum Draw : std::uint64_t {
    kFlip,
    kTurn,
    kZoomRows,
    kZoomColumns,
    kShiftRows,
    kShiftColumns,
    kShearRows,
    kShearColumns,
    kShearSign,
    kChance,
    kFate,
    kCorners,  // the first of eight
};

// A coordinate within the axis, as the fill mode folds it back. `size` cells.
TANDEM_DEVICE inline double foldReflected(double at, double size) {
    const double period = 2 * size;
    if (at < 0) {
        if (at < period) at += period * std::trunc(-at / period);
        return at < -size ? at + period : -at - 1;
    }
    at -= period * std::trunc(at / period);
    return at >= size ? period - at - 1 : at;
}

TANDEM_DEVICE inline double foldWrapped(double at, double size) {
    const double cycle = size - 1;
    return at < 0 ? at + size * (std::trunc(-at / cycle) + 1) : at - size * std::trunc(at / cycle);
}

TANDEM_DEVICE inline double fold(Fill fill, double at, std::int64_t size) {
    const auto last = static_cast<double>(size - 1);
    if (fill == Fill::kConstant) return at;
    if ((at < 0 || at > last) && fill != Fill::kNearest) {
        if (size <= 1) return 0;
        at = fill == Fill::kReflect ? foldReflected(at, static_cast<double>(size)) : foldWrapped(at, static_cast<double>(size));
    }
    return at < 0 ? 0 : last < at ? last : at;
}

// Solves `count` equations, each with its right side behind its factors; Gauss' way with the largest pivot. False where they don't tell.
inline constexpr int kEquations = 8;
TANDEM_DEVICE inline bool solveEquations(double (&rows)[kEquations][kEquations + 1]) {
    for (int i = 0; i < kEquations; ++i) {
        int pivot = i;
        for (int k = i + 1; k < kEquations; ++k) pivot = std::fabs(rows[k][i]) > std::fabs(rows[pivot][i]) ? k : pivot;
        if (rows[pivot][i] == 0) return false;
        for (int j = 0; j <= kEquations; ++j) {
            const double kept = rows[i][j];
            rows[i][j] = rows[pivot][j];
            rows[pivot][j] = kept;
        }
        for (int k = 0; k < kEquations; ++k) {
            if (k == i) continue;
            const double factor = rows[k][i] / rows[i][i];
            for (int j = i; j <= kEquations; ++j) rows[k][j] -= factor * rows[i][j];
        }
    }
    for (int i = 0; i < kEquations; ++i) rows[i][kEquations] /= rows[i][i];
    return true;
}

// The corners of an image of rows and columns: above left, above right, below left, below right.
struct Corners {
    double rows[4] = {}, columns[4] = {};
};
TANDEM_DEVICE inline Corners cornersOf(double height, double width) {
    return {{0, 0, height - 1, height - 1}, {0, width - 1, 0, width - 1}};
}
TANDEM_DEVICE inline Corners movedCorners(const RangeDraws& draws, double parts, Corners corners) {
    auto place = static_cast<std::uint64_t>(kCorners);
    for (int i = 0; i < 4; ++i) {
        corners.columns[i] *= 1 + draws.within({-parts, parts}, place++);
        corners.rows[i] *= 1 + draws.within({-parts, parts}, place++);
    }
    return corners;
}
// The map that reads the corners of an image where the moved ones are: each gives two equations.
TANDEM_DEVICE inline ImageMap perspective(const Corners& corners, const Corners& moved) {
    double equations[kEquations][kEquations + 1] = {};
    for (int i = 0; i < 4; ++i) {
        const double row = moved.rows[i], column = moved.columns[i], at_row = corners.rows[i], at_column = corners.columns[i];
        const double of_row[] = {row, column, 1, 0, 0, 0, -at_row * row, -at_row * column, at_row};
        const double of_column[] = {0, 0, 0, row, column, 1, -at_column * row, -at_column * column, at_column};
        for (int k = 0; k <= kEquations; ++k) {
            equations[2 * i][k] = of_row[k];
            equations[2 * i + 1][k] = of_column[k];
        }
    }
    if (!solveEquations(equations)) return {};
    const auto solved = [&](int i) { return static_cast<float>(equations[i][kEquations]); };
    return {.a = solved(0), .b = solved(1), .c = solved(2), .d = solved(3), .e = solved(4), .f = solved(5), .g = solved(6), .h = solved(7)};
}

}  // namespace image_map_detail

TANDEM_DEVICE inline ImageMap drawImageMap(const DropoutKey& key, const plan::RandomImage& random, std::uint32_t sample,
                                           std::int64_t height, std::int64_t width) {
    using namespace image_map_detail;
    const RangeDraws draws(key, sample);
    const auto h = static_cast<double>(height), w = static_cast<double>(width);
    if (random.corners > 0) {
        if (draws.unit(kFate) >= draws.within(random.chance, kChance)) return {};
        return perspective(cornersOf(h, w), movedCorners(draws, random.corners, cornersOf(h, w)));
    }
    Matrix map;
    if ((random.flips_rows || random.flips_columns) && draws.within({0, 1}, kFlip) <= 0.5) {
        if (random.flips_rows) map = after(map, {.a = -1, .c = h - 1});
        if (random.flips_columns) map = after(map, {.e = -1, .f = w - 1});
    }
    const double angle = 2 * std::numbers::pi * draws.within(random.turn, kTurn);
    if (angle != 0) {
        const double cosine = std::cos(angle), sine = std::sin(angle), row = (h - 1) / 2, column = (w - 1) / 2;
        map = after(map, {.a = cosine,
                          .b = sine,
                          .c = row - row * cosine - column * sine,
                          .d = -sine,
                          .e = cosine,
                          .f = column + row * sine - column * cosine});
    }
    const double zoom_rows = 1 + draws.within(random.zoom_rows, kZoomRows);
    const double zoom_columns = random.same_zoom ? zoom_rows : 1 + draws.within(random.zoom_columns, kZoomColumns);
    map = after(map, {.a = zoom_rows, .c = (h - 1) / 2 * (1 - zoom_rows), .e = zoom_columns, .f = (w - 1) / 2 * (1 - zoom_columns)});
    map = after(map, {.c = -h * draws.within(random.shift_rows, kShiftRows), .f = -w * draws.within(random.shift_columns, kShiftColumns)});
    const double sign = draws.unit(kShearSign) > 0.5 ? -1 : 1;
    map = after(map,
                {.b = sign * draws.within(random.shear_rows, kShearRows), .d = sign * draws.within(random.shear_columns, kShearColumns)});
    const auto single = [](double value) { return static_cast<float>(value); };
    return {.a = single(map.a), .b = single(map.b), .c = single(map.c), .d = single(map.d), .e = single(map.e), .f = single(map.f)};
}

TANDEM_DEVICE inline ImageTaps imageTaps(const ImageMap& map, const plan::RandomImage& random, std::int64_t row, std::int64_t column,
                                         std::int64_t height, std::int64_t width) {
    using image_map_detail::fold;
    const auto r = static_cast<double>(row), c = static_cast<double>(column);
    ImageTaps taps;
    const double scale = map.g * r + map.h * c + 1;
    if (scale == 0) {
        taps.constant = static_cast<float>(random.fill_value);
        return taps;
    }
    const double at_row = fold(random.fill, (map.a * r + map.b * c + map.c) / scale, height);
    const double at_column = fold(random.fill, (map.d * r + map.e * c + map.f) / scale, width);
    const auto add = [&](double tap_row, double tap_column, double weight) {
        if (weight == 0) return;
        if (tap_row < 0 || tap_column < 0 || tap_row >= static_cast<double>(height) || tap_column >= static_cast<double>(width)) {
            taps.constant += static_cast<float>(weight * random.fill_value);
            return;
        }
        const auto index = static_cast<std::size_t>(taps.count++);
        taps.cells[index] = static_cast<std::int64_t>(tap_row) * width + static_cast<std::int64_t>(tap_column);
        taps.weights[index] = static_cast<float>(weight);
    };
    if (random.interpolation == plan::Interpolation::kNearest) {
        add(std::round(at_row), std::round(at_column), 1);
        return taps;
    }
    const double top = std::floor(at_row), left = std::floor(at_column), down = at_row - top, right = at_column - left;
    add(top, left, (1 - down) * (1 - right));
    add(top, left + 1, (1 - down) * right);
    add(top + 1, left, down * (1 - right));
    add(top + 1, left + 1, down * right);
    return taps;
}

}  // namespace engine::backend
