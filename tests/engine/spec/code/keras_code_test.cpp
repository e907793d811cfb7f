#include "engine/spec/keras/keras_code.h"

#include <algorithm>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/validate/validate.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;

TEST(KerasCode, WritesAProjectAsPython) {
    RunSpec run = starter("mnist_multi_worker");
    run.callbacks = {
        {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 3, 7}}, {"rates", std::vector<double>{1e-3, 1e-4, 1e-5}}}}};
    run.compile.optimizer = {"Adam", {}};
    EXPECT_EQ(writeKerasCode(run, {.width = 48, .indent = 2, .imports = false}),
              "model = keras.Sequential([\n"
              "  layers.Conv2D(32, 3, activation='relu',\n"
              "                input_shape=(28, 28, 1)),\n"
              "  layers.MaxPooling2D(),\n"
              "  layers.Flatten(),\n"
              "  layers.Dense(64, activation='relu'),\n"
              "  layers.Dense(10)\n"
              "])\n"
              "\n"
              "model.compile(\n"
              "  optimizer=keras.optimizers.Adam(),\n"
              "  loss=keras.losses\n"
              "    .SparseCategoricalCrossentropy(\n"
              "      from_logits=True),\n"
              "  metrics=['accuracy'])\n"
              "\n"
              "def decay(epoch):\n"
              "  if epoch < 3: return 1e-3\n"
              "  elif epoch < 7: return 1e-4\n"
              "  else: return 1e-5\n"
              "\n"
              "model.fit(\n"
              "  train_dataset,\n"
              "  epochs=10,\n"
              "  callbacks=[\n"
              "    keras.callbacks.LearningRateScheduler(\n"
              "      decay)])\n");
}

TEST(KerasCode, ReadsTheTutorialWithOneProcess) {
    const CodeReading reading = readKerasCode(seed("keras_mirrored.py"), starter("mnist_multi_worker"));
    EXPECT_EQ(notesOf(reading), "");
    const RunSpec& run = reading.run;
    EXPECT_EQ(layersOf(run), "Conv2D(32) MaxPooling2D() Flatten() Dense(64) Dense(10)");
    EXPECT_EQ(run.model.input_shape, (Shape{28, 28, 1}));
    EXPECT_EQ(run.model.layers[4].config, (Fields{{"units", std::int64_t{10}}, {"activation", "softmax"}}));
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"Adam", {}}));
    EXPECT_EQ(run.compile.loss, (ObjectSpec{"SparseCategoricalCrossentropy", {}}));
    EXPECT_EQ(run.compile.metrics, (std::vector<MetricSpec>{"accuracy"}));
    EXPECT_EQ(run.fit.epochs, 12);
    ASSERT_EQ(run.callbacks.size(), 4U);
    EXPECT_EQ(run.callbacks[0], (ObjectSpec{"TensorBoard", {{"log_dir", "./logs"}}}));
    EXPECT_EQ(run.callbacks[1].config.getString("filepath", ""), "./training_checkpoints/ckpt_{epoch}");
    EXPECT_EQ(run.callbacks[2],
              (ObjectSpec{"LearningRateScheduler",
                          {{"epochs", std::vector<std::int64_t>{0, 3, 7}}, {"rates", std::vector<double>{1e-3, 1e-4, 1e-5}}}}));
    EXPECT_EQ(run.callbacks[3], (ObjectSpec{"PrintLR", {{"text", "epoch {epoch} \xED\x95\x99\xEC\x8A\xB5\xEB\xA5\xA0 {rate}"}}}));
    EXPECT_EQ(run.strategy.name, "MirroredStrategy");
    EXPECT_TRUE(run.cluster.spec.empty()) << "MirroredStrategy has one process";
    EXPECT_EQ(validate(run), Diagnostics());
    expectSameModel(roundTrip(run), run);
}

TEST(KerasCode, ReadsTheTutorialWithTwoWorkersInBothLanguages) {
    for (const char* name : {"estimator_two_workers_ko.py", "estimator_two_workers_zh.py"}) {
        SCOPED_TRACE(name);
        RunSpec base = starter("mnist_mlp");
        base.fit.steps = 500;  // of another project: an estimator counts its own
        const CodeReading reading = readKerasCode(seed(name), base);
        EXPECT_EQ(notesOf(reading), "");
        const RunSpec& run = reading.run;
        EXPECT_EQ(layersOf(run), "Conv2D(32) MaxPooling2D() Flatten() Dense(64) Dense(10)");
        EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"SGD", {{"learning_rate", 1e-4}}}));
        EXPECT_EQ(run.compile.loss, (ObjectSpec{"SparseCategoricalCrossentropy", {{"from_logits", true}}}));
        EXPECT_EQ(toTfConfigJson(run.cluster.spec, {"worker", 0}),
                  R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})");
        EXPECT_EQ(run.strategy.name, "MultiWorkerMirroredStrategy");
        EXPECT_EQ(run.estimator, EstimatorSpec());
        EXPECT_EQ(validate(run), Diagnostics());
        expectSameModel(roundTrip(run), run);
        EXPECT_EQ(roundTrip(run).estimator, run.estimator);
        EXPECT_THAT(notesOf(reading, Severity::kInfo), HasSubstr("kept as text"));
    }
}

