// What an op needs beside its tensors: one plain struct a family of ops. Which one a kind holds stands in its row of
// engine/plan/op_table.cpp; ops without such needs hold std::monostate.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "engine/plan/activation.h"
#include "engine/plan/loss_attributes.h"
#include "engine/plan/metric_attributes.h"
#include "engine/spec/cluster/reduce_route.h"
#include "engine/spec/fields.h"

namespace engine::plan {

// A window that moves over (N, H, W, C), see imageShape(). The sizes of a valid or same padding are resolved: pads are explicit. Poolings
// hold it as it is.
struct Window2D {
    int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
    bool is_adaptive = false;  // pooling: of n windows, window i has the cells from floor(i size / n) to before ceil((i + 1) size / n) of
                               // an axis, at most as many as the kernel; strides and pads say nothing
    int groups = 1;            // convolution: the kernel holds (kh, kw, C / groups, filters) in C order, whatever the shape of its variable
    friend bool operator==(const Window2D&, const Window2D&) = default;
};
// The activation and the pooling belong to a fused block.
struct ConvolutionAttributes {
    Window2D window{};
    Activation activation = Activation::kLinear;  // linear, relu
    std::optional<Window2D> pool{};
    friend bool operator==(const ConvolutionAttributes&, const ConvolutionAttributes&) = default;
};
// The activation of a fused block, which is linear or relu, has no settings.
struct ActivationAttributes {
    Activation function = Activation::kLinear;
    ActivationSettings settings{};
    friend bool operator==(const ActivationAttributes&, const ActivationAttributes&) = default;
};
struct OptimizerAttributes {
    spec::ObjectSpec optimizer{};  // class and settings; the rate comes with each step
    friend bool operator==(const OptimizerAttributes&, const OptimizerAttributes&) = default;
};

// `seed` is the layer's own; combined with the step's seed, epoch and iteration it gives the random numbers. The way back draws none.
struct DropoutAttributes {
    double rate = 0;
    std::int64_t seed = 0;
    friend bool operator==(const DropoutAttributes&, const DropoutAttributes&) = default;
};
// A choice that is drawn for a step, for all images of a batch alike, under TimeDistributed for each time: see Op::gate.
struct Gate {
    std::int64_t seed = 0;  // as DropoutAttributes have it
    int draw = 0;           // tells the choices of one seed apart
    int choices = 1;        // 0 .. choices - 1, equally likely
    int open_at = 0;        // the choice that the op belongs to
    friend bool operator==(const Gate&, const Gate&) = default;
};
// A way back that multiplies with the same numbers draws them again, from the same seed.
struct GaussianNoiseAttributes {
    double deviation = 0;
    bool multiplies = false;  // y = x (1 + a normal number), else y = x + a normal number
    std::int64_t seed = 0;
    friend bool operator==(const GaussianNoiseAttributes&, const GaussianNoiseAttributes&) = default;
};

// Axis i of y is axis axes[i] of x, from 0 without the batch.
struct Permutation {
    std::vector<int> axes{};
    friend bool operator==(const Permutation&, const Permutation&) = default;
};
// Rows and columns of zeros around an image; of a negative number, so many taken away.
struct Pads2D {
    int top = 0, bottom = 0, left = 0, right = 0;
    friend bool operator==(const Pads2D&, const Pads2D&) = default;
};
enum class Interpolation { kNearest, kBilinear };
// Every row and column so many times. Bilinear: cell o of y lies at (o + 0.5) / times - 0.5 of x, held within it.
struct Resize2D {
    int rows = 1, columns = 1;
    Interpolation interpolation = Interpolation::kNearest;
    friend bool operator==(const Resize2D&, const Resize2D&) = default;
};
// The part of an image that becomes all of the result: rows from `top` on, columns from `left` on; what it has beyond the image is
// `fill_value`. Bilinear: cell o of n results lies at (o + 0.5) / n of the part, less half a cell, held within it.
struct Resample2D {
    std::int64_t top = 0, left = 0, rows = 1, columns = 1;
    Interpolation interpolation = Interpolation::kNearest;
    double fill_value = 0;
    bool is_drawn = false;  // top and left are drawn from 0 to these, once for all images of a step
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const Resample2D&, const Resample2D&) = default;
};
struct Affine {
    double scale = 1, offset = 0;
    friend bool operator==(const Affine&, const Affine&) = default;
};
// x as (outer, channels, inner), C order; a channel has a mean and a deviation, the root of its variance, kLeastDeviation at least.
struct Standardization {
    std::int64_t channels = 1, inner = 1;
    bool inverts = false;                   // y = x deviation + mean
    bool keeps_origin = false;              // without the mean, whose values do not count: the way back of either
    std::vector<float> mean{}, variance{};  // by channel, where the op has no inputs for them
    friend bool operator==(const Standardization&, const Standardization&) = default;
};
inline constexpr float kLeastDeviation = 1e-7F;
// The place of a whole number's text in a table of `bins` places, by FarmHash's fingerprint, or by SipHash with a key. With a mask, its
// value has place 0, others have those behind it.
struct Hashing {
    std::int64_t bins = 1;
    std::optional<std::int64_t> mask{};
    std::optional<std::array<std::uint64_t, 2>> key{};
    friend bool operator==(const Hashing&, const Hashing&) = default;
};
// `values` ascend. With `places`, a value, without what it has behind the point, becomes the place of its equal; one without an equal
// otherwise + (value mod others), or + its hash; with no others it ends the step. Without, it becomes the number of values that are not
// above it. Both may be inputs of the op, behind x, in place of these lists.
struct Indexing {
    std::vector<float> values{}, places{};
    float otherwise = 0, others = 1;
    std::optional<Hashing> hash{};
    // Numbers rather than ids: under a dtype policy a pass rounds x to its type before the op, which then reads float32 all the same.
    bool rounds_input = false;
    friend bool operator==(const Indexing&, const Indexing&) = default;
};
// A row of y belongs to `ids` neighbouring values of x, without what they have behind the point; those out of range have no place in it.
// A second input has a weight for each place, by which what stands there is multiplied.
struct Encoding {
    std::int64_t depth = 1, ids = 1;
    bool counts = false;  // how often each id is there, else 1
    friend bool operator==(const Encoding&, const Encoding&) = default;
};
// Numbers are drawn evenly from it.
struct RandomRange {
    double from = 0, to = 0;
    friend bool operator==(const RandomRange&, const RandomRange&) = default;
};
// What a map of each image is drawn from, and how cells between and beyond the image's are read. What is not drawn stays as it is.
struct RandomImage {
    using Range = RandomRange;
    enum class Fill { kReflect, kConstant, kWrap, kNearest };
    bool flips_columns = false, flips_rows = false;  // half of the images; both at once where both are set
    Range turn{};                                    // parts of a full turn, against the clock
    Range zoom_rows{}, zoom_columns{};               // parts of the size that is seen more
    bool same_zoom = false;                          // of rows for both
    Range shift_rows{}, shift_columns{};             // parts of the size, downwards and to the right
    Range shear_rows{}, shear_columns{};  // cells that a column is read lower than the one before, a row further to the right; either way
    double corners = 0;                   // parts of their coordinates by which the corners move, either way
    Range chance{1, 1};                   // the corners move where a number in [0, 1) is below one drawn from it
    Interpolation interpolation = Interpolation::kBilinear;
    Fill fill = Fill::kReflect;
    double fill_value = 0;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomImage&, const RandomImage&) = default;
};
// What a map of each image's colours is drawn from. Values lie between `low` and `high`. An image is changed where a number in [0, 1) is
// below one drawn from `chance`.
struct RandomColors {
    enum class Map {
        kBrightness,     // x + amount, held within the range
        kContrast,       // mean + amount (x - mean), held within the range; the mean of the image's channel
        kGray,           // x + amount (gray - x), held within the range; three channels, as of the next two
        kSaturation,     // the saturation times amount / (1 - amount), held within the range
        kHue,            // the hue and half of amount, of a full turn; less half of it in half of the images
        kInversion,      // high - x
        kSolarization,   // with the range as 0 to 255: x + amount, held within it, and 255 less that from the threshold on
        kPosterization,  // with the range as 0 to 255: as many of a byte's first bits as amount, less what it has behind the point
    };
    Map map = Map::kBrightness;
    RandomRange amount{}, threshold{}, chance{1, 1};
    double low = 0, high = 255;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomColors&, const RandomColors&) = default;
};

