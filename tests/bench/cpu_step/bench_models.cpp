#include "bench_models.h"

#include <utility>

#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace tests::bench {
namespace {

using engine::spec::LayerSpec;
using engine::spec::ModelSpec;
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
    return {"tutorial", "book", "vgg", "vgg_wide", "lstm"};
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
    } else {
        throw engine::Error(engine::ErrorCode::kNotFound, "model: expected tutorial, book, vgg, vgg_wide or lstm, got " + name);
    }
    return run;
}

}  // namespace tests::bench
