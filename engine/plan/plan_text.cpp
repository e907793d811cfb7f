#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/loss.h"
#include "engine/plan/metric.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/plan.h"

namespace engine::plan {
namespace {

std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.append(width - text.size(), ' ');
    return text;
}

std::string shapeText(const spec::Shape& shape) {
    std::string text = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
    return text + ")";
}

std::string pairText(int a, int b) {
    return std::to_string(a) + "x" + std::to_string(b);
}

std::string windowText(const Window2D& w) {
    std::string text = pairText(w.kernel_h, w.kernel_w) + "/" + pairText(w.stride_h, w.stride_w);
    if (w.dilation_h != 1 || w.dilation_w != 1) text += " dilation " + pairText(w.dilation_h, w.dilation_w);
    if (w.pad_top != 0 || w.pad_bottom != 0 || w.pad_left != 0 || w.pad_right != 0) {
        text += " pad " + std::to_string(w.pad_top) + "," + std::to_string(w.pad_bottom) + "," + std::to_string(w.pad_left) + "," +
                std::to_string(w.pad_right);
    }
    if (w.groups != 1) text += " groups " + std::to_string(w.groups);
    return text;
}

std::string numberText(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%g", value);
    return text;
}

std::string settingsText(const ActivationSettings& s) {
    const ActivationSettings none;
    std::string text;
    auto add = [&text](const char* name, float value, float usual) {
        if (value != usual) text += (text.empty() ? "" : " ") + std::string(name) + " " + numberText(static_cast<double>(value));
    };
    add("slope", s.slope, none.slope);
    add("threshold", s.threshold, none.threshold);
    add("limit", s.limit, none.limit);
    add("alpha", s.alpha, none.alpha);
    add("scale", s.scale, none.scale);
    return text;
}

std::string placeText(const TensorDesc& tensor) {
    if (tensor.offset_bytes < 0) return "-";
    const char* region = tensor.region == Region::kShared ? "shared+" : tensor.region == Region::kVariables ? "variables+" : "private+";
    return region + std::to_string(tensor.offset_bytes);
}

std::string namesText(const Plan& plan, const std::vector<TensorId>& ids) {
    std::string text;
    for (TensorId id : ids) {
        if (!text.empty()) text += ", ";
        text += id == kNoTensor ? "none" : plan.tensors[static_cast<std::size_t>(id)].name;
    }
    return text;
}

std::string shortNumber(double value) {
    std::ostringstream text;
    text << value;
    return text.str();
}

std::string preparationText(const UpdateRule& rule) {
    std::string text;
    const auto add = [&text](const std::string& name, double value) {
        text += (text.empty() ? "" : ", ") + name + " " + shortNumber(value);
    };
    if (rule.accumulation_steps > 1) add("mean of steps", static_cast<double>(rule.accumulation_steps));
    if (rule.clip_norm > 0) add("clipnorm", rule.clip_norm);
    if (rule.global_clip_norm > 0) add("global_clipnorm", rule.global_clip_norm);
    if (rule.clip_value > 0) add("clipvalue", rule.clip_value);
    return text;
}

std::string rangeText(const char* name, const RandomImage::Range& range) {
    if (range == RandomImage::Range{}) return {};
    return std::string(" ") + name + " " + numberText(range.from) + ".." + numberText(range.to);
}

// Of the ops of images and of what only moves values; other families print theirs by kind.
struct AttributesText {
    template <typename Other>
    std::string operator()(const Other&) const {
        return {};
    }
    std::string operator()(const Permutation& p) const {
        std::string text = "axes";
        for (int axis : p.axes) text += " " + std::to_string(axis);
        return text;
    }
    std::string operator()(const Pads2D& p) const {
        return "pad " + std::to_string(p.top) + "," + std::to_string(p.bottom) + "," + std::to_string(p.left) + "," +
               std::to_string(p.right);
    }
    std::string operator()(const Resize2D& r) const {
        return pairText(r.rows, r.columns) + (r.interpolation == Interpolation::kBilinear ? " bilinear" : " nearest");
    }
    std::string operator()(const Affine& a) const { return "scale " + numberText(a.scale) + " offset " + numberText(a.offset); }
    std::string operator()(const ConstraintAttributes& c) const {
        if (c.kind == ConstraintKind::kNonNeg) return "not negative";
        std::string text = c.kind == ConstraintKind::kUnitNorm  ? "norm 1"
                           : c.kind == ConstraintKind::kMaxNorm ? "norm at most " + numberText(c.maximum)
                                                                : "norm from " + numberText(c.minimum) + " to " + numberText(c.maximum);
        if (c.rate != 1) text += ", rate " + numberText(c.rate);
        text += ", along";
        for (int axis : c.axes) text += " " + std::to_string(axis);
        return text;
    }
    std::string operator()(const MergeAttributes& m) const {
        constexpr std::array<std::string_view, 4> kModes{"concat", "sum", "average", "multiply"};
        return std::string(kModes[static_cast<std::size_t>(m.mode)]) + (m.turned ? ", second turned" : "");
    }
    std::string operator()(const RandomImage& r) const {
        std::string text = r.interpolation == Interpolation::kBilinear ? "bilinear" : "nearest";
        if (r.flips_rows) text += " flips rows";
        if (r.flips_columns) text += " flips columns";
        return text + rangeText("turn", r.turn) + rangeText("zoom rows", r.zoom_rows) + rangeText("zoom columns", r.zoom_columns) +
               rangeText("shift rows", r.shift_rows) + rangeText("shift columns", r.shift_columns);
    }
};

std::string attributesText(const Op& op) {
    std::string text;
    auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    switch (op.kind) {
        case OpKind::kConv2D:
        case OpKind::kConv2DBackInput:
        case OpKind::kConv2DBackKernel:
        case OpKind::kMaxPool2D:
        case OpKind::kMaxPool2DBack:
        case OpKind::kAveragePool2D:
        case OpKind::kAveragePool2DBack:
            add(windowText(op.window));
            break;
        case OpKind::kFusedConvBlock:
        case OpKind::kFusedConvBlockBack:
            add(windowText(op.window));
            add(std::string(toString(op.activation)));
            if (op.has_pool) add("pool " + windowText(op.pool));
            break;
        case OpKind::kFusedDense:
        case OpKind::kFusedDenseBack:
        case OpKind::kActivation:
        case OpKind::kActivationBack:
            add(std::string(toString(op.activation)));
            if (const auto* settings = std::get_if<ActivationSettings>(&op.attributes)) add(settingsText(*settings));
            break;
        case OpKind::kGather:
            if (const auto* gather = std::get_if<GatherAttributes>(&op.attributes); gather != nullptr && gather->whole_numbers) add("ids");
            break;
        case OpKind::kBatchSums:
        case OpKind::kBatchBackSums:
        case OpKind::kBatchNorm:
        case OpKind::kBatchNormBack: {
            const auto& norm = std::get<BatchNormAttributes>(op.attributes);
            add(std::to_string(norm.channels) + " channels, epsilon " + numberText(norm.epsilon) + (norm.frozen ? ", frozen" : "") +
                (norm.synchronized ? ", synchronized" : "") + (norm.masked ? ", masked" : ""));
            break;
        }
        case OpKind::kRecurrent:
        case OpKind::kRecurrentBack: {
            const auto& cell = std::get<RecurrentAttributes>(op.attributes);
            add(cell.cell == RecurrentCell::kSimple ? "simple" : cell.cell == RecurrentCell::kLstm ? "LSTM" : "GRU");
            add(std::string(toString(cell.activation)));
            if (cell.cell != RecurrentCell::kSimple) add(std::string(toString(cell.recurrent_activation)));
            if (cell.go_backwards) add("backwards");
            if (cell.masked) add(cell.zero_output_for_mask ? "masked, zeros" : "masked");
            if (op.rate > 0) add("state rate " + numberText(op.rate));
            break;
        }
        case OpKind::kMovingAverage:
            add("momentum " + numberText(std::get<BatchNormAttributes>(op.attributes).momentum));
            break;
        case OpKind::kGroupNorm:
        case OpKind::kGroupNormBack:
        case OpKind::kUnitNorm:
        case OpKind::kUnitNormBack: {
            const auto& norm = std::get<GroupNormAttributes>(op.attributes);
            add(std::to_string(norm.positions) + "x" + std::to_string(norm.groups) + "x" + std::to_string(norm.width));
            break;
        }
        case OpKind::kDropout:
        case OpKind::kDropoutBack:
            add("rate " + numberText(op.rate));
            break;
        case OpKind::kMask:
            add("not " + numberText(static_cast<double>(std::get<MaskAttributes>(op.attributes).value)));
            break;
        case OpKind::kGaussianNoise:
            add("deviation " + numberText(op.rate));
            break;
        case OpKind::kSoftmaxCrossEntropy:
            add(op.from_logits ? "logits" : "probabilities");
            break;
        case OpKind::kLoss: {
            const auto& loss = std::get<LossAttributes>(op.attributes);
            add(std::string(toString(loss.kind)));
            add(std::string(toString(loss.reduction)));
            if (loss.from_logits) add("logits");
            break;
        }
        case OpKind::kMetric:
            add(std::string(toString(std::get<MetricAttributes>(op.attributes).kind)));
            break;
        case OpKind::kPenaltyBack: {
            const Penalty& penalty = std::get<PenaltyAttributes>(op.attributes).penalties.front();
            if (penalty.l1 > 0) add("l1 " + shortNumber(penalty.l1));
            if (penalty.l2 > 0) add("l2 " + shortNumber(penalty.l2));
            break;
        }
        case OpKind::kUnscaleGradients: {
            const auto& scaling = std::get<LossScaleAttributes>(op.attributes);
            add("from " + numberText(scaling.initial_scale) + ", doubled after " + std::to_string(scaling.growth_steps) + " steps");
            break;
        }
        case OpKind::kPrepareGradients:
            add(preparationText(updateRule(op.optimizer.optimizer)));
            break;
        default:
            break;
    }
    if (const std::string more = std::visit(AttributesText{}, op.attributes); !more.empty()) add(more);
    if (const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes)) {
        add(op.kind == OpKind::kReadVariables ? "from " + std::to_string(route->main) : spec::toString(*route));
    }
    if (op.bucket >= 0) add("bucket " + std::to_string(op.bucket));
    if (op.apply_update || op.kind == OpKind::kUpdate || op.kind == OpKind::kFusedUpdate) {
        add((op.apply_update ? "applies " : "") + op.optimizer.optimizer.class_name);
    }
    return text;
}

