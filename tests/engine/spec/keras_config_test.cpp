#include "engine/spec/keras/keras_config.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace engine::spec {
namespace {

using testing::HasSubstr;

std::string readSample(const std::string& name) {
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras_files/" + name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// A Sequential of an input and one more layer, as Keras 3 writes it.
std::string sequentialWith(const std::string& layer, const std::string& input = "[null, 4]") {
    return R"({"module": "keras", "class_name": "Sequential", "registered_name": null, "config": {"name": "s", "layers": [
        {"module": "keras.layers", "class_name": "InputLayer", "config": {"batch_shape": )" +
           input + R"(, "dtype": "float32", "name": "in"}, "registered_name": null},)" + layer + "]}}";
}

std::string errorsOf(const KerasConfig& config) {
    std::string text;
    for (const Diagnostic& diagnostic : config.diagnostics) {
        if (diagnostic.severity == Severity::kError) {
            text += toString(diagnostic) + "\n";
        }
    }
    return text;
}

TEST(KerasConfig, ReadsTheJsonOfACompiledModel) {
    const KerasConfig config = parseKerasConfig(readSample("plain_cnn_config.json"));
    EXPECT_EQ(errorsOf(config), "");
    EXPECT_EQ(config.model.name, "plain");
    EXPECT_EQ(config.model.input_shape, (Shape{8, 8, 1}));
    ASSERT_EQ(config.model.layers.size(), 6U);
    EXPECT_EQ(config.model.layers[0].class_name, "Conv2D");
    EXPECT_EQ(config.model.layers[0].name, "conv2d");
    // Only what differs from Keras' defaults.
    EXPECT_EQ(
        config.model.layers[0].config,
        (Fields{
            {"filters", std::int64_t{4}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"padding", "same"}, {"activation", "relu"}}));
    EXPECT_EQ(config.model.layers[4].config, (Fields{{"rate", 0.5}}));
    const ObjectSpec* bias = config.model.layers[3].config.getObject("bias_initializer");
    ASSERT_NE(bias, nullptr);
    EXPECT_EQ(*bias, (ObjectSpec{"Constant", {{"value", 0.1}}}));
    ASSERT_TRUE(config.compile.has_value());
    EXPECT_EQ(config.compile->optimizer, (ObjectSpec{"Adam", {{"learning_rate", 0.01}}}));
    EXPECT_EQ(config.compile->loss, (ObjectSpec{"SparseCategoricalCrossentropy", {{"from_logits", true}}}));
}

// model.to_json() has no optimizer.
TEST(KerasConfig, ReadsTheJsonOfAModelAlone) {
    const KerasConfig config = parseKerasConfig(readSample("plain_cnn.json"));
    EXPECT_EQ(errorsOf(config), "");
    EXPECT_EQ(config.model, parseKerasConfig(readSample("plain_cnn_config.json")).model);
    ASSERT_TRUE(config.compile.has_value());
    EXPECT_EQ(config.compile->optimizer.class_name, "Adam");
    EXPECT_EQ(config.compile->loss, (ObjectSpec{"SparseCategoricalCrossentropy", {{"from_logits", true}}}));
}

TEST(KerasConfig, ReadsWhatItWrites) {
    const KerasConfig first = parseKerasConfig(readSample("plain_cnn_config.json"));
    const KerasConfig again = parseKerasConfig(toKerasConfig(first.model, &*first.compile));
    EXPECT_EQ(errorsOf(again), "");
    EXPECT_EQ(again.model, first.model);
    EXPECT_EQ(again.compile, first.compile);
    const KerasConfig old = parseKerasConfig(toKerasModelConfig(first.model), toKerasTrainingConfig(*first.compile));
    EXPECT_EQ(errorsOf(old), "");
    EXPECT_EQ(old.model, first.model);
    EXPECT_EQ(old.compile, first.compile);
    EXPECT_FALSE(parseKerasConfig(toKerasConfig(first.model, nullptr)).compile.has_value());
}

TEST(KerasConfig, WritesNestedSidesAndOpenSizesAsKerasDoes) {
    ModelSpec model;
    model.input_shape = {8, 8, 3};
    model.layers = {{"ZeroPadding2D", "pad", {{"padding", std::vector<std::int64_t>{1, 2, 0, 3}}}},
                    {"Cropping2D", "crop", {{"cropping", std::vector<std::int64_t>{2}}}},
                    {"Dropout", "dropout", {{"rate", 0.5}, {"noise_shape", std::vector<std::int64_t>{-1, 1, 1, 3}}}},
                    {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    const std::string text = toKerasConfig(model, nullptr);
    std::string packed;
    std::copy_if(text.begin(), text.end(), std::back_inserter(packed), [](char c) { return c != ' ' && c != '\n'; });
    EXPECT_NE(packed.find("\"padding\":[[1,2],[0,3]]"), std::string::npos) << text;
    EXPECT_NE(packed.find("\"cropping\":2"), std::string::npos) << text << "a list of one number is no border there";
    EXPECT_NE(packed.find("\"noise_shape\":[null,1,1,3]"), std::string::npos) << text;
    const KerasConfig again = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(again), "");
    model.layers[1].config.set("cropping", std::int64_t{2});
    EXPECT_EQ(again.model.layers, model.layers);
}

// Keras knows no more of an open size than that it is one, and builds no Flatten or convolution behind it.
TEST(KerasConfig, WritesTheSizesThatAnEinsumDenseLeavesToItsInput) {
    const auto einsum = [](const char* equation, std::vector<std::int64_t> sizes) {
        return ObjectSpec{"EinsumDense", {{"equation", std::string(equation)}, {"output_shape", std::move(sizes)}}};
    };
    const auto layer = [](const ObjectSpec& object, const char* name) { return LayerSpec{object.class_name, name, object.config}; };
    ModelSpec model;
    model.input_shape = {4, 5, 6};
    model.layers = {layer(einsum("abcd,de->abec", {-1, 3, -1}), "heads"),
                    layer(einsum("...x,xy->...y", {7}), "last"),
                    layer(einsum("abc...,bd->adc...", {2, -1}), "first"),
                    {"TimeDistributed", "times", {{"layer", einsum("abc,cd->abd", {-1, 8})}}},
                    {"Residual", "residual", {{"layers", std::vector<ObjectBox>{einsum("abcd,de->abce", {-1, -1, 8})}}}},
                    layer(einsum("abc,cd", {-1, 3}), "wrong"),
                    layer(einsum("abc,cd->abd", {-1, 3}), "behind")};
    const auto layers = nlohmann::json::parse(toKerasConfig(model, nullptr)).at("config").at("layers");
    const auto sizes = [&layers](std::size_t index) { return layers.at(index + 1).at("config").at("output_shape"); };
    EXPECT_EQ(sizes(0), nlohmann::json::array({4, 3, 5}));
    EXPECT_EQ(sizes(1), nlohmann::json::array({7}));
    EXPECT_EQ(sizes(2), nlohmann::json::array({2, 3}));
    EXPECT_EQ(layers.at(4).at("config").at("layer").at("config").at("output_shape"), nlohmann::json::array({3, 8}));
    EXPECT_EQ(layers.at(5).at("config").at("layers").at(0).at("config").at("output_shape"), nlohmann::json::array({2, 3, 8}));
    EXPECT_EQ(sizes(5), nlohmann::json::array({nullptr, 3})) << "of a layer that does not fit nobody knows the sizes";
    EXPECT_EQ(sizes(6), nlohmann::json::array({nullptr, 3}));
    EXPECT_EQ(model.layers[0].config.getInts("output_shape", {}), (std::vector<std::int64_t>{-1, 3, -1}));
}

// Keras asks for them although it has the same defaults; of an initializer it takes no name.
TEST(KerasConfig, WritesWhatKerasAsksForThoughItIsTheDefault) {
    ModelSpec model;
    model.input_shape = {8, 8, 3};
    const ObjectSpec inner_pool{"MaxPooling2D", {{"strides", std::vector<std::int64_t>{1, 1}}, {"padding", "same"}}},
        inner_scale{"Rescaling", {{"scale", 0.5}}};
    model.layers = {{"Rescaling", "rescaling", {{"scale", 2.0}}},
                    {"AveragePooling2D", "pool", {}},
                    {"Residual", "residual", {{"layers", std::vector<ObjectBox>{inner_pool, inner_scale}}}},
                    {"Flatten", "flatten", {}},
                    {"Dense",
                     "dense",
                     {{"units", std::int64_t{2}},
                      {"kernel_initializer", ObjectBox({"Identity", {}})},
                      {"bias_initializer", ObjectBox({"Constant", {}})}}}};
    const std::string text = toKerasConfig(model, nullptr);
    const auto layers = nlohmann::json::parse(text).at("config").at("layers");
    const auto configOf = [&layers](std::size_t index) { return layers.at(index + 1).at("config"); };
    EXPECT_EQ(configOf(0).at("scale"), 2.0);
    EXPECT_EQ(configOf(0).at("offset"), 0.0);
    EXPECT_EQ(configOf(1).at("pool_size"), (std::vector<int>{2, 2}));
    EXPECT_EQ(configOf(2).at("layers").at(0).at("config").at("pool_size"), (std::vector<int>{2, 2}));
    EXPECT_EQ(configOf(2).at("layers").at(1).at("config").at("offset"), 0.0);
    EXPECT_EQ(configOf(4).at("kernel_initializer").at("module"), "keras.initializers");
    EXPECT_EQ(configOf(4).at("kernel_initializer").at("config"), nlohmann::json::object());
    EXPECT_EQ(configOf(4).at("bias_initializer").at("config"), (nlohmann::json{{"value", 0.0}}));
    const KerasConfig again = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(again), "");
    EXPECT_EQ(again.model.layers[0], model.layers[0]);
    EXPECT_EQ(again.model.layers[1], model.layers[1]);
    EXPECT_EQ(again.model.layers[2], model.layers[2]);
}

TEST(KerasConfig, WritesAnActivationThatKerasHasNoNameForAsAFunction) {
    ModelSpec model;
    model.input_shape = {4};
    model.layers = {{"Dense", "dense", {{"units", std::int64_t{2}}, {"activation", "gelu_approximate"}}}};
    const std::string text = toKerasConfig(model, nullptr);
    EXPECT_EQ(nlohmann::json::parse(text).at("config").at("layers").at(1).at("config").at("activation"),
              nlohmann::json::parse(R"({"module": "builtins", "class_name": "function", "config": "gelu_approximate",
                                        "registered_name": "tandem>gelu_approximate"})"));
    EXPECT_EQ(errorsOf(parseKerasConfig(text)), "");
    EXPECT_EQ(parseKerasConfig(text).model.layers, model.layers);
    EXPECT_EQ(parseKerasConfig(toKerasModelConfig(model)).model.layers, model.layers);
}

// Keras has a stack of cells as an object, by a name for each cell and the layer's policy; one cell is none.
TEST(KerasConfig, WritesAndReadsTheCellsOfAnRnn) {
    const ObjectSpec lstm{"LSTMCell", {{"units", std::int64_t{4}}}}, frozen{"LSTMCell", {{"units", std::int64_t{3}}, {"trainable", false}}},
        gru{"GRUCell", {{"units", std::int64_t{5}}}};
    ModelSpec model;
    model.input_shape = {6, 2};
    model.dtype_policy = "mixed_bfloat16";
    model.layers = {{"RNN", "rnn", {{"cell", std::vector<ObjectBox>{lstm, frozen}}, {"return_sequences", true}}},
                    {"RNN", "rnn_1", {{"cell", std::vector<ObjectBox>{gru}}, {"return_sequences", true}}},
                    {"RNN", "rnn_2", {{"cell", ObjectBox(gru)}}}};
    const std::string text = toKerasConfig(model, nullptr);
    auto written = nlohmann::json::parse(text);
    const auto cellOf = [&written](std::size_t index) { return written["config"]["layers"][index + 1]["config"]["cell"]; };
    EXPECT_EQ(cellOf(0).at("class_name"), "StackedRNNCells");
    EXPECT_EQ(cellOf(0).at("module"), "keras.layers");
    EXPECT_EQ(cellOf(0).at("config").at("cells").at(1).at("config").at("name"), "lstm_cell_1");
    EXPECT_EQ(cellOf(0).at("config").at("cells").at(1).at("config").at("dtype").at("config").at("name"), "mixed_bfloat16");
    EXPECT_EQ(cellOf(1).at("config").at("cells").size(), 1U);
    EXPECT_EQ(cellOf(2).at("class_name"), "GRUCell");
    EXPECT_EQ(errorsOf(parseKerasConfig(text)), "");
    EXPECT_EQ(parseKerasConfig(text).model, model);
    EXPECT_EQ(parseKerasConfig(toKerasModelConfig(model)).model, model);

    written["config"]["layers"][1]["config"]["cell"]["config"]["trainable"] = false;
    const ModelSpec read = parseKerasConfig(written.dump()).model;
    EXPECT_FALSE(read.layers[0].config.getObjects("cell").front().get().config.getBool("trainable", true));
}

// As Keras 3.15 writes them.
TEST(KerasConfig, ReadsLayersOfImagesWithTheirPairs) {
    const KerasConfig config = parseKerasConfig(sequentialWith(
        R"({"module": "keras.layers", "class_name": "ContrastLimitedAdaptiveHistogramEqualization", "registered_name": null, "config":
            {"name": "tiles", "trainable": true, "dtype": "float32", "data_format": "channels_last", "value_range": [0.0, 1.0],
             "clip_limit": 2.5, "tile_grid_size": [4, 2]}},
           {"module": "keras.layers", "class_name": "RandomElasticTransform", "registered_name": null, "config":
            {"name": "elastic", "trainable": true, "dtype": "float32", "data_format": "channels_last", "factor": [0.0, 1.0],
             "scale": [0.5, 0.75], "interpolation": "nearest", "fill_mode": "wrap", "fill_value": 0.0, "value_range": [0.0, 1.0], "seed": 3}},
           {"module": "keras.layers", "class_name": "Flatten", "registered_name": null, "config": {"name": "flatten"}},
           {"module": "keras.layers", "class_name": "Dense", "registered_name": null, "config": {"name": "dense", "units": 2}})",
        "[null, 8, 6, 3]"));
    EXPECT_EQ(errorsOf(config), "");
    ASSERT_EQ(config.model.layers.size(), 4U);
    EXPECT_EQ(
        config.model.layers[0].config,
        (Fields{{"value_range", std::vector<double>{0, 1}}, {"clip_limit", 2.5}, {"tile_grid_size", std::vector<std::int64_t>{4, 2}}}));
    EXPECT_EQ(config.model.layers[1].config, (Fields{{"factor", std::vector<double>{0, 1}},
                                                     {"scale", std::vector<double>{0.5, 0.75}},
                                                     {"interpolation", "nearest"},
                                                     {"fill_mode", "wrap"},
                                                     {"value_range", std::vector<double>{0, 1}},
                                                     {"seed", std::int64_t{3}}}));
    EXPECT_EQ(parseKerasConfig(toKerasConfig(config.model, nullptr)).model, config.model);
}

TEST(KerasConfig, TakesIdsOf64Bits) {
    const KerasConfig config = parseKerasConfig(
        R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
            {"class_name": "InputLayer", "config": {"batch_shape": [null, 5], "dtype": "int64", "name": "i"}},
            {"class_name": "Embedding", "config": {"name": "e", "input_dim": 9, "output_dim": 2}}]}})");
    EXPECT_EQ(errorsOf(config), "");
    EXPECT_EQ(config.model.input_dtype, "int32");
}