// A box that is taken out of an image: its height and width are the roots of numbers from `area`, in parts of the image's. Images are
// changed by `chance` as RandomColors has it.
struct RandomErasing {
    RandomRange chance{1, 1}, area{};
    bool is_noise = false;         // the box gets normal numbers times `high`, else
    std::array<double, 3> fill{};  // a number by the channel; held between `low` and `high`
    double low = 0, high = 255;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomErasing&, const RandomErasing&) = default;
};

// y = x + amount (blurred - x), held between `low` and `high`. Blurred is the sum of a window's cells, zero beyond the image, times
// weights: 5/13 the cell's own and 1/13 its eight neighbours', or with `is_gaussian` those of a normal curve with a deviation for rows and
// one for columns, which the images of a batch share. Images are changed by `chance` as RandomColors has it, but all are held.
struct RandomBlur {
    bool is_gaussian = false;
    int kernel_h = 3, kernel_w = 3;
    RandomRange amount{1, 1}, deviation{}, chance{1, 1};
    double low = 0, high = 255;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomBlur&, const RandomBlur&) = default;
};
// Every cell of an image is read elsewhere, as far away in rows as in columns: by normal numbers of its own, which a window of a normal
// curve smooths. Both grow with a number that is drawn from `scale`, once for the images of a batch. Images are changed by `chance` as
// RandomColors has it, but all are held between `low` and `high`.
struct RandomElastic {
    RandomRange scale{0, 1}, chance{1, 1};
    Interpolation interpolation = Interpolation::kBilinear;
    RandomImage::Fill fill = RandomImage::Fill::kReflect;
    double fill_value = 0;
    double low = 0, high = 255;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomElastic&, const RandomElastic&) = default;
};
// What becomes of the values of each channel by what those of its image are together, or for kEqualization those of the whole batch.
struct ImageLevels {
    enum class Map {
        kStretch,       // the least becomes `low`, the largest `high`; equal ones stay
        kEqualization,  // of a histogram of `bins`, as many values in each part of the range as can be; one bin alone stays
        kAdaptive,      // the same of 256 bins in each tile of an image, without what a bin has above the limit, which all bins share;
                        // along straight lines between the middles of tiles
    };
    Map map = Map::kStretch;
    int bins = 256;
    double low = 0, high = 255;
    int tiles_h = 1, tiles_w = 1;  // tiles beyond the image hold its mirror image
    double limit = 0;              // parts of a bin's even share of a tile's values; 0 or less: none
    friend bool operator==(const ImageLevels&, const ImageLevels&) = default;
};
// Images mixed with what several chains of augmentations made of them, y = w x + (1 - w) (c1 a1 + c2 a2 + ...), held between `low` and
// `high`. The images of a batch share the numbers: w is drawn from Beta(alpha, alpha), c from the Dirichlet distribution of alphas.
struct RandomMix {
    double alpha = 1;
    double low = 0, high = 255;
    std::int64_t seed = 0;  // as DropoutAttributes have it
    friend bool operator==(const RandomMix&, const RandomMix&) = default;
};
// A number of each complex one. Magnitudes, and those that logarithms are taken of, are roots of kLeastPower at least (signal_numbers.h).
struct Spectrum {
    enum class Number { kLogarithm, kMagnitude, kPower, kAngle };  // kPower: twice, but for the first and the last frequency
    Number number = Number::kMagnitude;
    friend bool operator==(const Spectrum&, const Spectrum&) = default;
};
// Frames of a signal, mirrored at both ends, by a window; their magnitudes to the power `exponent`, summed by triangles of HTK's mel scale.
// In decibels: 10 log10 of it over `reference`, `range` below the batch's largest at least.
struct MelSpectrogram {
    enum class Window { kNone, kHann, kHamming };
    Window window = Window::kHann;
    int fft_length = 2048, length = 2048, stride = 512, bands = 128;
    double rate = 16000, from = 20, to = 8000;  // in hertz
    double exponent = 1, least = 1e-10, reference = 1, range = 80;
    bool decibels = true;
    friend bool operator==(const MelSpectrogram&, const MelSpectrogram&) = default;
};

