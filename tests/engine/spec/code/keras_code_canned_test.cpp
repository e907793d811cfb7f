// TensorFlow's canned estimators as written programs: the words of each, and that the reader of code makes the same project of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/validate/validate.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kAge = "age = tf.feature_column.numeric_column('age')\n";
const std::string kCity = "city = tf.feature_column.categorical_column_with_vocabulary_list('city', ['Seoul', 'Berlin'])\n";
const std::string kInputs =
    "def train_fn():\n    return tf.data.experimental.make_csv_dataset('people.csv', 32, label_name='wage')\n"
    "def test_fn():\n    return tf.data.experimental.make_csv_dataset('test.csv', 32, label_name='wage', num_epochs=1, shuffle=False)\n";

// The project that a text with `estimator` ("LinearRegressor([age, city])") makes, on a table.
RunSpec ofTable(const std::string& estimator) {
    const CodeReading reading = readKerasCode(kAge + kCity + kInputs + "e = tf.estimator." + estimator +
                                                  "\ntf.estimator.train_and_evaluate(e, tf.estimator.TrainSpec(train_fn, max_steps=100), "
                                                  "tf.estimator.EvalSpec(test_fn))\n",
                                              RunSpec(), AbsentArguments::kDefault);
    EXPECT_EQ(notesOf(reading), "") << estimator;
    RunSpec run = reading.run;
    run.code.clear();
    EXPECT_FALSE(hasErrors(validate(run))) << estimator;
    return run;
}

// Written, read over a project that has nothing of it, and the same. Returns the program.
std::string expectRoundTrip(const RunSpec& run) {
    const std::string program = writeKerasCode(run);
    EXPECT_THAT(program, HasSubstr("tf.estimator." + run.estimator->name + "(")) << program;
    const CodeReading reading = readKerasCode(program, RunSpec());
    EXPECT_EQ(notesOf(reading, Severity::kInfo), "") << program;
    EXPECT_EQ(reading.run.data, run.data) << program;
    EXPECT_EQ(reading.run.model, run.model) << program;
    EXPECT_EQ(reading.run.compile, run.compile) << program;
    EXPECT_EQ(reading.run.estimator, run.estimator) << program;
    EXPECT_EQ(writeKerasCode(reading.run), program);
    EXPECT_EQ(partsThatDiffer(program, run), std::vector<std::string>());
    return program;
}

TEST(CannedCode, TheGuidesRegressorIsWrittenAsTheGuideHasIt) {
    const RunSpec run = starter("guide_linear_regressor");
    const std::string program = writeKerasCode(run);
    EXPECT_EQ(program,
              "import tensorflow as tf\n"
              "\n"
              "strategy = tf.distribute.MirroredStrategy()\n"
              "\n"
              "def input_fn(mode):\n"
              "    batch = 10\n"
              "    train_dataset = tf.data.Dataset.from_tensors(({'feats': [1.]}, [1.])).repeat(100) \\\n"
              "        .cache().repeat().batch(batch).prefetch(2)\n"
              "    test_dataset = tf.data.Dataset.from_tensors(({'feats': [1.]}, [1.])).repeat(100) \\\n"
              "        .batch(batch)\n"
              "    return train_dataset if mode == tf.estimator.ModeKeys.TRAIN else test_dataset\n"
              "\n"
              "feature_columns = [tf.feature_column.numeric_column('feats')]\n"
              "\n"
              "config = tf.estimator.RunConfig(train_distribute=strategy)\n"
              "estimator = tf.estimator.LinearRegressor(feature_columns=feature_columns,\n"
              "                                         optimizer='SGD', config=config)\n"
              "\n"
              "tf.estimator.train_and_evaluate(\n"
              "    estimator,\n"
              "    tf.estimator.TrainSpec(input_fn=lambda: input_fn(tf.estimator.ModeKeys.TRAIN), max_steps=10),\n"
              "    tf.estimator.EvalSpec(input_fn=lambda: input_fn(tf.estimator.ModeKeys.EVAL), steps=10))\n");
    const CodeReading reading = readKerasCode(program, RunSpec());
    EXPECT_EQ(notesOf(reading, Severity::kInfo), "");
    EXPECT_EQ(reading.run.model, run.model);
    EXPECT_EQ(reading.run.compile, run.compile);
    EXPECT_EQ(reading.run.data, run.data);
    EXPECT_EQ(reading.run.estimator, run.estimator);
    EXPECT_EQ(reading.run.strategy.name, run.strategy.name);
    EXPECT_EQ(partsThatDiffer(program, run), std::vector<std::string>());
}

