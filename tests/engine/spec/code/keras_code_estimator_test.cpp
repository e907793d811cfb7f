// TensorFlow's canned estimators as code: what is read of their arguments and their columns, and what is said of the rest.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include "engine/spec/keras/keras_code.h"
#include "engine/spec/validate/validate.h"
#include "keras_code_reading.h"

namespace engine::spec {
namespace {

using testing::HasSubstr;

const std::string kAge = "age = tf.feature_column.numeric_column('age')\n";
const std::string kCity = "city = tf.feature_column.categorical_column_with_vocabulary_list('city', ['Seoul', 'Berlin'])\n";

// A project whose data are a table.
RunSpec ofTable() {
    RunSpec run;
    run.data.dataset = "csv";
    run.data.train_files = {"people.csv"};
    run.data.csv.label = "wage";
    run.data.scale = 1;
    return run;
}

CodeReading readTable(const std::string& code) {
    return readKerasCode(kAge + kCity + code, ofTable());
}

// "Dense tanh Dropout Dense", without the quotes of texts.
std::string layersWith(const RunSpec& run, const char* field) {
    std::string text;
    for (const LayerSpec& layer : run.model.layers) {
        text += (text.empty() ? "" : " ") + layer.class_name;
        if (const FieldValue* value = layer.config.find(field)) text += " " + valueText(*value);
    }
    std::erase(text, '"');
    return text;
}

TEST(EstimatorCode, TakesArgumentsByPositionAsByName) {
    const std::pair<std::string, std::string> rows[] = {
        {"LinearRegressor([age, city])", "LinearRegressor(feature_columns=[age, city])"},
        {"LinearClassifier([age, city], None, 3)", "LinearClassifier(feature_columns=[age, city], n_classes=3)"},
        {"LinearClassifier([age, city], None, 2, None, None, 'SGD')", "LinearClassifier(feature_columns=[age, city], optimizer='SGD')"},
        {"DNNRegressor([8, 4], [age, city])", "DNNRegressor(feature_columns=[age, city], hidden_units=[8, 4])"},
        {"DNNClassifier([8], [age, city], 'dir', 3, None, None, 'SGD', tf.nn.tanh, 0.5)",
         "DNNClassifier(hidden_units=[8], feature_columns=[age, city], n_classes=3, optimizer='SGD', activation_fn=tf.nn.tanh, "
         "dropout=0.5)"},
    };
    for (const auto& [by_position, by_name] : rows) {
        SCOPED_TRACE(by_position);
        const CodeReading reading = readTable("e = tf.estimator." + by_position + "\n");
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(reading.run.data.feature_columns.size(), 2U);
        EXPECT_EQ(reading.run.model.input_shape, Shape{3});
        const RunSpec named = readTable("e = tf.estimator." + by_name + "\n").run;
        EXPECT_EQ(reading.run.model.layers, named.model.layers);
        EXPECT_EQ(reading.run.compile, named.compile);
    }
}

TEST(EstimatorCode, TakesColumnsOfListsThatAreAdded) {
    const CodeReading reading = readTable("numbers = [age]\ntexts = [city]\ne = tf.estimator.LinearRegressor(numbers + texts)\n");
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.data.feature_columns.size(), 2U);
    const CodeReading again = readTable("e = tf.estimator.LinearRegressor([age])\ne = tf.estimator.LinearRegressor([city])\n");
    ASSERT_EQ(again.run.data.feature_columns.size(), 1U) << "the second estimator is the project's";
    EXPECT_EQ(again.run.data.feature_columns[0].class_name, "CategoricalColumnWithVocabularyList");
}

TEST(EstimatorCode, TakesTheActivationOfHiddenLayers) {
    const auto activations = [](const std::string& given) {
        const CodeReading reading = readTable("e = tf.estimator.DNNRegressor([8, 4], [age, city]" + given + ")\n");
        EXPECT_EQ(notesOf(reading), "") << given;
        return layersWith(reading.run, "activation");
    };
    EXPECT_EQ(activations(""), "Dense relu Dense relu Dense");
    EXPECT_EQ(activations(", activation_fn=tf.nn.tanh"), "Dense tanh Dense tanh Dense");
    EXPECT_EQ(activations(", activation_fn='elu'"), "Dense elu Dense elu Dense");
    EXPECT_EQ(activations(", activation_fn=tf.keras.activations.sigmoid"), "Dense sigmoid Dense sigmoid Dense");
    EXPECT_EQ(activations(", activation_fn=None"), "Dense linear Dense linear Dense");
}

// TensorFlow's DNN normalizes behind dropout.
TEST(EstimatorCode, TakesBatchNorm) {
    const CodeReading reading = readTable("e = tf.estimator.DNNRegressor([8, 4], [age, city], dropout=0.5, batch_norm=True)\n");
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(layersWith(reading.run, "momentum"), "Dense Dropout BatchNormalization 0.999 Dense Dropout BatchNormalization 0.999 Dense");
    EXPECT_EQ(validate(reading.run), Diagnostics());
}

TEST(EstimatorCode, TakesAnOptimizerThatALambdaMakes) {
    const std::string code =
        "RATE = 0.3\ne = tf.estimator.LinearRegressor([age, city], optimizer=lambda: tf.keras.optimizers.Adam(RATE))\n";
    const CodeReading reading = readTable(code);
    EXPECT_EQ(notesOf(reading), "");
    EXPECT_EQ(reading.run.compile.optimizer, (ObjectSpec{"Adam", {{"learning_rate", 0.3}}}));
    RunSpec changed = reading.run;
    changed.compile.optimizer = {"SGD", {{"learning_rate", 0.5}}};
    EXPECT_THAT(updateKerasCode(kAge + kCity + code, reading, changed),
                HasSubstr("optimizer=lambda: keras.optimizers.SGD(learning_rate=0.5))"));
}

TEST(EstimatorCode, SaysWhatAProjectHasNoPlaceFor) {
    struct Row {
        std::string arguments, note;  // a note that is empty: none
    };
    const std::string dnn = "DNNClassifier(hidden_units=[4], feature_columns=[age, city], ";
    const Row rows[] = {
        {dnn + "weight_column='w')", "DNNClassifier: expected an argument that is known here, got weight_column"},
        {dnn + "label_vocabulary=['a', 'b'])", "DNNClassifier: expected an argument that is known here, got label_vocabulary"},
        {dnn + "warm_start_from='old')", "DNNClassifier: expected an argument that is known here, got warm_start_from"},
        {dnn + "loss_reduction=tf.keras.losses.Reduction.SUM)",
         "DNNClassifier: expected an argument that is known here, got loss_reduction"},
        {dnn + "loss_reduction=tf.keras.losses.Reduction.SUM_OVER_BATCH_SIZE, batch_norm=False, model_dir='m', config=c)", ""},
        {dnn + "input_layer_partitioner=p)", "DNNClassifier: expected an argument that is known here, got input_layer_partitioner"},
        {dnn + "activation_fn=lambda x: x)", "activation_fn: expected an activation that is known here, got a lambda"},
        {dnn + "activation_fn=tf.nn.crelu)", "activation_fn: expected an activation that is known here, got tf.nn.crelu"},
        {dnn + "optimizer=make)", "optimizer: expected an optimizer that is known here, got make"},
        {dnn + "dropout=rate)", "dropout: expected a number, got rate"},
        {dnn + "n_classes=len(names))", "n_classes: expected a whole number, got len(…)"},
        {"DNNRegressor(units, [age])", "hidden_units: expected a list of whole numbers, got units"},
        {"DNNRegressor([4, n], [age])", "hidden_units: expected a list of whole numbers, got a list"},
        {"LinearRegressor([age], label_dimension=2)", "LinearRegressor: expected an argument that is known here, got label_dimension"},
        {"LinearRegressor([age], label_dimension=1, sparse_combiner='sum', weight_column=None)", ""},
        {"LinearRegressor([age], sparse_combiner='mean')", "LinearRegressor: expected an argument that is known here, got sparse_combiner"},
        {"LinearRegressor(columns)", "feature_columns: expected a list of columns, got columns"},
        {"LinearRegressor([])", "feature_columns: expected columns that the text lists, got none"},
        {"LinearRegressor([tf.feature_column.numeric_column('x', normalizer_fn=half)])",
         "expected no argument normalizer_fn of numeric_column, got one"},
        {"LinearRegressor([tf.feature_column.numeric_column('x', default_value=0.5)])",
         "expected no argument default_value of numeric_column, got one"},
        {"LinearRegressor([tf.feature_column.categorical_column_with_vocabulary_list('x', ['a'], default_value=-1)])", ""},
        {"LinearRegressor([tf.feature_column.categorical_column_with_vocabulary_list('x', names)])",
         "feature_columns: expected numeric, bucketized or categorical columns that are known here, got "
         "tf.feature_column.categorical_column_with_vocabulary_list(…)"},
        {"LinearRegressor([tf.feature_column.bucketized_column(age, edges)])",
         "feature_columns: expected numeric, bucketized or categorical columns that are known here, got "
         "tf.feature_column.bucketized_column(…)"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.arguments);
        const CodeReading reading = readTable("e = tf.estimator." + row.arguments + "\n");
        EXPECT_THAT(notesOf(reading), HasSubstr(row.note));
        EXPECT_EQ(notesOf(reading).empty(), row.note.empty()) << notesOf(reading);
        EXPECT_EQ(notesOf(reading, Severity::kError), "");
    }
}

// What TensorFlow's sessions alone have: each is named by its line, with what happens instead.
TEST(EstimatorCode, SaysWhatOnlyASessionHas) {
    struct Row {
        std::string code, note;  // a note that is empty: none
    };
    const std::string config = "c = tf.estimator.RunConfig(";
    const std::string hooks = "hooks: expected no hooks, got a list: a run calls none here";
    const Row rows[] = {
        {config + "session_config=tf.compat.v1.ConfigProto(log_device_placement=True))",
         "line 1, column 43: kept as text: session_config: expected no settings of a session, got tf.compat.v1.ConfigProto(…): devices and "
         "threads are the project's"},
        {config + "None, 1, 100, 10, None, session)", "session_config: expected no settings of a session, got session: devices"},
        {config + "device_fn=place)", "device_fn: expected no function that places operations, got place: the strategy places them"},
        {config + "protocol='grpc+verbs')", "protocol: expected grpc, got 'grpc+verbs': tasks speak as cluster.transport says"},
        {config + "session_creation_timeout_secs=600)",
         "session_creation_timeout_secs: expected no time for a session to come, got 600: tasks wait as long as cluster.start_timeout_s "
         "says"},
        {config + "checkpoint_save_graph_def=False)", "RunConfig: expected an argument that is known here, got checkpoint_save_graph_def"},
        {config + "session_config=None, device_fn=None, protocol='grpc', session_creation_timeout_secs=7200)", ""},
        {"t = tf.estimator.TrainSpec(f, max_steps=5, hooks=[Timer()])", "line 1, column 50: kept as text: " + hooks},
        {"t = tf.estimator.TrainSpec(f, 5, [Timer()])", hooks},
        {"t = tf.estimator.TrainSpec(f, 5, hooks=made)", "hooks: expected no hooks, got made: a run calls none here"},
        {"t = tf.estimator.TrainSpec(f, 5, saving_listeners=[l])",
         "saving_listeners: expected no listeners, got a list: a run calls none here"},
        {"v = tf.estimator.EvalSpec(f, hooks=[Timer()])", hooks},
        {"e.train(input_fn=f, hooks=[Timer()], steps=5)", hooks},
        {"e.evaluate(input_fn=f, hooks=[Timer()])", hooks},
        {"t = tf.estimator.TrainSpec(f, 5, hooks=[])\nv = tf.estimator.EvalSpec(f, hooks=None)", ""},
        {"s = tf.estimator.EstimatorSpec(mode, loss=loss, train_op=op, training_hooks=[Timer()])",
         "training_hooks: expected no hooks, got a list: a run calls none here"},
        {"s = tf.estimator.EstimatorSpec(mode, p, loss, op, None, None, [Timer()])", "training_chief_hooks: expected no hooks, got a list"},
        {"class Timer(tf.estimator.SessionRunHook):\n    def begin(self):\n        pass\n",
         "line 1, column 1: kept as text: Timer: expected no SessionRunHook, got one: a run calls none here"},
        {"class Timer(keras.callbacks.Callback):\n    pass\n", ""},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.code);
        const CodeReading reading = readKerasCode(row.code + "\n", ofTable());
        EXPECT_THAT(notesOf(reading), HasSubstr(row.note));
        EXPECT_EQ(notesOf(reading).empty(), row.note.empty()) << notesOf(reading);
        EXPECT_EQ(notesOf(reading, Severity::kError), "");
    }
}

