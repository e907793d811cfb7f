// A batch out of the data: samples in the type of their source, times scale, plus offset; labels and weights, by a few blocks of the same
// launch. Samples that the step lacks are zeros.
#include <algorithm>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;

struct GatherSizes {
    std::int64_t batch = 0, elements = 0, label_elements = 0;
    Division packs;                   // of a sample, of kWidth elements
    std::uint32_t sample_blocks = 0;  // the blocks behind these do labels
    bool whole_numbers = false;
    std::int64_t classes_weighed = 0;
};

template <int width, typename Source>
__device__ void loadSource(const void* data, std::int64_t at, float (&to)[width]) {
    const auto pack = *reinterpret_cast<const Pack<Source, width>*>(static_cast<const Source*>(data) + at);
#pragma unroll
    for (int i = 0; i < width; ++i) to[i] = static_cast<float>(pack.values[i]);
}

template <int width>
__device__ void loadSamples(const StepParameters& step, std::int64_t at, float (&to)[width]) {
    switch (step.data_type) {
        case tensor::DType::kUInt8:
            return loadSource<width, std::uint8_t>(step.data, at, to);
        case tensor::DType::kInt32:
            return loadSource<width, std::int32_t>(step.data, at, to);
        case tensor::DType::kInt64:
            return loadSource<width, std::int64_t>(step.data, at, to);
        case tensor::DType::kFloat32:
            return loadSource<width, float>(step.data, at, to);
        case tensor::DType::kBFloat16:
            return loadSource<width, __nv_bfloat16>(step.data, at, to);
        case tensor::DType::kFloat16:
            return loadSource<width, __half>(step.data, at, to);
    }
}

__device__ inline std::int64_t wholeLabel(const StepParameters& step, std::int64_t at) {
    switch (step.label_type) {
        case tensor::DType::kUInt8:
            return static_cast<const std::uint8_t*>(step.labels)[at];
        case tensor::DType::kInt32:
            return static_cast<const std::int32_t*>(step.labels)[at];
        default:
            return static_cast<const std::int64_t*>(step.labels)[at];
    }
}
__device__ inline float realLabel(const StepParameters& step, std::int64_t at) {
    return step.label_type == tensor::DType::kFloat32 ? static_cast<const float*>(step.labels)[at]
                                                      : static_cast<float>(wholeLabel(step, at));
}

// The row of the data where sample i of the step lies.
__device__ inline std::int64_t rowOf(const StepParameters& step, std::int64_t i) {
    return step.is_staged ? i : step.indices[i];
}

// The class of a label, as LabelReader finds it.
template <typename Label>
__device__ std::int64_t classOf(const StepParameters& step, std::int64_t first, std::int64_t elements) {
    if constexpr (!std::is_same_v<Label, float>) {
        return wholeLabel(step, first);
    } else {
        if (elements == 1) return static_cast<std::int64_t>(rintf(realLabel(step, first)));
        std::int64_t best = 0;
        for (std::int64_t k = 1; k < elements; ++k) {
            if (realLabel(step, first + k) > realLabel(step, first + best)) best = k;
        }
        return best;
    }
}

template <typename Label>
__device__ void gatherLabels(const GatherSizes& sizes, const StepParameters& step, Label* labels, float* weights,
                             const float* class_weights) {
    const std::int64_t i = (static_cast<std::int64_t>(blockIdx.x) - sizes.sample_blocks) * kThreads + threadIdx.x;
    if (i >= sizes.batch) return;
    const bool is_present = i < step.samples;
    // Sequences have columns of their own number in the data: the first ones that there is room for, and -1 behind them.
    const std::int64_t elements = sizes.label_elements, given = step.label_elements == 0 ? elements : step.label_elements;
    const std::int64_t first = is_present ? rowOf(step, i) * given : 0;
    for (std::int64_t k = 0; k < elements; ++k) {
        Label label{};
        if (is_present && k >= given) {
            label = Label{-1};
        } else if (is_present) {
            if constexpr (std::is_same_v<Label, float>) {
                label = realLabel(step, first + k);
            } else {
                label = static_cast<Label>(wholeLabel(step, first + k));
            }
        }
        labels[i * elements + k] = label;
    }
    if (weights == nullptr) return;
    float weight = 0;
    if (is_present) {
        weight = step.sample_weights == nullptr ? 1.0F : step.sample_weights[rowOf(step, i)];
        if (sizes.classes_weighed > 0) {
            const std::int64_t of = classOf<Label>(step, first, elements);
            if (of >= 0 && of < sizes.classes_weighed) weight *= class_weights[of];
        }
    }
    weights[i] = weight;
}

