#include "engine/data/mixing/batch_mixer.h"

#include <algorithm>
#include <numeric>

#include "engine/spec/error.h"
#include "engine/tensor/element.h"

namespace engine::data {
namespace {

// values[k] = element begin + k of the sample, scaled as tensor::BatchView says.
template <typename Element>
void readElements(const tensor::BatchView& view, std::int64_t sample, std::int64_t begin, std::span<float> values) {
    const std::int64_t first = sample * view.sample_elements + begin;
    if (view.scales == nullptr) {
        for (std::size_t k = 0; k < values.size(); ++k) {
            const auto element = tensor::load<Element>(view.samples, first + static_cast<std::int64_t>(k));
            values[k] = static_cast<float>(element) * view.scale + view.offset;
        }
        return;
    }
    const float *scales = view.scales + begin, *offsets = view.offsets + begin;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto element = tensor::load<Element>(view.samples, first + static_cast<std::int64_t>(k));
        values[k] = static_cast<float>(element) * scales[k] + offsets[k];
    }
}

void readValues(const tensor::BatchView& view, std::int64_t sample, std::int64_t begin, std::span<float> values) {
    switch (view.sample_dtype) {
        case tensor::DType::kUInt8:
            return readElements<std::uint8_t>(view, sample, begin, values);
        case tensor::DType::kInt32:
            return readElements<std::int32_t>(view, sample, begin, values);
        case tensor::DType::kFloat32:
            return readElements<float>(view, sample, begin, values);
        default:
            ENGINE_CHECK(false);  // Samples has no other type
    }
}

void readLabel(const tensor::BatchView& view, std::int64_t sample, std::span<float> values) {
    const std::int64_t first = sample * view.label_elements;
    for (std::size_t k = 0; k < values.size(); ++k) {
        values[k] = tensor::elementValue(view.labels, view.label_dtype, first + static_cast<std::int64_t>(k));
    }
}

}  // namespace

BatchMixer::BatchMixer(const MixRule& rule, const Samples& samples, std::int64_t most)
    : rule_(rule),
      sample_elements_(static_cast<std::size_t>(elementsOf(samples.sample_shape))),
      label_elements_(static_cast<std::size_t>(elementsOf(samples.label_shape))),
      samples_(static_cast<std::size_t>(most) * sample_elements_),
      labels_(static_cast<std::size_t>(most) * label_elements_),
      partner_(std::max(sample_elements_, label_elements_)),
      places_(static_cast<std::size_t>(most)) {
    std::iota(places_.begin(), places_.end(), 0U);
    in_set_.reserve(static_cast<std::size_t>(most));
    const spec::ImageSize& image = rule_.image;
    const bool cuts = rule_.settings.kind == spec::MixKind::kCutMix;
    ENGINE_CHECK(!cuts || static_cast<std::size_t>(image.rows * image.columns * image.channels) == sample_elements_);
}

std::span<const Mixing> BatchMixer::inSet(std::span<const Mixing> mixings, std::span<const std::uint32_t> batch,
                                          std::span<const std::uint32_t> guests) {
    in_set_.assign(mixings.begin(), mixings.end());
    for (Mixing& mixing : in_set_) {
        mixing.partner = mixing.partner < batch.size() ? batch[mixing.partner] : guests[mixing.partner - batch.size()];
    }
    return in_set_;
}

void BatchMixer::mix(tensor::BatchView& view, std::span<const std::uint32_t> elements, std::span<const Mixing> mixings) {
    const std::size_t count = view.indices.size();
    ENGINE_CHECK(count == mixings.size() && count == elements.size() && count <= places_.size());
    ENGINE_CHECK(view.sample_weights == nullptr);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t own = view.indices[i];
        mixSample(view, own, mixings[i], std::span(samples_).subspan(i * sample_elements_, sample_elements_));
        const std::span<float> label = std::span(labels_).subspan(i * label_elements_, label_elements_);
        const std::span<float> other = std::span(partner_).first(label_elements_);
        readLabel(view, own, label);
        readLabel(view, mixings[i].partner, other);
        mixValues(label, other, mixings[i].share);
    }
    view.samples = reinterpret_cast<const std::byte*>(samples_.data());
    view.labels = reinterpret_cast<const std::byte*>(labels_.data());
    view.sample_dtype = view.label_dtype = tensor::DType::kFloat32;
    view.scale = 1;
    view.offset = 0;
    view.scales = view.offsets = nullptr;
    view.indices = std::span(places_).first(count);
    view.numbers = elements;
    view.set = 0;
    view.count = 0;
}

void BatchMixer::mixSample(const tensor::BatchView& view, std::uint32_t own, const Mixing& mixing, std::span<float> to) {
    readValues(view, own, 0, to);
    if (rule_.settings.kind == spec::MixKind::kMixUp) {
        const std::span<float> other = std::span(partner_).first(sample_elements_);
        readValues(view, mixing.partner, 0, other);
        mixValues(to, other, mixing.share);
        return;
    }
    const spec::ImageSize& image = rule_.image;
    const PixelBox box = pixelsOf(mixing, image);
    const std::int64_t width = (box.last_column - box.first_column) * image.channels;
    for (std::int64_t row = box.first_row; row < box.last_row; ++row) {
        const std::int64_t begin = (row * image.columns + box.first_column) * image.channels;
        readValues(view, mixing.partner, begin, to.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(width)));
    }
}

}  // namespace engine::data