// TensorFlow 1's functions of the global step are Keras' schedules.
TEST(EstimatorCode, TakesARateThatDecaysWithTheGlobalStep) {
    const auto decay = [](double rate, bool stairs) {
        ObjectSpec schedule{"ExponentialDecay", {{"initial_learning_rate", 0.1}, {"decay_steps", std::int64_t{100}}, {"decay_rate", rate}}};
        if (stairs) schedule.config.set("staircase", true);
        return schedule;
    };
    struct Row {
        std::string code;
        ObjectSpec schedule;
    };
    const std::string step = "tf.compat.v1.train.get_or_create_global_step()";
    const Row rows[] = {
        {"tf.compat.v1.train.exponential_decay(0.1, " + step + ", 100, 0.96)", decay(0.96, false)},
        {"tf.compat.v1.train.exponential_decay(0.1, " + step + ", 100, 0.96, True)", decay(0.96, true)},
        {"tf.train.exponential_decay(learning_rate=0.1, global_step=tf.train.get_global_step(), decay_steps=100, decay_rate=0.5, "
         "staircase=True, name='rate')",
         decay(0.5, true)},
        {"tf.compat.v1.train.exponential_decay(0.1, counted, 100, 0.96)", decay(0.96, false)},
        {"tf.compat.v1.train.inverse_time_decay(0.1, counted, 100, 0.5)",
         {"InverseTimeDecay", {{"initial_learning_rate", 0.1}, {"decay_steps", std::int64_t{100}}, {"decay_rate", 0.5}}}},
        {"tf.compat.v1.train.polynomial_decay(0.1, counted, 100, 0.01, power=2.0)",
         {"PolynomialDecay",
          {{"initial_learning_rate", 0.1}, {"decay_steps", std::int64_t{100}}, {"end_learning_rate", 0.01}, {"power", 2.0}}}},
        {"tf.compat.v1.train.cosine_decay(0.1, counted, 100, alpha=0.1)",
         {"CosineDecay", {{"initial_learning_rate", 0.1}, {"decay_steps", std::int64_t{100}}, {"alpha", 0.1}}}},
        {"tf.compat.v1.train.piecewise_constant(counted, [10.0, 20.0], [0.3, 0.2, 0.1])",
         {"PiecewiseConstantDecay", {{"boundaries", std::vector<double>{10, 20}}, {"values", std::vector<double>{0.3, 0.2, 0.1}}}}},
    };
    const std::string counted = "counted = tf.Variable(0, trainable=False)\n";
    for (const Row& row : rows) {
        SCOPED_TRACE(row.code);
        for (const std::string& code :
             {counted + "e = tf.estimator.DNNRegressor([8], [age], optimizer=lambda: tf.keras.optimizers.SGD(learning_rate=" + row.code +
                  "))\n",
              counted + "rate = " + row.code + "\ne = tf.estimator.DNNRegressor([8], [age], optimizer=tf.keras.optimizers.SGD(rate))\n",
              counted + "optimizer = tf.compat.v1.train.GradientDescentOptimizer(" + row.code + ")\n"}) {
            const CodeReading reading = readTable(code);
            EXPECT_EQ(notesOf(reading), "") << code;
            const CompileSpec& compile = reading.run.compile;
            EXPECT_EQ(compile.optimizer.class_name, "SGD");
            const ObjectSpec* schedule = compile.optimizer.config.getObject("learning_rate");
            ASSERT_NE(schedule, nullptr) << code;
            EXPECT_EQ(*schedule, row.schedule) << code;
            if (!reading.run.model.layers.empty()) {
                EXPECT_FALSE(hasErrors(validate(reading.run))) << code;
            }
        }
    }
    // A change goes back into the text as a function of the step, where the optimizer takes no other.
    const std::string code = counted + "optimizer = tf.compat.v1.train.GradientDescentOptimizer(" + rows[1].code + ")\n";
    const CodeReading reading = readTable(code);
    RunSpec changed = reading.run;
    ObjectSpec slower = decay(0.5, true);
    changed.compile.optimizer.config.set("learning_rate", ObjectBox(slower));
    const std::string updated = updateKerasCode(kAge + kCity + code, reading, changed);
    EXPECT_THAT(updated, HasSubstr(".exponential_decay("));
    EXPECT_THAT(updated, HasSubstr("global_step=tf.compat.v1.train.get_or_create_global_step()"));
    EXPECT_THAT(updated, HasSubstr("decay_rate=0.5"));
    EXPECT_EQ(readKerasCode(updated, ofTable()).run.compile.optimizer, changed.compile.optimizer);
    // Another count than the step's is refused: its rate would be another one.
    EXPECT_THAT(
        notesOf(readTable("e = tf.estimator.DNNRegressor([8], [age], optimizer=tf.keras.optimizers.SGD(\n"
                          "    tf.compat.v1.train.exponential_decay(0.1, counted * 64, 100, 0.96)))\n")),
        HasSubstr("line 4, column 47: kept as text: learning_rate: global_step: expected the global step alone, got an expression"));
}

