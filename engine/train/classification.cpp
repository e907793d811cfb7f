#include "engine/train/classification.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/tensor/element.h"
#include "engine/train/fit/predictions.h"

namespace engine::train {
namespace {

float sigmoid(float x) {
    return 1.0F / (1.0F + std::exp(-x));
}

void softmax(std::span<float> row) {
    const float top = *std::max_element(row.begin(), row.end());
    float sum = 0;
    for (float& value : row) {
        value = std::exp(value - top);
        sum += value;
    }
    for (float& value : row) {
        value /= sum;
    }
}

// The class of a sample whose label is one number, or a row with its one largest value at the class.
std::int64_t labelOf(const data::Samples& samples, std::int64_t sample, std::int64_t classes) {
    const std::int64_t elements = data::elementsOf(samples.label_shape);
    if (elements == 1) {
        return samples.label(sample);
    }
    const auto value = [&](std::int64_t index) {
        return tensor::elementValue(samples.labels.data(), samples.label_dtype, sample * elements + index);
    };
    std::int64_t best = 0;
    for (std::int64_t index = 1; index < classes; ++index) {
        if (value(index) > value(best)) {
            best = index;
        }
    }
    return best;
}

std::int64_t classesOf(const spec::RunSpec& run, const spec::Shape& outputs, const data::Samples& samples) {
    const std::int64_t columns = data::elementsOf(outputs);
    const std::int64_t labels = data::elementsOf(samples.label_shape);
    const bool is_row = outputs.size() == 1;
    if (is_row && columns > 1 && (labels == columns || (labels == 1 && samples.label_dtype != tensor::DType::kFloat32))) {
        return columns;
    }
    if (is_row && columns == 1 && labels == 1) {
        return 2;
    }
    throw Error(ErrorCode::kInvalidArgument,
                run.name + ": expected a classifier (a score for each class, or one for two classes), got outputs of " +
                    data::toString(outputs) + " for labels of " + data::toString(samples.label_shape));
}

bool isSurer(const Mistake& a, const Mistake& b) {
    return a.confidence != b.confidence ? a.confidence > b.confidence : a.sample < b.sample;
}

}  // namespace

void toProbabilities(const spec::CompileSpec& compile, std::vector<float>& outputs, std::size_t columns) {
    bool from_logits = false;
    spec::settingsOf(spec::lossSchemas(), compile.loss).read("from_logits", from_logits);
    if (!from_logits) {
        return;
    }
    for (std::size_t at = 0; at < outputs.size(); at += columns) {
        if (columns == 1) {
            outputs[at] = sigmoid(outputs[at]);
        } else {
            softmax(std::span(outputs).subspan(at, columns));
        }
    }
}

std::vector<spec::ClassScore> bestPath(std::vector<float> logits, std::size_t classes, const std::vector<std::string>& names) {
    std::vector<spec::ClassScore> path;
    std::size_t before = 0;  // the blank
    for (std::size_t at = 0; at + classes <= logits.size(); at += classes) {
        const std::span<float> row = std::span(logits).subspan(at, classes);
        softmax(row);
        const auto best = static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
        if (best != 0 && best == before) {
            path.back().probability = std::max(path.back().probability, row[best]);
        } else if (best != 0) {
            path.push_back({best < names.size() ? names[best] : std::to_string(best), static_cast<std::int64_t>(best), row[best]});
        }
        before = best;
    }
    return path;
}

Classification classify(const spec::RunSpec& run, Predictor& predictor, const std::shared_ptr<const data::Samples>& samples,
                        std::size_t most_mistakes) {
    Classification result;
    result.classes = classesOf(run, predictor.outputShape(), *samples);
    result.sample_shape = samples->sample_shape;
    result.samples = samples->count;
    result.confusion.resize(static_cast<std::size_t>(result.classes * result.classes));
    for (std::int64_t index = 0; index < result.classes; ++index) {
        const auto at = static_cast<std::size_t>(index);
        result.class_names.push_back(at < samples->class_names.size() ? samples->class_names[at] : std::to_string(index));
    }
    const auto columns = static_cast<std::size_t>(data::elementsOf(predictor.outputShape()));
    std::vector<float> outputs = predictor.predict(samples);
    toProbabilities(run.compile, outputs, columns);
    for (std::int64_t sample = 0; sample < samples->count; ++sample) {
        const std::span<const float> row = std::span(outputs).subspan(static_cast<std::size_t>(sample) * columns, columns);
        if (!isPredicted(row)) {
            --result.samples;
            continue;
        }
        std::int64_t predicted = std::max_element(row.begin(), row.end()) - row.begin();
        float confidence = row[static_cast<std::size_t>(predicted)];
        if (columns == 1) {
            predicted = row[0] > 0.5F ? 1 : 0;
            confidence = predicted == 1 ? row[0] : 1 - row[0];
        }
        const std::int64_t label = labelOf(*samples, sample, result.classes);
        if (label < 0 || label >= result.classes) {
            throw Error(ErrorCode::kInvalidArgument, samples->label_source + ": expected classes from 0 to " +
                                                         std::to_string(result.classes - 1) + ", got " + std::to_string(label) +
                                                         " at sample " + std::to_string(sample));
        }
        ++result.confusion[static_cast<std::size_t>(label * result.classes + predicted)];
        if (label != predicted) {
            result.mistakes.push_back({sample, label, predicted, confidence, {}});
        }
    }
    const auto kept = std::min(most_mistakes, result.mistakes.size());
    std::partial_sort(result.mistakes.begin(), result.mistakes.begin() + static_cast<std::ptrdiff_t>(kept), result.mistakes.end(), isSurer);
    result.mistakes.resize(kept);
    for (Mistake& mistake : result.mistakes) {
        mistake.pixels = pixelsOf(*samples, mistake.sample);
    }
    return result;
}

std::optional<Scores> scoresOf(const spec::RunSpec& run, const data::Samples& samples, std::int64_t first, std::vector<float> outputs,
                               std::size_t columns) {
    if (spec::lossLabels(run.compile.loss.class_name) == spec::LossLabels::kSequences) return std::nullopt;
    Scores scores{.class_names = {}, .labels = {}, .probabilities = std::move(outputs), .columns = columns};
    std::int64_t classes = 0;
    try {
        classes = classesOf(run, {static_cast<std::int64_t>(columns)}, samples);
    } catch (const Error&) {
        return std::nullopt;
    }
    if (columns == 1 && samples.label_dtype == tensor::DType::kFloat32) return std::nullopt;  // a number that is to be met
    toProbabilities(run.compile, scores.probabilities, columns);
    for (std::int64_t index = 0; index < classes; ++index) {
        const auto at = static_cast<std::size_t>(index);
        scores.class_names.push_back(at < samples.class_names.size() ? samples.class_names[at] : std::to_string(index));
    }
    std::size_t kept = 0;
    for (std::size_t at = 0; at < scores.probabilities.size() / columns; ++at) {
        const auto row = std::span(scores.probabilities).subspan(at * columns, columns);
        if (!isPredicted(row)) continue;
        const std::int64_t label = labelOf(samples, first + static_cast<std::int64_t>(at), classes);
        if (label < 0 || label >= classes) return std::nullopt;
        scores.labels.push_back(label);
        scores.samples.push_back(first + static_cast<std::int64_t>(at));
        if (kept != at) std::ranges::copy(row, scores.probabilities.begin() + static_cast<std::ptrdiff_t>(kept * columns));
        ++kept;
    }
    scores.probabilities.resize(kept * columns);
    return scores;
}

std::vector<std::uint8_t> pixelsOf(const data::Samples& samples, std::int64_t sample) {
    const auto elements = static_cast<std::size_t>(data::elementsOf(samples.sample_shape));
    const std::size_t element_bytes = tensor::sizeOf(samples.sample_dtype);
    std::vector<std::byte> bytes(elements * element_bytes);
    if (samples.decoder != nullptr) {
        samples.decoder->decode(sample, bytes.data());
    } else {
        std::memcpy(bytes.data(), samples.samples.data() + static_cast<std::size_t>(sample) * bytes.size(), bytes.size());
    }
    std::vector<float> values(elements);
    for (std::size_t i = 0; i < elements; ++i) {
        values[i] = tensor::elementValue(bytes.data(), samples.sample_dtype, static_cast<std::int64_t>(i));
    }
    std::vector<std::uint8_t> pixels(elements);
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    const bool as_they_are = samples.sample_dtype == tensor::DType::kUInt8;
    const float low = as_they_are ? 0.0F : *least;
    const float span = as_they_are ? 255.0F : *greatest - *least;
    for (std::size_t i = 0; i < elements; ++i) {
        pixels[i] = span > 0 ? static_cast<std::uint8_t>(std::lround((values[i] - low) / span * 255.0F)) : 0;
    }
    return pixels;
}

}  // namespace engine::train
