// Max and average pooling with any window, stride and padding, or with windows that adapt to the result, vectors along the channels. The
// ways back gather: each cell of the image looks at the windows that it lies in, so that windows may overlap and sums have one order. A
// window that is the whole image hands its gradient out.
#include <string>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/image_grid.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/plan/op_table.h"

namespace engine::backend::cuda {
namespace {

struct PoolAxis {
    int kernel, stride, pad, size, out;  // size: of the image, out: of the result
    bool is_adaptive;

    struct Cells {
        int begin, end;
    };
    // The first cell of a window, which padding puts before the image.
    __device__ int beginOf(int window) const {
        return is_adaptive ? static_cast<int>(std::int64_t{window} * size / out) : window * stride - pad;
    }
    // The image's cells that window `window` has.
    __device__ Cells cellsOf(int window) const {
        const int begin = beginOf(window);
        if (is_adaptive) return {begin, roundedUp(window + 1, size, out)};
        const int end = begin + kernel;
        return {begin < 0 ? 0 : begin, end < size ? end : size};
    }
    // The windows that a cell lies in.
    __device__ Cells windowsOf(int cell) const {
        if (is_adaptive) return {static_cast<int>(std::int64_t{cell} * out / size), roundedUp(cell + 1, out, size)};
        const int last = (cell + pad) / stride, before = cell + pad - kernel;  // windows that begin at `before` or earlier end too soon
        const int first = before < 0 ? 0 : before / stride + 1;
        return {first, last < out ? last + 1 : out};
    }

private:
    // index * of / parts, not less.
    __device__ static int roundedUp(int index, int of, int parts) {
        return static_cast<int>((std::int64_t{index} * of + parts - 1) / parts);
    }
};

struct PoolSizes {
    ImageGrid x, y;
    PoolAxis rows, columns;

    PoolSizes(const plan::Window2D& w, const spec::Shape& x_shape, const spec::Shape& y_shape) : x(x_shape), y(y_shape) {
        const spec::Shape in = plan::imageShape(x_shape), out = plan::imageShape(y_shape);
        rows = {w.kernel_h, w.stride_h, w.pad_top, static_cast<int>(in[1]), static_cast<int>(out[1]), w.is_adaptive};
        columns = {w.kernel_w, w.stride_w, w.pad_left, static_cast<int>(in[2]), static_cast<int>(out[2]), w.is_adaptive};
    }
};

template <int width>
__device__ void storeCells(std::uint8_t* to, const int (&cells)[width]) {
    Pack<std::uint8_t, width> pack;
    for (int i = 0; i < width; ++i) pack.values[i] = static_cast<std::uint8_t>(cells[i]);
    *reinterpret_cast<Pack<std::uint8_t, width>*>(to) = pack;
}
template <int width>
__device__ void storeCells(std::int32_t* to, const int (&cells)[width]) {
    for (int i = 0; i < width; ++i) to[i] = cells[i];
}
template <int width>
__device__ void loadCells(const std::uint8_t* from, int (&cells)[width]) {
    const auto pack = *reinterpret_cast<const Pack<std::uint8_t, width>*>(from);
    for (int i = 0; i < width; ++i) cells[i] = pack.values[i];
}
template <int width>
__device__ void loadCells(const std::int32_t* from, int (&cells)[width]) {
    for (int i = 0; i < width; ++i) cells[i] = from[i];
}

// take(row, column, at, values) for each cell of a grid in these rows and columns, at the place's image and channels.
template <int width, typename T, typename Take>
__device__ void forCells(const ImageGrid& grid, const T* from, const ImagePlace& place, PoolAxis::Cells rows, PoolAxis::Cells columns,
                         const Take& take) {
    for (int row = rows.begin; row < rows.end; ++row) {
        for (int column = columns.begin; column < columns.end; ++column) {
            const std::int64_t at = grid.at(place.image, row, column, place.channel);
            float values[width];
            loadPack(from + at, values);
            take(row, column, at, values);
        }
    }
}

template <typename T, typename Cell>
struct MaxPool {
    PoolSizes sizes;
    const T* x;
    T* y;
    Cell* argmax;  // or null