TEST(CannedCode, AClassifierOnATableReadsItByMakeCsvDataset) {
    RunSpec run = ofTable("DNNClassifier([8, 4], [age, tf.feature_column.indicator_column(city)], n_classes=3, optimizer='Adam')");
    run.estimator->eval_spec.steps = std::nullopt;
    run.estimator->run_config.save_checkpoints_steps = 50;
    EXPECT_EQ(expectRoundTrip(run),
              "import tensorflow as tf\n"
              "\n"
              "strategy = tf.distribute.MirroredStrategy()\n"
              "\n"
              "def train_input_fn():\n"
              "    return tf.data.experimental.make_csv_dataset('people.csv', batch_size=32,\n"
              "                                                 label_name='wage')\n"
              "\n"
              "def eval_input_fn():\n"
              "    return tf.data.experimental.make_csv_dataset('test.csv', batch_size=32,\n"
              "                                                 label_name='wage', num_epochs=1,\n"
              "                                                 shuffle=False)\n"
              "\n"
              "feature_columns = [\n"
              "    tf.feature_column.numeric_column('age'),\n"
              "    tf.feature_column.indicator_column(\n"
              "        tf.feature_column.categorical_column_with_vocabulary_list('city',\n"
              "                                                                  ['Seoul', 'Berlin']))]\n"
              "\n"
              "config = tf.estimator.RunConfig(train_distribute=strategy, save_checkpoints_steps=50)\n"
              "estimator = tf.estimator.DNNClassifier(feature_columns=feature_columns,\n"
              "                                       hidden_units=[8, 4], n_classes=3,\n"
              "                                       optimizer='Adam', config=config)\n"
              "\n"
              "tf.estimator.train_and_evaluate(\n"
              "    estimator,\n"
              "    tf.estimator.TrainSpec(input_fn=train_input_fn, max_steps=100),\n"
              "    tf.estimator.EvalSpec(input_fn=eval_input_fn, steps=None))\n");
}

TEST(CannedCode, EveryArgumentComesBack) {
    const char* rows[] = {
        "LinearRegressor([age, city])",
        "LinearRegressor([age, city], optimizer='Ftrl')",
        "LinearRegressor([age, city], optimizer=tf.keras.optimizers.Ftrl(0.1, l1_regularization_strength=0.01))",
        "LinearClassifier([age, city])",
        "LinearClassifier([age, city], n_classes=4, optimizer='RMSProp')",
        "DNNRegressor([8], [age, city])",
        "DNNRegressor([8, 4], [age, city], activation_fn=tf.nn.tanh, dropout=0.25, batch_norm=True)",
        "DNNRegressor([8, 4], [age, city], activation_fn=None, optimizer='SGD')",
        "DNNRegressor([8, 4], [age, city], activation_fn=tf.keras.activations.hard_sigmoid)",
        "DNNClassifier([8], [age, city])",
        "DNNClassifier([8], [age, city], n_classes=3, dropout=0.5)",
        "DNNClassifier([8], [age, city], optimizer=tf.keras.optimizers.SGD(0.1, momentum=0.9, nesterov=True))",
        "DNNClassifier([8], [age, city], optimizer=tf.keras.optimizers.Adam(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 100, "
        "0.96, staircase=True)))"};
    for (const char* row : rows) {
        SCOPED_TRACE(row);
        expectRoundTrip(ofTable(row));
    }
    EXPECT_THAT(expectRoundTrip(ofTable(rows[0])), Not(HasSubstr("optimizer"))) << "TensorFlow's own";
    const std::string decays = expectRoundTrip(ofTable(rows[12]));
    EXPECT_THAT(decays, HasSubstr("tf.keras.optimizers.legacy.Adam("));
    EXPECT_THAT(decays, HasSubstr("tf.keras.optimizers.schedules.ExponentialDecay("));
}

