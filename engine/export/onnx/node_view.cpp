#include "engine/export/onnx/node_view.h"

#include <algorithm>
#include <cstring>

#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

constexpr std::int64_t kOpen = INT64_MIN, kMostSize = 1 << 30;
constexpr std::size_t kMostNumbers = 64;  // of what is followed as sizes

std::string joined(const NodeView& node, const std::string& name) {
    return "node " + node.described() + ": " + name;
}

std::int64_t countOf(const proto::TensorProto& tensor, const std::string& name) {
    std::int64_t count = 1;
    for (std::int64_t size : tensor.dims()) {
        if (size < 0 || __builtin_mul_overflow(count, size, &count)) {
            throw Error(ErrorCode::kDataLoss, name + ": expected sizes of at least 0, got others");
        }
    }
    return count;
}

// The values as the file has them: raw bytes, or numbers of their type's own field.
template <typename Stored, typename Field>
std::vector<Stored> valuesOf(const proto::TensorProto& tensor, const Field& field, std::int64_t count, const std::string& name) {
    const auto wanted = static_cast<std::size_t>(count);
    if (!tensor.raw_data().empty() || count == 0) {
        if (tensor.raw_data().size() / sizeof(Stored) != wanted || tensor.raw_data().size() % sizeof(Stored) != 0) {
            throw Error(ErrorCode::kDataLoss, name + ": expected " + std::to_string(count) + " values, got " +
                                                  std::to_string(tensor.raw_data().size()) + " bytes");
        }
        std::vector<Stored> values(wanted);
        std::memcpy(values.data(), tensor.raw_data().data(), tensor.raw_data().size());
        return values;
    }
    if (static_cast<std::size_t>(field.size()) != wanted) {
        throw Error(ErrorCode::kDataLoss, name + ": expected " + std::to_string(count) + " values, got " + std::to_string(field.size()));
    }
    return {field.begin(), field.end()};
}

void checkPlace(const proto::TensorProto& tensor, const std::string& name) {
    if (tensor.data_location() == proto::TensorProto::EXTERNAL) {
        throw Error(ErrorCode::kInvalidArgument, name + ": expected values in the file itself, got a file beside it");
    }
}

}  // namespace

std::string NodeView::described() const {
    const std::string& name = node_->name().empty() && node_->output_size() > 0 ? node_->output(0) : node_->name();
    return name + " (" + node_->op_type() + ")";
}

const proto::AttributeProto* NodeView::find(std::string_view name) const {
    for (const proto::AttributeProto& attribute : node_->attribute()) {
        if (attribute.name() == name) return &attribute;
    }
    return nullptr;
}

std::int64_t NodeView::integer(std::string_view name, std::int64_t otherwise) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr && found->has_i() ? found->i() : otherwise;
}

float NodeView::number(std::string_view name, float otherwise) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr && found->has_f() ? found->f() : otherwise;
}

std::string NodeView::text(std::string_view name, std::string_view otherwise) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr && found->has_s() ? found->s() : std::string(otherwise);
}

std::vector<std::int64_t> NodeView::integers(std::string_view name, std::vector<std::int64_t> otherwise) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr && found->ints_size() > 0 ? std::vector<std::int64_t>(found->ints().begin(), found->ints().end()) : otherwise;
}

std::vector<float> NodeView::numbers(std::string_view name) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr ? std::vector<float>(found->floats().begin(), found->floats().end()) : std::vector<float>{};
}

std::vector<std::string> NodeView::texts(std::string_view name) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr ? std::vector<std::string>(found->strings().begin(), found->strings().end()) : std::vector<std::string>{};
}

const proto::TensorProto* NodeView::tensor(std::string_view name) const {
    const proto::AttributeProto* found = find(name);
    return found != nullptr && found->has_t() ? &found->t() : nullptr;
}

void refuse(const std::string& file, const NodeView& node, const std::string& expected, const std::string& got) {
    throw Error(ErrorCode::kInvalidArgument, file + ": node " + node.described() + ": expected " + expected + ", got " + got);
}

Constants::Constants(const proto::GraphProto& graph, std::string file) : file_(std::move(file)) {
    for (const proto::TensorProto& tensor : graph.initializer()) tensors_[tensor.name()] = &tensor;
    for (const proto::NodeProto& node : graph.node()) {
        const NodeView view(node);
        if (view.op() != "Constant") continue;
        if (const proto::TensorProto* value = view.tensor("value")) tensors_[view.output(0)] = value;
        if (view.has("value_int")) numbers_[view.output(0)] = {view.integer("value_int", 0)};
        if (view.has("value_ints")) numbers_[view.output(0)] = view.integers("value_ints");
    }
}

std::optional<FloatTensor> Constants::floats(const NodeView& node, const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return std::nullopt;
    const proto::TensorProto& tensor = *found->second;
    const std::string who = file_ + ": " + joined(node, name);
    checkPlace(tensor, who);
    FloatTensor read{{tensor.dims().begin(), tensor.dims().end()}, {}};
    const std::int64_t count = countOf(tensor, who);
    if (tensor.data_type() == proto::TensorProto::FLOAT) {
        read.values = valuesOf<float>(tensor, tensor.float_data(), count, who);
    } else if (tensor.data_type() == proto::TensorProto::DOUBLE) {
        for (double value : valuesOf<double>(tensor, tensor.double_data(), count, who)) read.values.push_back(static_cast<float>(value));
    } else {
        throw Error(ErrorCode::kInvalidArgument, who + ": expected float32 or float64, got type " + std::to_string(tensor.data_type()));
    }
    return read;
}

