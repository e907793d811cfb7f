// Batch, group (layer, instance), unit and spectral normalisation, values by given means; the formulas stand with the ops in
// engine/plan/op_kind.h.
#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/spectral_norm.h"
#include "engine/spec/error.h"

namespace engine::backend::reference {
namespace {

using plan::BatchNormAttributes;
using plan::GroupNormAttributes;

// x as (outer, channels, inner).
struct ChannelView {
    std::size_t outer, channels, inner;
    ChannelView(std::size_t count, const BatchNormAttributes& a)
        : channels(static_cast<std::size_t>(a.channels)), inner(static_cast<std::size_t>(a.inner)) {
        outer = count / (channels * inner);
    }
    template <typename Function>
    void forEach(std::size_t channel, Function&& function) const {
        for (std::size_t o = 0; o < outer; ++o)
            for (std::size_t i = 0; i < inner; ++i) function((o * channels + channel) * inner + i);
    }
    double count() const { return static_cast<double>(outer * inner); }
};

}  // namespace

void Interpreter::batchNormalization(const plan::Op& op, const Step& step) {
    switch (op.kind) {
        case plan::OpKind::kBatchNorm:
            return batchNorm(op, step);
        case plan::OpKind::kBatchNormBack:
            return batchNormBack(op, step);
        case plan::OpKind::kMovingAverage:
            return movingAverage(op, step);
        default:
            return batchSums(op, step);
    }
}

void Interpreter::standardize(const plan::Op& op, const Step& step) {
    const auto& s = std::get<plan::Standardization>(op.attributes);
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<float> y = floats(op.outputs[0], step.samples);
    const bool has_inputs = op.inputs.size() > 1;
    const std::span<const float> means = has_inputs ? floats(op.inputs[1], step.samples) : std::span<const float>(s.mean);
    const std::span<const float> variances = has_inputs ? floats(op.inputs[2], step.samples) : std::span<const float>(s.variance);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const auto channel = static_cast<std::size_t>(static_cast<std::int64_t>(i) / s.inner % s.channels);
        const double mean = s.keeps_origin ? 0 : means[channel];
        const double deviation = std::max(std::sqrt(static_cast<double>(variances[channel])), static_cast<double>(plan::kLeastDeviation));
        y[i] = static_cast<float>(s.inverts ? x[i] * deviation + mean : (x[i] - mean) / deviation);
    }
}

void Interpreter::groupNormalization(const plan::Op& op, const Step& step) {
    const bool is_unit = op.kind == plan::OpKind::kUnitNorm || op.kind == plan::OpKind::kUnitNormBack;
    is_unit ? unitNorm(op, step) : groupNorm(op, step);
}

void Interpreter::spectralNormalization(const plan::Op& op) {
    const std::span<float> kernel = floats(op.outputs[0]), u = floats(op.outputs[1]);
    if (std::all_of(kernel.begin(), kernel.end(), [](float value) { return value == 0; })) return;
    const std::size_t columns = u.size(), rows = kernel.size() / columns;
    const auto shorten = [](std::vector<double>& values) {
        double squares = 0;
        for (const double value : values) squares += value * value;
        const double over = overLength(squares);
        for (double& value : values) value *= over;
        return squares * over;
    };
    std::vector<double> right(u.begin(), u.end());
    double largest = 1;
    for (int i = 0; i < std::get<plan::SpectralNormAttributes>(op.attributes).iterations; ++i) {
        std::vector<double> left(rows);
        for (std::size_t at = 0; at < kernel.size(); ++at) left[at / columns] += static_cast<double>(kernel[at]) * right[at % columns];
        shorten(left);
        right.assign(columns, 0);
        for (std::size_t at = 0; at < kernel.size(); ++at) right[at % columns] += static_cast<double>(kernel[at]) * left[at / columns];
        largest = shorten(right);
    }
    for (float& value : kernel) value = static_cast<float>(static_cast<double>(value) / largest);
    std::transform(right.begin(), right.end(), u.begin(), [](double value) { return static_cast<float>(value); });
}

