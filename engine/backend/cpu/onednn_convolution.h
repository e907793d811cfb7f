// oneDNN's convolutions for the general shapes at which they are faster than the kernels of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "engine/backend/cpu/convolution_geometry.h"
#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {

enum class ConvolutionPass { kForward, kInput, kKernel };

struct OneDnnOptions {
    bool bias = false, relu = false;  // forward alone
};

// Neighbouring samples, `..._stride` values apart. What a pass does not read stays null.
struct OneDnnArgs {
    std::int64_t samples = 0;
    const float* x = nullptr;  // (H, W, C)
    std::ptrdiff_t x_stride = 0;
    const float* dy = nullptr;  // (OH, OW, F)
    std::ptrdiff_t dy_stride = 0;
    const float* kernel = nullptr;  // packed
    const float* bias = nullptr;    // (F)
    float* result = nullptr;        // y, dx, or the packed sum of the samples' kernel gradients
    std::ptrdiff_t result_stride = 0;
    float* scratch = nullptr;  // scratchElements() of the calling thread's
};

// One pass of one convolution, a sample at a time: results are those of any batch and any number of threads. Several threads may call
// it at once, each with a scratch of its own; it runs on the caller's thread alone.
class OneDnnConvolution {
public:
    virtual ~OneDnnConvolution() = default;

    virtual std::string name() const = 0;  // "onednn jit:avx512_core"
    // Multiples of a cache line.
    virtual std::int64_t packedElements() const = 0;
    virtual std::int64_t scratchElements() const = 0;
    // Between the plan's order (kh, kw, C / groups, F) and the primitive's.
    virtual void pack(const float* kernel, float* packed) const = 0;
    virtual void unpack(const float* packed, float* kernel) const = 0;
    virtual void run(const OneDnnArgs& args) const = 0;
};

// Null where the own kernels are the better choice (a fixed function of pass, shape and kernels) or oneDNN has no vectorised code.
std::unique_ptr<OneDnnConvolution> makeOneDnnConvolution(ConvolutionPass pass, const ConvolutionGeometry& geometry,
                                                         const KernelTable& kernels, const OneDnnOptions& options);

}  // namespace engine::backend::cpu
