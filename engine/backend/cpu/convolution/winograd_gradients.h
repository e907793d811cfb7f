// The two gradients of a convolution by Winograd's filtering.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/convolution/panel_convolution.h"
#include "engine/backend/cpu/convolution/winograd.h"

namespace engine::backend::cpu {

class WinogradGradients {
public:
    // Tiles are m by m.
    WinogradGradients(int m, const ConvolutionGeometry& geometry, std::int64_t most_samples, bool wants_input, bool wants_kernel,
                      const KernelTable& kernels);

    std::int64_t samples() const { return samples_; }  // of a block
    std::int64_t turnedFloats() const { return wants_input_ ? mappedTurned() + geometry_.kernelElements() : 0; }
    std::int64_t threadFloats() const;  // scratch of a thread
    std::int64_t sumFloats() const { return wants_kernel_ ? winograd_.mappedFloats(geometry_.channels, geometry_.filters) : 0; }

    // Part `index` of `parts` of the kernel as inputGradient takes it; parts do not meet.
    void turnKernel(const float* kernel, std::int64_t index, std::int64_t parts, float* turned) const;
    // dx of a block of samples. Images of dy begin with its first value.
    void inputGradient(const TiledImages& dy, std::int64_t samples, const float* turned, float* scratch, float* dx) const;

    // Adds a block of samples to the sum (sumFloats()) of a run of blocks. `add` is false for the first block, before which the sum may
    // hold anything.
    void sumKernelGradient(const float* x, const TiledImages& dy, std::int64_t samples, bool add, float* scratch, float* sum) const;
    // Makes dkernel of the sum of a run that has one block at least.
    void endKernelGradient(const float* sum, float* dkernel) const;

private:
    std::int64_t mappedTurned() const { return winograd_.mappedFloats(geometry_.filters, geometry_.channels); }

    ConvolutionGeometry geometry_, whole_;  // the second in whole tiles
    bool wants_input_, wants_kernel_;
    const KernelTable& kernels_;
    Winograd winograd_;
    TileGrid input_block_, kernel_block_;
    std::int64_t samples_;
};

}  // namespace engine::backend::cpu
