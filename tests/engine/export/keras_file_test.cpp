#include "engine/export/keras_file.h"

#include <map>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/atomic_file.h"
#include "engine/export/hdf5_tree.h"
#include "engine/export/keras_layout.h"
#include "engine/export/tensor_bundle.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/near.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

using testing::HasSubstr;

const std::filesystem::path kFiles = std::filesystem::path(TANDEM_TEST_DATA) / "keras_files", kWhole = kFiles / "whole";

// A model with values for every weight and slot.
struct Store {
    explicit Store(const spec::KerasConfig& config) : model(config.model), compile(config.compile.value_or(spec::CompileSpec{})) {
        for (const KerasLayer& layer : kerasLayers(model)) {
            for (const KerasVariable& variable : layer.variables) {
                add(variable.name, variable.shape);
            }
        }
        for (const KerasSlot& slot : kerasSlots(model, compile.optimizer)) {
            add(slot.name, slot.shape);
        }
    }

    void add(const std::string& name, const spec::Shape& shape) {
        std::int64_t count = 1;
        for (const std::int64_t size : shape) {
            count *= size;
        }
        variables.push_back({name, shape, std::vector<float>(static_cast<std::size_t>(count), -77.0F)});
    }
    std::vector<MutableVariableView> targets() {
        std::vector<MutableVariableView> views;
        for (auto& variable : variables) {
            views.push_back({variable.name, variable.shape, variable.values});
        }
        return views;
    }
    CheckpointContents contents(const RestoredState& state) const {
        CheckpointContents all{.model = &model,
                               .optimizer = compile.optimizer,
                               .iterations = state.iterations,
                               .learning_rate = state.learning_rate.value_or(0)};
        for (const auto& variable : variables) {
            all.variables.push_back({variable.name, variable.shape, variable.values});
        }
        return all;
    }
    const std::vector<float>& values(const std::string& name) const {
        for (const auto& variable : variables) {
            if (variable.name == name) {
                return variable.values;
            }
        }
        throw std::out_of_range(name);
    }

    struct Variable {
        std::string name;
        spec::Shape shape;
        std::vector<float> values;
    };
    spec::ModelSpec model;
    spec::CompileSpec compile;
    std::vector<Variable> variables;
};

std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(KerasFile, ReadsModelWeightsAndOptimizerOfEveryFormat) {
    Store first(readKerasModel(kFiles / "plain_cnn.keras"));
    const RestoredState state = readKerasWeights(kFiles / "plain_cnn.keras", first.model, first.compile.optimizer, first.targets());
    EXPECT_EQ(state.iterations, 3);
    EXPECT_FLOAT_EQ(state.learning_rate.value(), 0.01F);
    EXPECT_TRUE(state.missing.empty());
    for (const auto& variable : first.variables) {
        EXPECT_NE(variable.values.front(), -77.0F) << variable.name;
    }
    for (const char* other : {"plain_cnn.weights.h5", "plain_cnn_legacy.h5"}) {
        Store second({.model = first.model, .compile = first.compile});
        const RestoredState again = readKerasWeights(kFiles / other, second.model, second.compile.optimizer, second.targets());
        EXPECT_EQ(again.iterations, 3) << other;
        for (const auto& variable : first.variables) {
            EXPECT_EQ(second.values(variable.name), variable.values) << other << " " << variable.name;
        }
    }
    EXPECT_EQ(readKerasModel(kFiles / "plain_cnn_legacy.h5").model, first.model);
    EXPECT_EQ(readKerasModel(kFiles / "plain_cnn.json").model, first.model);
}

// Made by three versions of Keras 3; one model with the same weights in all, BatchNormalization among its layers.
class EveryKeras : public testing::TestWithParam<const char*> {};

