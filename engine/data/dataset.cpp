#include "engine/data/dataset.h"

#include <cstring>
#include <filesystem>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

template <typename Label>
std::int64_t firstOutside(const std::byte* labels, std::int64_t count, std::int64_t classes) {
    for (std::int64_t i = 0; i < count; ++i) {
        Label label;
        std::memcpy(&label, labels + i * static_cast<std::int64_t>(sizeof(Label)), sizeof(Label));
        if (static_cast<std::int64_t>(label) < 0 || static_cast<std::int64_t>(label) >= classes) {
            return i;
        }
    }
    return -1;
}

}  // namespace

std::int64_t elementsOf(const spec::Shape& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t size : shape) {
        elements *= size;
    }
    return elements;
}

std::string toString(const spec::Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

tensor::BatchView Samples::view() const {
    tensor::BatchView view;
    view.samples = samples.data();
    view.sample_dtype = sample_dtype;
    view.sample_elements = elementsOf(sample_shape);
    view.labels = labels.data();
    view.label_dtype = label_dtype;
    view.label_elements = 1;
    return view;
}

std::int64_t Samples::label(std::int64_t index) const {
    ENGINE_CHECK(index >= 0 && index < count);
    if (label_dtype == tensor::DType::kUInt8) {
        return static_cast<std::int64_t>(labels.data()[index]);
    }
    std::int32_t label = 0;
    std::memcpy(&label, labels.data() + index * 4, sizeof(label));
    return label;
}

void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, std::int64_t classes) {
    if (elementsOf(samples.sample_shape) != elementsOf(input_shape)) {
        throw Error(ErrorCode::kInvalidArgument, samples.source + ": its samples have the shape " + toString(samples.sample_shape) +
                                                     ", the model's input expects " + toString(input_shape));
    }
    if (classes <= 0) {
        return;
    }
    const std::int64_t bad = samples.label_dtype == tensor::DType::kUInt8
                                 ? firstOutside<std::uint8_t>(samples.labels.data(), samples.count, classes)
                                 : firstOutside<std::int32_t>(samples.labels.data(), samples.count, classes);
    if (bad >= 0) {
        throw Error(ErrorCode::kInvalidArgument, samples.label_source + ": label " + std::to_string(samples.label(bad)) + " of sample " +
                                                     std::to_string(bad) + " is out of range, expected 0 to " +
                                                     std::to_string(classes - 1) + " (the model has " + std::to_string(classes) +
                                                     " outputs)");
    }
}

}  // namespace engine::data
