// Keras' CTC loss as TensorFlow computes it (ctc_ops.py, ctc_loss_dense; Graves et al. 2006): minus the logarithm of the probability that
// the frames of one sample, each a softmax over classes of which 0 is the blank, spell the sample's label once repeats are merged and
// blanks left out. The label's columns l_1 ... l_m make 2 m + 1 states: a blank, l_1, a blank, l_2, ..., l_m, a blank; n of the columns are
// classes, the others zeros behind them. From a frame to the next a path stays, goes to the next state, or skips a blank between two labels
// that differ.
//   a_t(s)  logarithm of the sum over all paths of the frames 0 ... t that end in s;  b_t(s)  of the frames behind t, from s on
//   paths begin in state 0 or 1 and end in state 2 n or 2 n - 1; TensorFlow lets them begin and end anywhere else as well, at a probability
//   of 1e-307 (in float32: e^kCtcNever), so that a label that the frames have no room for has a large loss and no infinite one
//   loss = -log(sum of the paths that begin rightly);  gradient at frame t = softmax - (sum over the states s of that class of
//   e^(a_t(s) + b_t(s) - z)), z the logarithm of the sum of all paths; a column of zero that pads the label has no class
// Everything is summed in double, with logarithms. Each `frames_apart`-th row of a is kept, those between are made again on the way back.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/backend/loss_formulas.h"
#include "engine/backend/row_lanes.h"

namespace engine::backend {

inline constexpr double kCtcNever = static_cast<double>(-706.8936F);
inline constexpr double kNoPath = -std::numeric_limits<double>::infinity();
inline constexpr std::int32_t kNoColumn = -1;  // behind the columns of a label that has fewer than there is room for

// The room that a sample's recursions take, in doubles, and how its parts lie in it.
struct CtcRoom {
    std::int64_t frames = 0, columns = 0;
    std::int64_t frames_apart = 1;

    TANDEM_DEVICE std::int64_t states() const { return 2 * columns + 1; }
    TANDEM_DEVICE std::int64_t keptRows() const { return (frames + frames_apart - 1) / frames_apart; }
    TANDEM_DEVICE std::int64_t rows() const { return keptRows() + frames_apart - 1; }  // of a
    // rows of a, two of b, for each column the next and the last one of its class as integers
    TANDEM_DEVICE std::int64_t doubles() const { return (rows() + 2) * states() + columns; }
};
inline CtcRoom ctcRoom(std::int64_t frames, std::int64_t columns) {
    CtcRoom room{.frames = frames, .columns = columns};
    while (room.frames_apart * room.frames_apart < frames) ++room.frames_apart;
    return room;
}

// One sample. `memory`: room.doubles() of them, the sample's own.
struct CtcSample {
    const float* scores;         // (frames, classes)
    const std::int32_t* labels;  // (columns): classes, zeros behind them, kNoColumn behind these
    const double* log_sums;      // (frames): ctcFrame() of each
    std::int64_t classes;
    float* gradient;  // (frames, classes), begun by ctcFrame(), or null: not wanted
    double scale;     // of the gradient
    CtcRoom room;
    double* memory;
};

// Returns log(sum e^y) of one frame's scores y (n) and writes scale * softmax to `gradient`, which may be null.
template <typename Lanes>
TANDEM_DEVICE double ctcFrame(const float* scores, std::int64_t n, float* gradient, double scale, Lanes lanes) {
    float top = scores[0];
    for (std::int64_t i = lanes.first(); i < n; i += lanes.step()) top = larger(top, scores[i]);
    top = lanes.largest(top);
    double total = 0;
    for (std::int64_t i = lanes.first(); i < n; i += lanes.step()) {
        total += std::exp(static_cast<double>(scores[i]) - static_cast<double>(top));
    }
    total = lanes.sum(total);
    const double log_sum = std::log(total) + static_cast<double>(top);
    for (std::int64_t i = lanes.first(); gradient != nullptr && i < n; i += lanes.step()) {
        gradient[i] = static_cast<float>(scale * std::exp(static_cast<double>(scores[i]) - log_sum));
    }
    return log_sum;
}

// log(e^a + e^b + e^c)
TANDEM_DEVICE inline double logOfSum(double a, double b, double c) {
    const double top = larger(larger(a, b), c);
    if (top == kNoPath) return top;
    return top + std::log(std::exp(a - top) + std::exp(b - top) + std::exp(c - top));
}

// The recursions over a sample's states; each function is called by all lanes.
template <typename Lanes>
class CtcPaths {
public:
    TANDEM_DEVICE CtcPaths(const CtcSample& sample, Lanes lanes) : sample_(sample), lanes_(lanes) {
        double columns = 0, classes = 0;
        for (std::int64_t j = lanes.first(); j < sample.room.columns; j += lanes.step()) {
            columns += sample.labels[j] == kNoColumn ? 0 : 1;
            classes += sample.labels[j] > 0 ? 1 : 0;
        }
        columns_ = static_cast<std::int64_t>(lanes.sum(columns));
        length_ = static_cast<std::int64_t>(lanes.sum(classes));
        states_ = 2 * columns_ + 1;
    }

