// Layers that put values elsewhere, in Keras' order: channels last. Embedding and Masking, which begin a mask, and what makes ids and ones.
#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script::torch {
namespace {

void inKerasOrder(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
}

void writeFlatten(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    writer.say("x = x.flatten(1)");
}

void writeReshape(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    std::string sizes;
    for (const std::int64_t size : place.info.output_shape) sizes += ", " + std::to_string(size);
    writer.say("x = x.reshape(-1" + sizes + ")");
}

void writePermute(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    std::string axes = "0";
    for (const std::int64_t axis : place.settings.getInts("dims")) axes += ", " + std::to_string(axis);
    writer.say("x = x.permute(" + axes + ")");
}

void writeRepeat(ModelWriter& writer, const Place& place) {
    writer.say("x = x[:, None].expand(-1, " + std::to_string(place.settings.getInt("n")) + ", -1)");
}

void writeEmbedding(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    writer.declare("self." + place.name + " = nn.Embedding(" + std::to_string(place.settings.getInt("input_dim")) + ", " +
                   std::to_string(place.settings.getInt("output_dim")) + ")");
    writer.addVariable(place, "embeddings", place.name + ".weight");
    if (place.settings.getBool("mask_zero")) writer.say("mask = x != 0  # the places that count");
    writer.say("x = self." + place.name + "(x.long())");
}

// The weights of the way back, which no chain takes, are kept and not trained.
void writeReversible(ModelWriter& writer, const Place& place) {
    writeEmbedding(writer, place);
    if (place.settings.getBool("tie_weights")) return;
    const std::string name = place.name + "_reverse_embeddings";
    const spec::Shape& shape = place.info.variables.back().shape;
    writer.declare("self.register_buffer(" + spec::pythonText(name) + ", torch.zeros(" + pyTuple(shape) + "))");
    writer.addBuffer(place, "reverse_embeddings", name, "embeddings");
}

void writeEncoded(ModelWriter& writer, const Place& place, std::int64_t depth) {
    const std::string mode = place.settings.getString("output_mode");
    if (mode == "int") return;
    writer.need("encode");
    writer.say("x = encode(x, " + std::to_string(depth) + ", " + spec::pythonText(mode == "tf_idf" ? "count" : mode) + ")");
    if (mode != "tf_idf") return;
    const std::vector<float> weights = spec::idfWeights(place.settings);
    const std::string name = place.name + "_idf_weights";
    writer.declare("self.register_buffer(" + spec::pythonText(name) + ", torch.tensor(" + pyList({weights.begin(), weights.end()}) + "))");
    writer.addVariable(place, "idf_weights", name);
    writer.say("x = x * self." + name);
}

void writeCategoryEncoding(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    writeEncoded(writer, place, place.settings.getInt("num_tokens"));
}

void writeDiscretization(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    const std::vector<double> boundaries = place.settings.getDoubles("bin_boundaries");
    if (boundaries.empty())
        return writer.refuse(place, "expected bin_boundaries, which the program in PyTorch takes from no samples, got none");
    writer.say("x = torch.bucketize(x.contiguous(), torch.tensor(" + pyList(boundaries) + ", device=x.device), right=True).float()");
    writeEncoded(writer, place, static_cast<std::int64_t>(boundaries.size()) + 1);
}

void writeLookup(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    if (place.settings.getInts("vocabulary").empty()) {
        return writer.refuse(place, "expected a vocabulary, which the program in PyTorch takes from no samples, got none");
    }
    const spec::LookupTable table = spec::lookupTable(place.settings);
    if (table.others > 1 && place.settings.getString("oov_method") == "farmhash") {
        return writer.refuse(place, "expected floormod, which the program in PyTorch has, got farmhash");
    }
    writer.need("look_up");
    // Where other values have no place, -1 is none of an Embedding's.
    const bool has_others = table.others > 0;
    writer.say("x = look_up(x, " + pyTuple(table.values) + ", " + pyTuple(table.places) + ", " +
               std::to_string(has_others ? table.otherwise : -1) + ", " + std::to_string(has_others ? table.others : 1) + ")");
    writeEncoded(writer, place, table.size);
}

void writeMasking(ModelWriter& writer, const Place& place) {
    inKerasOrder(writer, place);
    writer.say("mask = (x != " + pyNumber(place.settings.getDouble("mask_value")) + ").any(-1)  # the places that count");
    writer.say("x = x * mask[..., None]");
}

}  // namespace

std::vector<LayerRow> shapeRows() {
    return {{"Flatten", writeFlatten},
            {"Reshape", writeReshape},
            {"Permute", writePermute},
            {"RepeatVector", writeRepeat},
            {"Embedding", writeEmbedding},
            {"ReversibleEmbedding", writeReversible},
            {"CategoryEncoding", writeCategoryEncoding},
            {"Discretization", writeDiscretization},
            {"IntegerLookup", writeLookup},
            {"Masking", writeMasking}};
}

}  // namespace engine::script::torch
