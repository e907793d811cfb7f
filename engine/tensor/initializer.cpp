#include "engine/tensor/initializer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

#include "engine/spec/error.h"

namespace engine::tensor {
namespace {

// Of a normal distribution cut at two standard deviations.
constexpr double kTruncatedDeviation = 0.87962566103423978;

enum class Fan { kIn, kAverage };
enum class Distribution { kUniform, kTruncatedNormal };
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
    return fan == Fan::kIn ? in : (in + out) / 2;
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

}  // namespace

void initialize(const spec::ObjectSpec& initializer, const spec::Shape& shape, RandomKey key, std::span<float> values) {
    const std::string name = normalized(initializer.class_name);
    const spec::Fields& config = initializer.config;
    key.seed = static_cast<std::uint64_t>(config.getInt("seed", static_cast<std::int64_t>(key.seed)));
    const RandomStream stream(key);
    for (const VarianceScaling& rule : kVarianceScalings) {
        if (rule.name != name) continue;
        const double s = rule.scale / std::max(1.0, fanOf(shape, rule.fan));
        if (rule.distribution == Distribution::kUniform) {
            fillUniform(stream, -std::sqrt(3 * s), std::sqrt(3 * s), values);
        } else {
            fillTruncatedNormal(stream, 0, std::sqrt(s) / kTruncatedDeviation, values);
        }
        return;
    }
    if (name == "zeros") return std::fill(values.begin(), values.end(), 0.0F);
    if (name == "ones") return std::fill(values.begin(), values.end(), 1.0F);
    if (name == "constant") return std::fill(values.begin(), values.end(), static_cast<float>(config.getDouble("value", 0)));
    if (name == "randomnormal") return fillNormal(stream, config.getDouble("mean", 0), config.getDouble("stddev", 0.05), values);
    if (name == "truncatednormal")
        return fillTruncatedNormal(stream, config.getDouble("mean", 0), config.getDouble("stddev", 0.05), values);
    if (name == "randomuniform") return fillUniform(stream, config.getDouble("minval", -0.05), config.getDouble("maxval", 0.05), values);
    throw Error(ErrorCode::kUnimplemented, "initializer: " + initializer.class_name + " is not supported");
}

}  // namespace engine::tensor
