// Code that somebody wrote: what the project changes of it, and what stays as it was.
#include <algorithm>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/read_work.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;

TEST(KerasCode, WritesOnlyTheStatementsThatChanged) {
    const std::string text =
        "# my model\nimport keras\n\nwith strategy.scope():\n    model = keras.Sequential([\n        keras.layers.Dense(3, "
        "input_shape=(4,))])\n"
        "    model.compile(optimizer='adam',\n                  loss='mse')  # both\n\nprint(model)\n";
    const CodeReading reading = readKerasCode(text, emptyRun());
    EXPECT_EQ(updateKerasCode(text, reading, reading.run).substr(0, text.size()), text) << "nothing changed; fit is added";
    RunSpec run = reading.run;
    run.model.layers[0].config.set("units", std::int64_t{7});
    const std::string updated = updateKerasCode(text, reading, run);
    EXPECT_THAT(updated, HasSubstr("# my model\n"));
    EXPECT_THAT(updated,
                HasSubstr("with strategy.scope():\n    model = keras.Sequential([\n        layers.Dense(7, input_shape=(4,))\n    ])\n"));
    EXPECT_THAT(updated, HasSubstr("loss='mse')  # both\n"));
    EXPECT_THAT(updated, HasSubstr("\nprint(model)\n"));
    EXPECT_EQ(readKerasCode(updated, emptyRun()).run.model, run.model);
    // Layers that were added one by one become one statement.
    const std::string added =
        "m = keras.Sequential()\nm.add(layers.Dense(3, input_shape=(4,)))\nx = 1\nm.add(layers.Dense(2))\nm.compile('sgd', 'mse')\n";
    const CodeReading second = readKerasCode(added, emptyRun());
    run = second.run;
    run.model.layers.pop_back();
    const std::string shorter = updateKerasCode(added, second, run);
    EXPECT_EQ(shorter.find("add("), std::string::npos) << shorter;
    EXPECT_THAT(shorter, HasSubstr("m = keras.Sequential(["));
    EXPECT_THAT(shorter, HasSubstr("\nm.fit(train_dataset)\n")) << "by the name that the text gave it";
    EXPECT_THAT(shorter, HasSubstr("x = 1\n"));
    EXPECT_EQ(readKerasCode(shorter, emptyRun()).run.model, run.model);
}