// One numeric column of images is the image; more than that is lost.
TEST(EstimatorCode, SaysThatASetHasNoColumns) {
    const std::string use = "e = tf.estimator.LinearRegressor([age, city])\n";
    EXPECT_EQ(
        notesOf(readKerasCode(kAge + kCity + use, RunSpec())),
        "line 3, column 5: kept as text: feature_columns: expected data with columns (csv or tfrecord), got mnist: its samples stay as "
        "they are\n");
    EXPECT_EQ(notesOf(readKerasCode(
                  "e = tf.estimator.DNNClassifier([9], [tf.feature_column.numeric_column('x', [28, 28])], n_classes=10)\n", RunSpec())),
              "");
}

std::string inputOf(const std::string& name, const std::string& value) {
    return "def " + name + "():\n    return " + value + "\n";
}

const std::string kTrain =
    "e = tf.estimator.LinearRegressor([age, city])\n"
    "tf.estimator.train_and_evaluate(e, tf.estimator.TrainSpec(input_fn=train_fn, max_steps=100), "
    "tf.estimator.EvalSpec(input_fn=test_fn, steps=None))\n";

TEST(EstimatorCode, TakesTheTableThatItsInputReads) {
    const std::string code =
        kAge + kCity +
        inputOf("train_fn",
                "tf.data.experimental.make_csv_dataset('train/*.csv', batch_size=32, label_name='wage', shuffle_buffer_size=500)") +
        inputOf("test_fn", "tf.data.experimental.make_csv_dataset(['test.csv'], 32, label_name='wage', num_epochs=1, shuffle=False)") +
        kTrain;
    RunSpec base = ofTable();
    base.data.csv.missing = "mean";
    base.data.test_files = {"another.csv"};
    base.data.feature_columns = {{"NumericColumn", {{"key", std::string("height")}}}};
    const CodeReading reading = readKerasCode(code, base);
    EXPECT_EQ(notesOf(reading), "");
    const DataSpec& data = reading.run.data;
    EXPECT_EQ(data.dataset, "csv");
    EXPECT_EQ(data.train_files, std::vector<std::string>{"train/*.csv"});
    EXPECT_EQ(data.test_files, std::vector<std::string>{"test.csv"});
    EXPECT_TRUE(data.validate_on_test);
    EXPECT_EQ(data.csv.label, "wage");
    EXPECT_EQ(data.csv.missing, "mean") << "the project's own";
    EXPECT_EQ(data.feature_columns.size(), 2U);
    EXPECT_EQ(data.batch_size_per_replica, 32);
    EXPECT_EQ(data.shuffle, 500);
    EXPECT_EQ(data.scale, 1.0);
    EXPECT_EQ(data.order, DataSpec().order);
    EXPECT_EQ(reading.run.estimator->train_spec, (TrainSpec{.max_steps = 100, .input_repeats = 0}));
    EXPECT_EQ(validate(reading.run), Diagnostics());
    RunSpec changed = reading.run;
    changed.data.batch_size_per_replica = 64;
    EXPECT_THAT(updateKerasCode(code, reading, changed), HasSubstr("'train/*.csv', batch_size=64, label_name='wage'"));
}

