// SimpleRNN, LSTM, GRU over (time, features): kernel (features, gates * units), recurrent_kernel (units, gates * units), bias. The output
// is the last state (units), or all of them (time, units). Steps that a mask leaves out do not change the state. Multiply-adds of a sample:
// time * gates * units * (features + units).
// RNN over one or more cells of the three kinds, each of which reads the output of the one before it at the same time.
// ConvLSTM over (time, axes, channels) of sequences, images or volumes: an LSTM whose products are convolutions, the state's one padded to
// the same size. kernel (window, channels, 4 filters), recurrent_kernel (window, filters, 4 filters), bias.
#include <algorithm>
#include <iterator>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

enum class Cell { kSimple, kLstm, kGru };
constexpr int kBehindPalette = 1 << 20;  // the place of cells

std::optional<ShapeFault> refuseUnsupported(const Settings& settings) {
    for (const char* flag : {"return_state", "stateful"}) {
        if (settings.getBool(flag)) {
            return ShapeFault{flag, "expected false (not supported), got true"};
        }
    }
    return std::nullopt;
}

std::optional<ShapeFault> expectSequence(const Settings& settings, const LayerInfo& info) {
    if (info.input_shape.size() != 2) {
        return ShapeFault{"", "expected input rank 3 (batch, time and features), got rank " + std::to_string(info.input_shape.size() + 1)};
    }
    if (auto fault = refuseUnsupported(settings)) {
        return fault;
    }
    return expectMask(info, {info.input_shape[0]});
}

std::optional<ShapeFault> inferRecurrent(Cell cell, const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = expectSequence(settings, info)) {
        return fault;
    }
    const std::int64_t time = info.input_shape[0], features = info.input_shape[1], units = settings.getInt("units");
    const std::int64_t columns = units * (cell == Cell::kSimple ? 1 : cell == Cell::kLstm ? 4 : 3);
    const bool returns_sequences = settings.getBool("return_sequences");
    info.output_shape = returns_sequences ? Shape{time, units} : Shape{units};
    if (returns_sequences) {
        info.output_mask = info.input_mask;
    }
    info.variables.push_back({layer.name + "/kernel", {features, columns}});
    info.variables.push_back({layer.name + "/recurrent_kernel", {units, columns}});
    if (settings.getBool("use_bias")) {
        const bool two_rows = cell == Cell::kGru && settings.getBool("reset_after");
        info.variables.push_back({layer.name + "/bias", two_rows ? Shape{2, columns} : Shape{columns}});
    }
    info.multiply_adds = time * columns * (features + units);
    return std::nullopt;
}

std::optional<ShapeFault> inferCells(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectSequence(settingsOf(layer), info)) {
        return fault;
    }
    const std::vector<LayerSpec> cells = chainOf(layer, "cell"), layers = layersOfCells(layer);
    if (cells.empty()) {
        return ShapeFault{"cell", "expected at least one cell, got none"};
    }
    LayerInfo last;
    last.output_shape = info.input_shape;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string word = cells[i].name.substr(cells[i].name.rfind('/') + 1);  // tells two of one class apart
        const LayerDefinition* definition = findLayerDefinition(cells[i].class_name);
        if (const auto faults = checkFields(cells[i].config, definition->schema.fields); !faults.empty()) {
            return ShapeFault{"cell", word + "." + faults.front().field + ": " + faults.front().message};
        }
        LayerInfo one;
        one.input_shape = last.output_shape;
        one.input_mask = info.input_mask;
        if (auto fault = inferNested(layers[i], "cell", word, one)) {
            return fault;
        }
        if (hasTooManyValues(one.output_shape)) {
            return ShapeFault{
                "cell", "expected at most 1e12 values behind each layer, got " + batchShapeText(one.output_shape) + " behind " + word};
        }
        info.variables.insert(info.variables.end(), one.variables.begin(), one.variables.end());
        info.multiply_adds += one.multiply_adds;
        last = std::move(one);
    }
    info.output_shape = last.output_shape;
    info.output_mask = last.output_mask;
    return std::nullopt;
}

