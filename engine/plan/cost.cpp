#include "engine/plan/cost.h"

#include <algorithm>
#include <vector>

namespace engine::plan {
namespace {

const TensorDesc& tensorOf(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

// Of one product: output, input gradient and kernel gradient take the same.
std::int64_t convolutionWork(const Plan& plan, TensorId input, TensorId kernel, const Window2D& w) {
    const spec::Shape y = windowOutput(tensorOf(plan, input).shape, w, 1);
    return y[0] * y[1] * y[2] * elementCount(tensorOf(plan, kernel));
}

std::int64_t matrixWork(const Plan& plan, TensorId x, TensorId y) {
    return elementCount(tensorOf(plan, x)) * tensorOf(plan, y).shape.back();
}

// Every time's state by the recurrent kernel.
std::int64_t recurrentWork(const Plan& plan, TensorId products, TensorId kernel) {
    return elementCount(tensorOf(plan, products)) * tensorOf(plan, kernel).shape.front();
}

std::int64_t workOf(const Plan& plan, const Op& op) {
    const auto in = [&op](std::size_t i) { return op.inputs[i]; };
    const auto out = [&op](std::size_t i) { return op.outputs[i]; };
    const std::int64_t products = op.outputs.size() > 2 ? 2 : 1;  // of a fused backward op: with the input's gradient or without
    switch (op.kind) {
        case OpKind::kConv2D:
            return convolutionWork(plan, in(0), in(1), op.window);
        case OpKind::kConv2DBackInput:
            return convolutionWork(plan, out(0), in(1), op.window);
        case OpKind::kConv2DBackKernel:
            return convolutionWork(plan, in(0), out(0), op.window);
        case OpKind::kFusedConvBlock:
            return convolutionWork(plan, in(0), in(1), op.window);
        case OpKind::kFusedConvBlockBack:
            return products * convolutionWork(plan, in(0), in(1), op.window);
        case OpKind::kMatMul:
            return matrixWork(plan, in(0), out(0));
        case OpKind::kMatMulBackInput:
            return matrixWork(plan, out(0), in(0));
        case OpKind::kMatMulBackWeight:
            return matrixWork(plan, in(0), in(1));
        case OpKind::kRecurrent:
            return recurrentWork(plan, in(0), in(1));
        case OpKind::kRecurrentBack:
            return 2 * recurrentWork(plan, out(0), in(0));
        case OpKind::kFusedDense:
            return matrixWork(plan, in(0), out(0));
        case OpKind::kFusedDenseBack:
            return products * matrixWork(plan, in(0), in(2));
        default:
            return 0;
    }
}

std::int64_t trafficOf(const Plan& plan, const Op& op) {
    if (op.kind == OpKind::kReshape) return 0;
    std::int64_t bytes = 0;
    for (TensorId id : op.inputs) bytes += byteCount(tensorOf(plan, id));
    for (TensorId id : op.outputs) {
        const bool applied = op.apply_update && tensorOf(plan, id).role == TensorRole::kGradient;
        if (!applied) bytes += byteCount(tensorOf(plan, id));
        if (!applied) continue;
        // Parameter and slots are read and written in the gradient's place.
        const TensorId parameter = tensorOf(plan, id).of;
        bytes += 2 * byteCount(tensorOf(plan, parameter));
        for (TensorId slot : slotsOf(plan, parameter)) bytes += 2 * byteCount(tensorOf(plan, slot));
    }
    return bytes;
}

}  // namespace

PlanCost cost(const Plan& plan) {
    PlanCost total;
    for (const Op& op : plan.ops) {
        total.ops.push_back({.name = op.name, .phase = op.phase, .multiply_adds = workOf(plan, op), .bytes = trafficOf(plan, op)});
        total.multiply_adds += total.ops.back().multiply_adds;
        total.bytes += total.ops.back().bytes;
    }
    for (const Bucket& bucket : plan.buckets) total.reduced_bytes += bucket.bytes;
    return total;
}

}  // namespace engine::plan
