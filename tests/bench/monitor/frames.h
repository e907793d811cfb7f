// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of one chart while its x range moves.
#pragma once

namespace tests::bench {

struct FrameOptions {
    int series = 20, points = 1'000'000, frames = 300;
};

// Prints a JSON object for panning and one for zooming. 0 when every frame was drawn.
int measureFrames(const FrameOptions& options);

}  // namespace tests::bench
