// A layer's lowering writes into a LayerBuilder: ops of the forward pass, and for each how to go back. To add a layer, write one file here
// with `TensorId lowerName(LayerBuilder&, TensorId x)`, one row in layer_table.cpp, and its shape rule in
// engine/spec/catalog/shape_inference.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/plan.h"
#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/model_spec.h"

namespace engine::plan {

enum class InputGradient { kNeeded, kNotNeeded };

struct PenalisedOutput {
    TensorId y = kNoTensor;
    Penalty penalty{};
};

// How a layer lies within another one: by itself, or as a member of a chain, which counts in LayerBuilder::member(); or it is the layer
// itself, between ops that are lowered for it.
struct Nesting {
    enum class Inside { kAlone, kChain, kItself };
    Inside inside = Inside::kAlone;
    std::int64_t items_per_sample = 1;  // of x's batch axis; of the layer itself it stays what it is
    std::optional<Gate> gate{};         // of all its ops, forwards and backwards
};

// Lives during one lowering; writes into the plan it was given.
class LayerBuilder {
public:
    // Emits the backward ops of one forward op, given the gradient of its output; returns the gradient of its input, which may be dy itself
    // (addition), or kNoTensor where it is not needed.
    using Backward = std::function<TensorId(LayerBuilder&, TensorId dy, InputGradient)>;

    // `penalised` hears of the outputs that penaliseOutput() names; it outlives the builder. Null: nobody does.
    explicit LayerBuilder(Plan& plan, std::vector<PenalisedOutput>* penalised = nullptr)
        : plan_(plan), names_(plan), penalised_(penalised) {}

    // The layer whose ops follow. Both must outlive its lowering.
    void beginLayer(const spec::LayerSpec& layer, const spec::LayerInfo& info, int position);
    // Creates the layer's variables: parameters, and states where they are not trainable.
    void addParameters();

    const spec::LayerSpec& layer() const { return *layer_; }
    // Its settings, with the defaults of its class.
    spec::Settings settings() const { return spec::settingsOf(*layer_); }
    int position() const { return position_; }
    // Of the layers that the current one holds in a chain, the one that is lowered, from 1; 0 where it holds none. It tells their random
    // numbers apart.
    std::int64_t member() const { return member_; }
    bool training() const { return plan_.training; }
    int replicas() const { return plan_.replicas; }
    // True when the tensor is the model's input, or whole numbers that an Index op made of it, reshaped, turned or
    // not.
    bool isInput(TensorId id) const;
    // False for a frozen layer: its weights are states. Ops that make nothing but their gradients are dropped after the lowering; an op
    // with other outputs as well should leave them out.
    bool isTrainable() const { return spec::isTrainable(*layer_); }
    const spec::Shape& shape(TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)].shape; }
    // The output shape as inferred, with the batch axis.
    spec::Shape outputShape() const;
    // A variable by its name within the layer: "kernel".
    TensorId parameter(std::string_view name) const;

    // New tensors of the current layer: "conv2d:argmax".
    TensorId activation(std::string_view suffix, const spec::Shape& shape);
    TensorId scratch(std::string_view suffix, const spec::Shape& shape, tensor::DType dtype);
    // TensorRole::kStatistic; `of`: the state that it is added to, or kNoTensor.
    TensorId statistic(std::string_view suffix, const spec::Shape& shape, TensorId of);
    // The gradient tensor of a parameter or activation, made when first asked for: "conv2d/kernel:grad".
    TensorId gradientOf(TensorId id);

    // The mask that the current tensor carries, see OpKind::kMask, or kNoTensor. A layer that makes one sets it; where the shape inference
    // says that a layer's output has none, lower() takes it away.
    TensorId mask() const { return mask_; }
    void setMask(TensorId mask) { mask_ = mask; }
    // Emits the op that makes it of x, one value for each row of x's axes from `rank` on.
    TensorId makeMask(TensorId x, std::size_t rank, float value);

    // Name, layer and phase are filled in, and the gate of the part that it belongs to.
    void emit(Op op);
    // The backward rule of the op that was emitted last, which made y of x; Reads tells whether it reads parameters too.
    enum class Reads { kParameters, kInputAlone };
    struct TapeEntry {
        TensorId x = kNoTensor, y = kNoTensor;
        Reads reads = Reads::kInputAlone;
        std::string layer;
        Backward backward;
        std::optional<Gate> gate{};  // of the ops that the rule emits
    };
    void onBackward(TensorId x, TensorId y, Reads reads, Backward backward);

    // A penalty of what the current layer puts out; nothing happens to the values.
    void penaliseOutput(TensorId y, const Penalty& penalty);

    // What `lowering` of a layer within the current one emits, with the backward rules of that part alone: nothing enters the outer tape.
    // Names of tensors and variables begin with the inner layer's. `inner` is as spec::nestedLayers() gives it; its output_shape goes to
    // the lowering as the inner layer's own.
    struct Part {
        TensorId x = kNoTensor, y = kNoTensor;
        std::vector<TapeEntry> tape{};
    };
    Part lowerNested(const spec::LayerSpec& inner, const spec::Shape& output_shape, TensorId x,
                     TensorId (*lowering)(LayerBuilder&, TensorId), const Nesting& nesting = {});
    // Call it in the backward rule of the layer around the part. Makes the gradient of the part's input from that of its output, or
    // kNoTensor.
    TensorId differentiatePart(const Part& part, TensorId dy, InputGradient input_gradient);
    // Takes the part over for a layer that is nothing else: the part's backward rules follow those before it, one by one.
    void append(Part part);

    // The input of the op that made the output when that is this activation; otherwise the output.
    TensorId inputOf(Activation activation, TensorId output) const;
    // Removes the activation that made the output, the op emitted last, and returns its input.
    TensorId dropFinalActivation(TensorId output);
    // The loss takes `input` in the place of the output, which the last layers made of it: its gradient is that of `input`. Of what lies
    // between the two, the backward pass keeps the way of penalties alone, whose gradients are added to the loss'; returns true where
    // there are any. Then the loss' gradient needs a name of its own.
    bool goBackFrom(TensorId input, TensorId output);

    // Backward ops of everything, from the gradient of the last output to the first parameter, or to the input when its gradient is wanted.
    // Returns the input's gradient or kNoTensor.
    TensorId differentiate(TensorId doutput, InputGradient input_gradient);

private:
    TensorId runTape(const std::vector<TapeEntry>& tape, TensorId dy, InputGradient input_gradient);
    TensorId addTensor(TensorDesc tensor);
    void dropFrozenGradients();

    Plan& plan_;
    mutable NameIndex names_;  // of plan_
    const spec::LayerSpec* layer_ = nullptr;
    const spec::LayerInfo* info_ = nullptr;
    int position_ = 0;
    std::int64_t member_ = 0;
    TensorId mask_ = kNoTensor;
    std::int64_t items_per_sample_ = 1;  // of the batch axis: the times that are folded into it
    std::string layer_name_;
    Phase phase_ = Phase::kForward;
    std::optional<Gate> gate_;  // of the part that is lowered or differentiated
    std::vector<TapeEntry> tape_;
    std::vector<PenalisedOutput>* penalised_;
};

}  // namespace engine::plan
