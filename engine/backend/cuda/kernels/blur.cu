// RandomBlur: the numbers and weights of engine/backend/image/blur.h. Compile it without fused products and sums (-fmad=false): a value on
// an end of the range is then on the CPU's side of it.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/image_grid.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/blur.h"

namespace engine::backend::cuda {
namespace {

struct BlurredImages {
    const StepParameters* step;
    plan::RandomBlur blur;
    ImageGrid grid;
    Division items_of_sample;
    std::int64_t items;

    __device__ DropoutKey keyOf(std::int64_t item) const {
        DropoutKey key;
        key.seed = step->seed;
        key.epoch = step->epoch;
        key.iteration = step->iteration;
        key.layer = blur.seed;
        return keyOfItem(key, items_of_sample.divisor(), item);
    }
    __host__ __device__ std::int64_t cells() const { return std::int64_t{blur.kernel_h} * blur.kernel_w; }
};

// What the kernels tell each other in the op's scratch memory.
struct BlurScratch {
    BlurNumbers* numbers;  // (items)
    float* weights;        // (items of a sample, cells): those of each time
    float* held;           // on the way back, the gradients of the values before they were held within the range
};

// A thread an image; what a step lacks is not blurred.
__global__ void drawBlursKernel(BlurredImages images, BlurNumbers* numbers) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= images.items) return;
    const std::int64_t sample = images.items_of_sample(item).quotient;
    BlurNumbers drawn;
    if (sample < images.step->samples) {
        const std::uint32_t* indices = images.step->indices;
        const auto index = indices == nullptr ? static_cast<std::uint32_t>(sample) : indices[sample];
        drawn = drawBlurNumbers(images.keyOf(item), images.blur, index);
    }
    numbers[item] = drawn;
}

// A thread a cell of the window at one time.
__global__ void weighCellsKernel(BlurredImages images, float* weights) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= images.items_of_sample.divisor() * images.cells()) return;
    const BlurWeights of_time(images.blur, drawBlurDeviations(images.keyOf(at / images.cells()), images.blur));
    weights[at] = of_time(static_cast<int>(at % images.cells()));
}

// The value of the blurred image, of which `value` gives the places.
template <typename Value>
__device__ float mixedAt(const BlurredImages& images, const BlurScratch& scratch, std::int64_t at, const Value& value) {
    const ImagePlace place = images.grid.place(at);
    const BlurNumbers numbers = scratch.numbers[place.image];
    if (!numbers.changes) return value(at);
    const float* weights = scratch.weights + images.items_of_sample(place.image).rest * images.cells();
    const auto height = static_cast<int>(images.grid.height.divisor()), width = static_cast<int>(images.grid.width.divisor());
    float sum = 0;
    for (int r = 0; r < images.blur.kernel_h; ++r) {
        const int row = place.row + r - images.blur.kernel_h / 2;
        if (row < 0 || row >= height) continue;
        for (int c = 0; c < images.blur.kernel_w; ++c) {
            const int column = place.column + c - images.blur.kernel_w / 2;
            if (column < 0 || column >= width) continue;
            sum += weights[r * images.blur.kernel_w + c] * value(images.grid.at(place.image, row, column, place.channel));
        }
    }
    return blurMixed(images.blur, numbers.amount, value(at), sum);
}

template <typename T>
struct Blur {
    BlurredImages images;
    BlurScratch scratch;
    const T* x;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        y[at] = fromFloat<T>(blurHeld(images.blur, mixedAt(images, scratch, at, [this](std::int64_t i) { return toFloat(x[i]); })));
    }
};

template <typename T>
struct HoldBlurGradients {
    BlurredImages images;
    BlurScratch scratch;
    const T* dy;
    const T* x;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const float mixed = mixedAt(images, scratch, at, [this](std::int64_t i) { return toFloat(x[i]); });
        scratch.held[at] = toFloat(dy[at]) * blurHeldSlope(images.blur, mixed);
    }
};

template <typename T>
struct BlurGradients {
    BlurredImages images;
    BlurScratch scratch;
    T* dx;

    template <int width>
    __device__ void run(std::int64_t at) const {
        dx[at] = fromFloat<T>(mixedAt(images, scratch, at, [this](std::int64_t i) { return scratch.held[i]; }));
    }
};

template <typename T>
BoundOp bindBlurredValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kRandomBlur;
    const char* what = is_forward ? "RandomBlur" : "RandomBlurBack";
    const spec::Shape& shape = context.shape(op.inputs[0]);
    const std::int64_t batch = context.plan().batch, items = plan::imageShape(shape)[0], count = context.elements(op.inputs[0]);
    const BlurredImages images{context.step(), std::get<plan::RandomBlur>(op.attributes), ImageGrid(shape),
                               Division(batch == 0 ? 1 : std::max<std::int64_t>(items / batch, 1)), items};
    const std::int64_t weights = images.items_of_sample.divisor() * images.cells(), held = is_forward ? 0 : count;
    const T* dy = is_forward ? nullptr : context.as<T>(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[is_forward ? 0 : 1]);
    T* result = context.as<T>(op.outputs[0]);
    static_assert(alignof(BlurNumbers) == alignof(float));
    return {.kernel = "value by value, windows",
            .scratch_bytes =
                items * static_cast<std::int64_t>(sizeof(BlurNumbers)) + (weights + held) * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                BlurScratch scratch{};
                scratch.numbers = reinterpret_cast<BlurNumbers*>(memory);
                scratch.weights = reinterpret_cast<float*>(scratch.numbers + items);
                scratch.held = scratch.weights + weights;
                launch(what, gridOf(items, 64), stream, drawBlursKernel, images, scratch.numbers);
                launch(what, gridOf(weights, 64), stream, weighCellsKernel, images, scratch.weights);
                if (is_forward) {
                    launchPointwise<1>(what, Blur<T>{images, scratch, x, result}, count, false, stream);
                } else {
                    launchPointwise<1>(what, HoldBlurGradients<T>{images, scratch, dy, x}, count, false, stream);
                    launchPointwise<1>(what, BlurGradients<T>{images, scratch, result}, count, false, stream);
                }
            }};
}

}  // namespace

BoundOp bindBlur(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindBlurredValues<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
