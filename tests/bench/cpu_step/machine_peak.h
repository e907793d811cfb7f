// What the machine allows right now: measured, because clocks and neighbours change.
#pragma once

namespace tests::bench {

struct MachinePeak {
    double multiply_adds_per_s = 0;  // float32, of all threads
    double bytes_per_s = 0;          // of main memory, read and written
};

// Takes about a fifth of a second a figure; the best of some short runs.
MachinePeak measurePeak(int threads);

}  // namespace tests::bench
