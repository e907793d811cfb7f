// SPDX-License-Identifier: GPL-3.0-or-later
// Every colour of the studio as a named token, in two columns (light, dark). The only place with hex values is theme.cpp.
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>
#include <array>

#include "engine/spec/field_schema.h"
#include "engine/spec/model_spec.h"
#include "engine/spec/project/cluster_spec.h"

namespace ui::theme {

// Steps of space and sizes, in logical pixels. Nothing between them.
inline constexpr int kSpace1 = 4, kSpace2 = 8, kSpace3 = 10, kSpace4 = 12, kSpace5 = 16, kSpace6 = 20, kSpace7 = 28;
inline constexpr int kControlHeight = 32, kCompactHeight = 26, kFieldRowHeight = 34, kListRowHeight = 28, kTwoLineRowHeight = 44;
inline constexpr int kTableRowHeight = 34, kPageHeaderHeight = 56, kStatusRowHeight = 28, kMenuRowHeight = 38, kModeBarWidth = 76;
inline constexpr double kRadiusSmall = 4, kRadiusControl = 6, kRadiusCard = 8, kRadiusDialog = 10;

// Value; copied freely, read from the GUI thread.
struct Theme {
    bool dark = false;
    QColor window, rail, surface, sunken;
    QColor border, border_strong, control;
    QColor text, text2, text3;
    QColor accent, accent_fill, accent_hover, on_accent, accent_tint;
    QColor ok, ok_tint, warn, warn_tint, err, err_tint;
    QColor grid, axis, shadow, veil;
    std::array<QColor, 8> series;  // 0 = "series 1"
    struct Phases {
        QColor input, compute, wait, reduce, apply;
    } phases;
    struct Code {
        QColor keyword, string, number, call, unchanged;
    } code;
    QColor category_data;
    std::array<QColor, 7> categories;  // by engine::spec::LayerCategory

    // Returns the series colour by index from 0; the ninth repeats the first.
    const QColor& seriesColor(int index) const { return series[static_cast<std::size_t>(index % 8)]; }
    const QColor& categoryColor(engine::spec::LayerCategory category) const { return categories[static_cast<std::size_t>(category)]; }
    // Returns a task's colour by its place in the cluster, the same on every page. It is never used for text.
    const QColor& taskColor(const engine::spec::TaskId& task) const;
    // Returns the colour of text on a filled chip: white where that gives 4.5:1, else near black.
    QColor onFill(const QColor& fill) const;
    // Returns `ground` with `percent` of `text` mixed in: 4 under the mouse, 8 pressed.
    QColor mixed(const QColor& ground, int percent) const;
};

Theme lightTheme();
Theme darkTheme();

// Returns a palette with every role of the three groups.
QPalette paletteOf(const Theme& theme);
// Returns the style sheet: shape (radius, padding, border, height) and the grounds that a palette cannot give. `imagesFolder` holds
// check.svg, chevron-up.svg and chevron-down.svg in the theme's colours.
QString styleSheetOf(const Theme& theme, const QString& imagesFolder);

// Returns the WCAG 2 contrast of two opaque colours, 1 to 21.
double contrast(const QColor& a, const QColor& b);

// Returns the letter mark of a task: "C", "W0", "P0", "E"; the first letter in capitals and the index for any other job.
QString taskMark(const engine::spec::TaskId& task);

// Tone of an icon's stroke. kAuto: text2, accent when checked, text3 when disabled.
enum class IconTone { kAuto, kText, kAccent, kOnAccent, kError, kOk, kWarn };

}  // namespace ui::theme
