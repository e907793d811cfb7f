// Two results of one input that become one, and their gradients: engine/backend/merge_rows.h says how.
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/merge_rows.h"

namespace engine::backend::cuda {
namespace {

// Rows of items: a (rows, a_width), b (rows, b_width), where b's of an item may run backwards.
struct MergeRows {
    plan::MergeAttributes merge;
    std::int64_t a_width, b_width;
    Division y_width, rows;  // rows of an item

    struct Place {
        std::int64_t row, row_of_b, column;
    };
    __device__ Place place(std::int64_t at) const {
        const Division::Parts parts = y_width(at);
        if (!merge.turned) return {parts.quotient, parts.quotient, parts.rest};
        const std::int64_t row = rows(parts.quotient).rest;
        return {parts.quotient, parts.quotient + rows.divisor() - 1 - 2 * row, parts.rest};
    }
};

template <typename T>
struct Merge {
    MergeRows rows;
    const T *a, *b;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const MergeRows::Place place = rows.place(at);
        float values[width];
        if (rows.merge.mode == plan::MergeMode::kConcat && place.column >= rows.a_width) {
            loadPack(b + place.row_of_b * rows.b_width + place.column - rows.a_width, values);
            return storePack(y + at, values);
        }
        loadPack(a + place.row * rows.a_width + place.column, values);
        if (rows.merge.mode == plan::MergeMode::kConcat) return storePack(y + at, values);
        float others[width];
        loadPack(b + place.row_of_b * rows.b_width + place.column, others);
        for (int i = 0; i < width; ++i) {
            if (rows.merge.mode == plan::MergeMode::kMultiply) {
                values[i] *= others[i];
            } else {
                values[i] = (values[i] + others[i]) * (rows.merge.mode == plan::MergeMode::kAverage ? 0.5F : 1.0F);
            }
        }
        storePack(y + at, values);
    }
};

template <typename T>
struct MergeBack {
    MergeRows rows;
    const T *a, *b, *dy;
    T *da, *db;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const MergeRows::Place place = rows.place(at);
        float gradients[width];
        loadPack(dy + at, gradients);
        if (rows.merge.mode == plan::MergeMode::kConcat) {
            T* to = place.column < rows.a_width ? da + place.row * rows.a_width + place.column
                                                : db + place.row_of_b * rows.b_width + place.column - rows.a_width;
            return storePack(to, gradients);
        }
        const std::int64_t at_a = place.row * rows.a_width + place.column, at_b = place.row_of_b * rows.b_width + place.column;
        float of_a[width], of_b[width];
        if (rows.merge.mode == plan::MergeMode::kMultiply) {
            loadPack(b + at_b, of_a);
            loadPack(a + at_a, of_b);
        } else {
            const float share = rows.merge.mode == plan::MergeMode::kAverage ? 0.5F : 1.0F;
            for (int i = 0; i < width; ++i) of_a[i] = of_b[i] = share;
        }
        for (int i = 0; i < width; ++i) {
            of_a[i] *= gradients[i];
            of_b[i] *= gradients[i];
        }
        storePack(da + at_a, of_a);
        storePack(db + at_b, of_b);
    }
};

template <typename T>
BoundOp bindRows(const Context& context, const plan::Op& op) {
    const auto& merge = std::get<plan::MergeAttributes>(op.attributes);
    const MergeSizes sizes = mergeSizes(context.shape(op.inputs[0]), context.shape(op.inputs[1]));
    const bool concatenates = merge.mode == plan::MergeMode::kConcat;
    const MergeRows rows{merge, sizes.a_width, sizes.b_width, Division(concatenates ? sizes.a_width + sizes.b_width : sizes.a_width),
                         Division(sizes.rows)};
    const T *a = context.as<T>(op.inputs[0]), *b = context.as<T>(op.inputs[1]);
    constexpr int kWidth = kVectorOf<T>;
    const bool comes_out_even = sizes.a_width % kWidth == 0 && sizes.b_width % kWidth == 0;
    if (op.kind == plan::OpKind::kMerge) {
        const Merge<T> work{rows, a, b, context.as<T>(op.outputs[0])};
        const std::int64_t count = context.elements(op.outputs[0]);
        const bool is_wide = comes_out_even && areAligned(a, b, work.y);
        return {.kernel = "row by row",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kWidth>("Merge", work, count, is_wide, stream); }};
    }
    const MergeBack<T> work{rows, a, b, context.as<T>(op.inputs[2]), context.as<T>(op.outputs[0]), context.as<T>(op.outputs[1])};
    const std::int64_t count = context.elements(op.inputs[2]);
    const bool is_wide = comes_out_even && areAligned(a, b, work.dy, work.da, work.db);
    return {.kernel = "row by row",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kWidth>("MergeBack", work, count, is_wide, stream); }};
}

}  // namespace

BoundOp bindMerge(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindRows<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
