#include "engine/train/weight_report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>
#include <utility>

#include "engine/export/histogram.h"

namespace engine::train {
namespace {

constexpr std::int64_t kMostFilters = 64;

double normOf(const std::vector<spec::Distribution>& distributions) {
    double squares = 0;
    for (const spec::Distribution& distribution : distributions) {
        squares += distribution.norm * distribution.norm;
    }
    return std::sqrt(squares);
}

// The kernel of the first Conv2D, or of the Dense that sees the image's own pixels; empty where neither is there.
std::string picturedKernel(const spec::ModelSpec& model) {
    const auto convolution = std::ranges::find(model.layers, "Conv2D", &spec::LayerSpec::class_name);
    if (convolution != model.layers.end()) {
        return convolution->name + "/kernel";
    }
    constexpr std::string_view kKeepsPixels[] = {"Flatten", "Rescaling", "Dropout", "GaussianNoise", "GaussianDropout"};
    const auto first = std::ranges::find_if(model.layers, [&](const spec::LayerSpec& layer) {
        return std::ranges::find(kKeepsPixels, layer.class_name) == std::end(kKeepsPixels);
    });
    return first != model.layers.end() && first->class_name == "Dense" ? first->name + "/kernel" : std::string();
}

// (height, width, channels, filters) of such a kernel; empty where it is none of images.
spec::Shape pictureShape(const spec::ModelSpec& model, const spec::Shape& kernel) {
    if (kernel.size() == 4) {
        return kernel;
    }
    const spec::Shape& image = model.input_shape;
    const std::int64_t channels = image.size() == 3 ? image[2] : 1;
    const bool sees_pixels = kernel.size() == 2 && (image.size() == 2 || image.size() == 3) && kernel[0] == image[0] * image[1] * channels;
    return sees_pixels ? spec::Shape{image[0], image[1], channels, kernel[1]} : spec::Shape{};
}

}  // namespace

spec::Distribution distributionOf(std::string name, std::span<const float> values) {
    exporter::Histogram histogram = exporter::histogramOf(values);
    spec::Distribution result;
    result.name = std::move(name);
    result.minimum = histogram.minimum;
    result.maximum = histogram.maximum;
    result.norm = histogram.norm;
    result.not_finite = histogram.not_finite;
    result.counts = std::move(histogram.counts);
    const auto finite = static_cast<double>(static_cast<std::int64_t>(values.size()) - result.not_finite);
    if (finite == 0) {
        return result;
    }
    double sum = 0;
    for (const float value : values) {
        sum += std::isfinite(value) ? static_cast<double>(value) : 0;
    }
    result.mean = sum / finite;
    double squares = 0;
    for (const float value : values) {
        const double distance = std::isfinite(value) ? static_cast<double>(value) - result.mean : 0;
        squares += distance * distance;
    }
    result.deviation = std::sqrt(squares / finite);
    return result;
}

spec::FilterPictures filterPictures(const spec::ModelSpec& model, const backend::Variables& variables) {
    const auto entry = std::ranges::find(variables.entries(), picturedKernel(model), &backend::Variables::Entry::name);
    const spec::Shape shape = entry == variables.entries().end() ? spec::Shape{} : pictureShape(model, entry->shape);
    if (shape.empty()) {
        return {};
    }
    const std::int64_t cells = shape[0] * shape[1], depth = shape[2], filters = shape[3];
    const std::int64_t channels = depth == 3 ? 3 : 1;
    const bool is_dense = entry->shape.size() == 2;
    const std::int64_t most = is_dense ? kMostDenseValues / std::max<std::int64_t>(1, cells * channels) : kMostFilters;
    const std::int64_t count = std::min({filters, kMostFilters, most});
    if (count == 0) {
        return {};
    }
    spec::FilterPictures pictures{.name = entry->name,
                                  .height = static_cast<std::int32_t>(shape[0]),
                                  .width = static_cast<std::int32_t>(shape[1]),
                                  .channels = static_cast<std::int32_t>(channels),
                                  .count = static_cast<std::int32_t>(count),
                                  .values = {}};
    pictures.values.reserve(static_cast<std::size_t>(count * cells * channels));
    const std::int64_t averaged = depth / channels;
    for (std::int64_t filter = 0; filter < count; ++filter) {
        for (std::int64_t at = 0; at < cells * channels; ++at) {
            float sum = 0;
            for (std::int64_t k = 0; k < averaged; ++k) {
                sum += entry->values[static_cast<std::size_t>((at * averaged + k) * filters + filter)];
            }
            pictures.values.push_back(sum / static_cast<float>(averaged));
        }
    }
    return pictures;
}

spec::WeightReport weightReport(const spec::ModelSpec& model, const backend::Variables& variables,
                                std::span<const GradientProbe::Gradient> gradients) {
    spec::WeightReport report;
    for (const backend::Variables::Entry& entry : variables.entries()) {
        if (!entry.is_slot) {
            report.weights.push_back(distributionOf(entry.name, entry.values));
        }
    }
    for (const GradientProbe::Gradient& gradient : gradients) {
        report.gradients.push_back(distributionOf(gradient.name, gradient.values));
    }
    report.weights_norm = normOf(report.weights);
    report.gradients_norm = normOf(report.gradients);
    report.filters = filterPictures(model, variables);
    return report;
}

}  // namespace engine::train
