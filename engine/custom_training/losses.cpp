#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "engine/custom_training/model.h"
#include "engine/custom_training/strategy.h"
#include "engine/spec/error.h"

namespace engine::custom_training {
namespace {

template <class T>
float numberAt(const std::byte* labels, std::size_t index) {
    T value;
    std::memcpy(&value, labels + index * sizeof(T), sizeof(T));
    return static_cast<float>(value);
}

}  // namespace

float ReplicaContext::label(std::int64_t i) const {
    const tensor::BatchView& batch = call_.batch;
    const auto index =
        static_cast<std::size_t>(batch.indices[static_cast<std::size_t>(i)]) * static_cast<std::size_t>(batch.label_elements);
    switch (batch.label_dtype) {
        case tensor::DType::kUInt8:
            return numberAt<std::uint8_t>(batch.labels, index);
        case tensor::DType::kInt32:
            return numberAt<std::int32_t>(batch.labels, index);
        case tensor::DType::kFloat32:
            return numberAt<float>(batch.labels, index);
        default:
            throw Error(ErrorCode::kInvalidArgument,
                        "labels: expected uint8, int32 or float32, got " + std::string(toString(batch.label_dtype)));
    }
}

std::vector<float> meanSquaredError(ReplicaContext& replica, float scale) {
    std::vector<float> losses;
    for (std::int64_t i = 0; i < replica.samples(); ++i) {
        const std::span<const float> outputs = replica.outputs(i);
        const auto count = static_cast<float>(outputs.size());
        double loss = 0;
        for (std::size_t k = 0; k < outputs.size(); ++k) {
            const float difference = outputs[k] - replica.label(i);
            loss += static_cast<double>(difference) * difference;
            replica.gradient(i)[k] += scale * 2 * difference / count;
        }
        losses.push_back(static_cast<float>(loss / count));
    }
    return losses;
}

std::vector<float> sparseSoftmaxCrossEntropy(ReplicaContext& replica, float scale) {
    std::vector<float> losses;
    for (std::int64_t i = 0; i < replica.samples(); ++i) {
        const std::span<const float> z = replica.outputs(i);
        const float label = replica.label(i);
        if (!(label >= 0 && label < static_cast<float>(z.size())) || label != std::floor(label)) {
            throw Error(ErrorCode::kOutOfRange,
                        "label: expected a class from 0 to " + std::to_string(z.size() - 1) + ", got " + std::to_string(label));
        }
        const auto right = static_cast<std::size_t>(label);
        const float largest = *std::max_element(z.begin(), z.end());
        double total = 0;
        for (float score : z) total += std::exp(score - largest);
        for (std::size_t k = 0; k < z.size(); ++k) {
            const auto probability = static_cast<float>(std::exp(z[k] - largest) / total);
            replica.gradient(i)[k] += scale * (probability - (k == right ? 1.0F : 0.0F));
        }
        losses.push_back(static_cast<float>(std::log(total) + largest - z[right]));
    }
    return losses;
}

}  // namespace engine::custom_training