TEST(KerasConfig, NamesALayerThatTandemLacks) {
    const KerasConfig config = parseKerasConfig(sequentialWith(R"({"class_name": "NoSuchLayer", "config": {"name": "odd_one"}})"));
    EXPECT_THAT(errorsOf(config), HasSubstr("config.layers[1]: odd_one: expected a layer of class"));
    EXPECT_THAT(errorsOf(config), HasSubstr("got NoSuchLayer"));
}

TEST(KerasConfig, IgnoresWhatNewerVersionsAdd) {
    const KerasConfig config = parseKerasConfig(sequentialWith(
        R"({"module": "keras.layers", "class_name": "Dense", "registered_name": null, "build_config": {"input_shape": [null, 4]}, "config": {
            "name": "d", "trainable": true, "dtype": {"module": "keras", "class_name": "DTypePolicy", "config": {"name": "float32"},
            "registered_name": null, "shared_object_id": 140098984895568}, "units": 2, "quantization_config": null, "lora_rank": null,
            "kernel_initializer": {"module": "keras.initializers", "class_name": "GlorotUniform", "config": {"seed": 3, "input_axes": null}}}})"));
    EXPECT_EQ(errorsOf(config), "");
    ASSERT_EQ(config.model.layers.size(), 1U);
    EXPECT_EQ(config.model.layers[0].config, (Fields{{"units", std::int64_t{2}}}));
}