void Interpreter::batchNorm(const plan::Op& op, const Step& step) {
    const auto& a = std::get<BatchNormAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    std::size_t next = 0;
    const std::span<const float> x = floats(op.inputs[next++], n);
    const std::span<const float> gamma = a.scale ? floats(op.inputs[next++], n) : std::span<float>{};
    const std::span<const float> beta = a.center ? floats(op.inputs[next++], n) : std::span<float>{};
    const std::span<const float> moving_mean = floats(op.inputs[next], n), moving_variance = floats(op.inputs[next + 1], n);
    const std::span<float> y = floats(op.outputs[0], n);
    const bool trains = op.outputs.size() > 1;
    const ChannelView view(x.size(), a);
    const std::span<const std::uint8_t> counted = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    for (std::size_t c = 0; c < view.channels; ++c) {
        double mean = moving_mean[c], variance = moving_variance[c];
        if (a.masked) floats(op.outputs.back(), n)[c] = 0;  // of an empty batch
        if (a.synchronized) {
            const std::span<const float> sums = floats(op.inputs.back(), n);
            const double count = std::max<double>(sums.back(), 1), distance = sums[c] / count;
            if (sums.back() > 0) {
                mean += distance;
                variance = sums[view.channels + c] / count - distance * distance;
            }
        } else if (trains && view.outer > 0) {
            double sum = 0, squares = 0, count = 0;
            const auto forEachCounted = [&](auto&& function) {
                view.forEach(c, [&](std::size_t i) {
                    if (!a.masked || counted[i / (x.size() / counted.size())] != 0) function(i);
                });
            };
            forEachCounted([&](std::size_t i) {
                sum += x[i];
                ++count;
            });
            mean = count == 0 ? 0 : sum / count;
            forEachCounted([&](std::size_t i) { squares += (x[i] - mean) * (x[i] - mean); });
            variance = count == 0 ? 0 : squares / count;
            if (a.masked) floats(op.outputs.back(), n)[c] = static_cast<float>(count);
        }
        const double inverse = 1 / std::sqrt(variance + a.epsilon);
        const double factor = inverse * (a.scale ? gamma[c] : 1), offset = a.center ? beta[c] : 0;
        view.forEach(c, [&](std::size_t i) { y[i] = static_cast<float>((x[i] - mean) * factor + offset); });
        if (!trains) continue;
        const double share = (1 - a.momentum) / plan_.replicas;
        floats(op.outputs[1], n)[c] = static_cast<float>(mean);
        floats(op.outputs[2], n)[c] = static_cast<float>(inverse);
        floats(op.outputs[3], n)[c] = static_cast<float>(mean * share);
        floats(op.outputs[4], n)[c] = static_cast<float>(variance * share);
    }
}

void Interpreter::batchNormBack(const plan::Op& op, const Step& step) {
    const auto& a = std::get<BatchNormAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    std::size_t next = 0;
    const std::span<const float> x = floats(op.inputs[next++], n);
    const std::span<const float> gamma = a.scale ? floats(op.inputs[next++], n) : std::span<float>{};
    const std::span<const float> first = floats(op.inputs[next], n), second = floats(op.inputs[next + 1], n);
    const std::span<const float> dy = floats(op.inputs[next + 2], n);  // the sums of synchronized ones follow, or what counts
    const std::span<float> dx = floats(op.outputs[0], n);
    const ChannelView view(x.size(), a);
    const std::span<const std::uint8_t> counted = a.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    for (std::size_t c = 0; c < view.channels; ++c) {
        if (a.frozen) {  // first, second: the moving statistics
            const double factor = (a.scale ? gamma[c] : 1) / std::sqrt(second[c] + a.epsilon);
            view.forEach(c, [&](std::size_t i) { dx[i] = static_cast<float>(dy[i] * factor); });
            continue;
        }
        const double mean = first[c], inverse = second[c];
        double sum = 0, product = 0, count = view.count();
        view.forEach(c, [&](std::size_t i) {
            sum += dy[i];
            product += dy[i] * (x[i] - mean) * inverse;
        });
        if (a.synchronized) {
            const std::span<const float> sums = floats(op.inputs.back(), n);
            product = sums[c];
            sum = sums[view.channels + c];
            count = sums.back();
        }
        if (a.masked) count = floats(op.inputs[op.inputs.size() - 2], n)[c];
        const double factor = inverse * (a.scale ? gamma[c] : 1);
        view.forEach(c, [&](std::size_t i) {
            const double normalized = (x[i] - mean) * inverse;
            if (a.masked && counted[i / (x.size() / counted.size())] == 0) {  // no part of the statistics
                dx[i] = static_cast<float>(factor * dy[i]);
                return;
            }
            dx[i] = static_cast<float>(factor * (dy[i] - sum / count - normalized * product / count));
        });
        if (a.synchronized) continue;
        std::size_t output = 1;
        if (a.scale) floats(op.outputs[output++], n)[c] = static_cast<float>(product);
        if (a.center) floats(op.outputs[output], n)[c] = static_cast<float>(sum);
    }
}

void Interpreter::batchSums(const plan::Op& op, const Step& step) {
    const auto& a = std::get<BatchNormAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const bool is_forward = op.kind == plan::OpKind::kBatchSums;
    const std::span<const float> x = floats(op.inputs[0], n), center = floats(op.inputs[1], n);
    const std::span<float> sums = floats(op.outputs[0], n);
    const ChannelView view(x.size(), a);
    for (std::size_t c = 0; c < view.channels; ++c) {
        double first = 0, second = 0;
        view.forEach(c, [&](std::size_t i) {
            const double distance = static_cast<double>(x[i]) - center[c];
            if (is_forward) {
                first += distance;
                second += distance * distance;
            } else {
                const float dy = floats(op.inputs[3], n)[i];
                first += dy * distance * floats(op.inputs[2], n)[c];
                second += dy;
            }
        });
        sums[c] = static_cast<float>(first);
        sums[view.channels + c] = static_cast<float>(second);
        std::size_t output = 1;
        if (!is_forward && a.scale) floats(op.outputs[output++], n)[c] = static_cast<float>(first);
        if (!is_forward && a.center) floats(op.outputs[output], n)[c] = static_cast<float>(second);
    }
    sums.back() = static_cast<float>(view.count());
}