TEST(EstimatorCode, TakesTheSettingsOfATable) {
    const CodeReading reading = readTable(
        "def train_fn():\n"
        "    table = tf.data.experimental.make_csv_dataset('a.csv', 8, label_name='wage', select_columns=['age', 'city', 'wage'],\n"
        "                                                  field_delim=';', use_quote_delim=False, na_value='?', num_epochs=3,\n"
        "                                                  prefetch_buffer_size=4)\n"
        "    return table.shuffle(70)\n"
        "e = tf.estimator.LinearRegressor([age, city])\ne.train(input_fn=train_fn)\n");
    EXPECT_EQ(notesOf(reading), "");
    const CsvFormat expected{.delimiter = ";", .quotes = false, .label = "wage", .features = {}, .missing_value = "?"};
    EXPECT_EQ(reading.run.data.csv, expected) << "of the columns that are selected the estimator takes its own";
    EXPECT_FALSE(hasErrors(validate(reading.run)));
    EXPECT_EQ(reading.run.data.shuffle, 70);
    EXPECT_EQ(reading.run.data.prefetch, 4);
    EXPECT_EQ(reading.run.estimator->train_spec.input_repeats, 3);
    const CodeReading fitted = readKerasCode(
        "strategy = tf.distribute.MirroredStrategy(['/cpu:0', '/cpu:1'])\n"
        "table = tf.data.experimental.make_csv_dataset('a.csv', 8, label_name='wage', shuffle=False).cache().repeat()\n"
        "model = keras.Sequential([layers.Dense(1, input_shape=(2,))])\nmodel.compile('sgd', 'mse')\n"
        "model.fit(table, steps_per_epoch=5)\n",
        RunSpec());
    EXPECT_EQ(notesOf(fitted), "");
    EXPECT_EQ(fitted.run.data.train_files, std::vector<std::string>{"a.csv"});
    EXPECT_EQ(fitted.run.data.batch_size_per_replica, 4) << "of all replicas";
    EXPECT_EQ(fitted.run.data.shuffle, 0);
    EXPECT_TRUE(fitted.run.data.cache);
}