TEST(CannedCode, EveryColumnComesBack) {
    const std::vector<ObjectSpec> columns{
        {"NumericColumn", {{"key", "age"}}},
        {"BucketizedColumn", {{"key", "age"}, {"boundaries", std::vector<double>{18, 30.5, 65}}}},
        {"CategoricalColumnWithVocabularyList", {{"key", "city"}, {"vocabulary_list", std::vector<std::string>{"Seoul", "it's"}}}},
        {"CategoricalColumnWithVocabularyList",
         {{"key", "floor"}, {"vocabulary_list", std::vector<std::string>{"1", "2"}}, {"num_oov_buckets", std::int64_t{1}}}},
        {"CategoricalColumnWithIdentity", {{"key", "month"}, {"num_buckets", std::int64_t{12}}}},
        {"CategoricalColumnWithHashBucket", {{"key", "name"}, {"hash_bucket_size", std::int64_t{50}}}}};
    const std::vector<std::int64_t> widths{1, 4, 2, 3, 12, 50};
    for (const char* estimator : {"LinearRegressor([age, city])", "DNNClassifier([8], [age, city])"}) {
        for (const char* set : {"csv", "tfrecord"}) {
            RunSpec run = ofTable(estimator);
            run.data.dataset = set;
            if (run.data.dataset == "tfrecord") {
                run.data.csv = {};
                run.data.tfrecord.label = "paid";
            }
            for (std::size_t i = 0; i < columns.size(); ++i) {
                SCOPED_TRACE(std::string(estimator) + " " + set + " " + columns[i].class_name);
                run.data.feature_columns = {columns[i]};
                run.model.input_shape = {widths[i]};
                expectRoundTrip(run);
            }
            run.data.feature_columns = columns;
            run.model.input_shape = {72};
            const std::string program = expectRoundTrip(run);
            EXPECT_EQ(validate(run), Diagnostics());
            const bool reads_table = run.data.dataset == "csv";
            EXPECT_THAT(program, HasSubstr(reads_table ? "'floor', [1, 2],\n" : "'floor', ['1', '2'],\n"));
            if (!reads_table) {
                EXPECT_THAT(program, HasSubstr("    'age': tf.io.FixedLenFeature([], tf.float32),\n"
                                               "    'city': tf.io.VarLenFeature(tf.string),\n"
                                               "    'floor': tf.io.VarLenFeature(tf.string),\n"
                                               "    'month': tf.io.VarLenFeature(tf.int64),\n"
                                               "    'name': tf.io.VarLenFeature(tf.string),\n"));
            }
        }
    }
    RunSpec run = ofTable("DNNRegressor([8], [age, city])");
    run.data.dataset = "tfrecord";
    run.data.csv = {};
    run.data.tfrecord.label = "paid";
    run.data.feature_columns = {{"NumericColumn", {{"key", "pixels"}, {"shape", std::int64_t{9}}}}};
    run.model.input_shape = {9};
    EXPECT_THAT(expectRoundTrip(run), HasSubstr("'pixels': tf.io.FixedLenFeature([9], tf.float32)"));
}

TEST(CannedCode, TheWayOfTheDataComesBack) {
    RunSpec run = ofTable("LinearRegressor([age, city])");
    run.data.train_files = {"a.csv", "b/*.csv"};
    run.data.csv = {.delimiter = ";", .quotes = false, .label = "paid", .features = {}, .missing_value = "?"};
    run.data.shuffle = 500;
    run.data.prefetch = 4;
    run.estimator->train_spec = {.max_steps = std::nullopt, .input_repeats = 3};
    EXPECT_THAT(expectRoundTrip(run), HasSubstr("num_epochs=3"));
    run.data.shuffle = 0;
    expectRoundTrip(run);
    run.estimator->train_spec.input_repeats = 1;
    expectRoundTrip(run);
    run.data.test_files.clear();
    run.data.validate_on_test = false;
    const std::string alone = expectRoundTrip(run);
    EXPECT_THAT(alone, HasSubstr("estimator.train(input_fn=train_input_fn)\n"));
    EXPECT_THAT(alone, Not(HasSubstr("eval_input_fn")));
    RunSpec records = ofTable("LinearRegressor([age, city])");
    records.data.dataset = "tfrecord";
    records.data.csv = {};
    records.data.drop_remainder = true;
    EXPECT_THAT(expectRoundTrip(records), HasSubstr("drop_final_batch=True"));
}