    template <int width>
    __device__ void run(std::int64_t to) const {
        const ImagePlace place = sizes.y.place(to);
        const int top = sizes.rows.beginOf(place.row), left = sizes.columns.beginOf(place.column);
        float best[width] = {};
        int cells[width];
        for (int i = 0; i < width; ++i) cells[i] = -1;
        const auto compare = [&](int row, int column, std::int64_t, const float(&values)[width]) {
            const int cell = (row - top) * sizes.columns.kernel + column - left;
#pragma unroll
            for (int i = 0; i < width; ++i) {
                // The first of equal ones. What is no number wins and stays, so that a broken model shows.
                const bool is_nan = values[i] != values[i] && best[i] == best[i];
                if (cells[i] >= 0 && !(values[i] > best[i]) && !is_nan) continue;
                best[i] = values[i];
                cells[i] = cell;
            }
        };
        forCells<width>(sizes.x, x, place, sizes.rows.cellsOf(place.row), sizes.columns.cellsOf(place.column), compare);
        storePack(y + to, best);
        if (argmax != nullptr) storeCells(argmax + to, cells);
    }
};

template <typename T, typename Cell>
struct MaxPoolBack {
    PoolSizes sizes;
    const T* dy;
    const Cell* argmax;
    T* dx;

    template <int width>
    __device__ void run(std::int64_t to) const {
        const ImagePlace place = sizes.x.place(to);
        float sums[width] = {};
        const auto addWon = [&](int row, int column, std::int64_t at, const float(&gradients)[width]) {
            const int cell = (place.row - sizes.rows.beginOf(row)) * sizes.columns.kernel + place.column - sizes.columns.beginOf(column);
            int won[width];
            loadCells(argmax + at, won);
#pragma unroll
            for (int i = 0; i < width; ++i) sums[i] += won[i] == cell ? gradients[i] : 0;
        };
        forCells<width>(sizes.y, dy, place, sizes.rows.windowsOf(place.row), sizes.columns.windowsOf(place.column), addWon);
        storePack(dx + to, sums);
    }
};

// Of a window that is the whole image: its equal maxima share the gradient. A NaN equals nothing: 0 / 0 shows it on the way back, too.
template <typename T>
struct GlobalMaxBack {
    PoolSizes sizes;
    const T* dy;
    const T* x;
    const T* y;
    T* dx;

