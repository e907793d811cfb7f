// A sequence's attention to itself; the meanings stand with the ops in engine/plan/op_kind.h.
#include <algorithm>
#include <cmath>
#include <functional>
#include <variant>
#include <vector>

#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {
namespace {

// One head of one item: values of (T, heads * size), from its first column on.
struct Head {
    std::span<float> values{};
    std::size_t row = 0, size = 0;
    float& at(std::size_t time, std::size_t i) const { return values[time * row + i]; }
};

Head headOf(std::span<float> values, std::size_t items, std::size_t time, std::size_t heads, std::size_t number) {
    const std::size_t row = values.size() / (items * time), size = row / heads;
    return {values.subspan(number / heads * time * row + number % heads * size), row, size};
}

double dot(const Head& a, std::size_t i, const Head& b, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < a.size; ++k) sum += static_cast<double>(a.at(i, k)) * b.at(j, k);
    return sum;
}

// Which keys a query looks at; none: it looks at all evenly.
std::vector<bool> keysOf(const plan::AttentionAttributes& attention, std::span<const std::uint8_t> mask, std::size_t time,
                         std::size_t query) {
    std::vector<bool> keys(time);
    for (std::size_t key = 0; key < time; ++key) {
        const bool counts = mask.empty() || (mask[query] != 0 && mask[key] != 0);
        keys[key] = counts && (!attention.causal || key <= query);
    }
    return keys;
}

bool hasOne(const std::vector<bool>& keys) {
    return std::find(keys.begin(), keys.end(), true) != keys.end();
}

void weigh(const std::vector<bool>& keys, std::vector<double>& scores) {
    double largest = -HUGE_VAL, sum = 0;
    const bool any = hasOne(keys);
    for (std::size_t key = 0; key < keys.size(); ++key) {
        if (!any) scores[key] = 0;
        if (!any || keys[key]) largest = std::max(largest, scores[key]);
    }
    for (std::size_t key = 0; key < keys.size(); ++key) {
        scores[key] = !any || keys[key] ? std::exp(scores[key] - largest) : 0;
        sum += scores[key];
    }
    for (double& score : scores) score /= sum;
}

}  // namespace

void Interpreter::attention(const plan::Op& op, const Step& step) {
    const bool is_of_weights = op.kind == plan::OpKind::kAttentionWeights || op.kind == plan::OpKind::kAttentionWeightsBack;
    is_of_weights ? attentionWeights(op, step) : attentionValues(op, step);
}

void Interpreter::attentionWeights(const plan::Op& op, const Step& step) {
    const auto& attention = std::get<plan::AttentionAttributes>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kAttentionWeights;
    const std::int64_t n = step.samples;
    const spec::Shape& shape = tensorOf(op.inputs[0]).shape;
    const auto time = static_cast<std::size_t>(shape[1]), heads = static_cast<std::size_t>(attention.heads);
    const std::span<std::uint8_t> counts = attention.masked ? mask(op.inputs.back(), n) : std::span<std::uint8_t>{};
    const std::span<float> q = floats(op.inputs[0], n), k = floats(op.inputs[1], n);
    const std::span<float> weights = floats(is_forward ? op.outputs[0] : op.inputs[2], n);
    const std::size_t items = weights.size() / (heads * time * time);
    std::vector<double> scores(time), slopes(time * time);
    for (std::size_t number = 0; number < items * heads; ++number) {
        const Head query = headOf(q, items, time, heads, number), key = headOf(k, items, time, heads, number);
        const std::span<const std::uint8_t> own = counts.empty() ? counts : counts.subspan(number / heads * time, time);
        const std::span<float> p = weights.subspan(number * time * time, time * time);
        for (std::size_t t = 0; t < time; ++t) {
            const std::vector<bool> keys = keysOf(attention, own, time, t);
            if (is_forward) {
                for (std::size_t s = 0; s < time; ++s) scores[s] = attention.scale * dot(query, t, key, s);
                weigh(keys, scores);
                std::transform(scores.begin(), scores.end(), p.begin() + static_cast<std::ptrdiff_t>(t * time),
                               [](double score) { return static_cast<float>(score); });
                continue;
            }
            const std::span<const float> dp = floats(op.inputs[3], n).subspan((number * time + t) * time, time);
            double mean = 0;
            for (std::size_t s = 0; s < time; ++s) mean += static_cast<double>(p[t * time + s]) * dp[s];
            for (std::size_t s = 0; s < time; ++s) {
                slopes[t * time + s] = keys[s] ? attention.scale * p[t * time + s] * (dp[s] - mean) : 0;
            }
        }
        if (is_forward) continue;
        const Head dquery = headOf(floats(op.outputs[0], n), items, time, heads, number);
        const Head dkey = headOf(floats(op.outputs[1], n), items, time, heads, number);
        for (std::size_t t = 0; t < time; ++t) {
            for (std::size_t i = 0; i < query.size; ++i) {
                double of_query = 0, of_key = 0;
                for (std::size_t s = 0; s < time; ++s) {
                    of_query += slopes[t * time + s] * key.at(s, i);
                    of_key += slopes[s * time + t] * query.at(s, i);
                }
                dquery.at(t, i) = static_cast<float>(of_query);
                dkey.at(t, i) = static_cast<float>(of_key);
            }
        }
    }
}

void Interpreter::attentionValues(const plan::Op& op, const Step& step) {
    const auto heads = static_cast<std::size_t>(std::get<plan::AttentionAttributes>(op.attributes).heads);
    const bool is_forward = op.kind == plan::OpKind::kAttentionValues;
    const std::int64_t n = step.samples;
    const auto time = static_cast<std::size_t>(tensorOf(op.inputs[1]).shape[1]);
    const std::span<float> weights = floats(op.inputs[0], n), v = floats(op.inputs[1], n);
    const std::size_t items = weights.size() / (heads * time * time);
    for (std::size_t number = 0; number < items * heads; ++number) {
        const std::span<const float> p = weights.subspan(number * time * time, time * time);
        const Head value = headOf(v, items, time, heads, number);
        const Head y = headOf(floats(is_forward ? op.outputs[0] : op.inputs[2], n), items, time, heads, number);
        for (std::size_t t = 0; t < time; ++t) {
            for (std::size_t i = 0; i < value.size; ++i) {
                double sum = 0;
                for (std::size_t s = 0; s < time; ++s) {
                    sum += is_forward ? static_cast<double>(p[t * time + s]) * value.at(s, i)
                                      : static_cast<double>(p[s * time + t]) * y.at(s, i);
                }
                const Head to = is_forward ? y : headOf(floats(op.outputs[1], n), items, time, heads, number);
                to.at(t, i) = static_cast<float>(sum);
            }
            if (is_forward) continue;
            const std::span<float> dp = floats(op.outputs[0], n).subspan((number * time + t) * time, time);
            for (std::size_t s = 0; s < time; ++s) dp[s] = static_cast<float>(dot(y, t, value, s));
        }
    }
}

}  // namespace engine::backend::reference
