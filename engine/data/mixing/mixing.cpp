#include "engine/data/mixing/mixing.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"

namespace engine::data {
namespace {

// Indices of a batch's stream beyond those of its samples, which are below 2^32.
constexpr std::uint64_t kOrder = std::uint64_t{1} << 32U, kAlpha = kOrder + 1;
constexpr double kLeastAlpha = 1e-6;  // what Keras adds to the alpha of a batch

// From 0 to 1, never either of them: its logarithm is finite.
double between(std::uint32_t word) {
    return (static_cast<double>(word) + 0.5) * 0x1.0p-32;
}

// The logarithm of a number from Gamma(alpha, 1): one of alpha + 1 by Marsaglia and Tsang, times U^(1 / alpha).
double logGamma(const tensor::RandomStream& random, std::uint64_t index, std::uint64_t& blocks, double alpha) {
    const double d = alpha + 1 - 1.0 / 3, c = 1 / std::sqrt(9 * d);
    for (;;) {
        const tensor::PhiloxCounter words = random.block(index, blocks++);
        const double normal = std::sqrt(-2 * std::log(between(words[0]))) * std::cos(2 * std::numbers::pi * between(words[1]));
        const double root = 1 + c * normal;
        if (root <= 0) continue;
        const double cube = root * root * root;
        if (std::log(between(words[2])) < normal * normal / 2 + d - d * cube + d * std::log(cube)) {
            return std::log(d * cube) + std::log(between(words[3])) / alpha;
        }
    }
}

// The first whole number that is not below `edge`, from 0 to `size`.
std::int64_t firstFrom(float edge, std::int64_t size) {
    return std::clamp(static_cast<std::int64_t>(std::ceil(edge)), std::int64_t{0}, size);
}

}  // namespace

std::optional<MixRule> mixRule(const spec::DataSpec& data, const spec::Shape& input, const Samples& samples, std::uint64_t run_seed) {
    if (!spec::isMixed(data)) return std::nullopt;
    if (spec::findSchema(spec::mixSchemas(), data.mix.class_name) == nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "data.mix: expected " + spec::oneOf(spec::classNames(spec::mixSchemas())) + ", got " + data.mix.class_name);
    }
    MixRule rule{.settings = spec::mixSettings(data.mix), .image = {}, .seed = run_seed};
    if (rule.settings.seed) rule.seed = static_cast<std::uint64_t>(*rule.settings.seed);
    if (rule.settings.kind == spec::MixKind::kMixUp) return rule;
    const std::optional<spec::ImageSize> image = spec::imageSizeOf(input, samples.sample_shape);
    if (!image) {
        throw Error(ErrorCode::kInvalidArgument,
                    "data.mix: expected samples with rows and columns for CutMix, got " + toString(samples.sample_shape));
    }
    rule.image = *image;
    return rule;
}

// In float32, as Keras computes it.
Mixing cutBox(float weight, float across, float down, const spec::ImageSize& image) {
    const auto rows = static_cast<float>(image.rows), columns = static_cast<float>(image.columns);
    const float ratio = std::sqrt(1 - weight);
    Mixing mixing;
    const float width = ratio * columns, height = ratio * rows;
    mixing.left = across * (columns - width);
    mixing.right = mixing.left + width;
    mixing.top = down * (rows - height);
    mixing.bottom = mixing.top + height;
    mixing.share = 1 - (mixing.right - mixing.left) * (mixing.bottom - mixing.top) / (columns * rows);
    return mixing;
}

double drawBeta(const tensor::RandomStream& random, std::uint64_t index, std::uint64_t& blocks, double alpha) {
    const double own = logGamma(random, index, blocks, alpha), other = logGamma(random, index, blocks, alpha);
    return 1 / (1 + std::exp(other - own));
}

void drawShares(const MixRule& rule, const tensor::RandomStream& random, std::span<Mixing> batch, std::size_t first, std::size_t count) {
    const spec::MixSettings& settings = rule.settings;
    const bool cuts = settings.kind == spec::MixKind::kCutMix;
    const double drawn = settings.least + (settings.most - settings.least) * static_cast<double>(random.uniform(kAlpha, 0)) + kLeastAlpha;
    const double alpha = cuts ? drawn : settings.alpha;
    for (std::size_t i = first; i < first + count; ++i) {
        std::uint64_t blocks = 0;
        const auto share = static_cast<float>(drawBeta(random, i, blocks, alpha));
        batch[i] = {};
        batch[i].share = share;
        if (!cuts) continue;
        const tensor::PhiloxCounter place = random.block(i, blocks);
        batch[i] = cutBox(share, tensor::toUniform(place[0]), tensor::toUniform(place[1]), rule.image);
    }
}

void drawPartners(const tensor::RandomStream& random, std::span<Mixing> batch) {
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i].partner = static_cast<std::uint32_t>(i);
    for (std::size_t i = batch.size(); i > 1; --i) {
        std::swap(batch[i - 1].partner, batch[random.below(kOrder, i, i)].partner);
    }
}

void drawMixings(const MixRule& rule, const tensor::RandomStream& random, std::span<Mixing> batch) {
    drawShares(rule, random, batch, 0, batch.size());
    drawPartners(random, batch);
}

void mixValues(std::span<float> values, std::span<const float> partner, float share) {
    ENGINE_CHECK(values.size() == partner.size());
    const float rest = 1 - share;
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = share * values[k] + rest * partner[k];
}

PixelBox pixelsOf(const Mixing& mixing, const spec::ImageSize& image) {
    const PixelBox box{firstFrom(mixing.top, image.rows), firstFrom(mixing.bottom, image.rows), firstFrom(mixing.left, image.columns),
                       firstFrom(mixing.right, image.columns)};
    return box.first_row < box.last_row && box.first_column < box.last_column ? box : PixelBox{};
}

}  // namespace engine::data
