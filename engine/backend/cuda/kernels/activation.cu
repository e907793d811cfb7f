// Activation functions of values and of rows, PReLU, and the ways back. Formulas: engine/backend/activation_formulas.h.
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/activation_formulas.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/axis_map.h"
#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

using plan::Activation;
using Formulas = ActivationFormulas<float>;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Calls function.run<activation>() with the activation known when it is compiled: the choice is made once a thread, not once a value.
template <typename Function, int... index>
__device__ void withActivation(Activation activation, const Function& function, std::integer_sequence<int, index...>) {
    static_cast<void>(((static_cast<int>(activation) == index && (function.template run<static_cast<Activation>(index)>(), true)) || ...));
}
using Activations = std::make_integer_sequence<int, plan::kActivations>;

template <int width>
struct ValuesOf {
    const plan::ActivationSettings* settings;
    float (*values)[width];

    template <Activation activation>
    __device__ void run() const {
#pragma unroll
        for (int i = 0; i < width; ++i) (*values)[i] = Formulas::value(activation, *settings, (*values)[i]);
    }
};
template <int width>
struct DerivativesOf {
    const plan::ActivationSettings* settings;
    const float (*saved)[width];
    float (*gradients)[width];

    template <Activation activation>
    __device__ void run() const {
#pragma unroll
        for (int i = 0; i < width; ++i) (*gradients)[i] *= Formulas::derivative(activation, *settings, (*saved)[i]);
    }
};

template <typename T>
struct Activate {
    Activation activation;
    plan::ActivationSettings settings;
    const T* x;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float values[width];
        loadPack(x + at, values);
        withActivation(activation, ValuesOf<width>{&settings, &values}, Activations());
        storePack(y + at, values);
    }
};

template <typename T>
struct ActivateBack {
    Activation activation;
    plan::ActivationSettings settings;
    const T *saved, *dy;
    T* dx;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float from[width], gradients[width];
        loadPack(saved + at, from);
        loadPack(dy + at, gradients);
        withActivation(activation, DerivativesOf<width>{&settings, &from, &gradients}, Activations());
        storePack(dx + at, gradients);
    }
};

// Softmax, or its logarithm.
template <typename T>
struct SoftmaxRows {
    const T* x;
    T* y;
    std::int64_t columns;
    bool is_logarithm;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const T* from = x + row * columns;
        float largest = -kInfinity, total = 0;
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) {
            const float value = toFloat(from[i]);
            largest = value > largest ? value : largest;
        }
        largest = threads.reduce(largest, Maximum{});
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) total += expf(toFloat(from[i]) - largest);
        total = threads.reduce(total, Sum{});
        if (!is_row) return;
        const float logarithm = logf(total), share = 1 / total;
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) {
            const float shifted = toFloat(from[i]) - largest;
            y[row * columns + i] = fromFloat<T>(is_logarithm ? shifted - logarithm : expf(shifted) * share);
        }
    }
};

template <typename T>
struct SoftmaxRowsBack {
    const T *y, *dy;
    T* dx;
    std::int64_t columns;
    bool is_logarithm;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const std::int64_t begin = row * columns;
        float inner = 0;
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) {
            inner += toFloat(dy[begin + i]) * (is_logarithm ? 1 : toFloat(y[begin + i]));
        }
        inner = threads.reduce(inner, Sum{});
        if (!is_row) return;
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) {
            const float value = toFloat(y[begin + i]), gradient = toFloat(dy[begin + i]);
            dx[begin + i] = fromFloat<T>(is_logarithm ? gradient - expf(value) * inner : value * (gradient - inner));
        }
    }
};

// A value's number in falling order, from 0, equals in their order and what is no number last; and the sum of the values up to it.
struct SortedPlace {
    std::int64_t number = 0;
    double sum = 0;
    __device__ bool isSupport(float value) const { return !(value <= (sum - 1) / static_cast<double>(number + 1)); }
};
template <typename T>
__device__ SortedPlace placeOf(const T* x, std::int64_t columns, std::int64_t index) {
    const auto key = [x](std::int64_t i) {
        const float value = toFloat(x[i]);
        return value == value ? value : -kInfinity;
    };
    const float own = key(index);
    SortedPlace place;
    for (std::int64_t i = 0; i < columns; ++i) {
        const float other = key(i);
        const bool is_before = other > own || (other == own && i < index);
        place.number += is_before ? 1 : 0;
        if (is_before || i == index) place.sum += toFloat(x[i]);
    }
    return place;
}

constexpr int kSparsemaxThreads = 256;