void Interpreter::movingAverage(const plan::Op& op, const Step& step) {
    const auto& a = std::get<BatchNormAttributes>(op.attributes);
    const std::span<float> state = floats(op.inputs[0], step.samples);
    const std::span<const float> added = floats(op.inputs[1], step.samples);
    for (std::size_t i = 0; i < state.size(); ++i) state[i] = static_cast<float>(state[i] * a.momentum + added[i]);
}

void Interpreter::groupNorm(const plan::Op& op, const Step& step) {
    const auto& a = std::get<GroupNormAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const bool is_forward = op.kind == plan::OpKind::kGroupNorm;
    std::size_t next = 0;
    const std::span<const float> x = floats(op.inputs[next++], n);
    const std::span<const float> gamma = a.scale ? floats(op.inputs[next++], n) : std::span<float>{};
    const std::span<const float> beta = is_forward && a.center ? floats(op.inputs[next++], n) : std::span<float>{};
    const std::span<const float> dy = is_forward ? std::span<float>{} : floats(op.inputs[next], n);
    const std::span<float> out = floats(op.outputs[0], n);
    const auto groups = static_cast<std::size_t>(a.groups), width = static_cast<std::size_t>(a.width);
    const auto positions = static_cast<std::size_t>(a.positions);
    const std::size_t items = x.size() / (positions * groups * width);
    const auto count = static_cast<double>(positions * width);
    std::vector<double> dgamma(groups * width), dbeta(groups * width);
    for (std::size_t item = 0; item < items * groups; ++item) {
        const std::size_t group = item % groups;
        const auto forEach = [&](auto&& function) {
            for (std::size_t p = 0; p < positions; ++p)
                for (std::size_t k = 0; k < width; ++k)
                    function(((item / groups * positions + p) * groups + group) * width + k, group * width + k);
        };
        double sum = 0, squares = 0;
        if (a.subtracts_mean) forEach([&](std::size_t i, std::size_t) { sum += x[i]; });
        const double mean = sum / count;
        forEach([&](std::size_t i, std::size_t) { squares += (x[i] - mean) * (x[i] - mean); });
        const double inverse = 1 / std::sqrt(squares / count + a.epsilon);
        if (is_forward) {
            forEach([&](std::size_t i, std::size_t c) {
                out[i] = static_cast<float>((x[i] - mean) * inverse * (a.scale ? gamma[c] : 1) + (a.center ? beta[c] : 0));
            });
            continue;
        }
        double gradient_sum = 0, product = 0;
        forEach([&](std::size_t i, std::size_t c) {
            const double g = dy[i] * (a.scale ? static_cast<double>(gamma[c]) : 1), normalized = (x[i] - mean) * inverse;
            if (a.subtracts_mean) gradient_sum += g;
            product += g * normalized;
            dgamma[c] += dy[i] * normalized;
            dbeta[c] += dy[i];
        });
        forEach([&](std::size_t i, std::size_t c) {
            const double g = dy[i] * (a.scale ? static_cast<double>(gamma[c]) : 1), normalized = (x[i] - mean) * inverse;
            out[i] = static_cast<float>(inverse * (g - gradient_sum / count - normalized * product / count));
        });
    }
    std::size_t output = 1;
    for (const auto& [wanted, sums] : {std::pair(a.scale, &dgamma), std::pair(a.center, &dbeta)}) {
        if (is_forward || !wanted || output >= op.outputs.size()) continue;
        const std::span<float> to = floats(op.outputs[output++], n);
        for (std::size_t c = 0; c < to.size(); ++c) to[c] = static_cast<float>((*sums)[c]);
    }
}

void Interpreter::unitNorm(const plan::Op& op, const Step& step) {
    const auto width = static_cast<std::size_t>(std::get<GroupNormAttributes>(op.attributes).width);
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<float> out = floats(op.outputs[0], step.samples);
    for (std::size_t begin = 0; begin < x.size(); begin += width) {
        double squares = 0, inner = 0;
        for (std::size_t i = begin; i < begin + width; ++i) squares += static_cast<double>(x[i]) * x[i];
        const double inverse = std::min(1 / std::sqrt(squares), plan::kMostUnitFactor);
        if (op.kind == plan::OpKind::kUnitNorm) {
            for (std::size_t i = begin; i < begin + width; ++i) out[i] = static_cast<float>(x[i] * inverse);
            continue;
        }
        const std::span<const float> dy = floats(op.inputs[1], step.samples);
        for (std::size_t i = begin; i < begin + width; ++i) inner += static_cast<double>(dy[i]) * x[i] * inverse;
        for (std::size_t i = begin; i < begin + width; ++i) out[i] = static_cast<float>(inverse * (dy[i] - x[i] * inverse * inner));
    }
}

}  // namespace engine::backend::reference
