#include <algorithm>
#include <string>
#include <vector>

#include "engine/plan/op_table.h"
#include "engine/plan/plan.h"
#include "engine/spec/shape.h"

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

std::string attributesText(const Op& op) {
    const OpRow& row = rowOf(op.kind);
    std::string text;
    const auto add = [&text](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
    if (row.text != nullptr) text = row.text(op);
    if (op.bucket >= 0) add("bucket " + std::to_string(op.bucket));
    if (op.fused_update) add("applies " + op.fused_update->optimizer.class_name);
    if (op.gate) {
        add("if choice " + std::to_string(op.gate->draw) + " is " + std::to_string(op.gate->open_at) + " of " +
            std::to_string(op.gate->choices));
    }
    if (row.family == OpFamily::kUpdate) add(optimizerOf(op)->class_name);
    return text;
}

std::string operandsText(const Plan& plan, const Op& op) {
    switch (rowOf(op.kind).named) {
        case NamedOperands::kBoth:
            break;
        case NamedOperands::kInputs:
            return namesText(plan, op.inputs);
        case NamedOperands::kOutputs:
            return namesText(plan, op.outputs);
        case NamedOperands::kParameters: {
            std::vector<TensorId> parameters;
            for (TensorId id : op.outputs) {
                if (plan.tensors[static_cast<std::size_t>(id)].role == TensorRole::kParameter) parameters.push_back(id);
            }
            return namesText(plan, parameters);
        }
    }
    return namesText(plan, op.inputs) + " -> " + namesText(plan, op.outputs);
}

// For a plan in more than one type: says which policy it has, and what stays out.
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