// An update names its parameters alone: gradients and slots follow from them. A reduction is in place.
std::string operandsText(const Plan& plan, const Op& op) {
    if (op.kind == OpKind::kAllReduce) return namesText(plan, op.inputs);
    if (op.kind == OpKind::kReadVariables) return namesText(plan, op.outputs);
    if (op.kind != OpKind::kUpdate && op.kind != OpKind::kFusedUpdate)
        return namesText(plan, op.inputs) + " -> " + namesText(plan, op.outputs);
    std::vector<TensorId> parameters;
    for (TensorId id : op.outputs) {
        if (plan.tensors[static_cast<std::size_t>(id)].role == TensorRole::kParameter) parameters.push_back(id);
    }
    return namesText(plan, parameters);
}

// Of a plan in more than one type: which, and what stays out.
std::string precisionText(const Plan& plan) {
    if (plan.dtype_policy.empty()) return {};
    std::string text = "dtype policy: " + plan.dtype_policy;
    for (std::size_t i = 0; i < plan.float32_layers.size(); ++i) text += (i == 0 ? "; in float32: " : ", ") + plan.float32_layers[i];
    return text + "\n";
}

// The device of all ops when it is one; empty otherwise.
std::string commonDevice(const Plan& plan) {
    if (plan.ops.empty()) return {};
    const std::string& first = plan.ops.front().device;
    const bool is_common = std::all_of(plan.ops.begin(), plan.ops.end(), [&first](const Op& op) { return op.device == first; });
    return is_common ? first : std::string();
}

}  // namespace

