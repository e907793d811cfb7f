#include "engine/backend/reference/interpreter.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "engine/backend/constraint.h"
#include "engine/backend/dropout_mask.h"
#include "engine/backend/gaussian_noise.h"
#include "engine/backend/loss_scale.h"
#include "engine/backend/merge_rows.h"
#include "engine/backend/prepare_gradients.h"
#include "engine/backend/reference/kernels.h"
#include "engine/backend/whole/make_whole_update.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/optimizer.h"
#include "engine/spec/error.h"
#include "engine/tensor/bfloat16.h"
#include "engine/tensor/float16.h"

namespace engine::backend::reference {
namespace {

std::size_t countOf(const spec::Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t size : shape) count *= size;
    return static_cast<std::size_t>(count);
}

MatrixSizes matrixSizes(const spec::Shape& x, const spec::Shape& w) {
    const spec::Shape matrix = plan::matrixShape(w, x.back());
    return {.rows = static_cast<std::int64_t>(countOf(x)) / matrix[0], .inner = matrix[0], .columns = matrix[1]};
}

}  // namespace

RandomItem Interpreter::randomItemOf(const plan::Op& op, std::int64_t seed, const Step& step, std::int64_t item) const {
    const DropoutKey key{.seed = step.control.seed, .epoch = step.control.epoch, .iteration = step.control.iteration, .layer = seed};
    const std::span<const std::uint32_t> indices = step.batch != nullptr ? step.batch->numbersInSet() : std::span<const std::uint32_t>{};
    return randomItem(key, indices, plan::itemsPerSample(plan_, op), item);
}

Interpreter::Interpreter(plan::Plan plan, Variables& variables, std::span<std::byte> shared)
    : plan_(plan.private_bytes > 0 ? std::move(plan) : plan::planMemory(std::move(plan))),
      private_(plan_.private_bytes),
      shared_(shared),
      wide_(plan_.tensors.size()),
      variables_(plan_.tensors.size()) {
    if (shared_.empty() && plan_.shared_bytes > 0) {
        own_shared_ = tensor::TensorMemory(plan_.shared_bytes);
        shared_ = own_shared_.span();
    }
    if (static_cast<std::int64_t>(shared_.size()) < plan_.shared_bytes) {
        throw Error(ErrorCode::kInvalidArgument, "executor: expected a shared region of " + std::to_string(plan_.shared_bytes) +
                                                     " bytes, got " + std::to_string(shared_.size()));
    }
    for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
        const plan::TensorDesc& tensor = plan_.tensors[i];
        if (tensor::isLow(tensor.dtype)) wide_[i].resize(static_cast<std::size_t>(plan::elementCount(tensor)));
        if (tensor.region != plan::Region::kVariables) continue;
        variables_[i] = variables.values(tensor.name);
        if (static_cast<std::int64_t>(variables_[i].size()) != plan::elementCount(tensor)) {
            throw Error(ErrorCode::kInvalidArgument, tensor.name + ": expected " + std::to_string(plan::elementCount(tensor)) +
                                                         " values, got variables with " + std::to_string(variables_[i].size()));
        }
    }
}

// An op computes in float32; what it makes is rounded when it is done.
void Interpreter::run(const plan::Op& op, const Step& step) {
    for (plan::TensorId id : op.inputs) widen(id, step.samples);
    compute(op, step);
    if (op.gate) passClosedGate(op, step);
    for (plan::TensorId id : op.outputs) narrow(id, step.samples);
}

