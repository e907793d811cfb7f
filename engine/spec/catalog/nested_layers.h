// Layers inside a layer: Bidirectional's two directions, TimeDistributed's one, SpectralNormalization's one, Residual's chains, an RNN's
// cells, SelfAttention's products.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/model_spec.h"

namespace engine::spec {

// The layers within the layer, in Keras' weight order, each as a layer of its own named "<outer>/forward_layer", "<outer>/backward_layer",
// "<outer>/layer", or as chainOf() has it: its variables are "<outer>/layer/kernel". They are frozen where the outer one is. Empty for a
// layer without any, or with none in its fields. Nested objects that are no layers are taken as they are: the shape rules look at them.
// SelfAttention's are Dense layers without units, "<outer>/query", "key", "value" and "attention_output": their weights have an axis for
// the heads more.
std::vector<LayerSpec> nestedLayers(const LayerSpec& layer);

// The layers that a field of the layer lists, in order. Their names are the paths that Keras' files give them: "<outer>/layers/conv2d",
// "<outer>/layers/conv2d_1".
std::vector<LayerSpec> chainOf(const LayerSpec& layer, const std::string& field);
// The members of a field that lists layers, as they are: also the one that stands there without a list.
std::vector<ObjectBox> membersOf(const Fields& config, std::string_view field);
// The field with other members: one stands without a list where it may.
FieldValue withMembers(std::string_view field, std::vector<ObjectBox> members);
// True for a field of that name that takes one layer as well as a list: Keras tells the cell of an RNN from a stack of one.
bool mayStandAlone(std::string_view field);
// True for an RNN whose cells stand in a list.
bool isStack(const LayerSpec& layer);
// An RNN's cells as the recurrent layers that do the same one after the other, by the cells' names: the first one has the direction, the
// last one says what comes out.
std::vector<LayerSpec> layersOfCells(const LayerSpec& rnn);
// True where a field of the layer holds the layers within it; false where its class has them of itself.
bool isWrapper(const LayerSpec& layer);
// The fields of a class that list layers, in Keras' weight order; empty for most.
std::vector<std::string> chainFields(std::string_view class_name);

// The layers that own variables: those within it that hold no others, or the layer itself; both of a SpectralNormalization, itself last.
std::vector<LayerSpec> owningLayers(const LayerSpec& layer);

// What a new layer of that class begins with: a value for each field that it requires, so that it fits at once wherever its input does; a
// layer inside it has its own. Empty for a class that is no layer.
Fields startingFields(std::string_view class_name);

}  // namespace engine::spec