std::string toString(const Plan& plan) {
    std::string text = "plan: batch " + std::to_string(plan.batch) + ", replicas " + std::to_string(plan.replicas) +
                       (plan.training ? ", training\n" : ", forward only\n");
    const std::string device = commonDevice(plan);
    if (!device.empty()) text += "device: " + device + "\n";
    text += precisionText(plan);
    text += "tensors\n";
    for (const TensorDesc& tensor : plan.tensors) {
        text += "  " + padded(tensor.name, 28) + " " + padded(std::string(toString(tensor.role)), 10) + " " +
                padded(std::string(tensor::toString(tensor.dtype)), 7) + " " + padded(shapeText(tensor.shape), 20) + " " +
                placeText(tensor) + "\n";
    }
    text += "ops\n";
    for (const Op& op : plan.ops) {
        std::string line = "  " + padded(std::string(toString(op.phase)), 8) + " " + padded(op.name, 30) + " " + operandsText(plan, op);
        const std::string attributes = attributesText(op);
        if (!attributes.empty()) line += "  [" + attributes + "]";
        if (op.device != device) line += "  @" + op.device;
        text += line + "\n";
    }
    if (!plan.buckets.empty()) text += "buckets\n";
    for (std::size_t i = 0; i < plan.buckets.size(); ++i) {
        const Bucket& bucket = plan.buckets[i];
        text += "  " + std::to_string(i) + ": shared+" + std::to_string(bucket.offset_bytes) + ", " + std::to_string(bucket.bytes) +
                " bytes: " + (i == 0 ? "header, " : "") + namesText(plan, bucket.gradients);
        if (bucket.ready_after_op >= 0) text += "; ready after " + plan.ops[static_cast<std::size_t>(bucket.ready_after_op)].name;
        text += "\n";
    }
    if (plan.private_bytes > 0) {
        text += "memory: private " + std::to_string(plan.private_bytes) + " bytes, shared " + std::to_string(plan.shared_bytes) +
                " bytes, variables " + std::to_string(plan.variable_bytes) + " bytes\n";
    }
    return text;
}

}  // namespace engine::plan
