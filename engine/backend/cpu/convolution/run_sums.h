// Sums over runs of samples, added up as a binary tree over all runs: a sum has the same bits whichever thread had which runs. A thread
// adds two sums as soon as it has both, while they are in its cache, and takes the memory of the second again.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {

class RunSums {
public:
    // `runs` is a power of two. There is memory for `runs` sums of `floats` floats each at `values`.
    RunSums(float* values, std::int64_t floats, std::int64_t runs, int threads, const KernelTable& kernels)
        : values_(values), floats_(floats), runs_(runs), threads_(threads), kernels_(kernels) {}

    // A thread has the runs share(runs, thread, threads), one after the other. What it writes to sumOf() of one of them counts from end()
    // of that run on.
    float* sumOf(std::int64_t run, int thread) const { return values_ + placeOf(run, thread) * floats_; }
    void end(std::int64_t run, int thread) const;

    // One sum, or two whose sum is wanted: the second `step` floats behind the first.
    struct Total {
        const float* values = nullptr;
        std::int64_t step = 0, count = 1;
    };
    // Adds up some floats of the sums of all threads, once all runs are at their end. Calls for different floats may run side by side.
    Total total(Range some) const;

private:
    Range runsOf(int thread) const { return share(runs_, thread, threads_); }
    int threadOf(std::int64_t run) const;
    // Where the sum that begins with `run` is: behind those that its thread has at that time.
    std::int64_t placeOf(std::int64_t run, int thread) const;
    // The sum of `count` runs, at its first float; adds up some floats of it where threads share it.
    float* joined(std::int64_t run, std::int64_t count, Range some) const;

    float* values_;
    std::int64_t floats_, runs_;
    int threads_;
    const KernelTable& kernels_;
};

}  // namespace engine::backend::cpu
