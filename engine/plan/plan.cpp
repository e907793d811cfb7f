#include "engine/plan/plan.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>

#include "engine/plan/index/looks.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

std::vector<TensorId> tensorsOf(const Plan& plan, TensorRole role) {
    std::vector<TensorId> ids;
    looksOfThisThread() += static_cast<std::int64_t>(plan.tensors.size());
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (plan.tensors[i].role == role) ids.push_back(static_cast<TensorId>(i));
    }
    return ids;
}

}  // namespace

std::string_view toString(Phase phase) {
    switch (phase) {
        case Phase::kForward:
            return "forward";
        case Phase::kBackward:
            return "backward";
        case Phase::kUpdate:
            return "update";
    }
    return "?";
}

std::string_view toString(TensorRole role) {
    switch (role) {
        case TensorRole::kParameter:
            return "parameter";
        case TensorRole::kState:
            return "state";
        case TensorRole::kGradient:
            return "gradient";
        case TensorRole::kSlot:
            return "slot";
        case TensorRole::kStatistic:
            return "statistic";
        case TensorRole::kInput:
            return "input";
        case TensorRole::kLabel:
            return "label";
        case TensorRole::kActivation:
            return "activation";
        case TensorRole::kCopy:
            return "copy";
        case TensorRole::kProduct:
            return "product";
        case TensorRole::kScratch:
            return "scratch";
        case TensorRole::kStepHeader:
            return "header";
    }
    return "?";
}

std::int64_t elementCount(const TensorDesc& tensor) {
    std::int64_t count = 1;
    for (std::int64_t size : tensor.shape) count *= size;
    return count;
}

bool hasBatchAxis(const TensorDesc& tensor) {
    return tensor.role == TensorRole::kInput || tensor.role == TensorRole::kLabel || tensor.role == TensorRole::kActivation ||
           tensor.role == TensorRole::kScratch;
}

bool isVariable(const TensorDesc& tensor) {
    return tensor.role == TensorRole::kParameter || tensor.role == TensorRole::kState || tensor.role == TensorRole::kSlot;
}

const spec::ObjectSpec* optimizerOf(const Op& op) {
    if (op.fused_update) return &op.fused_update->optimizer;
    if (const auto* own = std::get_if<OptimizerAttributes>(&op.attributes)) return &own->optimizer;
    if (const auto* scaling = std::get_if<LossScaleAttributes>(&op.attributes)) return &scaling->optimizer;
    return nullptr;
}

RowWeights rowWeights(const Plan& plan, const Op& op) {
    RowWeights weights;
    for (std::size_t i = 2; i < op.inputs.size(); ++i) {
        const bool is_mask = plan.tensors[static_cast<std::size_t>(op.inputs[i])].dtype == tensor::DType::kUInt8;
        (is_mask ? weights.mask : weights.samples) = op.inputs[i];
    }
    return weights;
}

std::int64_t byteCount(const TensorDesc& tensor) {
    return elementCount(tensor) * static_cast<std::int64_t>(tensor::sizeOf(tensor.dtype));
}

TensorId findTensor(const Plan& plan, std::string_view name) {
    looksOfThisThread() += static_cast<std::int64_t>(plan.tensors.size());
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        if (plan.tensors[i].name == name) return static_cast<TensorId>(i);
    }
    return kNoTensor;
}

spec::Shape imageShape(const spec::Shape& shape) {
    constexpr std::size_t kRank = 4;
    ENGINE_CHECK(shape.size() >= 2 && shape.size() <= kRank);
    spec::Shape image = shape;
    image.insert(image.begin() + 1, kRank - shape.size(), 1);
    return image;
}

spec::Shape matrixShape(const spec::Shape& weight, std::int64_t inner) {
    const std::int64_t count = std::accumulate(weight.begin(), weight.end(), std::int64_t{1}, std::multiplies<>());
    ENGINE_CHECK(inner > 0 && count % inner == 0);
    return {inner, count / inner};
}

spec::Shape kernelShape(const Window2D& window, std::int64_t channels, std::int64_t filters) {
    return {window.kernel_h, window.kernel_w, channels / window.groups, filters};
}

spec::Shape windowOutput(const spec::Shape& image, const Window2D& w, std::int64_t channels) {
    const spec::Shape input = imageShape(image);
    const auto size = [](std::int64_t n, int kernel, int stride, int dilation, int padding) {
        return (n + padding - ((kernel - 1) * dilation + 1)) / stride + 1;
    };
    return {input[0], size(input[1], w.kernel_h, w.stride_h, w.dilation_h, w.pad_top + w.pad_bottom),
            size(input[2], w.kernel_w, w.stride_w, w.dilation_w, w.pad_left + w.pad_right), channels};
}

std::vector<TensorId> parametersOf(const Plan& plan) {
    return tensorsOf(plan, TensorRole::kParameter);
}

std::vector<TensorId> statesOf(const Plan& plan) {
    return tensorsOf(plan, TensorRole::kState);
}

std::vector<std::int64_t> broadcastIndices(const spec::Shape& shape, const spec::Shape& from) {
    ENGINE_CHECK(shape.size() == from.size());
    std::vector<std::int64_t> indices{0};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        std::vector<std::int64_t> finer;
        finer.reserve(indices.size() * static_cast<std::size_t>(shape[axis]));
        for (std::int64_t index : indices)
            for (std::int64_t i = 0; i < shape[axis]; ++i) finer.push_back(index * from[axis] + (from[axis] == 1 ? 0 : i));
        indices = std::move(finer);
    }
    return indices;
}

bool isTrainedGradient(const Plan& plan, TensorId id) {
    const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
    return tensor.role == TensorRole::kGradient && plan.tensors[static_cast<std::size_t>(tensor.of)].role == TensorRole::kParameter;
}

int bucketOf(const Plan& plan, TensorId gradient) {
    for (std::size_t i = 0; i < plan.buckets.size(); ++i) {
        const std::vector<TensorId>& members = plan.buckets[i].gradients;
        looksOfThisThread() += static_cast<std::int64_t>(members.size());
        if (std::find(members.begin(), members.end(), gradient) != members.end()) return static_cast<int>(i);
    }
    return -1;
}

std::vector<TensorId> slotsOf(const Plan& plan, TensorId parameter) {
    std::vector<TensorId> ids;
    looksOfThisThread() += static_cast<std::int64_t>(plan.tensors.size());
    for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
        const TensorDesc& tensor = plan.tensors[i];
        if (tensor.role == TensorRole::kSlot && tensor.of == parameter) ids.push_back(static_cast<TensorId>(i));
    }
    return ids;
}

}  // namespace engine::plan
