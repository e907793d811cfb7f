#include "engine/backend/cpu/convolution/run_sums.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cpu/cpu_features.h"

namespace engine::backend::cpu {
namespace {

constexpr std::int64_t kFloats = 37;

// Of values whose sums are rounded, so that another order of adding gives other bits.
float valueOf(std::int64_t run, std::int64_t i) {
    return 1 / static_cast<float>(1 + run * kFloats + i);
}

struct Summed {
    std::vector<float> total;
    std::int64_t sums_touched = 0;  // places of the memory that were written to
};

Summed summed(std::int64_t runs, int threads) {
    const float nobody = std::numeric_limits<float>::quiet_NaN();
    std::vector<float> memory(static_cast<std::size_t>(runs * kFloats), nobody);
    const RunSums sums(memory.data(), kFloats, runs, threads, kernelTable(Isa::kPortable));
    for (int thread = 0; thread < threads; ++thread) {
        const Range mine = share(runs, thread, threads);
        for (std::int64_t run = mine.begin; run < mine.end; ++run) {
            for (std::int64_t i = 0; i < kFloats; ++i) sums.sumOf(run, thread)[i] = valueOf(run, i);
            sums.end(run, thread);
        }
    }
    Summed result;
    for (std::size_t i = 0; i < memory.size(); i += kFloats) result.sums_touched += std::isnan(memory[i]) ? 0 : 1;
    for (const Range some : {Range{0, 5}, Range{5, kFloats}}) {
        const RunSums::Total total = sums.total(some);
        for (std::int64_t i = some.begin; i < some.end; ++i) {
            result.total.push_back(total.values[i] + (total.count == 2 ? total.values[total.step + i] : 0));
        }
    }
    return result;
}

TEST(RunSums, HaveTheSameBitsForAnyNumberOfThreads) {
    for (const std::int64_t runs : {1, 2, 4, 8, 16}) {
        const std::vector<float> alone = summed(runs, 1).total;
        for (int threads = 2; threads <= 19; ++threads) {
            EXPECT_EQ(summed(runs, threads).total, alone) << runs << " runs, " << threads << " threads";
        }
    }
}

TEST(RunSums, AreTheSumsOfAllRuns) {
    const std::vector<float> total = summed(16, 3).total;
    for (std::int64_t i = 0; i < kFloats; ++i) {
        double expected = 0;
        for (std::int64_t run = 0; run < 16; ++run) expected += valueOf(run, i);
        EXPECT_NEAR(total[static_cast<std::size_t>(i)], expected, 1e-6);
    }
}

TEST(RunSums, TakeThePlaceOfWhatIsAddedUp) {
    EXPECT_EQ(summed(16, 1).sums_touched, 5) << "sums of 8, 4, 2 and 1 runs, and of the run at hand";
    EXPECT_EQ(summed(16, 2).sums_touched, 8) << "four of each thread";
    EXPECT_EQ(summed(16, 16).sums_touched, 16);
}

}  // namespace
}  // namespace engine::backend::cpu
