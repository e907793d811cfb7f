#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/field_schema.h"

#include <gtest/gtest.h>

namespace engine::spec {
namespace {

LayerSpec layer(const std::string& class_name, Fields config = {}) {
    return {class_name, class_name + "_under_test", std::move(config)};
}
std::vector<std::int64_t> ints(std::initializer_list<std::int64_t> values) {
    return values;
}
FieldValue number(std::int64_t value) {
    return value;
}

ModelSpec tutorialModel() {
    ModelSpec model;
    model.input_shape = {28, 28, 1};
    model.layers = {{"Conv2D", "conv2d", {{"filters", number(32)}, {"kernel_size", number(3)}, {"activation", "relu"}}},
                    {"MaxPooling2D", "max_pooling2d", {}},
                    {"Flatten", "flatten", {}},
                    {"Dense", "dense", {{"units", number(64)}, {"activation", "relu"}}},
                    {"Dense", "dense_1", {{"units", number(10)}}}};
    return model;
}

TEST(ShapeInference, FollowsTheTutorialsModel) {
    const std::vector<LayerInfo> infos = inferShapes(tutorialModel());
    ASSERT_EQ(infos.size(), 5U);
    EXPECT_EQ(infos[0].output_shape, (Shape{26, 26, 32}));
    EXPECT_EQ(infos[0].parameters, 320);
    EXPECT_EQ(infos[0].multiply_adds, 26 * 26 * 32 * 9);
    EXPECT_EQ(infos[0].activation_bytes, 26 * 26 * 32 * 4);
    EXPECT_EQ(infos[0].variables[0].name, "conv2d/kernel");
    EXPECT_EQ(infos[0].variables[0].shape, (Shape{3, 3, 1, 32}));
    EXPECT_EQ(infos[1].output_shape, (Shape{13, 13, 32}));
    EXPECT_EQ(infos[2].output_shape, (Shape{5408}));
    EXPECT_EQ(infos[3].parameters, 346176);
    EXPECT_EQ(infos[4].output_shape, (Shape{10}));
    EXPECT_EQ(infos[4].parameters, 650);
    EXPECT_EQ(infos[4].variables[1].name, "dense_1/bias");
}

struct Row {
    std::string name;
    Shape input;
    LayerSpec spec;
    Shape output;
    std::int64_t parameters;
};

// Outputs and weights as Keras 3 reports them.
TEST(ShapeInference, GivesKerasShapes) {
    const Row rows[] = {
        {"valid stride 2",
         {28, 28, 3},
         layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(3)}, {"strides", number(2)}}),
         {13, 13, 8},
         224},
        {"same stride 2",
         {28, 27, 3},
         layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(3)}, {"strides", number(2)}, {"padding", "same"}}),
         {14, 14, 8},
         224},
        {"dilated",
         {28, 28, 1},
         layer("Conv2D", {{"filters", number(1)}, {"kernel_size", number(3)}, {"dilation_rate", number(2)}}),
         {24, 24, 1},
         10},
        {"groups", {8, 8, 4}, layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(3)}, {"groups", number(2)}}), {6, 6, 8}, 152},
        {"uneven kernel",
         {8, 9, 1},
         layer("Conv2D", {{"filters", number(2)}, {"kernel_size", ints({1, 3})}, {"use_bias", false}}),
         {8, 7, 2},
         6},
        {"pool", {27, 27, 5}, layer("MaxPooling2D"), {13, 13, 5}, 0},
        {"pool same", {27, 27, 5}, layer("MaxPooling2D", {{"padding", "same"}}), {14, 14, 5}, 0},
        {"pool strides", {27, 27, 5}, layer("MaxPooling2D", {{"pool_size", number(3)}, {"strides", number(1)}}), {25, 25, 5}, 0},
        {"dense on images", {4, 5, 6}, layer("Dense", {{"units", number(7)}}), {4, 5, 7}, 49},
        {"dropout", {4, 5}, layer("Dropout", {{"rate", 0.5}}), {4, 5}, 0},
        {"activation", {4, 5}, layer("Activation", {{"activation", "softmax"}}), {4, 5}, 0},
        {"flatten", {4, 5, 6}, layer("Flatten"), {120}, 0},
    };
    for (const Row& row : rows) {
        ModelSpec model;
        model.input_shape = row.input;
        model.layers = {row.spec};
        const LayerInfo info = inferShapes(model).front();
        EXPECT_TRUE(info.known) << row.name << ": " << info.error;
        EXPECT_EQ(info.output_shape, row.output) << row.name;
        EXPECT_EQ(info.parameters, row.parameters) << row.name;
    }
}

TEST(ShapeInference, StopsAtTheFirstWrongLayer) {
    ModelSpec model = tutorialModel();
    std::swap(model.layers[0], model.layers[2]);
    const std::vector<LayerInfo> infos = inferShapes(model);
    EXPECT_TRUE(infos[0].known);
    EXPECT_FALSE(infos[1].known);
    EXPECT_EQ(infos[1].error, "expected input rank 4 (batch, rows, columns and channels), got (None, 784)");
    EXPECT_EQ(infos[1].error_field, -1);
    EXPECT_FALSE(infos[2].known);
    EXPECT_TRUE(infos[2].error.empty());
}