// A block a row. Each value finds its own place: the square of the columns in time, nothing in memory.
template <typename T>
__global__ void sparsemaxKernel(const T* saved, const T* dy, std::int64_t columns, T* out) {
    const std::int64_t begin = static_cast<std::int64_t>(blockIdx.x) * columns;
    const T* x = saved + begin;
    double support = 0, sums = 0;
    for (std::int64_t i = threadIdx.x; i < columns; i += kSparsemaxThreads) {
        const SortedPlace place = placeOf(x, columns, i);
        if (!place.isSupport(toFloat(x[i]))) continue;
        support += 1;
        sums += place.sum;
    }
    support = blockSum<kSparsemaxThreads>(support);
    const double tau = (blockSum<kSparsemaxThreads>(sums) - 1) / support;
    if (dy == nullptr) {
        for (std::int64_t i = threadIdx.x; i < columns; i += kSparsemaxThreads) {
            const double above = toFloat(x[i]) - tau;
            out[begin + i] = fromFloat<T>(static_cast<float>(above < 0 ? 0 : above));
        }
        return;
    }
    // tau grows with the j-th largest value by (support - j) / support, j from 0.
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < columns; i += kSparsemaxThreads) sum += toFloat(x[i]) >= tau ? toFloat(dy[begin + i]) : 0;
    sum = blockSum<kSparsemaxThreads>(sum);
    for (std::int64_t i = threadIdx.x; i < columns; i += kSparsemaxThreads) {
        double gradient = toFloat(x[i]) >= tau ? toFloat(dy[begin + i]) : 0;
        const auto number = static_cast<double>(placeOf(x, columns, i).number);
        if (number < support) gradient -= sum * (support - number) / support;
        out[begin + i] = fromFloat<T>(static_cast<float>(gradient));
    }
}

template <typename T>
BoundOp bindRows(const Context& context, const plan::Op& op) {
    const std::int64_t columns = context.shape(op.inputs[0]).back(), rows = context.elements(op.inputs[0]) / columns;
    const bool is_forward = op.kind == plan::OpKind::kActivation, is_logarithm = plan::activationOf(op) == Activation::kLogSoftmax;
    const T *saved = context.as<T>(op.inputs[0]), *dy = is_forward ? nullptr : context.as<T>(op.inputs[1]);
    T* out = context.as<T>(op.outputs[0]);
    if (plan::activationOf(op) == Activation::kSparsemax) {
        const Grid grid{.blocks = dim3(static_cast<unsigned>(rows)), .threads = dim3(kSparsemaxThreads)};
        return {.kernel = "a block a row", .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launch("sparsemax", grid, stream, sparsemaxKernel<T>, saved, dy, columns, out);
                }};
    }
    return {.kernel = "by rows", .enqueue = [=](cudaStream_t stream, std::byte*) {
                if (is_forward) {
                    launchRows("softmax", SoftmaxRows<T>{saved, out, columns, is_logarithm}, rows, columns, stream);
                } else {
                    launchRows("softmax back", SoftmaxRowsBack<T>{saved, dy, out, columns, is_logarithm}, rows, columns, stream);
                }
            }};
}

template <typename T>
BoundOp bindValues(const Context& context, const plan::Op& op) {
    const auto [function, settings] = std::get<plan::ActivationAttributes>(op.attributes);
    const std::int64_t count = context.elements(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<T>;
    if (op.kind == plan::OpKind::kActivation) {
        const Activate<T> activate{function, settings, x, out};
        const bool is_wide = areAligned(x, out);
        return {.kernel = "by vectors", .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launchPointwise<kWidth>("Activation", activate, count, is_wide, stream);
                }};
    }
    const ActivateBack<T> activate{function, settings, x, context.as<T>(op.inputs[1]), out};
    const bool is_wide = areAligned(x, activate.dy, out);
    return {.kernel = "by vectors", .enqueue = [=](cudaStream_t stream, std::byte*) {
                launchPointwise<kWidth>("ActivationBack", activate, count, is_wide, stream);
            }};
}

// y = x or alpha x, and dx = dy or alpha dy: by the sign of x. At 0 both are 0, as in Keras.
template <typename T>
struct Prelu {
    const T *x, *alpha, *from;
    T* to;
    Division size;     // values of an item
    AxisMap alpha_at;  // by place in the item

    template <int width>
    __device__ void run(std::int64_t at) const {
        float signs[width], values[width];
        loadPack(x + at, signs);
        loadPack(from + at, values);
#pragma unroll
        for (int i = 0; i < width; ++i) {
            if (!(signs[i] > 0)) values[i] *= toFloat(alpha[alpha_at(size(at + i).rest)]);
            if (signs[i] == 0) values[i] = 0;
        }
        storePack(to + at, values);
    }
};

