// Keras' losses of one row of scores y with labels t (n values each), and their gradients: l(row) and dl/dy. eps = 1e-7; clip(x) is to
// [eps, 1 - eps], and nothing flows back where it holds. log p stands for log softmax(y) with logits, else for what is said.
//   sparse cross-entropy     -log p[c];  probabilities: c = clip(y), p = c / sum c (as on TensorFlow)
//   generalized cross-entropy  (1 - y[c]^q) / q
//   categorical              t' = t (1 - s) + s / n;  -sum t' log p;  probabilities: p = clip(y / sum y)
//   categorical focal        p as above or softmax(y) clipped:  -sum t' alpha (1 - p)^gamma log p
//   categorical hinge        max(max((1 - t) y) - sum t y + 1, 0)
//   KL divergence            both clipped to [eps, 1]:  sum t log(t / y)
//   cosine similarity        -sum t y / (|t| |y|)
//   Dice                     1 - 2 sum t y / (sum t + sum y + eps)
//   Tversky                  i = sum t y:  1 - i / (i + alpha sum t (1 - y) + beta sum y (1 - t) + eps)
//   means over the row of
//   binary                   t' = t (1 - s) + s / 2;  logits: max(y, 0) - y t' + log(1 + e^-|y|);  p = clip(y): -t' log p - (1 - t') log(1
//   - p) binary focal             that times (1 - pt)^gamma, pt = t' p + (1 - t') (1 - p);  balanced: times t' alpha + (1 - t')(1 -
//   alpha) squared, absolute error  (y - t)^2, |y - t|;  percentage: 100 |y - t| / max(|t|, eps);  logarithmic: (log(max(y, eps) + 1) -
//   log(...t...))^2 Huber                    e = y - t: e^2 / 2 where |e| <= delta, else delta |e| - delta^2 / 2;  log cosh: e +
//   softplus(-2 e) - log 2 hinge, squared hinge     max(1 - t y, 0), its square; labels 0 and 1 count as -1 and 1 when the batch has no
//   others Poisson                  y - t log(y + eps)
// `Real` is the type of the arithmetic: double for the oracle, float where speed counts. Sums are in double for both. `Lanes` share a row's
// elements: engine/backend/row_lanes.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "engine/backend/row_lanes.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend {

// One row. Gradients are multiplied by `scale` and written to `gradient` (n), which may be null: not wanted.
struct LossRow {
    const plan::LossAttributes& loss;
    const float* scores;
    std::int64_t n;
    float* gradient;
    double scale;
    std::int64_t stride = 1;  // from an element to the next: of scores, labels and gradient. Other than 1 for Dice and Tversky alone
};

inline constexpr float kLossEpsilon = 1e-7F;
inline constexpr float kLossTop = 1.0F - kLossEpsilon;

template <typename Real>
TANDEM_DEVICE Real larger(Real a, Real b) {
    return a < b ? b : a;
}
template <typename Real>
TANDEM_DEVICE Real within(Real x, Real low, Real high) {
    return x < low ? low : high < x ? high : x;
}
template <typename Real>
TANDEM_DEVICE bool isInsideClip(Real x) {
    return x >= static_cast<Real>(kLossEpsilon) && x <= static_cast<Real>(kLossTop);
}
template <typename Real>
TANDEM_DEVICE Real clipped(Real x) {
    return within(x, static_cast<Real>(kLossEpsilon), static_cast<Real>(kLossTop));
}
template <typename Real>
TANDEM_DEVICE Real sigmoidOf(Real x) {
    return 1 / (1 + std::exp(-x));
}
template <typename Real>
TANDEM_DEVICE Real signOf(Real x) {
    return static_cast<Real>((x > 0) - (x < 0));
}

// log(sum exp y); the powers e^(y - max) go to the gradient, when there is one, with their sum to `total`.
template <typename Real, typename Lanes>
TANDEM_DEVICE double logSumExp(const LossRow& row, Lanes lanes, double& total) {
    const float largest = firstLargest(row.scores, row.n, lanes).value;
    total = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const Real power = std::exp(static_cast<Real>(row.scores[i]) - static_cast<Real>(largest));
        if (row.gradient != nullptr) row.gradient[i] = static_cast<float>(power);
        total += static_cast<double>(power);
    }
    total = lanes.sum(total);
    return std::log(total) + static_cast<double>(largest);
}

