// Dense: y = f(x W + b) on the last axis; every other axis counts rows. W is (in, units). EinsumDense: the same of an input whose axes are
// put in the order of rows and sums first, and whose output's axes are put in theirs.
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/einsum_product.h"
#include "engine/spec/error.h"

namespace engine::plan {

namespace {

// x W, without bias.
TensorId lowerMatrixProduct(LayerBuilder& builder, TensorId x, const spec::Shape& output) {
    const TensorId kernel = builder.parameter("kernel");
    const TensorId y = builder.activation("matmul", output);
    builder.emit({.kind = OpKind::kMatMul, .inputs = {x, kernel}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit({.kind = OpKind::kMatMulBackInput, .inputs = {dy, kernel}, .outputs = {dx}});
        }
        b.emit({.kind = OpKind::kMatMulBackWeight, .inputs = {x, dy}, .outputs = {b.gradientOf(kernel)}});
        return dx;
    });
    return y;
}

TensorId lowerDense(LayerBuilder& builder, TensorId x) {
    return lowerBiasAndActivation(builder, lowerMatrixProduct(builder, x, builder.outputShape()));
}

// x with its axes in that order, which counts from 0 without the batch; x itself where that is the order.
TensorId lowerOrdered(LayerBuilder& builder, TensorId x, const std::vector<int>& order, std::string_view suffix) {
    if (std::is_sorted(order.begin(), order.end())) return x;
    const spec::Shape from = builder.shape(x);
    spec::Shape to{from.front()};
    Permutation back{.axes = std::vector<int>(order.size())};
    for (std::size_t i = 0; i < order.size(); ++i) {
        to.push_back(from[static_cast<std::size_t>(order[i]) + 1]);
        back.axes[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
    }
    return lowerReversible(builder, x,
                           {.forward = OpKind::kTranspose,
                            .back = OpKind::kTranspose,
                            .forward_attributes = Permutation{order},
                            .back_attributes = back,
                            .output = to,
                            .suffix = suffix});
}

TensorId lowerEinsumDense(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = builder.shape(x);
    const auto read = spec::readEinsum(builder.layer(), {input.begin() + 1, input.end()});
    ENGINE_CHECK(std::holds_alternative<spec::EinsumProduct>(read));
    const auto& product = std::get<spec::EinsumProduct>(read);

    TensorId y = lowerOrdered(builder, x, product.input_order, "ordered");
    const auto rows = static_cast<std::ptrdiff_t>(product.rows);
    const spec::Shape ordered = builder.shape(y);
    spec::Shape matrix(ordered.begin(), ordered.begin() + 1 + rows), made = matrix;
    matrix.push_back(product.inputs);
    y = lowerView(builder, y, matrix, "rows");
    matrix.back() = product.columns;
    y = lowerMatrixProduct(builder, y, matrix);

    // The axes that the product makes: its rows, then the columns, of which the kernel has the sizes at its end.
    const std::size_t columns = product.output_order.size() - product.rows;
    made.insert(made.end(), product.kernel.end() - static_cast<std::ptrdiff_t>(columns), product.kernel.end());
    std::vector<int> order = product.output_order, of_bias, of_columns(columns);
    std::iota(of_columns.begin(), of_columns.end(), static_cast<int>(rows));
    for (const int axis : product.bias_axes) of_bias.push_back(order[static_cast<std::size_t>(axis)]);
    const bool has_bias = !of_bias.empty();
    const bool is_of_columns = of_bias == of_columns;
    if (has_bias && is_of_columns) y = lowerBiasAdd(builder, y);
    y = lowerView(builder, y, made, "made");
    if (has_bias && !is_of_columns) {
        // The axes of the bias go to the end and count as one.
        std::vector<int> biased;
        for (const int axis : order) {
            if (std::find(of_bias.begin(), of_bias.end(), axis) == of_bias.end()) biased.push_back(axis);
        }
        biased.insert(biased.end(), of_bias.begin(), of_bias.end());
        y = lowerOrdered(builder, y, biased, "biased");
        const spec::Shape whole = builder.shape(y);
        const auto first = whole.end() - static_cast<std::ptrdiff_t>(of_bias.size());
        spec::Shape flat(whole.begin(), first);
        flat.push_back(std::accumulate(first, whole.end(), std::int64_t{1}, std::multiplies<>()));
        y = lowerBiasAdd(builder, lowerView(builder, y, flat, "flat"));
        y = lowerView(builder, y, whole, "whole");
        for (int& axis : order) axis = static_cast<int>(std::find(biased.begin(), biased.end(), axis) - biased.begin());
    }
    y = lowerOrdered(builder, y, order, "placed");
    return lowerActivation(builder, y, builder.settings().getString("activation"));
}

}  // namespace

std::span<const LayerRow> denseRows() {
    static constexpr LayerRow kRows[] = {
        {"Dense", lowerDense, Times::kTogether},
        {"EinsumDense", lowerEinsumDense},
    };
    return kRows;
}

}  // namespace engine::plan