void Interpreter::compute(const plan::Op& op, const Step& step) {
    using plan::OpFamily;
    switch (plan::rowOf(op.kind).family) {
        case OpFamily::kGather:
            return gather(op, step);
        case OpFamily::kConvolution:
            return op.kind == plan::OpKind::kConv2D ? convolution(op, step) : fusedConvBlock(op, step);
        case OpFamily::kConvolutionBack:
            op.kind == plan::OpKind::kFusedConvBlockBack ? fusedConvBlockBack(op, step) : convolution(op, step);
            break;
        case OpFamily::kDense:
            return op.kind == plan::OpKind::kMatMul ? matrixProduct(op, step) : fusedDense(op, step);
        case OpFamily::kDenseBack:
            op.kind == plan::OpKind::kFusedDenseBack ? fusedDenseBack(op, step) : matrixProduct(op, step);
            break;
        case OpFamily::kReshape:
            if (tensorOf(op.inputs[0]).dtype == tensor::DType::kUInt8) return;  // a mask: the same memory
            return elementwise(op, step);
        case OpFamily::kBias:
        case OpFamily::kAffine:
            return elementwise(op, step);
        case OpFamily::kStandardize:
            return standardize(op, step);
        case OpFamily::kActivation:
            return activation(op, step);
        case OpFamily::kPrelu:
            return prelu(op, step);
        case OpFamily::kBatchNorm:
            return batchNormalization(op, step);
        case OpFamily::kGroupNorm:
            return groupNormalization(op, step);
        case OpFamily::kSpectralNorm:
            return spectralNormalization(op);
        case OpFamily::kIds:
            if (op.kind == plan::OpKind::kHash) return hash(op, step);
            return op.kind == plan::OpKind::kIndex ? index(op, step) : encode(op, step);
        case OpFamily::kEmbedding:
            return embedding(op, step);
        case OpFamily::kRecurrent:
            return op.kind == plan::OpKind::kRecurrent ? recurrent(op, step) : recurrentBack(op, step);
        case OpFamily::kAttention:
            return attention(op, step);
        case OpFamily::kMerge:
            return merge(op, step);
        case OpFamily::kPooling:
            return pooling(op, step);
        case OpFamily::kCast:
            return cast(op, step);
        case OpFamily::kImage:
            return image(op, step);
        case OpFamily::kSignal:
            return signal(op, step);
        case OpFamily::kNoise:
            return op.kind == plan::OpKind::kGaussianNoise ? gaussianNoise(op, step) : dropout(op, step);
        case OpFamily::kMask:
            return rowMask(op, step);
        case OpFamily::kCrossEntropy:
            return loss(op, step);
        case OpFamily::kLoss:
            return generalLoss(op, step);
        case OpFamily::kMetric:
            return metric(op, step);
        case OpFamily::kPenalty:
            return op.kind == plan::OpKind::kPenalty ? penalty(op, step) : penaltyBack(op, step);
        case OpFamily::kLossScale:
            return op.kind == plan::OpKind::kScaleGradient ? scaleGradient(op, step) : unscaleGradients(op);
        case OpFamily::kPrepareGradients:
            return prepareGradients(op, step);
        case OpFamily::kUpdate:
            return update(op, step);
        case OpFamily::kConstrain:
            return constrain(op);
        case OpFamily::kCustomLoss:
        case OpFamily::kCollective:
            ENGINE_CHECK(plan::rowOf(op.kind).family != OpFamily::kCustomLoss && plan::rowOf(op.kind).family != OpFamily::kCollective);
    }
    if (op.fused_update) update(op, step);
}

void Interpreter::runPhase(plan::Phase phase, const Step& step) {
    for (const plan::Op& op : plan_.ops) {
        if (op.phase == phase) run(op, step);
    }
}

std::span<float> Interpreter::floats(plan::TensorId id, std::int64_t samples) {
    if (tensor::isLow(tensorOf(id).dtype)) {
        return {wide_[static_cast<std::size_t>(id)].data(), countOf(shapeOf(id, samples))};
    }
    ENGINE_CHECK(tensorOf(id).dtype == tensor::DType::kFloat32);
    return {reinterpret_cast<float*>(address(id)), countOf(shapeOf(id, samples))};
}

void Interpreter::widen(plan::TensorId id, std::int64_t samples) {
    if (!tensor::isLow(tensorOf(id).dtype)) return;
    const bool is_float16 = tensorOf(id).dtype == tensor::DType::kFloat16;
    const auto* halves = reinterpret_cast<const std::uint16_t*>(address(id));
    const std::span<float> values = floats(id, samples);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = is_float16 ? tensor::fromFloat16(halves[i]) : tensor::fromBfloat16(halves[i]);
    }
}

void Interpreter::narrow(plan::TensorId id, std::int64_t samples) {
    if (!tensor::isLow(tensorOf(id).dtype)) return;
    const bool is_float16 = tensorOf(id).dtype == tensor::DType::kFloat16;
    auto* halves = reinterpret_cast<std::uint16_t*>(address(id));
    const std::span<float> values = floats(id, samples);
    for (std::size_t i = 0; i < values.size(); ++i) {
        halves[i] = is_float16 ? tensor::toFloat16(values[i]) : tensor::toBfloat16(values[i]);
        values[i] = is_float16 ? tensor::fromFloat16(halves[i]) : tensor::fromBfloat16(halves[i]);
    }
}