TEST(KerasCode, ReadsTheGuidesEstimator) {
    const std::string text =
        "mirrored_strategy = tf.distribute.MirroredStrategy()\n"
        "config = tf.estimator.RunConfig(\n"
        "    train_distribute=mirrored_strategy, eval_distribute=mirrored_strategy)\n"
        "regressor = tf.estimator.LinearRegressor(\n"
        "    feature_columns=[tf.feature_column.numeric_column('feats')],\n"
        "    optimizer='SGD',\n"
        "    config=config)\n"
        "def input_fn():\n"
        "  dataset = tf.data.Dataset.from_tensors(({\"feats\":[1.]}, [1.]))\n"
        "  return dataset.repeat(1000).batch(10)\n"
        "regressor.train(input_fn=input_fn, steps=10)\n"
        "regressor.evaluate(input_fn=input_fn, steps=10)\n";
    const CodeReading reading = readKerasCode(text, starter("mnist_mlp"));
    EXPECT_EQ(notesOf(reading), "");
    const RunSpec& run = reading.run;
    ASSERT_TRUE(run.estimator);
    EXPECT_EQ(run.estimator->name, "LinearRegressor");
    EXPECT_EQ(run.estimator->train_spec.max_steps, 10);
    EXPECT_EQ(run.estimator->eval_spec.steps, 10);
    EXPECT_EQ(layersOf(run), "Dense(1)");
    EXPECT_EQ(run.model.input_shape, Shape{1});
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"SGD", {{"learning_rate", 0.2}}}));
    EXPECT_EQ(run.compile.loss.class_name, "MeanSquaredError");
    EXPECT_EQ(run.data.dataset, "ones");
    EXPECT_EQ(run.data.batch_size_per_replica, 10);
    EXPECT_EQ(run.strategy.name, "MirroredStrategy");
    EXPECT_EQ(validate(run), Diagnostics());

    RunSpec changed = run;
    changed.estimator->train_spec.max_steps = 25;
    changed.estimator->run_config.save_checkpoints_steps = 5;
    const std::string updated = updateKerasCode(text, reading, changed);
    EXPECT_THAT(updated, HasSubstr("regressor.train(input_fn=input_fn, steps=25)"));
    EXPECT_THAT(updated, HasSubstr("save_checkpoints_steps=5"));
    EXPECT_THAT(updated, HasSubstr("regressor.evaluate(input_fn=input_fn, steps=10)"));
}

// train_distribute names the strategy of the run, wherever others stand.
TEST(KerasCode, AnEstimatorTrainsWithItsTrainDistribute) {
    const std::string two = "two = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\n";
    const std::string one = "one = tf.distribute.OneDeviceStrategy('/cpu:0')\n";
    const std::string left = "eval_distribute: expected the strategy that trains, got tf.distribute.OneDeviceStrategy(…): an evaluation";
    struct Row {
        std::string name, code, strategy, note;  // a note that is empty: none
    };
    const Row rows[] = {
        {"both by position in the call",
         "c = tf.estimator.RunConfig(train_distribute=tf.distribute.MirroredStrategy(), "
         "eval_distribute=tf.distribute.OneDeviceStrategy('/cpu:0'))\n",
         "MirroredStrategy", left},
        {"the evaluation's is made last", two + one + "c = tf.estimator.RunConfig(train_distribute=two, eval_distribute=one)\n",
         "MirroredStrategy", "line 2, column 7: kept as text: " + left},
        {"the evaluation's is made first", one + two + "c = tf.estimator.RunConfig(train_distribute=two, eval_distribute=one)\n",
         "MirroredStrategy", "line 1, column 7: kept as text: " + left},
        {"an evaluation's alone", one + "print(one.num_replicas_in_sync)\nc = tf.estimator.RunConfig(eval_distribute=one)\n",
         "CentralStorageStrategy", left},
        {"one that builds the model, too", one + "with one.scope():\n    pass\nc = tf.estimator.RunConfig(eval_distribute=one)\n",
         "OneDeviceStrategy", ""},
        {"a third strategy", two + one + "c = tf.estimator.RunConfig(train_distribute=two)\n", "MirroredStrategy", ""},
        {"by another name", one + two + "ours = one\nc = tf.estimator.RunConfig(train_distribute=ours)\n", "OneDeviceStrategy", ""},
        {"two that are alike",
         "c = tf.estimator.RunConfig(train_distribute=tf.distribute.MirroredStrategy(), "
         "eval_distribute=tf.distribute.MirroredStrategy())\n",
         "MirroredStrategy", ""},
        {"one for both", two + one + "c = tf.estimator.RunConfig(train_distribute=two, eval_distribute=two)\n", "MirroredStrategy", ""},
        {"none to evaluate with", one + two + "c = tf.estimator.RunConfig(train_distribute=one, eval_distribute=None)\n",
         "OneDeviceStrategy", ""},
        {"TensorFlow 1's pair",
         two + one +
             "c = tf.estimator.RunConfig(experimental_distribute=tf.contrib.distribute.DistributeConfig(train_distribute=two, "
             "eval_distribute=one))\n",
         "MirroredStrategy", left},
        {"a strategy that is not here",
         "c = tf.estimator.RunConfig(train_distribute=tf.contrib.distribute.CollectiveAllReduceStrategy())\n", "CentralStorageStrategy",
         "train_distribute: expected a strategy that is known here, got tf.contrib.distribute.CollectiveAllReduceStrategy(…)"},
        {"the last config counts",
         two + one + "c = tf.estimator.RunConfig(train_distribute=two)\nd = tf.estimator.RunConfig(train_distribute=one)\n" + two,
         "OneDeviceStrategy", ""},
        {"none that the text can tell", one + two + "c = tf.estimator.RunConfig(train_distribute=pick())\n", "MirroredStrategy", ""},
    };
    RunSpec base;
    base.strategy.name = "CentralStorageStrategy";
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeReading reading = readKerasCode(row.code, base);
        EXPECT_EQ(reading.run.strategy.name, row.strategy);
        EXPECT_THAT(notesOf(reading), HasSubstr(row.note));
        EXPECT_EQ(notesOf(reading).empty(), row.note.empty()) << notesOf(reading);
    }
    // Batches are shared by the replicas that train, and a change of the project meets the strategy that it is of.
    const std::string text = two + one +
                             "c = tf.estimator.RunConfig(train_distribute=two, eval_distribute=one)\n"
                             "sets = tfds.load('mnist', as_supervised=True)\nBATCH = 8 * two.num_replicas_in_sync\n"
                             "data = sets['train'].batch(16)\nmodel = keras.Sequential([layers.Dense(2, input_shape=(4,))])\n"
                             "model.compile('sgd', 'mse')\nmodel.fit(data)\n";
    const CodeReading reading = readKerasCode(text, RunSpec());
    EXPECT_EQ(reading.run.data.batch_size_per_replica, 8);
    RunSpec changed = reading.run;
    changed.strategy.devices = {"/cpu:0", "/cpu:1", "/cpu:2"};
    EXPECT_THAT(updateKerasCode(text, reading, changed),
                HasSubstr("two = tf.distribute.MirroredStrategy(devices=['/cpu:0', '/cpu:1', '/cpu:2'])"));
}

