#include "engine/backend/image/elastic_map.h"

#include <algorithm>
#include <cstddef>

namespace engine::backend {
namespace {

// Calls `take` with the taps of each cell, the number of its first value, and its value of each channel.
template <typename Take>
void forEachValue(const plan::RandomElastic& elastic, const ElasticSize& size, std::span<const float> field, std::span<const float> x,
                  const Take& take) {
    for (std::int64_t cell = 0; cell < size.cells(); ++cell) {
        const ImageTaps taps = elasticTaps(elastic, field[static_cast<std::size_t>(cell)], cell, size.height, size.width);
        for (std::int64_t channel = 0; channel < size.channels; ++channel) {
            float mixed = taps.constant;
            for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
                mixed += taps.weights[t] * x[static_cast<std::size_t>(taps.cells[t] * size.channels + channel)];
            }
            take(taps, channel, static_cast<std::size_t>(cell * size.channels + channel), mixed);
        }
    }
}

}  // namespace

std::int64_t mostElasticPlaces(const plan::RandomElastic& elastic, const ElasticSize& size) {
    return elasticNumbers(elastic.scale.to, size.height, size.width).places();
}

void smoothElasticField(const ElasticNumbers& numbers, const ElasticSize& size, std::span<float> field, std::span<float> scratch) {
    const std::span<float> weights = scratch.subspan(field.size(), static_cast<std::size_t>(numbers.places()));
    const BlurCurve curve(numbers.places(), numbers.deviation);
    for (int i = 0; i < numbers.places(); ++i) weights[static_cast<std::size_t>(i)] = curve.share(i);
    for (float& number : field) number *= numbers.deviation;
    for (std::int64_t row = 0; row < size.height; ++row) {
        const float* cells = &field[static_cast<std::size_t>(row * size.width)];
        for (std::int64_t column = 0; column < size.width; ++column) {
            scratch[static_cast<std::size_t>(row * size.width + column)] =
                smoothedAt(weights.data(), numbers.half, cells, 1, size.width, column);
        }
    }
    for (std::int64_t row = 0; row < size.height; ++row) {
        for (std::int64_t column = 0; column < size.width; ++column) {
            field[static_cast<std::size_t>(row * size.width + column)] =
                numbers.reach *
                smoothedAt(weights.data(), numbers.half, &scratch[static_cast<std::size_t>(column)], size.width, size.height, row);
        }
    }
}

void fillElasticField(const plan::RandomElastic& elastic, const RandomItem& item, const ElasticSize& size, std::span<float> field,
                      std::span<float> scratch) {
    const ElasticNumbers numbers = drawElasticNumbers(item.key, elastic, size.height, size.width);
    if (numbers.deviation == 0 || !drawElasticFate(item.key, elastic, item.sample)) {
        std::fill(field.begin(), field.end(), 0.0F);
        return;
    }
    for (std::size_t cell = 0; cell < field.size(); ++cell) {
        field[cell] = elasticNumber(item.key, item.sample, static_cast<std::int64_t>(cell));
    }
    smoothElasticField(numbers, size, field, scratch);
}

void readElastic(const plan::RandomElastic& elastic, const ElasticSize& size, std::span<const float> field, std::span<const float> x,
                 std::span<float> y) {
    forEachValue(elastic, size, field, x,
                 [&](const ImageTaps&, std::int64_t, std::size_t at, float mixed) { y[at] = elasticHeld(elastic, mixed); });
}

void readElasticBack(const plan::RandomElastic& elastic, const ElasticSize& size, std::span<const float> field, std::span<const float> dy,
                     std::span<const float> x, std::span<float> dx) {
    std::fill(dx.begin(), dx.end(), 0.0F);
    forEachValue(elastic, size, field, x, [&](const ImageTaps& taps, std::int64_t channel, std::size_t at, float mixed) {
        const float held = dy[at] * elasticHeldSlope(elastic, mixed);
        for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
            dx[static_cast<std::size_t>(taps.cells[t] * size.channels + channel)] += taps.weights[t] * held;
        }
    });
}

}  // namespace engine::backend