TEST(KerasCode, ReadsModelsThatFunctionsReturn) {
    const struct {
        const char* name;
        const char* code;
        const char* maker;
    } rows[] = {
        {"Sequential",
         "def build():\n    return keras.Sequential([\n        layers.Conv2D(4, 3, input_shape=(8, 8, 1)),\n"
         "        layers.Flatten(), layers.Dense(10)])\n",
         "build()"},
        {"Sequential that is asked for",
         "def build():\n    return keras.Sequential([layers.Conv2D(4, 3, input_shape=(8, 8, 1)), layers.Flatten()])\n"
         "model = build()\nmodel.add(layers.Dense(10))\n",
         ""},
        {"a variable",
         "def build(classes):\n    net = keras.Sequential([layers.Conv2D(4, 3, input_shape=(8, 8, 1)), layers.Flatten(), "
         "layers.Dense(10)])\n"
         "    return net\nmodel = build(10)\n",
         ""},
        {"a variable that nothing asks for",
         "def build():\n    net = keras.Sequential([layers.Conv2D(4, 3, input_shape=(8, 8, 1)), layers.Flatten(), layers.Dense(10)])\n"
         "    return net\n",
         "build()"},
        {"functional",
         "def build():\n    i = keras.Input((8, 8, 1))\n    o = layers.Dense(10)(layers.Flatten()(layers.Conv2D(4, 3)(i)))\n"
         "    return keras.Model(i, o)\n",
         "build()"},
        {"slim",
         "def net_fn(x):\n    net = tf.reshape(x, [-1, 8, 8, 1])\n    net = slim.layers.conv2d(net, 4, [3, 3], activation_fn=None)\n"
         "    return slim.layers.fully_connected(slim.layers.flatten(net), 10, activation_fn=None)\nlogits = net_fn(images)\n",
         ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeReading reading = readKerasCode(row.code, emptyRun());
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(layersOf(reading.run), "Conv2D(4) Flatten() Dense(10)");
        EXPECT_EQ(reading.run.model.input_shape, (Shape{8, 8, 1}));
        EXPECT_EQ(reading.model_maker, row.maker);
        EXPECT_EQ(notesOf(reading, Severity::kInfo), "line 1, column 1: kept as text: no part of the model\n");
        // Its statement changes in its place, and what the text lacks comes behind it.
        RunSpec changed = reading.run;
        changed.model.layers[0].config.set("filters", std::int64_t{6});
        const std::string updated = updateKerasCode(row.code, reading, changed);
        EXPECT_EQ(readKerasCode(updated, emptyRun()).run.model, changed.model) << updated;
        EXPECT_EQ(notesOf(readKerasCode(updated, emptyRun())), "") << updated;
    }
}

TEST(KerasCode, WritesAModelThatAFunctionReturnsIntoTheFunction) {
    const std::string text =
        "def build():\n    # two layers\n    return keras.Sequential([\n        layers.Dense(3, input_shape=(4,)),\n        "
        "layers.Dense(2)])\n";
    const CodeReading reading = readKerasCode(text, emptyRun());
    RunSpec run = reading.run;
    run.model.layers.pop_back();
    EXPECT_THAT(updateKerasCode(text, reading, run),
                testing::StartsWith("import keras\nfrom keras import layers\n\ndef build():\n    # two layers\n    return "
                                    "keras.Sequential([\n        layers.Dense(3, input_shape=(4,))\n"
                                    "    ])\n\nmodel = build()\n\nmodel.compile("));
    EXPECT_THAT(notesOf(readKerasCode("def f():\n  return\ndef g(x):\n  return x +\nreturn keras.Sequential([])\n", emptyRun())), "")
        << "a return without a model is text";
}

// What is written into a text can run there: names that it uses are imported, as the text itself would.
TEST(KerasCode, ImportsWhatItWritesIntoAText) {
    const std::string model = "model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\n";
    struct Row {
        const char* name;
        std::string before, after;  // in front of the model
        const char* layer = "layers.Dense(7";
    };
    const Row rows[] = {
        {"nothing imported", "", "import keras\nfrom keras import layers\n\n"},
        {"behind comments and the text that documents", "# mine\n'Trains.'\nepochs = 3\n",
         "# mine\n'Trains.'\nimport keras\nfrom keras import layers\n\nepochs = 3\n"},
        {"behind the other imports", "import os\nos.environ['A'] = 'b'\nfrom numpy import (array,\n  ones)\n\n",
         "import os\nos.environ['A'] = 'b'\nfrom numpy import (array,\n  ones)\nimport keras\nfrom keras import layers\n\n"},
        {"all there", "import os, keras\nfrom keras import models, layers\n", "import os, keras\nfrom keras import models, layers\n"},
        {"by other words", "import tensorflow as tf\nkeras = tf.keras\nlayers = keras.layers\n",
         "import tensorflow as tf\nkeras = tf.keras\nlayers = keras.layers\n"},
        {"layers alone are missing", "import keras\n", "import keras\nfrom keras import layers\n"},
        {"under another name", "import keras as k\n", "import keras as k\nimport keras\nfrom keras import layers\n"},
        {"from TensorFlow", "import tensorflow as tf\n",
         "import tensorflow as tf\nfrom tensorflow import keras\nfrom tensorflow.keras import layers\n"},
        {"in a function alone", "def f():\n    import keras\n    from keras import layers\n\n",
         "import keras\nfrom keras import layers\n\ndef f():\n    import keras\n    from keras import layers\n\n"},
        {"where it may fail", "import sys\ntry:\n    import yaml\nexcept ImportError:\n    pass\n",
         "import sys\nimport keras\nfrom keras import layers\ntry:\n    import yaml\nexcept ImportError:\n    pass\n"},
        {"a variable of that name", "layers = [32, 64]\n", "import keras\n\nlayers = [32, 64]\n", "keras.layers.Dense(7"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const std::string text = row.before + model;
        const CodeReading reading = readKerasCode(text, emptyRun());
        ASSERT_EQ(notesOf(reading), "");
        RunSpec run = reading.run;
        run.model.layers[0].config.set("units", std::int64_t{7});
        const std::string updated = updateKerasCode(text, reading, run);
        EXPECT_THAT(updated, testing::StartsWith(row.after + "model = keras.Sequential([\n")) << updated;
        EXPECT_THAT(updated, HasSubstr(std::string("    ") + row.layer));
        const CodeReading again = readKerasCode(updated, emptyRun());
        EXPECT_EQ(again.run.model, run.model) << updated;
        EXPECT_EQ(updateKerasCode(updated, again, again.run), updated) << "written once";
    }
    const CodeReading plain = readKerasCode(model, emptyRun());
    EXPECT_EQ(updateKerasCode(model, plain, plain.run), model + "\nmodel.fit(train_dataset)\n") << "nothing of Keras was written";
}

TEST(KerasCode, DefinesWhatItNames) {
    RunSpec run = starter("mnist_mlp");
    run.callbacks.push_back({"PrintLR", {}});
    const std::string code = writeKerasCode(run);
    const std::size_t defined = code.find("\nclass PrintLR(keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n");
    ASSERT_NE(defined, std::string::npos) << code;
    EXPECT_GT(code.find("PrintLR()"), defined);
    expectSameModel(roundTrip(run), run);
    EXPECT_EQ(writeKerasCode(starter("mnist_mlp")).find("PrintLR"), std::string::npos);
    // In a text of one's own: in front of the fit() that names it, and gone with it.
    const std::string text = "model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])\nwith scope:\n    model.fit(data)\n";
    const CodeReading reading = readKerasCode(text, emptyRun());
    run = reading.run;
    run.callbacks = {{"PrintLR", {}},
                     {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 3}}, {"rates", std::vector<double>{1e-2, 1e-3}}}}};
    const std::string updated = updateKerasCode(text, reading, run);
    const std::size_t fit = updated.find("    model.fit(data, callbacks=[PrintLR(), ");
    ASSERT_NE(fit, std::string::npos) << updated;
    EXPECT_LT(updated.find("\n    class PrintLR("), fit);
    EXPECT_LT(updated.find("\n    def decay(epoch):\n"), fit);
    const CodeReading again = readKerasCode(updated, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(again), "");
    EXPECT_EQ(again.run.callbacks, run.callbacks) << updated;
    EXPECT_EQ(updateKerasCode(updated, again, again.run), updated) << "written once";
    run.callbacks.clear();
    const std::string without = updateKerasCode(updated, again, run);
    EXPECT_EQ(without.find("PrintLR"), std::string::npos) << without;
    EXPECT_EQ(without.find("decay"), std::string::npos) << without;
}

