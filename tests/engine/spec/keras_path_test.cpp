#include "engine/spec/catalog/keras_path.h"

#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::spec {
namespace {

ObjectBox inner(const char* class_name, Fields config) {
    return ObjectSpec{class_name, std::move(config)};
}

// The model of tests/data/keras/whole_optimizers.py.
ModelSpec wordModel() {
    ModelSpec model;
    model.name = "net";
    model.input_shape = {4};
    model.layers = {{"Embedding", "words", {{"input_dim", std::int64_t{7}}, {"output_dim", std::int64_t{3}}}},
                    {"LSTM", "rnn", {{"units", std::int64_t{2}}, {"return_sequences", true}}},
                    {"Bidirectional", "both", {{"layer", inner("GRU", {{"units", std::int64_t{2}}, {"return_sequences", true}})}}},
                    {"TimeDistributed", "each", {{"layer", inner("Dense", {{"units", std::int64_t{3}}})}}},
                    {"Flatten", "flatten", {}},
                    {"Dense", "out", {{"units", std::int64_t{2}}}}};
    return model;
}

TEST(KerasPath, NamesVariablesAsKerasDoes) {
    std::ifstream file(std::string(TANDEM_TEST_DATA) + "/keras/whole_optimizers.json");
    const auto keras = nlohmann::json::parse(file).at("paths").get<std::vector<std::string>>();
    const ModelSpec model = wordModel();
    const KerasPaths paths(model);
    std::vector<std::string> ours;
    for (const LayerInfo& info : inferShapes(model)) {
        for (const VariableInfo& variable : info.variables) ours.push_back(paths.of(variable.name));
    }
    EXPECT_EQ(ours, keras);
}

TEST(KerasPath, NamesWhatALayerHasOfItself) {
    ModelSpec model;
    model.layers = {{"SelfAttention", "look", {{"num_heads", std::int64_t{1}}, {"key_dim", std::int64_t{2}}}},
                    {"ConvLSTM2D", "film", {{"filters", std::int64_t{1}}, {"kernel_size", std::int64_t{2}}}},
                    {"RNN", "one", {{"cell", inner("GRUCell", {})}}},
                    {"RNN", "stack", {{"cell", std::vector<ObjectBox>{inner("LSTMCell", {}), inner("LSTMCell", {})}}}}};
    const KerasPaths paths(model);
    EXPECT_EQ(paths.of("look/attention_output/kernel"), "sequential/look/attention_output/kernel");
    EXPECT_EQ(paths.of("film/recurrent_kernel"), "sequential/film/conv_lstm_cell/recurrent_kernel");
    EXPECT_EQ(paths.of("one/cell/gru_cell/kernel"), "sequential/one/gru_cell/kernel");
    EXPECT_EQ(paths.of("stack/cell/lstm_cell_1/bias"), "sequential/stack/stacked_rnn_cells/lstm_cell_1/bias");
}

TEST(SlotShape, DependsOnTheOptimizersForm) {
    using ::testing::Eq;
    using ::testing::Optional;
    const ObjectSpec adafactor{"Adafactor", {}};
    const TrainedVariable kernel{"net/c/kernel", {3, 2, 4, 5}}, bias{"net/c/bias", {5}};
    EXPECT_THAT(slotShape(adafactor, SlotForm::kWithoutLastAxis, kernel), Optional(Eq(Shape{3, 2, 4})));
    EXPECT_THAT(slotShape(adafactor, SlotForm::kWithoutSecondLast, kernel), Optional(Eq(Shape{3, 2, 5})));
    EXPECT_THAT(slotShape(adafactor, SlotForm::kAsVariable, kernel), Optional(Eq(kernel.shape)));
    EXPECT_THAT(slotShape(adafactor, SlotForm::kWithoutLastAxis, bias), Optional(Eq(Shape{})));
    EXPECT_THAT(slotShape(adafactor, SlotForm::kWithoutSecondLast, bias), Optional(Eq(Shape{})));
}

TEST(SlotShape, AdamHasWhatMuonLeavesToIt) {
    const auto isAdams = [](const ObjectSpec& muon, const char* path, Shape shape = {4, 3}) {
        return slotShape(muon, SlotForm::kOfAdam, {path, std::move(shape)}).has_value();
    };
    const ObjectSpec muon{"Muon", {}};
    EXPECT_FALSE(isAdams(muon, "net/dense/kernel"));
    EXPECT_TRUE(isAdams(muon, "net/dense/bias", {3}));
    EXPECT_TRUE(isAdams(muon, "net/conv2d/kernel", {3, 3, 4, 3})) << "only two axes are a matrix";
    EXPECT_TRUE(isAdams(muon, "net/Embedding_1/table"));
    EXPECT_TRUE(isAdams(muon, "net/words/embeddings"));
    EXPECT_FALSE(isAdams({"Muon", {{"exclude_embeddings", false}}}, "net/words/embeddings"));
    const ObjectSpec named{"Muon", {{"exclude_layers", std::vector<std::string>{"out$", "dense_[12]/"}}}};
    EXPECT_TRUE(isAdams(named, "net/dense_2/kernel"));
    EXPECT_FALSE(isAdams(named, "net/dense_3/kernel"));
    EXPECT_FALSE(isAdams(named, "net/out/kernel"));
    EXPECT_EQ(badExpression(named), std::nullopt);
    EXPECT_EQ(badExpression({"Muon", {{"exclude_layers", std::vector<std::string>{"out", "("}}}}), "(");
}

}  // namespace
}  // namespace engine::spec
