// RandomErasing: the boxes of engine/backend/image/erasing.h. Compile it without fused products and sums (-fmad=false): a cell on the
// border of a box is then on the CPU's side of it.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/image_grid.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/erasing.h"

namespace engine::backend::cuda {
namespace {

struct ErasedImages {
    const StepParameters* step;
    plan::RandomErasing erasing;
    ImageGrid grid;
    Division items_of_sample;
    float colors[3];  // by the channel

    __device__ DropoutKey keyOf(std::int64_t item) const {
        DropoutKey key;
        key.seed = step->seed;
        key.epoch = step->epoch;
        key.iteration = step->iteration;
        key.layer = erasing.seed;
        return keyOfItem(key, items_of_sample.divisor(), item);
    }
    __device__ std::uint32_t sampleOf(std::int64_t item) const {
        const std::int64_t sample = items_of_sample(item).quotient;
        return step->indices == nullptr ? static_cast<std::uint32_t>(sample) : step->indices[sample];
    }
};

// A thread an image; nothing is erased of what a step lacks.
__global__ void drawBoxesKernel(ErasedImages images, std::int64_t items, ErasedBox* boxes) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= items) return;
    ErasedBox box;
    if (images.items_of_sample(item).quotient < images.step->samples) {
        box = drawErasedBox(images.keyOf(item), images.erasing, images.sampleOf(item), images.grid.height.divisor(),
                            images.grid.width.divisor());
    }
    boxes[item] = box;
}

template <typename T>
struct Erase {
    ErasedImages images;
    const ErasedBox* boxes;
    bool is_forward;
    const T* in;
    T* out;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = images.grid.place(at);
        if (!boxes[place.image].contains(place.row, place.column)) {
            out[at] = in[at];
        } else if (is_forward) {
            const std::int64_t i = at - images.grid.at(place.image, 0, 0, 0);
            out[at] = fromFloat<T>(
                erasedValue(images.erasing, images.keyOf(place.image), images.sampleOf(place.image), i, images.colors[place.channel % 3]));
        } else {
            out[at] = fromFloat<T>(0);
        }
    }
};

template <typename T>
BoundOp bindErasedValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kRandomErasing;
    const char* what = is_forward ? "RandomErasing" : "RandomErasingBack";
    const spec::Shape& shape = context.shape(op.inputs[0]);
    const std::int64_t batch = context.plan().batch, items = plan::imageShape(shape)[0];
    const auto& erasing = std::get<plan::RandomErasing>(op.attributes);
    const auto colorOf = [&](std::size_t channel) { return static_cast<float>(erasing.fill[channel]); };
    const ErasedImages images{context.step(),
                              erasing,
                              ImageGrid(shape),
                              Division(batch == 0 ? 1 : std::max<std::int64_t>(items / batch, 1)),
                              {colorOf(0), colorOf(1), colorOf(2)}};
    const T* in = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    const std::int64_t count = context.elements(op.inputs[0]);
    return {.kernel = "value by value",
            .scratch_bytes = items * static_cast<std::int64_t>(sizeof(ErasedBox)),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                auto* boxes = reinterpret_cast<ErasedBox*>(scratch);
                launch(what, gridOf(items, 64), stream, drawBoxesKernel, images, items, boxes);
                launchPointwise<1>(what, Erase<T>{images, boxes, is_forward, in, out}, count, false, stream);
            }};
}

}  // namespace

BoundOp bindErasing(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindErasedValues<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