TEST(KerasConfig, TakesTheInputShapeFromWhereItStands) {
    const char* const models[] = {
        R"({"class_name": "Sequential", "config": {"name": "s", "layers": [{"class_name": "InputLayer",
            "config": {"batch_input_shape": [null, 4], "name": "i"}}, {"class_name": "Dense", "config": {"name": "d", "units": 2}}]}})",
        R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
            {"class_name": "Dense", "config": {"name": "d", "units": 2, "batch_input_shape": [null, 4]}}]}})",
        R"({"class_name": "Sequential", "config": {"name": "s", "build_input_shape": [null, 4], "layers": [
            {"class_name": "Dense", "config": {"name": "d", "units": 2}}]}})",
        R"({"class_name": "Sequential", "config": [{"class_name": "Dense", "config": {"name": "d", "units": 2}}],
            "build_config": {"input_shape": [null, 4]}})"};
    for (const char* text : models) {
        const KerasConfig config = parseKerasConfig(text);
        EXPECT_EQ(errorsOf(config), "") << text;
        EXPECT_EQ(config.model.input_shape, (Shape{4})) << text;
        EXPECT_EQ(config.model.layers.size(), 1U) << text;
    }
}

TEST(KerasConfig, TakesAFunctionalChain) {
    const std::string dense = R"({"class_name": "Dense", "name": "d", "config": {"name": "d", "units": 2}, "inbound_nodes": [{"args": [
        {"class_name": "__keras_tensor__", "config": {"shape": [null, 4], "dtype": "float32", "keras_history": ["x", 0, 0]}}], "kwargs": {}}]})";
    const std::string old_dense =
        R"({"class_name": "Dense", "name": "d", "config": {"name": "d", "units": 2}, "inbound_nodes": [[["x", 0, 0, {}]]]})";
    for (const std::string& layer : {dense, old_dense}) {
        const KerasConfig config = parseKerasConfig(
            R"({"class_name": "Functional", "config": {"name": "f", "layers": [)" + layer +
            R"(, {"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 4], "name": "x"}, "inbound_nodes": []}],
                "input_layers": [["x", 0, 0]], "output_layers": [["d", 0, 0]]}})");
        EXPECT_EQ(errorsOf(config), "");
        ASSERT_EQ(config.model.layers.size(), 1U);
        EXPECT_EQ(config.model.layers[0].name, "d");
    }
}

