#include "engine/backend/label_reader.h"

#include <cmath>
#include <cstring>
#include <string>

#include "engine/backend/losses/ctc_loss.h"
#include "engine/spec/error.h"
#include "engine/tensor/element.h"

namespace engine::backend {
namespace {

bool isWhole(tensor::DType type) {
    return type == tensor::DType::kUInt8 || type == tensor::DType::kInt32 || type == tensor::DType::kInt64;
}

std::int64_t wholeLabel(const std::byte* data, tensor::DType type, std::int64_t index) {
    switch (type) {
        case tensor::DType::kUInt8:
            return tensor::load<std::uint8_t>(data, index);
        case tensor::DType::kInt32:
            return tensor::load<std::int32_t>(data, index);
        default:
            return tensor::load<std::int64_t>(data, index);
    }
}

float realLabel(const std::byte* data, tensor::DType type, std::int64_t index) {
    return type == tensor::DType::kFloat32 ? tensor::load<float>(data, index) : static_cast<float>(wholeLabel(data, type, index));
}

}  // namespace

LabelReader::LabelReader(const plan::Plan& plan, const plan::Op& gather) {
    const plan::TensorDesc& label = plan.tensors[static_cast<std::size_t>(plan.label)];
    elements_ = plan::elementCount(label) / plan.batch;
    are_classes_ = label.dtype == tensor::DType::kInt32;
    classes_ = plan.tensors[static_cast<std::size_t>(plan.output)].shape.back();
    if (const auto* attributes = std::get_if<plan::GatherAttributes>(&gather.attributes)) attributes_ = *attributes;
}

void LabelReader::check(const tensor::BatchView& batch) const {
    if (attributes_.sequences) {
        checkSequences(batch);
        return;
    }
    if (batch.label_elements != elements_) {
        const bool wants_distribution = batch.label_elements == 1 && !are_classes_;
        throw Error(ErrorCode::kInvalidArgument,
                    "labels: expected " +
                        (are_classes_ && elements_ == 1 ? std::string("one class index") : std::to_string(elements_) + " values") +
                        " a sample, got " + std::to_string(batch.label_elements) +
                        (wants_distribution ? "; class indices go with SparseCategoricalCrossentropy" : ""));
    }
    if (!are_classes_) {
        if (isWhole(batch.label_dtype) || batch.label_dtype == tensor::DType::kFloat32) return;
        throw Error(ErrorCode::kInvalidArgument,
                    "labels: expected numbers (uint8, int32, int64, float32), got " + std::string(toString(batch.label_dtype)));
    }
    if (!isWhole(batch.label_dtype)) {
        throw Error(ErrorCode::kInvalidArgument,
                    "labels: expected class indices (uint8, int32, int64), got " + std::string(toString(batch.label_dtype)));
    }
    if (attributes_.any_class) return;
    for (std::uint32_t sample : batch.indices) {
        for (std::int64_t k = 0; k < elements_; ++k) {
            const std::int64_t label = wholeLabel(batch.labels, batch.label_dtype, sample * elements_ + k);
            if ((label >= 0 && label < classes_) || (attributes_.ignored_class && label == *attributes_.ignored_class)) continue;
            throw Error(ErrorCode::kOutOfRange, "label of sample " + std::to_string(sample) + ": expected a class from 0 to " +
                                                    std::to_string(classes_ - 1) + ", got " + std::to_string(label));
        }
    }
}

void LabelReader::checkSequences(const tensor::BatchView& batch) const {
    if (batch.label_elements < 1 || !isWhole(batch.label_dtype)) {
        throw Error(ErrorCode::kInvalidArgument, "labels: expected sequences of class indices (uint8, int32, int64), got " +
                                                     std::to_string(batch.label_elements) + " values of " +
                                                     std::string(toString(batch.label_dtype)) + " a sample");
    }
    for (const std::uint32_t sample : batch.indices) {
        std::int64_t before = 1;
        for (std::int64_t k = 0; k < batch.label_elements; ++k) {
            const std::int64_t label = wholeLabel(batch.labels, batch.label_dtype, sample * batch.label_elements + k);
            if (label < 0 || label >= classes_) {
                throw Error(ErrorCode::kOutOfRange, "label of sample " + std::to_string(sample) + ": expected classes from 1 to " +
                                                        std::to_string(classes_ - 1) + " with zeros behind them, got " +
                                                        std::to_string(label));
            }
            if (before == 0 && label != 0) {
                throw Error(ErrorCode::kInvalidArgument, "label of sample " + std::to_string(sample) +
                                                             ": expected zeros behind all classes alone, got the class " +
                                                             std::to_string(label) + " behind a zero");
            }
            before = label;
        }
    }
}

void LabelReader::read(const tensor::BatchView& batch, std::int64_t index, std::byte* to) const {
    if (attributes_.sequences) {
        for (std::int64_t k = 0; k < elements_; ++k, to += sizeof(std::int32_t)) {
            const bool is_there = k < batch.label_elements;
            const std::int64_t label = is_there ? wholeLabel(batch.labels, batch.label_dtype, index * batch.label_elements + k) : kNoColumn;
            const auto column = static_cast<std::int32_t>(label);
            std::memcpy(to, &column, sizeof column);
        }
        return;
    }
    for (std::int64_t k = 0; k < elements_; ++k, to += sizeof(float)) {
        if (are_classes_) {
            const auto label = static_cast<std::int32_t>(wholeLabel(batch.labels, batch.label_dtype, index * elements_ + k));
            std::memcpy(to, &label, sizeof label);
        } else {
            const float label = realLabel(batch.labels, batch.label_dtype, index * elements_ + k);
            std::memcpy(to, &label, sizeof label);
        }
    }
}

std::int64_t LabelReader::classOf(const tensor::BatchView& batch, std::int64_t index) const {
    const std::int64_t first = index * (attributes_.sequences ? batch.label_elements : elements_);
    if (are_classes_) return wholeLabel(batch.labels, batch.label_dtype, first);
    if (elements_ == 1) return static_cast<std::int64_t>(std::nearbyint(realLabel(batch.labels, batch.label_dtype, first)));
    std::int64_t best = 0;
    for (std::int64_t k = 1; k < elements_; ++k) {
        if (realLabel(batch.labels, batch.label_dtype, first + k) > realLabel(batch.labels, batch.label_dtype, first + best)) best = k;
    }
    return best;
}

float LabelReader::weight(const tensor::BatchView& batch, std::int64_t index) const {
    const float own = batch.sample_weights == nullptr ? 1.0F : batch.sample_weights[index];
    const std::int64_t label = classOf(batch, index);
    const bool is_listed = label >= 0 && label < static_cast<std::int64_t>(attributes_.class_weights.size());
    return is_listed ? own * attributes_.class_weights[static_cast<std::size_t>(label)] : own;
}

}  // namespace engine::backend
