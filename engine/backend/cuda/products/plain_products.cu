// Products and convolutions as loops: what is left where no library takes them, and the oracle's way on machines without a GPU.
#include <algorithm>
#include <string>

#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/cuda/libraries.h"

namespace engine::backend::cuda {
namespace {

template <typename T>
struct Operand {
    const T* values;
    std::int64_t row, column;  // steps
    __device__ float at(std::int64_t i, std::int64_t j) const { return toFloat(values[i * row + j * column]); }
};

template <typename T, typename Result>
__global__ void productKernel(Operand<T> a, Operand<T> b, const T* bias, bool relu, Result* c, std::int64_t m, std::int64_t n,
                              std::int64_t k) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= m * n) return;
    const std::int64_t i = at / n, j = at % n;
    double sum = 0;
    for (std::int64_t p = 0; p < k; ++p) sum += static_cast<double>(a.at(i, p)) * b.at(p, j);
    float value = static_cast<float>(sum);
    if (bias != nullptr) value += toFloat(bias[j]);
    if (relu && value < 0) value = 0;
    c[at] = fromFloat<Result>(value);
}

struct Sizes {
    int h, w, c, kh, kw, oh, ow, f;  // f: of all groups; c: likewise
    int stride_h, stride_w, dilation_h, dilation_w, top, left, groups;
    std::int64_t n;

    explicit Sizes(const Convolution& work) {
        const auto size = [](std::int64_t value) { return static_cast<int>(value); };
        const plan::Window2D& window = work.window;
        n = work.x[0];
        h = size(work.x[1]), w = size(work.x[2]), c = size(work.x[3]);
        kh = window.kernel_h, kw = window.kernel_w;
        oh = size(work.y[1]), ow = size(work.y[2]), f = size(work.y[3]);
        stride_h = window.stride_h, stride_w = window.stride_w;
        dilation_h = window.dilation_h, dilation_w = window.dilation_w;
        top = window.pad_top, left = window.pad_left, groups = window.groups;
    }
    // The image's row for a row of the output and a row of the kernel; negative outside of the image.
    __device__ int rowOf(int o, int k) const {
        const int row = o * stride_h + k * dilation_h - top;
        return row < h ? row : -1;
    }
    __device__ int columnOf(int o, int k) const {
        const int column = o * stride_w + k * dilation_w - left;
        return column < w ? column : -1;
    }
};

template <typename T, typename Result>
__global__ void forwardKernel(Sizes s, const T* x, const T* kernel, Result* y) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= s.n * s.oh * s.ow * s.f) return;
    const int f = static_cast<int>(at % s.f), ow = static_cast<int>(at / s.f % s.ow), oh = static_cast<int>(at / s.f / s.ow % s.oh);
    const std::int64_t n = at / s.f / s.ow / s.oh;
    const int channels = s.c / s.groups, first = f / (s.f / s.groups) * channels;
    double sum = 0;
    for (int kh = 0; kh < s.kh; ++kh) {
        const int row = s.rowOf(oh, kh);
        if (row < 0) continue;
        for (int kw = 0; kw < s.kw; ++kw) {
            const int column = s.columnOf(ow, kw);
            if (column < 0) continue;
            const T* pixel = x + ((n * s.h + row) * s.w + column) * s.c + first;
            const T* weights = kernel + static_cast<std::int64_t>(kh * s.kw + kw) * channels * s.f + f;
            for (int c = 0; c < channels; ++c) {
                sum += static_cast<double>(toFloat(pixel[c])) * toFloat(weights[static_cast<std::int64_t>(c) * s.f]);
            }
        }
    }
    y[at] = fromFloat<Result>(static_cast<float>(sum));
}

template <typename T, typename Result>
__global__ void backInputKernel(Sizes s, const T* dy, const T* kernel, Result* dx) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= s.n * s.h * s.w * s.c) return;
    const int c = static_cast<int>(at % s.c), w = static_cast<int>(at / s.c % s.w), h = static_cast<int>(at / s.c / s.w % s.h);
    const std::int64_t n = at / s.c / s.w / s.h;
    const int channels = s.c / s.groups, filters = s.f / s.groups, group = c / channels;
    double sum = 0;
    for (int kh = 0; kh < s.kh; ++kh) {
        const int row = h + s.top - kh * s.dilation_h;
        if (row < 0 || row % s.stride_h != 0 || row / s.stride_h >= s.oh) continue;
        for (int kw = 0; kw < s.kw; ++kw) {
            const int column = w + s.left - kw * s.dilation_w;
            if (column < 0 || column % s.stride_w != 0 || column / s.stride_w >= s.ow) continue;
            const T* pixel = dy + ((n * s.oh + row / s.stride_h) * s.ow + column / s.stride_w) * s.f + group * filters;
            const T* weights = kernel + (static_cast<std::int64_t>(kh * s.kw + kw) * channels + c % channels) * s.f + group * filters;
            for (int f = 0; f < filters; ++f) sum += static_cast<double>(toFloat(pixel[f])) * toFloat(weights[f]);
        }
    }
    dx[at] = fromFloat<Result>(static_cast<float>(sum));
}