TEST(KerasConfig, RefusesWhatIsNoChain) {
    const KerasConfig config = parseKerasConfig(
        R"({"class_name": "Functional", "config": {"name": "f", "layers": [
            {"class_name": "InputLayer", "name": "x", "config": {"batch_shape": [null, 4], "name": "x"}, "inbound_nodes": []},
            {"class_name": "Dense", "name": "d", "config": {"units": 2}, "inbound_nodes": [[["x", 0, 0, {}], ["x", 0, 0, {}]]]}],
            "output_layers": [["d", 0, 0]]}})");
    EXPECT_THAT(errorsOf(config), HasSubstr("d: expected one input, got 2"));
}

// A policy for most layers and a float32 layer at the end, as Keras wrote them.
TEST(KerasConfig, ReadsAndWritesDtypePolicies) {
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras_training/mixed_bfloat16_config.json");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    const KerasConfig config = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(config), "");
    EXPECT_EQ(config.model.dtype_policy, "mixed_bfloat16");
    ASSERT_EQ(config.model.layers.size(), 5U);
    EXPECT_EQ(config.model.layers[0].config.find("dtype"), nullptr);
    EXPECT_EQ(config.model.layers[4].config.getString("dtype", ""), "float32");

    const std::string written = toKerasConfig(config.model, nullptr);
    EXPECT_THAT(
        written,
        HasSubstr(R"("dtype":{"module":"keras","class_name":"DTypePolicy","config":{"name":"mixed_bfloat16"},"registered_name":null})"));
    EXPECT_EQ(parseKerasConfig(written).model, config.model);
    const std::string legacy = toKerasModelConfig(config.model);
    EXPECT_THAT(legacy, HasSubstr(R"("dtype":"mixed_bfloat16")"));
    EXPECT_EQ(parseKerasConfig(legacy).model, config.model);
}