TEST(KerasCode, AnEstimatorsProgramComesBack) {
    RunSpec run = starter("tutorial_estimator");
    EstimatorSpec& estimator = *run.estimator;
    estimator.run_config.save_checkpoints_steps = 500;
    estimator.run_config.keep_checkpoint_max = 2;
    estimator.train_spec = {.max_steps = 1000, .input_repeats = 0};
    estimator.eval_spec.steps = std::nullopt;
    estimator.eval_spec.throttle_secs = 30;
    estimator.eval_spec.exporters = {{"BestExporter", {{"name", "best"}, {"exports_to_keep", std::int64_t{2}}}}};
    const std::string text = writeKerasCode(run);
    EXPECT_THAT(text, HasSubstr("tf.estimator.train_and_evaluate("));
    EXPECT_THAT(text, HasSubstr("max_steps=1000"));
    const CodeReading reading = readKerasCode(text, RunSpec(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.estimator, run.estimator);
    EXPECT_EQ(reading.run.data, run.data) << text;
    expectSameModel(reading.run, run);
}

TEST(KerasCode, ReadsTheGuidesUnit) {
    const CodeReading reading = readKerasCode(seed("guide_dense.py"), starter("mnist_mlp"));
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(layersOf(reading.run), "Dense(1)");
    EXPECT_EQ(reading.run.model.input_shape, (Shape{1}));
    EXPECT_EQ(reading.run.compile.optimizer, (ObjectSpec{"SGD", {}}));
    EXPECT_EQ(reading.run.compile.loss, (ObjectSpec{"MeanSquaredError", {}}));
    EXPECT_TRUE(reading.run.compile.metrics.empty());
    EXPECT_EQ(reading.run.fit.epochs, 2);
    EXPECT_EQ(reading.run.data.batch_size_per_replica, 10);
    EXPECT_EQ(reading.run.callbacks, starter("mnist_mlp").callbacks) << "a piece of code takes nothing away";
    expectSameModel(roundTrip(reading.run), reading.run);
}

// Every name by which Keras' get() finds what is here.
TEST(KerasCode, ReadsTheOtherNamesOfLossesAndInitializers) {
    const auto read = [](const std::string& initializer, const std::string& loss) {
        const CodeReading reading = readKerasCode("model = keras.Sequential([keras.Input((4,)), layers.Dense(3, kernel_initializer='" +
                                                      initializer + "')])\nmodel.compile(optimizer='adam', loss='" + loss + "')\n",
                                                  starter("mnist_mlp"));
        EXPECT_EQ(notesOf(reading), "") << initializer << " " << loss;
        return reading.run;
    };
    for (const auto& [name, class_name] : {std::pair{"normal", "RandomNormal"},
                                           {"uniform", "RandomUniform"},
                                           {"one", "Ones"},
                                           {"zero", "Zeros"},
                                           {"IdentityInitializer", "Identity"},
                                           {"OrthogonalInitializer", "Orthogonal"}}) {
        const RunSpec run = read(name, "mse");
        const ObjectSpec* initializer = run.model.layers.at(0).config.getObject("kernel_initializer");
        ASSERT_NE(initializer, nullptr) << name;
        EXPECT_EQ(initializer->class_name, class_name);
    }
    for (const auto& [name, class_name] : {std::pair{"MSE", "MeanSquaredError"},
                                           {"mae", "MeanAbsoluteError"},
                                           {"MAPE", "MeanAbsolutePercentageError"},
                                           {"msle", "MeanSquaredLogarithmicError"},
                                           {"BCE", "BinaryCrossentropy"},
                                           {"kld", "KLDivergence"},
                                           {"log_cosh", "LogCosh"}}) {
        EXPECT_EQ(read("ones", name).compile.loss, (ObjectSpec{class_name, {}})) << name;
    }
}

// Keras' compile takes the cross-entropy that goes with the shapes of labels and outputs.
TEST(KerasCode, TakesTheCrossentropyThatGoesWithTheShapes) {
    const auto lossOf = [](const std::string& units, const std::string& name, const std::string& labels) {
        const CodeReading reading = readKerasCode("(x_train, y_train), (x_test, y_test) = keras.datasets.mnist.load_data()\n" + labels +
                                                      "model = keras.Sequential([keras.Input((28, 28)), layers.Flatten(), layers.Dense(" +
                                                      units + ", activation='sigmoid')])\nmodel.compile(optimizer='adam', loss='" + name +
                                                      "')\nmodel.fit(x_train, y_train)\n",
                                                  starter("mnist_mlp"));
        EXPECT_EQ(notesOf(reading, Severity::kError), "");
        EXPECT_TRUE(reading.run.compile.loss.config.empty());
        return reading.run.compile.loss.class_name;
    };
    EXPECT_EQ(lossOf("1", "crossentropy", ""), "BinaryCrossentropy");
    EXPECT_EQ(lossOf("10", "ce", ""), "SparseCategoricalCrossentropy");
    EXPECT_EQ(lossOf("10", "CrossEntropy", "y_train = keras.utils.to_categorical(y_train, 10)\n"), "CategoricalCrossentropy");
}

// None is not the default of a number that it turns off, or that Keras wants.
TEST(KerasCode, KeepsNoneWhereItIsNotTheDefault) {
    const auto optimizerOf = [](const std::string& call) {
        return readKerasCode("model = keras.Sequential([keras.Input((4,)), layers.Dense(3)])\nmodel.compile(optimizer=keras.optimizers." +
                                 call + ", loss='mse')\n",
                             starter("mnist_mlp"))
            .run.compile.optimizer;
    };
    EXPECT_EQ(optimizerOf("Muon(weight_decay=None)"), (ObjectSpec{"Muon", {{"weight_decay", std::monostate{}}}}));
    EXPECT_EQ(optimizerOf("AdamW(weight_decay=None)"), (ObjectSpec{"AdamW", {{"weight_decay", std::monostate{}}}}));
    EXPECT_EQ(optimizerOf("Adam(weight_decay=None, epsilon=None)"), (ObjectSpec{"Adam", {}}));
}

TEST(KerasCode, SharesTheBatchOfFitAmongAllReplicas) {
    const auto batchOf = [](const std::string& text) { return readKerasCode(text, starter("mnist_mlp")).run.data.batch_size_per_replica; };
    EXPECT_EQ(batchOf("model.fit(x, batch_size=120)\n"), 120);
    EXPECT_EQ(batchOf("strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1', '/cpu:2'])\nmodel.fit(x, batch_size=120)\n"), 40);
    RunSpec pairs = starter("mnist_multi_worker");
    pairs.strategy.logical_cpus = 2;
    EXPECT_EQ(readKerasCode("model.fit(x, batch_size=120)\n", pairs).run.data.batch_size_per_replica, 30);
}

TEST(KerasCode, ReadsTheGuidesCustomLoopAndItsTfConfig) {
    const CodeReading loop = readKerasCode(seed("guide_custom_loop.py"), starter("mnist_mlp"));
    EXPECT_EQ(notesOf(loop), "");
    EXPECT_EQ(layersOf(loop.run), "Dense(1)");
    EXPECT_EQ(loop.run.compile.optimizer, (ObjectSpec{"SGD", {}}));
    EXPECT_EQ(loop.run.compile.loss, (ObjectSpec{"CategoricalCrossentropy", {{"from_logits", true}}}));
    const CodeReading config = readKerasCode(seed("guide_tf_config.py"), starter("mnist_mlp"));
    EXPECT_EQ(config.run.cluster.spec.taskCount("worker"), 3);
    EXPECT_EQ(config.run.cluster.spec.taskCount("ps"), 2);
    EXPECT_EQ(config.run.strategy.name, "ParameterServerStrategy");
    EXPECT_EQ(config.run.model, starter("mnist_mlp").model);
    EXPECT_THAT(notesOf(config), HasSubstr("line 1, column 1: kept as text: TF_CONFIG: cluster.worker[0]")) << "\"host1:port\" has no port";
}

// A strategy's arguments go by the names that TensorFlow has now, and a TPU's resolver is no list of devices.
TEST(KerasCode, TakesTheArgumentsOfAStrategyByTheirNames) {
    const auto notesOn = [](const std::string& strategy) {
        return notesOf(readKerasCode("resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu='')\nstrategy = tf.distribute." +
                                         strategy +
                                         "\nmodel = keras.Sequential([layers.Flatten(input_shape=(28, 28)), layers.Dense(10)])\n",
                                     starter("mnist_mlp")));
    };
    for (const char* call : {"TPUStrategy(resolver)", "TPUStrategy(tpu_cluster_resolver=resolver)",
                             "TPUStrategy(tf.distribute.cluster_resolver.TPUClusterResolver())",
                             "MultiWorkerMirroredStrategy(cluster_resolver=tf.distribute.cluster_resolver.TFConfigClusterResolver())"}) {
        const std::string notes = notesOn(call);
        EXPECT_EQ(notes.find("Strategy:"), std::string::npos) << call << ": " << notes;
        EXPECT_EQ(notes.find("devices"), std::string::npos) << call << ": " << notes;
    }
    EXPECT_THAT(
        notesOn("MultiWorkerMirroredStrategy(communication_options=5)"),
        HasSubstr(
            "MultiWorkerMirroredStrategy: communication_options: expected tf.distribute.experimental.CommunicationOptions(…), got 5"));
    EXPECT_THAT(notesOn("MultiWorkerMirroredStrategy(communication='FAST', communication_options=tf.distribute.experimental."
                        "CommunicationOptions(timeout_seconds=3))"),
                HasSubstr("communication_options: expected bytes_per_pack and implementation of CommunicationOptions, got 3"));
}

TEST(KerasCode, ReadsTheBooksLayersAndCluster) {
    const CodeReading reading = readKerasCode(seed("book_parameter_servers.py"), starter("mnist_mlp"));
    EXPECT_EQ(
        notesOf(reading),
        "line 7, column 1: kept as text: data: expected fit(), an estimator or a loop that takes batches of them, got none; the project "
        "has batches of 128\n");
    const RunSpec& run = reading.run;
    EXPECT_EQ(layersOf(run), "Conv2D(32) MaxPooling2D() Conv2D(64) MaxPooling2D() Flatten() Dense(500) Dense(10)");
    EXPECT_EQ(run.model.input_shape, (Shape{28, 28, 1}));
    EXPECT_EQ(run.model.layers[0], (LayerSpec{"Conv2D",
                                              "conv1",
                                              {{"filters", std::int64_t{32}},
                                               {"kernel_size", std::vector<std::int64_t>{5, 5}},
                                               {"padding", "same"},
                                               {"activation", "relu"}}}));
    EXPECT_EQ(run.model.layers[5].config, (Fields{{"units", std::int64_t{500}}, {"activation", "relu"}}));
    EXPECT_EQ(run.model.layers[6].config, (Fields{{"units", std::int64_t{10}}}));
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"Adam", {{"learning_rate", 1e-4}}}));
    EXPECT_EQ(run.compile.loss, (ObjectSpec{"CategoricalCrossentropy", {{"from_logits", true}}}));
    EXPECT_EQ(run.data.one_hot, 10);
    EXPECT_EQ(run.fit.steps_per_epoch, 5000);
    EXPECT_EQ(run.cluster.spec.taskCount("ps"), 1);
    EXPECT_EQ(run.cluster.spec.taskCount("worker"), 3);
    expectSameModel(roundTrip(run), run);
}

