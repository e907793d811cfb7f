// The table of layers: how each of Keras' is written in PyTorch. Only files of this folder include it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

namespace engine::script::torch {

class ModelWriter;
struct Place;

struct LayerRow {
    std::string_view class_name;
    std::function<void(ModelWriter&, const Place&)> write;
};

std::vector<LayerRow> convolutionRows();
std::vector<LayerRow> normalizationRows();
std::vector<LayerRow> recurrentRows();
std::vector<LayerRow> residualRows();
std::vector<LayerRow> shapeRows();
std::vector<LayerRow> elementRows();  // functions of each value, dropouts, noise

// nullptr for a class that PyTorch has no equal for here.
const LayerRow* findLayerRow(std::string_view class_name);

// Writes a layer behind those before it; a class without a row is refused.
void writeLayer(ModelWriter& writer, const Place& place);

}  // namespace engine::script::torch
