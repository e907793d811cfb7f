// That the emulator finds what it is there for, and that the helpers of kernels are right on it.
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/spec/error.h"
#include "tests/support/cuda_emulator/emulator.h"

namespace engine::backend::cuda {
namespace {

template <typename T>
class Buffer {
public:
    explicit Buffer(std::size_t count) : count_(count) { check(cudaMalloc(&memory_, count * sizeof(T)), "Buffer"); }
    ~Buffer() { cudaFree(memory_); }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    T* get() { return memory_; }
    std::vector<T> read() {
        std::vector<T> values(count_);
        check(cudaMemcpy(values.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost), "Buffer");
        return values;
    }
    void write(const std::vector<T>& values) {
        check(cudaMemcpy(memory_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice), "Buffer");
    }

private:
    T* memory_ = nullptr;
    std::size_t count_;
};

__global__ void number(float* to, std::int64_t count) {
    const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i < count) to[i] = static_cast<float>(i);
}

// Neighbours change places by shared memory.
template <bool kMeets>
__global__ void turnBlock(float* values) {
    __shared__ float tile[64];
    tile[threadIdx.x] = values[threadIdx.x];
    if constexpr (kMeets) __syncthreads();
    values[threadIdx.x] = tile[63 - threadIdx.x];
}

__global__ void readUnwritten(float* to) {
    __shared__ float once[8];
    to[2 * blockIdx.x] = once[blockIdx.x % 8];
    to[2 * blockIdx.x + 1] = dynamicShared<float>()[blockIdx.x];
    once[(blockIdx.x + 1) % 8] = 1;
    dynamicShared<float>()[(blockIdx.x + 1) % 4] = 1;
}

__global__ void sums(const float* from, float* of_warps, float* of_block) {
    const float value = from[threadIdx.x];
    of_warps[threadIdx.x] = warpSum(value, 8);
    of_block[threadIdx.x] = blockSum<96>(value) + 1000 * blockReduce<96>(value, Maximum{});
}

__global__ void collectives(std::uint32_t* out) {
    const auto lane = static_cast<int>(threadIdx.x);
    out[lane] = __ballot_sync(kAllLanes, lane % 3 == 0);
    out[32 + lane] = static_cast<std::uint32_t>(__shfl_down_sync(kAllLanes, lane, 4));
    out[64 + lane] = static_cast<std::uint32_t>(__shfl_sync(kAllLanes, lane, 5, 16));
    out[96 + lane] = static_cast<std::uint32_t>(__syncthreads_count(lane < 7));
}

__global__ void leavesEarly(float* to) {
    if (threadIdx.x == 3) return;
    __syncthreads();
    to[threadIdx.x] = 1;
}

__global__ void meetsAtTwoPlaces(float* to) {
    if (threadIdx.x < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
    to[threadIdx.x] = 1;
}

__global__ void addOne(float* to) {
    *to += 1;
}

class Emulator : public ::testing::Test {
protected:
    cuda_emulator::Settings settings_;
};

TEST_F(Emulator, GivesMemoryOfNaNsAndRunsEveryThread) {
    Buffer<float> values(1000);
    for (float value : values.read()) EXPECT_TRUE(std::isnan(value));
    launch("number", gridOf(997), nullptr, number, values.get(), std::int64_t{997});
    const std::vector<float> after = values.read();
    for (std::size_t i = 0; i < 997; ++i) EXPECT_EQ(after[i], static_cast<float>(i));
    EXPECT_TRUE(std::isnan(after[997]));
}

TEST_F(Emulator, AnyOrderGivesTheSameWithABarrierAndAnotherResultWithout) {
    const auto run = [](void (*kernel)(float*)) {
        Buffer<float> values(64);
        std::vector<float> start(64);
        for (std::size_t i = 0; i < 64; ++i) start[i] = static_cast<float>(i);
        values.write(start);
        launch("turnBlock", {.threads = dim3(64)}, nullptr, kernel, values.get());
        return values.read();
    };
    for (auto order : {cuda_emulator::Order::kForward, cuda_emulator::Order::kReverse, cuda_emulator::Order::kShuffled}) {
        cuda_emulator::setOrder(order);
        const std::vector<float> right = run(turnBlock<true>), wrong = run(turnBlock<false>);
        for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(right[i], static_cast<float>(63 - i));
        EXPECT_FALSE(right == wrong);
    }
}

TEST_F(Emulator, SharedMemoryIsUndefinedInEachBlock) {
    Buffer<float> values(4);
    launch("readUnwritten", {.blocks = dim3(2), .shared_bytes = 4 * sizeof(float)}, nullptr, readUnwritten, values.get());
    for (float value : values.read()) EXPECT_TRUE(std::isnan(value)) << value;
}

TEST_F(Emulator, ReducesOverWarpsAndBlocksInAnyOrder) {
    std::vector<float> start(96);
    for (std::size_t i = 0; i < 96; ++i) start[i] = static_cast<float>(i % 13);
    float sum = 0;
    for (float value : start) sum += value;
    for (auto order : {cuda_emulator::Order::kForward, cuda_emulator::Order::kReverse, cuda_emulator::Order::kShuffled}) {
        cuda_emulator::setOrder(order);
        Buffer<float> from(96), of_warps(96), of_block(96);
        from.write(start);
        launch("sums", {.threads = dim3(96)}, nullptr, sums, from.get(), of_warps.get(), of_block.get());
        const std::vector<float> parts = of_warps.read(), all = of_block.read();
        for (std::size_t i = 0; i < 96; ++i) {
            float part = 0;
            for (std::size_t k = i / 8 * 8; k < i / 8 * 8 + 8; ++k) part += start[k];
            EXPECT_EQ(parts[i], part);
            EXPECT_EQ(all[i], sum + 12000);
        }
    }
}

TEST_F(Emulator, LanesMeet) {
    Buffer<std::uint32_t> out(128);
    launch("collectives", {.threads = dim3(32)}, nullptr, collectives, out.get());
    const std::vector<std::uint32_t> values = out.read();
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(values[lane], 0x49249249U);
        EXPECT_EQ(values[32 + lane], lane < 28 ? lane + 4 : lane);
        EXPECT_EQ(values[64 + lane], lane / 16 * 16 + 5);
        EXPECT_EQ(values[96 + lane], 7U);
    }
}

TEST_F(Emulator, AThreadThatMissesABarrierIsAnError) {
    Buffer<float> values(32);
    EXPECT_THROW(launch("leavesEarly", {.threads = dim3(32)}, nullptr, leavesEarly, values.get()), Error);
}

TEST_F(Emulator, ABarrierInBothBranchesIsTwoBarriers) {
    Buffer<float> values(64);
    EXPECT_THROW(launch("meetsAtTwoPlaces", {.threads = dim3(64)}, nullptr, meetsAtTwoPlaces, values.get()), Error);
}

TEST_F(Emulator, RefusesWhatNoDeviceCanLaunch) {
    Buffer<float> value(1);
    EXPECT_THROW(launch("addOne", {.threads = dim3(2048)}, nullptr, addOne, value.get()), Error);
    EXPECT_THROW(launch("addOne", {.shared_bytes = 64 << 10}, nullptr, addOne, value.get()), Error);
    allowShared("addOne", addOne);
    value.write({0});
    launch("addOne", {.shared_bytes = 64 << 10}, nullptr, addOne, value.get());
    EXPECT_EQ(value.read().front(), 1);
}

TEST_F(Emulator, AGraphReplaysWhatWasCaptured) {
    Buffer<float> value(1);
    value.write({0});
    cudaStream_t stream = nullptr, other = nullptr;
    cudaEvent_t fork = nullptr, join = nullptr;
    check(cudaStreamCreate(&stream), "stream");
    check(cudaStreamCreate(&other), "stream");
    check(cudaEventCreate(&fork), "event");
    check(cudaEventCreate(&join), "event");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    launch("addOne", {}, stream, addOne, value.get());
    check(cudaEventRecord(fork, stream), "fork");
    check(cudaStreamWaitEvent(other, fork), "fork");
    launch("addOne", {}, other, addOne, value.get());
    check(cudaEventRecord(join, other), "join");
    check(cudaStreamWaitEvent(stream, join), "join");
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t runnable = nullptr;
    check(cudaStreamEndCapture(stream, &graph), "capture");
    check(cudaGraphInstantiate(&runnable, graph), "graph");
    EXPECT_EQ(value.read().front(), 0);  // captured, not run
    cuda_emulator::setLazyStreams(true);
    for (int i = 0; i < 3; ++i) check(cudaGraphLaunch(runnable, stream), "graph");
    float* pinned = nullptr;
    check(cudaMallocHost(&pinned, sizeof(float)), "pinned");
    *pinned = -1;
    check(cudaMemcpyAsync(pinned, value.get(), sizeof(float), cudaMemcpyDeviceToHost, stream), "copy");
    EXPECT_EQ(*pinned, -1);  // nobody has waited
    check(cudaStreamSynchronize(stream), "stream");
    EXPECT_EQ(*pinned, 6);
    cudaFreeHost(pinned);
    cudaGraphExecDestroy(runnable);
    cudaGraphDestroy(graph);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(other);
    cudaStreamDestroy(stream);
}

TEST_F(Emulator, WorkOnAnotherStreamThatNobodyJoinsBreaksACapture) {
    Buffer<float> value(1);
    cudaStream_t stream = nullptr, other = nullptr;
    cudaEvent_t fork = nullptr;
    check(cudaStreamCreate(&stream), "stream");
    check(cudaStreamCreate(&other), "stream");
    check(cudaEventCreate(&fork), "event");
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    check(cudaEventRecord(fork, stream), "fork");
    check(cudaStreamWaitEvent(other, fork), "fork");
    launch("addOne", {}, other, addOne, value.get());
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);
    cudaEventDestroy(fork);
    cudaStreamDestroy(other);
    cudaStreamDestroy(stream);
}

TEST_F(Emulator, CountsMemoryAndRunsOutOfIt) {
    const std::size_t before = cuda_emulator::allocatedBytes();
    cuda_emulator::setDeviceMemory(before + 4096);
    {
        const Buffer<float> values(1024);
        EXPECT_EQ(cuda_emulator::allocatedBytes(), before + 4096);
        try {
            const Buffer<float> more(1);
            FAIL() << "there was no room";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
        }
    }
    EXPECT_EQ(cuda_emulator::allocatedBytes(), before);
}

}  // namespace
}  // namespace engine::backend::cuda
