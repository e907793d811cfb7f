// A model as a diagram in Graphviz' language, with what keras.utils.plot_model shows: a box for each layer, an arrow from each to the next.
#pragma once

#include <string>

#include "engine/spec/model_spec.h"

namespace engine::report {

// Names and defaults are those of keras.utils.plot_model, but for `show_params`, which it has not.
struct DotOptions {
    bool show_shapes = true;             // input and output of every layer, with None for the batch
    bool show_layer_activations = true;  // where a layer has the field
    bool show_params = true;             // the number of a layer's parameters
    bool left_to_right = false;          // rankdir "LR" in place of "TB"
};

// A directed graph that `dot` draws, ending in a newline. A layer that does not fit its input has the shape "?", and so have all after it.
// Never throws; a model without layers is a graph without boxes.
std::string modelDot(const spec::ModelSpec& model, const DotOptions& options = {});

}  // namespace engine::report
