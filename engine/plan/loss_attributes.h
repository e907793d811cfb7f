// What a loss op computes: one value for each row of the scores (all axes but the last), then one number for the batch.
// Formulas: engine/backend/loss_formulas.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace engine::plan {

enum class LossKind {
    // Labels int32, one a row: a class, of the circle loss any number.
    kSparseCategoricalCrossentropy,
    kCategoricalGeneralizedCrossEntropy,
    kCircle,
    // Labels int32, a sequence of classes a sample: labelShape().
    kCtc,
    // Labels float32 of the scores' shape from here on.
    kCategoricalCrossentropy,
    kCategoricalFocalCrossentropy,
    kCategoricalHinge,
    kKLDivergence,
    kCosineSimilarity,
    kDice,
    kTversky,
    // Means of a term for each element.
    kBinaryCrossentropy,
    kBinaryFocalCrossentropy,
    kMeanSquaredError,
    kMeanAbsoluteError,
    kMeanAbsolutePercentageError,
    kMeanSquaredLogarithmicError,
    kHuber,
    kLogCosh,
    kHinge,
    kSquaredHinge,
    kPoisson,
};

std::string_view toString(LossKind kind);  // Keras' class: "SparseCategoricalCrossentropy"
// The kind of that class of Keras; nothing for another name.
std::optional<LossKind> lossKind(std::string_view class_name);
// True when labels are whole numbers (int32) rather than values of the scores' shape; hasSequences(): some of them a sample, whatever the
// scores' shape.
bool hasClassLabels(LossKind kind);
bool hasSequences(LossKind kind);

// The loss of rows with values l and weights w (1 without sample weights; 0 for an ignored class) is
//   kMean            sum(w l) / rows; with an ignored class: over the rows that are not ignored
//   kWeightedMean    sum(w l) / sum(w)
//   kSum             sum(w l)
// The two means are divided by the replicas as well before their gradients are summed.
enum class LossReduction { kMean, kWeightedMean, kSum };

std::string_view toString(LossReduction reduction);  // as Keras writes it: "sum_over_batch_size"

struct LossAttributes {
    LossKind kind = LossKind::kSparseCategoricalCrossentropy;
    LossReduction reduction = LossReduction::kMean;
    bool from_logits = false;
    double label_smoothing = 0;
    double delta = 1;                // Huber
    double alpha = 0.25, gamma = 2;  // the focal ones; alpha: Tversky, gamma: circle
    double beta = 0.5;               // Tversky
    double q = 0.5;                  // generalized cross-entropy
    double margin = 0.4;             // circle
    bool remove_diagonal = true;     // circle
    // The neighbouring axes whose elements make one loss. Of Dice and Tversky any; of CTC time and classes; of other losses the last axis.
    std::int64_t first_axis = -1, axes = 1;
    bool apply_class_balancing = false;         // binary focal
    std::optional<std::int64_t> ignored_class;  // sparse
    friend bool operator==(const LossAttributes&, const LossAttributes&) = default;
};
// True when a loss is one of several samples together: what another replica has of the batch changes it.
bool joinsSamples(const LossAttributes& loss);

// l1 sum |x| + l2 sum x^2 of a variable, or of a layer's output: then divided by the samples. Or, of a matrix alone: `orthogonal` times the
// mean of |u v| over all pairs of two rows, or columns, of length 1 each.
enum class PenalisedVectors { kNone, kRows, kColumns };
struct Penalty {
    float l1 = 0, l2 = 0;
    bool of_activity = false;
    PenalisedVectors vectors = PenalisedVectors::kNone;
    float orthogonal = 0;
    friend bool operator==(const Penalty&, const Penalty&) = default;
};
struct PenaltyAttributes {
    std::vector<Penalty> penalties{};  // one an input; kPenaltyBack: one
    friend bool operator==(const PenaltyAttributes&, const PenaltyAttributes&) = default;
};

// Tells what a gather makes of the labels.
struct GatherAttributes {
    bool whole_numbers = false;                 // samples are taken as they are: no scale, no offset
    std::optional<std::int64_t> ignored_class;  // a label that may lie outside of the classes
    bool any_class = false;                     // all labels may
    bool sequences = false;  // labels are columns of classes with zeros behind them; a sample of fewer columns than the label has -1 there
    // Weight of each class, 1 beyond the end; the label's class is an integer label, the rounded one of a single value, the largest of
    // many.
    std::vector<float> class_weights{};
    friend bool operator==(const GatherAttributes&, const GatherAttributes&) = default;
};

}  // namespace engine::plan