void Interpreter::cast(const plan::Op& op, const Step& step) {
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        const std::span<const float> from = floats(op.inputs[i], step.samples);
        std::copy(from.begin(), from.end(), floats(op.outputs[i], step.samples).begin());
    }
}

std::span<float> Interpreter::bucketMemory(const plan::Bucket& bucket) {
    return {reinterpret_cast<float*>(shared_.data() + bucket.offset_bytes), static_cast<std::size_t>(bucket.bytes) / sizeof(float)};
}

spec::Shape Interpreter::shapeOf(plan::TensorId id, std::int64_t samples) const {
    spec::Shape shape = tensorOf(id).shape;
    if (plan::hasBatchAxis(tensorOf(id)) && plan_.batch > 0) shape.front() = shape.front() / plan_.batch * samples;
    return shape;
}

std::byte* Interpreter::address(plan::TensorId id) {
    const plan::TensorDesc& tensor = tensorOf(id);
    ENGINE_CHECK(tensor.offset_bytes >= 0);
    switch (tensor.region) {
        case plan::Region::kPrivate:
            return private_.data() + tensor.offset_bytes;
        case plan::Region::kShared:
            return shared_.data() + tensor.offset_bytes;
        case plan::Region::kVariables:
            return reinterpret_cast<std::byte*>(variables_[static_cast<std::size_t>(id)].data());
    }
    return nullptr;
}

std::span<std::int32_t> Interpreter::classLabels(std::int64_t samples) {
    return {reinterpret_cast<std::int32_t*>(address(plan_.label)), countOf(shapeOf(plan_.label, samples))};
}

std::span<std::uint8_t> Interpreter::mask(plan::TensorId id, std::int64_t samples) {
    return {reinterpret_cast<std::uint8_t*>(address(id)), countOf(shapeOf(id, samples))};
}

std::vector<std::int32_t> Interpreter::readArgmax(plan::TensorId id, std::int64_t samples) {
    std::vector<std::int32_t> cells(countOf(shapeOf(id, samples)));
    if (tensorOf(id).dtype == tensor::DType::kUInt8) {
        const auto* stored = reinterpret_cast<const std::uint8_t*>(address(id));
        std::copy(stored, stored + cells.size(), cells.begin());
    } else {
        const auto* stored = reinterpret_cast<const std::int32_t*>(address(id));
        std::copy(stored, stored + cells.size(), cells.begin());
    }
    return cells;
}

void Interpreter::writeArgmax(plan::TensorId id, std::span<const std::int32_t> cells) {
    if (tensorOf(id).dtype == tensor::DType::kUInt8) {
        std::transform(cells.begin(), cells.end(), reinterpret_cast<std::uint8_t*>(address(id)),
                       [](std::int32_t cell) { return static_cast<std::uint8_t>(cell); });
    } else {
        std::copy(cells.begin(), cells.end(), reinterpret_cast<std::int32_t*>(address(id)));
    }
}

void Interpreter::convolution(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const plan::Window2D& window = plan::windowOf(op);
    const auto value = [&](plan::TensorId id) { return floats(id, n); };
    const auto tensors = [&](plan::TensorId x, plan::TensorId y) {
        const spec::Shape x_shape = plan::imageShape(shapeOf(x, n)), y_shape = plan::imageShape(shapeOf(y, n));
        return ConvTensors{x_shape, plan::kernelShape(window, x_shape.back(), y_shape.back()), y_shape};
    };
    const plan::TensorId in0 = op.inputs[0], in1 = op.inputs[1], out = op.outputs[0];
    if (op.kind == plan::OpKind::kConv2D) {
        conv2D(window, tensors(in0, out), value(in0), value(in1), value(out));
    } else if (op.kind == plan::OpKind::kConv2DBackInput) {
        conv2DBackInput(window, tensors(out, in0), value(in0), value(in1), value(out));
    } else {
        conv2DBackKernel(window, tensors(in0, in1), value(in0), value(in1), value(out));
    }
}

void Interpreter::matrixProduct(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const auto value = [&](plan::TensorId id) { return floats(id, n); };
    const plan::TensorId in0 = op.inputs[0], in1 = op.inputs[1], out = op.outputs[0];
    if (op.kind == plan::OpKind::kMatMul) {
        matMul(matrixSizes(shapeOf(in0, n), shapeOf(in1, n)), value(in0), value(in1), value(out));
    } else if (op.kind == plan::OpKind::kMatMulBackInput) {
        matMulBackInput(matrixSizes(shapeOf(out, n), shapeOf(in1, n)), value(in0), value(in1), value(out));
    } else {
        matMulBackWeight(matrixSizes(shapeOf(in0, n), shapeOf(out, n)), value(in0), value(in1), value(out));
    }
}

