// SimpleRNN, LSTM, GRU, RNN, Bidirectional, TimeDistributed: by cells that are written out in the program (torch_blocks.cpp), since
// PyTorch's own know no masks, no other activations and no dropout of the state. So is SelfAttention, whose weights have Keras' shapes
// there.
#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::script::torch {
namespace {

// The layer inside another one, with the variables that it has there.
Place inner(const Place& outer, const spec::LayerSpec& layer, spec::LayerInfo& info, const std::string& name) {
    info.variables.clear();
    for (const spec::VariableInfo& variable : outer.info.variables) {
        if (variable.name.starts_with(layer.name + "/")) info.variables.push_back(variable);
    }
    return {.layer = layer, .info = info, .settings = spec::settingsOf(layer), .name = name, .path = outer.path};
}

std::string functionOf(ModelWriter& writer, const std::string& activation) {
    const std::string call = activationCall(writer, activation, "x", Axes::kChannelsLast);
    return call.empty() ? "lambda x: x" : "lambda x: " + call;
}

void declareCell(ModelWriter& writer, const Place& place, std::int64_t features) {
    const spec::Settings& settings = place.settings;
    const std::string& kind = place.layer.class_name;
    writer.need("Recurrent");
    writer.need(kind);
    std::string more;
    const auto say = [&](const char* name, const std::string& value) { more += std::string(", ") + name + "=" + value; };
    if (settings.getString("activation") != "tanh") say("activation", functionOf(writer, settings.getString("activation")));
    if (settings.has("recurrent_activation") && settings.getString("recurrent_activation") != "sigmoid") {
        say("recurrent_activation", functionOf(writer, settings.getString("recurrent_activation")));
    }
    if (kind == "GRU" && !settings.getBool("reset_after")) say("reset_after", "False");
    if (!settings.getBool("use_bias")) say("use_bias", "False");
    for (const char* flag : {"return_sequences", "go_backwards", "zero_output_for_mask"}) {
        if (settings.getBool(flag)) say(flag, "True");
    }
    for (const char* rate : {"dropout", "recurrent_dropout"}) {
        if (settings.getDouble(rate) > 0) say(rate, pyNumber(settings.getDouble(rate)));
    }
    writer.declare("self." + place.name + " = " + kind + "(" + std::to_string(features) + ", " + std::to_string(settings.getInt("units")) +
                   more + ")");
    writer.addVariable(place, "kernel", place.name + ".kernel");
    writer.addVariable(place, "recurrent_kernel", place.name + ".recurrent_kernel", {}, "recurrent");
    writer.addVariable(place, "bias", place.name + ".bias");
}

std::string withMask(const Place& place) {
    return place.info.input_mask ? "(x, mask)" : "(x)";
}

void writeRecurrent(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 2);
    declareCell(writer, place, place.info.input_shape.back());
    writer.say("x = self." + place.name + withMask(place));
}

// A module for each cell, one after the other. Behind one that goes backwards the times of the mask are turned, too.
void writeCells(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 2);
    std::int64_t features = place.info.input_shape.back();
    bool is_turned = false;
    for (const spec::LayerSpec& layer : spec::layersOfCells(place.layer)) {
        spec::LayerInfo info;
        const Place one = inner(place, layer, info, place.name + "_" + layer.name.substr(layer.name.rfind('/') + 1));
        declareCell(writer, one, features);
        writer.say("x = self." + one.name + (place.info.input_mask && is_turned ? "(x, mask.flip(1))" : withMask(place)));
        features = one.settings.getInt("units");
        is_turned = is_turned || one.settings.getBool("go_backwards");
    }
}

void writeBidirectional(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 2);
    const std::vector<spec::LayerSpec> both = spec::nestedLayers(place.layer);
    std::vector<std::string> calls;
    for (const spec::LayerSpec& layer : both) {
        spec::LayerInfo info;
        const std::string name = place.name + (calls.empty() ? "_forward" : "_backward");
        const Place one = inner(place, layer, info, name);
        declareCell(writer, one, place.info.input_shape.back());
        const bool turns = one.settings.getBool("return_sequences") && !calls.empty();
        calls.push_back("self." + name + withMask(place) + (turns ? ".flip(1)" : ""));
    }
    const std::string mode = place.settings.getString("merge_mode");
    const std::string a = calls.front(), b = calls.back();
    writer.say("x = " + (mode == "concat" ? "torch.cat([" + a + ", " + b + "], -1)"
                         : mode == "sum"  ? a + " + " + b
                         : mode == "mul"  ? a + " * " + b
                                          : "(" + a + " + " + b + ") / 2"));
}

// Every time of every sample is a sample of its own.
void writeTimeDistributed(ModelWriter& writer, const Place& place) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(place.layer);
    if (place.info.input_mask) return writer.refuse(place, "expected an input without a mask, got one with a mask");
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const spec::LayerSpec& layer = nested.front();
    spec::LayerInfo info;
    info.input_shape.assign(place.info.input_shape.begin() + 1, place.info.input_shape.end());
    info.output_shape.assign(place.info.output_shape.begin() + 1, place.info.output_shape.end());
    const std::string time = std::to_string(place.info.input_shape.front());
    writer.say("x = x.flatten(0, 1)  # every time as a sample of its own");
    writeLayer(writer, inner(place, layer, info, place.name));
    writer.turn(Axes::kChannelsLast, info.output_shape.size());
    writer.say("x = x.unflatten(0, (-1, " + time + "))");
}

void writeAttention(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 2);
    writer.need("SelfAttention");
    const spec::Settings& settings = place.settings;
    const std::int64_t heads = settings.getInt("num_heads"), size = settings.getInt("key_dim");
    const std::int64_t value_size = settings.findInt("value_dim").value_or(size);
    std::string arguments;
    for (const std::int64_t one : {place.info.input_shape.back(), heads, size, value_size}) {
        arguments += (arguments.empty() ? "" : ", ") + std::to_string(one);
    }
    if (!settings.getBool("use_bias")) arguments += ", use_bias=False";
    if (settings.getDouble("dropout") > 0) arguments += ", dropout=" + pyNumber(settings.getDouble("dropout"));
    if (settings.getBool("use_causal_mask")) arguments += ", causal=True";
    writer.declare("self." + place.name + " = SelfAttention(" + arguments + ")");
    for (const char* role : {"query", "key", "value", "attention_output"}) {
        const std::string word = role == std::string_view("attention_output") ? "output" : role;
        writer.addVariable(place, std::string(role) + "/kernel", place.name + "." + word + "_kernel", {}, "kernel");
        writer.addVariable(place, std::string(role) + "/bias", place.name + "." + word + "_bias", {}, "bias");
    }
    writer.say("x = self." + place.name + withMask(place));
}

void writePosition(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, 2);
    const std::string name = place.name + "_embeddings";
    writer.declare("self." + name + " = nn.Parameter(torch.zeros(" + pyTuple(place.info.variables.front().shape) + "))");
    writer.addVariable(place, "embeddings", name);
    writer.say("x = x + self." + name);
}

}  // namespace

std::vector<LayerRow> recurrentRows() {
    return {{"SelfAttention", writeAttention},
            {"PositionEmbedding", writePosition},
            {"SimpleRNN", writeRecurrent},
            {"LSTM", writeRecurrent},
            {"GRU", writeRecurrent},
            {"RNN", writeCells},
            {"Bidirectional", writeBidirectional},
            {"TimeDistributed", writeTimeDistributed}};
}

}  // namespace engine::script::torch