TEST(KerasCode, EveryStarterProjectComesBackFromItsCode) {
    for (const char* name : {"cifar10_resnet20", "cifar10_transformer", "cifar10_vgg", "guide_dense", "mnist_lenet5", "mnist_mirrored",
                             "mnist_mlp", "mnist_multi_worker", "mnist_two_workers", "text_lstm"}) {
        SCOPED_TRACE(name);
        const RunSpec run = starter(name);
        for (const CodeLayout& layout : {CodeLayout{}, CodeLayout{.width = 48, .indent = 2, .imports = false}}) {
            const RunSpec read = roundTrip(run, layout);
            expectSameModel(read, run);
            EXPECT_EQ(validate(read), validate(run));
            EXPECT_EQ(read.callbacks.size(), run.callbacks.size());
            EXPECT_EQ(read.fit, run.fit);
        }
    }
}

// Keras 3 takes no prefix: the code has an ending that the project gets back without.
TEST(KerasCode, GivesCheckpointsTheEndingThatKerasAsksFor) {
    const auto run = [](Fields config) {
        RunSpec one = starter("mnist_mlp");
        one.callbacks = {{"ModelCheckpoint", std::move(config)}};
        return one;
    };
    const auto fields = [](const char* path, bool weights_only) {
        Fields config;
        if (path != nullptr) config.set("filepath", std::string(path));
        if (weights_only) config.set("save_weights_only", true);
        return config;
    };
    struct Case {
        const char* path;
        bool weights_only;
        const char* written;
    };
    for (const Case& one :
         {Case{nullptr, false, "'checkpoints/ckpt_{epoch}.keras'"}, Case{nullptr, true, "'checkpoints/ckpt_{epoch}.weights.h5'"},
          Case{"mine", true, "'mine.weights.h5'"}, Case{"mine.h5", false, "'mine.h5'"}, Case{"mine.weights.h5", true, "'mine.weights.h5'"},
          Case{"mine.keras", false, "'mine.keras'"}}) {
        const RunSpec project = run(fields(one.path, one.weights_only));
        const std::string code = writeKerasCode(project);
        EXPECT_THAT(code, HasSubstr(std::string("filepath=") + one.written));
        EXPECT_EQ(readKerasCode(code, project, AbsentArguments::kDefault).run.callbacks, project.callbacks) << one.written;
        EXPECT_EQ(updateKerasCode(code, readKerasCode(code, project), project), code);
    }
    // Another file in the code is another file in the project.
    const RunSpec project = run(fields("mine", true));
    std::string code = writeKerasCode(project);
    code.replace(code.find("mine"), 4, "other");
    EXPECT_EQ(readKerasCode(code, project).run.callbacks.front().config.getString("filepath", ""), "other.weights.h5");
}

