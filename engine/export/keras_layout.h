// The places and the order in which Keras 3 keeps a model's variables and an optimizer's state in model.weights.h5.
//
//   /vars                        the model's own variables: none
//   /layers/<L>/vars/0, 1, ...   a layer's; <L> is the snake case of its class, with _1, _2, ... for repeats, not its name
//   /layers/<L>/<child>/vars     those of objects inside it: cell, forward_layer/cell, backward_layer/cell, layer; of lists of layers by
//                                the snake case of their classes: layers/conv2d, layers/conv2d_1, shortcut/conv2d; of a stack of cells:
//                                cell, cell/cells/lstm_cell, cell/cells/lstm_cell_1
//   /layers/text_vectorization/vars/idf_weights, /layers/text_vectorization/_lookup_layer/vars/idf_weights
//                                with tf_idf, both the same; of a StringLookup the first alone. They are no variables here: the layer's
//                                configuration has them
//   /optimizer/vars/0, 1, ...    iteration, learning rate (unless a schedule gives it), then the slots
//
// Every object has its group `vars`, also an empty one: Keras 3.3 fails without. Within one, trainable variables come before the others.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/model_spec.h"

namespace engine::exporter {

struct KerasVariable {
    std::string name;  // ours: "conv2d/kernel"
    spec::Shape shape;
    bool trainable = true;
    std::string path;       // "layers/conv2d/vars/0"
    bool is_named = false;  // by its own name, not by a number; Keras 2's form lacks it
};

struct KerasLayer {
    std::string name;                      // the user's
    std::vector<std::string> groups;       // "layers/lstm/vars", "layers/lstm/cell/vars"; the layer's own first
    std::vector<KerasVariable> variables;  // Keras' order of layer.weights
    bool takes_fields = false;             // files for Keras have the values of its variables in the layer's fields (keepsTakenInFields)
    std::vector<KerasVariable> copies;     // of some of them under another path: a SpectralNormalization's kernel, the first of its group
};

// Every layer of the model, in order. Throws Error(kInvalidArgument) for a model whose shapes do not fit.
std::vector<KerasLayer> kerasLayers(const spec::ModelSpec& model);

struct KerasSlot {
    std::string name;  // "dense/kernel:m"
    spec::Shape shape;
    bool is_placeholder = false;    // a whole number in files, which nobody uses (SlotForm::kWithoutLastAxis)
    bool of_any_optimizer = false;  // a moving average or an accumulated gradient: before the optimizer's own
};
// The slots of the model's trainable variables in the order in which Keras lists them.
std::vector<KerasSlot> kerasSlots(const spec::ModelSpec& model, const spec::ObjectSpec& optimizer);

// True where a number ends the optimizer's state, the product of its momentums so far: Nadam's.
bool keepsMomentumProduct(const spec::ObjectSpec& optimizer);

}  // namespace engine::exporter