// x as (outer, channels, inner), C order; statistics are over outer and inner.
struct BatchNormAttributes {
    std::int64_t channels = 1, inner = 1;
    double momentum = 0.99, epsilon = 1e-3;
    bool center = true, scale = true;
    bool frozen = false;        // training, with the moving statistics
    bool synchronized = false;  // statistics of all replicas' batches, summed within the step
    bool masked = false;        // statistics of the values that a mask leaves
    friend bool operator==(const BatchNormAttributes&, const BatchNormAttributes&) = default;
};
// x as (items, positions, groups, width), C order; statistics of an item's group are over positions and width. Unit norms: width alone.
struct GroupNormAttributes {
    std::int64_t positions = 1, groups = 1, width = 1;
    double epsilon = 1e-3;
    bool center = true, scale = true;
    bool subtracts_mean = true;  // false: values keep their mean and are divided by the root of their mean square
    friend bool operator==(const GroupNormAttributes&, const GroupNormAttributes&) = default;
};
// Keras' constraints of a weight: its norms along `axes` are over all of them together, for each place along the others.
enum class ConstraintKind {
    kMaxNorm,     // w min(norm, maximum) / (1e-7 + norm)
    kNonNeg,      // max(w, 0)
    kUnitNorm,    // w / (1e-7 + norm)
    kMinMaxNorm,  // w (rate clip(norm, minimum, maximum) + (1 - rate) norm) / (1e-7 + norm)
};
struct SpectralNormAttributes {
    int iterations = 1;
    friend bool operator==(const SpectralNormAttributes&, const SpectralNormAttributes&) = default;
};
struct ConstraintAttributes {
    ConstraintKind kind = ConstraintKind::kNonNeg;
    double minimum = 0, maximum = 1, rate = 1;
    std::vector<int> axes{};  // from 0
    friend bool operator==(const ConstraintAttributes&, const ConstraintAttributes&) = default;
};
// Two results of one input become one; `turned`: the second is a sequence whose times run backwards.
enum class MergeMode { kConcat, kSum, kAverage, kMultiply };
struct MergeAttributes {
    MergeMode mode = MergeMode::kConcat;
    bool turned = false;
    friend bool operator==(const MergeAttributes&, const MergeAttributes&) = default;
};
enum class RecurrentCell { kSimple, kLstm, kGru };
constexpr std::int64_t gatesOf(RecurrentCell cell) {
    return cell == RecurrentCell::kSimple ? 1 : cell == RecurrentCell::kLstm ? 4 : 3;
}
struct RecurrentAttributes {
    RecurrentCell cell = RecurrentCell::kSimple;
    std::int64_t units = 1;
    Activation activation = Activation::kTanh, recurrent_activation = Activation::kSigmoid;  // their derivatives follow from y
    bool return_sequences = false;
    bool go_backwards = false;  // from the last time to the first; sequences come out in that order
    bool reset_after = false;   // kGru
    bool two_biases = false;    // kGru with reset_after: (2, 3 units), for the input and for the state; else the products have the bias
    bool masked = false;        // a mask (N, T) tells which times change the state; the others put out the state as it is
    bool zero_output_for_mask = false;  // ... or zeros
    double recurrent_dropout = 0;       // the rate at which each gate's product with U loses units of the state
    std::int64_t seed = 0;              // as DropoutAttributes have it
    // kLstm: the states are sequences, images or volumes of units, and their product with U is a convolution by a window of so many planes,
    // rows and columns that moves cell by cell, padded to the same size with the larger half at the end.
    std::optional<std::array<int, 3>> window{};
    friend bool operator==(const RecurrentAttributes&, const RecurrentAttributes&) = default;
};
// The heads of an attention of a sequence to itself. Queries and keys hold (N, T, heads * size), head by head.
struct AttentionAttributes {
    std::int64_t heads = 1;
    double scale = 1;     // of the products of queries with keys
    bool causal = false;  // a time looks at itself and those before it alone
    bool masked = false;  // a mask (N, T) tells which times count; one that does not looks at all, evenly, as Keras has it
    friend bool operator==(const AttentionAttributes&, const AttentionAttributes&) = default;
};
// Keras' masks are uint8 (N, ...), 1 for what counts, of all axes of their tensor but the last ones, which are a row.
struct MaskAttributes {
    float value = 0;
    friend bool operator==(const MaskAttributes&, const MaskAttributes&) = default;
};
// Keras' LossScaleOptimizer: the loss is scaled so that gradients of float16 do not vanish.
struct LossScaleAttributes {
    double initial_scale = 32768;
    std::int64_t growth_steps = 2000;  // finite ones in a row after which the scale doubles
    spec::ObjectSpec optimizer{};      // whose updates are left out where a gradient is not finite
    friend bool operator==(const LossScaleAttributes&, const LossScaleAttributes&) = default;
};
// The input of a cross-entropy holds logits, or else probabilities.
struct CrossEntropyAttributes {
    bool from_logits = true;
    friend bool operator==(const CrossEntropyAttributes&, const CrossEntropyAttributes&) = default;
};
inline constexpr double kMostUnitFactor = 1e12;  // a unit norm multiplies by 1 / length, by this at most
using OpAttributes =
    std::variant<std::monostate, GatherAttributes, ConvolutionAttributes, Window2D, ActivationAttributes, BatchNormAttributes,
                 GroupNormAttributes, RecurrentAttributes, AttentionAttributes, MergeAttributes, MaskAttributes, Permutation, Pads2D,
                 Resize2D, Resample2D, Affine, Standardization, Indexing, Encoding, RandomImage, RandomColors, RandomErasing, RandomBlur,
                 RandomElastic, ImageLevels, RandomMix, Spectrum, MelSpectrogram, Hashing, SpectralNormAttributes, DropoutAttributes,
                 GaussianNoiseAttributes, CrossEntropyAttributes, LossAttributes, PenaltyAttributes, MetricAttributes, OptimizerAttributes,
                 LossScaleAttributes, ConstraintAttributes, spec::ReduceRoute>;

}  // namespace engine::plan