TEST(KerasCode, KeepsTheNameOfTheFunctionThatGivesRates) {
    const std::string text = seed("keras_mirrored.py");
    const CodeReading reading = readKerasCode(text, emptyRun(), AbsentArguments::kDefault);
    RunSpec run = reading.run;
    run.fit.epochs = 5;
    const std::string longer = updateKerasCode(text, reading, run);
    EXPECT_THAT(longer, HasSubstr("def rate_of(epoch):\n    if epoch < 3:\n"));
    EXPECT_EQ(longer.find("decay"), std::string::npos) << longer;
    RunSpec base = emptyRun();
    base.callbacks = {run.callbacks[1]};  // its filepath has no ending, the code's has one
    const CodeReading again = readKerasCode(longer, base, AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(again), "");
    EXPECT_EQ(again.run.callbacks, run.callbacks);
    ASSERT_EQ(run.callbacks[2].class_name, "LearningRateScheduler");
    run.callbacks[2].config.set("rates", std::vector<double>{1e-2, 1e-3, 1e-4});
    const std::string slower = updateKerasCode(text, reading, run);
    EXPECT_THAT(slower, HasSubstr("def rate_of(epoch):\n    if epoch < 3: return 0.01\n"));
    EXPECT_EQ(readKerasCode(slower, base, AbsentArguments::kDefault).run.callbacks, run.callbacks) << slower;
}

// The last list of callbacks counts, also where it has no schedule and an earlier one had.
TEST(KerasCode, AListWithoutAScheduleForgetsTheOneBefore) {
    const CodeReading reading = readKerasCode(
        "model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])\n"
        "model.fit(data, callbacks=[keras.callbacks.LearningRateScheduler(unknown, verbose=1)])\n"
        "model.fit(data, callbacks=[keras.callbacks.TensorBoard('logs')])\n",
        emptyRun());
    ASSERT_EQ(reading.run.callbacks.size(), 1U);
    EXPECT_EQ(reading.run.callbacks[0].class_name, "TensorBoard");
    EXPECT_THAT(notesOf(reading), testing::Not(HasSubstr("function of the epoch")));
    const CodeReading none = readKerasCode(
        "model = keras.Sequential([keras.layers.Dense(3, input_shape=(4,))])\n"
        "model.fit(data, callbacks=[keras.callbacks.LearningRateScheduler(unknown)])\nmodel.fit(data)\n",
        emptyRun(), AbsentArguments::kDefault);
    EXPECT_TRUE(none.run.callbacks.empty());
}