template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double sparseCrossEntropy(const LossRow& row, std::int64_t target, Lanes lanes = {}) {
    if (row.loss.from_logits) {
        double total = 0;
        const double loss = logSumExp<Real>(row, lanes, total) - static_cast<double>(row.scores[target]);
        for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
            row.gradient[i] = static_cast<float>(row.scale * (static_cast<double>(row.gradient[i]) / total - (i == target ? 1 : 0)));
        }
        return loss;
    }
    double total = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) total += static_cast<double>(clipped<Real>(row.scores[i]));
    total = lanes.sum(total);
    const auto wanted = static_cast<double>(clipped<Real>(row.scores[target]));
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        const double slope = isInsideClip<Real>(row.scores[i]) ? 1 / total - (i == target ? 1 / wanted : 0) : 0;
        row.gradient[i] = static_cast<float>(row.scale * slope);
    }
    return std::log(total / wanted);
}

template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double generalizedCrossEntropy(const LossRow& row, std::int64_t target, Lanes lanes = {}) {
    const auto q = static_cast<Real>(row.loss.q), p = static_cast<Real>(row.scores[target]);
    constexpr Real kLeast = static_cast<Real>(1.17549435e-38F);  // the slope at 0 has no end
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        row.gradient[i] = i == target ? static_cast<float>(-row.scale * static_cast<double>(std::pow(larger(p, kLeast), q - 1))) : 0.0F;
    }
    return static_cast<double>((1 - std::pow(p, q)) / q);
}

// A row whose label is a class.
template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double classLoss(const LossRow& row, std::int64_t target, Lanes lanes = {}) {
    if (row.loss.kind == plan::LossKind::kCategoricalGeneralizedCrossEntropy) return generalizedCrossEntropy<Real>(row, target, lanes);
    return sparseCrossEntropy<Real>(row, target, lanes);
}

// Cross-entropy of a distribution, focal or not.
template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double categoricalCrossEntropy(const LossRow& row, const float* labels, Lanes lanes = {}) {
    const auto smoothing = static_cast<Real>(row.loss.label_smoothing);
    const auto label = [&](std::int64_t i) { return labels[i] * (1 - smoothing) + smoothing / static_cast<Real>(row.n); };
    const bool focal = row.loss.kind == plan::LossKind::kCategoricalFocalCrossentropy;
    double total = 0, loss = 0;
    if (row.loss.from_logits) {
        const double log_sum = logSumExp<Real>(row, lanes, total);
        if (!focal) {
            for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
                loss += static_cast<double>(label(i)) * (log_sum - static_cast<double>(row.scores[i]));
                if (row.gradient == nullptr) continue;
                row.gradient[i] = static_cast<float>(row.scale * (static_cast<double>(row.gradient[i]) / total - label(i)));
            }
            return lanes.sum(loss);
        }
    } else {
        for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) total += static_cast<double>(row.scores[i]);
        total = lanes.sum(total);
    }
    const float largest = row.loss.from_logits ? firstLargest(row.scores, row.n, lanes).value : 0;
    const auto share = [&](std::int64_t i) {
        const auto y = static_cast<Real>(row.scores[i]);
        return (row.loss.from_logits ? std::exp(y - static_cast<Real>(largest)) : y) / static_cast<Real>(total);
    };
    const auto gamma = static_cast<Real>(row.loss.gamma), alpha = static_cast<Real>(row.loss.alpha);
    // dl/dp of a share p, and the mean of these over the shares, which goes off when the shares are normalised.
    const auto slope = [&](std::int64_t i, Real p) -> Real {
        if (!isInsideClip(p)) return 0;
        if (!focal) return -label(i) / p;
        return label(i) * alpha * (gamma * std::pow(1 - p, gamma - 1) * std::log(p) - std::pow(1 - p, gamma) / p);
    };
    double mean = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const Real p = share(i), c = clipped(p);
        const Real term = -label(i) * std::log(c);
        loss += static_cast<double>(focal ? alpha * std::pow(1 - c, gamma) * term : term);
        if (row.gradient != nullptr) mean += static_cast<double>(slope(i, p) * p);
    }
    loss = lanes.sum(loss);
    mean = lanes.sum(mean);
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        const Real p = share(i);
        const double centered = static_cast<double>(slope(i, p)) - mean;
        row.gradient[i] = static_cast<float>(row.scale * (row.loss.from_logits ? centered * static_cast<double>(p) : centered / total));
    }
    return loss;
}

template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double categoricalHinge(const LossRow& row, const float* labels, Lanes lanes = {}) {
    const auto other = [&](std::int64_t i) { return (1 - static_cast<Real>(labels[i])) * static_cast<Real>(row.scores[i]); };
    double inner = 0, ties = 0;
    Real largest = other(0);
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        inner += static_cast<double>(labels[i]) * row.scores[i];
        largest = larger(largest, other(i));
    }
    inner = lanes.sum(inner);
    largest = lanes.largest(largest);
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) ties += other(i) == largest ? 1 : 0;
    ties = lanes.sum(ties);
    const double loss = static_cast<double>(largest) - inner + 1;
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        const double risen = other(i) == largest ? (1 - static_cast<double>(labels[i])) / ties : 0;
        row.gradient[i] = loss > 0 ? static_cast<float>(row.scale * (risen - static_cast<double>(labels[i]))) : 0.0F;
    }
    return larger(loss, 0.0);
}