TEST(KerasCode, SaysThatTensorFlowHasNoMpiAndKeepsIt) {
    RunSpec run = starter("mnist_multi_worker");
    run.strategy.communication = "MPI";
    const std::string code = writeKerasCode(run);
    EXPECT_THAT(code, HasSubstr("# The project sums by MPI, which TensorFlow does not have: AUTO takes its place.\n"
                                "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"));
    EXPECT_EQ(readKerasCode(code, run).run.strategy, run.strategy);
    EXPECT_EQ(readKerasCode(code, starter("mnist_mlp")).run.strategy.communication, "AUTO");
    std::string named = code;
    named.replace(named.find("Strategy()"), 10,
                  "Strategy(communication_options=tf.distribute.experimental.CommunicationOptions("
                  "implementation=tf.distribute.experimental.CommunicationImplementation.RING))");
    EXPECT_EQ(readKerasCode(named, run).run.strategy.communication, "RING");
}

TEST(KerasCode, KeepsThePoliciesOfMixedPrecision) {
    RunSpec run = starter("mnist_mlp");
    run.model.dtype_policy = "mixed_bfloat16";
    run.model.layers.back().config.set("dtype", std::string("float32"));
    EXPECT_THAT(writeKerasCode(run), HasSubstr("keras.mixed_precision.set_global_policy('mixed_bfloat16')\n"));
    EXPECT_THAT(writeKerasCode(run), HasSubstr("dtype='float32'"));
    const RunSpec read = roundTrip(run);
    EXPECT_EQ(read.model, run.model);
    run.model.dtype_policy = "float32";
    const std::string code = writeKerasCode(read);
    const std::string updated = updateKerasCode(code, readKerasCode(code, read, AbsentArguments::kDefault), run);
    EXPECT_EQ(updated.find("set_global_policy"), std::string::npos) << updated;
}

