// The data that code speaks of: what is read of it, and what is said of the rest.
#include <ctime>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/project/data_order.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;

const std::string kModel =
    "model = keras.Sequential([layers.Flatten(input_shape=(28, 28, 1)), layers.Dense(10)])\n"
    "model.compile('adam', keras.losses.SparseCategoricalCrossentropy(from_logits=True))\n";
const std::string kArrays = "(x, y), (x_test, y_test) = keras.datasets.fashion_mnist.load_data()\n";
const std::string kSets = "sets, info = tfds.load(name='kmnist', with_info=True, as_supervised=True)\n";
const std::string kScale =
    "def scale(image, label):\n    image = tf.cast(image, tf.float32)\n    image /= 127.5\n    return image, label\n";

// "fashion_mnist x/255 shuffle 60000 batch 32", with what else differs from a set that is taken as it lies there.
std::string dataOf(const DataSpec& data) {
    std::string text = data.dataset;
    const auto say = [&](bool said, const std::string& what) { text += said ? " " + what : ""; };
    say(data.scale != 1, "x*" + std::to_string(data.scale));
    say(data.offset != 0, "+" + std::to_string(data.offset));
    for (std::size_t i = 0; i < data.std.size(); ++i) text += " n" + std::to_string(data.mean.at(i)) + "/" + std::to_string(data.std[i]);
    say(data.one_hot != 0, "one-hot " + std::to_string(data.one_hot));
    say(data.take != 0, "take " + std::to_string(data.take));
    say(data.cache, "cache");
    say(data.shuffle != 0, "shuffle " + std::to_string(data.shuffle));
    say(true, "batch " + std::to_string(data.batch_size_per_replica));
    say(data.drop_remainder, "drop");
    say(data.prefetch != DataSpec().prefetch, "prefetch " + std::to_string(data.prefetch));
    say(!data.mix.class_name.empty(), data.mix.class_name);
    for (const auto& [name, value] : data.mix.config.entries()) text += " " + name + "=" + valueText(value);
    say(data.validation_split != 0, "split " + std::to_string(data.validation_split));
    say(data.validate_on_test, "validate");
    if (data.order != DataSpec().order) {
        text += " order";
        for (const DataStep step : data.order) text += std::string(" ") + dataStepName(step);
    }
    return text;
}

TEST(KerasCodeData, ReadsTheTutorialsPipelineWithAnyNumbers) {
    const std::string text =
        "datasets, info = tfds.load(name=\"fashion_mnist\", with_info=True, as_supervised=True)\n"
        "mnist_train, mnist_test = datasets['train'], datasets['test']\n"
        "strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\n"
        "num_train_examples = info.splits['train'].num_examples\n"
        "BUFFER_SIZE = 500\n"
        "BATCH_SIZE_PER_REPLICA = 32\n"
        "BATCH_SIZE = BATCH_SIZE_PER_REPLICA * strategy.num_replicas_in_sync\n" +
        kScale +
        "train_dataset = mnist_train.map(scale).shuffle(BUFFER_SIZE).batch(BATCH_SIZE)\n"
        "eval_dataset = mnist_test.map(scale).batch(BATCH_SIZE)\n" +
        kModel + "model.fit(train_dataset, epochs=12)\n";
    const CodeReading reading = readKerasCode(text, RunSpec());
    EXPECT_EQ(notesOf(reading, Severity::kInfo), "");
    EXPECT_EQ(dataOf(reading.run.data), "fashion_mnist x*0.007843 shuffle 500 batch 32");
    EXPECT_FALSE(reading.data.empty());
}

