// Residual: its layers are modules of the model, as all others; the input waits under a name of its own until it is added.
#include <algorithm>

#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::script::torch {
namespace {

void writeChain(ModelWriter& writer, const Place& place, const std::string& field) {
    const std::vector<spec::LayerSpec> chain = spec::chainOf(place.layer, field);
    const std::vector<spec::LayerInfo> infos = spec::inferChain(chain, place.info.input_shape, std::nullopt);
    for (std::size_t i = 0; i < chain.size(); ++i) {
        std::string role = chain[i].name.substr(place.layer.name.size());
        std::replace(role.begin(), role.end(), '/', '_');
        writeLayer(
            writer,
            {.layer = chain[i], .info = infos[i], .settings = spec::settingsOf(chain[i]), .name = place.name + role, .path = place.path});
    }
}

void writeResidual(ModelWriter& writer, const Place& place) {
    if (place.info.input_mask) return writer.refuse(place, "expected an input without a mask, got one with a mask");
    const std::size_t rank = place.info.input_shape.size(), output_rank = place.info.output_shape.size();
    const Axes axes = rank == 3 ? Axes::kChannelsFirst : Axes::kChannelsLast;  // as convolutions have images
    const std::string input = place.name + "_input";
    writer.turn(axes, rank);
    writer.say(input + " = x");
    writeChain(writer, place, "layers");
    writer.turn(axes, output_rank);
    if (!spec::chainOf(place.layer, "shortcut").empty()) {
        writer.say("x, " + input + " = " + input + ", x");
        writeChain(writer, place, "shortcut");
        writer.turn(axes, output_rank);
    }
    writer.say("x = x + " + input);
}

}  // namespace

std::vector<LayerRow> residualRows() {
    return {{"Residual", writeResidual}};
}

}  // namespace engine::script::torch