// A set of images: each is one numeric column, as many numbers as it has.
TEST(CannedCode, ImagesAreOneColumn) {
    RunSpec base = starter("mnist_mlp");
    CodeReading reading = readKerasCode(
        "e = tf.estimator.DNNClassifier([32], [tf.feature_column.numeric_column('x', shape=(28, 28))], n_classes=10)\n"
        "e.train(lambda: input_fn(), steps=100)\n",
        base);
    reading.run.estimator->train_spec.input_repeats = 0;
    const std::string program = writeKerasCode(reading.run);
    EXPECT_THAT(program, HasSubstr("tf.feature_column.numeric_column('feats', shape=(784,))"));
    EXPECT_THAT(program, HasSubstr("        image = tf.reshape(image, (784,))\n        return {'feats': image}, label\n"));
    const CodeReading again = readKerasCode(program, RunSpec());
    EXPECT_EQ(notesOf(again), "");
    EXPECT_EQ(again.run.model.layers, reading.run.model.layers);
    EXPECT_EQ(again.run.compile, reading.run.compile);
    EXPECT_EQ(again.run.data, reading.run.data);
    EXPECT_EQ(again.run.estimator, reading.run.estimator);
}

// What the class would not make is written as any other estimator.
TEST(CannedCode, AnotherModelIsWrittenAsItIs) {
    const RunSpec run = ofTable("DNNClassifier([8, 4], [age, city], dropout=0.5)");
    const auto isCanned = [](const RunSpec& changed) {
        const std::string program = writeKerasCode(changed);
        const bool is_canned = program.find("tf.estimator.DNNClassifier(") != std::string::npos;
        EXPECT_NE(is_canned, program.find("model_to_estimator(") != std::string::npos) << program;
        return is_canned;
    };
    EXPECT_TRUE(isCanned(run));
    const auto with = [&](auto change) {
        RunSpec changed = run;
        change(changed);
        return isCanned(changed);
    };
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers[0].config.set("activation", "tanh"); })) << "two activations";
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers[1].config.set("rate", 0.25); })) << "two rates";
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers[0].config.set("use_bias", false); }));
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers.insert(one.model.layers.begin(), LayerSpec{"Flatten", "flatten", {}}); }));
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers.clear(); }));
    EXPECT_FALSE(with([](RunSpec& one) { one.model.layers.back().name = "logits"; }));
    EXPECT_FALSE(with([](RunSpec& one) { one.compile.loss = {"Hinge", {}}; }));
    EXPECT_FALSE(with([](RunSpec& one) { one.compile.metrics.clear(); }));
    EXPECT_FALSE(with([](RunSpec& one) { one.data.feature_columns.clear(); })) << "all cells, whatever they are called";
    EXPECT_FALSE(with([](RunSpec& one) { one.estimator->name = "Estimator"; }));
    EXPECT_TRUE(with([](RunSpec& one) { one.data.cache = !one.data.cache; })) << "no value changes by it";
    EXPECT_TRUE(with([](RunSpec& one) { one.data.csv.missing = "mean"; })) << "the project's own";
}

// A file of a project may have whole numbers where real ones are meant.
TEST(CannedCode, WholeNumbersOfAFileAreTheRealOnesThatTheyMean) {
    RunSpec run = ofTable("LinearRegressor([age, city])");
    run.data.feature_columns = {{"BucketizedColumn", {{"key", "age"}, {"boundaries", std::vector<std::int64_t>{30, 50}}}}};
    run.model.input_shape = {3};
    EXPECT_EQ(validate(run), Diagnostics());
    const std::string program = writeKerasCode(run);
    EXPECT_THAT(program, HasSubstr("tf.estimator.LinearRegressor("));
    EXPECT_THAT(program, HasSubstr("boundaries=[30, 50]"));
}

