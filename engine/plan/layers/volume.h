// Volumes (N, D, H, W, C) by ops of images. In C order the same bytes are an image of D H rows and W columns, and one of D rows and H
// columns whose channels are all of a row, W C. What treats its axes one by one is done along W in the first view, then along D and H in
// the second.
#pragma once

#include <cstddef>

#include "engine/plan/layers/layer_builder.h"

namespace engine::plan {

inline constexpr std::size_t kVolumeRank = 5;  // with batch and channels

// A window of three axes as windows of the two views.
struct VolumeWindow {
    Window2D columns{};          // along W: one row high
    Window2D planes_and_rows{};  // along D (as rows) and H (as columns)
};

// True for a window that moves cell by cell and sees one: it changes nothing.
bool isSingleCell(const Window2D& window);

// (N, D, H, W, C); (N, H, W, C) counts as volumes of one plane, (N, W, C) as those of one row.
spec::Shape volumeShape(const spec::Shape& shape);
// (N, D, H, W, C) -> (N, D H, W, C).
spec::Shape columnsView(const spec::Shape& volume);
// (N, D, H, W, C) -> (N, D, H, W C).
spec::Shape planesView(const spec::Shape& volume);
// The volume with W instead of its own columns.
spec::Shape withColumns(spec::Shape volume, std::int64_t columns);

}  // namespace engine::plan
