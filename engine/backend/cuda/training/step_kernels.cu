#include "engine/backend/cuda/training/step_kernels.h"

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {
namespace {

constexpr unsigned kThreads = 128;

__global__ void beginKernel(const StepFeed* feed, StepParameters* current, float* header, std::int64_t header_elements) {
    const StepParameters& step = feed->steps[feed->next];
    static_assert(sizeof(StepParameters) % sizeof(std::uint32_t) == 0);
    const auto* from = reinterpret_cast<const std::uint32_t*>(&step);
    auto* to = reinterpret_cast<std::uint32_t*>(current);
    for (unsigned i = threadIdx.x; i < sizeof(StepParameters) / sizeof(std::uint32_t); i += kThreads) to[i] = from[i];
    for (std::int64_t i = threadIdx.x; i < header_elements; i += kThreads) {
        header[i] = i == plan::StepHeader::kControl ? step.control : i == plan::StepHeader::kControlValue ? step.control_value : 0.0F;
    }
}

__global__ void endKernel(StepFeed* feed, const float* header, std::int64_t header_elements) {
    float* to = feed->headers + feed->next * header_elements;
    for (std::int64_t i = threadIdx.x; i < header_elements; i += kThreads) to[i] = header[i];
    __syncthreads();
    if (threadIdx.x == 0) ++feed->next;
}

}  // namespace

void enqueueBeginStep(cudaStream_t stream, const StepFeed* feed, StepParameters* current, float* header, std::int64_t header_elements) {
    launch("begin of a step", {.threads = dim3(kThreads)}, stream, beginKernel, feed, current, header, header_elements);
}

void enqueueEndStep(cudaStream_t stream, StepFeed* feed, const float* header, std::int64_t header_elements) {
    launch("end of a step", {.threads = dim3(kThreads)}, stream, endKernel, feed, header, header_elements);
}

}  // namespace engine::backend::cuda