TEST(KerasConfig, NamesWhatItCannotRead) {
    struct Row {
        const char* name;
        std::string text;
        const char* message;
    };
    const std::vector<Row> rows{
        {"no JSON", "{", "line 1"},
        {"no object", "[1]", "expected a JSON object"},
        {"no model", R"({"class_name": "Subclassed", "config": {}})", "expected a model of class Sequential or Functional, got Subclassed"},
        {"not built", R"({"class_name": "Sequential", "config": {"layers": [{"class_name": "Flatten", "config": {"name": "f"}}]}})",
         "expected an input shape"},
        {"open size", sequentialWith(R"({"class_name": "Flatten", "config": {"name": "f"}})", "[null, null, 3]"),
         "expected fixed sizes behind the batch axis, got [null,null,3]"},
        {"other precision", sequentialWith(R"({"class_name": "Dense", "config": {"name": "d", "units": 2, "dtype": "float64"}})"),
         "d: expected float32, mixed_bfloat16 or mixed_float16, got float64"},
        {"wrong field", sequentialWith(R"({"class_name": "Dense", "config": {"name": "d", "units": 2, "data_format": "channels_first"}})"),
         "channels_first"},
        {"too deep", std::string(100000, '['), "expected at most 64 values within each other"},
    };
    for (const Row& row : rows) {
        const KerasConfig config = parseKerasConfig(row.text);
        const std::string errors = errorsOf(config);
        EXPECT_FALSE(errors.empty()) << row.name;
        if (std::string_view(row.name) != "wrong field") {
            EXPECT_THAT(errors, HasSubstr(row.message)) << row.name;
        } else {
            EXPECT_THAT(errors, HasSubstr("data_format"));
        }
    }
}