    // Returns the sample's loss; subtracts the shares of its classes from the gradient.
    TANDEM_DEVICE double run() {
        const bool differentiates = sample_.gradient != nullptr;
        const std::int64_t frames = sample_.room.frames, apart = sample_.room.frames_apart;
        for (std::int64_t s = lanes_.first(); s < states_; s += lanes_.step()) after(frames)[s] = endsIn(s);
        if (differentiates) {
            linkColumns();
            for (std::int64_t t = 0; t < frames; ++t) stepForward(t);
        }
        lanes_.sync();
        const double all = differentiates ? sumOfPaths() : 0;
        for (std::int64_t kept = sample_.room.keptRows() - 1; kept >= 0; --kept) {
            const std::int64_t begin = kept * apart, end = begin + apart < frames ? begin + apart : frames;
            // The last rows are there still.
            for (std::int64_t t = begin + 1; differentiates && end < frames && t < end; ++t) stepForward(t);
            lanes_.sync();
            for (std::int64_t t = end - 1; t >= begin; --t) {
                if (differentiates) subtractShares(t, all);
                if (t > 0) stepBackward(t);
            }
        }
        // What is behind frame 0 lies where stepBackward(1), or the end, put it.
        const double* behind = after(1);
        return -logOfSum(observed(0, 0) + behind[0], observed(0, 1) + behind[1], kNoPath);
    }

private:
    // a_t, from its place among the rows that are kept or made again.
    TANDEM_DEVICE double* before(std::int64_t t) const {
        const std::int64_t apart = sample_.room.frames_apart, rest = t % apart;
        const std::int64_t row = rest == 0 ? t / apart : sample_.room.keptRows() + rest - 1;
        return sample_.memory + row * sample_.room.states();
    }
    // b_(t - 1): of the frames t and later ones.
    TANDEM_DEVICE double* after(std::int64_t t) const { return sample_.memory + (sample_.room.rows() + t % 2) * sample_.room.states(); }
    // The next column of each column's class, and the last one before it; kNoColumn where there is none.
    TANDEM_DEVICE std::int32_t* next() const {
        return reinterpret_cast<std::int32_t*>(sample_.memory + (sample_.room.rows() + 2) * sample_.room.states());
    }
    TANDEM_DEVICE std::int32_t* last() const { return next() + sample_.room.columns; }

    TANDEM_DEVICE std::int32_t classOf(std::int64_t s) const { return s % 2 == 0 ? 0 : sample_.labels[s / 2]; }
    // True where a path may come to s from s - 2.
    TANDEM_DEVICE bool skips(std::int64_t s) const { return s % 2 == 1 && s >= 3 && s < states_ && classOf(s) != classOf(s - 2); }
    TANDEM_DEVICE double observed(std::int64_t t, std::int64_t s) const {
        return static_cast<double>(sample_.scores[t * sample_.classes + classOf(s)]) - sample_.log_sums[t];
    }
    TANDEM_DEVICE double endsIn(std::int64_t s) const { return s == 2 * length_ || s == 2 * length_ - 1 ? 0 : kCtcNever; }

