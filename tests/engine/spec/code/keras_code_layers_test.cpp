// Layers and other objects in code: every field of each, those within others, those that Keras lacks, those that take samples.
#include "engine/spec/keras/keras_code.h"

#include <algorithm>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/shape_inference.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(KerasCode, LayersAloneGoThereAndBack) {
    for (const char* name : {"mnist_mirrored", "mnist_lenet5", "mnist_mlp", "cifar10_resnet20", "cifar10_transformer", "cifar10_vgg",
                             "text_lstm", "guide_dense"}) {
        const std::vector<LayerSpec> layers = starter(name).model.layers;
        const auto back = readLayersCode(writeLayersCode(layers));
        ASSERT_TRUE(back) << name << '\n' << writeLayersCode(layers);
        EXPECT_EQ(*back, layers) << name;
    }
    EXPECT_EQ(writeLayersCode({{"Dense", "dense_3", {{"units", std::int64_t{10}}}}}), "layers.Dense(10),\n");
    EXPECT_EQ(writeLayersCode({{"Dense", "last", {{"units", std::int64_t{10}}}}}), "layers.Dense(10, name='last'),\n");
    const auto pasted = readLayersCode("  keras.Input((28, 28, 1)),\n  tf.keras.layers.Flatten(),  # rows\n  Dense(10, name='last')\n");
    ASSERT_TRUE(pasted);
    ASSERT_EQ(pasted->size(), 2u);
    EXPECT_EQ((*pasted)[1].name, "last");
    const auto shaped = readLayersCode("layers.Conv2D(32, 3, input_shape=(28, 28, 1)),\nlayers.Flatten()");
    ASSERT_TRUE(shaped);
    EXPECT_EQ(shaped->size(), 2u);
    for (const char* other : {"", "dense", "layers.Dense(10", "layers.Dense(10) layers.Dense(3)", "layers.Nothing(10)",
                              "layers.Dense(unit=3)", "model = keras.Sequential([layers.Dense(3)])", "])\nmodel.compile(optimizer='adam'",
                              "3, 4", "[layers.Dense(3)", "keras.Input((3,))", "{\"cluster\": {\"worker\": [\"a:1\"]}}"})
        EXPECT_FALSE(readLayersCode(other)) << other;
}

