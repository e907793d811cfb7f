// ONNX files: what is written reads back as the same model, what is no chain is refused by the node's name. Numbers beside onnxruntime's
// are tests/interchange/onnx_test.py's.
#include "engine/export/onnx/onnx_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "engine/export/atomic_file.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using tests::support::layer;

struct Store {
    std::string name;
    spec::Shape shape;
    std::vector<float> values;
};

// Every weight of the model, from `first` on by ones.
std::vector<Store> weightsOf(const spec::ModelSpec& model, float first) {
    std::vector<Store> stores;
    for (const spec::LayerInfo& info : spec::inferShapes(model)) {
        for (const spec::VariableInfo& variable : info.variables) {
            std::size_t count = 1;
            for (std::int64_t size : variable.shape) count *= static_cast<std::size_t>(size);
            Store& one = stores.emplace_back(Store{variable.name, variable.shape, std::vector<float>(count)});
            std::iota(one.values.begin(), one.values.end(), first);
            first += static_cast<float>(count);
        }
    }
    return stores;
}

std::string bytesOf(const spec::ModelSpec& model, const std::vector<Store>& stores, std::optional<std::int64_t> batch = std::nullopt) {
    std::vector<VariableView> views;
    for (const Store& one : stores) views.push_back({one.name, one.shape, one.values});
    return onnxBytes(model, views, batch);
}

class OnnxFile : public ::testing::Test {
protected:
    std::filesystem::path write(const std::string& bytes) const {
        const std::filesystem::path file = folder_.path() / "model.onnx";
        writeFileAtomically(file, bytes);
        return file;
    }
    std::string whyRefused(const std::string& bytes, ErrorCode code) const {
        try {
            readOnnxModel(write(bytes));
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code);
            return error.what();
        }
        return "nothing was refused";
    }
    static std::vector<std::string> classes(const spec::ModelSpec& model) {
        std::vector<std::string> names;
        for (const spec::LayerSpec& one : model.layers) names.push_back(one.class_name);
        return names;
    }

    tests::support::TempDir folder_;
};

TEST_F(OnnxFile, BringsTheTutorialsModelBackWithItsWeights) {
    const spec::ModelSpec model = tests::support::tutorialModel("softmax");
    const std::vector<Store> stores = weightsOf(model, 1);
    const std::filesystem::path file = write(bytesOf(model, stores));
    const spec::ModelSpec read = readOnnxModel(file);
    EXPECT_EQ(read.input_shape, model.input_shape);
    EXPECT_THAT(classes(read), ElementsAre("Conv2D", "MaxPooling2D", "Flatten", "Dense", "Dense"));
    EXPECT_EQ(read.layers[0].config.getString("activation", ""), "relu");
    EXPECT_EQ(read.layers[4].config.getString("activation", ""), "softmax");

    std::vector<Store> filled = weightsOf(read, -1e6F);
    std::vector<MutableVariableView> views;
    for (Store& one : filled) views.push_back({one.name, one.shape, one.values});
    readOnnxWeights(file, read, views);
    ASSERT_EQ(filled.size(), stores.size());
    for (std::size_t i = 0; i < stores.size(); ++i) EXPECT_EQ(filled[i].values, stores[i].values) << stores[i].name;
}

TEST_F(OnnxFile, FillsNothingOfAModelWithOtherShapes) {
    const spec::ModelSpec model = tests::support::model({3}, {layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    const std::filesystem::path file = write(bytesOf(model, weightsOf(model, 1)));
    const spec::ModelSpec wider = tests::support::model({3}, {layer("Dense", "mine", {{"units", std::int64_t{4}}})});
    std::vector<Store> filled = weightsOf(wider, 7);
    std::vector<MutableVariableView> views;
    for (Store& one : filled) views.push_back({one.name, one.shape, one.values});
    try {
        readOnnxWeights(file, wider, views);
        ADD_FAILURE() << "nothing was refused";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("mine/kernel: expected the shape (3, 4), got (3, 2) of dense/kernel"));
    }
    EXPECT_EQ(filled.front().values.front(), 7);
    const spec::ModelSpec none = tests::support::model({3}, {layer("Flatten", "flatten")});
    EXPECT_THROW(readOnnxWeights(file, none, {}), Error);
}

TEST_F(OnnxFile, NamesTheNodeThatIsNoChains) {
    // The mask of an Embedding is read from the ids beside the chain.
    const spec::ModelSpec masked = tests::support::model(
        {5}, {layer("Embedding", "words", {{"input_dim", std::int64_t{6}}, {"output_dim", std::int64_t{3}}, {"mask_zero", true}}),
              layer("LSTM", "lstm", {{"units", std::int64_t{2}}})});
    EXPECT_THAT(whyRefused(bytesOf(masked, weightsOf(masked, 0)), ErrorCode::kInvalidArgument),
                HasSubstr("node words:Equal (Equal): expected a chain, in which one node reads input, got 2"));
    // A loop has no layer.
    const spec::ModelSpec looped =
        tests::support::model({4, 3}, {layer("GRU", "gru", {{"units", std::int64_t{2}}, {"activation", std::string("exponential")}})});
    EXPECT_THAT(whyRefused(bytesOf(looped, weightsOf(looped, 0)), ErrorCode::kInvalidArgument),
                HasSubstr("(Scan): expected an operator that a layer stands for, got Scan"));
}

TEST_F(OnnxFile, RefusesWhatIsNoModel) {
    EXPECT_THAT(whyRefused("", ErrorCode::kDataLoss), HasSubstr("model.onnx: expected an ONNX model, got bytes that are none"));
    EXPECT_THAT(whyRefused("no protobuf at all", ErrorCode::kDataLoss), HasSubstr("expected an ONNX model"));
    const spec::ModelSpec model = tests::support::model({3}, {layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    const std::string whole = bytesOf(model, weightsOf(model, 1));
    for (std::size_t size = 0; size < whole.size(); size += 3) {
        EXPECT_THROW(readOnnxModel(write(whole.substr(0, size))), Error) << size;
    }
    EXPECT_THROW(readOnnxModel(folder_.path() / "none.onnx"), Error);
}

TEST_F(OnnxFile, TakesOneNumberOfSamplesOrAny) {
    const spec::ModelSpec model = tests::support::model({3}, {layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    const std::vector<Store> stores = weightsOf(model, 1);
    EXPECT_THAT(bytesOf(model, stores), HasSubstr("batch"));
    EXPECT_THAT(bytesOf(model, stores, 16), testing::Not(HasSubstr("batch")));
    std::vector<Store> fewer = stores;
    fewer.pop_back();
    try {
        static_cast<void>(bytesOf(model, fewer));
        ADD_FAILURE() << "a weight without values was written";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "dense/bias: expected 2 values, got 0");
    }
}

}  // namespace
}  // namespace engine::exporter
