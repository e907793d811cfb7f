// The CTC loss by whole tables of a sample's forward and backward sums; what they mean: engine/backend/losses/ctc_loss.h.
#include "engine/backend/losses/ctc_loss.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {
namespace {

using Row = std::vector<double>;

double logOf(const std::vector<double>& terms) {
    const double top = *std::max_element(terms.begin(), terms.end());
    double sum = 0;
    for (const double term : terms) sum += std::exp(term - top);
    return top + std::log(sum);
}

// The class of each state, and the states that a path can come from, itself among them.
struct States {
    std::vector<std::size_t> classes;
    std::vector<std::vector<std::size_t>> before;
    std::size_t length = 0;  // classes of the label
};

States statesOf(std::span<const std::int32_t> columns) {
    States states{.classes = {0}, .before = {{0}}};
    for (const std::int32_t column : columns) {
        if (column == kNoColumn) break;
        if (column != 0) ++states.length;
        const std::size_t s = states.classes.size();
        states.classes.push_back(static_cast<std::size_t>(column));
        states.before.push_back({s, s - 1});
        if (s >= 3 && states.classes[s - 2] != states.classes[s]) states.before.back().push_back(s - 2);
        states.classes.push_back(0);
        states.before.push_back({s + 1, s});
    }
    return states;
}

// Returns one sample's loss; writes `scale` times its gradient where one is wanted.
double lossOf(const States& states, std::span<const float> scores, std::size_t classes, double scale, float* gradient) {
    const std::size_t frames = scores.size() / classes, count = states.classes.size();
    std::vector<Row> shares(frames, Row(classes)), a(frames, Row(count)), b(frames + 1, Row(count, kCtcNever));
    for (std::size_t t = 0; t < frames; ++t) {
        const Row y(scores.begin() + static_cast<std::ptrdiff_t>(t * classes),
                    scores.begin() + static_cast<std::ptrdiff_t>((t + 1) * classes));
        const double sum = logOf(y);
        for (std::size_t c = 0; c < classes; ++c) shares[t][c] = y[c] - sum;
    }
    const auto observed = [&](std::size_t t, std::size_t s) { return shares[t][states.classes[s]]; };
    for (std::size_t t = 0; t < frames; ++t) {
        for (std::size_t s = 0; s < count; ++s) {
            Row paths;
            if (t == 0 && s < 2) paths.push_back(0);
            for (const std::size_t from : states.before[s]) paths.push_back(t == 0 ? kCtcNever : a[t - 1][from]);
            a[t][s] = observed(t, s) + logOf(paths);
        }
    }
    b[frames][2 * states.length] = 0;
    if (states.length > 0) b[frames][2 * states.length - 1] = 0;
    for (std::size_t t = frames; t-- > 0;) {
        std::vector<Row> paths(count);
        for (std::size_t s = 0; s < count; ++s) {
            for (const std::size_t from : states.before[s]) paths[from].push_back(observed(t, s) + b[t + 1][s]);
        }
        for (std::size_t s = 0; s < count; ++s) b[t][s] = logOf(paths[s]);
    }
    Row ends(count);
    for (std::size_t s = 0; s < count; ++s) ends[s] = a[frames - 1][s] + b[frames][s];
    const double all = logOf(ends);
    for (std::size_t t = 0; gradient != nullptr && t < frames; ++t) {
        Row slopes(classes);
        for (std::size_t c = 0; c < classes; ++c) slopes[c] = std::exp(shares[t][c]);
        for (std::size_t s = 0; s < count; ++s) {
            const bool is_padding = s % 2 == 1 && states.classes[s] == 0;
            if (!is_padding) slopes[states.classes[s]] -= std::exp(a[t][s] + b[t + 1][s] - all);
        }
        for (std::size_t c = 0; c < classes; ++c) gradient[t * classes + c] = static_cast<float>(scale * slopes[c]);
    }
    return -logOf({observed(0, 0) + b[1][0], observed(0, 1) + b[1][1]});
}

}  // namespace

void Interpreter::ctcLoss(const plan::LossAttributes& loss, const LossBatch& batch, const spec::Shape& shape, const float* scores,
                          float* gradient) {
    const std::int64_t n = batch.samples, elements = shape[1] * shape[2];
    const LossScale scale = lossScale(loss, batch, plan_.replicas);
    const std::span<const std::int32_t> labels = classLabels(n);
    const std::size_t columns = n == 0 ? 0 : labels.size() / static_cast<std::size_t>(n);
    double sum = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const double weight = rowTarget(batch, i).weight;
        const States states = statesOf(labels.subspan(static_cast<std::size_t>(i) * columns, columns));
        sum += weight * lossOf(states, {scores + i * elements, static_cast<std::size_t>(elements)}, static_cast<std::size_t>(shape[2]),
                               scale.row * weight / scale.replicas, gradient == nullptr ? nullptr : gradient + i * elements);
    }
    writeLoss(sum * scale.row, n);
}

}  // namespace engine::backend::reference