TEST_P(EveryKeras, IsReadWithItsOptimizer) {
    const std::string name = std::string("keras_") + GetParam() + "_cnn";
    const spec::KerasConfig config = readKerasModel(kFiles / (name + ".keras"));
    ASSERT_FALSE(spec::hasErrors(config.diagnostics)) << spec::toString(config.diagnostics.front());
    EXPECT_EQ(readKerasModel(kFiles / (name + "_legacy.h5")).model, config.model);
    ASSERT_TRUE(config.compile.has_value());
    EXPECT_EQ(config.compile->optimizer.class_name, "Adam");
    Store first(config);
    readKerasWeights(kFiles / "keras_3.16_cnn.weights.h5", first.model, first.compile.optimizer, first.targets());
    EXPECT_NE(first.values("batch_normalization/moving_variance").front(), first.values("batch_normalization/gamma").front());
    for (const char* format : {".keras", ".weights.h5", "_legacy.h5"}) {
        Store store(config);
        const RestoredState state = readKerasWeights(kFiles / (name + format), store.model, store.compile.optimizer, store.targets());
        EXPECT_EQ(state.iterations, 3) << format;
        EXPECT_TRUE(state.missing.empty()) << format;
        for (const auto& variable : first.variables) {
            // The versions were trained apart: three steps round differently.
            EXPECT_TRUE(tests::support::isNear(store.values(variable.name), variable.values, 1e-7)) << format << " " << variable.name;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Versions, EveryKeras, testing::Values("3.3.3", "3.10", "3.16"));

TEST(KerasFile, KeepsACellsVariablesInTheCell) {
    spec::ModelSpec model;
    model.input_shape = {7, 3};
    model.layers = {{"LSTM", "memory", {{"units", std::int64_t{2}}, {"return_sequences", true}}},
                    {"GRU", "last", {{"units", std::int64_t{2}}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].groups, (std::vector<std::string>{"layers/lstm/vars", "layers/lstm/cell/vars"}));
    ASSERT_EQ(layers[0].variables.size(), 3U);
    EXPECT_EQ(layers[0].variables[1].name, "memory/recurrent_kernel");
    EXPECT_EQ(layers[0].variables[1].path, "layers/lstm/cell/vars/1");
    EXPECT_EQ(layers[1].variables[2].path, "layers/gru/cell/vars/2");

    model.input_shape = {3, 4, 5, 2};
    model.layers = {{"ConvLSTM2D", "images", {{"filters", std::int64_t{2}}, {"kernel_size", std::vector<std::int64_t>{2, 2}}}}};
    const std::vector<KerasLayer> convolved = kerasLayers(model);
    ASSERT_EQ(convolved.size(), 1U);
    EXPECT_EQ(convolved[0].groups, (std::vector<std::string>{"layers/conv_lstm2d/vars", "layers/conv_lstm2d/cell/vars"}));
    ASSERT_EQ(convolved[0].variables.size(), 3U);
    EXPECT_EQ(convolved[0].variables[1].path, "layers/conv_lstm2d/cell/vars/1");
}

TEST(KerasFile, KeepsTheVariablesOfLayersInsideWhereKerasDoes) {
    spec::ModelSpec model;
    model.input_shape = {7, 3};
    const spec::ObjectSpec cell{"LSTM", {{"units", std::int64_t{2}}, {"return_sequences", true}}};
    const spec::ObjectSpec without_bias{
        "LSTM", {{"units", std::int64_t{2}}, {"return_sequences", true}, {"use_bias", false}, {"go_backwards", true}}};
    model.layers = {{"Bidirectional", "both", {{"layer", cell}, {"backward_layer", without_bias}}},
                    {"TimeDistributed", "each", {{"layer", spec::ObjectSpec{"Dense", {{"units", std::int64_t{2}}}}}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers.size(), 2U);
    EXPECT_EQ(layers[0].groups,
              (std::vector<std::string>{"layers/bidirectional/vars", "layers/bidirectional/forward_layer/vars",
                                        "layers/bidirectional/forward_layer/cell/vars", "layers/bidirectional/backward_layer/vars",
                                        "layers/bidirectional/backward_layer/cell/vars"}));
    ASSERT_EQ(layers[0].variables.size(), 5U);
    EXPECT_EQ(layers[0].variables[2].name, "both/forward_layer/bias");
    EXPECT_EQ(layers[0].variables[2].path, "layers/bidirectional/forward_layer/cell/vars/2");
    EXPECT_EQ(layers[0].variables[4].path, "layers/bidirectional/backward_layer/cell/vars/1");
    ASSERT_EQ(layers[1].variables.size(), 2U);
    EXPECT_EQ(layers[1].variables[1].path, "layers/time_distributed/layer/vars/1");
}

// Keras keeps the kernel twice: it is a variable of the layer around its own layer, too.
TEST(KerasFile, KeepsTheKernelOfASpectralNormalizationTwice) {
    spec::ModelSpec model;
    model.input_shape = {5};
    model.layers = {{"SpectralNormalization", "spectral", {{"layer", spec::ObjectSpec{"Dense", {{"units", std::int64_t{2}}}}}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].groups,
              (std::vector<std::string>{"layers/spectral_normalization/vars", "layers/spectral_normalization/layer/vars"}));
    std::vector<std::string> paths;
    for (const KerasVariable& variable : layers[0].variables) paths.push_back(variable.name + " " + variable.path);
    EXPECT_EQ(paths, (std::vector<std::string>{"spectral/layer/kernel layers/spectral_normalization/layer/vars/0",
                                               "spectral/layer/bias layers/spectral_normalization/layer/vars/1",
                                               "spectral/vector_u layers/spectral_normalization/vars/1"}));
    ASSERT_EQ(layers[0].copies.size(), 1U);
    EXPECT_EQ(layers[0].copies[0].name + " " + layers[0].copies[0].path, "spectral/layer/kernel layers/spectral_normalization/vars/0");
}

// As Keras keeps the lists of the class that exported code defines; in layer.weights what is trained comes first.
TEST(KerasFile, KeepsTheVariablesOfAChainByTheirClasses) {
    spec::ModelSpec model;
    model.input_shape = {8};
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{8}}}}, norm{"BatchNormalization", {}};
    model.layers = {{"Residual",
                     "block",
                     {{"layers", std::vector<spec::ObjectBox>{dense, norm, dense}}, {"shortcut", std::vector<spec::ObjectBox>{dense}}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers.size(), 1U);
    EXPECT_EQ(layers[0].groups, (std::vector<std::string>{"layers/residual/vars", "layers/residual/layers/dense/vars",
                                                          "layers/residual/layers/batch_normalization/vars",
                                                          "layers/residual/layers/dense_1/vars", "layers/residual/shortcut/dense/vars"}));
    ASSERT_EQ(layers[0].variables.size(), 10U);
    EXPECT_EQ(layers[0].variables[4].name, "block/layers/dense_1/kernel");
    EXPECT_EQ(layers[0].variables[4].path, "layers/residual/layers/dense_1/vars/0");
    EXPECT_EQ(layers[0].variables[7].path, "layers/residual/shortcut/dense/vars/1");
    EXPECT_EQ(layers[0].variables[8].name, "block/layers/batch_normalization/moving_mean");
    EXPECT_EQ(layers[0].variables[8].path, "layers/residual/layers/batch_normalization/vars/2");
}

// As Keras keeps a MultiHeadAttention, with the layers in it that have no variables.
TEST(KerasFile, KeepsTheProductsOfAnAttentionByKerasNames) {
    spec::ModelSpec model;
    model.input_shape = {5, 8};
    model.layers = {{"SelfAttention", "attention", {{"num_heads", std::int64_t{2}}, {"key_dim", std::int64_t{3}}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers.size(), 1U);
    const std::string top = "layers/self_attention";
    EXPECT_EQ(layers[0].groups,
              (std::vector<std::string>{top + "/vars", top + "/query_dense/vars", top + "/key_dense/vars", top + "/value_dense/vars",
                                        top + "/output_dense/vars", top + "/_softmax/vars", top + "/_dropout_layer/vars"}));
    ASSERT_EQ(layers[0].variables.size(), 8U);
    EXPECT_EQ(layers[0].variables[6].name, "attention/attention_output/kernel");
    EXPECT_EQ(layers[0].variables[6].path, top + "/output_dense/vars/0");
    EXPECT_EQ(layers[0].variables[6].shape, (spec::Shape{2, 3, 8}));
}

// The classes that exported code defines, saved by Keras and by Keras' own checkpoint of TensorFlow: tests/data/keras_files/residual.py,
// attention.py.
// `name`.keras, `name`_legacy.h5 and `name`_ckpt hold one model after three steps.
void expectOneModelInEveryFile(const std::string& name) {
    const spec::KerasConfig config = readKerasModel(kFiles / (name + ".keras"));
    ASSERT_FALSE(hasErrors(config.diagnostics));
    EXPECT_EQ(readKerasModel(kFiles / (name + "_legacy.h5")).model, config.model);
    EXPECT_EQ(spec::parseKerasConfig(spec::toKerasConfig(config.model, nullptr)).model, config.model);
    EXPECT_EQ(spec::parseKerasConfig(spec::toKerasModelConfig(config.model)).model, config.model);

    Store keras(config);
    const RestoredState state = readKerasWeights(kFiles / (name + ".keras"), keras.model, keras.compile.optimizer, keras.targets());
    EXPECT_EQ(state.iterations, 3);
    EXPECT_TRUE(state.missing.empty());
    const auto expectSame = [&](const Store& other, const std::string& from) {
        for (const auto& variable : keras.variables)
            EXPECT_EQ(other.values(variable.name), variable.values) << from << " " << variable.name;
    };
    Store legacy(config), checkpoint(config);
    readKerasWeights(kFiles / (name + "_legacy.h5"), legacy.model, legacy.compile.optimizer, legacy.targets());
    expectSame(legacy, "the .h5 file");
    EXPECT_TRUE(readTfCheckpoint(kFiles / (name + "_ckpt"), checkpoint.model, checkpoint.targets()).missing.empty());
    expectSame(checkpoint, "the checkpoint");

    const tests::support::TempDir folder;
    for (const char* file : {"out.keras", "out.weights.h5", "out.h5"}) {
        writeKerasFile(folder.path() / file, keras.contents(state), keras.compile);
        Store read(config);
        EXPECT_TRUE(readKerasWeights(folder.path() / file, read.model, read.compile.optimizer, read.targets()).missing.empty());
        expectSame(read, file);
    }
    writeTfCheckpoint(folder.path() / "ckpt", keras.contents(state));
    Store read(config);
    EXPECT_TRUE(readTfCheckpoint(folder.path() / "ckpt", read.model, read.targets()).missing.empty());
    expectSame(read, "ckpt");
}

TEST(KerasFile, ReadsTheSameOfAResidualFromEveryFileAndWritesItSo) {
    expectOneModelInEveryFile("residual");
    EXPECT_EQ(readKerasModel(kFiles / "residual.keras").model.layers[3].config.getObjects("shortcut").size(), 2U);
}

TEST(KerasFile, ReadsTheSameOfAnAttentionFromEveryFileAndWritesItSo) {
    expectOneModelInEveryFile("attention");
    const spec::ModelSpec model = readKerasModel(kFiles / "attention.keras").model;
    EXPECT_EQ(model.layers[2].config, (spec::Fields{{"num_heads", std::int64_t{3}},
                                                    {"key_dim", std::int64_t{2}},
                                                    {"value_dim", std::int64_t{4}},
                                                    {"use_bias", false},
                                                    {"use_causal_mask", true}}));
}

TEST(KerasFile, ReadsTheSameOfSpectrogramsFromEveryFileAndWritesThemSo) {
    expectOneModelInEveryFile("spectrograms/spectrograms");
    const spec::KerasConfig config = readKerasModel(kFiles / "spectrograms" / "spectrograms.keras");
    EXPECT_EQ(config.model.layers[2].config, (spec::Fields{{"mode", std::string("imag")},
                                                           {"frame_length", std::int64_t{4}},
                                                           {"frame_step", std::int64_t{1}},
                                                           {"window", std::string("none")}}));
    Store keras(config);
    readKerasWeights(kFiles / "spectrograms" / "spectrograms.keras", keras.model, keras.compile.optimizer, keras.targets());
    // Of the first frequency, the waves' real parts begin as 1 and the imaginary ones as 0.
    EXPECT_NEAR(keras.values("stft_spectrogram_1/real_kernel").at(3), 1, 0.1);
    EXPECT_NEAR(keras.values("stft_spectrogram_1/imag_kernel").at(3), 0, 0.1);
}

// Weights of a way back that no step changes, with the slots that the optimizer keeps of them: tests/data/keras_files/reversible.
TEST(KerasFile, ReadsTheSameOfAReversibleEmbeddingFromEveryFileAndWritesItSo) {
    expectOneModelInEveryFile("reversible/reversible");
    const spec::ModelSpec model = readKerasModel(kFiles / "reversible" / "reversible.keras").model;
    const spec::Fields& config = model.layers[0].config;
    EXPECT_EQ(config.getInt("input_dim", 0), 6);
    EXPECT_EQ(config.getInt("output_dim", 0), 3);
    EXPECT_TRUE(config.getBool("mask_zero", false));
    EXPECT_FALSE(config.getBool("tie_weights", true));
    EXPECT_EQ(config.getString("reverse_dtype", ""), "float32");
    EXPECT_EQ(config.getDouble("logit_soft_cap", 0), 30);
    const std::vector<KerasLayer> layers = kerasLayers(model);
    ASSERT_EQ(layers[0].variables.size(), 2U);
    EXPECT_EQ(layers[0].variables[1].name, "reversible_embedding/reverse_embeddings");
    EXPECT_EQ(layers[0].variables[1].path, "layers/reversible_embedding/vars/1");
    EXPECT_EQ(layers[0].variables[1].shape, (spec::Shape{3, 6}));
    EXPECT_TRUE(layers[0].variables[1].trainable);
}

// Cells in an RNN, alone and in stacks: tests/data/keras_files/cells.py. Nothing but the optimizer leads to a stack's in the checkpoint.
TEST(KerasFile, ReadsTheSameOfCellsFromEveryFileAndWritesThemSo) {
    expectOneModelInEveryFile("cells");
    const spec::ModelSpec model = readKerasModel(kFiles / "cells.keras").model;
    EXPECT_EQ(model.layers[0].config.getObjects("cell").size(), 3U);
    ASSERT_NE(model.layers[2].config.getObject("cell"), nullptr) << "one cell is no stack";
    EXPECT_EQ(model.layers[3].config.getObjects("cell").size(), 1U) << "a stack of one";
}

TEST(KerasFile, KeepsTheCellsOfAnRnnByKerasNames) {
    const spec::ObjectSpec cell{"LSTMCell", {{"units", std::int64_t{3}}}};
    spec::ModelSpec model;
    model.input_shape = {5, 4};
    model.layers = {{"RNN", "rnn", {{"cell", std::vector<spec::ObjectBox>{cell, cell}}, {"return_sequences", true}}},
                    {"RNN", "rnn_1", {{"cell", spec::ObjectBox(cell)}}}};
    const std::vector<KerasLayer> layers = kerasLayers(model);
    EXPECT_EQ(layers[0].groups, (std::vector<std::string>{"layers/rnn/vars", "layers/rnn/cell/vars", "layers/rnn/cell/cells/lstm_cell/vars",
                                                          "layers/rnn/cell/cells/lstm_cell_1/vars"}));
    EXPECT_EQ(layers[0].variables[5].name, "rnn/cell/lstm_cell_1/bias");
    EXPECT_EQ(layers[0].variables[5].path, "layers/rnn/cell/cells/lstm_cell_1/vars/2");
    EXPECT_EQ(layers[1].groups, (std::vector<std::string>{"layers/rnn_1/vars", "layers/rnn_1/cell/vars"}));
    EXPECT_EQ(layers[1].variables[0].path, "layers/rnn_1/cell/vars/0");
}

// What adapt() took, and a count that is a whole number there: tests/data/keras_files/adapted.py.
TEST(KerasFile, ReadsTheSameOfAnAdaptedLayerFromEveryFileAndWritesItSo) {
    expectOneModelInEveryFile("adapted");
    const spec::KerasConfig config = readKerasModel(kFiles / "adapted.keras");
    Store keras(config);
    const RestoredState state = readKerasWeights(kFiles / "adapted.keras", keras.model, keras.compile.optimizer, keras.targets());
    EXPECT_EQ(state.iterations, 3);
    EXPECT_GT(keras.values("normalization/mean").front(), 1);
    EXPECT_EQ(keras.values("normalization/count"), std::vector<float>{0});

    const tests::support::TempDir folder;
    writeTfCheckpoint(folder.path() / "ckpt", keras.contents(state));
    const BundleReader bundle(folder.path() / "ckpt");
    std::vector<BundleType> counts;
    for (const BundleReader::Entry& entry : bundle.entries()) {
        if (entry.name.find("/count/") != std::string::npos) counts.push_back(entry.type);
    }
    EXPECT_EQ(counts, std::vector<BundleType>{BundleType::kInt64});
}

// Keras keeps boundaries in the model, a vocabulary beside it and the weights of tf_idf among the model's: tests/data/keras_files/taken.py.
TEST(KerasFile, ReadsWhatKerasTookFromSamples) {
    const spec::ModelSpec buckets = readKerasModel(kFiles / "taken_buckets.keras").model;
    ASSERT_EQ(buckets.layers.size(), 2U);
    EXPECT_EQ(buckets.layers[0].config.find("num_bins"), nullptr);
    const std::vector<double> boundaries = buckets.layers[0].config.getDoubles("bin_boundaries", {});
    ASSERT_EQ(boundaries.size(), 3U);
    EXPECT_NEAR(boundaries[0], -1.04792655, 1e-6);

    Store words(readKerasModel(kFiles / "taken_words.keras"));
    const spec::Fields& config = words.model.layers[0].config;
    EXPECT_EQ(config.getInts("vocabulary", {}), (std::vector<std::int64_t>{-1, -1, 3, 1, 5, 8}));
    const std::vector<double> idf = config.getDoubles("idf_weights", {});
    ASSERT_EQ(idf.size(), 6U);
    EXPECT_NEAR(idf[2], 1.0986123, 1e-6);
    readKerasWeights(kFiles / "taken_words.keras", words.model, words.compile.optimizer, words.targets());
    EXPECT_NEAR(words.values(words.model.layers[0].name + "/idf_weights")[4], 1.3499267F, 1e-6);
    EXPECT_NE(words.values(words.model.layers[1].name + "/kernel")[0], -77.0F);

    // Without max_tokens the vocabulary alone says how long a row is.
    const spec::KerasConfig read = readKerasModel(kFiles / "taken_open.keras");
    ASSERT_FALSE(hasErrors(read.diagnostics)) << toString(read.diagnostics.front());
    Store open(read);
    EXPECT_EQ(open.model.layers[0].config.getInts("vocabulary", {}), (std::vector<std::int64_t>{-1, 4, 8, 5, 2, 7, 6, 3, 1, 0}));
    readKerasWeights(kFiles / "taken_open.keras", open.model, open.compile.optimizer, open.targets());
    EXPECT_EQ(open.values(open.model.layers[1].name + "/kernel").size(), 20U);
    EXPECT_NE(open.values(open.model.layers[1].name + "/kernel")[0], -77.0F);
}

spec::ModelSpec behindA(spec::LayerSpec first) {
    spec::ModelSpec model;
    model.input_shape = {3};
    model.layers = {std::move(first), {"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    return model;
}

// Such a layer has variables in a run, and fields in a file that has the model: both give the other.
TEST(KerasFile, WritesWhatAFirstLayerTookIntoItsFields) {
    using Taken = std::map<std::string, std::vector<float>>;
    const spec::Fields lookup{{"max_tokens", std::int64_t{5}}, {"mask_token", std::int64_t{4}}, {"num_oov_indices", std::int64_t{2}}};
    spec::Fields weighted = lookup;
    weighted.set("output_mode", std::string("tf_idf"));
    weighted.set("pad_to_max_tokens", true);
    const std::pair<spec::LayerSpec, Taken> cases[] = {
        {{"Discretization", "first", {{"num_bins", std::int64_t{4}}}}, {{"first/boundaries", {-1, 0.5F, 2}}}},
        {{"IntegerLookup", "first", lookup}, {{"first/values", {-7, 4, 9}}, {"first/places", {4, 0, 3}}}},
        {{"IntegerLookup", "first", weighted},
         {{"first/values", {-7, 4, 9, 33554432}}, {"first/places", {3, -1, 2, 0}}, {"first/idf_weights", {0.5F, 0.5F, 0.25F, 0.75F, 0}}}}};
    for (const auto& [layer, taken] : cases) {
        const tests::support::TempDir folder;
        Store run({.model = behindA(layer), .compile = std::nullopt});
        for (auto& variable : run.variables) {
            if (taken.contains(variable.name)) variable.values = taken.at(variable.name);
        }
        for (const char* name : {"whole.keras", "old.h5", "alone.weights.h5"}) {
            SCOPED_TRACE(layer.class_name + " " + name);
            const auto file = folder.path() / name;
            writeKerasFile(file, run.contents({}), run.compile);
            Store again({.model = run.model, .compile = std::nullopt});
            readKerasWeights(file, again.model, again.compile.optimizer, again.targets());
            for (const auto& [variable, values] : taken) EXPECT_EQ(again.values(variable), values) << variable;
            EXPECT_EQ(again.values("dense/kernel"), run.values("dense/kernel"));
            if (std::string(name).ends_with(".weights.h5")) continue;
            // The file's own model takes nothing any more, and has no variables but the weights of tf_idf.
            Store given(readKerasModel(file));
            EXPECT_EQ(given.variables.front().name, layer.config.find("output_mode") == nullptr ? "dense/kernel" : "first/idf_weights");
            readKerasWeights(file, given.model, given.compile.optimizer, given.targets());
            EXPECT_EQ(given.values("dense/kernel"), run.values("dense/kernel"));
            const spec::Fields& config = given.model.layers[0].config;
            if (layer.class_name == "Discretization") {
                EXPECT_EQ(config.getDoubles("bin_boundaries", {}), (std::vector<double>{-1, 0.5, 2}));
            } else {
                EXPECT_EQ(config.getInts("vocabulary", {}), (std::vector<std::int64_t>{9, -7}));
            }
            if (layer.config.find("output_mode") == nullptr) continue;
            EXPECT_EQ(config.getDoubles("idf_weights", {}), (std::vector<double>{0.25, 0.75}));
            EXPECT_EQ(given.values("first/idf_weights"), taken.at("first/idf_weights"));
        }
    }
}

// Keras keeps the vocabulary of an adapted layer in a file of the archive, Tandem in the configuration:
// tests/data/keras_files/texts/texts.py.
TEST(KerasFile, HasTheVocabularyOfALayerThatTakesTexts) {
    const spec::KerasConfig places = readKerasModel(kFiles / "texts/places.keras");
    ASSERT_FALSE(hasErrors(places.diagnostics));
    EXPECT_THAT(spec::textTable(places.model.layers.front()).tokens,
                testing::ElementsAre("film", "see", "no", "a", "\u6620\u753b", "\u00dcnsagbar", "to", "the", "saw", "nobody"));
    const tests::support::TempDir folder;
    for (const std::string name : {"places", "rows", "lookup", "open_rows", "open_lookup"}) {
        SCOPED_TRACE(name);
        const spec::KerasConfig config = readKerasModel(kFiles / "texts" / (name + ".keras"));
        Store keras(config);
        const RestoredState state =
            readKerasWeights(kFiles / "texts" / (name + ".keras"), keras.model, keras.compile.optimizer, keras.targets());
        EXPECT_EQ(state.iterations, 2);
        writeKerasFile(folder.path() / "out.keras", keras.contents(state), keras.compile);
        const spec::KerasConfig written = readKerasModel(folder.path() / "out.keras");
        const spec::LayerSpec &before = config.model.layers.front(), &after = written.model.layers.front();
        EXPECT_EQ(spec::textTable(after).tokens, spec::textTable(before).tokens);
        EXPECT_TRUE(tests::support::isNear(spec::textWeights(after), spec::textWeights(before), 1e-6));
        EXPECT_EQ(spec::textWeights(after).size(), name == "rows" ? 15U : name == "open_rows" ? 23U : 0U);
        Store read(written);
        readKerasWeights(folder.path() / "out.keras", read.model, read.compile.optimizer, read.targets());
        EXPECT_EQ(read.values(config.model.layers.back().name + "/kernel"), keras.values(config.model.layers.back().name + "/kernel"));
    }
    const std::vector<KerasLayer> layers = kerasLayers(places.model);
    EXPECT_EQ(layers.front().groups,
              (std::vector<std::string>{"layers/text_vectorization/vars", "layers/text_vectorization/_lookup_layer/vars"}));
    EXPECT_TRUE(layers.front().variables.empty());
}

TEST(KerasFile, SaysWhatTheVocabularyLacks) {
    auto members = readZip(readFile(kFiles / "texts/rows.keras"), "rows.keras");
    const std::string vocabulary = "assets/layers/text_vectorization/vocabulary.txt";
    std::string& texts = members.at(vocabulary);
    for (int i = 0; i < 20; ++i) texts += "\nmore" + std::to_string(i);
    const tests::support::TempDir folder;
    const std::filesystem::path file = folder.path() / "more.keras";
    writeFileAtomically(file, writeZip({members.begin(), members.end()}));
    try {
        readKerasModel(file);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(),
                    HasSubstr("more.keras: expected layers/text_vectorization/vars/idf_weights with a number for each of the 35 "
                              "texts of the vocabulary, got others"));
    }
    members.erase(vocabulary);
    writeFileAtomically(file, writeZip({members.begin(), members.end()}));
    EXPECT_FALSE(spec::hasVocabulary(readKerasModel(file).model.layers.front())) << "the training texts give one";
}

// Optimizers whose variables have other shapes than the weights, or stand beside some alone: tests/data/keras_files/whole/whole.py.
TEST(KerasFile, ReadsSlotsOfEveryShapeFromEveryFileAndWritesThemSo) {
    for (const std::string name : {"adafactor", "muon"}) {
        SCOPED_TRACE(name);
        const spec::KerasConfig config = readKerasModel(kWhole / (name + ".keras"));
        ASSERT_FALSE(hasErrors(config.diagnostics));
        Store keras(config), checkpoint(config);
        const RestoredState state = readKerasWeights(kWhole / (name + ".keras"), keras.model, keras.compile.optimizer, keras.targets());
        EXPECT_EQ(state.iterations, 3);
        EXPECT_TRUE(state.missing.empty());
        const auto expectSame = [&](const Store& other, const std::string& from) {
            for (const auto& variable : keras.variables)
                EXPECT_EQ(other.values(variable.name), variable.values) << from << " " << variable.name;
        };
        EXPECT_TRUE(readTfCheckpoint(kWhole / (name + "_ckpt"), checkpoint.model, checkpoint.targets()).missing.empty());
        expectSame(checkpoint, "checkpoint");
        const tests::support::TempDir folder;
        for (const char* file : {"out.keras", "out.weights.h5", "out.h5"}) {
            writeKerasFile(folder.path() / file, keras.contents(state), keras.compile);
            Store read(config);
            EXPECT_TRUE(readKerasWeights(folder.path() / file, read.model, read.compile.optimizer, read.targets()).missing.empty());
            expectSame(read, file);
        }
        writeTfCheckpoint(folder.path() / "ckpt", keras.contents(state));
        Store read(config);
        EXPECT_TRUE(readTfCheckpoint(folder.path() / "ckpt", read.model, read.targets()).missing.empty());
        expectSame(read, "ckpt");
        // A key for a key, as Keras 3.15 has them; moving averages have a list of their own here.
        if (config.compile->optimizer.config.getBool("use_ema", false)) continue;
        std::set<std::string> ours;
        for (const BundleEntry& entry : listTfCheckpoint(folder.path() / "ckpt")) ours.insert(entry.key);
        for (const BundleEntry& entry : listTfCheckpoint(kWhole / (name + "_ckpt"))) {
            EXPECT_TRUE(!entry.key.starts_with("optimizer/_variables/") || ours.contains(entry.key)) << entry.key;
        }
    }
}

TEST(KerasFile, SlotsHaveTheShapesThatTheOptimizerGivesThem) {
    const spec::ModelSpec model = readKerasModel(kWhole / "adafactor.keras").model;
    std::map<std::string, spec::Shape> of_adafactor, of_muon;
    for (const KerasSlot& slot : kerasSlots(model, {"Adafactor", {}})) of_adafactor[slot.name] = slot.shape;
    for (const KerasSlot& slot : kerasSlots(model, {"Muon", {{"exclude_layers", std::vector<std::string>{"out"}}}}))
        of_muon[slot.name] = slot.shape;
    EXPECT_EQ(of_adafactor.at("conv/kernel:r"), (spec::Shape{2, 3}));
    EXPECT_EQ(of_adafactor.at("conv/kernel:c"), (spec::Shape{2, 2}));
    EXPECT_EQ(of_adafactor.at("conv/bias:r"), spec::Shape{});
    EXPECT_TRUE(of_muon.contains("out/kernel:v") && of_muon.contains("words/embeddings:v") && of_muon.contains("conv/kernel:v"));
    EXPECT_FALSE(of_muon.contains("dense/kernel:v"));
}

TEST(KerasFile, ReadsWhatItWrites) {
    Store written(readKerasModel(kFiles / "plain_cnn.keras"));
    RestoredState state;
    state.iterations = 469;
    state.learning_rate = 1e-4F;
    float next = 0;
    for (auto& variable : written.variables) {
        for (float& value : variable.values) {
            value = next += 0.25F;
        }
    }
    const tests::support::TempDir folder;
    for (const char* name : {"out.keras", "out.weights.h5", "out.h5"}) {
        const auto file = folder.path() / name;
        EXPECT_GT(writeKerasFile(file, written.contents(state), written.compile), 0);
        Store read({.model = written.model, .compile = written.compile});
        const RestoredState again = readKerasWeights(file, read.model, read.compile.optimizer, read.targets());
        EXPECT_EQ(again.iterations, 469) << name;
        EXPECT_EQ(again.learning_rate, 1e-4F) << name;
        EXPECT_TRUE(again.missing.empty()) << name;
        for (const auto& variable : written.variables) {
            EXPECT_EQ(read.values(variable.name), variable.values) << name << " " << variable.name;
        }
        if (std::string_view(name) != "out.weights.h5") {
            const spec::KerasConfig config = readKerasModel(file);
            EXPECT_EQ(config.model, written.model) << name;
            EXPECT_EQ(config.compile, written.compile) << name;
        }
    }
    EXPECT_THAT(messageOf([&] { readKerasModel(folder.path() / "out.weights.h5"); }), HasSubstr("got weights alone"));
    EXPECT_THAT(messageOf([&] { writeKerasFile(folder.path() / "out.npy", written.contents(state), written.compile); }),
                HasSubstr("expected a name that ends in .weights.h5, .keras, .h5 or .npz"));
}

TEST(KerasFile, LaysVariablesOutLikeKeras) {
    const spec::KerasConfig config = readKerasModel(kFiles / "plain_cnn.keras");
    Store store(config);
    const RestoredState state = readKerasWeights(kFiles / "plain_cnn.weights.h5", store.model, store.compile.optimizer, store.targets());
    const tests::support::TempDir folder;
    writeKerasFile(folder.path() / "own.weights.h5", store.contents(state), store.compile);
    const Hdf5Node own = readHdf5(readFile(folder.path() / "own.weights.h5"), "own");
    const Hdf5Node theirs = readHdf5(readFile(kFiles / "plain_cnn.weights.h5"), "theirs");
    EXPECT_EQ(writeHdf5(own), writeHdf5(theirs)) << "the same groups, names, values and attributes";
}

TEST(KerasFile, KeepsTheScaleOfALossScaleOptimizer) {
    const tests::support::TempDir folder;
    const spec::KerasConfig theirs = readKerasModel(kFiles / "scaled.keras");
    for (const char* name : {"scaled.keras", "scaled.h5", "scaled.weights.h5"}) {
        SCOPED_TRACE(name);
        const bool has_model = std::string_view(name) != "scaled.weights.h5";
        const spec::KerasConfig config = has_model ? readKerasModel(kFiles / name) : theirs;
        ASSERT_TRUE(config.compile.has_value());
        EXPECT_EQ(config.compile->optimizer.class_name, "Adam");
        EXPECT_EQ(config.compile->loss_scale, (spec::LossScaleSpec{0x1.0p125, 3}));
        const auto read = [&](const std::filesystem::path& file) {
            Store store(config);
            store.add(std::string(spec::kDynamicScale), {1});
            store.add(std::string(spec::kStepCounter), {1});
            const RestoredState state = readKerasWeights(file, store.model, store.compile.optimizer, store.targets());
            EXPECT_TRUE(state.missing.empty());
            EXPECT_EQ(state.iterations, 12);
            EXPECT_EQ(state.learning_rate, 0.05F);
            EXPECT_EQ(store.values(std::string(spec::kDynamicScale)).front(), 0x1.0p118F);
            EXPECT_EQ(store.values(std::string(spec::kStepCounter)).front(), 2);
            writeKerasFile(folder.path() / name, store.contents(state), store.compile);
            return store.variables;
        };
        const auto first = read(kFiles / name), again = read(folder.path() / name);
        for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].values, again[i].values) << first[i].name;
        if (has_model) {
            EXPECT_EQ(readKerasModel(folder.path() / name).compile, config.compile);
        } else {
            const Hdf5Node own = readHdf5(readFile(folder.path() / name), "own"), keras = readHdf5(readFile(kFiles / name), "theirs");
            EXPECT_TRUE(writeHdf5(own) == writeHdf5(keras)) << "the same groups, names, values and attributes";
        }
    }
}

// What a file without a scale leaves open begins anew.
TEST(KerasFile, SaysThatAScaleIsMissing) {
    Store store(readKerasModel(kFiles / "plain_cnn.keras"));
    store.add(std::string(spec::kDynamicScale), {1});
    store.add(std::string(spec::kStepCounter), {1});
    const RestoredState state = readKerasWeights(kFiles / "plain_cnn.keras", store.model, store.compile.optimizer, store.targets());
    EXPECT_THAT(state.missing, testing::UnorderedElementsAre(std::string(spec::kDynamicScale), std::string(spec::kStepCounter)));
    EXPECT_EQ(store.values(std::string(spec::kDynamicScale)).front(), -77.0F);
}

TEST(KerasFile, SkipsTheStateOfAnotherOptimizer) {
    Store store(readKerasModel(kFiles / "plain_cnn.keras"));
    Store other({.model = store.model, .compile = store.compile});
    other.compile.optimizer = {"SGD", {{"momentum", 0.9}}};
    Store sgd({.model = other.model, .compile = other.compile});
    const RestoredState state = readKerasWeights(kFiles / "plain_cnn.keras", sgd.model, sgd.compile.optimizer, sgd.targets());
    EXPECT_EQ(state.missing.size(), 6U);
    EXPECT_EQ(sgd.values("dense/kernel:momentum").front(), -77.0F);
    EXPECT_NE(sgd.values("dense/kernel").front(), -77.0F);
}

class WrongModel : public testing::TestWithParam<const char*> {};

TEST_P(WrongModel, IsNamedAndNothingChanges) {
    const auto file = kFiles / GetParam();
    const bool old = std::string_view(GetParam()).ends_with("legacy.h5");
    const spec::KerasConfig config = readKerasModel(kFiles / "plain_cnn.keras");
    const auto read = [&](const spec::ModelSpec& model) {
        Store store({.model = model, .compile = config.compile});
        const std::string message = messageOf([&] { readKerasWeights(file, store.model, store.compile.optimizer, store.targets()); });
        EXPECT_THAT(message, HasSubstr(GetParam()));
        for (const auto& variable : store.variables) {
            EXPECT_EQ(variable.values.front(), -77.0F) << variable.name;
        }
        return message;
    };
    spec::ModelSpec wider = config.model;
    wider.layers[3].config.set("units", std::int64_t{6});
    EXPECT_THAT(read(wider), HasSubstr("(dense/kernel): expected shape (64, 6), got (64, 5)"));
    spec::ModelSpec longer = config.model;
    longer.layers.push_back({"Dense", "another", {{"units", std::int64_t{2}}}});
    EXPECT_THAT(read(longer), HasSubstr("another"));
    spec::ModelSpec shorter = config.model;
    shorter.layers.pop_back();
    EXPECT_THAT(read(shorter), HasSubstr(old ? "the first too many is dense_1" : "layers/dense_1/vars"));
    spec::ModelSpec unbiased = config.model;
    unbiased.layers[0].config.set("use_bias", false);
    EXPECT_THAT(read(unbiased), HasSubstr("expected the 1 variables of layer conv2d, got 2"));
}

INSTANTIATE_TEST_SUITE_P(Formats, WrongModel, testing::Values("plain_cnn.keras", "plain_cnn.weights.h5", "plain_cnn_legacy.h5"));

TEST(KerasFile, NamesWhatIsNoModelFile) {
    const tests::support::TempDir folder;
    const auto file = folder.path() / "broken.keras";
    const spec::KerasConfig config = readKerasModel(kFiles / "plain_cnn.keras");
    const auto readAll = [&] {
        Store store(config);
        readKerasWeights(file, store.model, store.compile.optimizer, store.targets());
    };
    EXPECT_THAT(messageOf(readAll), HasSubstr("broken.keras"));
    writeFileAtomically(file, "nothing of the kind");
    EXPECT_THAT(messageOf(readAll), HasSubstr("broken.keras: expected a .keras archive, an HDF5 file or Keras' JSON"));
    writeFileAtomically(file, writeZip({{"config.json", "{}"}}));
    EXPECT_THAT(messageOf(readAll), HasSubstr("expected a member model.weights.h5, got none"));
    writeFileAtomically(file, writeZip({{"model.weights.h5", "short"}}));
    EXPECT_THAT(messageOf(readAll), HasSubstr("broken.keras/model.weights.h5: expected an HDF5 file"));
    EXPECT_THAT(messageOf([&] { readKerasModel(file); }), HasSubstr("expected a member config.json, got none"));
    writeFileAtomically(file, " {\"class_name\": \"Sequential\"}");
    EXPECT_THAT(messageOf(readAll), HasSubstr("got JSON, which holds none"));
    EXPECT_TRUE(spec::hasErrors(readKerasModel(file).diagnostics));
    Hdf5Node lists;
    lists.group("model_weights").attributes["layer_names"] = {"dense"};
    lists.group("model_weights/dense").attributes["weight_names"] = {"gone"};
    writeFileAtomically(file, writeHdf5(lists));
    EXPECT_THAT(messageOf(readAll), HasSubstr("its weight_names has gone"));
    const std::string whole = readFile(kFiles / "plain_cnn.keras");
    for (std::size_t size = 2; size < whole.size(); size += 1009) {
        writeFileAtomically(file, whole.substr(0, size));
        EXPECT_THROW(readAll(), Error) << size;
    }
}

TEST(KerasFile, SurvivesEveryDamage) {
    const tests::support::TempDir folder;
    const spec::KerasConfig config = readKerasModel(kFiles / "plain_cnn.keras");
    for (const char* name : {"plain_cnn.keras", "plain_cnn.weights.h5", "plain_cnn_legacy.h5", "plain_cnn.json"}) {
        const auto file = folder.path() / name;
        const auto read = [&](const std::string& bytes) {
            writeFileAtomically(file, bytes);
            const bool has_model = std::string(name) != "plain_cnn.weights.h5";
            if (has_model) {
                readKerasModel(file);
            }
            Store store(config);
            readKerasWeights(file, store.model, store.compile.optimizer, store.targets());
        };
        tests::support::forEachDamage(readFile(kFiles / name), read, {.rounds = 25, .named = name});
    }
}

TEST(KerasFile, TakesWeightsFromACheckpointToo) {
    const tests::support::TempDir folder;
    Store store(readKerasModel(kFiles / "plain_cnn.keras"));
    const RestoredState state = readKerasWeights(kFiles / "plain_cnn.keras", store.model, store.compile.optimizer, store.targets());
    writeTfCheckpoint(folder.path() / "ckpt_1", store.contents(state));
    Store read({.model = store.model, .compile = store.compile});
    readWeights(folder.path() / "ckpt_1", read.model, read.targets());
    EXPECT_EQ(read.values("conv2d/kernel"), store.values("conv2d/kernel"));
    EXPECT_EQ(read.values("conv2d/kernel:m").front(), -77.0F) << "weights alone";
    EXPECT_THAT(messageOf([&] { readWeights(folder.path() / "none", read.model, read.targets()); }), HasSubstr("expected weights"));
}

}  // namespace
}  // namespace engine::exporter