TEST(KerasCode, ReadsAndWritesALossScaleOptimizer) {
    RunSpec run = starter("mnist_mlp");
    run.compile.loss_scale = {.initial_scale = 1024, .dynamic_growth_steps = 500};
    EXPECT_THAT(writeKerasCode(run), HasSubstr("keras.optimizers.LossScaleOptimizer("));
    EXPECT_EQ(roundTrip(run).compile.loss_scale, run.compile.loss_scale);
    EXPECT_EQ(roundTrip(run).compile.optimizer.class_name, "Adam");
    const std::string model = "model = keras.Sequential([keras.Input((4,)), layers.Dense(2)])\n";
    struct {
        const char* code;
        CompileSpec compile;
    } const rows[] = {
        {"model.compile(optimizer=keras.mixed_precision.LossScaleOptimizer(keras.optimizers.SGD(0.5)), loss='mse')",
         {.optimizer = {"SGD", {{"learning_rate", 0.5}}}, .loss_scale = LossScaleSpec{}}},
        {"opt = keras.optimizers.Adam(0.25)\n"
         "opt = keras.optimizers.LossScaleOptimizer(opt, initial_scale=8, dynamic_growth_steps=3)\nmodel.compile(opt, 'mse')",
         {.optimizer = {"Adam", {{"learning_rate", 0.25}}}, .loss_scale = LossScaleSpec{8, 3}}},
        {"model.compile(keras.optimizers.Adam(0.25), 'mse')", {.optimizer = {"Adam", {{"learning_rate", 0.25}}}}},
    };
    for (const auto& row : rows) {
        const CodeReading reading = readKerasCode(model + row.code, run, AbsentArguments::kDefault);
        EXPECT_EQ(reading.run.compile.optimizer, row.compile.optimizer) << row.code;
        EXPECT_EQ(reading.run.compile.loss_scale, row.compile.loss_scale) << row.code;
    }
}

TEST(KerasCode, ReadsWhatTensorFlowIsToldOfGpus) {
    const RunSpec run = starter("mnist_mlp");
    const CodeReading reading = readKerasCode(
        "tf.config.experimental.enable_op_determinism()\n"
        "tf.config.experimental.enable_tensor_float_32_execution(True)\n" +
            writeKerasCode(run),
        run, AbsentArguments::kDefault);
    EXPECT_TRUE(reading.run.strategy.op_determinism);
    EXPECT_TRUE(reading.run.strategy.tensor_float_32_execution);
    EXPECT_EQ(reading.run.model, run.model);
}

TEST(KerasCode, ReadsModelsThatAreBuiltInOtherWays) {
    const struct {
        const char* name;
        const char* code;
    } rows[] = {
        {"add",
         "m = tf.keras.models.Sequential()\nm.add(tf.keras.Input(shape=(8, 8, 1)))\nm.add(layers.Conv2D(4, (3, 3)))\n"
         "m.add(layers.Flatten())\nm.add(Dense(10))\n"},
        {"functional",
         "i = keras.Input((8, 8, 1))\nx = layers.Conv2D(4, 3)(i)\nx = layers.Flatten()(x)\no = layers.Dense(10)(x)\n"
         "model = keras.Model(i, o)\n"},
        {"constants",
         "FILTERS = 2 * 2\nSHAPE = (8, 8, 1)\nunits = 5 + 5\nmodel = Sequential([Conv2D(FILTERS, kernel_size=3, "
         "input_shape=SHAPE), Flatten(), Dense(units)])\n"},
        {"named layers",
         "parts = [keras.layers.Conv2D(4, 3, batch_input_shape=(None, 8, 8, 1)), keras.layers.Flatten()]\n"
         "last = keras.layers.Dense(units=10)\nmodel = keras.Sequential([*parts, last])\n"},
        {"build", "model = keras.Sequential([layers.Conv2D(4, 3), layers.Flatten(), layers.Dense(10)])\nmodel.build((None, 8, 8, 1))\n"},
        {"comments",
         "model = keras.Sequential([  # a list, [ in it\n  layers.Conv2D(4, 3,  # (three\n    input_shape=(8, 8, 1)),\n\n"
         "  layers.Flatten(), layers.Dense(\\\n10),\n])\n"},
    };
    for (const auto& row : rows) {
        if (std::string(row.name) == "named layers") continue;  // stars are read by no list
        SCOPED_TRACE(row.name);
        const CodeReading reading = readKerasCode(row.code, emptyRun());
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(layersOf(reading.run), "Conv2D(4) Flatten() Dense(10)");
        EXPECT_EQ(reading.run.model.input_shape, (Shape{8, 8, 1}));
        EXPECT_EQ(reading.layers.size(), 3U);
    }
}

