#include "engine/data/dataset.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>

#include <unistd.h>

#include "engine/spec/error.h"

namespace engine::data {
namespace {

[[noreturn]] void refuse(const std::string& source, const std::string& what) {
    throw Error(ErrorCode::kInvalidArgument, source + ": " + what);
}

std::int64_t integerAt(const Samples& samples, std::int64_t element) {
    if (samples.label_dtype == tensor::DType::kUInt8) {
        return static_cast<std::int64_t>(samples.labels.data()[element]);
    }
    std::int32_t label = 0;
    std::memcpy(&label, samples.labels.data() + element * 4, sizeof(label));
    return label;
}

std::string labelText(const Samples& samples) {
    return std::string(tensor::toString(samples.label_dtype)) + " of shape " + toString(samples.label_shape);
}

[[noreturn]] void refuseLabel(const Samples& samples, std::int64_t element, const std::string& label, const std::string& what) {
    refuse(samples.label_source,
           "label " + label + " of sample " + std::to_string(element / std::max<std::int64_t>(1, elementsOf(samples.label_shape))) + what);
}

float floatAt(const Samples& samples, std::int64_t element) {
    float label = 0;
    std::memcpy(&label, samples.labels.data() + element * 4, sizeof(label));
    return label;
}

std::string numberText(float number) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%g", static_cast<double>(number));
    return text.data();
}

void checkProbabilities(const Samples& samples) {
    for (std::int64_t i = 0; i < samples.count * elementsOf(samples.label_shape); ++i) {
        const bool is_float = samples.label_dtype == tensor::DType::kFloat32;
        const float label = is_float ? floatAt(samples, i) : static_cast<float>(integerAt(samples, i));
        if (!(label >= 0 && label <= 1)) {
            refuseLabel(samples, i, numberText(label), " is out of range, the loss expects 0 to 1");
        }
    }
}

// Float labels are no class indices; the first that could not be one says more than the type.
[[noreturn]] void refuseFloats(const Samples& samples) {
    for (std::int64_t i = 0; i < samples.count * elementsOf(samples.label_shape); ++i) {
        const float label = floatAt(samples, i);
        if (!(label >= 0 && label == std::floor(label))) {
            refuseLabel(samples, i, numberText(label), " is no class index, the loss expects whole numbers from 0 (uint8 or int32)");
        }
    }
    refuse(samples.label_source, "its labels are " + labelText(samples) + ", the loss expects class indices (uint8 or int32)");
}

// `reason` says where the number of classes comes from.
void checkClasses(const Samples& samples, std::int64_t classes, const std::string& reason) {
    const std::int64_t each = elementsOf(samples.label_shape);
    for (std::int64_t i = 0; i < samples.count * each; ++i) {
        const std::int64_t label = integerAt(samples, i);
        if (label < 0 || label >= classes) {
            refuseLabel(samples, i, std::to_string(label),
                        " is out of range, expected 0 to " + std::to_string(classes - 1) + " (" + reason + ")");
        }
    }
}

// Classes of sequences have been checked before.
void checkSequences(const Samples& samples) {
    const std::int64_t each = elementsOf(samples.label_shape);
    for (std::int64_t i = 0; i < samples.count * each; ++i) {
        if (i % each > 0 && integerAt(samples, i) != 0 && integerAt(samples, i - 1) == 0) {
            refuseLabel(samples, i, std::to_string(integerAt(samples, i)), " stands behind a zero, which ends a sequence of classes");
        }
    }
}

// One class a sample, for rows of `classes` numbers.
void checkOneHot(const Samples& samples, std::int64_t classes) {
    if (samples.label_dtype == tensor::DType::kFloat32 || elementsOf(samples.label_shape) != 1) {
        refuse(samples.label_source,
               "data.one_hot expects one class index a sample (uint8 or int32), its labels are " + labelText(samples));
    }
    checkClasses(samples, classes, "data.one_hot is " + std::to_string(classes));
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

std::uint64_t newSetId() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

tensor::BatchView Samples::view() const {
    tensor::BatchView view;
    view.samples = samples.data();
    view.sample_dtype = sample_dtype;
    view.sample_elements = elementsOf(sample_shape);
    view.labels = labels.data();
    view.label_dtype = label_dtype;
    view.label_elements = elementsOf(label_shape);
    if (decoder == nullptr) {
        view.set = id;
        view.count = count;
    }
    return view;
}

std::int64_t Samples::label(std::int64_t index) const {
    ENGINE_CHECK(index >= 0 && index < count);
    const std::int64_t element = index * elementsOf(label_shape);
    if (label_dtype == tensor::DType::kFloat32) {
        float label = 0;
        std::memcpy(&label, labels.data() + element * 4, sizeof(label));
        return static_cast<std::int64_t>(label);
    }
    return integerAt(*this, element);
}

void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, const LabelNeed& need) {
    checkAgainstModel(samples, input_shape, need, 0);
}

void checkAgainstModel(const Samples& samples, const spec::Shape& input_shape, const LabelNeed& need, std::int64_t one_hot) {
    if (elementsOf(samples.sample_shape) != elementsOf(input_shape)) {
        refuse(samples.source, "its samples have the shape " + toString(samples.sample_shape) + ", the model's input expects " +
                                   toString(input_shape) + (samples.shape_field.empty() ? "" : " (" + samples.shape_field + ")"));
    }
    if (one_hot > 0) {
        checkOneHot(samples, one_hot);
        if (need.classes > 0 || need.sequences || one_hot != elementsOf(need.shape)) {
            refuse(samples.label_source, "data.one_hot makes its labels rows of " + std::to_string(one_hot) + ", the loss expects " +
                                             (need.classes > 0 ? "class indices" : "the shape " + toString(need.shape)));
        }
        return;
    }
    if (need.classes > 0 && samples.label_dtype == tensor::DType::kFloat32) {
        refuseFloats(samples);
    }
    if (need.sequences) {
        if (samples.label_shape.size() != 1) {
            refuse(samples.label_source,
                   "its labels are " + labelText(samples) + ", the loss expects sequences of class indices, of the shape (length,)");
        }
        checkClasses(samples, need.classes, "the model has " + std::to_string(need.classes) + " outputs");
        checkSequences(samples);
        return;
    }
    if (elementsOf(samples.label_shape) != elementsOf(need.shape)) {
        const bool classes = samples.label_dtype != tensor::DType::kFloat32 && samples.label_shape.empty() && need.shape.size() == 1;
        refuse(samples.label_source,
               "its labels are " + labelText(samples) + ", the loss expects the shape " + toString(need.shape) +
                   (classes ? " (data.one_hot=" + std::to_string(need.shape[0]) + " makes it of class indices)" : ""));
    }
    if (need.classes > 0) {
        checkClasses(samples, need.classes, "the model has " + std::to_string(need.classes) + " outputs");
    }
    if (need.from_0_to_1) {
        checkProbabilities(samples);
    }
}

std::shared_ptr<DecodedCache> makeCache(const Samples& samples) {
    const auto each = static_cast<std::size_t>(elementsOf(samples.sample_shape)) * tensor::sizeOf(samples.sample_dtype);
    const std::size_t half = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) / 2 * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    if (each == 0 || static_cast<std::size_t>(samples.count) > half / each) {
        return nullptr;
    }
    return std::make_shared<DecodedCache>(each, samples.count);
}

void oneHotLabels(Samples& samples, std::int64_t classes) {
    ENGINE_CHECK(classes >= 1);
    checkOneHot(samples, classes);
    constexpr std::int64_t kMaxBytes = std::int64_t{1} << 34;
    if (samples.count > kMaxBytes / classes) {
        refuse(samples.label_source, "data.one_hot of " + std::to_string(classes) + " classes for " + std::to_string(samples.count) +
                                         " samples needs more than 16 GiB; use a sparse loss");
    }
    ByteBuffer rows(static_cast<std::size_t>(samples.count * classes));
    std::memset(rows.data(), 0, rows.size());
    for (std::int64_t i = 0; i < samples.count; ++i) {
        rows.data()[i * classes + integerAt(samples, i)] = std::byte{1};
    }
    samples.labels = std::move(rows);
    samples.label_dtype = tensor::DType::kUInt8;
    samples.label_shape = {classes};
}

}  // namespace engine::data
