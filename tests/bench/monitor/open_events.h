// SPDX-License-Identifier: GPL-3.0-or-later
// From a folder of event files to curves on Monitor's page, through an agent of its own.
#pragma once

namespace tests::bench {

struct OpenEventsOptions {
    int series = 20, points = 1'000'000, frames = 300;
    bool of_tensorflow_2 = false;  // else as PyTorch writes them
};

// Writes the files, opens them, and prints a JSON object: seconds until a first curve is there, until all points are, and the times of
// frames while all charts of the page are panned. 0 when all points came.
int measureOpenEvents(const OpenEventsOptions& options);

}  // namespace tests::bench