// A text that is damaged is read or refused; it never throws.
TEST(KerasConfig, SurvivesDamage) {
    const std::string text = readSample("plain_cnn_config.json");
    constexpr std::string_view kInstead = "0\"{}[],:n ";
    for (std::size_t at = 0; at < text.size(); at += 3) {
        std::string damaged = text;
        damaged[at] = kInstead[at % kInstead.size()];
        EXPECT_NO_THROW(parseKerasConfig(damaged)) << at;
        EXPECT_NO_THROW(parseKerasConfig(text, damaged)) << at;
    }
}

TEST(KerasConfig, ReadsTheFormsOfKeras2) {
    const std::string text = R"({"class_name": "Sequential", "config": {"name": "s", "layers": [
        {"class_name": "InputLayer", "config": {"batch_input_shape": [null, 8, 8, 3], "dtype": "float32"}},
        {"class_name": "SeparableConv2D", "config": {"name": "a", "trainable": true, "dtype": "float32", "filters": 4, "kernel_size": [3, 3],
            "kernel_initializer": {"class_name": "GlorotUniform", "config": {"seed": null}}, "kernel_regularizer": null, "kernel_constraint": null}},
        {"class_name": "LeakyReLU", "config": {"name": "b", "trainable": true, "dtype": "float32", "alpha": 0.20000000298023224}},
        {"class_name": "RandomFlip", "config": {"name": "c", "trainable": true, "dtype": "float32", "mode": "horizontal", "seed": null,
            "rng_type": "stateful"}},
        {"class_name": "Flatten", "config": {"name": "d", "trainable": true, "dtype": "float32"}},
        {"class_name": "Dense", "config": {"name": "e", "trainable": true, "dtype": "float32", "units": 2}}]}, "keras_version": "2.13.1"})";
    const KerasConfig config = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(config), "");
    EXPECT_EQ(config.diagnostics, Diagnostics());
    ASSERT_EQ(config.model.layers.size(), 5U);
    EXPECT_EQ(config.model.layers[1].config.getDouble("negative_slope", 0), 0.2);
}

