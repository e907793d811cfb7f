// A model as a class of PyTorch's: its modules, its forward(), and which of its parameters is which variable of Tandem's and Keras'. The
// table of layers (layer_rows.h) writes into it. Only files of this folder include it.
//
// Tensors are channels last, as in Keras, but between layers that PyTorch has channels first (convolutions, pools): the writer turns them
// there, and back before the next layer that needs it (Flatten and Reshape count values in that order).
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/model_spec.h"

namespace engine::script::torch {

// A layer while it is written: what it is called in Python ("self.conv2d"), what it takes and gives.
struct Place {
    const spec::LayerSpec& layer;
    const spec::LayerInfo& info;
    spec::Settings settings;
    std::string name;  // "conv2d"
    std::string path;  // "model.layers[2]"
};

// What a variable begins with: Python over `shape`.
struct VariableRow {
    std::string name;           // "conv2d/kernel"
    std::string parameter;      // "conv2d.weight"
    spec::Shape shape;          // Keras'
    std::vector<int> axes;      // of Keras' shape in the order that the parameter has them; empty: the same
    std::string start;          // "glorot_uniform(shape)"
    bool is_fixed = false;      // no optimizer changes it
    bool is_statistic = false;  // a buffer, no parameter
    std::string penalty;        // "0.01 * w.square().sum()"; empty: none
    std::string constraint;     // "max_norm(w, 2.0, (0,))" over Keras' shape; empty: none
};

enum class Axes { kChannelsLast, kChannelsFirst };

class ModelWriter {
public:
    explicit ModelWriter(spec::Diagnostics& findings) : findings_(findings) {}

    void declare(const std::string& line) { declarations_.push_back(line); }
    void say(const std::string& line) { forward_.push_back(line); }
    // A function or a class of torch_blocks.h that the program needs.
    void need(std::string_view block) { blocks_.emplace(block); }
    // Turns the tensor where it lies otherwise. `rank`: of a sample.
    void turn(Axes axes, std::size_t rank);
    // The next layer's output lies so.
    Axes axes() const { return axes_; }

    // The variable of the layer that ends in /`name`, as the layer's `parameter`: with what its initializer, regularizer and constraint ask
    // for. `field`: what these fields begin with ("kernel"), where it is another word than the variable's name.
    void addVariable(const Place& place, const std::string& name, const std::string& parameter, std::vector<int> axes = {},
                     std::string_view field = {});

    // The same of one that nothing trains, as a buffer of the model: with what its initializer asks for.
    void addBuffer(const Place& place, const std::string& name, const std::string& buffer, std::string_view field);

    // The module of that name takes values from the training samples before training.
    void setAdapted(const std::string& module) { adapted_ = module; }
    const std::string& adapted() const { return adapted_; }  // empty: none does

    // Penalties from here on are of this activation of what the layers put out; empty: of that itself.
    void setPenalised(const std::string& activation) { penalised_ = activation; }
    // What the layer puts out, `x`, adds to the loss by the factors l1 and l2 among the settings: the mean of the samples.
    void penaliseOutput(const spec::Settings& settings);
    bool penalisesOutputs() const { return penalises_outputs_; }

    // "path: class name: expected …".
    void refuse(const Place& place, const std::string& sentence);

    const std::vector<std::string>& declarations() const { return declarations_; }
    const std::vector<std::string>& forwardLines() const { return forward_; }
    const std::vector<VariableRow>& variables() const { return variables_; }
    const std::set<std::string, std::less<>>& blocks() const { return blocks_; }

private:
    spec::Diagnostics& findings_;
    std::vector<std::string> declarations_, forward_;
    std::vector<VariableRow> variables_;
    std::set<std::string, std::less<>> blocks_;
    std::string adapted_, penalised_;
    Axes axes_ = Axes::kChannelsLast;
    bool penalises_outputs_ = false;
};

// An activation of `x` as an expression, by Keras' name; empty for linear. The layer's last axis is the last one, or axis 1 where channels
// lie first.
std::string activationCall(ModelWriter& writer, const std::string& activation, const std::string& x, Axes axes);

}  // namespace engine::script::torch