    TANDEM_DEVICE void linkColumns() const {
        for (std::int64_t j = lanes_.first(); j < length_; j += lanes_.step()) {
            std::int64_t behind = j + 1, front = j - 1;
            while (behind < length_ && sample_.labels[behind] != sample_.labels[j]) ++behind;
            while (front >= 0 && sample_.labels[front] != sample_.labels[j]) --front;
            next()[j] = behind < length_ ? static_cast<std::int32_t>(behind) : kNoColumn;
            last()[j] = front >= 0 ? static_cast<std::int32_t>(front) : kNoColumn;
        }
    }

    // Writes a_t, for t above 0 from a_(t - 1), which the lanes have written or kept before.
    TANDEM_DEVICE void stepForward(std::int64_t t) const {
        lanes_.sync();
        double* to = before(t);
        const double* from = t == 0 ? nullptr : before(t - 1);
        for (std::int64_t s = lanes_.first(); s < states_; s += lanes_.step()) {
            double paths = 0;
            if (t == 0) {
                const double ways = 1.0 + (s > 0 ? 1 : 0) + (skips(s) ? 1 : 0);
                paths = logOfSum(s < 2 ? 0 : kNoPath, kCtcNever + std::log(ways), kNoPath);
            } else {
                paths = logOfSum(from[s], s > 0 ? from[s - 1] : kNoPath, skips(s) ? from[s - 2] : kNoPath);
            }
            to[s] = observed(t, s) + paths;
        }
    }

    // Writes b_(t - 1) from b_t.
    TANDEM_DEVICE void stepBackward(std::int64_t t) const {
        const double* from = after(t + 1);
        double* to = after(t);
        for (std::int64_t s = lanes_.first(); s < states_; s += lanes_.step()) {
            const double stays = observed(t, s) + from[s];
            const double goes = s + 1 < states_ ? observed(t, s + 1) + from[s + 1] : kNoPath;
            to[s] = logOfSum(stays, goes, skips(s + 2) ? observed(t, s + 2) + from[s + 2] : kNoPath);
        }
        lanes_.sync();
    }

    // Returns the logarithm of the sum of all paths, from the last a.
    TANDEM_DEVICE double sumOfPaths() const {
        const double* row = before(sample_.room.frames - 1);
        double top = kNoPath, total = 0;
        for (std::int64_t s = lanes_.first(); s < states_; s += lanes_.step()) top = larger(top, row[s] + endsIn(s));
        top = lanes_.largest(top);
        for (std::int64_t s = lanes_.first(); s < states_; s += lanes_.step()) total += std::exp(row[s] + endsIn(s) - top);
        return top + std::log(lanes_.sum(total));
    }

    // Each class of the label is one lane's, who adds up its columns in order.
    TANDEM_DEVICE void subtractShares(std::int64_t t, double all) const {
        const double *ahead = before(t), *behind = after(t + 1);
        float* gradient = sample_.gradient + t * sample_.classes;
        double blank = 0;
        for (std::int64_t s = 2 * lanes_.first(); s < states_; s += 2 * lanes_.step()) blank += std::exp(ahead[s] + behind[s] - all);
        blank = lanes_.sum(blank);
        if (lanes_.first() == 0) gradient[0] -= static_cast<float>(sample_.scale * blank);
        for (std::int64_t j = lanes_.first(); j < length_; j += lanes_.step()) {
            if (sample_.labels[j] == 0 || last()[j] != kNoColumn) continue;
            double share = 0;
            for (std::int64_t i = j; i != kNoColumn; i = next()[i]) {
                const std::int64_t s = 2 * i + 1;
                share += std::exp(ahead[s] + behind[s] - all);
            }
            gradient[sample_.labels[j]] -= static_cast<float>(sample_.scale * share);
        }
    }

    const CtcSample& sample_;
    Lanes lanes_;
    std::int64_t columns_ = 0, length_ = 0, states_ = 1;
};

}  // namespace engine::backend