template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double klDivergence(const LossRow& row, const float* labels, Lanes lanes = {}) {
    const auto bounded = [](float x) { return within(static_cast<Real>(x), static_cast<Real>(kLossEpsilon), Real{1}); };
    double loss = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const Real t = bounded(labels[i]), y = bounded(row.scores[i]);
        loss += static_cast<double>(t * std::log(t / y));
        if (row.gradient == nullptr) continue;
        const bool is_inside = row.scores[i] >= kLossEpsilon && row.scores[i] <= 1;
        row.gradient[i] = is_inside ? static_cast<float>(-row.scale * static_cast<double>(t / y)) : 0.0F;
    }
    return lanes.sum(loss);
}

template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double cosineSimilarity(const LossRow& row, const float* labels, Lanes lanes = {}) {
    double inner = 0, squares_t = 0, squares_y = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        inner += static_cast<double>(labels[i]) * row.scores[i];
        squares_t += static_cast<double>(labels[i]) * labels[i];
        squares_y += static_cast<double>(row.scores[i]) * row.scores[i];
    }
    inner = lanes.sum(inner);
    squares_t = lanes.sum(squares_t);
    squares_y = lanes.sum(squares_y);
    constexpr double kLargest = 1e7;  // a vector of zeros has no direction
    const auto overRoot = [](double squares) { return 1 / std::sqrt(squares) > kLargest ? kLargest : 1 / std::sqrt(squares); };
    const double over_t = overRoot(squares_t), over_y = overRoot(squares_y);
    const double cosine = inner * over_t * over_y;
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        const double along = over_y < kLargest ? row.scores[i] * over_y * cosine : 0;
        row.gradient[i] = static_cast<float>(row.scale * over_y * (along - labels[i] * over_t));
    }
    return -cosine;
}

// Dice and Tversky: both are linear in the labels where they are differentiated.
template <typename Lanes = OneLane>
TANDEM_DEVICE double overlapLoss(const LossRow& row, const float* labels, Lanes lanes = {}) {
    double both = 0, said = 0, wanted = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const auto t = static_cast<double>(labels[i * row.stride]), y = static_cast<double>(row.scores[i * row.stride]);
        both += t * y;
        wanted += t;
        said += y;
    }
    both = lanes.sum(both);
    wanted = lanes.sum(wanted);
    said = lanes.sum(said);
    // The loss is 1 - top / bottom; `by_label` and `always` are the parts of its slope.
    const auto epsilon = static_cast<double>(kLossEpsilon);
    double loss = 0, by_label = 0, always = 0;
    if (row.loss.kind == plan::LossKind::kDice) {
        const double bottom = wanted + said + epsilon;
        loss = 1 - 2 * both / bottom;
        by_label = -2 / bottom;
        always = 2 * both / (bottom * bottom);
    } else {
        const double alpha = row.loss.alpha, beta = row.loss.beta;
        const double bottom = both + alpha * (wanted - both) + beta * (said - both) + epsilon, share = both / (bottom * bottom);
        loss = 1 - both / bottom;
        by_label = share * (1 - alpha - beta) - 1 / bottom;
        always = share * beta;
    }
    for (std::int64_t i = lanes.first(); row.gradient != nullptr && i < row.n; i += lanes.step()) {
        const auto t = static_cast<double>(labels[i * row.stride]);
        row.gradient[i * row.stride] = static_cast<float>(row.scale * (t * by_label + always));
    }
    return loss;
}

template <typename Real>
struct Term {
    Real value, slope;
};