// None is another window, and another scaling, than the default.
TEST(KerasConfig, KnowsNoneFromWhatIsLeftOut) {
    const std::string text = sequentialWith(R"({"class_name": "STFTSpectrogram", "config": {"name": "a", "frame_length": 4, "window": null,
        "scaling": null, "fft_length": null, "frame_step": null, "data_format": "channels_last"}})",
                                            "[null, 8, 1]");
    const KerasConfig config = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(config), "");
    ASSERT_EQ(config.model.layers.size(), 1U);
    const Fields& fields = config.model.layers[0].config;
    EXPECT_EQ(fields.getString("window", "hann"), "none");
    EXPECT_EQ(fields.getString("scaling", "density"), "none");
    EXPECT_FALSE(fields.find("fft_length"));
    const std::string written = toKerasConfig(config.model, nullptr);
    EXPECT_THAT(written, HasSubstr(R"("window":null)"));
    EXPECT_EQ(parseKerasConfig(written).model, config.model);
}

// Keras 3 makes them with their own arguments and a name alone.
TEST(KerasConfig, WritesNoTrainableOfSpatialDropout) {
    ModelSpec model;
    model.input_shape = {8, 8, 3};
    model.layers = {{"SpatialDropout2D", "spatial_dropout2d", {{"rate", 0.5}, {"trainable", false}}},
                    {"Flatten", "flatten", {}},
                    {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    const std::string text = toKerasConfig(model, nullptr);
    const std::size_t spatial = text.find("SpatialDropout2D"), flatten = text.find("\"Flatten\"");
    ASSERT_LT(spatial, flatten);
    EXPECT_EQ(text.substr(spatial, flatten - spatial).find("trainable"), std::string::npos) << text;
    EXPECT_NE(text.find("trainable", flatten), std::string::npos);
    EXPECT_EQ(errorsOf(parseKerasConfig(text)), "");
}

// None is a value of its own where a default is another; a list without entries is no list of numbers.
TEST(KerasConfig, KeepsWhatNullTurnsOff) {
    const KerasConfig first = parseKerasConfig(readSample("plain_cnn_config.json"));
    CompileSpec compile = *first.compile;
    compile.optimizer = {
        "Muon", {{"learning_rate", 0.5}, {"rms_rate", std::monostate{}}, {"exclude_layers", std::vector<std::string>{"out$", "b"}}}};
    const std::string text = toKerasConfig(first.model, &compile);
    EXPECT_THAT(text, HasSubstr(R"("rms_rate":null)"));
    const KerasConfig again = parseKerasConfig(text);
    EXPECT_EQ(errorsOf(again), "");
    EXPECT_EQ(again.compile->optimizer.config.getDouble("learning_rate", 0), 0.5);
    ASSERT_NE(again.compile->optimizer.config.find("rms_rate"), nullptr);
    EXPECT_EQ(*again.compile->optimizer.config.find("rms_rate"), FieldValue());
    EXPECT_EQ(*again.compile->optimizer.config.find("exclude_layers"), FieldValue(std::vector<std::string>{"out$", "b"}));
    // As Keras writes every field.
    std::string full = text;
    full.replace(full.find("[\"out$\",\"b\"]"), std::string("[\"out$\",\"b\"]").size(), "[]");
    EXPECT_EQ(errorsOf(parseKerasConfig(full)), "");
}

// Another optimizer or loss in its place would train another model; a metric trains nothing.
TEST(KerasConfig, ExchangesNoOptimizerAndNoLoss) {
    const std::string text = readSample("plain_cnn_config.json");
    const auto with = [&](const std::string& class_name, const std::string& other) {
        const std::string named = "\"class_name\": \"" + class_name + "\"";
        std::string changed = text;
        changed.replace(changed.find(named), named.size(), "\"class_name\": \"" + other + "\"");
        return parseKerasConfig(changed);
    };
    for (const char* optimizer : {"MultiOptimizer", "Unheard"}) {
        EXPECT_THAT(errorsOf(with("Adam", optimizer)),
                    HasSubstr(std::string("compile.optimizer: expected SGD, Adam, AdamW, RMSprop, Adagrad, Adadelta, Adamax, Nadam, Ftrl, "
                                          "Lion, Lamb, Adafactor, Muon or ScheduleFreeAdamW, got ") +
                              optimizer));
    }
    EXPECT_THAT(errorsOf(with("SparseCategoricalCrossentropy", "Mine")), HasSubstr("compile.loss: expected "));
}

}  // namespace
}  // namespace engine::spec