template <Axes axes>
std::optional<ShapeFault> inferConvolved(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (info.input_shape.size() != axisCount(axes) + 2) {
        const char* expected = axes == Axes::kVolume  ? "expected input rank 6 (batch, time, planes, rows, columns and channels), got "
                               : axes == Axes::kImage ? "expected input rank 5 (batch, time, rows, columns and channels), got "
                                                      : "expected input rank 4 (batch, time, steps and channels), got ";
        return ShapeFault{"", expected + batchShapeText(info.input_shape)};
    }
    if (auto fault = refuseUnsupported(settings)) {
        return fault;
    }
    const std::int64_t time = info.input_shape.front(), channels = info.input_shape.back(), filters = settings.getInt("filters");
    constexpr std::int64_t kGates = 4;
    const Window window = readConvolution(settings, axes);
    if (auto fault = checkDilation(window)) {
        return fault;
    }
    Extent output{};
    if (auto fault =
            slideWindow({info.input_shape.begin() + 1, info.input_shape.end()}, "kernel_size", window, output, &info.input_shape)) {
        return fault;
    }
    if (auto fault = expectMask(info, {time})) {
        return fault;
    }
    info.output_shape = shapeOf(axes, output, filters);
    if (settings.getBool("return_sequences")) {
        info.output_shape.insert(info.output_shape.begin(), time);
        info.output_mask = info.input_mask;
    }
    const auto kernel = [&](std::int64_t depth) {
        Shape shape = shapeOf(axes, window.size, depth);
        shape.push_back(kGates * filters);
        return shape;
    };
    info.variables.push_back({layer.name + "/kernel", kernel(channels)});
    info.variables.push_back({layer.name + "/recurrent_kernel", kernel(filters)});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {kGates * filters}});
    }
    info.multiply_adds = time * cellsOf(output) * cellsOf(window.size) * kGates * filters * (channels + filters);
    return std::nullopt;
}

// The activation of a state or a gate: functions whose derivative follows from their value.
FieldSchema cellActivationField(std::string name, const char* fallback, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kChoice,
            .fallback = fallback,
            .choices = {"tanh", "sigmoid", "relu", "linear", "hard_sigmoid", "hard_tanh", "elu", "softsign", "exponential"},
            .hint = std::move(hint)};
}

FieldSchema flag(std::string name, bool fallback, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kBool, .fallback = fallback, .hint = std::move(hint)};
}

FieldSchema rate(std::string name, std::string hint) {
    return {.name = std::move(name), .kind = FieldKind::kDouble, .fallback = 0.0, .minimum = 0, .maximum = 1, .hint = std::move(hint)};
}

std::vector<FieldSchema> fieldsOf(Cell cell) {
    std::vector<FieldSchema> fields{
        {.name = "units", .kind = FieldKind::kInt, .required = true, .minimum = 1, .maximum = kMaximumSize, .hint = "Size of the state"},
        cellActivationField("activation", "tanh", "Function of the new state")};
    if (cell != Cell::kSimple) {
        fields.push_back(cellActivationField("recurrent_activation", "sigmoid", "Function of the gates"));
    }
    const std::vector<FieldSchema> common{useBiasField(),
                                          initializerField("kernel_initializer", "GlorotUniform"),
                                          initializerField("recurrent_initializer", "Orthogonal"),
                                          initializerField("bias_initializer", "Zeros"),
                                          regularizerField("kernel_regularizer"),
                                          regularizerField("recurrent_regularizer"),
                                          regularizerField("bias_regularizer"),
                                          regularizerField("activity_regularizer"),
                                          constraintField("kernel_constraint"),
                                          constraintField("recurrent_constraint"),
                                          constraintField("bias_constraint"),
                                          rate("dropout", "Share of the input's features that is dropped, the same at all times"),
                                          rate("recurrent_dropout", "Share of the state's units that each gate does not see"),
                                          seedField(),
                                          flag("return_sequences", false, "The states of all times, not the last one alone"),
                                          flag("return_state", false, "Not supported"),
                                          flag("go_backwards", false, "From the last time to the first"),
                                          flag("stateful", false, "Not supported"),
                                          flag("zero_output_for_mask", false, "Masked steps put out zeros, not the state before them"),
                                          flag("unroll", false, "No effect: the loop is native"),
                                          {.name = "use_cudnn", .kind = FieldKind::kString, .fallback = "auto", .hint = "No effect"}};
    fields.insert(fields.end(), common.begin(), common.end());
    for (FieldSchema& field : fields) {
        if (cell == Cell::kSimple && field.name == "activity_regularizer") field.hint = "No effect";  // as in Keras
    }
    if (cell == Cell::kLstm) {
        fields.push_back(flag("unit_forget_bias", true, "The forget gate's offsets begin with 1"));
    }
    if (cell == Cell::kGru) {
        fields.push_back(flag("reset_after", true, "Reset after the product with the state, as cuDNN does"));
    }
    return fields;
}

// A cell's fields, in Keras' order: a layer's without those that say what becomes of the times.
std::vector<FieldSchema> cellFieldsOf(Cell cell) {
    const std::vector<FieldSchema> all = fieldsOf(cell);
    std::vector<FieldSchema> fields;
    for (const char* name :
         {"units", "activation", "recurrent_activation", "use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer",
          "unit_forget_bias", "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "kernel_constraint",
          "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout", "reset_after", "seed"}) {
        std::copy_if(all.begin(), all.end(), std::back_inserter(fields), [&](const FieldSchema& field) { return field.name == name; });
    }
    return fields;
}