TEST(EstimatorCode, TakesTheRecordsThatItsInputReads) {
    const std::string features = "{'age': tf.io.FixedLenFeature([], tf.float32), 'paid': tf.io.FixedLenFeature([], tf.int64)}";
    const std::string parse = "def parse(record):\n    cells = tf.io.parse_single_example(record, " + features + ")\n";
    const std::string chain = inputOf("train_fn", "tf.data.TFRecordDataset(['a.tfrecord', 'b.tfrecord']).map(parse).shuffle(9).batch(16)");
    const std::string use = "e = tf.estimator.LinearRegressor([age, city])\ne.train(train_fn, steps=10)\n";
    const std::pair<std::string, std::string> rows[] = {
        {"popped", parse + "    label = cells.pop('paid')\n    return cells, label\n" + chain + use},
        {"by name", parse + "    return cells, cells['paid']\n" + chain + use},
        {"in batches", inputOf("train_fn", "tf.data.experimental.make_batched_features_dataset(['a.tfrecord', 'b.tfrecord'], 16, " +
                                               features + ", label_key='paid', shuffle_buffer_size=9)") +
                           use},
    };
    for (const auto& [name, code] : rows) {
        SCOPED_TRACE(name);
        const CodeReading reading = readTable(code);
        EXPECT_EQ(notesOf(reading), "");
        EXPECT_EQ(reading.run.data.dataset, "tfrecord");
        EXPECT_EQ(reading.run.data.train_files, (std::vector<std::string>{"a.tfrecord", "b.tfrecord"}));
        EXPECT_EQ(reading.run.data.tfrecord.label, "paid");
        EXPECT_EQ(reading.run.data.feature_columns.size(), 2U);
        EXPECT_EQ(reading.run.data.shuffle, 9);
        EXPECT_EQ(reading.run.data.batch_size_per_replica, 16);
    }
    const CodeReading images = readKerasCode(
        "def parse(record):\n    parts = tf.io.parse_single_example(record, FEATURES)\n"
        "    image = tf.cast(tf.reshape(tf.io.decode_raw(parts['pixels'], tf.uint8), [28, 28, 1]), tf.float32) / 255.\n"
        "    return image, parts['digit']\n"
        "data = tf.data.TFRecordDataset('a.tfrecord').map(parse).batch(16)\n"
        "model = keras.Sequential([layers.Flatten(input_shape=(28, 28, 1)), layers.Dense(10)])\nmodel.compile('sgd', "
        "'mse')\nmodel.fit(data)\n",
        RunSpec());
    EXPECT_EQ(notesOf(images), "");
    EXPECT_EQ(images.run.data.tfrecord.sample, "pixels");
    EXPECT_EQ(images.run.data.tfrecord.label, "digit");
    EXPECT_EQ(images.run.data.tfrecord.encoding, "raw");
    EXPECT_NEAR(images.run.data.scale, 1 / 255.0, 1e-9);
}