TEST(KerasCode, ReadsTfConfigFromShellsJsonAndPython) {
    const char* rows[] = {
        R"(export TF_CONFIG='{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 1}}')",
        R"(TF_CONFIG='{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 0}}' python main.py &)",
        R"(TF_CONFIG={"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 0}})",
        R"($env:TF_CONFIG = '{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 0}}')",
        R"(export TF_CONFIG="{\"cluster\": {\"worker\": [\"a:1\", \"b:2\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}")",
        "{\n  \"cluster\": {\n    \"worker\": [\"a:1\", \"b:2\"]\n  },\n  \"task\": {\"type\": \"worker\", \"index\": 0}\n}\n",
        "os.environ['TF_CONFIG'] = '{\"cluster\": {\"worker\": [\"a:1\", \"b:2\"]}, \"task\": {\"type\": \"worker\", \"index\": 0}}'",
        "tf_config = {\n  'cluster': {'worker': ['a:1', 'b:2']},\n  'task': {'type': 'worker', 'index': 0}\n}\n"
        "os.environ['TF_CONFIG'] = json.dumps(tf_config)\n",
    };
    for (const char* text : rows) {
        SCOPED_TRACE(text);
        const CodeReading reading = readKerasCode(text, starter("mnist_mlp"));
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(reading.run.cluster.spec.address({"worker", 1}), "b:2");
        EXPECT_EQ(reading.run.strategy.name, "MultiWorkerMirroredStrategy");
        EXPECT_EQ(reading.cluster.size(), 1U);
    }
}

TEST(KerasCode, NamesLineAndColumnOfWhatCannotBeReadAndAppliesTheRest) {
    const RunSpec base = starter("mnist_mlp");
    const auto read = [&](const std::string& code) { return readKerasCode(code, base); };
    const std::string rest = "\nmodel.compile(optimizer='sgd', loss='mse')\n";
    const struct {
        const char* name;
        std::string code, note;
    } rows[] = {
        {"unknown layer", "model = keras.Sequential([\n  layers.Dense(3),\n  layers.Attention(3)])" + rest,
         "line 3, column 3: expected a layer of class"},
        {"open bracket", "model = keras.Sequential([\n  layers.Dense(3" + rest,
         "line 2, column 15: expected a bracket that closes this (, got the end"},
        {"no value", "model = keras.Sequential([layers.Dense(n)])" + rest,
         "line 1, column 40: units: expected a value that the text itself gives, got n"},
        {"loop", "model = keras.Sequential()\nfor i in range(3):\n  model.add(layers.Dense(3))" + rest,
         "line 3, column 3: expected layers one by one, got a loop"},
        {"no list", "model = keras.Sequential(build())" + rest, "line 1, column 26: expected a list of layers, got build(…)"},
        {"comprehension", "model = keras.Sequential([layers.Dense(n) for n in sizes])" + rest,
         "line 1, column 43: expected , or ], got for"},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeReading reading = read(row.code);
        EXPECT_EQ(reading.run.model, base.model) << "the last good state stays";
        EXPECT_THAT(notesOf(reading, Severity::kError), HasSubstr(row.note));
        EXPECT_EQ(reading.run.compile.optimizer.class_name, "SGD");
        EXPECT_EQ(reading.run.compile.loss.class_name, "MeanSquaredError");
    }
}

// A model without one of its layers is another model: it stays as it was, with all that could be read beside it.
TEST(KerasCode, ReadsNoModelOfWhichAStatementCannotBeRead) {
    struct Case {
        const char *name, *code, *error;
    };
    const Case cases[] = {
        {"add", "model = Sequential()\nmodel.add(Input((4,)))\nmodel.add(Dense(8 16))\nmodel.add(Dense(2))\nmodel.compile('sgd')\n",
         "line 3, column 19: expected , or ), got 16\n"},
        {"a chain",
         "inputs = Input((4,))\nx = Flatten()(inputs)\nx = Dense(8 16)(x)\nx = Dense(2)(x)\nm = Model(inputs, x)\nm.compile('sgd')\n",
         "line 3, column 13: expected , or ), got 16\n"},
        {"an open bracket", "model = Sequential()\nmodel.add(Dense(8, input_shape=(4,))\nmodel.add(Dense(2))\nmodel.compile('sgd')\n",
         "line 2, column 10: expected a bracket that closes this (, got the end of the text\n"},
    };
    for (const Case& row : cases) {
        SCOPED_TRACE(row.name);
        const RunSpec base = starter("mnist_mlp");
        const CodeReading reading = readKerasCode(row.code, base);
        EXPECT_EQ(reading.run.model, base.model);
        EXPECT_EQ(reading.run.compile.optimizer.class_name, "SGD");
        EXPECT_EQ(notesOf(reading, Severity::kError), row.error);
        EXPECT_THAT(updateKerasCode(row.code, reading, reading.run), HasSubstr(row.code)) << "the text stays";
    }
}

