// The arithmetic of every op as plain loops with sums in double. Shapes are those of the step: the batch axis counts the samples present.
// Sequences are (N, H, W, C) for images, rows x columns for matrices. Outputs are overwritten.
#pragma once

#include <cstdint>
#include <span>

#include "engine/backend/image/image_map.h"
#include "engine/backend/image/resample_taps.h"
#include "engine/plan/plan.h"

namespace engine::backend::reference {

using Shape = spec::Shape;

struct ConvTensors {
    Shape x;       // (N, H, W, C)
    Shape kernel;  // (kh, kw, C / groups, F)
    Shape y;       // (N, OH, OW, F)
};
void conv2D(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> x, std::span<const float> kernel,
            std::span<float> y);
void conv2DBackInput(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> dy, std::span<const float> kernel,
                     std::span<float> dx);
void conv2DBackKernel(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> x, std::span<const float> dy,
                      std::span<float> dkernel);

struct MatrixSizes {
    std::int64_t rows = 0, inner = 0, columns = 0;  // (rows, inner) x (inner, columns) -> (rows, columns)
};
void matMul(const MatrixSizes& sizes, std::span<const float> x, std::span<const float> w, std::span<float> y);
void matMulBackInput(const MatrixSizes& sizes, std::span<const float> dy, std::span<const float> w, std::span<float> dx);
void matMulBackWeight(const MatrixSizes& sizes, std::span<const float> x, std::span<const float> dy, std::span<float> dw);

// Along the last axis, which has bias.size() elements.
void biasAdd(std::span<const float> x, std::span<const float> bias, std::span<float> y);
void biasAddBack(std::span<const float> dy, std::span<float> dbias);

// `columns`: of the last axis, for softmax and its kin. `saved`: x or y, see plan::derivesFromInput().
void activate(plan::Activation activation, const plan::ActivationSettings& settings, std::int64_t columns, std::span<const float> x,
              std::span<float> y);
void activateBack(plan::Activation activation, const plan::ActivationSettings& settings, std::int64_t columns, std::span<const float> saved,
                  std::span<const float> dy, std::span<float> dx);
// One value, with the default settings; not of those along rows.
double activationValue(plan::Activation activation, double x);
double activationDerivative(plan::Activation activation, double saved);

// argmax: one cell number (row * kernel_w + column) for each element of y.
struct PoolTensors {
    Shape x;  // (N, H, W, C)
    Shape y;  // (N, OH, OW, C)
};
void maxPool2D(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> x, std::span<float> y,
               std::span<std::int32_t> argmax);
void maxPool2DBack(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> dy, std::span<const std::int32_t> argmax,
                   std::span<float> dx);
// Of a window that is the whole image: its equal maxima share dy.
void globalMaxBack(const PoolTensors& shapes, std::span<const float> dy, std::span<const float> x, std::span<const float> y,
                   std::span<float> dx);
// Cells outside the image count neither in the sum nor in what it is divided by.
void averagePool2D(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> x, std::span<float> y);
void averagePool2DBack(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> dy, std::span<float> dx);

// Batch first; x_shape as the tensor has it.
void transposeAxes(const plan::Permutation& permutation, const Shape& x_shape, std::span<const float> x, std::span<float> y);
struct ImageTensors {
    Shape x;  // (N, H, W, C)
    Shape y;  // (N, OH, OW, C)
};
void pad2D(const plan::Pads2D& pads, const ImageTensors& shapes, std::span<const float> x, std::span<float> y);
void upsample2D(const plan::Resize2D& resize, const ImageTensors& shapes, std::span<const float> x, std::span<float> y);
void upsample2DBack(const plan::Resize2D& resize, const ImageTensors& shapes, std::span<const float> dy, std::span<float> dx);
void patches(const plan::Window2D& window, const ImageTensors& shapes, std::span<const float> x, std::span<float> y);
void patchesBack(const plan::Window2D& window, const ImageTensors& shapes, std::span<const float> dy, std::span<float> dx);
// `begins`: of each image.
void resample2D(const plan::Resample2D& part, std::span<const PartBegin> begins, const ImageTensors& shapes, std::span<const float> x,
                std::span<float> y);
void resample2DBack(const plan::Resample2D& part, std::span<const PartBegin> begins, const ImageTensors& shapes, std::span<const float> dy,
                    std::span<float> dx);
// One sample; image = (H, W, C).
void readImage(const plan::RandomImage& random, const ImageMap& map, const Shape& image, std::span<const float> x, std::span<float> y);
void readImageBack(const plan::RandomImage& random, const ImageMap& map, const Shape& image, std::span<const float> dy,
                   std::span<float> dx);

// y = x * scale where the mask is not 0, else 0. A size 1 in the mask's shape goes with every index of x there.
void applyMask(const Shape& x_shape, const Shape& mask_shape, std::span<const std::uint8_t> mask, float scale, std::span<const float> x,
               std::span<float> y);

enum class Scores { kLogits, kProbabilities };
struct LossSums {
    double loss = 0, correct = 0;
};
// Sparse categorical cross-entropy of each row, and what it says about the scores: dscores = d(sum of losses) * scale; empty when not
// wanted.
//   logits:        loss = -log softmax(z)[t]
//   probabilities: c = clip(p, eps, 1 - eps), loss = -log(c[t] / sum c), eps = 1e-7; no gradient where the clip holds
LossSums crossEntropy(Scores kind, std::int64_t classes, std::span<const float> scores, std::span<const std::int32_t> labels, double scale,
                      std::span<float> dscores);

}  // namespace engine::backend::reference
