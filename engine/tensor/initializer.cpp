#include "engine/tensor/initializer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::tensor {
namespace {

// The standard deviation of a standard normal distribution that is cut off at two standard deviations.
constexpr double kTruncatedDeviation = 0.87962566103423978;

enum class Fan { kIn, kOut, kAverage };
enum class Distribution { kUniform, kTruncatedNormal, kNormal };
struct VarianceScaling {
    std::string_view name;
    double scale;
    Fan fan;
    Distribution distribution;
};
constexpr std::array<VarianceScaling, 6> kVarianceScalings{{
    {"glorotuniform", 1, Fan::kAverage, Distribution::kUniform},
    {"glorotnormal", 1, Fan::kAverage, Distribution::kTruncatedNormal},
    {"heuniform", 2, Fan::kIn, Distribution::kUniform},
    {"henormal", 2, Fan::kIn, Distribution::kTruncatedNormal},
    {"lecununiform", 1, Fan::kIn, Distribution::kUniform},
    {"lecunnormal", 1, Fan::kIn, Distribution::kTruncatedNormal},
}};

std::string normalized(std::string_view name) {
    std::string text;
    for (char c : name) {
        if (c != '_') text.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
    return text;
}

double fanOf(const spec::Shape& shape, Fan fan) {
    if (shape.empty()) return 1;
    if (shape.size() == 1) return static_cast<double>(shape[0]);
    double receptive = 1;
    for (std::size_t i = 0; i + 2 < shape.size(); ++i) receptive *= static_cast<double>(shape[i]);
    const double in = static_cast<double>(shape[shape.size() - 2]) * receptive;
    const double out = static_cast<double>(shape.back()) * receptive;
    return fan == Fan::kIn ? in : fan == Fan::kOut ? out : (in + out) / 2;
}

void fillUniform(const RandomStream& stream, double minimum, double maximum, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(minimum + (maximum - minimum) * static_cast<double>(stream.uniform(0, i)));
    }
}

void fillTruncatedNormal(const RandomStream& stream, double mean, double deviation, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(mean + deviation * static_cast<double>(stream.truncatedNormal(0, i)));
    }
}

void fillNormal(const RandomStream& stream, double mean, double deviation, std::span<float> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(mean + deviation * static_cast<double>(stream.normal(0, i)));
    }
}

void fillByVariance(const VarianceScaling& rule, const spec::Shape& shape, const RandomStream& stream, std::span<float> values) {
    const double s = rule.scale / std::max(1.0, fanOf(shape, rule.fan));
    switch (rule.distribution) {
        case Distribution::kUniform:
            return fillUniform(stream, -std::sqrt(3 * s), std::sqrt(3 * s), values);
        case Distribution::kTruncatedNormal:
            return fillTruncatedNormal(stream, 0, std::sqrt(s) / kTruncatedDeviation, values);
        case Distribution::kNormal:
            return fillNormal(stream, 0, std::sqrt(s), values);
    }
}

void fillScaled(const spec::Settings& settings, const spec::Shape& shape, const RandomStream& stream, std::span<float> values) {
    const std::string mode = settings.getString("mode"), distribution = settings.getString("distribution");
    const Fan fan = mode == "fan_out" ? Fan::kOut : mode == "fan_avg" ? Fan::kAverage : Fan::kIn;
    const bool known_mode = mode == "fan_in" || mode == "fan_out" || mode == "fan_avg";
    const Distribution kind = distribution == "uniform"              ? Distribution::kUniform
                              : distribution == "untruncated_normal" ? Distribution::kNormal
                                                                     : Distribution::kTruncatedNormal;
    if (!known_mode || (kind == Distribution::kTruncatedNormal && distribution != "truncated_normal")) {
        throw Error(ErrorCode::kInvalidArgument,
                    "initializer VarianceScaling: expected mode fan_in, fan_out or fan_avg and distribution "
                    "truncated_normal, untruncated_normal or uniform, got " +
                        mode + " and " + distribution);
    }
    fillByVariance({"", settings.getDouble("scale"), fan, kind}, shape, stream, values);
}