void Interpreter::pooling(const plan::Op& op, const Step& step) {
    const auto& window = std::get<plan::Window2D>(op.attributes);
    const std::int64_t n = step.samples;
    const plan::TensorId in = op.inputs[0], out = op.outputs[0];
    const spec::Shape in_shape = plan::imageShape(shapeOf(in, n)), out_shape = plan::imageShape(shapeOf(out, n));
    switch (op.kind) {
        case plan::OpKind::kMaxPool2D: {
            std::vector<std::int32_t> argmax(countOf(out_shape));
            maxPool2D(window, {in_shape, out_shape}, floats(in, n), floats(out, n), argmax);
            if (op.outputs.size() > 1) writeArgmax(op.outputs[1], argmax);
            return;
        }
        case plan::OpKind::kMaxPool2DBack:
            if (op.inputs.size() > 2) {
                return globalMaxBack({out_shape, in_shape}, floats(in, n), floats(op.inputs[1], n), floats(op.inputs[2], n),
                                     floats(out, n));
            }
            return maxPool2DBack(window, {out_shape, in_shape}, floats(in, n), readArgmax(op.inputs[1], n), floats(out, n));
        case plan::OpKind::kAveragePool2D:
            return averagePool2D(window, {in_shape, out_shape}, floats(in, n), floats(out, n));
        default:
            return averagePool2DBack(window, {out_shape, in_shape}, floats(in, n), floats(out, n));
    }
}

void Interpreter::elementwise(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const std::span<const float> in = floats(op.inputs[0], n);
    const std::span<float> out = floats(op.outputs[0], n);
    switch (op.kind) {
        case plan::OpKind::kBiasAdd:
            return biasAdd(in, floats(op.inputs[1], n), out);
        case plan::OpKind::kBiasAddBack:
            return biasAddBack(in, out);
        case plan::OpKind::kAffine: {
            const auto& affine = std::get<plan::Affine>(op.attributes);
            std::transform(in.begin(), in.end(), out.begin(),
                           [&](float value) { return static_cast<float>(affine.scale * value + affine.offset); });
            return;
        }
        default:
            if (in.data() != out.data()) std::copy(in.begin(), in.end(), out.begin());
    }
}

void Interpreter::dropout(const plan::Op& op, const Step& step) {
    const auto& [rate, seed] = std::get<plan::DropoutAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const bool is_forward = op.kind == plan::OpKind::kDropout;
    const plan::TensorId in = op.inputs[0], mask_id = is_forward ? op.outputs[1] : op.inputs[1];
    const std::span<std::uint8_t> kept = mask(mask_id, n);
    if (is_forward) {
        const std::int64_t items = itemsOf(op, step);
        const std::size_t units = n == 0 ? 0 : kept.size() / static_cast<std::size_t>(items);
        for (std::int64_t i = 0; i < items; ++i) {
            const RandomItem random = randomItemOf(op, seed, step, i);
            fillDropoutMask(random.key, rate, random.sample, kept.subspan(static_cast<std::size_t>(i) * units, units));
        }
    }
    applyMask(shapeOf(in, n), shapeOf(mask_id, n), kept, dropoutScale(rate), floats(in, n), floats(op.outputs[0], n));
}

void Interpreter::merge(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples, items = itemsOf(op, step);
    const auto& attributes = std::get<plan::MergeAttributes>(op.attributes);
    const MergeSizes sizes = mergeSizes(tensorOf(op.inputs[0]).shape, tensorOf(op.inputs[1]).shape);
    const auto at = [&](plan::TensorId id, std::int64_t i) {
        const std::span<float> values = floats(id, n);
        return values.data() + i * (static_cast<std::int64_t>(values.size()) / items);
    };
    for (std::int64_t i = 0; i < items; ++i) {
        if (op.kind == plan::OpKind::kMerge) {
            mergeSample(attributes, sizes, at(op.inputs[0], i), at(op.inputs[1], i), at(op.outputs[0], i));
        } else {
            mergeSampleBack(attributes, sizes, at(op.inputs[0], i), at(op.inputs[1], i), at(op.inputs[2], i), at(op.outputs[0], i),
                            at(op.outputs[1], i));
        }
    }
}