TEST(KerasCode, SaysTheSizesThatAnEinsumDenseLeavesToItsInput) {
    RunSpec run = starter("mnist_mlp");
    run.model.layers = {
        {"EinsumDense", "einsum_dense", {{"equation", std::string("abc,cd->abd")}, {"output_shape", std::vector<std::int64_t>{-1, 7}}}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    run.model.input_shape = {4, 6};
    const std::string text = writeKerasCode(run, {.imports = false});
    EXPECT_THAT(text, HasSubstr("'abc,cd->abd', (4, 7)"));
    // A text that leaves them open stays as it is: it says the same.
    std::string open = text;
    open.replace(open.find("(4, 7)"), 6, "(None, 7)");
    const CodeReading reading = readKerasCode(open, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(reading.run.model.layers, run.model.layers);
    EXPECT_EQ(updateKerasCode(open, reading, reading.run), open);
}

TEST(KerasCode, KnowsNamesThatKerasGives) {
    for (const char* name : {"dense", "dense_1", "dense_20"}) EXPECT_TRUE(isAutomaticLayerName("Dense", name)) << name;
    for (const char* name : {"", "dens", "dense_", "dense_0", "dense_1a", "dense1", "dense_01", "my_dense"})
        EXPECT_FALSE(isAutomaticLayerName("Dense", name)) << name;
}

// A value that is not the default, of every kind; nullopt where nothing else is allowed.
std::optional<FieldValue> otherValue(const FieldSchema& row) {
    const auto within = [&](double value) { return std::clamp(value, row.minimum + (row.minimum_excluded ? 1e-3 : 0), row.maximum); };
    switch (row.kind) {
        case FieldKind::kBool:
            return FieldValue(!(row.fallback == FieldValue(true)));
        case FieldKind::kInt:
            return FieldValue(static_cast<std::int64_t>(within(3)));
        case FieldKind::kDouble:
            return FieldValue(within(0.25));
        case FieldKind::kString:
            return FieldValue(std::string("it's a \\ \"text\""));
        case FieldKind::kChoice:
            return FieldValue(row.choices.back());
        case FieldKind::kIntPair:
            return FieldValue(std::vector<std::int64_t>{static_cast<std::int64_t>(within(3)), static_cast<std::int64_t>(within(4))});
        case FieldKind::kIntTriple:
            return FieldValue(std::vector<std::int64_t>{static_cast<std::int64_t>(within(3)), static_cast<std::int64_t>(within(4)),
                                                        static_cast<std::int64_t>(within(2))});
        case FieldKind::kIntList:
            return FieldValue(std::vector<std::int64_t>{static_cast<std::int64_t>(within(1)), static_cast<std::int64_t>(within(2))});
        case FieldKind::kTextList:
            return FieldValue(std::vector<std::string>{"a", "b"});
        case FieldKind::kDoubleList:
            return FieldValue(std::vector<double>{within(0.125), within(1e-3)});
        case FieldKind::kObject:
            if (row.name.ends_with("_regularizer")) return FieldValue(ObjectBox(ObjectSpec{"L2", {{"l2", 1e-3}}}));
            return FieldValue(ObjectBox(ObjectSpec{"RandomNormal", {{"stddev", 0.02}}}));
        case FieldKind::kLayerList:
            if (row.name == "cell") {
                return FieldValue(std::vector<ObjectBox>{ObjectSpec{"LSTMCell", {{"units", std::int64_t{3}}}},
                                                         ObjectSpec{"GRUCell", {{"units", std::int64_t{2}}, {"reset_after", false}}}});
            }
            return FieldValue(
                std::vector<ObjectBox>{ObjectSpec{"Conv2D",
                                                  {{"filters", std::int64_t{4}},
                                                   {"kernel_size", std::vector<std::int64_t>{3, 3}},
                                                   {"padding", std::string("same")},
                                                   {"kernel_initializer", ObjectBox(ObjectSpec{"HeNormal", {}})},
                                                   {"kernel_regularizer", ObjectBox(ObjectSpec{"L2", {{"l2", 1e-3}}})}}},
                                       ObjectSpec{"Residual", {{"layers", std::vector<ObjectBox>{ObjectSpec{"BatchNormalization", {}}}}}}});
    }
    return std::nullopt;
}

TEST(KerasCode, EveryFieldOfEveryLayerComesBack) {
    for (const LayerSchema& schema : layerSchemas()) {
        for (const FieldSchema& row : schema.fields) {
            const std::optional<FieldValue> value = otherValue(row);
            if (!value || *value == row.fallback) continue;
            SCOPED_TRACE(schema.class_name + "." + row.name);
            RunSpec run;
            run.model.input_shape = {16, 16, 4};
            LayerSpec layer{schema.class_name, "layer", {}};
            for (const FieldSchema& needed : schema.fields) {
                if (needed.required) layer.config.set(needed.name, *otherValue(needed));
            }
            layer.config.set(row.name, *value);
            if (!checkFields(layer.config, schema.fields).empty()) continue;  // a value that this field alone refuses
            run.model.layers = {layer};
            const RunSpec read = roundTrip(run);
            ASSERT_EQ(read.model.layers.size(), 1U);
            const FieldValue* back = read.model.layers[0].config.find(row.name);
            ASSERT_NE(back, nullptr) << writeKerasCode(run);
            EXPECT_EQ(*back, *value) << writeKerasCode(run);
        }
    }
}

TEST(KerasCode, EveryFieldOfOptimizersSchedulesAndLossesComesBack) {
    const auto full = [](const ObjectSchema& schema) {
        ObjectSpec object{schema.class_name, {}};
        for (const FieldSchema& row : schema.fields) {
            const std::optional<FieldValue> value = otherValue(row);
            if (value && *value != row.fallback) object.config.set(row.name, *value);
        }
        return object;
    };
    for (const ObjectSchema& schema : optimizerSchemas()) {
        SCOPED_TRACE(schema.class_name);
        RunSpec run = starter("mnist_mlp");
        run.compile.optimizer = full(schema);
        EXPECT_EQ(roundTrip(run).compile.optimizer, run.compile.optimizer) << writeKerasCode(run);
    }
    for (const ObjectSchema& schema : scheduleSchemas()) {
        SCOPED_TRACE(schema.class_name);
        RunSpec run = starter("mnist_mlp");
        run.compile.optimizer = {"SGD", {{"learning_rate", ObjectBox(full(schema))}}};
        EXPECT_EQ(roundTrip(run).compile.optimizer, run.compile.optimizer) << writeKerasCode(run);
    }
    for (const ObjectSchema& schema : lossSchemas()) {
        SCOPED_TRACE(schema.class_name);
        RunSpec run = starter("mnist_mlp");
        run.compile.loss = full(schema);
        EXPECT_EQ(roundTrip(run).compile.loss, run.compile.loss) << writeKerasCode(run);
    }
    for (const ObjectSchema& schema : metricSchemas()) {
        SCOPED_TRACE(schema.class_name);
        RunSpec run = starter("mnist_mlp");
        const ObjectSpec metric = full(schema);
        run.compile.metrics = {"accuracy", MetricSpec(metric.class_name, metric.config)};
        if (metric.config.empty()) continue;
        EXPECT_EQ(roundTrip(run).compile.metrics, run.compile.metrics) << writeKerasCode(run);
    }
}

TEST(KerasCode, KnowsTheLinesOfEachLayer) {
    const CodeReading reading = readKerasCode(
        "import keras\n\nmodel = keras.Sequential([\n  layers.Conv2D(4, 3,\n    input_shape=(8, 8, 1)),\n  layers.Flatten(),\n])\n",
        emptyRun());
    EXPECT_THAT(reading.model, ElementsAre(CodeLines{3, 7}));
    EXPECT_THAT(reading.layers, ElementsAre(CodeLines{4, 5}, CodeLines{6, 6}));
}

TEST(KerasCode, KnowsMasks) {
    const CodeReading reading = readKerasCode(
        "model = keras.Sequential([\n  keras.Input((5, 4, 2)),\n  layers.TimeDistributed(layers.Conv1D(3, 2)),\n"
        "  layers.TimeDistributed(layers.Flatten()),\n  layers.Masking(mask_value=-1.),\n"
        "  layers.GRU(3, return_sequences=True, zero_output_for_mask=True),\n  layers.Dense(2)])\n",
        emptyRun());
    EXPECT_EQ(notesOf(reading, Severity::kError), "");
    ASSERT_EQ(reading.run.model.layers.size(), 5U);
    EXPECT_EQ(reading.run.model.layers[2].class_name, "Masking");
    EXPECT_EQ(reading.run.model.layers[2].config, (Fields{{"mask_value", -1.0}}));
    EXPECT_TRUE(reading.run.model.layers[3].config.getBool("zero_output_for_mask", false));
    EXPECT_EQ(readKerasCode(writeKerasCode(reading.run), emptyRun()).run.model, reading.run.model);

    const CodeReading words = readKerasCode(
        "model = keras.Sequential([\n  keras.Input((5,), dtype='int32'),\n  layers.Embedding(100, 8, mask_zero=True),\n  "
        "layers.LSTM(3)])\n",
        emptyRun());
    EXPECT_EQ(notesOf(words, Severity::kError), "");
    EXPECT_TRUE(words.run.model.layers.front().config.getBool("mask_zero", false));
    EXPECT_EQ(readKerasCode(writeKerasCode(words.run), emptyRun()).run.model, words.run.model);
}

TEST(KerasCode, TakesIdsOf64BitsAndTextsWithoutAnInput) {
    const CodeReading ids = readKerasCode(
        "model = keras.Sequential([\n  keras.Input((5,), dtype=tf.int64),\n  layers.IntegerLookup(vocabulary=[4, 7]),\n"
        "  layers.Embedding(3, 8),\n  layers.Flatten(),\n  layers.Dense(3)])\n",
        emptyRun());
    EXPECT_EQ(notesOf(ids, Severity::kError), "");
    EXPECT_EQ(ids.run.model.input_dtype, "int32");
    EXPECT_EQ(ids.run.model.input_shape, Shape{5});

    RunSpec pictures = emptyRun();
    pictures.model.input_shape = {28, 28, 1};
    const CodeReading texts = readKerasCode(
        "words = layers.TextVectorization(max_tokens=50, output_sequence_length=4)\nwords.adapt(texts)\n"
        "model = keras.Sequential([words, layers.Embedding(50, 8), layers.Flatten(), layers.Dense(3)])\n",
        pictures);
    EXPECT_EQ(notesOf(texts, Severity::kError), "");
    EXPECT_EQ(texts.run.model.input_dtype, "string");
    EXPECT_EQ(texts.run.model.input_shape, Shape{1});
    EXPECT_EQ(texts.run.model.layers.size(), 4U);
}

TEST(KerasCode, KnowsConstraintsAndLayersInsideLayers) {
    const CodeReading reading = readKerasCode(
        "model = keras.Sequential([\n  layers.Bidirectional(layers.LSTM(3, recurrent_dropout=0.1), merge_mode='sum', input_shape=(5, 4)),\n"
        "  layers.Dense(2, kernel_constraint=keras.constraints.MaxNorm(3), bias_constraint='non_neg')])\n",
        emptyRun());
    EXPECT_EQ(notesOf(reading, Severity::kError), "");
    ASSERT_EQ(reading.run.model.layers.size(), 2U);
    const ObjectSpec* inner = reading.run.model.layers[0].config.getObject("layer");
    ASSERT_NE(inner, nullptr);
    EXPECT_EQ(inner->class_name, "LSTM");
    EXPECT_EQ(inner->config.getInt("units", 0), 3);
    const ObjectSpec* constraint = reading.run.model.layers[1].config.getObject("bias_constraint");
    ASSERT_NE(constraint, nullptr);
    EXPECT_EQ(constraint->class_name, "NonNeg");
    EXPECT_EQ(readKerasCode(writeKerasCode(reading.run), emptyRun()).run.model, reading.run.model);
}

// Keras makes a stack of a list; one cell is no stack of one.
TEST(KerasCode, KnowsTheCellsOfAnRnn) {
    const auto layersOf = [](const std::string& rnn) {
        const CodeReading reading = readKerasCode("model = keras.Sequential([keras.Input((5, 4)),\n  " + rnn + "])\n", emptyRun());
        EXPECT_EQ(notesOf(reading, Severity::kError), "") << rnn;
        EXPECT_EQ(readKerasCode(writeKerasCode(reading.run), emptyRun()).run.model, reading.run.model) << writeKerasCode(reading.run);
        return reading.run;
    };
    const ObjectSpec lstm{"LSTMCell", {{"units", std::int64_t{4}}}},
        gru{"GRUCell", {{"units", std::int64_t{5}}, {"kernel_regularizer", ObjectBox(ObjectSpec{"L2", {}})}}};
    const RunSpec one = layersOf("layers.RNN(layers.LSTMCell(4), return_sequences=True)");
    EXPECT_EQ(one.model.layers.at(0).config, (Fields{{"cell", ObjectBox(lstm)}, {"return_sequences", true}}));
    EXPECT_THAT(writeKerasCode(one), HasSubstr("layers.RNN(layers.LSTMCell(4), return_sequences=True"));
    const RunSpec stack = layersOf("layers.RNN([layers.LSTMCell(4), layers.GRUCell(5, kernel_regularizer='l2')])");
    EXPECT_EQ(stack.model.layers.at(0).config, (Fields{{"cell", std::vector<ObjectBox>{lstm, gru}}}));
    EXPECT_THAT(writeKerasCode(stack), HasSubstr("layers.RNN([layers.LSTMCell(4), layers.GRUCell(5, kernel_regularizer='l2')]"));
    EXPECT_EQ(layersOf("layers.RNN(cell=keras.layers.StackedRNNCells([layers.LSTMCell(4)]))").model.layers.at(0).config,
              (Fields{{"cell", std::vector<ObjectBox>{lstm}}}));
}

TEST(KerasCode, RefusesACellWithoutAnRnn) {
    const CodeReading reading = readKerasCode("model = keras.Sequential([keras.Input((5, 4)), layers.LSTMCell(4)])\n", emptyRun());
    EXPECT_EQ(inferShapes(reading.run.model).at(0).error, "expected an RNN around the cell, got LSTMCell alone");
}

RunSpec withResidual() {
    RunSpec run = starter("mnist_lenet5");
    const ObjectSpec conv{
        "Conv2D", {{"filters", std::int64_t{6}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"padding", std::string("same")}}};
    run.model.layers.insert(run.model.layers.begin() + 1,
                            {"Residual", "residual", {{"layers", std::vector<ObjectBox>{conv, ObjectSpec{"BatchNormalization", {}}}}}});
    return run;
}

TEST(KerasCode, DefinesTheLayersThatKerasLacks) {
    const RunSpec run = withResidual();
    const std::string code = writeKerasCode(run);
    EXPECT_THAT(code, HasSubstr("@keras.saving.register_keras_serializable(package='tandem')\nclass Residual(layers.Layer):\n"));
    EXPECT_THAT(code, HasSubstr("Residual([layers.Conv2D(6, 3, padding='same'), layers.BatchNormalization()])"));
    EXPECT_LT(code.find("class Residual"), code.find("keras.Sequential("));
    const CodeReading reading = readKerasCode(code, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.model, run.model);
    EXPECT_EQ(writeKerasCode(starter("mnist_lenet5")).find("class"), std::string::npos);
}

TEST(KerasCode, WritesABorderOfOneNumberAsThatNumber) {
    RunSpec run = starter("mnist_lenet5");
    run.model.layers.insert(run.model.layers.begin(), {"ZeroPadding2D", "pad", {{"padding", std::vector<std::int64_t>{2}}}});
    const std::string code = writeKerasCode(run);
    EXPECT_THAT(code, AnyOf(HasSubstr("layers.ZeroPadding2D(2"), HasSubstr("layers.ZeroPadding2D(padding=2")));
    const CodeReading reading = readKerasCode(code, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(inferShapes(reading.run.model).front().output_shape, inferShapes(run.model).front().output_shape);
}

// A model of texts has them as its input; one that makes rows of words has no axis behind the batch, where Keras takes the row for two.
TEST(KerasCode, WritesBothNumbersOfAGridOfTilesAsKerasUnpacksThem) {
    const std::vector<LayerSpec> layers = {{"ContrastLimitedAdaptiveHistogramEqualization",
                                            "contrast_limited_adaptive_histogram_equalization",
                                            {{"tile_grid_size", std::vector<std::int64_t>{2, 2}}}}};
    const std::string text = writeLayersCode(layers);
    EXPECT_THAT(text, HasSubstr("tile_grid_size=(2, 2)"));
    EXPECT_EQ(readLayersCode(text), layers);
}

TEST(KerasCode, WritesAndReadsLayersOfTexts) {
    RunSpec run = starter("mnist_mlp");
    run.data = {};
    run.data.dataset = "text";
    run.data.train_files = {"train.tsv"};
    run.data.scale = 1;
    run.model.input_shape = {1};
    run.model.input_dtype = "string";
    run.model.layers = {
        {"TextVectorization",
         "text_vectorization",
         {{"max_tokens", std::int64_t{500}}, {"standardize", std::string("none")}, {"output_sequence_length", std::int64_t{8}}}},
        {"Embedding", "embedding", {{"input_dim", std::int64_t{500}}, {"output_dim", std::int64_t{4}}}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    std::string code = writeKerasCode(run, {.width = 200});
    EXPECT_THAT(code, HasSubstr("keras.Input(shape=(1,), dtype='string')"));
    EXPECT_THAT(code, HasSubstr("layers.TextVectorization(max_tokens=500, standardize=None, output_sequence_length=8)"));
    EXPECT_THAT(code, HasSubstr("model.layers[0].adapt("));
    EXPECT_EQ(roundTrip(run).model, run.model) << code;

    run.model.layers[0].config = {{"ngrams", std::vector<std::int64_t>{2, 1}},
                                  {"output_mode", std::string("tf_idf")},
                                  {"vocabulary", std::vector<std::string>{"it's", "\u65e5\u672c"}},
                                  {"idf_weights", std::vector<double>{0.5, 1.25}}};
    run.model.layers.erase(run.model.layers.begin() + 1, run.model.layers.begin() + 3);
    code = writeKerasCode(run, {.width = 200});
    EXPECT_THAT(code, HasSubstr("keras.Input(shape=(), dtype='string')"));
    EXPECT_THAT(code, HasSubstr("ngrams=(2, 1)"));
    EXPECT_THAT(code, testing::Not(HasSubstr(".adapt(")));
    EXPECT_EQ(roundTrip(run).model, run.model) << code;

    run.model.layers[0] = {
        "StringLookup", "string_lookup", {{"vocabulary", std::vector<std::string>{"a"}}, {"output_mode", std::string("one_hot")}}};
    code = writeKerasCode(run, {.width = 200});
    EXPECT_THAT(code, HasSubstr("keras.Input(shape=(1,), dtype='string')"));
    EXPECT_EQ(roundTrip(run).model, run.model) << code;
}

RunSpec withNormalization(Fields config = {}) {
    RunSpec run = starter("mnist_mlp");
    run.model.layers.insert(run.model.layers.begin(), {"Normalization", "norm", std::move(config)});
    return run;
}

TEST(KerasCode, AdaptsWhatTakesSamplesBeforeItTrains) {
    RunSpec run = withNormalization({{"axis", std::vector<std::int64_t>{}}});
    run.data.validation_split = 0.25;
    const std::string code = writeKerasCode(run, {.width = 200});
    EXPECT_THAT(code, HasSubstr("layers.Normalization(axis=(), name='norm'"));
    EXPECT_THAT(code, HasSubstr("model.layers[0].adapt(tf.data.Dataset.from_tensor_slices((x_train[:45000], y_train[:45000])).map(prepare)"
                                ".batch(256).map(lambda image, label: image))\n\nmodel.fit("));
    const CodeReading reading = readKerasCode(code, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.model, run.model);
    EXPECT_EQ(reading.run.data.batch_size_per_replica, run.data.batch_size_per_replica);
    EXPECT_EQ(reading.adapt.size(), 1U);
    EXPECT_EQ(updateKerasCode(code, reading, reading.run), code);
    // Numbers that are given need no samples.
    const RunSpec given = withNormalization({{"mean", 0.5}, {"variance", std::vector<double>{2}}});
    EXPECT_THAT(writeKerasCode(given), HasSubstr("layers.Normalization(mean=0.5, variance=2.0, name='norm'"));
    EXPECT_THAT(writeKerasCode(given), testing::Not(HasSubstr("adapt(")));
}

TEST(KerasCode, ReadsAdaptWhereverItStands) {
    const std::string fit = "model.compile('sgd', 'mse')\nmodel.fit(x_train, y_train)\n";
    const CodeReading reading = readKerasCode(
        "norm = layers.Normalization(axis=None)\nnorm.adapt(x_train)\n"
        "model = keras.Sequential([keras.Input((4,)), norm, layers.Dense(3)])\n" +
            fit,
        emptyRun());
    EXPECT_EQ(notesOf(reading, Severity::kError) + notesOf(reading, Severity::kWarning), "");
    ASSERT_EQ(reading.run.model.layers.size(), 2U);
    const FieldValue* axis = reading.run.model.layers[0].config.find("axis");
    ASSERT_NE(axis, nullptr);
    EXPECT_EQ(*axis, FieldValue(std::vector<std::int64_t>{}));
    EXPECT_EQ(reading.adapt, (std::vector<CodeLines>{{2, 2}}));
    const CodeReading without =
        readKerasCode("model = keras.Sequential([keras.Input((4,)), layers.Normalization(), layers.Dense(3)])\n" + fit, emptyRun());
    EXPECT_THAT(notesOf(without, Severity::kWarning), HasSubstr("expected adapt() of normalization before fit(), got none"));
}

TEST(KerasCode, BringsAdaptIntoATextAndTakesItOut) {
    const std::string text = writeKerasCode(starter("mnist_mlp"));
    const CodeReading reading = readKerasCode(text, emptyRun(), AbsentArguments::kDefault);
    RunSpec run = reading.run;
    run.model.layers.insert(run.model.layers.begin(), {"Normalization", "norm", {}});
    const std::string with = updateKerasCode(text, reading, run);
    EXPECT_THAT(with, HasSubstr("model.layers[0].adapt(train_dataset.map(lambda image, label: image))\n\nmodel.fit("));
    const CodeReading again = readKerasCode(with, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(again.run.model, run.model);
    EXPECT_EQ(updateKerasCode(with, again, reading.run).find("adapt("), std::string::npos);
}

// Keras has gelu(x, approximate=True) as a call alone, which is no name of an activation.
TEST(KerasCode, DefinesTheActivationThatKerasHasNoNameFor) {
    RunSpec run = starter("mnist_mlp");
    run.model.layers.insert(run.model.layers.begin() + 1, {"Activation", "activation", {{"activation", "gelu_approximate"}}});
    const std::string code = writeKerasCode(run);
    EXPECT_THAT(code, HasSubstr("@keras.saving.register_keras_serializable(package='tandem')\ndef gelu_approximate(x):\n"));
    EXPECT_THAT(code, HasSubstr("layers.Activation(gelu_approximate)"));
    EXPECT_LT(code.find("def gelu_approximate"), code.find("keras.Sequential("));
    const CodeReading reading = readKerasCode(code, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.model, run.model);
    const RunSpec plain = starter("mnist_mlp");
    const std::string without = updateKerasCode(code, reading, plain);
    EXPECT_EQ(without.find("gelu"), std::string::npos) << without;
    const std::string again = updateKerasCode(without, readKerasCode(without, plain, AbsentArguments::kDefault), run);
    EXPECT_LT(again.find("def gelu_approximate"), again.find("keras.Sequential(")) << again;
    std::string other = code;
    other.replace(other.find("approximate=True"), 16, "approximate=None");
    EXPECT_THAT(notesOf(readKerasCode(other, emptyRun(), AbsentArguments::kDefault), Severity::kError),
                HasSubstr("expected the class gelu_approximate as exported code defines it, got another one"));
}

TEST(KerasCode, CountsLayersInsideLayersAsKerasNamesThem) {
    // The second convolution of the chain is Keras' third: it is named, so that it keeps the project's name.
    EXPECT_THAT(writeKerasCode(withResidual()), HasSubstr("name='conv2d_1'"));
    // An initializer is no layer, though one has a layer's name.
    const ObjectBox identity({"Identity", {}});
    const std::vector<LayerSpec> layers{{"Dense", "dense", {{"units", std::int64_t{4}}, {"kernel_initializer", identity}}},
                                        {"Identity", "identity", {}},
                                        {"Identity", "identity_1", {}}};
    EXPECT_EQ(writeLayersCode(layers), "layers.Dense(4, kernel_initializer='identity'),\nlayers.Identity(),\nlayers.Identity(),\n");
}

TEST(KerasCode, BringsTheClassOfAResidualIntoATextAndTakesItAway) {
    const RunSpec plain = starter("mnist_lenet5"), run = withResidual();
    const std::string text = writeKerasCode(plain);
    const std::string with = updateKerasCode(text, readKerasCode(text, plain, AbsentArguments::kDefault), run);
    EXPECT_LT(with.find("class Residual"), with.find("keras.Sequential("));
    EXPECT_EQ(with.find("keras.layers.Conv2D"), std::string::npos) << with;
    const CodeReading reading = readKerasCode(with, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading, Severity::kError), "");
    EXPECT_EQ(reading.run.model, run.model);
    EXPECT_EQ(updateKerasCode(with, readKerasCode(with, run, AbsentArguments::kDefault), run), with);
    const std::string without = updateKerasCode(with, readKerasCode(with, run, AbsentArguments::kDefault), plain);
    EXPECT_EQ(without.find("Residual"), std::string::npos) << without;
}

TEST(KerasCode, RefusesAnotherClassResidual) {
    std::string code = writeKerasCode(withResidual());
    code.replace(code.find("return x + y"), std::string("return x + y").size(), "return x * y");
    EXPECT_THAT(notesOf(readKerasCode(code, emptyRun(), AbsentArguments::kDefault), Severity::kError),
                HasSubstr("expected the class Residual as exported code defines it, got another one"));
}

}  // namespace
}  // namespace engine::spec
