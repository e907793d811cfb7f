#include "engine/train/fit/adaptation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/tensor/element.h"

namespace engine::train {
namespace {

constexpr std::int64_t kBatch = 256;  // samples that are decoded at a time; the sums do not depend on it

// Mean and variance of each channel of values that come sample by sample: sums of distances from the first value, which lie close together
// wherever the values lie.
class Moments {
public:
    Moments(std::int64_t channels, std::int64_t inner)
        : channels_(static_cast<std::size_t>(channels)),
          inner_(static_cast<std::size_t>(inner)),
          origins_(channels_),
          sums_(channels_),
          squares_(channels_) {}

    void add(std::span<const float> sample) {
        if (samples_ == 0) {
            for (std::size_t c = 0; c < channels_; ++c) origins_[c] = static_cast<double>(sample[c * inner_]);
        }
        ++samples_;
        const std::size_t block = channels_ * inner_;
        for (std::size_t i = 0; i < sample.size(); ++i) {
            const std::size_t channel = i % block / inner_;
            const double distance = static_cast<double>(sample[i]) - origins_[channel];
            sums_[channel] += distance;
            squares_[channel] += distance * distance;
        }
        values_ = samples_ * static_cast<std::int64_t>(sample.size() / channels_);
    }

    std::int64_t samples() const { return samples_; }
    void store(std::span<float> means, std::span<float> variances) const {
        const auto count = static_cast<double>(values_);
        for (std::size_t c = 0; c < channels_; ++c) {
            const double distance = sums_[c] / count;
            means[c] = static_cast<float>(origins_[c] + distance);
            variances[c] = static_cast<float>(std::max(squares_[c] / count - distance * distance, 0.0));
        }
    }

private:
    const std::size_t channels_, inner_;
    std::vector<double> origins_, sums_, squares_;
    std::int64_t samples_ = 0, values_ = 0;  // values of a channel
};

// The moments of the axes that the layer keeps, which the shape rule has looked at.
Moments momentsOf(const spec::LayerSpec& layer, const spec::Shape& input) {
    const auto rank = static_cast<std::int64_t>(input.size()) + 1;
    std::int64_t channels = 1, inner = 1, last = 0;
    for (std::int64_t axis : spec::settingsOf(layer).getInts("axis")) {
        axis = (axis + rank) % rank;
        last = std::max(last, axis);
        channels *= input[static_cast<std::size_t>(axis - 1)];
    }
    for (auto axis = static_cast<std::size_t>(last); axis < input.size(); ++axis) inner *= input[axis];
    return {channels, inner};
}

// A sample as the model gets it, see tensor::BatchView; ids stay as they are.
void readSample(const tensor::BatchView& view, std::int64_t sample, bool are_ids, std::vector<float>& values) {
    const std::int64_t elements = view.sample_elements;
    values.resize(static_cast<std::size_t>(elements));
    for (std::int64_t k = 0; k < elements; ++k) {
        const float value = tensor::elementValue(view.samples, view.sample_dtype, sample * elements + k);
        const float scale = view.scales != nullptr ? view.scales[k] : view.scale;
        const float offset = view.scales != nullptr ? view.offsets[k] : view.offset;
        values[static_cast<std::size_t>(k)] = are_ids ? value : value * scale + offset;
    }
}

}  // namespace

std::string adaptLayer(const spec::RunSpec& run, const std::shared_ptr<const data::Samples>& samples, backend::Variables& variables) {
    const spec::LayerSpec* layer = spec::adaptedLayer(run.model);
    if (layer == nullptr || spec::takesTexts(*layer)) return {};  // a vocabulary is taken where the texts are read
    const data::Extent part = data::splitTraining(run.data, samples->count).train;
    data::Pipeline pipeline = data::evaluationPipeline(run.data, samples, part, 1, 0, kBatch);
    pipeline.start(0);
    Moments moments = momentsOf(*layer, run.model.input_shape);
    std::vector<float> values;
    tensor::BatchView view;
    while (pipeline.next(view)) {
        for (const std::uint32_t index : view.indices) {
            readSample(view, index, run.model.input_dtype != "float32", values);
            moments.add(values);
        }
    }
    if (moments.samples() == 0) {
        throw Error(ErrorCode::kDataLoss, layer->name + ": expected training samples for its mean and variance, none was left");
    }
    moments.store(variables.values(layer->name + "/mean"), variables.values(layer->name + "/variance"));
    return layer->name + ": mean and variance of " + spec::counted(static_cast<std::size_t>(moments.samples()), "training sample");
}

}  // namespace engine::train