TEST(KerasCodeData, ReadsWhatFitIsGiven) {
    struct Row {
        std::string name, code, data;
    };
    const Row rows[] = {
        {"arrays by Keras' defaults", kArrays + kModel + "model.fit(x, y)\n", "fashion_mnist cache shuffle 60000 batch 32"},
        {"no shuffle, validation",
         kArrays + "x, x_test = x / 255.0, x_test / 255.0\n" + kModel +
             "model.fit(x, y, shuffle=False, batch_size=50, validation_data=(x_test, y_test))\n",
         "fashion_mnist x*0.003922 cache batch 50 validate"},
        {"a split", kArrays + kModel + "model.fit(x, y, validation_split=0.1)\n",
         "fashion_mnist cache shuffle 60000 batch 32 split 0.100000"},
        {"the last of the samples", kArrays + kModel + "model.fit(x[:48000], y[:48000], validation_data=(x[48000:], y[48000:]))\n",
         "fashion_mnist cache shuffle 48000 batch 32 split 0.200000"},
        {"the first of the samples", kArrays + "x = x[:600]\ny = y[:600]\n" + kModel + "model.fit(x, y)\n",
         "fashion_mnist take 600 cache shuffle 600 batch 32"},
        {"slices of arrays",
         kArrays +
             "data = tf.data.Dataset.from_tensor_slices((x[..., tf.newaxis].astype('float32') / 127.5 - 1, y))\n"
             "data = data.shuffle(500).batch(25, drop_remainder=True)\n" +
             kModel + "model.fit(data)\n",
         "fashion_mnist x*0.007843 +-1.000000 shuffle 500 batch 25 drop"},
        {"one-hot labels", kArrays + "y = keras.utils.to_categorical(y)\n" + kModel + "model.fit(x, y)\n",
         "fashion_mnist one-hot 10 cache shuffle 60000 batch 32"},
        {"a mean and a deviation", kArrays + "x = (x / 255. - 0.25) / 0.5\n" + kModel + "model.fit(x, y)\n",
         "fashion_mnist x*0.007843 +-0.500000 cache shuffle 60000 batch 32"},
        {"one a channel",
         "from keras.datasets import cifar10\n(x, y), _ = cifar10.load_data()\nx = x / 255.\n"
         "x = (x - [0.5, 0.4, 0.3]) / [0.2, 0.2, 0.25]\n" +
             kModel + "model.fit(x, y)\n",
         "cifar10 x*0.003922 n0.500000/0.200000 n0.400000/0.200000 n0.300000/0.250000 cache shuffle 50000 batch 32"},
        {"imported by a name of its own",
         "from keras.datasets import mnist as digits\n(x, y), _ = digits.load_data()\n" + kModel + "model.fit(x, y)\n",
         "mnist cache shuffle 60000 batch 32"},
        {"through a function",
         "def load():\n    (a, b), (c, d) = tf.keras.datasets.mnist.load_data()\n    a = a.reshape(-1, 784).astype('float32') / 255\n"
         "    return (a, b), (c, d)\n(x, y), (x_test, y_test) = load()\n" +
             kModel + "model.fit(x, y)\n",
         "mnist x*0.003922 cache shuffle 60000 batch 32"},
        {"a lambda",
         kSets + "data = sets['train'].map(lambda a, b: (tf.cast(a, tf.float32) / 255, tf.one_hot(b, 10))).batch(8)\n" + kModel +
             "model.fit(data)\n",
         "kmnist x*0.003922 one-hot 10 batch 8"},
        {"parts and percents",
         "train, test = tfds.load('mnist', split=['train[:80%]', 'test'], as_supervised=True)\n" + kModel +
             "model.fit(train.cache().batch(16).prefetch(3), validation_data=test.batch(16))\n",
         "mnist take 48000 cache batch 16 prefetch 3 validate"},
        {"another order", kSets + "data = sets['train'].batch(10).take(7).shuffle(99)\n" + kModel + "model.fit(data, steps_per_epoch=5)\n",
         "kmnist take 7 shuffle 99 batch 10 order scale normalize one_hot cache batch take shuffle repeat prefetch"},
        {"the guide's ones", "data = tf.data.Dataset.from_tensors(([1.], [1.])).repeat(100).batch(10)\n" + kModel + "model.fit(data)\n",
         "ones batch 10"},
        {"an estimator's function",
         "def input_fn(mode, input_context=None):\n    sets, info = tfds.load(name='kmnist', with_info=True, as_supervised=True)\n"
         "    digits = (sets['train'] if mode == tf.estimator.ModeKeys.TRAIN else sets['test'])\n    def half(image, label):\n"
         "        image /= 2\n        return image, label\n    if input_context:\n"
         "        digits = digits.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)\n"
         "    return digits.map(half).cache().shuffle(77).batch(20)\n" +
             kModel +
             "tf.estimator.train_and_evaluate(c, train_spec=tf.estimator.TrainSpec(input_fn=input_fn), "
             "eval_spec=tf.estimator.EvalSpec(input_fn=input_fn))\n",
         "kmnist x*0.500000 cache shuffle 77 batch 20 validate"},
        {"a layer that mixes",
         kSets +
             "mixer = keras.layers.MixUp(alpha=0.5, seed=3)\ndef mix(a, b):\n    out = mixer({'images': a, 'labels': b})\n"
             "    return out['images'], out['labels']\n"
             "data = sets['train'].map(lambda a, b: (a, tf.one_hot(b, 10))).batch(8).map(mix).prefetch(1)\n" +
             kModel + "model.fit(data)\n",
         "kmnist one-hot 10 batch 8 prefetch 1 MixUp alpha=0.5 seed=3"},
        {"a layer that mixes dictionaries",
         kSets +
             "ALPHA = 0.5\nmixer = layers.MixUp(ALPHA)\ndata = sets['train'].batch(8).map(lambda a, b: mixer({'images': a, 'labels': b}))\n"
             "data = data.map(lambda d: (d['images'], d['labels']))\n" +
             kModel + "model.fit(data)\n",
         "kmnist batch 8 MixUp alpha=0.5"},
        {"a layer that is made where it mixes",
         kSets + "data = sets['train'].shuffle(9).batch(8).map(lambda a, b: layers.CutMix((0.25, 0.5), 7)({'images': a, 'labels': b}))\n" +
             kModel + "model.fit(data)\n",
         "kmnist shuffle 9 batch 8 CutMix factor=[0.25, 0.5] seed=7"},
        {"a loop's", kSets + "data = strategy.experimental_distribute_dataset(sets['train'].shuffle(9).batch(30))\n" + kModel,
         "kmnist shuffle 9 batch 30"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeReading reading = readKerasCode(row.code, RunSpec());
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(dataOf(reading.run.data), row.data);
    }
}

TEST(KerasCodeData, SharesABatchAmongTheReplicasWhereItIsTheirs) {
    const std::string two = "strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\n" + kSets;
    const auto batchOf = [&](const std::string& batch) {
        const CodeReading reading =
            readKerasCode(two + "data = sets['train'].batch(" + batch + ")\n" + kModel + "model.fit(data)\n", RunSpec());
        return std::to_string(reading.run.data.batch_size_per_replica) + " " + notesOf(reading);
    };
    EXPECT_EQ(batchOf("40"), "20 ");
    EXPECT_EQ(batchOf("40 * strategy.num_replicas_in_sync"), "40 ");
    EXPECT_THAT(batchOf("41"), HasSubstr("expected a batch that is a multiple of the 2 replicas, got 41"));
    const CodeReading fitted =
        readKerasCode("strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\nGLOBAL = 32 * strategy.num_replicas_in_sync\n" +
                          kArrays + kModel + "model.fit(x, y, batch_size=GLOBAL)\n",
                      RunSpec());
    EXPECT_EQ(std::to_string(fitted.run.data.batch_size_per_replica) + " " + notesOf(fitted), "32 ");
}

TEST(KerasCodeData, CountsTheStepsOfALoop) {
    const auto fitOf = [](const std::string& code) {
        const FitSpec fit = readKerasCode(kSets + "data = sets['train'].repeat().batch(50)\n" + code, RunSpec()).run.fit;
        return std::to_string(fit.epochs) + " x " + std::to_string(fit.steps_per_epoch);
    };
    EXPECT_EQ(fitOf("STEPS = 5000\nwhile not sv.should_stop() and step <= STEPS:\n    sess.run(train)\n"), "1 x 5000");
    EXPECT_EQ(fitOf("for epoch in range(4):\n    for batch in data:\n        train(batch)\n"), "4 x 0");
    EXPECT_EQ(fitOf("classifier.train(input_fn=input_fn, steps=30)\n"), "1 x 30");
}

// A program mixes as the project does, and gives the project back.
TEST(KerasCodeData, WritesTheLayerThatMixes) {
    RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    run.compile.loss = {"CategoricalCrossentropy", {{"from_logits", true}}};
    run.data.one_hot = 10;
    run.data.mix = {"MixUp", {{"alpha", 0.5}, {"seed", std::int64_t{3}}}};
    const std::string images = writeKerasCode(run);
    EXPECT_THAT(images, HasSubstr("mixer = layers.MixUp(alpha=0.5, seed=3)\n"));
    EXPECT_THAT(images, HasSubstr("def mix(images, labels):\n    mixed = mixer({'images': images, 'labels': labels})\n"
                                  "    return mixed['images'], mixed['labels']\n"));
    EXPECT_THAT(images, HasSubstr(".map(mix)"));
    EXPECT_LT(images.find(".batch(batch)"), images.find(".map(mix)"));
    EXPECT_LT(images.find(".map(mix)"), images.find(".prefetch("));
    EXPECT_EQ(images.find(".map(mix)"), images.rfind(".map(mix)")) << "what validates is not mixed";
    run.model.dtype_policy = "mixed_bfloat16";
    EXPECT_THAT(writeKerasCode(run), HasSubstr("mixer = layers.MixUp(alpha=0.5, seed=3, dtype='float32')\n"));
    run.model.dtype_policy = "float32";
    for (const Shape& input : {Shape{28, 28, 1}, Shape{28, 28}, Shape{784}}) {
        for (const std::int64_t classes : {0, 10}) {
            for (const ObjectSpec& mix : {run.data.mix, ObjectSpec{"CutMix", {}}, ObjectSpec{}}) {
                RunSpec project = run;
                project.model.input_shape = input;
                project.data.one_hot = classes;
                project.data.mix = mix;
                const std::string code = writeKerasCode(project);
                const CodeReading reading = readKerasCode(code, RunSpec());
                EXPECT_EQ(notesOf(reading), "") << code;
                EXPECT_EQ(reading.run.data.mix, mix) << code;
                EXPECT_EQ(reading.run.data.one_hot, classes) << code;
                const bool is_reshaped = !mix.class_name.empty() && input.size() != 3;
                EXPECT_EQ(code.find("pictures = tf.reshape(images, ") != std::string::npos, is_reshaped) << code;
            }
        }
    }
    run.data.dataset = "npy";
    run.data.one_hot = 0;
    EXPECT_THAT(writeKerasCode(run), HasSubstr("train_dataset = train_dataset.map(mix)\n"));
}

// The project's own value stays, and the line is named.
TEST(KerasCodeData, SaysWhatItDoesNotUnderstand) {
    struct Row {
        std::string name, code, note;
    };
    const Row rows[] = {
        {"a function of the user's", kSets + "data = sets['train'].map(augment).batch(2)\n" + kModel + "model.fit(data)\n",
         "line 2, column 26: kept as text: data: expected a function that scales samples or makes labels one-hot, got augment"},
        {"what a function does",
         kSets +
             "def f(image, label):\n    image = tf.image.random_flip_left_right(image)\n    return image, label\n"
             "data = sets['train'].map(f).batch(2)\n" +
             kModel + "model.fit(data)\n",
         "line 3, column 13: kept as text: data: expected a function of data that is known here, got tf.image.random_flip_left_right"},
        {"a step", kSets + "data = sets['train'].filter(few).batch(2)\n" + kModel + "model.fit(data)\n",
         "line 2, column 22: kept as text: data: expected a step of tf.data that is known here (map, cache, shuffle, repeat, batch, "
         "prefetch, take), "
         "got filter"},
        {"samples that are mixed before they are batches",
         kSets + "mixer = layers.MixUp()\ndata = sets['train'].map(lambda a, b: mixer({'images': a, 'labels': b})).batch(2)\n" + kModel +
             "model.fit(data)\n",
         "kept as text: data: expected batches for MixUp, which mixes their samples, got samples before batch()"},
        {"a cache of mixtures",
         kSets + "mixer = layers.MixUp()\ndata = sets['train'].batch(2).map(lambda a, b: mixer({'images': a, 'labels': b})).cache()\n" +
             kModel + "model.fit(data)\n",
         "kept as text: data: expected cache() before MixUp, which mixes each epoch anew, got it behind"},
        {"a mixture of mixtures",
         kSets +
             "mixer = layers.MixUp()\ncutter = layers.CutMix()\n"
             "data = sets['train'].batch(2).map(lambda a, b: mixer({'images': a, 'labels': b})).map(cutter)\n" +
             kModel + "model.fit(data)\n",
         "kept as text: data: expected one of MixUp and CutMix, got CutMix behind MixUp"},
        {"a mixture without labels",
         kSets + "mixer = layers.MixUp()\ndata = sets['train'].batch(2).map(lambda a, b: mixer({'images': a}))\n" + kModel +
             "model.fit(data)\n",
         "kept as text: data: expected images and labels for MixUp, got one without the other"},
        {"a mixture of channels first",
         kSets +
             "mixer = layers.CutMix(data_format='channels_first')\n"
             "data = sets['train'].batch(2).map(lambda a, b: mixer({'images': a, 'labels': b}))\n" +
             kModel + "model.fit(data)\n",
         "kept as text: data: data_format: expected channels_last, got \"channels_first\""},
        {"a fixed part", kSets + "data = sets['train'].shard(2, 0).batch(2)\n" + kModel + "model.fit(data)\n",
         "line 2, column 22: kept as text: data: expected every sample of the set, got shard(2, …)"},
        {"a shuffle that comes again", kSets + "data = sets['train'].shuffle(10, seed=3).batch(2)\n" + kModel + "model.fit(data)\n",
         "kept as text: shuffle: expected an order of its own for each epoch, got seed=3"},
        {"one order for all epochs",
         kSets + "data = sets['train'].shuffle(10, reshuffle_each_iteration=False).batch(2)\n" + kModel + "model.fit(data)\n",
         "kept as text: shuffle: expected an order of its own for each epoch, got reshuffle_each_iteration=False"},
        {"fit in a loop", kSets + "data = sets['train'].batch(2)\n" + kModel + "for e in range(4):\n    model.fit(data)\n",
         "kept as text: expected fit() once, got a loop that calls it"},
        {"weights of a class that are none", kArrays + kModel + "model.fit(x, y, class_weight=3)\n",
         "class_weight: expected a dictionary of weights by class, got 3"},
        {"a batch without a number", kSets + "data = sets['train'].batch(args.batch)\n" + kModel + "model.fit(data)\n",
         "line 2, column 28: kept as text: data: expected a batch that the text gives, got args.batch"},
        {"data of another kind", "data = load('mine')\n" + kModel + "model.fit(data)\n",
         "line 4, column 11: kept as text: data: expected data that the text makes of a set that is known here, got data of line 1"},
        {"under a condition", kArrays + "if small:\n    x = x[:100]\n" + kModel + "model.fit(x, y)\n",
         "line 3, column 5: kept as text: data: expected data without a condition, got some under if small"},
        {"other data to validate with", kArrays + kModel + "model.fit(x, y, validation_data=(x[:100], y[:100]))\n",
         "validation: expected the set's test part, or the last of its training samples, got others"},
        {"no loss", "model = keras.Sequential([layers.Dense(2, input_shape=(3,))])\nmodel.compile('sgd')\n",
         "line 2, column 1: kept as text: expected a loss of compile, got none; the project's stays: SparseCategoricalCrossentropy"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        EXPECT_THAT(notesOf(readKerasCode(row.code, RunSpec())), HasSubstr(row.note));
    }
    EXPECT_EQ(readKerasCode("data = tfds.load('cats_vs_dogs', split='train').batch(4)\n" + kModel + "model.fit(data)\n", RunSpec())
                  .run.data.dataset,
              "cats_vs_dogs")
        << "the check of the project names it";
}

TEST(KerasCodeData, StaysWithinBounds) {
    std::string pairs = kArrays, chain = kSets + "data = sets['train']\n", calls = kArrays + "def f(a):\n";
    for (int i = 0; i < 80; ++i) pairs += "x = (x, x)\n";
    for (int i = 0; i < 5000; ++i) chain += "data = data.unknown()\n";
    for (int i = 0; i < 60; ++i) calls += "    a = f(a)\n";
    const std::clock_t begin = std::clock();
    readKerasCode(pairs + kModel + "model.fit(x, y)\n", RunSpec());
    readKerasCode(calls + "    return a\nx = f(x)\n" + kModel + "model.fit(x, y)\n", RunSpec());
    EXPECT_LE(readKerasCode(chain + kModel + "model.fit(data)\n", RunSpec()).notes.size(), 100U);
    EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 20) << "seconds of computing";
}

// A statement that makes another model of the one that is read: it is taken, or the model can't be read.
TEST(KerasCodeData, SkipsNothingThatChangesTheModel) {
    const std::string begin = "model = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.Dense(2)])\n";
    const CodeReading popped = readKerasCode(begin + "model.pop()\nmodel.add(layers.Dense(3))\n", emptyRun());
    EXPECT_EQ(layersOf(popped.run), "Dense(8) Dense(3)");
    EXPECT_EQ(notesOf(popped), "");
    struct Row {
        std::string name, code, note;
    };
    const Row rows[] = {
        {"add under a condition", begin + "if deep:\n    model.add(layers.Dense(3))\n",
         "line 3, column 5: expected layers without a condition, got one under if deep"},
        {"pop under a condition", begin + "if deep:\n    model.pop()\n", "line 3, column 5: expected layers without a condition"},
        {"one or the other", "if deep:\n    " + begin + "else:\n    " + begin,
         "line 4, column 5: expected one model, got another one under a condition"},
        {"another function in the chain",
         "a = keras.Input((4,))\nb = layers.Dense(8)(a)\nb = tf.nn.relu(b)\nb = layers.Dense(2)(b)\nmodel = keras.Model(a, b)\n",
         "line 3, column 5: expected a layer on a layer, got tf.nn.relu(…)"},
        {"a sum of layers", "a = keras.Input((4,))\nb = layers.Dense(4)(a)\nb = a + b\nmodel = keras.Model(a, b)\n",
         "line 3, column 5: expected a layer on a layer"},
        {"two ends", "a = keras.Input((4,))\nb = layers.Dense(8)(a)\nmodel = keras.Model(a, [a, b])\n",
         "line 3, column 24: expected the end of one chain of layers as outputs, got a list"},
        {"layers that do not learn", begin + "model.layers[0].trainable = False\n",
         "line 2, column 1: expected a model that stays as its layers make it"},
        {"a model that does not learn", begin + "model.trainable = False\n",
         "line 2, column 1: expected a model that stays as its layers make it"},
        {"layers put in its place", begin + "model._layers = []\n", "line 2, column 1: expected a model that stays as its layers make it"},
        {"a layer by its variable", begin + "d = model.layers[-1]\nd.trainable = False\n",
         "line 3, column 1: expected a model that stays as its layers make it"},
        {"a layer by its name", begin + "d = model.get_layer('dense')\nd.trainable = False\n",
         "line 3, column 1: expected a model that stays as its layers make it"},
        {"a loop over layers", begin + "for layer in model.layers:\n    layer.trainable = False\n",
         "line 3, column 5: expected a model that stays as its layers make it"},
        {"a loop that counts them", begin + "for i, layer in enumerate(model.layers[:-1]):\n    layer.trainable = False\n",
         "line 3, column 5: expected a model that stays as its layers make it"},
        {"a layer that goes", begin + "del model.layers[-1]\n", "line 2, column 1: expected add() and pop() of the model alone, got del"},
        {"an attribute by its name", begin + "setattr(model, 'trainable', False)\n",
         "line 2, column 1: expected add() and pop() of the model alone, got setattr(…)"},
        {"a function that adds layers", "def grow(net):\n    net.add(layers.Dense(3))\n" + begin + "grow(model)\n",
         "line 4, column 1: expected add() and pop() of the model alone, got grow(…)"},
        {"a function that gives it back", "def grow(net):\n    net.pop()\n    return net\n" + begin + "model = grow(model)\n",
         "line 5, column 1: expected add() and pop() of the model alone, got grow(…)"},
        {"a model of a file", "model = keras.models.load_model('x.keras')\nmodel.compile('sgd', 'mse')\n",
         "line 1, column 9: expected a model that is made of layers, got keras.models.load_model(…)"},
        {"a model of a file in its place", begin + "model = keras.models.load_model('x.keras')\n",
         "line 2, column 9: expected a model that is made of layers, got keras.models.load_model(…)"},
        {"a model of Keras' own", "model = tf.keras.applications.MobileNetV2(weights=None)\n",
         "line 1, column 9: expected a model that is made of layers, got tf.keras.applications.MobileNetV2(…)"},
        {"an optimizer that is not here", begin + "opt = keras.optimizers.MultiOptimizer([])\nmodel.compile(opt, 'mse')\n",
         "line 2, column 7: optimizer: expected SGD, Adam"},
        {"one of a loop", begin + "opt = keras.optimizers.MultiOptimizer([])\nopt.apply_gradients(g)\n",
         "line 2, column 7: optimizer: expected SGD, Adam"},
        {"a loss of one's own",
         begin + "opt = keras.optimizers.SGD()\nloss = tf.reduce_mean(tf.square(y - model(x)))\nopt.minimize(loss, model.weights)\n",
         "line 4, column 1: loss: expected a loss of Keras that this is taken of, got one of the text's own"},
        {"more than a loss",
         begin + "opt = keras.optimizers.SGD()\neach = tf.nn.softmax_cross_entropy_with_logits(labels=y, logits=z)\n"
                 "loss = tf.reduce_mean(each) + 0.1 * tf.nn.l2_loss(w)\nopt.minimize(loss, model.weights)\n",
         "line 4, column 8: loss: expected the mean of a loss of Keras, got a calculation with it"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        const CodeReading reading = readKerasCode(row.code, RunSpec());
        EXPECT_THAT(notesOf(reading, Severity::kError), HasSubstr(row.note));
    }
    const CodeReading after =
        readKerasCode(begin + "model.fit(x, y)\nmodel = keras.models.load_model('x.keras')\nprint(model)\n", RunSpec());
    EXPECT_EQ(notesOf(after, Severity::kError), "") << "what is loaded after training is another model";
    const CodeReading looked = readKerasCode(
        "def look(net):\n    print(net.name)\n" + begin + "look(model)\nw = model.layers[0].get_weights()\nw[0] = 1\n", RunSpec());
    EXPECT_EQ(notesOf(looked, Severity::kError), "");
    EXPECT_EQ(layersOf(looked.run), "Dense(8) Dense(2)");
    const CodeReading loop = readKerasCode(begin +
                                               "each = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction='none')\n"
                                               "loss = tf.reduce_sum(each(y, model(x))) * (1. / BATCH)\nloss += sum(model.losses)\nopt = "
                                               "keras.optimizers.SGD()\nopt.minimize(loss, w)\n",
                                           RunSpec());
    EXPECT_EQ(notesOf(loop), "");
    EXPECT_EQ(loop.run.compile.loss, (ObjectSpec{"SparseCategoricalCrossentropy", {{"from_logits", true}}}));
}

// A model of texts on a folder of theirs; its data are otherwise as usual.
RunSpec ofTextFolder() {
    RunSpec run = starter("mnist_mlp");
    run.data = {};
    run.data.dataset = "text_folder";
    run.data.train_files = {"reviews/train"};
    run.data.test_files = {"reviews/test"};
    run.model.input_shape = {1};
    run.model.input_dtype = "string";
    run.model.layers = {
        {"TextVectorization", "text_vectorization", {{"max_tokens", std::int64_t{500}}, {"output_sequence_length", std::int64_t{8}}}},
        {"Embedding", "embedding", {{"input_dim", std::int64_t{500}}, {"output_dim", std::int64_t{4}}}},
        {"Flatten", "flatten", {}},
        {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    return run;
}

// What the code of a project says of its data, over a project that has others.
DataSpec dataBack(const RunSpec& run) {
    RunSpec base = run;
    base.data = {};
    const std::string code = writeKerasCode(run);
    const CodeReading reading = readKerasCode(code, base, AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "") << code;
    EXPECT_EQ(reading.run.model, run.model) << code;
    return reading.run.data;
}

TEST(DataCode, WritesAndReadsAFolderOfTexts) {
    RunSpec run = ofTextFolder();
    std::string code = writeKerasCode(run, {.width = 300});
    EXPECT_THAT(code, HasSubstr("import tensorflow as tf\n"));
    EXPECT_THAT(code, HasSubstr("def prepare(image, label):\n    image = tf.reshape(image, (1,))\n    return image, label\n"));
    EXPECT_THAT(code, HasSubstr("train_dataset = keras.utils.text_dataset_from_directory('reviews/train', batch_size=None, shuffle=False, "
                                "follow_links=True).map(prepare).cache().shuffle(10000).batch(batch).prefetch(2)\n"));
    EXPECT_THAT(code, HasSubstr("test_dataset = keras.utils.text_dataset_from_directory('reviews/test', batch_size=None, shuffle=False, "
                                "follow_links=True).map(prepare).batch(batch)\n"));
    EXPECT_THAT(code, HasSubstr("model.layers[0].adapt(keras.utils.text_dataset_from_directory('reviews/train', "));
    EXPECT_THAT(code, HasSubstr("validation_data=test_dataset"));
    EXPECT_EQ(dataBack(run), run.data) << code;

    run.data.test_files.clear();
    run.data.validation_split = 0.2;
    run.data.split_seed = 7;
    run.data.validate_on_test = false;
    code = writeKerasCode(run, {.width = 300});
    EXPECT_THAT(code, HasSubstr("train_dataset = keras.utils.text_dataset_from_directory('reviews/train', batch_size=None, seed=7, "
                                "validation_split=0.2, subset='training', follow_links=True).map(prepare)"));
    EXPECT_THAT(code, HasSubstr("test_dataset = keras.utils.text_dataset_from_directory('reviews/train', batch_size=None, seed=7, "
                                "validation_split=0.2, subset='validation', follow_links=True).map(prepare).batch(batch)\n"));
    EXPECT_EQ(dataBack(run), run.data) << code;

    run.data.validation_split = 0;  // mixed once, and nothing is kept
    run.data.one_hot = 2;
    run.compile.loss = {"CategoricalCrossentropy", {{"from_logits", true}}};
    run.data.cache = false;
    code = writeKerasCode(run, {.width = 300});
    EXPECT_THAT(code, testing::Not(HasSubstr("test_dataset")));
    EXPECT_THAT(code, HasSubstr("label = tf.one_hot(tf.reshape(label, ()), 2)"));
    EXPECT_EQ(dataBack(run), run.data) << code;

    // Rows of words have no axis of one in Keras: the texts go in as they come.
    run = ofTextFolder();
    run.model.layers = {{"TextVectorization",
                         "text_vectorization",
                         {{"max_tokens", std::int64_t{500}}, {"output_mode", std::string("multi_hot")}, {"pad_to_max_tokens", true}}},
                        {"Dense", "dense", {{"units", std::int64_t{2}}}}};
    EXPECT_THAT(writeKerasCode(run), testing::Not(HasSubstr("prepare")));
    EXPECT_EQ(dataBack(run), run.data);

    // A model of numbers has the words by Tandem's vocabulary, which no line of Keras makes.
    run.model.input_dtype = "int32";
    EXPECT_THAT(writeKerasCode(run), testing::Not(HasSubstr("text_dataset_from_directory")));
}

TEST(DataCode, TakesAFolderOfTextsAsKerasUsersWriteIt) {
    const std::string model =
        "model = keras.Sequential([keras.Input((1,), dtype='string'), layers.TextVectorization(output_sequence_length=4), "
        "layers.Embedding(9, 2), layers.Flatten(), layers.Dense(2)])\n"
        "model.compile('adam', keras.losses.SparseCategoricalCrossentropy(from_logits=True))\n"
        "model.layers[0].adapt(words)\n";
    const std::string call = "keras.utils.text_dataset_from_directory('aclImdb/train', ";
    RunSpec base;
    base.data.test_files = {"another"};
    const auto read = [&](const std::string& data, const std::string& fit) { return readKerasCode(data + model + fit, base); };
    const auto notes = [&](const std::string& data) { return notesOf(read("data = " + data + "\n", "model.fit(data)\n")); };

    const std::string halves = "size = 16\ntrain = tf." + call + "batch_size=size, validation_split=0.2, subset='training', seed=1337)\n" +
                               "rest = tf." + call + "batch_size=size, validation_split=0.2, subset='validation', seed=1337)\n";
    CodeReading reading = read(halves, "model.fit(train, validation_data=rest, epochs=3)\n");
    EXPECT_EQ(notesOf(reading), "");
    const DataSpec& data = reading.run.data;
    EXPECT_EQ(data.dataset, "text_folder");
    EXPECT_EQ(data.train_files, std::vector<std::string>{"aclImdb/train"});
    EXPECT_TRUE(data.test_files.empty()) << "of another folder";
    EXPECT_EQ(data.validation_split, 0.2);
    EXPECT_EQ(data.split_seed, 1337);
    EXPECT_FALSE(data.validate_on_test);
    EXPECT_EQ(data.batch_size_per_replica, 16);
    EXPECT_EQ(data.shuffle, 128) << "eight batches";
    EXPECT_EQ(data.order, DataSpec().order);

    reading = read("train, rest = " + call + "validation_split=0.25, subset='both', seed=3, label_mode='binary')\n",
                   "model.fit(train, validation_data=rest)\n");
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.data.validation_split, 0.25);
    EXPECT_EQ(reading.run.data.split_seed, 3);
    EXPECT_EQ(reading.run.data.batch_size_per_replica, 32);

    reading = read("train = " + call + "shuffle=False)\ntest = keras.utils.text_dataset_from_directory('aclImdb/test', verbose=False)\n",
                   "model.fit(train, validation_data=test)\n");
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.data.test_files, std::vector<std::string>{"aclImdb/test"});
    EXPECT_TRUE(reading.run.data.validate_on_test);
    EXPECT_EQ(reading.run.data.split_seed, -1);
    EXPECT_EQ(reading.run.data.shuffle, 0);

    EXPECT_THAT(notes(call + "max_length=9)"), HasSubstr("data: max_length: expected whole texts, got 9"));
    EXPECT_THAT(notes(call + "label_mode='categorical')"), HasSubstr("data: label_mode: expected int or binary, got 'categorical'"));
    EXPECT_THAT(notes(call + "labels=None)"), HasSubstr("data: labels: expected labels by the names of sub-folders, got None"));
    EXPECT_THAT(notes(call + "class_names=['pos', 'neg'])"), HasSubstr("data: class_names: expected all sub-folders in order, got "));
    EXPECT_THAT(notes(call + "validation_split=2, subset='training')"),
                HasSubstr("data: validation_split: expected a number between 0 and 1, got 2"));
    EXPECT_THAT(notes(call + "validation_split=0.5)"), HasSubstr("data: subset: expected training, validation or both, got none"));
    EXPECT_THAT(notes("keras.utils.text_dataset_from_directory(folder)"),
                HasSubstr("data: expected names of files as texts, got folder; the project's files stay"));
    const std::string others = "train = " + call + "validation_split=0.2, subset='training', seed=1)\nrest = " + call +
                               "validation_split=0.2, subset='validation', seed=2)\n";
    EXPECT_THAT(notesOf(read(others, "model.fit(train, validation_data=rest)\n")),
                HasSubstr("validation: expected the rest of the folder that trains, by the same validation_split and seed, got another"));
}

TEST(DataCode, ChangesAFolderOfTextsInItsCode) {
    RunSpec base;
    const std::string code =
        "import tensorflow as tf\n"
        "train = keras.utils.text_dataset_from_directory('a', batch_size=16, shuffle=False)\n"
        "model = keras.Sequential([keras.Input((1,), dtype='string'), layers.TextVectorization(output_sequence_length=4), "
        "layers.Embedding(9, 2), layers.Flatten(), layers.Dense(2)])\n"
        "model.compile('adam', keras.losses.SparseCategoricalCrossentropy(from_logits=True))\n"
        "model.layers[0].adapt(words)\n"
        "model.fit(train)\n";
    const CodeReading reading = readKerasCode(code, base);
    ASSERT_EQ(notesOf(reading), "");
    RunSpec changed = reading.run;
    changed.data.batch_size_per_replica = 8;
    EXPECT_THAT(updateKerasCode(code, reading, changed), HasSubstr("text_dataset_from_directory('a', batch_size=8, shuffle=False)"));
    changed = reading.run;
    changed.data.train_files = {"b"};
    EXPECT_THAT(updateKerasCode(code, reading, changed), HasSubstr("text_dataset_from_directory('b', "));
}

}  // namespace
}  // namespace engine::spec
