#include "engine/train/adapt/adaptation.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "engine/data/pipeline.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"
#include "engine/tensor/element.h"
#include "engine/train/adapt/value_summary.h"

namespace engine::train {
namespace {

constexpr std::int64_t kBatch = 256;  // samples at a time, as exported code gives them to Keras' adapt(); boundaries depend on it

// What one kind of layer makes of the samples, which come in order and in batches.
class Taking {
public:
    Taking() = default;
    Taking(const Taking&) = delete;
    Taking& operator=(const Taking&) = delete;
    virtual ~Taking() = default;

    virtual void add(std::span<const float> sample) = 0;
    virtual void endBatch() {}
    virtual void store(const spec::LayerSpec& layer, backend::Variables& variables) = 0;
    virtual std::string what() const = 0;  // that it took: "mean and variance"
};

// Mean and variance of each channel of values that come sample by sample: sums of distances from the first value, which lie close together
// wherever the values lie.
class Moments final : public Taking {
public:
    Moments(std::int64_t channels, std::int64_t inner)
        : channels_(static_cast<std::size_t>(channels)),
          inner_(static_cast<std::size_t>(inner)),
          origins_(channels_),
          sums_(channels_),
          squares_(channels_) {}

    void add(std::span<const float> sample) override {
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

    void store(const spec::LayerSpec& layer, backend::Variables& variables) override {
        const std::span<float> means = variables.values(layer.name + "/mean"), variances = variables.values(layer.name + "/variance");
        const auto count = static_cast<double>(values_);
        for (std::size_t c = 0; c < channels_; ++c) {
            const double distance = sums_[c] / count;
            means[c] = static_cast<float>(origins_[c] + distance);
            variances[c] = static_cast<float>(std::max(squares_[c] / count - distance * distance, 0.0));
        }
    }
    std::string what() const override { return "mean and variance"; }

private:
    const std::size_t channels_, inner_;
    std::vector<double> origins_, sums_, squares_;
    std::int64_t samples_ = 0, values_ = 0;  // values of a channel
};

// Boundaries between buckets of about as many values.
class Boundaries final : public Taking {
public:
    explicit Boundaries(const spec::Settings& settings) : bins_(settings.getInt("num_bins")), summary_(settings.getDouble("epsilon")) {}

    void add(std::span<const float> sample) override { batch_.insert(batch_.end(), sample.begin(), sample.end()); }
    void endBatch() override { summary_.add(std::exchange(batch_, {})); }
    void store(const spec::LayerSpec& layer, backend::Variables& variables) override {
        const std::vector<float> found = summary_.boundaries(bins_);
        const std::span<float> values = variables.values(layer.name + "/boundaries");
        std::fill(values.begin(), values.end(), spec::kNoBoundary);
        std::copy_n(found.begin(), std::min(found.size(), values.size()), values.begin());
        count_ = found.size();
    }
    std::string what() const override { return std::to_string(count_) + (count_ == 1 ? " boundary" : " boundaries"); }

private:
    const std::int64_t bins_;
    ValueSummary summary_;
    std::vector<float> batch_{};
    std::size_t count_ = 0;
};

// Whole numbers by how often they come, the most frequent first; of as many the larger first, as Keras orders them. Those that stand for a
// mask or for what is unknown are none of them.
class Vocabulary final : public Taking {
public:
    explicit Vocabulary(const spec::LayerSpec& layer) : settings_(spec::settingsOf(layer)) {}

    void add(std::span<const float> sample) override {
        ++samples_;
        std::set<std::int64_t> own;
        for (const float value : sample) {
            if (!(std::abs(value) < spec::kNoValue)) continue;  // no id
            const auto number = static_cast<std::int64_t>(value);
            ++counts_[number];
            own.insert(number);
        }
        for (const std::int64_t number : own) ++samples_with_[number];
    }
    void store(const spec::LayerSpec& layer, backend::Variables& variables) override {
        const std::vector<std::int64_t> tokens = ordered();
        count_ = tokens.size();
        const std::string mode = settings_.getString("output_mode");
        std::vector<double> weights;
        for (const std::int64_t token : tokens) {
            if (mode == "tf_idf")
                weights.push_back(std::log(1 + static_cast<double>(samples_) / static_cast<double>(1 + samples_with_[token])));
        }
        for (const auto& [name, values] : spec::takenVocabulary(layer, tokens, weights)) {
            const std::span<float> variable = variables.values(layer.name + "/" + name);
            std::copy_n(values.begin(), std::min(values.size(), variable.size()), variable.begin());
        }
    }
    std::string what() const override { return "vocabulary of " + spec::counted(count_, "value"); }

private:
    std::vector<std::int64_t> ordered() const {
        std::map<std::int64_t, std::int64_t> counts = counts_;
        if (const auto mask = settings_.findInt("mask_token")) counts.erase(*mask);
        counts.erase(settings_.findInt("oov_token").value_or(-1));
        std::vector<std::pair<std::int64_t, std::int64_t>> rows;  // count, number
        for (const auto& [number, count] : counts) rows.emplace_back(count, number);
        std::sort(rows.rbegin(), rows.rend());
        const auto most = static_cast<std::size_t>(settings_.findInt("max_tokens").value_or(0) - spec::lookupTable(settings_).first);
        std::vector<std::int64_t> tokens;
        for (std::size_t i = 0; i < std::min(rows.size(), most); ++i) tokens.push_back(rows[i].second);
        return tokens;
    }

    const spec::Settings settings_;
    std::map<std::int64_t, std::int64_t> counts_{}, samples_with_{};
    std::int64_t samples_ = 0;
    std::size_t count_ = 0;
};

// The moments of the axes that the layer keeps, which the shape rule has looked at.
std::unique_ptr<Taking> momentsOf(const spec::LayerSpec& layer, const spec::Shape& input) {
    const auto rank = static_cast<std::int64_t>(input.size()) + 1;
    std::int64_t channels = 1, inner = 1, last = 0;
    for (std::int64_t axis : spec::settingsOf(layer).getInts("axis")) {
        axis = (axis + rank) % rank;
        last = std::max(last, axis);
        channels *= input[static_cast<std::size_t>(axis - 1)];
    }
    for (auto axis = static_cast<std::size_t>(last); axis < input.size(); ++axis) inner *= input[axis];
    return std::make_unique<Moments>(channels, inner);
}

std::unique_ptr<Taking> takingOf(const spec::LayerSpec& layer, const spec::Shape& input) {
    if (layer.class_name == "Discretization") return std::make_unique<Boundaries>(spec::settingsOf(layer));
    if (layer.class_name == "IntegerLookup") return std::make_unique<Vocabulary>(layer);
    ENGINE_CHECK(layer.class_name == "Normalization");
    return momentsOf(layer, input);
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
    const std::unique_ptr<Taking> taking = takingOf(*layer, run.model.input_shape);
    std::vector<float> values;
    std::size_t count = 0;
    tensor::BatchView view;
    while (pipeline.next(view)) {
        for (const std::uint32_t index : view.indices) {
            readSample(view, index, run.model.input_dtype != "float32", values);
            taking->add(values);
            ++count;
        }
        taking->endBatch();
    }
    if (count == 0) throw Error(ErrorCode::kDataLoss, layer->name + ": expected training samples to take values from, none was left");
    taking->store(*layer, variables);
    return layer->name + ": " + taking->what() + " of " + spec::counted(count, "training sample");
}

}  // namespace engine::train