TEST(ShapeInference, BlamesTheFieldThatIsWrong) {
    struct Fault {
        LayerSpec spec;
        const char* field;
        const char* words;
    };
    const Fault faults[] = {
        {layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(9)}}), "kernel_size", "at most 8 rows"},
        {layer("Conv2D", {{"filters", number(8)}}), "kernel_size", "got nothing"},
        {layer("Conv2D", {{"filters", number(0)}, {"kernel_size", number(3)}}), "filters", "got 0"},
        {layer("Conv2D", {{"filters", 1.5}, {"kernel_size", number(3)}}), "filters", "got 1.5"},
        {layer("Conv2D", {{"filters", number(8)}, {"kernel_size", ints({1, 2, 3})}}), "kernel_size", "got [1, 2, 3]"},
        {layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(3)}, {"groups", number(3)}}), "groups", "got 3"},
        {layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(2)}, {"strides", number(2)}, {"dilation_rate", number(2)}}),
         "dilation_rate", "got 2"},
        {layer("Conv2D", {{"filters", number(8)}, {"kernel_size", number(3)}, {"padding", "causal"}}), "padding", "valid or same"},
        {layer("MaxPooling2D", {{"pool_size", number(9)}}), "pool_size", "at most 8 rows"},
        {layer("Dense", {{"units", "ten"}}), "units", "got \"ten\""},
        {layer("Dense", {{"units", number(3)}, {"activation", "swich"}}), "activation", "got \"swich\""},
        {layer("Dropout", {{"rate", 1.5}}), "rate", "at most 1, got 1.5"},
        {layer("Activation"), "activation", "got nothing"},
    };
    for (const Fault& fault : faults) {
        ModelSpec model;
        model.input_shape = {8, 8, 4};
        model.layers = {fault.spec};
        const LayerInfo info = inferShapes(model).front();
        EXPECT_FALSE(info.known);
        ASSERT_GE(info.error_field, 0) << info.error;
        EXPECT_EQ(findLayerSchema(fault.spec.class_name)->fields[static_cast<std::size_t>(info.error_field)].name, fault.field);
        EXPECT_NE(info.error.find(fault.words), std::string::npos) << info.error;
    }
}

TEST(ShapeInference, NamesTheLayersItKnows) {
    ModelSpec model;
    model.input_shape = {8};
    model.layers = {layer("Dence", {{"units", number(3)}})};
    const std::string error = inferShapes(model).front().error;
    EXPECT_TRUE(error.starts_with("expected a layer of class ")) << error;
    EXPECT_TRUE(error.ends_with(", got Dence")) << error;
    for (const LayerSchema& schema : layerSchemas()) {
        EXPECT_NE(error.find(schema.class_name), std::string::npos) << schema.class_name;
    }
}

TEST(ShapeInference, NeverOverflows) {
    ModelSpec model;
    model.input_shape = {1 << 20, 1 << 20, 1 << 20};
    model.layers = {layer("Flatten")};
    EXPECT_FALSE(inferShapes(model).front().known);
    model.input_shape = {1000, 1000, 1000};
    model.layers = {layer("Dense", {{"units", number(1 << 20)}})};
    EXPECT_FALSE(inferShapes(model).front().known);
    model.input_shape = {};
    model.layers = {layer("Dense", {{"units", number(1)}})};
    EXPECT_FALSE(inferShapes(model).front().known);
    model.input_shape = {0};
    EXPECT_FALSE(inferShapes(model).front().known);
    EXPECT_TRUE(inferShapes(ModelSpec{}).empty());
}

// Keras 3.15's supports_masking.
TEST(ShapeInference, PassesMasksOnWhereKerasDoes) {
    const auto passes = [](const LayerSpec& one) {
        ModelSpec model;
        model.input_shape = {6};
        model.input_dtype = "int32";
        model.layers = {layer("Embedding", {{"input_dim", number(9)}, {"output_dim", number(4)}, {"mask_zero", true}}), one};
        const LayerInfo info = inferShapes(model).back();
        EXPECT_TRUE(info.known) << info.error;
        EXPECT_TRUE(info.input_mask.has_value());
        return info.output_mask.has_value();
    };
    for (const char* name : {"BatchNormalization", "LayerNormalization", "UnitNormalization", "Identity", "LeakyReLU", "PReLU"}) {
        EXPECT_TRUE(passes(layer(name))) << name;
    }
    EXPECT_TRUE(passes(layer("GroupNormalization", {{"groups", number(2)}})));
    for (const char* name : {"RMSNormalization", "Flatten", "MaxPooling1D", "ZeroPadding1D"}) EXPECT_FALSE(passes(layer(name))) << name;
}

TEST(LayerNames, AreKerasSnakeCaseWithNumbers) {
    const std::vector<std::string> taken{"dense", "conv2d", "dense_1"};
    EXPECT_EQ(automaticLayerName("Dense", taken), "dense_2");
    EXPECT_EQ(automaticLayerName("Conv2D", taken), "conv2d_1");
    EXPECT_EQ(automaticLayerName("MaxPooling2D", taken), "max_pooling2d");
    EXPECT_EQ(automaticLayerName("LeakyReLU", {}), "leaky_re_lu");
    EXPECT_EQ(automaticLayerName("LSTM", {}), "lstm");
}

}  // namespace
}  // namespace engine::spec