// Columns (or rows, where there are fewer) of length `gain` at right angles: Gram and Schmidt, twice for the rounding, over normal numbers.
// The last axis is the columns, the others together the rows; the sign makes the triangular factor's diagonal positive, as Keras' does.
void fillOrthogonal(const RandomStream& stream, const spec::Shape& shape, double gain, std::span<float> values) {
    const auto columns = static_cast<std::size_t>(shape.empty() ? 1 : shape.back());
    const std::size_t rows = values.size() / columns, length = std::max(rows, columns), count = std::min(rows, columns);
    std::vector<double> basis(count * length);
    const auto vectorAt = [&](std::size_t v) { return std::span(basis).subspan(v * length, length); };
    const auto dot = [](std::span<const double> a, std::span<const double> b) {
        return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
    };
    for (std::size_t v = 0; v < count; ++v) {
        const std::span<double> own = vectorAt(v);
        for (std::size_t i = 0; i < length; ++i) own[i] = static_cast<double>(stream.normal(0, i * count + v));
        for (int pass = 0; pass < 2; ++pass) {
            for (std::size_t other = 0; other < v; ++other) {
                const std::span<const double> before = vectorAt(other);
                const double along = dot(own, before);
                for (std::size_t i = 0; i < length; ++i) own[i] -= along * before[i];
            }
        }
        const double size = std::sqrt(dot(own, own));
        for (double& value : own) value /= size;
    }
    for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c)
            values[r * columns + c] = static_cast<float>(gain * (rows < columns ? basis[r * length + c] : basis[c * length + r]));
}

void fillIdentity(const spec::Shape& shape, double gain, std::span<float> values) {
    if (shape.size() != 2) {
        throw Error(ErrorCode::kInvalidArgument,
                    "initializer Identity: expected a variable of rank 2, got rank " + std::to_string(shape.size()));
    }
    const auto columns = static_cast<std::size_t>(shape[1]);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i / columns == i % columns ? static_cast<float>(gain) : 0.0F;
}

}  // namespace

void initialize(const spec::ObjectSpec& initializer, const spec::Shape& shape, RandomKey key, std::span<float> values,
                const spec::Shape& matrix) {
    const std::string name = normalized(initializer.class_name);
    const spec::ObjectSchema* schema =
        spec::findSchema(spec::initializerSchemas(), spec::canonicalClass(spec::initializerSchemas(), initializer.class_name));
    if (schema == nullptr) throw Error(ErrorCode::kUnimplemented, "initializer: " + initializer.class_name + " is not supported");
    const spec::Settings settings(schema->fields, initializer.config);
    auto seed = static_cast<std::int64_t>(key.seed);
    settings.read("seed", seed);
    key.seed = static_cast<std::uint64_t>(seed);
    const RandomStream stream(key);
    const spec::Shape& fans = matrix.empty() ? shape : matrix;
    for (const VarianceScaling& rule : kVarianceScalings) {
        if (rule.name == name) return fillByVariance(rule, fans, stream, values);
    }
    if (name == "variancescaling") return fillScaled(settings, fans, stream, values);
    if (name == "orthogonal") return fillOrthogonal(stream, shape, settings.getDouble("gain"), values);
    if (name == "identity") return fillIdentity(shape, settings.getDouble("gain"), values);
    if (name == "zeros") return std::fill(values.begin(), values.end(), 0.0F);
    if (name == "ones") return std::fill(values.begin(), values.end(), 1.0F);
    if (name == "constant") return std::fill(values.begin(), values.end(), static_cast<float>(settings.getDouble("value")));
    if (name == "randomnormal") return fillNormal(stream, settings.getDouble("mean"), settings.getDouble("stddev"), values);
    if (name == "truncatednormal") return fillTruncatedNormal(stream, settings.getDouble("mean"), settings.getDouble("stddev"), values);
    if (name == "randomuniform") return fillUniform(stream, settings.getDouble("minval"), settings.getDouble("maxval"), values);
    throw Error(ErrorCode::kUnimplemented, "initializer: " + initializer.class_name + " is not supported");
}

}  // namespace engine::tensor
