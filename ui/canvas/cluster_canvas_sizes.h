// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes that layout and painting of the cluster canvas share, in logical pixels. Only the canvas' .cpp files include this.
#pragma once

#include "ui/theme/theme.h"

namespace ui::canvas::cluster_sizes {

inline constexpr int kMargin = theme::kSpace6, kInner = theme::kSpace5, kDotGrid = 24;
inline constexpr double kLeftShare = 0.62, kLeftShareNarrow = 0.66, kNarrowCanvas = 800, kColumnGap = theme::kSpace6,
                        kCardGap = theme::kSpace5;
inline constexpr double kHeadHeight = 52, kCoreSide = 26, kCoreGap = 4, kCoresHeight = 46, kNoteHeight = 44, kNoteGap = 10,
                        kDropHeight = 72, kHeadRow = 18, kActionHeight = 34, kProgressHeight = 14, kProgressBar = 6;
inline constexpr double kTaskNarrow = 148, kTaskLeast = 132, kTaskMost = 360, kLinkRoom = 112, kLinkMost = 260, kLinkNarrow = 28,
                        kMostSlack = 70;
inline constexpr double kTaskHead = 60, kFactRow = 30, kStateHeight = 34, kRowGap = 20, kTaskTextLeft = 56;
inline constexpr double kCompactHeight = 52, kCompactGap = theme::kSpace5, kCompactWidth = 170, kCompactTextLeft = 46;
inline constexpr double kAddHeight = 76, kMostAddHeight = 164, kHostTextLeft = 48, kCrossSide = 24, kAddTextInset = 58;
inline constexpr int kMostCoresDrawn = 32, kMostColumns = 4, kMostFullBoxes = 4;

}  // namespace ui::canvas::cluster_sizes
