#include "engine/plan/layers/layer_builder.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/plan/op_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

void LayerBuilder::beginLayer(const spec::LayerSpec& layer, const spec::LayerInfo& info, int position) {
    layer_ = &layer;
    info_ = &info;
    position_ = position;
    member_ = 0;
    layer_name_ = layer.name;
}

void LayerBuilder::addParameters() {
    for (const spec::VariableInfo& variable : info_->variables) {
        addTensor({.name = variable.name,
                   .role = variable.trainable ? TensorRole::kParameter : TensorRole::kState,
                   .shape = variable.shape,
                   .layer = variable.name.substr(0, variable.name.rfind('/'))});  // the inner one of nested layers
    }
}

spec::Shape LayerBuilder::outputShape() const {
    spec::Shape shape{plan_.batch * items_per_sample_};
    shape.insert(shape.end(), info_->output_shape.begin(), info_->output_shape.end());
    return shape;
}

TensorId LayerBuilder::parameter(std::string_view name) const {
    const TensorId id = names_.find(layer_name_ + "/" + std::string(name));
    ENGINE_CHECK(id != kNoTensor);
    return id;
}

TensorId LayerBuilder::activation(std::string_view suffix, const spec::Shape& shape) {
    return addTensor(
        {.name = layer_name_ + ":" + std::string(suffix), .role = TensorRole::kActivation, .shape = shape, .layer = layer_name_});
}

TensorId LayerBuilder::scratch(std::string_view suffix, const spec::Shape& shape, tensor::DType dtype) {
    return addTensor({.name = layer_name_ + ":" + std::string(suffix),
                      .role = TensorRole::kScratch,
                      .dtype = dtype,
                      .shape = shape,
                      .layer = layer_name_});
}

TensorId LayerBuilder::statistic(std::string_view suffix, const spec::Shape& shape, TensorId of) {
    return addTensor(
        {.name = layer_name_ + ":" + std::string(suffix), .role = TensorRole::kStatistic, .shape = shape, .of = of, .layer = layer_name_});
}

TensorId LayerBuilder::makeMask(TensorId x, std::size_t rank, float value) {
    const spec::Shape& all = shape(x);
    mask_ = scratch("mask", {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(rank)}, tensor::DType::kUInt8);
    emit({.kind = OpKind::kMask, .inputs = {x}, .outputs = {mask_}, .attributes = MaskAttributes{value}});
    return mask_;
}

bool LayerBuilder::isInput(TensorId id) const {
    for (auto op = plan_.ops.rbegin(); op != plan_.ops.rend(); ++op) {
        const bool keeps_ids =
            op->kind == OpKind::kReshape || op->kind == OpKind::kTranspose || op->kind == OpKind::kIndex || op->kind == OpKind::kHash;
        if (keeps_ids && op->outputs.front() == id) id = op->inputs.front();
    }
    return id == plan_.input;
}

TensorId LayerBuilder::gradientOf(TensorId id) {
    const TensorDesc& tensor = plan_.tensors[static_cast<std::size_t>(id)];
    const std::string name = tensor.name + ":grad";
    if (const TensorId known = names_.find(name); known != kNoTensor) return known;
    TensorDesc gradient{.name = name, .role = TensorRole::kActivation, .shape = tensor.shape, .layer = tensor.layer};
    if (tensor.role == TensorRole::kParameter || tensor.role == TensorRole::kState) {
        gradient.role = TensorRole::kGradient;
        gradient.of = id;
    }
    return addTensor(std::move(gradient));
}

void LayerBuilder::emit(Op op) {
    op.name = layer_name_ + "/" + std::string(toString(op.kind));
    op.layer = layer_name_;
    op.phase = phase_;
    op.gate = gate_;
    plan_.ops.push_back(std::move(op));
}

void LayerBuilder::onBackward(TensorId x, TensorId y, Reads reads, Backward backward) {
    if (!isTrainable()) reads = Reads::kInputAlone;
    tape_.push_back({.x = x, .y = y, .reads = reads, .layer = layer_name_, .backward = std::move(backward), .gate = gate_});
}

void LayerBuilder::penaliseOutput(TensorId y, const Penalty& penalty) {
    if (penalised_ != nullptr) penalised_->push_back({y, penalty});
    onBackward(y, y, Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        b.emit({.kind = OpKind::kPenaltyBack, .inputs = {y, dy}, .outputs = {dy}, .attributes = PenaltyAttributes{{penalty}}});
        return dy;
    });
}

TensorId LayerBuilder::inputOf(Activation activation, TensorId output) const {
    for (const Op& op : plan_.ops) {
        const auto* made = op.kind == OpKind::kActivation ? std::get_if<ActivationAttributes>(&op.attributes) : nullptr;
        if (made != nullptr && made->function == activation && op.outputs.front() == output) return op.inputs.front();
    }
    return output;
}