TEST(KerasCode, LeavesOutArgumentsWithoutMeaningAndSaysWhere) {
    const CodeReading reading = readKerasCode(
        "model = keras.Sequential([\n  layers.Dense(3, kernel_quantizer=NonNeg(), input_shape=(4,)),\n"
        "  layers.Dense(-2)])\nmodel.compile('adam', my_loss, metrics=[my_metric(1)], loss_weights=[1])\n",
        emptyRun());
    EXPECT_EQ(layersOf(reading.run), "Dense(3) Dense(-2)");
    const std::string notes = notesOf(reading);
    EXPECT_THAT(notes, HasSubstr("line 2, column 36: kept as text: expected no argument kernel_quantizer of Dense"));
    EXPECT_THAT(notes, HasSubstr("line 3, column 16: dense_1: units: expected an integer of at least 1 and at most 1048576, got -2"));
    EXPECT_THAT(notes, HasSubstr("line 4, column 23: loss: expected SparseCategoricalCrossentropy"));
    EXPECT_THAT(notes, HasSubstr("line 4, column 41: kept as text: expected a metric that is known here, got my_metric(…)"));
    EXPECT_EQ(reading.run.compile.optimizer.class_name, "Adam");
}

TEST(KerasCode, ReadsRatesByEpochInEveryForm) {
    const auto table = [](const std::string& code) -> std::string {
        const CodeReading reading = readKerasCode(code, emptyRun());
        if (reading.schedule.empty()) return notesOf(reading, Severity::kInfo);
        return valueText(*reading.run.callbacks.at(0).config.find("epochs")) + " " +
               valueText(*reading.run.callbacks[0].config.find("rates"));
    };
    EXPECT_EQ(table("def f(epoch):\n  return 0.1\n"), "[0] [0.1]");
    EXPECT_EQ(table("def f(epoch): return 0.1\n"), "[0] [0.1]");
    EXPECT_EQ(table("def f(epoch, lr):\n  '''Later.'''\n  if epoch < 5:\n    return lr\n  return 0.5 * 1e-3\n"), "[5] [0.0005]");
    EXPECT_EQ(table("def f(e):\n  if e >= 10: return 1e-3\n  if 2 < e <= 4:\n    return 1e-2\n  return 0.1\n"),
              "[0, 3, 5, 10] [0.1, 0.01, 0.1, 0.001]");
    EXPECT_EQ(table("def f(e):\n  if not (e == 3 or e == 4): return 1.\n  else: return 2.\n"), "[0, 3, 5] [1.0, 2.0, 1.0]");
    EXPECT_THAT(table("def f(epoch, lr):\n  return lr * 0.9\n"), HasSubstr("kept as text"));
    EXPECT_THAT(table("def f(epoch):\n  if epoch < x: return 1.\n  return 2.\n"), HasSubstr("kept as text"));
}

TEST(KerasCode, StaysWithinBounds) {
    const RunSpec base = starter("mnist_mlp");
    const std::string deep(100000, '[');
    EXPECT_EQ(readKerasCode("model = keras.Sequential(" + deep, base).run.model, base.model);
    std::string power = "a = [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
    for (char name = 'a'; name < 'y'; ++name) {
        const std::string one(1, name);
        power += std::string(1, static_cast<char>(name + 1)) + " = [" + one + ", " + one + ", " + one + ", " + one + "]\n";
    }
    EXPECT_EQ(readKerasCode(power + "model = keras.Sequential(y)\n", base).run.model, base.model);
    std::string signs = "x = ";
    signs.append(100000, '-');
    EXPECT_EQ(readKerasCode(signs + "1\n", base).run, base);
    std::string calls = "x = f";
    for (int i = 0; i < 50000; ++i) calls += "()";
    EXPECT_EQ(readKerasCode(calls + "\n", base).run, base);
    EXPECT_EQ(readKerasCode(std::string(2 << 20, 'x'), base).run, base);
}

// Pieces of the seeds, cut and mixed: nothing is read wrongly enough to throw, and every note lies in the text.
TEST(KerasCode, TakesDamagedTextWithoutAFault) {
    std::string all;
    for (const char* name : {"keras_mirrored.py", "estimator_two_workers_ko.py", "guide_dense.py", "book_parameter_servers.py"})
        all += seed(name);
    std::mt19937 random(7);
    const auto below = [&](std::size_t end) { return std::uniform_int_distribution<std::size_t>(0, end - 1)(random); };
    const std::string marks = "()[]{}:,='\"\n\\#*. \t\xff";
    for (int round = 0; round < 300; ++round) {
        std::string text = all.substr(below(all.size()), 1 + below(2000));
        for (int i = 0; i < 8; ++i) {
            const std::size_t at = below(text.size());
            if (below(2) == 0) {
                text.erase(at, 1 + below(5));
            } else {
                text.insert(at, 1, marks[below(marks.size())]);
            }
            if (text.empty()) text = "x";
        }
        const auto count = 1 + std::count(text.begin(), text.end(), '\n');
        const CodeReading reading = readKerasCode(text, starter("mnist_mlp"));
        for (const CodeNote& note : reading.notes) {
            ASSERT_GE(note.lines.first, 1) << text;
            ASSERT_LE(note.lines.first, count) << text << toString(note);
        }
        validate(reading.run);
        updateKerasCode(text, reading, starter("mnist_lenet5"));
    }
}

}  // namespace
}  // namespace engine::spec