// The project's own files stay, and the line is named.
TEST(EstimatorCode, SaysWhatItDoesNotReadOfFiles) {
    const auto notes = [](const std::string& value) {
        return notesOf(readTable(inputOf("train_fn", "tf.data.experimental." + value) +
                                 "e = tf.estimator.LinearRegressor([age, city])\ne.train(train_fn, steps=10)\n"));
    };
    const std::string table = "make_csv_dataset('a.csv', 8, label_name='wage', ";
    EXPECT_THAT(notes("make_csv_dataset(path, 8, label_name='wage')"),
                HasSubstr("line 4, column 50: kept as text: data: expected names of files as texts, got path; the project's files stay"));
    EXPECT_THAT(notes("make_csv_dataset('a.csv', args.batch, label_name='wage')"),
                HasSubstr("data: expected a batch that the text gives, got args.batch"));
    EXPECT_THAT(notes("make_csv_dataset('a.csv', 8)"), HasSubstr("data: label_name: expected the column of the labels, got none"));
    EXPECT_THAT(notes(table + "header=False)"), HasSubstr("data: header: expected a first line that names the columns, got False"));
    EXPECT_THAT(notes(table + "ignore_errors=True)"), HasSubstr("data: expected an argument that is known here, got ignore_errors"));
    EXPECT_THAT(notes(table + "compression_type='GZIP')"),
                HasSubstr("data: expected an argument that is known here, got compression_type"));
    EXPECT_THAT(notes(table + "shuffle_seed=3)"), HasSubstr("data: expected an argument that is known here, got shuffle_seed"));
    EXPECT_EQ(notes(table + "compression_type='', ignore_errors=False, sloppy=True, column_names=None)"), "");
    EXPECT_EQ(readTable(inputOf("train_fn", "tf.data.experimental.make_csv_dataset(path, 8, label_name='wage')") + "e.train(train_fn)\n")
                  .run.data.train_files,
              ofTable().data.train_files);
}

}  // namespace
}  // namespace engine::spec