std::vector<FieldSchema> rnnFields() {
    return {{.name = "cell",
             .kind = FieldKind::kLayerList,
             .required = true,
             .choices = {"LSTMCell", "GRUCell", "SimpleRNNCell"},
             .hint = "Each time goes through them one after the other"},
            flag("return_sequences", false, "The states of all times, not the last one alone"),
            flag("return_state", false, "Not supported"),
            flag("go_backwards", false, "From the last time to the first"),
            flag("stateful", false, "Not supported"),
            flag("unroll", false, "No effect: the loop is native"),
            flag("zero_output_for_mask", false, "Masked steps put out zeros, not the state before them")};
}

std::vector<FieldSchema> fieldsOf(Axes axes) {
    FieldSchema size = windowField(axes, "kernel_size", windowHint(axes));
    size.required = true;
    return {filtersField(),
            size,
            stridesField(axes),
            paddingField(),
            dataFormatField(),
            dilationField(axes),
            cellActivationField("activation", "tanh", "Function of the new state"),
            cellActivationField("recurrent_activation", "sigmoid", "Function of the gates"),
            useBiasField(),
            initializerField("kernel_initializer", "GlorotUniform"),
            initializerField("recurrent_initializer", "Orthogonal"),
            initializerField("bias_initializer", "Zeros"),
            flag("unit_forget_bias", true, "The forget gate's offsets begin with 1"),
            regularizerField("kernel_regularizer"),
            regularizerField("recurrent_regularizer"),
            regularizerField("bias_regularizer"),
            regularizerField("activity_regularizer"),
            constraintField("kernel_constraint"),
            constraintField("recurrent_constraint"),
            constraintField("bias_constraint"),
            rate("dropout", "Share of the input's values that each gate does not see, the same at all times"),
            rate("recurrent_dropout", "Share of the state's units that each gate does not see"),
            seedField(),
            flag("return_sequences", false, "The states of all times, not the last one alone"),
            flag("return_state", false, "Not supported"),
            flag("go_backwards", false, "From the last time to the first"),
            flag("stateful", false, "Not supported"),
            flag("zero_output_for_mask", false, "Masked steps put out zeros, not the state before them"),
            flag("unroll", false, "No effect: the loop is native")};
}

template <Axes axes>
LayerDefinition defineConvLstm(const char* class_name, int place) {
    return {.schema = {class_name, LayerCategory::kRecurrent, fieldsOf(axes)},
            .infer = inferConvolved<axes>,
            .mask = MaskRule::kOwn,
            .place = place,
            .is_distributable = true,
            .axes_before_channels = 1};
}

LayerDefinition defineSimpleRnn() {
    return {.schema = {"SimpleRNN", LayerCategory::kRecurrent, fieldsOf(Cell::kSimple)},
            .infer = [](const LayerSpec& layer, LayerInfo& info) { return inferRecurrent(Cell::kSimple, layer, info); },
            .mask = MaskRule::kOwn,
            .place = 460,
            .is_distributable = true};
}

LayerDefinition defineLstm() {
    return {.schema = {"LSTM", LayerCategory::kRecurrent, fieldsOf(Cell::kLstm)},
            .infer = [](const LayerSpec& layer, LayerInfo& info) { return inferRecurrent(Cell::kLstm, layer, info); },
            .mask = MaskRule::kOwn,
            .place = 470,
            .is_distributable = true};
}

LayerDefinition defineGru() {
    return {.schema = {"GRU", LayerCategory::kRecurrent, fieldsOf(Cell::kGru)},
            .infer = [](const LayerSpec& layer, LayerInfo& info) { return inferRecurrent(Cell::kGru, layer, info); },
            .mask = MaskRule::kOwn,
            .place = 480,
            .is_distributable = true};
}

LayerDefinition defineRnn() {
    return {.schema = {"RNN", LayerCategory::kRecurrent, rnnFields()}, .infer = inferCells, .mask = MaskRule::kOwn, .place = 481};
}

LayerDefinition defineCell(Cell cell, const char* class_name) {
    return {.schema = {class_name, LayerCategory::kRecurrent, cellFieldsOf(cell)},
            .infer = [](const LayerSpec& layer, LayerInfo&) -> std::optional<ShapeFault> {
                return ShapeFault{"", "expected an RNN around the cell, got " + layer.class_name + " alone"};
            },
            .place = kBehindPalette,
            .is_cell = true};
}

}  // namespace

std::vector<LayerDefinition> recurrentLayers() {
    return {defineSimpleRnn(),
            defineLstm(),
            defineGru(),
            defineRnn(),
            defineCell(Cell::kSimple, "SimpleRNNCell"),
            defineCell(Cell::kLstm, "LSTMCell"),
            defineCell(Cell::kGru, "GRUCell"),
            defineConvLstm<Axes::kSequence>("ConvLSTM1D", 482),
            defineConvLstm<Axes::kImage>("ConvLSTM2D", 484),
            defineConvLstm<Axes::kVolume>("ConvLSTM3D", 486)};
}

}  // namespace engine::spec::layers
