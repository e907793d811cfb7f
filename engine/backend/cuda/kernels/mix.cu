// RandomMix: the formula of engine/backend/image/random_mix.h. Compile it without fused products and sums (-fmad=false): a mixed value at
// an end of the range is then held as on the CPU.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/random_mix.h"

namespace engine::backend::cuda {
namespace {

struct MixedImages {
    const StepParameters* step;
    plan::RandomMix mix;
    std::int64_t items;
    int inputs;
    Division items_of_sample, values;  // of an image
};

// A thread an image; of what a step lacks the image stays as it is.
__global__ void drawMixKernel(MixedImages images, float* weights) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= images.items) return;
    float* of_item = weights + item * images.inputs;
    if (images.items_of_sample(item).quotient < images.step->samples) {
        DropoutKey key;
        key.seed = images.step->seed;
        key.epoch = images.step->epoch;
        key.iteration = images.step->iteration;
        key.layer = images.mix.seed;
        fillMixWeights(keyOfItem(key, images.items_of_sample.divisor(), item), images.mix, images.inputs, of_item);
        return;
    }
    for (int i = 0; i < images.inputs; ++i) of_item[i] = i == 0 ? 1.0F : 0.0F;
}

// Each value on its own; back where dy is not null.
template <typename T>
struct MixValues {
    MixedImages images;
    const float* weights;
    const T* dy;
    const T* in[kMostMixed];
    T* out[kMostMixed];

    template <int width>
    __device__ void run(std::int64_t at) const {
        const float* of_item = weights + images.values(at).quotient * images.inputs;
        float sum = of_item[0] * toFloat(in[0][at]);
        for (int i = 1; i < images.inputs; ++i) sum += of_item[i] * toFloat(in[i][at]);
        if (dy == nullptr) {
            out[0][at] = fromFloat<T>(mixHeld(images.mix, sum));
            return;
        }
        const float held = toFloat(dy[at]) * mixHeldSlope(images.mix, sum);
        for (int i = 0; i < images.inputs; ++i) out[i][at] = fromFloat<T>(of_item[i] * held);
    }
};

template <typename T>
BoundOp bindMixedValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kRandomMix;
    const char* what = is_forward ? "RandomMix" : "RandomMixBack";
    const std::size_t first = is_forward ? 0 : 2;
    const std::int64_t batch = context.plan().batch, count = context.elements(op.inputs[0]);
    MixedImages images{};
    images.step = context.step();
    images.mix = std::get<plan::RandomMix>(op.attributes);
    images.items = context.shape(op.inputs[0]).front();
    images.inputs = static_cast<int>(op.inputs.size() - first);
    images.items_of_sample = Division(batch == 0 ? 1 : std::max<std::int64_t>(images.items / batch, 1));
    images.values = Division(images.items == 0 ? 1 : std::max<std::int64_t>(count / images.items, 1));
    auto* weights = context.floats(is_forward ? op.outputs[1] : op.inputs[1]);
    MixValues<T> values{};
    values.images = images;
    values.weights = weights;
    values.dy = is_forward ? nullptr : context.as<T>(op.inputs[0]);
    for (std::size_t i = first; i < op.inputs.size(); ++i) values.in[i - first] = context.as<T>(op.inputs[i]);
    for (std::size_t i = 0; i < (is_forward ? 1 : op.outputs.size()); ++i) values.out[i] = context.as<T>(op.outputs[i]);
    return {.kernel = "value by value", .enqueue = [=](cudaStream_t stream, std::byte*) {
                if (is_forward) launch(what, gridOf(images.items, 64), stream, drawMixKernel, images, weights);
                launchPointwise<1>(what, values, count, false, stream);
            }};
}

}  // namespace

BoundOp bindMix(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindMixedValues<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