bool LayerBuilder::goBackFrom(TensorId input, TensorId output) {
    const auto reads_input = [input](const TapeEntry& entry) { return entry.x == input && entry.y != input; };
    const auto found = std::find_if(tape_.rbegin(), tape_.rend(), reads_input);
    ENGINE_CHECK(found != tape_.rend());
    const auto first = std::prev(found.base());
    std::vector<TapeEntry> between(std::make_move_iterator(first), std::make_move_iterator(tape_.end()));
    tape_.erase(first, tape_.end());
    if (std::none_of(between.begin(), between.end(), [](const TapeEntry& entry) { return entry.x == entry.y; })) return false;
    const std::string layer = between.front().layer;
    const std::optional<Gate> gate = between.front().gate;
    // Penalties add to the gradient of what they are of, which is 0 without the loss.
    const auto back = [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId none = b.gradientOf(output);
        b.emit({.kind = OpKind::kAffine, .inputs = {output}, .outputs = {none}, .attributes = Affine{.scale = 0}});
        const TensorId of_penalties = b.runTape(between, none, InputGradient::kNeeded);
        b.layer_name_ = layer;
        const TensorId sum = b.activation("joined:grad", b.shape(input));
        b.emit({.kind = OpKind::kMerge, .inputs = {dy, of_penalties}, .outputs = {sum}, .attributes = MergeAttributes{MergeMode::kSum}});
        return sum;
    };
    tape_.push_back({.x = input, .y = input, .reads = Reads::kInputAlone, .layer = layer, .backward = back, .gate = gate});
    return true;
}

TensorId LayerBuilder::dropFinalActivation(TensorId output) {
    ENGINE_CHECK(static_cast<std::size_t>(output) + 1 == plan_.tensors.size());
    const Op& last = plan_.ops.back();
    ENGINE_CHECK(last.kind == OpKind::kActivation && last.outputs.front() == output);
    const TensorId input = last.inputs.front();
    goBackFrom(input, output);
    plan_.ops.pop_back();
    names_.forgetLast();
    plan_.tensors.pop_back();
    return input;
}

LayerBuilder::Part LayerBuilder::lowerNested(const spec::LayerSpec& inner, const spec::Shape& output_shape, TensorId x,
                                             TensorId (*lowering)(LayerBuilder&, TensorId), const Nesting& nesting) {
    if (nesting.inside == Nesting::Inside::kChain) ++member_;
    spec::LayerInfo info;
    info.output_shape = output_shape;
    const spec::LayerSpec* const outer_layer = std::exchange(layer_, &inner);
    const spec::LayerInfo* const outer_info = std::exchange(info_, &info);
    const std::string outer_name = std::exchange(layer_name_, inner.name);
    const std::int64_t outer_items = items_per_sample_;
    if (nesting.inside != Nesting::Inside::kItself) items_per_sample_ = nesting.items_per_sample;
    const std::optional<Gate> outer_gate = gate_;
    if (nesting.gate) gate_ = nesting.gate;
    std::vector<TapeEntry> outer_tape = std::exchange(tape_, {});
    Part part{.x = x, .y = lowering(*this, x)};
    part.tape = std::exchange(tape_, std::move(outer_tape));
    gate_ = outer_gate;
    items_per_sample_ = outer_items;
    layer_name_ = outer_name;
    info_ = outer_info;
    layer_ = outer_layer;
    return part;
}

TensorId LayerBuilder::differentiatePart(const Part& part, TensorId dy, InputGradient input_gradient) {
    const std::string outer_name = layer_name_;
    const TensorId dx = runTape(part.tape, dy, input_gradient);
    layer_name_ = outer_name;
    return dx;
}

void LayerBuilder::append(Part part) {
    std::move(part.tape.begin(), part.tape.end(), std::back_inserter(tape_));
}

TensorId LayerBuilder::runTape(const std::vector<TapeEntry>& tape, TensorId dy, InputGradient input_gradient) {
    const std::optional<Gate> outer_gate = gate_;
    std::size_t last = 0;  // the first entry (from the front) that has to be visited
    if (input_gradient == InputGradient::kNotNeeded) {
        while (last < tape.size() && tape[last].reads == Reads::kInputAlone) ++last;
    }
    for (std::size_t i = tape.size(); i-- > last;) {
        const bool needed = i > last || input_gradient == InputGradient::kNeeded;
        layer_name_ = tape[i].layer;
        gate_ = tape[i].gate;
        dy = tape[i].backward(*this, dy, needed ? InputGradient::kNeeded : InputGradient::kNotNeeded);
        if (dy == kNoTensor) break;  // nothing before this has one: ids
    }
    gate_ = outer_gate;
    return dy;
}

TensorId LayerBuilder::differentiate(TensorId doutput, InputGradient input_gradient) {
    phase_ = Phase::kBackward;
    const TensorId gradient = runTape(tape_, doutput, input_gradient);
    phase_ = Phase::kForward;
    dropFrozenGradients();
    return input_gradient == InputGradient::kNeeded ? gradient : kNoTensor;
}

void LayerBuilder::dropFrozenGradients() {
    const auto is_frozen = [this](TensorId id) {
        return plan_.tensors[static_cast<std::size_t>(id)].role == TensorRole::kGradient && !isTrainedGradient(plan_, id);
    };
    std::erase_if(plan_.ops, [&](const Op& op) {
        return op.phase == Phase::kBackward && std::all_of(op.outputs.begin(), op.outputs.end(), is_frozen);
    });
}

TensorId LayerBuilder::addTensor(TensorDesc tensor) {
    plan_.tensors.push_back(std::move(tensor));
    return static_cast<TensorId>(plan_.tensors.size() - 1);
}

}  // namespace engine::plan