    template <int width>
    __device__ void run(std::int64_t from) const {
        const ImagePlace place = sizes.y.place(from);
        const PoolAxis::Cells rows = sizes.rows.cellsOf(0), columns = sizes.columns.cellsOf(0);
        float largest[width], shares[width], equal[width] = {};
        loadPack(y + from, largest);
        loadPack(dy + from, shares);
        const auto count = [&](int, int, std::int64_t, const float(&values)[width]) {
#pragma unroll
            for (int i = 0; i < width; ++i) equal[i] += values[i] == largest[i] ? 1.0F : 0.0F;
        };
        forCells<width>(sizes.x, x, place, rows, columns, count);
        for (int i = 0; i < width; ++i) shares[i] /= equal[i];
        const auto handOut = [&](int, int, std::int64_t at, const float(&values)[width]) {
            float parts[width];
#pragma unroll
            for (int i = 0; i < width; ++i) parts[i] = (values[i] == largest[i] ? 1.0F : 0.0F) * shares[i];
            storePack(dx + at, parts);
        };
        forCells<width>(sizes.x, x, place, rows, columns, handOut);
    }
};

// One cell's share of the cells that a window has within the image.
__device__ inline float shareOf(PoolAxis::Cells rows, PoolAxis::Cells columns) {
    return 1.0F / static_cast<float>((rows.end - rows.begin) * (columns.end - columns.begin));
}

// The mean of a window's cells; on the way back each cell's share of the windows that it lies in.
template <typename T, bool kIsBack>
struct AveragePool {
    PoolSizes sizes;
    const T* from;
    T* to;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float sums[width] = {};
        if constexpr (kIsBack) {
            const ImagePlace place = sizes.x.place(at);
            const auto add = [&](int row, int column, std::int64_t, const float(&values)[width]) {
                const float share = shareOf(sizes.rows.cellsOf(row), sizes.columns.cellsOf(column));
#pragma unroll
                for (int i = 0; i < width; ++i) sums[i] += values[i] * share;
            };
            forCells<width>(sizes.y, from, place, sizes.rows.windowsOf(place.row), sizes.columns.windowsOf(place.column), add);
        } else {
            const ImagePlace place = sizes.y.place(at);
            const PoolAxis::Cells rows = sizes.rows.cellsOf(place.row), columns = sizes.columns.cellsOf(place.column);
            const auto add = [&](int, int, std::int64_t, const float(&values)[width]) {
#pragma unroll
                for (int i = 0; i < width; ++i) sums[i] += values[i];
            };
            forCells<width>(sizes.x, from, place, rows, columns, add);
            const float share = shareOf(rows, columns);
            for (int i = 0; i < width; ++i) sums[i] *= share;
        }
        storePack(to + at, sums);
    }
};

template <typename T, typename Work>
BoundOp pointwiseOp(const char* kernel, const plan::Op& op, const Work& work, std::int64_t count, bool is_wide) {
    return {.kernel = kernel,
            .enqueue = [work, count, is_wide, name = std::string(plan::toString(op.kind))](cudaStream_t stream, std::byte*) {
                launchPointwise<kVectorOf<T>>(name.c_str(), work, count, is_wide, stream);
            }};
}

template <typename T, typename Cell>
BoundOp bindMax(const Context& context, const plan::Op& op) {
    const T* in = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    const bool is_wide = context.shape(op.inputs[0]).back() % kVectorOf<T> == 0 && areAligned(in, out);
    const std::int64_t count = context.elements(op.outputs[0]);
    if (op.kind == plan::OpKind::kMaxPool2D) {
        const PoolSizes sizes(std::get<plan::Window2D>(op.attributes), context.shape(op.inputs[0]), context.shape(op.outputs[0]));
        Cell* argmax = op.outputs.size() > 1 ? context.as<Cell>(op.outputs[1]) : nullptr;
        return pointwiseOp<T>("maximum along channels", op, MaxPool<T, Cell>{sizes, in, out, argmax}, count, is_wide && isAligned(argmax));
    }
    const PoolSizes sizes(std::get<plan::Window2D>(op.attributes), context.shape(op.outputs[0]), context.shape(op.inputs[0]));
    const Cell* argmax = context.as<Cell>(op.inputs[1]);
    return pointwiseOp<T>("gather by arg-max", op, MaxPoolBack<T, Cell>{sizes, in, argmax, out}, count, is_wide && isAligned(argmax));
}

template <typename T>
BoundOp bindGlobalMaxBack(const Context& context, const plan::Op& op) {
    const T *dy = context.as<T>(op.inputs[0]), *x = context.as<T>(op.inputs[1]), *y = context.as<T>(op.inputs[2]);
    T* dx = context.as<T>(op.outputs[0]);
    const bool is_wide = context.shape(op.inputs[0]).back() % kVectorOf<T> == 0 && areAligned(dy, x, y, dx);
    const PoolSizes sizes(std::get<plan::Window2D>(op.attributes), context.shape(op.outputs[0]), context.shape(op.inputs[0]));
    return pointwiseOp<T>("shares along channels", op, GlobalMaxBack<T>{sizes, dy, x, y, dx}, context.elements(op.inputs[0]), is_wide);
}

template <typename T>
BoundOp bindAverage(const Context& context, const plan::Op& op) {
    const T* in = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    const bool is_wide = context.shape(op.inputs[0]).back() % kVectorOf<T> == 0 && areAligned(in, out);
    const std::int64_t count = context.elements(op.outputs[0]);
    if (op.kind == plan::OpKind::kAveragePool2D) {
        const PoolSizes sizes(std::get<plan::Window2D>(op.attributes), context.shape(op.inputs[0]), context.shape(op.outputs[0]));
        return pointwiseOp<T>("mean along channels", op, AveragePool<T, false>{sizes, in, out}, count, is_wide);
    }
    const PoolSizes sizes(std::get<plan::Window2D>(op.attributes), context.shape(op.outputs[0]), context.shape(op.inputs[0]));
    return pointwiseOp<T>("shares along channels", op, AveragePool<T, true>{sizes, in, out}, count, is_wide);
}

}  // namespace

BoundOp bindPooling(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        const bool is_max = op.kind == plan::OpKind::kMaxPool2D || op.kind == plan::OpKind::kMaxPool2DBack;
        if (!is_max) {
            bound = bindAverage<T>(context, op);
            return;
        }
        const bool is_forward = op.kind == plan::OpKind::kMaxPool2D;
        if (!is_forward && op.inputs.size() > 2) {
            bound = bindGlobalMaxBack<T>(context, op);
            return;
        }
        const bool is_narrow = is_forward ? op.outputs.size() == 1 || context.tensor(op.outputs[1]).dtype == tensor::DType::kUInt8
                                          : context.tensor(op.inputs[1]).dtype == tensor::DType::kUInt8;
        bound = is_narrow ? bindMax<T, std::uint8_t>(context, op) : bindMax<T, std::int32_t>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