template <typename Real>
TANDEM_DEVICE Term<Real> binaryTerm(const plan::LossAttributes& loss, Real t, Real y) {
    const auto smoothing = static_cast<Real>(loss.label_smoothing);
    t = t * (1 - smoothing) + smoothing / 2;
    const bool focal = loss.kind == plan::LossKind::kBinaryFocalCrossentropy;
    const Real p = loss.from_logits ? sigmoidOf(y) : y;
    const Real c = clipped(p);
    // The slope of the entropy is by y.
    const Real entropy =
        loss.from_logits ? larger(y, Real{0}) - y * t + std::log1p(std::exp(-std::abs(y))) : -(t * std::log(c) + (1 - t) * std::log(1 - c));
    const Real entropy_slope = loss.from_logits ? p - t : isInsideClip(p) ? (1 - t) / (1 - c) - t / c : 0;
    if (!focal) return {entropy, entropy_slope};
    const auto gamma = static_cast<Real>(loss.gamma), alpha = static_cast<Real>(loss.alpha);
    const Real missed = 1 - (t * p + (1 - t) * (1 - p));
    const Real factor = std::pow(missed, gamma);
    const Real factor_slope = gamma * std::pow(missed, gamma - 1) * (1 - 2 * t);
    const Real weight = loss.apply_class_balancing ? t * alpha + (1 - t) * (1 - alpha) : 1;
    const Real inner = loss.from_logits ? p * (1 - p) : 1;
    return {weight * factor * entropy, weight * (factor * entropy_slope + inner * factor_slope * entropy)};
}

// Label and score of one element; `t` of hinge losses is -1 or 1.
template <typename Real>
TANDEM_DEVICE Term<Real> elementTerm(const plan::LossAttributes& loss, Real t, Real y) {
    const Real e = y - t;
    switch (loss.kind) {
        case plan::LossKind::kBinaryCrossentropy:
        case plan::LossKind::kBinaryFocalCrossentropy:
            return binaryTerm(loss, t, y);
        case plan::LossKind::kMeanSquaredError:
            return {e * e, 2 * e};
        case plan::LossKind::kMeanAbsoluteError:
            return {std::abs(e), signOf(e)};
        case plan::LossKind::kMeanAbsolutePercentageError: {
            const Real over = 100 / larger(std::abs(t), static_cast<Real>(kLossEpsilon));
            return {std::abs(e) * over, signOf(e) * over};
        }
        case plan::LossKind::kMeanSquaredLogarithmicError: {
            const auto least = static_cast<Real>(kLossEpsilon);
            const Real difference = std::log1p(larger(y, least)) - std::log1p(larger(t, least));
            return {difference * difference, y >= least ? 2 * difference / (y + 1) : 0};
        }
        case plan::LossKind::kHuber: {
            const auto delta = static_cast<Real>(loss.delta);
            if (std::abs(e) <= delta) return {e * e / 2, e};
            return {delta * std::abs(e) - delta * delta / 2, delta * signOf(e)};
        }
        case plan::LossKind::kLogCosh: {
            const Real size = std::abs(e);  // the same for -e, and nothing overflows
            return {size + std::log1p(std::exp(-2 * size)) - std::log(Real{2}), std::tanh(e)};
        }
        case plan::LossKind::kHinge:
            return {larger(1 - t * y, Real{0}), 1 - t * y > 0 ? -t : Real{0}};
        case plan::LossKind::kSquaredHinge: {
            const Real gap = larger(1 - t * y, Real{0});
            return {gap * gap, -2 * t * gap};
        }
        case plan::LossKind::kPoisson: {
            const Real shifted = y + static_cast<Real>(kLossEpsilon);
            return {y - t * std::log(shifted), 1 - t / shifted};
        }
        default:
            return {0, 0};
    }
}

// A row with labels of its own shape. `zero_one`: hinge labels are 0 and 1.
template <typename Real, typename Lanes = OneLane>
TANDEM_DEVICE double rowLoss(const LossRow& row, const float* labels, bool zero_one, Lanes lanes = {}) {
    switch (row.loss.kind) {
        case plan::LossKind::kCategoricalCrossentropy:
        case plan::LossKind::kCategoricalFocalCrossentropy:
            return categoricalCrossEntropy<Real>(row, labels, lanes);
        case plan::LossKind::kCategoricalHinge:
            return categoricalHinge<Real>(row, labels, lanes);
        case plan::LossKind::kKLDivergence:
            return klDivergence<Real>(row, labels, lanes);
        case plan::LossKind::kCosineSimilarity:
            return cosineSimilarity<Real>(row, labels, lanes);
        case plan::LossKind::kDice:
        case plan::LossKind::kTversky:
            return overlapLoss(row, labels, lanes);
        default:
            break;
    }
    const double over = 1 / static_cast<double>(row.n);
    double loss = 0;
    for (std::int64_t i = lanes.first(); i < row.n; i += lanes.step()) {
        const Real t = zero_one ? 2 * static_cast<Real>(labels[i]) - 1 : static_cast<Real>(labels[i]);
        const Term<Real> term = elementTerm<Real>(row.loss, t, row.scores[i]);
        loss += static_cast<double>(term.value);
        if (row.gradient != nullptr) row.gradient[i] = static_cast<float>(row.scale * over * static_cast<double>(term.slope));
    }
    return lanes.sum(loss) * over;
}

}  // namespace engine::backend