template <int width, typename T, typename Label>
__global__ void gatherKernel(GatherSizes sizes, const StepParameters* parameters, T* input, Label* labels, float* weights,
                             const float* class_weights) {
    const StepParameters& step = *parameters;
    if (blockIdx.x >= sizes.sample_blocks) {
        if (step.labels != nullptr) gatherLabels(sizes, step, labels, weights, class_weights);
        return;
    }
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * kThreads + threadIdx.x;
    const Division::Parts place = sizes.packs(at);
    if (place.quotient >= sizes.batch) return;
    const std::int64_t column = place.rest * width;
    float values[width] = {};
    if (place.quotient < step.samples) {
        loadSamples(step, rowOf(step, place.quotient) * sizes.elements + column, values);
        if (!sizes.whole_numbers) {
#pragma unroll
            for (int i = 0; i < width; ++i) {
                const float scale = step.scales == nullptr ? step.scale : step.scales[column + i];
                const float offset = step.scales == nullptr ? step.offset : step.offsets[column + i];
                values[i] = __fadd_rn(__fmul_rn(values[i], scale), offset);  // the same bytes as on the CPU
            }
        }
    }
    storePack(input + place.quotient * sizes.elements + column, values);
}

std::shared_ptr<const DeviceMemory> onDevice(const std::vector<float>& values) {
    if (values.empty()) return nullptr;
    auto memory = std::make_shared<const DeviceMemory>(values.size() * sizeof(float), "class weights");
    check(cudaMemcpy(memory->get(), values.data(), memory->size(), cudaMemcpyHostToDevice), "class weights");
    return memory;
}

template <int width, typename T, typename Label>
BoundOp bindTypes(const Context& context, const plan::Op& op) {
    const plan::Plan& plan = context.plan();
    GatherSizes sizes;
    sizes.batch = plan.batch;
    sizes.elements = context.elements(plan.input) / plan.batch;
    sizes.packs = Division(std::max<std::int64_t>(sizes.elements / width, 1));
    sizes.sample_blocks = gridOf(sizes.batch * (sizes.elements / width), kThreads).blocks.x;
    std::vector<float> class_weights;
    if (const auto* attributes = std::get_if<plan::GatherAttributes>(&op.attributes)) {
        sizes.whole_numbers = attributes->whole_numbers;
        class_weights = attributes->class_weights;
    }
    sizes.classes_weighed = static_cast<std::int64_t>(class_weights.size());
    std::uint32_t blocks = sizes.sample_blocks;
    Label* labels = nullptr;
    float* weights = nullptr;
    if (plan.label != plan::kNoTensor && context.bytes(plan.label) != nullptr) {
        labels = context.as<Label>(plan.label);
        sizes.label_elements = context.elements(plan.label) / plan.batch;
        if (plan.sample_weight != plan::kNoTensor) weights = context.floats(plan.sample_weight);
        blocks += gridOf(sizes.batch, kThreads).blocks.x;
    }
    T* input = context.as<T>(plan.input);
    const StepParameters* step = context.step();
    return {.kernel = "packs of " + std::to_string(width), .enqueue = [=, kept = onDevice(class_weights)](cudaStream_t stream, std::byte*) {
                const float* of_classes = kept == nullptr ? nullptr : reinterpret_cast<const float*>(kept->get());
                launch("gather", {.blocks = dim3(blocks), .threads = dim3(kThreads)}, stream, gatherKernel<width, T, Label>, sizes, step,
                       input, labels, weights, of_classes);
            }};
}

template <typename T>
BoundOp bindValues(const Context& context, const plan::Op& op) {
    const plan::Plan& plan = context.plan();
    const bool has_classes = plan.label != plan::kNoTensor && context.tensor(plan.label).dtype == tensor::DType::kInt32;
    // Samples of whole packs begin aligned, wherever they are in the data.
    const bool is_wide = context.elements(plan.input) / plan.batch % 4 == 0;
    if (has_classes) {
        return is_wide ? bindTypes<4, T, std::int32_t>(context, op) : bindTypes<1, T, std::int32_t>(context, op);
    }
    return is_wide ? bindTypes<4, T, float>(context, op) : bindTypes<1, T, float>(context, op);
}

}  // namespace

BoundOp bindGather(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(context.plan().input), [&]<typename T>() { bound = bindValues<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
