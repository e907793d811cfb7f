#include "engine/script/script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"

namespace engine::script {
namespace {

using spec::Fields;
using spec::RunSpec;
using spec::Severity;
using testing::HasSubstr;
using testing::Not;

RunSpec digits() {
    RunSpec run;
    run.name = "digits";
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {
        {"Conv2D", "conv2d", {{"filters", std::int64_t{8}}, {"kernel_size", std::vector<std::int64_t>{3, 3}}, {"activation", "relu"}}},
        {"MaxPooling2D", "max_pooling2d", {}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    return run;
}

std::string textOf(const RunSpec& run, Api api) {
    const Script script = writeScript(run, api);
    EXPECT_FALSE(spec::hasErrors(script.findings)) << spec::toString(script.findings.front());
    return script.text;
}

std::vector<std::string> messagesOf(const RunSpec& run, Api api) {
    std::vector<std::string> messages;
    const Script script = writeScript(run, api);
    for (const spec::Diagnostic& finding : script.findings) messages.push_back(spec::toString(finding));
    EXPECT_EQ(script.isWritten(), !spec::hasErrors(script.findings));
    return messages;
}

TEST(Script, TurnsImagesRoundConvolutionsInPyTorch) {
    const std::string text = textOf(digits(), Api::kTorch);
    EXPECT_THAT(text, HasSubstr("        self.conv2d = nn.Conv2d(1, 8, 3)\n"));
    EXPECT_THAT(text, HasSubstr("        x = x.permute(0, 3, 1, 2)  # channels first, as PyTorch has them\n"
                                "        x = F.relu(self.conv2d(x))\n"
                                "        x = F.max_pool2d(x, 2)\n"
                                "        x = x.permute(0, 2, 3, 1)  # channels last, as Keras has them\n"
                                "        x = x.flatten(1)\n"
                                "        x = self.dense(x)\n"
                                "        return x\n"));
    EXPECT_THAT(text, HasSubstr("Variable('conv2d/kernel', 'conv2d.weight', (3, 3, 1, 8), (3, 2, 0, 1), "
                                "lambda shape: variance_scaling(shape, 1.0, 'fan_avg', 'uniform'), False)"));
}

TEST(Script, TakesTheLossFromLogitsAsKerasDoes) {
    const std::string text = textOf(digits(), Api::kTorch);
    EXPECT_THAT(text, HasSubstr("sparse_categorical_crossentropy(outputs, y, from_logits=True)"));
    EXPECT_THAT(text, HasSubstr("    return F.softmax(outputs, -1)\n"));
}

TEST(Script, TakesMetricsAndPenaltiesOfTheLastActivationAsKerasDoes) {
    const std::string penalty = "(0.5 * F.softmax(x, -1).square().sum()) / len(x)";
    RunSpec run = digits();
    run.model.layers.back().config.set("activity_regularizer", spec::ObjectBox({"L2", {{"l2", 0.5}}}));
    const std::string penalised = textOf(run, Api::kTorch);
    EXPECT_THAT(penalised, HasSubstr(penalty));
    EXPECT_THAT(penalised, HasSubstr("sparse_categorical_crossentropy(outputs, y, from_logits=True)"));
    EXPECT_THAT(penalised, Not(HasSubstr("FROM_LOGITS")));
    run.model.layers.back().config.erase("activity_regularizer");
    run.model.layers.push_back({"ActivityRegularization", "size", {{"l2", 0.5}}});
    run.compile.metrics.emplace_back("sparse_categorical_crossentropy");
    const std::string behind = textOf(run, Api::kTorch);
    EXPECT_THAT(behind, HasSubstr(penalty));
    EXPECT_THAT(behind, HasSubstr("FROM_LOGITS = ('sparse_categorical_crossentropy', )"));
    EXPECT_THAT(behind, HasSubstr("measure(outputs.detach() if name in FROM_LOGITS else predictions, y)"));
    EXPECT_THAT(behind, HasSubstr("lambda p, y: mean_of(sparse_categorical_crossentropy(p, y, from_logits=True))"));
    // With a class to ignore Keras' loss goes by the probabilities, and its metric by the logits all the same.
    run.compile.loss.config.set("ignore_class", std::int64_t{3});
    EXPECT_THAT(textOf(run, Api::kTorch), HasSubstr("sparse_categorical_crossentropy(predictions_of(outputs), y, ignore_class=3)"));
    run.compile.metrics.clear();
    const std::string whole = textOf(run, Api::kTorch);
    EXPECT_THAT(whole, HasSubstr("sparse_categorical_crossentropy(outputs, y, ignore_class=3)"));
    EXPECT_THAT(whole, HasSubstr("return losses.sum() / (y.reshape(losses.shape) != 3).sum().clamp(min=1)\n"));
    EXPECT_THAT(whole, HasSubstr("(0.5 * x.square().sum()) / len(x)"));
    EXPECT_THAT(whole, HasSubstr("    return outputs\n"));
}

TEST(Script, KnowsInitializersAndPenaltiesByTheirNamesAlone) {
    RunSpec run = digits();
    const auto textWith = [&run](const char* field, spec::FieldValue value) {
        RunSpec changed = run;
        changed.model.layers.back().config.set(field, std::move(value));
        return textOf(changed, Api::kTorch);
    };
    EXPECT_THAT(textWith("kernel_initializer", std::string("he_normal")),
                HasSubstr("lambda shape: variance_scaling(shape, 2.0, 'fan_in', 'truncated_normal')"));
    EXPECT_THAT(textWith("kernel_initializer", spec::ObjectBox({"Orthogonal", {{"gain", 2.0}}})),
                HasSubstr("lambda shape: orthogonal(shape, 2.0)"));
    EXPECT_THAT(textWith("kernel_initializer", std::string("ones")), HasSubstr("lambda shape: torch.ones(shape)"));
    EXPECT_THAT(textWith("kernel_regularizer", std::string("l2")), HasSubstr("0.01 * w.square().sum()"));
    EXPECT_THAT(textWith("kernel_constraint", std::string("non_neg")), HasSubstr("lambda w: w.clamp(min=0)"));
    EXPECT_THAT(textWith("activity_regularizer", std::string("l1")), HasSubstr("0.01 * F.softmax(x, -1).abs().sum()"));
}

// An activation within a recurrent layer is none at the model's end.
TEST(Script, LeavesARecurrentLayerItsActivation) {
    RunSpec run = digits();
    run.model.input_shape = {4, 2};
    run.model.layers = {{"LSTM", "lstm", {{"units", std::int64_t{1}}, {"activation", std::string("sigmoid")}}}};
    run.compile.loss = {"BinaryCrossentropy", {}};
    EXPECT_THAT(textOf(run, Api::kTorch), HasSubstr("    return outputs\n"));
}

TEST(Script, SaysWhichKerasTrainsWithTheStrategy) {
    RunSpec run = digits();
    EXPECT_THAT(textOf(run, Api::kKeras), Not(HasSubstr("TF_USE_LEGACY_KERAS")));
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec.jobs = {{"worker", {{0, "a:1"}, {1, "b:1"}}}};
    const std::string text = textOf(run, Api::kKeras);
    EXPECT_THAT(text, HasSubstr("os.environ['TF_USE_LEGACY_KERAS'] = '1'"));
    EXPECT_THAT(
        text,
        HasSubstr(R"(TF_CONFIG='{"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}' python train_keras.py)"));
    EXPECT_LT(text.find("Keras 2"), text.find("import"));
}

TEST(Script, NamesWhatPyTorchHasNoEqualFor) {
    RunSpec run = digits();
    run.model.layers.insert(run.model.layers.begin(), {"RandomRotation", "random_rotation", {{"factor", 0.1}}});
    EXPECT_THAT(
        messagesOf(run, Api::kTorch),
        testing::ElementsAre("error: model.layers[0]: RandomRotation \"random_rotation\": expected a layer that PyTorch has an equal for, "
                             "got RandomRotation"));
    run = digits();
    run.model.dtype_policy = "mixed_bfloat16";
    run.data.order = {spec::DataStep::kBatch, spec::DataStep::kShuffle};
    EXPECT_EQ(messagesOf(run, Api::kTorch).size(), 2U);
}

TEST(Script, RefusesWhatKeras2LacksInItsPrograms) {
    RunSpec run = digits();
    const auto refused = [](const std::string& path, const std::string& name) {
        return "error: " + path + ": expected what Keras 2 has, which this program is for, got " + name + ", which came with Keras 3";
    };
    run.model.layers.insert(run.model.layers.begin(), {"RandomInvert", "random_invert", {}});
    run.model.layers.insert(run.model.layers.end() - 1, {"RMSNormalization", "rms_normalization", {}});
    run.model.layers.back().config.set("activation", "sparsemax");
    run.compile.optimizer = {"Lamb", {}};
    run.compile.loss = {"Tversky", {}};
    run.compile.metrics.emplace_back("PearsonCorrelation");
    run.callbacks.push_back({"SwapEMAWeights", {}});
    const std::vector<std::string> all{refused("model.layers[0]", "RandomInvert"),
                                       refused("model.layers[4]", "RMSNormalization"),
                                       refused("model.layers[5].activation", "sparsemax"),
                                       refused("compile.optimizer", "Lamb"),
                                       refused("compile.loss", "Tversky"),
                                       refused("compile.metrics[1]", "PearsonCorrelation"),
                                       refused("callbacks[0]", "SwapEMAWeights")};
    EXPECT_THAT(messagesOf(run, Api::kEstimator), testing::ElementsAreArray(all));
    for (const std::string& message : messagesOf(run, Api::kKeras)) EXPECT_THAT(message, Not(HasSubstr("which came with Keras 3")));
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec.jobs = {{"worker", {{0, "a:1"}, {1, "b:1"}}}};
    EXPECT_THAT(messagesOf(run, Api::kKeras), testing::ElementsAreArray(all));

    RunSpec good = digits();
    good.strategy = run.strategy;
    good.cluster.spec.jobs = run.cluster.spec.jobs;
    EXPECT_THAT(textOf(good, Api::kKeras), HasSubstr("keras.Sequential("));
    // A layer within another one.
    good.model.layers[2] = {
        "TimeDistributed", "time_distributed", {{"layer", spec::ObjectBox({"AdaptiveMaxPooling1D", {{"output_size", std::int64_t{2}}}})}}};
    EXPECT_THAT(messagesOf(good, Api::kKeras), testing::ElementsAre(refused("model.layers[2]", "AdaptiveMaxPooling1D")));
}

TEST(Script, NamesDataThatNoProgramReads) {
    RunSpec run = digits();
    run.data.dataset = "tfrecord";
    for (const Api api : {Api::kKeras, Api::kCustomLoop, Api::kTorch}) {
        EXPECT_THAT(messagesOf(run, api), testing::ElementsAre(HasSubstr("data.dataset: expected a set or a format that numpy reads")));
    }
}

TEST(Script, MixesBatchesWhereItsKerasDoes) {
    RunSpec run = digits();
    run.compile.loss = {"CategoricalCrossentropy", {}};
    run.data.one_hot = 10;
    run.data.mix = {"CutMix", {{"factor", 0.5}}};
    for (const Api api : {Api::kKeras, Api::kCustomLoop}) {
        const std::string text = textOf(run, api);
        EXPECT_THAT(text, HasSubstr("mixer = layers.CutMix(factor=0.5)\n"));
        EXPECT_THAT(text, HasSubstr(".map(mix)"));
    }
    EXPECT_THAT(messagesOf(run, Api::kTorch),
                testing::ElementsAre("error: data.mix: expected none in a program in PyTorch, which has no such layer, got CutMix "
                                     "[Leave data.mix out.]"));
    EXPECT_THAT(messagesOf(run, Api::kEstimator),
                testing::ElementsAre("error: data.mix: expected none in a program of Keras 2, which has no such layer, got CutMix "
                                     "[Leave data.mix out.]"));
    RunSpec flat = run;
    flat.model.input_shape = {784};
    flat.model.layers = {{"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    EXPECT_THAT(textOf(flat, Api::kKeras), HasSubstr("    pictures = tf.reshape(images, (-1, 28, 28, 1))\n")) << "as the set has them";
    flat.data.dataset = "npz";
    flat.data.train_files = {"mine.npz"};
    EXPECT_THAT(messagesOf(flat, Api::kKeras),
                testing::ElementsAre("error: data.mix: expected an input with rows and columns for CutMix in a program, got (None, 784) "
                                     "[Set data.mix to MixUp, which mixes samples of any shape.]"));
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec.jobs = {{"worker", {{0, "a:1"}, {1, "b:1"}}}};
    EXPECT_THAT(messagesOf(run, Api::kKeras), testing::ElementsAre(HasSubstr("in a program of Keras 2, which has no such layer")));
}

TEST(Script, RefusesServersInALoopOfItsOwn) {
    RunSpec run = digits();
    run.strategy.name = "ParameterServerStrategy";
    EXPECT_THAT(messagesOf(run, Api::kCustomLoop),
                testing::Contains(HasSubstr("got ParameterServerStrategy (its program is --api keras)")));
}

TEST(Script, LeavesOutWithAWarning) {
    RunSpec run = digits();
    run.compile.metrics = {"AUC"};
    run.callbacks = {{"SwapEMAWeights", {}}};
    EXPECT_THAT(messagesOf(run, Api::kTorch),
                testing::UnorderedElementsAre(HasSubstr("warning: compile.metrics: AUC"), HasSubstr("SwapEMAWeights")));
}

TEST(Script, NamesWhatAnEstimatorWouldTrainOtherwise) {
    RunSpec run = digits();
    run.compile.optimizer = {"Lion", {}};
    run.fit.class_weight = {{1, 3.0}};
    run.callbacks = {{"BackupAndRestore", {}}, {"CSVLogger", {{"filename", "log.csv"}}}};
    EXPECT_THAT(messagesOf(run, Api::kEstimator),
                testing::ElementsAre(HasSubstr("compile.optimizer.class_name: expected an optimizer that tf.estimator takes"),
                                     HasSubstr("fit.class_weight: expected none, for which tf.estimator has no place, got 1"),
                                     HasSubstr("CSVLogger: left out, tf.estimator takes no callbacks of Keras")));
}

TEST(Script, RefusesAnEstimatorBehindALayerThatTakesSamples) {
    RunSpec run = digits();
    run.model.layers.insert(run.model.layers.begin(), {"Normalization", "normalization", {}});
    EXPECT_THAT(messagesOf(run, Api::kEstimator),
                testing::Contains("error: model.layers[0]: expected no layer that takes values from the training samples with an "
                                  "estimator, got Normalization [Give it these values.]"));
    run.model.layers.front().config = {{"mean", 0.5}, {"variance", 2.0}};
    EXPECT_THAT(textOf(run, Api::kEstimator), HasSubstr("layers.Normalization(mean=0.5, variance=2"));
}

TEST(Script, AnEstimatorTrainsAsLongAsTheEpochs) {
    RunSpec run = digits();
    run.fit.epochs = 4;
    EXPECT_THAT(textOf(run, Api::kEstimator), HasSubstr(".repeat(4)"));
    run.fit.steps_per_epoch = 5;
    EXPECT_THAT(textOf(run, Api::kEstimator), HasSubstr("max_steps=arguments.steps or 20"));
}

TEST(Script, BeginsWithTheProjectsWeights) {
    RunSpec run = digits();
    run.fit.initial_weights = "trained.weights.h5";
    EXPECT_THAT(textOf(run, Api::kKeras), HasSubstr("'--weights', default='trained.weights.h5'"));
    EXPECT_THAT(textOf(run, Api::kTorch), HasSubstr("'--weights', default=None"));
    EXPECT_THAT(messagesOf(run, Api::kTorch),
                testing::ElementsAre(HasSubstr("fit.initial_weights: expected a file that the program reads (.npz)")));
    run.fit.initial_weights = "trained.npz";
    EXPECT_THAT(textOf(run, Api::kTorch), HasSubstr("'--weights', default='trained.npz'"));
}

TEST(Script, WeighsEveryClassInFit) {
    RunSpec run = digits();
    run.fit.class_weight = {{3, 2.0}};
    const std::string text = textOf(run, Api::kKeras);
    EXPECT_THAT(text, HasSubstr("class_weight={0: 1.0, 1: 1.0, 2: 1.0, 3: 2.0, 4: 1.0,"));
    EXPECT_THAT(text, HasSubstr("9: 1.0}"));
}

TEST(Script, GivesLabelsTheAxesThatMetricsCompare) {
    RunSpec run = digits();
    run.model.layers.back() = {"Dense", "dense", {{"units", std::int64_t{1}}, {"activation", "sigmoid"}}};
    run.compile.loss = {"BinaryCrossentropy", {}};
    run.compile.metrics = {spec::MetricSpec("F1Score", {{"threshold", 0.5}})};
    EXPECT_THAT(textOf(run, Api::kKeras), HasSubstr("y_train = y_train.reshape(-1, 1)"));
    run.compile.metrics = {"accuracy"};
    EXPECT_THAT(textOf(run, Api::kKeras), Not(HasSubstr("y_train.reshape")));
}

TEST(Script, GivesCallbacksOfALoopWhatFitGivesThem) {
    RunSpec run = digits();
    run.fit.epochs = 7;
    run.fit.validation_freq = 2;
    run.fit.validation_steps = 3;
    run.compile.metrics = {"mae"};
    const std::string text = textOf(run, Api::kCustomLoop);
    EXPECT_THAT(text, HasSubstr("model=model, epochs=7, verbose=0)"));
    EXPECT_THAT(text, HasSubstr("    if x_test is not None and (epoch + 1) % 2 == 0:\n        callbacks.on_test_begin()\n"
                                "        for x, y in itertools.islice(test_batches, 3):\n"));
    EXPECT_THAT(text, HasSubstr("metrics = [metric_of(metric) for metric in ['mae']]"));
    EXPECT_THAT(text, HasSubstr("optimizer.build(model.trainable_variables)"));
}

TEST(Script, BuildsAnAttentionAsKeras2Does) {
    RunSpec run = digits();
    run.model.input_shape = {7, 6};
    run.model.layers = {{"SelfAttention", "attention", {{"num_heads", std::int64_t{2}}, {"key_dim", std::int64_t{3}}}},
                        {"Flatten", "flatten", {}},
                        {"Dense", "dense", {{"units", std::int64_t{10}}, {"activation", "softmax"}}}};
    const std::string two = textOf(run, Api::kEstimator), three = textOf(run, Api::kKeras);
    EXPECT_THAT(three, HasSubstr("super().build(input_shape, input_shape)"));
    EXPECT_THAT(three, HasSubstr("value_mask=mask"));
    EXPECT_THAT(two, HasSubstr("class SelfAttention("));
    EXPECT_THAT(two, Not(HasSubstr("super().build(")));
    EXPECT_THAT(two, Not(HasSubstr("value_mask")));
}

TEST(Script, WaitsWithABaselineAsKerasDoes) {
    RunSpec run = digits();
    run.callbacks = {{"EarlyStopping", {{"monitor", "loss"}, {"patience", std::int64_t{1}}, {"baseline", 0.1}}}};
    EXPECT_THAT(textOf(run, Api::kTorch), HasSubstr("elif waited >= 1 and epoch > 0:"));
}

TEST(Script, LooksForSetsWhereTandemDoes) {
    for (const Api api : {Api::kKeras, Api::kTorch}) {
        const std::string text = textOf(digits(), api);
        EXPECT_THAT(text, HasSubstr("shutil.which('tandem-cli')"));
        EXPECT_THAT(text, HasSubstr("import shutil\n"));
        EXPECT_THAT(text, HasSubstr("'--data', type=pathlib.Path, default=None"));
    }
}

TEST(Script, HasEveryApiByItsName) {
    for (const ApiRow& row : apis()) EXPECT_EQ(apiOf(row.name), row.api);
    EXPECT_EQ(apiOf("jax"), std::nullopt);
}

}  // namespace
}  // namespace engine::script
