#include "bench_models.h"

#include <utility>

#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace tests::bench {
namespace {

using engine::spec::LayerSpec;
using engine::spec::ModelSpec;
using engine::spec::ObjectSpec;
using tests::support::layer;

LayerSpec conv(const std::string& name, std::int64_t filters, std::int64_t size) {
    return layer("Conv2D", name,
                 {{"filters", filters}, {"kernel_size", size}, {"padding", std::string("same")}, {"activation", std::string("relu")}});
}

LayerSpec dense(const std::string& name, std::int64_t units, const std::string& activation) {
    return layer("Dense", name, {{"units", units}, {"activation", activation}});
}

// Two 5x5 convolutions with pooling, as the book chapter's CNN.
ModelSpec bookModel() {
    return tests::support::model({28, 28, 1}, {conv("conv2d", 32, 5), layer("MaxPooling2D", "max_pooling2d"), conv("conv2d_1", 64, 5),
                                               layer("MaxPooling2D", "max_pooling2d_1"), layer("Flatten", "flatten"),
                                               dense("dense", 500, "relu"), dense("dense_1", 10, "linear")});
}

// Blocks of 3x3 convolutions between poolings on CIFAR-10's pictures.
ModelSpec vggModel(const std::vector<std::vector<std::int64_t>>& blocks, std::int64_t units) {
    std::vector<LayerSpec> layers;
    int convolutions = 0, poolings = 0;
    for (const std::vector<std::int64_t>& block : blocks) {
        for (const std::int64_t filters : block) layers.push_back(conv("conv2d_" + std::to_string(convolutions++), filters, 3));
        layers.push_back(layer("MaxPooling2D", "max_pooling2d_" + std::to_string(poolings++)));
    }
    layers.push_back(layer("Flatten", "flatten"));
    layers.push_back(dense("dense", units, "relu"));
    layers.push_back(dense("dense_1", 10, "linear"));
    return tests::support::model({32, 32, 3}, std::move(layers));
}

using Chain = std::vector<engine::spec::ObjectBox>;

// A layer of a chain, which has no name.
ObjectSpec member(const std::string& class_name, engine::spec::Fields config = {}) {
    return {class_name, std::move(config)};
}

// Without a bias, for a normalisation stands behind it.
engine::spec::Fields plainConv(std::int64_t filters, std::int64_t size, std::int64_t stride) {
    return {{"filters", filters}, {"kernel_size", size}, {"strides", stride}, {"padding", std::string("same")}, {"use_bias", false}};
}

LayerSpec relu(int number) {
    return layer("Activation", "activation_" + std::to_string(number), {{"activation", std::string("relu")}});
}

// Two convolutions beside their input, or beside another convolution of it where the shape changes.
LayerSpec resnetBlock(const std::string& name, std::int64_t filters, std::int64_t stride) {
    const ObjectSpec norm = member("BatchNormalization"), rectified = member("Activation", {{"activation", std::string("relu")}});
    engine::spec::Fields config{{"layers", Chain{member("Conv2D", plainConv(filters, 3, stride)), norm, rectified,
                                                 member("Conv2D", plainConv(filters, 3, 1)), norm}}};
    if (stride != 1) config.set("shortcut", Chain{member("Conv2D", plainConv(filters, 1, stride)), norm});
    return layer("Residual", name, std::move(config));
}

// The starter project's ResNet without its mirrored pictures and penalties.
ModelSpec resnetModel(const std::vector<std::int64_t>& filters_of_stages, int blocks) {
    std::vector<LayerSpec> layers{layer("Conv2D", "conv2d", plainConv(filters_of_stages.front(), 3, 1)),
                                  layer("BatchNormalization", "batch_normalization"), relu(0)};
    std::int64_t before = filters_of_stages.front();
    int residuals = 0;
    for (const std::int64_t filters : filters_of_stages) {
        for (int block = 0; block < blocks; ++block, before = filters) {
            layers.push_back(resnetBlock("residual_" + std::to_string(residuals++), filters, filters == before ? 1 : 2));
            layers.push_back(relu(residuals));
        }
    }
    layers.push_back(layer("GlobalAveragePooling2D", "global_average_pooling2d"));
    layers.push_back(dense("dense", 10, "linear"));
    return tests::support::model({32, 32, 3}, std::move(layers));
}

// The starter project's vision transformer without its mirrored pictures and dropout.
ModelSpec transformerModel(std::int64_t patch, std::int64_t width, int blocks, std::int64_t heads, std::int64_t hidden) {
    constexpr std::int64_t kSide = 32;
    const std::int64_t length = (kSide / patch) * (kSide / patch);
    const ObjectSpec deviation = member("RandomNormal", {{"stddev", 0.02}}), norm = member("LayerNormalization", {{"epsilon", 1e-6}});
    const ObjectSpec attention = member("SelfAttention", {{"num_heads", heads}, {"key_dim", width / heads}});
    const ObjectSpec first = member("Dense", {{"units", hidden}, {"activation", std::string("gelu")}});
    const ObjectSpec second = member("Dense", {{"units", width}});
    std::vector<LayerSpec> layers{
        layer("Conv2D", "patches", {{"filters", width}, {"kernel_size", patch}, {"strides", patch}}),
        layer("Reshape", "sequence", {{"target_shape", std::vector<std::int64_t>{length, width}}}),
        layer("PositionEmbedding", "position_embedding", {{"embeddings_initializer", engine::spec::ObjectBox(deviation)}})};
    for (int block = 0; block < blocks; ++block) {
        const std::string number = std::to_string(block);
        layers.push_back(layer("Residual", "attention_" + number, {{"layers", Chain{norm, attention}}}));
        layers.push_back(layer("Residual", "mlp_" + number, {{"layers", Chain{norm, first, second}}}));
    }
    layers.push_back(layer("LayerNormalization", "layer_normalization", {{"epsilon", 1e-6}}));
    layers.push_back(layer("GlobalAveragePooling1D", "global_average_pooling1d"));
    layers.push_back(dense("dense", 10, "linear"));
    return tests::support::model({kSide, kSide, 3}, std::move(layers));
}

// Words of a text, one after the other.
ModelSpec lstmModel() {
    ModelSpec made = tests::support::model(
        {80}, {layer("Embedding", "embedding", {{"input_dim", std::int64_t{10000}}, {"output_dim", std::int64_t{64}}}),
               layer("LSTM", "lstm", {{"units", std::int64_t{64}}}), dense("dense", 2, "linear")});
    made.input_dtype = "int32";
    return made;
}

}  // namespace

std::vector<std::string> benchModels() {
    return {"tutorial", "book", "vgg", "vgg_wide", "lstm", "resnet20", "transformer"};
}

engine::spec::RunSpec benchRun(const std::string& name) {
    engine::spec::RunSpec run;
    run.compile = tests::support::compileWith({"Adam", {}});
    if (name == "tutorial") {
        run.model = tests::support::tutorialModel();
    } else if (name == "book") {
        run.model = bookModel();
    } else if (name == "vgg") {
        run.model = vggModel({{32, 32}, {64, 64}, {128, 128}}, 128);
    } else if (name == "vgg_wide") {
        run.model = vggModel({{64, 64}, {128, 128}, {256, 256, 256}}, 512);
    } else if (name == "lstm") {
        run.model = lstmModel();
    } else if (name == "resnet20") {
        run.model = resnetModel({16, 32, 64}, 3);
    } else if (name == "transformer") {
        run.model = transformerModel(4, 64, 6, 4, 128);
    } else {
        throw engine::Error(engine::ErrorCode::kNotFound,
                            "model: expected tutorial, book, vgg, vgg_wide, lstm, resnet20 or transformer, got " + name);
    }
    return run;
}

}  // namespace tests::bench
