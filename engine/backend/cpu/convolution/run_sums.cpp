#include "engine/backend/cpu/convolution/run_sums.h"

#include <algorithm>
#include <bit>

namespace engine::backend::cpu {

void RunSums::end(std::int64_t run, int thread) const {
    const std::int64_t first = runsOf(thread).begin;
    for (std::int64_t count = 1; run / count % 2 == 1 && run - count >= first; count *= 2) {
        const float* second = sumOf(run, thread);
        run -= count;
        kernels_.addValues(second, floats_, sumOf(run, thread));
    }
}

RunSums::Total RunSums::total(Range some) const {
    if (runs_ == 1 || runsOf(0).end == runs_) return {.values = joined(0, runs_, some)};
    const float* first = joined(0, runs_ / 2, some);
    return {.values = first, .step = joined(runs_ / 2, runs_ / 2, some) - first, .count = 2};
}

int RunSums::threadOf(std::int64_t run) const {
    int thread = 0;
    while (runsOf(thread).end <= run) ++thread;
    return thread;
}

std::int64_t RunSums::placeOf(std::int64_t run, int thread) const {
    const std::int64_t first = runsOf(thread).begin;
    std::int64_t place = first;
    for (std::int64_t at = first; at < run; ++place) {
        const auto most = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(run - at)));
        at += at == 0 ? most : std::min(most, at & -at);
    }
    return place;
}

float* RunSums::joined(std::int64_t run, std::int64_t count, Range some) const {
    const int thread = threadOf(run);
    float* sum = sumOf(run, thread);
    if (run + count <= runsOf(thread).end) return sum;
    float* first = joined(run, count / 2, some);
    const float* second = joined(run + count / 2, count / 2, some);
    kernels_.addValues(second + some.begin, some.size(), first + some.begin);
    return first;
}

}  // namespace engine::backend::cpu