void Interpreter::constrain(const plan::Op& op) {
    if (leaves_out_) return;
    applyConstraint(std::get<plan::ConstraintAttributes>(op.attributes), tensorOf(op.outputs[0]).shape, floats(op.outputs[0]));
}

void Interpreter::gaussianNoise(const plan::Op& op, const Step& step) {
    const auto& noise = std::get<plan::GaussianNoiseAttributes>(op.attributes);
    const std::int64_t n = step.samples;
    const std::span<const float> x = floats(op.inputs[0], n);
    const std::span<float> y = floats(op.outputs[0], n);
    const std::int64_t items = itemsOf(op, step);
    const std::size_t size = n == 0 ? 0 : x.size() / static_cast<std::size_t>(items);
    for (std::int64_t i = 0; i < items; ++i) {
        const std::size_t begin = static_cast<std::size_t>(i) * size;
        applyGaussianNoise(noise, randomItemOf(op, noise.seed, step, i), x.subspan(begin, size), y.subspan(begin, size));
    }
}

void Interpreter::fusedConvBlock(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const plan::ConvolutionAttributes& block = plan::convolutionAttributes(op);
    const plan::TensorId x = op.inputs[0], kernel = op.inputs[1], bias = op.inputs[2], y = op.outputs[0];
    const spec::Shape x_shape = plan::imageShape(shapeOf(x, n));
    const spec::Shape inner = plan::windowOutput(x_shape, block.window, shapeOf(y, n).back());
    std::vector<float> product(countOf(inner)), active(countOf(inner));
    conv2D(block.window, {x_shape, plan::kernelShape(block.window, x_shape.back(), inner.back()), inner}, floats(x, n), floats(kernel, n),
           product);
    biasAdd(product, floats(bias, n), product);
    activate(block.activation, {}, inner.back(), product, active);
    if (!block.pool) {
        std::copy(active.begin(), active.end(), floats(y, n).begin());
        return;
    }
    std::vector<std::int32_t> argmax(countOf(shapeOf(y, n)));
    maxPool2D(*block.pool, {inner, shapeOf(y, n)}, active, floats(y, n), argmax);
    if (op.outputs.size() > 1) writeArgmax(op.outputs[1], argmax);
}

void Interpreter::fusedConvBlockBack(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const plan::ConvolutionAttributes& block = plan::convolutionAttributes(op);
    const plan::TensorId x = op.inputs[0], kernel = op.inputs[1], y = op.inputs[2], dy = op.inputs.back();
    const plan::TensorId dkernel = op.outputs[0], dbias = op.outputs[1];
    const spec::Shape x_shape = plan::imageShape(shapeOf(x, n));
    const spec::Shape inner = plan::windowOutput(x_shape, block.window, shapeOf(y, n).back());
    // Where the activation is not zero, its output passed the pooling, so its derivative is known from y.
    std::vector<float> gradient(floats(dy, n).size());
    activateBack(block.activation, {}, inner.back(), floats(y, n), floats(dy, n), gradient);
    if (block.pool) {
        std::vector<float> spread(countOf(inner));
        maxPool2DBack(*block.pool, {inner, shapeOf(y, n)}, gradient, readArgmax(op.inputs[3], n), spread);
        gradient = std::move(spread);
    }
    const spec::Shape kernel_shape = plan::kernelShape(block.window, x_shape.back(), inner.back());
    conv2DBackKernel(block.window, {x_shape, kernel_shape, inner}, floats(x, n), gradient, floats(dkernel, n));
    biasAddBack(gradient, floats(dbias, n));
    if (op.outputs.size() > 2)
        conv2DBackInput(block.window, {x_shape, kernel_shape, inner}, gradient, floats(kernel, n), floats(op.outputs[2], n));
}

void Interpreter::fusedDense(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const plan::TensorId x = op.inputs[0], w = op.inputs[1], y = op.outputs[0];
    matMul(matrixSizes(shapeOf(x, n), shapeOf(w, n)), floats(x, n), floats(w, n), floats(y, n));
    biasAdd(floats(y, n), floats(op.inputs[2], n), floats(y, n));
    activate(plan::activationOf(op), {}, tensorOf(y).shape.back(), floats(y, n), floats(y, n));
}