std::optional<std::vector<std::int64_t>> Constants::integers(const NodeView& node, const std::string& name) const {
    if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
    const auto found = tensors_.find(name);
    if (found == tensors_.end()) return std::nullopt;
    const proto::TensorProto& tensor = *found->second;
    const std::string who = file_ + ": " + joined(node, name);
    checkPlace(tensor, who);
    const std::int64_t count = countOf(tensor, who);
    if (count > static_cast<std::int64_t>(kMostNumbers)) return std::nullopt;
    if (tensor.data_type() == proto::TensorProto::INT64) return valuesOf<std::int64_t>(tensor, tensor.int64_data(), count, who);
    if (tensor.data_type() != proto::TensorProto::INT32) return std::nullopt;
    const std::vector<std::int32_t> values = valuesOf<std::int32_t>(tensor, tensor.int32_data(), count, who);
    return std::vector<std::int64_t>(values.begin(), values.end());
}

std::optional<float> Constants::scalar(const NodeView& node, const std::string& name) const {
    const auto found = tensors_.find(name);
    if (found == tensors_.end() || countOf(*found->second, name) != 1) return std::nullopt;
    if (found->second->data_type() != proto::TensorProto::FLOAT && found->second->data_type() != proto::TensorProto::DOUBLE) {
        const auto whole = integers(node, name);
        return whole ? std::optional(static_cast<float>(whole->front())) : std::nullopt;
    }
    return floats(node, name)->values.front();
}

bool Constants::isZero(const NodeView& node, const std::string& name) const {
    if (zeros_.contains(name)) return true;
    const auto read = floats(node, name);
    return read && std::all_of(read->values.begin(), read->values.end(), [](float v) { return v == 0; });
}

bool Constants::fold(const NodeView& node) {
    const std::string& op = node.op();
    if (op == "Constant") return true;
    if (op == "ConstantOfShape" || op == "Expand") {
        const bool is_zero = op == "Expand" ? isZero(node, node.input(0))
                                            : node.tensor("value") == nullptr ||
                                                  node.tensor("value")->raw_data().find_first_not_of('\0') == std::string::npos;
        if (is_zero) zeros_.insert(node.output(0));
        return is_zero;
    }
    if ((op == "Transpose" || op == "Unsqueeze" || op == "Squeeze" || op == "Slice") && zeros_.contains(node.input(0))) {
        zeros_.insert(node.output(0));
        return true;
    }
    if (op == "Identity" && tensors_.contains(node.input(0))) {
        tensors_[node.output(0)] = tensors_[node.input(0)];
        return true;
    }
    std::vector<std::int64_t> values;
    if (op == "Mul" || op == "Add" || op == "Sub" || op == "Div") {
        // The operands are a size; what becomes of an open one is open.
        const auto a = integers(node, node.input(0)), b = integers(node, node.input(1));
        if (!a || !b || a->size() != 1 || b->size() != 1) return false;
        values = {kOpen};
        if (a->front() >= 0 && b->front() >= 0 && a->front() < kMostSize && b->front() < kMostSize) {
            values = {op == "Mul"      ? a->front() * b->front()
                      : op == "Add"    ? a->front() + b->front()
                      : op == "Sub"    ? a->front() - b->front()
                      : b->front() > 0 ? a->front() / b->front()
                                       : kOpen};
        }
    } else if (op == "Concat") {
        for (int i = 0; i < node.inputs(); ++i) {
            const auto part = integers(node, node.input(i));
            if (!part || values.size() + part->size() > kMostNumbers) return false;
            values.insert(values.end(), part->begin(), part->end());
        }
    } else {
        const auto first = integers(node, node.input(0));
        if (!first) return false;
        const auto size = static_cast<std::int64_t>(first->size());
        const auto within = [size](std::int64_t i) { return std::clamp<std::int64_t>(i < 0 ? i + size : i, 0, size); };
        if (op == "Cast" || op == "Unsqueeze" || op == "Squeeze" || op == "Identity" || op == "Reshape") {
            values = *first;
        } else if (op == "Gather") {
            const auto indices = integers(node, node.input(1));
            if (!indices) return false;
            for (std::int64_t index : *indices) {
                if (within(index) >= size) return false;
                values.push_back((*first)[static_cast<std::size_t>(within(index))]);
            }
        } else if (op == "Slice") {
            const auto starts = integers(node, node.input(1)), ends = integers(node, node.input(2));
            const auto steps = node.input(4).empty() ? std::optional(std::vector<std::int64_t>{1}) : integers(node, node.input(4));
            if (!starts || !ends || !steps || starts->size() != 1 || ends->size() != 1 || *steps != std::vector<std::int64_t>{1})
                return false;
            for (std::int64_t i = within(starts->front()); i < within(ends->front()); ++i) {
                values.push_back((*first)[static_cast<std::size_t>(i)]);
            }
        } else {
            return false;
        }
    }
    numbers_[node.output(0)] = std::move(values);
    return true;
}

}  // namespace engine::exporter::onnx