// Rows: items; what each adds to the alphas of its values.
template <typename T>
struct PreluItems {
    const T *x, *dy;
    std::int64_t size;

    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<1, width>& to) const {
        float values[width], gradients[width];
        loadPack(x + row * size + column, values);
        loadPack(dy + row * size + column, gradients);
#pragma unroll
        for (int i = 0; i < width; ++i) to.values[0][i] += values[i] > 0 ? 0 : gradients[i] * values[i];
    }
};

// An alpha is shared along the axes where it has size 1: the sum of the places there.
struct SharedAlphas {
    const float* sums;  // by place in an item
    float* dalpha;
    AxisMap first, others;  // the place of an alpha's first value, and from there of the others
    std::int64_t shared;

    template <typename Threads>
    __device__ void run(std::int64_t alpha, bool is_row, Threads threads) const {
        const std::int64_t begin = first(alpha);
        float sum = 0;
        for (std::int64_t i = threads.first(); i < shared; i += threads.step()) sum += sums[begin + others(i)];
        sum = threads.reduce(sum, Sum{});
        if (is_row && threads.first() == 0) dalpha[alpha] = sum;
    }
};

template <typename T>
BoundOp bindPrelu(const Context& context, const plan::Op& op) {
    const spec::Shape &x_shape = context.shape(op.inputs[0]), &alpha_shape = context.shape(op.inputs[1]);
    const std::size_t axes = alpha_shape.size();
    std::int64_t size = 1, alphas = 1, shared = 1;
    std::vector<AxisMap::Axis> to_alpha(axes), firsts(axes), others;
    for (std::size_t axis = axes; axis-- > 0;) {
        const std::int64_t length = x_shape[axis + 1];
        const bool is_shared = alpha_shape[axis] == 1;
        to_alpha[axis] = {length, is_shared ? 0 : alphas};
        firsts[axis] = {alpha_shape[axis], size};
        if (is_shared) {
            others.insert(others.begin(), {length, size});
            shared *= length;
        }
        size *= length;
        alphas *= alpha_shape[axis];
    }
    const std::int64_t count = context.elements(op.inputs[0]);
    const bool is_forward = op.kind == plan::OpKind::kPrelu;
    const T *x = context.as<T>(op.inputs[0]), *from = is_forward ? x : context.as<T>(op.inputs[2]);
    const Prelu<T> values{x, context.as<T>(op.inputs[1]), from, context.as<T>(op.outputs[0]), Division(size), AxisMap(to_alpha)};
    const bool is_wide = areAligned(x, from, values.to);
    BoundOp bound{.kernel = "by elements"};
    if (is_forward || op.outputs.size() == 1) {
        bound.enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kVectorOf<T>>("Prelu", values, count, is_wide, stream); };
        return bound;
    }
    constexpr int kWidth = 4;
    constexpr auto kFloat = static_cast<std::int64_t>(sizeof(float));
    const ColumnSums<1, kWidth> items(size == 0 ? 0 : count / size, size, is_wide);
    const bool is_direct = shared == 1;
    const std::int64_t parts = (items.scratchBytes() + kVectorBytes - 1) / kVectorBytes * kVectorBytes;
    SharedAlphas alpha{nullptr, context.floats(op.outputs[1]), AxisMap(firsts), AxisMap(others), shared};
    bound.scratch_bytes = parts + (is_direct ? 0 : size * kFloat);
    bound.enqueue = [=](cudaStream_t stream, std::byte* scratch) mutable {
        launchPointwise<kVectorOf<T>>("PreluBack", values, count, is_wide, stream);
        auto* sums = reinterpret_cast<float*>(scratch + parts);
        const SumDestinations<1> to{{is_direct ? alpha.dalpha : sums}};
        items.enqueue("PreluBack", PreluItems<T>{x, from, size}, to, reinterpret_cast<float*>(scratch), stream);
        if (is_direct) return;
        alpha.sums = sums;
        launchRows("PreluBack", alpha, alphas, shared, stream);
    };
    return bound;
}

}  // namespace

BoundOp bindActivation(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        if (op.kind == plan::OpKind::kPrelu || op.kind == plan::OpKind::kPreluBack) {
            bound = bindPrelu<T>(context, op);
        } else {
            bound = plan::runsAlongRows(plan::activationOf(op)) ? bindRows<T>(context, op) : bindValues<T>(context, op);
        }
    });
    return bound;
}

}  // namespace engine::backend::cuda