// A block for each weight: the outputs are dealt to its threads.
constexpr int kSumThreads = 64;
template <typename T, typename Result>
__global__ void backKernelKernel(Sizes s, const T* x, const T* dy, Result* dkernel) {
    const std::int64_t at = blockIdx.x;
    const int channels = s.c / s.groups, f = static_cast<int>(at % s.f), c = static_cast<int>(at / s.f % channels);
    const int kw = static_cast<int>(at / s.f / channels % s.kw), kh = static_cast<int>(at / s.f / channels / s.kw);
    const int channel = f / (s.f / s.groups) * channels + c;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < s.n * s.oh * s.ow; i += kSumThreads) {
        const int row = s.rowOf(static_cast<int>(i / s.ow % s.oh), kh), column = s.columnOf(static_cast<int>(i % s.ow), kw);
        if (row < 0 || column < 0) continue;
        const std::int64_t n = i / s.ow / s.oh;
        sum += static_cast<double>(toFloat(x[((n * s.h + row) * s.w + column) * s.c + channel])) * toFloat(dy[i * s.f + f]);
    }
    sum = blockSum<kSumThreads>(sum);
    if (threadIdx.x == 0) dkernel[at] = fromFloat<Result>(static_cast<float>(sum));
}

template <typename Function>
void withTypes(tensor::DType type, tensor::DType result, Function&& function) {
    plan::TensorDesc of;
    of.name = "product";
    of.dtype = type;
    withValues(of, [&]<typename T>() {
        if (result == tensor::DType::kFloat32) return function.template operator()<T, float>();
        function.template operator()<T, T>();
    });
}

std::int64_t countOf(const spec::Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t size : shape) count *= size;
    return count;
}

BoundWork plainProduct(const Product& work) {
    BoundWork bound{.kernel = "plain loops"};
    withTypes(work.type, work.result, [&]<typename T, typename Result>() {
        const auto operand = [](const void* values, std::int64_t rows, std::int64_t columns, bool transposed) {
            return Operand<T>{static_cast<const T*>(values), transposed ? 1 : columns, transposed ? rows : 1};
        };
        bound.enqueue = [=](cudaStream_t stream, const Operands& of, std::byte*) {
            launch("product", gridOf(work.m * work.n), stream, productKernel<T, Result>, operand(of.a, work.m, work.k, work.a_transposed),
                   operand(of.b, work.k, work.n, work.b_transposed), static_cast<const T*>(work.has_bias ? of.bias : nullptr), work.relu,
                   static_cast<Result*>(of.c), work.m, work.n, work.k);
        };
    });
    return bound;
}

BoundWork plainConvolution(const Convolution& work) {
    BoundWork bound{.kernel = "plain loops"};
    withTypes(work.type, work.result, [&]<typename T, typename Result>() {
        const Sizes sizes(work);
        const auto launchEach = [=](const char* what, std::int64_t count, auto kernel) {
            return [=](cudaStream_t stream, const Operands& of, std::byte*) {
                launch(what, gridOf(count), stream, kernel, sizes, static_cast<const T*>(of.a), static_cast<const T*>(of.b),
                       static_cast<Result*>(of.c));
            };
        };
        switch (work.way) {
            case ConvolutionWay::kForward:
                bound.enqueue = launchEach("convolution", countOf(work.y), forwardKernel<T, Result>);
                return;
            case ConvolutionWay::kBackInput:
                bound.enqueue = launchEach("convolution's dx", countOf(work.x), backInputKernel<T, Result>);
                return;
            case ConvolutionWay::kBackKernel: {
                const Grid grid{.blocks = dim3(static_cast<unsigned>(countOf(work.kernel))), .threads = dim3(kSumThreads)};
                bound.enqueue = [=](cudaStream_t stream, const Operands& of, std::byte*) {
                    launch("convolution's dkernel", grid, stream, backKernelKernel<T, Result>, sizes, static_cast<const T*>(of.a),
                           static_cast<const T*>(of.b), static_cast<Result*>(of.c));
                };
                return;
            }
        }
    });
    return bound;
}

std::string typesOf(tensor::DType type, tensor::DType result) {
    std::string text(tensor::toString(type));
    if (result != type) text += " to " + std::string(tensor::toString(result));
    return text;
}

std::string times(const spec::Shape& shape) {
    std::string text;
    for (std::int64_t size : shape) text += (text.empty() ? "" : "x") + std::to_string(size);
    return text;
}

}  // namespace

std::string toString(const Product& work) {
    return "product " + std::to_string(work.m) + "x" + std::to_string(work.n) + "x" + std::to_string(work.k) + " " +
           (work.a_transposed ? "t" : "n") + (work.b_transposed ? "t" : "n") + (work.has_bias ? " bias" : "") + (work.relu ? " relu" : "") +
           " " + typesOf(work.type, work.result);
}

std::string toString(const Convolution& work) {
    const plan::Window2D& w = work.window;
    const char* way = work.way == ConvolutionWay::kForward     ? "convolution "
                      : work.way == ConvolutionWay::kBackInput ? "convolution's dx "
                                                               : "convolution's dkernel ";
    return way + times(work.x) + " by " + times(work.kernel) + " stride " + times({w.stride_h, w.stride_w}) + " dilation " +
           times({w.dilation_h, w.dilation_w}) + " pads " + times({w.pad_top, w.pad_bottom, w.pad_left, w.pad_right}) + " groups " +
           std::to_string(w.groups) + " " + typesOf(work.type, work.result);
}

BoundWork bindProduct(Libraries* libraries, const Product& work) {
    if (libraries != nullptr) {
        if (std::optional<BoundWork> bound = libraries->product(work)) return *std::move(bound);
    }
    return plainProduct(work);
}

BoundWork bindConvolutionWork(Libraries* libraries, const Convolution& work) {
    if (libraries != nullptr) {
        if (std::optional<BoundWork> bound = libraries->convolution(work)) return *std::move(bound);
    }
    return plainConvolution(work);
}

}  // namespace engine::backend::cuda
