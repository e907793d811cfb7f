#include "engine/backend/cuda/gradient_region.h"

#include <cstddef>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/spawn_ranks.h"

namespace engine::backend::cuda {
namespace {

using testing::ElementsAre;

// Two buckets of two floats, the second one behind a gap.
plan::Plan twoBuckets() {
    plan::Plan plan;
    plan.buckets = {{.offset_bytes = 0, .bytes = 8}, {.offset_bytes = 256, .bytes = 8}};
    plan.shared_bytes = 512;
    return plan;
}

plan::Op sumOf(int bucket) {
    plan::Op op;
    op.kind = plan::OpKind::kAllReduce;
    op.bucket = bucket;
    return op;
}

void set(std::byte* device, std::vector<float> values, const Stream& stream) {
    check(cudaMemcpyAsync(device, values.data(), values.size() * sizeof(float), cudaMemcpyHostToDevice, stream.get()), "test");
    stream.synchronize();
}

std::vector<float> get(const std::byte* device, const Stream& stream) {
    std::vector<float> values(2);
    check(cudaMemcpyAsync(values.data(), device, values.size() * sizeof(float), cudaMemcpyDeviceToHost, stream.get()), "test");
    stream.synchronize();
    return values;
}

TEST(GradientRegion, AddsUpABucketOverTheHost) {
    const plan::Plan plan = twoBuckets();
    std::vector<std::vector<float>> sums(2), others(2);
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        const auto rank = static_cast<std::size_t>(collective.rank());
        const auto value = static_cast<float>(rank + 1);
        const Stream stream;
        GradientRegion region(plan, {.collective = &collective}, stream.get());
        EXPECT_FALSE(region.isMirrored());
        EXPECT_EQ(region.onDevice(1), region.onDevice() + 256);
        set(region.onDevice(0), {5, 6}, stream);
        set(region.onDevice(1), {value, 10 * value}, stream);
        region.startReduction(sumOf(1), stream.get());
        region.awaitReduction(1, stream.get());
        sums[rank] = get(region.onDevice(1), stream);
        others[rank] = get(region.onDevice(0), stream);
    });
    EXPECT_THAT(sums[0], ElementsAre(3, 30));
    EXPECT_EQ(sums[1], sums[0]);
    EXPECT_THAT(others[0], ElementsAre(5, 6));
}

// A program that has no collective, but looks at gradients: what it wrote is there when a packet begins, and it reads what came of it.
TEST(GradientRegion, IsMirroredWhereTheHostHasARegionAndNobodyAddsUp) {
    const plan::Plan plan = twoBuckets();
    std::vector<float> host(128);
    host[0] = 7;
    host[64] = 8;
    const Stream stream;
    const GradientRegion region(plan, {.region = std::as_writable_bytes(std::span(host))}, stream.get());
    EXPECT_TRUE(region.isMirrored());
    EXPECT_THAT(get(region.onDevice(0), stream), ElementsAre(0, 0));
    region.copyToDevice(stream.get());
    EXPECT_THAT(get(region.onDevice(1), stream), ElementsAre(8, 0));
    set(region.onDevice(1), {1, 2}, stream);
    region.copyToHost(stream.get());
    stream.synchronize();
    EXPECT_EQ(host[0], 7);
    EXPECT_EQ(host[65], 2);
}

TEST(GradientRegion, OfAPlanWithoutSumsHasNoMemory) {
    const Stream stream;
    const GradientRegion region(plan::Plan{}, {}, stream.get());
    EXPECT_EQ(region.onDevice(), nullptr);
    region.copyToDevice(stream.get());
    region.copyToHost(stream.get());
}

}  // namespace
}  // namespace engine::backend::cuda