void Interpreter::fusedDenseBack(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const plan::TensorId x = op.inputs[0], w = op.inputs[1], y = op.inputs[2], dy = op.inputs[3];
    const MatrixSizes sizes = matrixSizes(shapeOf(x, n), shapeOf(w, n));
    std::vector<float> gradient(floats(dy, n).size());
    activateBack(plan::activationOf(op), {}, sizes.columns, floats(y, n), floats(dy, n), gradient);
    matMulBackWeight(sizes, floats(x, n), gradient, floats(op.outputs[0], n));
    biasAddBack(gradient, floats(op.outputs[1], n));
    if (op.outputs.size() > 2) matMulBackInput(sizes, gradient, floats(w, n), floats(op.outputs[2], n));
}

void Interpreter::loss(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const std::span<const float> scores = floats(op.inputs[0], n);
    const std::span<float> dscores = op.outputs.size() > 1 ? floats(op.outputs[0], n) : std::span<float>{};
    const double scale = n == 0 ? 0 : 1.0 / (static_cast<double>(n) * plan_.replicas);
    const LossSums sums =
        crossEntropy(std::get<plan::CrossEntropyAttributes>(op.attributes).from_logits ? Scores::kLogits : Scores::kProbabilities,
                     tensorOf(op.inputs[0]).shape.back(), scores, classLabels(n), scale, dscores);
    const std::span<float> header = floats(plan_.header, n);
    header[plan::StepHeader::kLossSum] = static_cast<float>(sums.loss);
    header[plan::StepHeader::kCorrect] = static_cast<float>(sums.correct);
    header[plan::StepHeader::kCount] = static_cast<float>(n);
}

// Steps that were left out do not count.
plan::StepFactors Interpreter::factorsOf(const plan::UpdateRule& rule, const Step& step) const {
    return plan::stepFactors(rule, step.control.learning_rate, step.control.iteration - steps_left_out_);
}

void Interpreter::scaleGradient(const plan::Op& op, const Step& step) {
    const float scale = floats(op.inputs[1])[0];
    for (float& value : floats(op.outputs[0], step.samples)) value *= scale;
}

void Interpreter::unscaleGradients(const plan::Op& op) {
    const std::size_t gradients = op.inputs.size() - op.outputs.size();
    float &scale = floats(op.outputs[0])[0], &steps = floats(op.outputs[1])[0], &left_out = floats(op.outputs[2])[0];
    bool is_finite = true;
    for (std::size_t i = 0; i < gradients; ++i) {
        for (float& value : floats(op.inputs[i])) {
            is_finite = is_finite && std::isfinite(value);
            value /= scale;
        }
    }
    leaves_out_ = !is_finite;
    steps_left_out_ = static_cast<std::int64_t>(left_out);
    const DynamicScale next =
        nextScale({scale, steps, left_out}, is_finite, std::get<plan::LossScaleAttributes>(op.attributes).growth_steps);
    scale = next.scale;
    steps = next.steps;
    left_out = next.left_out;
}

void Interpreter::prepareGradients(const plan::Op& op, const Step& step) {
    if (leaves_out_) return;
    const plan::UpdateRule rule = plan::updateRule(*plan::optimizerOf(op));
    std::vector<PreparedGradient> gradients;
    for (std::size_t i = 0; i + op.outputs.size() < op.inputs.size(); ++i) {
        gradients.push_back({floats(op.inputs[i]), op.outputs.empty() ? std::span<float>{} : floats(op.outputs[i])});
    }
    GradientPreparation preparation(rule, std::move(gradients));
    const bool applies = factorsOf(rule, step).applies;
    for (std::int64_t block = 0; block < preparation.blocks(); ++block) preparation.collect(block, applies);
    if (!applies || !preparation.scales()) return;
    for (std::int64_t block = 0; block < preparation.blocks(); ++block) preparation.scale(block);
}

void Interpreter::update(const plan::Op& op, const Step& step) {
    const plan::UpdateRule rule = plan::updateRule(*plan::optimizerOf(op));
    if (leaves_out_) return;
    const plan::StepFactors factors = factorsOf(rule, step);
    const std::vector<FlatRun> runs = flatRuns(plan_, op, [this](plan::TensorId id) { return reinterpret_cast<float*>(address(id)); });
    if (!spec::takesWholeVariables(rule.kind)) {
        for (const FlatRun& run : runs) updateRun(rule, factors, run);
        return;
    }
    const std::unique_ptr<WholeUpdate> update = makeWholeUpdate(rule, runs, plainMultiplier());
    for (int pass = 0; pass < update->passes(); ++pass) {
        for (std::int64_t block = 0; block < update->blocks(pass); ++block) update->run(pass, block, factors);
    }
}

}  // namespace engine::backend::reference