// The window shows code of a project that its check refuses, too.
TEST(CannedCode, AProjectThatDoesNotFitIsWrittenAsItIs) {
    const RunSpec run = ofTable("DNNClassifier([8], [age, city], dropout=0.5)");
    const std::vector<ObjectSpec> columns{{"CategoricalColumnWithVocabularyList", {{"key", "city"}}},
                                          {"BucketizedColumn", {{"key", "age"}, {"boundaries", "many"}}},
                                          {"NumericColumn", {{"key", std::int64_t{3}}}},
                                          {"CrossedColumn", {{"key", "city"}}}};
    const auto isAsItIs = [](const RunSpec& changed) { return writeKerasCode(changed).find("model_to_estimator(") != std::string::npos; };
    for (const ObjectSpec& column : columns) {
        RunSpec changed = run;
        changed.data.feature_columns = {column};
        EXPECT_TRUE(isAsItIs(changed)) << column.class_name;
    }
    const std::pair<std::size_t, const char*> fields[] = {{0, "units"}, {0, "activation"}, {1, "rate"}};
    for (const auto& [layer, field] : fields) {
        RunSpec changed = run;
        changed.model.layers[layer].config.set(field, std::vector<double>{0.5});
        EXPECT_TRUE(isAsItIs(changed)) << field;
    }
}

// What TensorFlow's readers have no word for stays the project's: a comment stands in place of the functions.
TEST(CannedCode, DataThatNoReaderHasWordsForAreTheProjects) {
    const RunSpec run = ofTable("DNNClassifier([8, 4], [age, city])");
    const std::pair<const char*, void (*)(DataSpec&)> rows[] = {
        {"take", [](DataSpec& data) { data.take = 100; }},
        {"scale", [](DataSpec& data) { data.scale = 0.5; }},
        {"order", [](DataSpec& data) { std::swap(data.order[4], data.order[5]); }},
        {"no first line with names", [](DataSpec& data) { data.csv.header = false; }},
        {"a label by its place", [](DataSpec& data) { data.csv.label = "-1"; }},
        {"drop_remainder", [](DataSpec& data) { data.drop_remainder = true; }}};
    for (const auto& [name, change] : rows) {
        SCOPED_TRACE(name);
        RunSpec changed = run;
        change(changed.data);
        const std::string program = writeKerasCode(changed);
        EXPECT_THAT(program,
                    HasSubstr("# input_fn(mode): a tf.data.Dataset of csv in batches of 32, which the files of this project make\n"));
        EXPECT_THAT(program, HasSubstr("tf.estimator.DNNClassifier("));
        EXPECT_THAT(program, Not(HasSubstr("make_csv_dataset")));
        const CodeReading reading = readKerasCode(program, changed, AbsentArguments::kDefault);
        EXPECT_EQ(reading.run.data, changed.data);
        EXPECT_EQ(partsThatDiffer(program, changed), std::vector<std::string>());
    }
}

// The view of code shows the columns and the estimator; the rest is the project's.
TEST(CannedCode, IsWrittenWithoutImports) {
    const RunSpec run = ofTable("DNNRegressor([8], [age, city])");
    CodeLayout layout;
    layout.imports = false;
    const std::string parts = writeKerasCode(run, layout);
    EXPECT_TRUE(parts.starts_with("feature_columns = [\n")) << parts;
    EXPECT_THAT(parts, HasSubstr("estimator = tf.estimator.DNNRegressor("));
    EXPECT_THAT(parts, Not(HasSubstr("import")));
    EXPECT_THAT(parts, Not(HasSubstr("make_csv_dataset")));
    EXPECT_EQ(partsThatDiffer(parts, run), std::vector<std::string>());
    RunSpec kept = run;
    keepCode(kept, parts);
    EXPECT_EQ(kept.code, "");
}

TEST(CannedCode, ChangesOfTheProjectReachTheProgram) {
    const RunSpec run = ofTable("DNNRegressor([8], [age, city], optimizer=tf.keras.optimizers.SGD(0.1))");
    const std::string program = writeKerasCode(run);
    const CodeReading reading = readKerasCode(program, run, AbsentArguments::kDefault);
    RunSpec changed = run;
    changed.estimator->train_spec.max_steps = 250;
    changed.data.batch_size_per_replica = 16;
    changed.compile.optimizer.config.set("learning_rate", 0.25);
    const std::string updated = updateKerasCode(program, reading, changed);
    EXPECT_THAT(updated, HasSubstr("max_steps=250"));
    EXPECT_THAT(updated, HasSubstr("'people.csv', batch_size=16"));
    EXPECT_THAT(updated, HasSubstr("tf.keras.optimizers.legacy.SGD(learning_rate=0.25)"));
}

}  // namespace
}  // namespace engine::spec
