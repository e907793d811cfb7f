// SPDX-License-Identifier: GPL-3.0-or-later
// What the events of many tasks cost the window while it shows them.
#pragma once

namespace tests::bench {

class TimedApplication;

struct IngestOptions {
    int tasks = 64, rate = 100;  // events a second of each task
    double seconds = 60;
    bool each = false;  // a curve for each worker instead of the mean
};

// Prints a JSON object: points that were sent, lost on the way, left out by the agent; whether the chart drew them all. 1: no run appeared.
int measureIngest(TimedApplication& application, const IngestOptions& options);

}  // namespace tests::bench