TEST(KerasCode, HasAVocabularyAsLongAsItsTextMayBe) {
    const auto codeWith = [](std::int64_t words) {
        std::string list;
        for (std::int64_t i = 0; i < words; ++i) list += (i == 0 ? "\"" : ", \"") + std::to_string(i) + "\"";
        return "model = keras.Sequential([\n    keras.Input((1,), dtype='string'),\n    keras.layers.StringLookup(vocabulary=[" + list +
               "]),\n    keras.layers.Flatten(),\n])\n";
    };
    const CodeReading reading = readKerasCode(codeWith(102'000), emptyRun());
    for (const CodeNote& note : reading.notes) EXPECT_NE(note.severity, Severity::kError) << note.message;
    ASSERT_EQ(reading.run.model.layers.size(), 2U);
    const auto* vocabulary = std::get_if<std::vector<std::string>>(reading.run.model.layers[0].config.find("vocabulary"));
    ASSERT_NE(vocabulary, nullptr);
    EXPECT_EQ(vocabulary->size(), 102'000U);
    EXPECT_EQ(vocabulary->back(), "101999");

    const std::string larger = codeWith(120'000);
    ASSERT_GT(larger.size(), std::size_t{1} << 20);
    const CodeReading refused = readKerasCode(larger, emptyRun());
    ASSERT_FALSE(refused.notes.empty());
    EXPECT_EQ(refused.notes[0].message,
              "expected at most 1 MB of text, got " + std::to_string(larger.size()) + " bytes; a .keras file may have a longer vocabulary");
    EXPECT_TRUE(refused.saysNothing());
    // What names add has a limit of its own.
    std::string doubling = "a = [1, 2]\n";
    for (int i = 0; i < 20; ++i) doubling += "a = [a, a]\n";
    const CodeReading grown = readKerasCode(doubling, emptyRun());
    EXPECT_TRUE(std::any_of(grown.notes.begin(), grown.notes.end(),
                            [](const CodeNote& note) { return note.message == "expected a value of a model's size, got a larger one"; }));
}

TEST(KerasCode, KeepsItsTextWithTheProject) {
    const std::string text =
        "# \xEC\x8B\xA4\xED\x97\x98 1\nimport keras\n\ndata = load('mine')  # my own\n\nmodel = keras.Sequential([\n"
        "    layers.Dense(3, input_shape=(4,))\n])\n\nmodel.compile(\n    optimizer='adam', loss='mse')\nmodel.fit(data, epochs=3)\n";
    RunSpec run = readKerasCode(text, emptyRun()).run;
    keepCode(run, text);
    RunSpec opened = parseProject(toProjectJson(run)).run;
    EXPECT_EQ(opened, run);
    EXPECT_EQ(projectCode(opened), text);
    // What was changed elsewhere meanwhile is brought into the text.
    opened.fit.epochs = 5;
    opened.model.layers[0].config.set("units", std::int64_t{7});
    const std::string updated = projectCode(opened);
    EXPECT_THAT(updated, HasSubstr("data = load('mine')  # my own\n"));
    EXPECT_THAT(updated, HasSubstr("layers.Dense(7, input_shape=(4,))"));
    EXPECT_THAT(updated, HasSubstr("model.fit(data, epochs=5)"));
    // Code that says no more than the fields is not kept twice.
    keepCode(run, writeKerasCode(run));
    EXPECT_EQ(run.code, "");
    EXPECT_EQ(projectCode(run), writeKerasCode(run));
}

// What the window asks of a project's text: the text brought up to date, its reading over the project, and what differs.
TEST(KerasCode, ReadsTheTextOfAProjectOnceWhereItNeedsNoChange) {
    const auto workOn = [](const RunSpec& project) {
        const std::int64_t before = code::readOfThisThread();
        const ProjectCode made = readProjectCode(project);
        const std::int64_t work = code::readOfThisThread() - before;
        EXPECT_EQ(made.text.text(), projectCode(project));
        const CodeReading reading = readKerasCode(made.text.text(), project, AbsentArguments::kDefault);
        EXPECT_EQ(made.reading.run, reading.run);
        EXPECT_EQ(made.reading.notes, reading.notes);
        EXPECT_EQ(partsThatDiffer(made.reading, project), partsThatDiffer(made.text.text(), project));
        return work;
    };
    const std::string text =
        "import keras\n\ndata = load('mine')  # my own\n\nmodel = keras.Sequential([\n    layers.Dense(3, input_shape=(4,))\n])\n\n"
        "model.compile(\n    optimizer='adam', loss='mse')\nmodel.fit(data, epochs=3)\n";
    RunSpec run = readKerasCode(text, emptyRun()).run;
    workOn(run);  // written from the fields
    run.code = text;
    ASSERT_EQ(projectCode(run), text);
    const std::int64_t once = workOn(run);
    run.fit.epochs = 5;
    EXPECT_GT(workOn(run), once) << "what is written anew is read, too";
    run.code = "model = Sequential([Dense(8 16)])\n";
    workOn(run);  // it can't be read, and stays
}

// Only the argument that changed is written: what the text calls its data, its constants and its batch stay.
TEST(KerasCode, ChangesArgumentsWhereTheyStand) {
    const std::string load = "(x, y), (a, b) = keras.datasets.mnist.load_data()\nEPOCHS = 3\n";
    const std::string model = "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\n";
    const std::string compile = "model.compile(optimizer=keras.optimizers.SGD(0.1), loss='mse', metrics=['mae'])\n";
    struct Row {
        const char* name;
        std::string text;
        void (*change)(RunSpec& run);
        std::string from, to;
    };
    const Row rows[] = {
        {"epochs", load + model + compile + "model.fit(x, y, epochs=EPOCHS, batch_size=100, verbose=2)\n",
         [](RunSpec& run) { run.fit.epochs = 5; }, "epochs=EPOCHS", "epochs=5"},
        {"the batch of arrays", load + model + compile + "model.fit(x, y, epochs=EPOCHS, batch_size=100, verbose=2)\n",
         [](RunSpec& run) { run.data.batch_size_per_replica = 32; }, "batch_size=100", "batch_size=32"},
        {"a batch that was Keras' own", load + model + compile + "model.fit(x, y)\n",
         [](RunSpec& run) { run.data.batch_size_per_replica = 64; }, "fit(x, y)", "fit(x, y, batch_size=64)"},
        {"no shuffle", load + model + compile + "model.fit(x, y)\n", [](RunSpec& run) { run.data.shuffle = 0; }, "fit(x, y)",
         "fit(x, y, shuffle=False)"},
        {"numbers of a chain",
         load + model + compile + "train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(9).batch(8)\nmodel.fit(train)\n",
         [](RunSpec& run) {
             run.data.shuffle = 700;
             run.data.batch_size_per_replica = 16;
         },
         "shuffle(9).batch(8)", "shuffle(700).batch(16)"},
        {"the optimizer alone", model + compile + "model.fit(train)\n",
         [](RunSpec& run) { run.compile.optimizer.config.set("learning_rate", 0.5); }, "keras.optimizers.SGD(0.1)",
         "keras.optimizers.SGD(learning_rate=0.5)"},
        {"no metrics", model + compile + "model.fit(train)\n", [](RunSpec& run) { run.compile.metrics.clear(); }, ", metrics=['mae']", ""},
        {"a callback, an argument a line", model + compile + "model.fit(\n    train,\n    epochs=3)\n",
         [](RunSpec& run) {
             run.callbacks = {{"TerminateOnNaN", {}}};
         },
         "epochs=3)", "epochs=3,\n    callbacks=[keras.callbacks.TerminateOnNaN()])"},
        {"an estimator's optimizer",
         "def model_fn(features, labels, mode):\n    " + model +
             "    optimizer = tf.compat.v1.train.GradientDescentOptimizer(learning_rate=RATE)\n"
             "    loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=NONE)(labels, model(features))\n"
             "    return Spec(mode, loss=loss, train_op=optimizer.minimize(loss, step))\n",
         [](RunSpec& run) {
             run.compile.optimizer = {"Adam", {{"learning_rate", 0.25}}};
         },
         "tf.compat.v1.train.GradientDescentOptimizer(learning_rate=RATE)", "tf.compat.v1.train.AdamOptimizer(learning_rate=0.25)"},
        {"an estimator's rate that is Keras' own",
         model + "optimizer = tf.compat.v1.train.GradientDescentOptimizer(learning_rate=0.5)\n"
                 "loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=NONE)(labels, z)\noptimizer.minimize(loss, "
                 "w)\n",
         [](RunSpec& run) {
             run.compile.optimizer = {"SGD", {}};
         },
         "GradientDescentOptimizer(learning_rate=0.5)", "GradientDescentOptimizer(learning_rate=0.01)"},
        {"an estimator's loss",
         model + "optimizer = keras.optimizers.SGD()\n"
                 "loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=NONE)(labels, z)\noptimizer.minimize(loss, "
                 "w)\n",
         [](RunSpec& run) {
             run.compile.loss = {"MeanSquaredError", {}};
         },
         "keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=NONE)", "keras.losses.MeanSquaredError(reduction=NONE)"},
        {"a function that is a loss",
         model + "optimizer = keras.optimizers.SGD()\nloss = tf.nn.softmax_cross_entropy_with_logits(logits=z, labels=y)\n"
                 "optimizer.minimize(loss, w)\n",
         [](RunSpec& run) {
             run.compile.loss = {"MeanSquaredError", {}};
         },
         "tf.nn.softmax_cross_entropy_with_logits(logits=z, labels=y)", "keras.losses.MeanSquaredError(reduction='none')(y, z)"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const std::string text = "import keras\nfrom keras import layers\n" + row.text;
        const CodeReading reading = readKerasCode(text, emptyRun());
        RunSpec run = reading.run;
        EXPECT_EQ(updateKerasCode(text, reading, run).substr(0, text.size()), text) << "nothing changed";
        row.change(run);
        std::string expected = text;
        expected.replace(expected.find(row.from), row.from.size(), row.to);
        EXPECT_EQ(updateKerasCode(text, reading, run), expected);
    }
}

// PrintLR says what its class in the text prints.
TEST(KerasCode, KeepsTheWordsOfPrintLr) {
    const auto textOf = [](const std::string& body) {
        const std::string code = "class PrintLR(keras.callbacks.Callback):\n    def on_epoch_end(self, epoch, logs=None):\n" + body +
                                 "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nmodel.fit(x, callbacks=[PrintLR()])\n";
        const CodeReading reading = readKerasCode(code, emptyRun());
        EXPECT_EQ(notesOf(reading), "");
        RunSpec run = reading.run;
        EXPECT_EQ(readKerasCode(writeKerasCode(run), emptyRun()).run.callbacks, run.callbacks) << writeKerasCode(run);
        return run.callbacks.at(0).config.getString("text", "as it is");
    };
    EXPECT_EQ(textOf("        print('\\nRate of {} is {}.'.format(epoch + 1,\n            model.optimizer.lr.numpy()))\n"),
              "Rate of {epoch} is {rate}.");
    EXPECT_EQ(textOf("        lr = float(self.model.optimizer.learning_rate)\n        print(f'{epoch + 1}: {lr:.5f} ({epoch})')\n"),
              "{epoch}: {rate:.5f} ({index})");
    EXPECT_EQ(textOf("        print('{0} {rate}'.format(epoch, rate=K.get_value(self.model.optimizer.lr)))\n"), "{index} {rate}");
    EXPECT_EQ(textOf("        rate = self.model.optimizer.learning_rate\n        print('epoch', epoch + 1, float(rate), flush=True)\n"),
              "epoch {epoch} {rate}");
    EXPECT_EQ(textOf("        print('Learning rate for epoch {} is {}'.format(epoch + 1, self.model.optimizer.learning_rate))\n"),
              "as it is");
    EXPECT_EQ(textOf("        print(logs)\n"), "as it is");
}

// What a print() of known values says stands in its note.
TEST(KerasCode, SaysWhatItsPrintsSay) {
    const std::string text =
        "strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\nEPOCHS = 3\n"
        "print('Devices: {}'.format(strategy.num_replicas_in_sync))\nprint(f'{strategy.num_replicas_in_sync} of {EPOCHS + 1}', EPOCHS)\n"
        "print('{}'.format(x))\nprint(f'{x}')\nprint('{:.2f}'.format(EPOCHS))\n";
    const std::string notes = notesOf(readKerasCode(text, emptyRun()), Severity::kInfo);
    EXPECT_THAT(notes, HasSubstr("line 3, column 1: read as a print of: Devices: 2\nline 4, column 1: read as a print of: 2 of 4 3\n"));
    EXPECT_THAT(notes, HasSubstr("line 5, column 1: kept as text: no part of the model\nline 6"));
    EXPECT_EQ(notes.find("line 7, column 1: read"), std::string::npos);
}

// What would make another model, or another training, is told and not passed over.
TEST(KerasCode, SaysWhatWouldTrainSomethingElse) {
    const auto notesFor = [](const std::string& layer, const std::string& rest) {
        return notesOf(
            readKerasCode("model = keras.Sequential([layers.Flatten(input_shape=(28, 28)), " + layer + "])\n" + rest, emptyRun()));
    };
    const auto error = [&](const std::string& layer, const std::string& rest = "") {
        const CodeReading reading =
            readKerasCode("model = keras.Sequential([layers.Flatten(input_shape=(28, 28)), " + layer + "])\n" + rest, emptyRun());
        return std::any_of(reading.notes.begin(), reading.notes.end(), [](const CodeNote& n) { return n.severity == Severity::kError; });
    };
    EXPECT_THAT(notesFor("layers.Dense(9, activation=lambda x: x * 2)", ""),
                HasSubstr("activation: expected a value that the text itself gives, got a lambda"));
    EXPECT_TRUE(error("layers.Dense(9, activation=lambda x: x * 2)"));
    EXPECT_TRUE(error("layers.Dense(9, activation='no_such_function')"));
    EXPECT_TRUE(error("layers.Dense(9, kernel_initializer=mine)"));

    EXPECT_THAT(notesFor("layers.Dense(784)", "model.compile('adam', 'mse')\nmodel.fit(x, x, epochs=2)\n"),
                HasSubstr("line 3, column 14: y: expected labels, got x, the samples themselves"));
    EXPECT_TRUE(error("layers.Dense(784)", "model.fit(x=x_train, y=x_train)\n"));
    EXPECT_FALSE(error("layers.Dense(9)", "model.fit(x, y)\n"));

    const std::string twice = "model.compile('adam', 'mse')\nmodel.fit(x, y, epochs=2)\nmodel.compile('sgd', 'mse')\nmodel.fit(x, y)\n";
    EXPECT_EQ(notesFor("layers.Dense(9)", twice),
              "line 4, column 1: read as the model.compile() that counts: line 2 has one, too\n"
              "line 5, column 1: read as the model.fit() that counts: line 3 has one, too\n");
    EXPECT_EQ(notesFor("layers.Dense(9)", "model.compile('adam', 'mse')\nmodel.fit(x, y)\nother.compile('sgd', 'mse')\n"), "");
}

// rates[BATCH_SIZE], as a guide chooses a rate by the number of replicas.
TEST(KerasCode, LooksARateUpInADictionaryOfTheText) {
    const auto rateOf = [](const std::string& devices, const std::string& rates, const std::string& key) {
        const std::string text =
            "strategy = tf.distribute.MirroredStrategy(" + devices + ")\ntotal = 5 * strategy.num_replicas_in_sync\nrates = " + rates +
            "\nrate = rates[" + key +
            "]\nmodel = keras.Sequential([layers.Dense(1, input_shape=(1,))])\nmodel.compile(keras.optimizers.SGD(rate), 'mse')\n";
        const CodeReading reading = readKerasCode(text, emptyRun(), AbsentArguments::kDefault);
        const FieldValue* rate = reading.run.compile.optimizer.config.find("learning_rate");
        return (rate == nullptr ? "none" : valueText(*rate)) + (notesOf(reading).empty() ? "" : ", told");
    };
    EXPECT_EQ(rateOf("['/cpu:0', '/cpu:1']", "{5: 0.1, 10: 0.15}", "total"), "0.15");
    EXPECT_EQ(rateOf("['/cpu:0']", "{5: 0.1, 10: 0.15}", "total"), "0.1");
    EXPECT_EQ(rateOf("['/cpu:0']", "{1: 0.2}", "strategy.num_replicas_in_sync"), "0.2");
    EXPECT_EQ(rateOf("['/cpu:0']", "{10: 0.15}", "total"), "none, told") << "no such entry";
    EXPECT_EQ(rateOf("['/cpu:0']", "{5: 0.1}", "x"), "none, told");
}

// A number that has a name changes where it gets it: what else names it goes with it.
TEST(KerasCode, ChangesANumberWhereTheTextNamesIt) {
    const std::string head =
        "strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\n"
        "(x, y), (x_test, y_test) = keras.datasets.mnist.load_data()\nBUFFER = 500\n";
    const std::string chain =
        "train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(BUFFER).batch(BATCH_SIZE)\n"
        "eval_dataset = tf.data.Dataset.from_tensor_slices((x_test, y_test)).batch(BATCH_SIZE)\n"
        "model = keras.Sequential([layers.Flatten(input_shape=(28, 28)), layers.Dense(10)])\nmodel.compile('adam', 'mse')\n"
        "model.fit(train, epochs=2)\nmodel.evaluate(eval_dataset)\n";
    const auto changed = [&](const std::string& batch, const auto& edit) {
        const std::string text = head + batch + chain;
        const CodeReading reading = readKerasCode(text, emptyRun(), AbsentArguments::kDefault);
        EXPECT_EQ(notesOf(reading), "") << text;
        RunSpec run = reading.run;
        edit(run);
        const std::string updated = updateKerasCode(text, reading, run);
        const CodeReading again = readKerasCode(updated, emptyRun(), AbsentArguments::kDefault);
        EXPECT_EQ(again.run.data, run.data) << updated;
        return updated;
    };
    const auto halve = [](RunSpec& run) {
        run.data.batch_size_per_replica /= 2;
        run.data.shuffle = 250;
    };
    const std::string replicas = "PER_REPLICA = 64\nBATCH_SIZE = PER_REPLICA * strategy.num_replicas_in_sync\n";
    std::string expected = head + replicas + chain;
    expected.replace(expected.find("500"), 3, "250");
    expected.replace(expected.find("= 64"), 4, "= 32");
    EXPECT_EQ(changed(replicas, halve), expected);

    // A plain number becomes a product where it is used: where it is given, there may be no strategy yet.
    const std::string plain = changed("BATCH_SIZE = 64\n", halve);
    EXPECT_THAT(plain, HasSubstr("BUFFER = 250\nBATCH_SIZE = 64\n"));
    EXPECT_THAT(plain, HasSubstr(".shuffle(BUFFER).batch(16 * strategy.num_replicas_in_sync)"));

    const std::string other = changed(replicas, [](RunSpec& run) { run.data.dataset = "fashion_mnist"; });
    EXPECT_THAT(other, HasSubstr("model.fit(train_dataset, epochs=2)\nmodel.evaluate(test_dataset)\n"));
    EXPECT_THAT(other, HasSubstr("\ntest_dataset = tf.data.Dataset.from_tensor_slices((x_test, y_test))"));
}

// Other data than the text's own are made in front of the fit() that takes them.
TEST(KerasCode, WritesDataThatNoNumberOfTheTextSays) {
    const std::string text =
        "import keras\nfrom keras import layers\n(x, y), _ = keras.datasets.mnist.load_data()\n"
        "model = keras.Sequential([layers.Flatten(input_shape=(28, 28)), layers.Dense(10)])\nmodel.compile('adam', 'mse')\n"
        "model.fit(x / 255, y, epochs=2, batch_size=8)\n";
    const CodeReading reading = readKerasCode(text, emptyRun(), AbsentArguments::kDefault);
    RunSpec run = reading.run;
    run.data.dataset = "fashion_mnist";
    run.data.validate_on_test = true;
    const std::string updated = updateKerasCode(text, reading, run);
    EXPECT_THAT(updated, HasSubstr("keras.datasets.fashion_mnist.load_data()\n"));
    EXPECT_THAT(updated, HasSubstr("\nmodel.fit(train_dataset, epochs=2, validation_data=test_dataset)\n"));
    const CodeReading again = readKerasCode(updated, emptyRun(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(again), "") << updated;
    EXPECT_EQ(again.run.data, run.data) << updated;
    EXPECT_EQ(updateKerasCode(updated, again, again.run), updated) << "written once";
}

}  // namespace
}  // namespace engine::spec
