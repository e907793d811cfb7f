#include "engine/data/dataset.h"

#include <atomic>
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

void checkClasses(const Samples& samples, std::int64_t classes) {
    const std::int64_t each = elementsOf(samples.label_shape);
    for (std::int64_t i = 0; i < samples.count * each; ++i) {
        const std::int64_t label = integerAt(samples, i);
        if (label < 0 || label >= classes) {
            refuse(samples.label_source, "label " + std::to_string(label) + " of sample " + std::to_string(i / each) +
                                             " is out of range, expected 0 to " + std::to_string(classes - 1) + " (the model has " +
                                             std::to_string(classes) + " outputs)");
        }
    }
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
    if (elementsOf(samples.sample_shape) != elementsOf(input_shape)) {
        refuse(samples.source,
               "its samples have the shape " + toString(samples.sample_shape) + ", the model's input expects " + toString(input_shape));
    }
    if (need.classes > 0 && samples.label_dtype == tensor::DType::kFloat32) {
        refuse(samples.label_source, "its labels are " + labelText(samples) + ", the loss expects class indices (uint8 or int32)");
    }
    if (elementsOf(samples.label_shape) != elementsOf(need.shape)) {
        const bool classes = samples.label_dtype != tensor::DType::kFloat32 && samples.label_shape.empty() && need.shape.size() == 1;
        refuse(samples.label_source,
               "its labels are " + labelText(samples) + ", the loss expects the shape " + toString(need.shape) +
                   (classes ? " (data.one_hot=" + std::to_string(need.shape[0]) + " makes it of class indices)" : ""));
    }
    if (need.classes > 0) {
        checkClasses(samples, need.classes);
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
    if (samples.label_dtype == tensor::DType::kFloat32 || elementsOf(samples.label_shape) != 1) {
        refuse(samples.label_source,
               "data.one_hot expects one class index a sample (uint8 or int32), its labels are " + labelText(samples));
    }
    constexpr std::int64_t kMaxBytes = std::int64_t{1} << 34;
    if (samples.count > kMaxBytes / classes) {
        refuse(samples.label_source, "data.one_hot of " + std::to_string(classes) + " classes for " + std::to_string(samples.count) +
                                         " samples needs more than 16 GiB; use a sparse loss");
    }
    checkClasses(samples, classes);
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
