// What the ways to a convolution's gradients share: the tensors of their ops, and dy as it is before activation and pooling.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/convolution/panel_convolution.h"
#include "engine/backend/cpu/convolution/winograd.h"

namespace engine::backend::cpu {

// The tensors of Conv2DBackInput, Conv2DBackKernel and FusedConvBlockBack; kNoTensor where an op has none.
struct BackOperands {
    plan::TensorId x = plan::kNoTensor, kernel = plan::kNoTensor, y = plan::kNoTensor, argmax = plan::kNoTensor, dy = plan::kNoTensor;
    plan::TensorId dkernel = plan::kNoTensor, dbias = plan::kNoTensor, dx = plan::kNoTensor;

    explicit BackOperands(const plan::Op& op);
};

// The floats of whole lines of the cache that hold so many: what threads write side by side begins in lines of its own.
inline std::int64_t wholeLines(std::int64_t floats) {
    return divideUp(floats, 16) * 16;
}

// Of the convolution whose gradients `op` forms.
ConvolutionGeometry geometryOfBack(const Memory& memory, const plan::Op& op);

// Lays out the gradient of a convolution's results, one sample at a time.
class ResultGradient {
public:
    // `image`: how it is laid out. All must outlive this.
    ResultGradient(const Memory& memory, const plan::Op& op, const BackOperands& of, const ConvolutionGeometry& geometry,
                   const GradientImage& image, const KernelTable& kernels);

    bool hasRelu() const { return relu_; }
    // True where what form() lays out is dy itself and nobody wants its sums.
    bool isPlain() const { return !relu_ && !plan::hasPool(op_) && of_.dbias == plan::kNoTensor; }
    // The images of neighbouring samples from `sample` on, for Winograd's gradients: in `scratch`, where form() has laid them out side by
    // side in whole lines, unless dy is plain.
    TiledImages images(std::int64_t sample, const float* scratch) const;
    // dy of `sample` before activation and pooling, into an image whose padding is zeros already. `sums`: (filters), to which its sums over
    // the pixels are added; may be null.
    void form(std::int64_t sample, float* image, float* sums) const;

private:
    const float* values(std::int64_t sample) const;

    const Memory& memory_;
    const plan::Op& op_;
    const BackOperands& of_;
    const ConvolutionGeometry& geometry_;
    const GradientImage& image_;
    const KernelTable& kernels_;
    bool relu_;
};

}  // namespace engine::backend::cpu
