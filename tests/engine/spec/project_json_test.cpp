#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/spec/project/project_migration.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

std::string readTemplate(const std::string& name) {
    std::ifstream file(std::string(TANDEM_RESOURCES "/templates/") + name + ".tandem", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::string joined(const Diagnostics& diagnostics) {
    std::string text;
    for (const Diagnostic& d : diagnostics) {
        text += toString(d) + "\n";
    }
    return text;
}

TEST(ProjectJson, ReadsAndWritesStarterProjectsByteForByte) {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator(TANDEM_RESOURCES "/templates")) {
        if (entry.path().extension() != ".tandem") continue;
        const std::string text = readTemplate(entry.path().stem().string());
        const ProjectReport report = parseProject(text);
        EXPECT_EQ(joined(report.diagnostics), "") << entry.path();
        EXPECT_EQ(joined(validate(report.run)), "") << entry.path();
        EXPECT_EQ(toProjectJson(report.run), text) << entry.path();
        ++count;
    }
    EXPECT_GE(count, 2);
}

TEST(ProjectJson, HoldsTheFirstTutorial) {
    const RunSpec run = parseProject(readTemplate("mnist_mirrored")).run;
    EXPECT_EQ(run.strategy.name, "MirroredStrategy");
    EXPECT_EQ(run.compile.optimizer.class_name, "Adam");
    EXPECT_EQ(run.fit.epochs, 12);
    ASSERT_EQ(run.callbacks.size(), 5U);
    EXPECT_EQ(run.callbacks[0], (ObjectSpec{"TensorBoard", {{"log_dir", "./logs"}}}));
    EXPECT_EQ(run.callbacks[1].class_name, "ModelCheckpoint");
    EXPECT_EQ(run.callbacks[1].config.getString("filepath", ""), "checkpoints/ckpt_{epoch}");
    EXPECT_EQ(run.callbacks[2].class_name, "LearningRateScheduler");
    EXPECT_EQ(run.callbacks[2].config.getDoubles("rates", {}), (std::vector<double>{1e-3, 1e-4, 1e-5}));
    EXPECT_EQ(run.callbacks[3].class_name, "PrintLR");
    EXPECT_EQ(run.model.layers.back().config.getString("activation", ""), "softmax");
    EXPECT_EQ(run.data.scale, 1.0 / 255.0);
    EXPECT_TRUE(run.cluster.spec.empty());
}

TEST(ProjectJson, NamesMetricsInLogsAsKerasDoes) {
    const struct {
        const char* class_name;
        const char* wanted;
    } rows[] = {{"AUC", "auc"},          {"BinaryIoU", "binary_io_u"},      {"LogCoshError", "logcosh"},
                {"R2Score", "r2_score"}, {"KLDivergence", "kl_divergence"}, {"TopKCategoricalAccuracy", "top_k_categorical_accuracy"}};
    for (const auto& row : rows) {
        const std::string metrics = R"([{"class_name":")" + std::string(row.class_name) + R"(","config":{}}])";
        const RunSpec run = parseProject(R"({"version":1,"compile":{"metrics":)" + metrics + "}}").run;
        ASSERT_EQ(run.compile.metrics.size(), 1U) << row.class_name;
        EXPECT_EQ(logName(run.compile.metrics.front()), row.wanted);
        EXPECT_EQ(usualLogName(row.class_name), row.wanted);
    }
}

TEST(ProjectJson, HoldsTheFourthTutorial) {
    const RunSpec run = parseProject(readTemplate("mnist_multi_worker")).run;
    EXPECT_EQ(run.strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"SGD", {{"learning_rate", 1e-4}}}));
    EXPECT_TRUE(run.compile.loss.config.getBool("from_logits", false));
    EXPECT_EQ(run.model.layers.back().config.find("activation"), nullptr);
    EXPECT_EQ(run.cluster.spec.address({"worker", 1}), "localhost:23456");
}

TEST(ProjectJson, KeepsEveryValue) {
    RunSpec run;
    run.name = "실험 \"1\"";
    run.model.input_shape = {4};
    run.model.layers = {
        {"Dense", "d", {{"units", std::int64_t{2}}, {"kernel_initializer", ObjectBox({"HeNormal", {{"seed", std::int64_t{3}}}})}}}};
    run.data = {
        .dataset = "idx",
        .train_images = "a",
        .train_labels = "b",
        .test_images = "c",
        .test_labels = "d",
        .train_files = {"e", "f*"},
        .test_files = {"g"},
        .csv =
            {.header = false, .delimiter = ";", .quotes = false, .label = "y", .features = {"a"}, .missing_value = "?", .missing = "mean"},
        .npz = {.train_samples = "x"},
        .images = {.size = {8, 9}, .color_mode = "grayscale", .interpolation = "nearest"},
        .tfrecord = {.sample = "s", .encoding = "list", .dtype = "int32", .shape = {2, 3}, .label = "l", .label_shape = {4}},
        .text = {.vocabulary = 7, .length = 8},
        .cifar_labels = "coarse",
        .on_error = BadRecord::kSkip,
        .download = false,
        .scale = 0.1,
        .offset = -0.5,
        .mean = {0.5, 0.25},
        .std = {2},
        .one_hot = 10,
        .cache = false,
        .shuffle = 0,
        .batch_size_per_replica = 7,
        .drop_remainder = true,
        .prefetch = 0,
        .decode_threads = 3,
        .take = 9,
        .validation_split = 0.25,
        .split_seed = 5,
        .validate_on_test = false,
        .auto_shard = AutoShardPolicy::kOff,
        .seed_per_worker = true,
        .log_shards = 4,
        .mix = {"CutMix", {{"factor", std::vector<double>{0.25, 0.5}}, {"seed", std::int64_t{6}}}},
        .order = {DataStep::kBatch, DataStep::kCache, DataStep::kPrefetch}};
    run.compile.optimizer = {
        "SGD",
        {{"learning_rate",
          ObjectBox({"PiecewiseConstantDecay", {{"boundaries", std::vector<std::int64_t>{5}}, {"values", std::vector<double>{1.0, 0.5}}}})},
         {"nesterov", true},
         {"weight_decay", std::monostate{}}}};
    run.compile.metrics = {};
    run.fit = {.epochs = 3, .initial_epoch = 1, .steps_per_epoch = 10, .validation_freq = 2, .seed = 1234567890123, .log_every = 1};
    run.callbacks = {{"CSVLogger", {{"filename", "log.csv"}}}};
    run.strategy = {"MultiWorkerMirroredStrategy", "RING", 1024};
    run.cluster = {{{{"chief", {{0, "h:1"}}}, {"worker", {{1, "h:2"}}}}}, TransportChoice::kGrpc, 2.5, 3};
    const ProjectReport report = parseProject(toProjectJson(run));
    EXPECT_EQ(joined(report.diagnostics), "");
    EXPECT_EQ(report.run, run);
}

TEST(ProjectJson, KeepsDtypePolicies) {
    RunSpec run = parseProject(readTemplate("mnist_mirrored")).run;
    EXPECT_EQ(run.model.dtype_policy, "float32");
    EXPECT_EQ(toProjectJson(run).find("dtype_policy"), std::string::npos);
    EXPECT_EQ(joined(applySetting(run, "model.dtype_policy=mixed_bfloat16")), "");
    EXPECT_EQ(joined(applySetting(run, "model.layers[4].config.dtype=float32")), "");
    EXPECT_EQ(joined(validate(run)), "");
    EXPECT_EQ(parseProject(toProjectJson(run)).run, run);
    EXPECT_EQ(run.model.dtype_policy, "mixed_bfloat16");
    EXPECT_EQ(run.model.layers[4].config.getString("dtype", ""), "float32");
}

TEST(ProjectJson, KeepsTheCodeAsLines) {
    RunSpec run = parseProject(readTemplate("mnist_mirrored")).run;
    EXPECT_EQ(toProjectJson(run).find("\"code\""), std::string::npos) << "only where there is some";
    for (const char* code : {"x = 1", "x = 1\n", "\n\n# \"text\"\n\n", "\n"}) {
        run.code = code;
        const ProjectReport report = parseProject(toProjectJson(run));
        EXPECT_EQ(joined(report.diagnostics), "");
        EXPECT_EQ(report.run, run) << code;
    }
    run.code = "a = 1\nb = 2\n";
    EXPECT_NE(toProjectJson(run).find("\"code\": [\"a = 1\", \"b = 2\", \"\"]"), std::string::npos);
    EXPECT_NE(joined(parseProject(R"({"version": 1, "code": 3})").diagnostics).find("code"), std::string::npos);
}

TEST(ProjectJson, FillsDefaultsAndNames) {
    const ProjectReport report = parseProject(
        R"({"version": 1, "model": {"input_shape": [4], "layers": [{"class_name": "Dense", "config": {"units": 3}},
            {"class_name": "Dense", "config": {"units": 3, "name": "dense"}}, {"class_name": "Dense", "config": {"units": 3}}]},
            "compile": {"optimizer": "sgd", "loss": "sparse_categorical_crossentropy"}})");
    EXPECT_EQ(joined(report.diagnostics), "");
    EXPECT_EQ(report.run.model.layers[0].name, "dense_1");
    EXPECT_EQ(report.run.model.layers[1].name, "dense");
    EXPECT_EQ(report.run.model.layers[2].name, "dense_2");
    EXPECT_EQ(report.run.compile.optimizer.class_name, "SGD");
    EXPECT_EQ(report.run.compile.loss.class_name, "SparseCategoricalCrossentropy");
    EXPECT_EQ(report.run.data, DataSpec{});
    EXPECT_EQ(report.run.fit, FitSpec{});
}

TEST(ProjectJson, NamesLineAndColumnOfBrokenJson) {
    const ProjectReport report = parseProject("{\"version\": 1,\n  \"model\": {]}");
    ASSERT_EQ(report.diagnostics.size(), 1U);
    EXPECT_NE(report.diagnostics[0].message.find("line 2, column 13"), std::string::npos) << report.diagnostics[0].message;
    for (const char* text : {"", "{", "{\"version\": 1", "\xFF", "{\"version\": 1, \"name\": \"\xC3\"}", "[1]", "1e999"}) {
        EXPECT_EQ(parseProject(text).diagnostics.size(), 1U) << text;
    }
}

TEST(ProjectJson, RefusesNamesThatStandTwice) {
    const ProjectReport report = parseProject(R"({"version": 1, "fit": {"epochs": 3, "seed": 1, "epochs": 5}})");
    ASSERT_EQ(report.diagnostics.size(), 1U);
    EXPECT_NE(report.diagnostics[0].message.find("the name \"epochs\": expected it once in an object, got it twice"), std::string::npos)
        << report.diagnostics[0].message;
}

TEST(ProjectJson, RefusesVersionsItCannotRead) {
    for (const char* text :
         {R"({"version": 99, "nonsense": 1})", R"({"version": 0})", R"({"version": "1"})", R"({})", R"({"version": 1.5})"}) {
        const ProjectReport report = parseProject(text);
        ASSERT_EQ(report.diagnostics.size(), 1U) << text;
        EXPECT_EQ(report.diagnostics[0].path, "version");
        EXPECT_EQ(report.run, RunSpec{});
    }
    EXPECT_NE(parseProject(R"({"version": 99})").diagnostics[0].message.find("got 99"), std::string::npos);
}

TEST(ProjectJson, MigratesThroughEveryVersionInBetween) {
    const ProjectMigration steps[] = {[](Json& project) { project["epochs"] = project["rounds"]; },
                                      [](Json& project) { project.erase("rounds"); }};
    Json project{{"version", 1}, {"rounds", 5}};
    EXPECT_EQ(migrateProject(project, 1, steps), 3);
    EXPECT_EQ(project, Json({{"version", 3}, {"epochs", 5}}));
    Json present{{"version", 2}, {"rounds", 5}};
    EXPECT_EQ(migrateProject(present, 2, steps), 3);
    EXPECT_EQ(present, Json({{"version", 3}}));
}

TEST(ProjectJson, SaysWhatFollowsALostTaskWhereItIsNotTheUsual) {
    RunSpec run;
    EXPECT_EQ(toProjectJson(run).find("on_task_lost"), std::string::npos);
    run.cluster.on_task_lost = OnTaskLost::kFail;
    run.cluster.max_restarts = 7;
    run.cluster.heartbeat_fatal_s = 40;
    run.cluster.home_lost_s = 60;
    run.cluster.scale_learning_rate = true;
    const ProjectReport report = parseProject(toProjectJson(run));
    EXPECT_EQ(joined(report.diagnostics), "");
    EXPECT_EQ(report.run.cluster, run.cluster);
    run.cluster.on_task_lost = OnTaskLost::kContinue;
    EXPECT_EQ(parseProject(toProjectJson(run)).run.cluster, run.cluster);
    EXPECT_EQ(joined(parseProject(R"({"version": 1, "cluster": {"on_task_lost": "ignore"}})").diagnostics),
              "error: cluster.on_task_lost: expected restart, fail or continue, got \"ignore\"\n");
}

TEST(ProjectJson, ReportsEveryProblemAtOnce) {
    const ProjectReport report = parseProject(R"({"version": 1, "nam": "x", "fit": {"epochs": "many", "log_every": 2.5, "rounds": 1},
        "data": {"auto_shard": "SOME", "cache": 1}, "model": {"input_shape": [28, "x"], "layers": [3, {"name": "a"}]},
        "compile": {"optimizer": {"config": {}}, "metrics": "accuracy"}, "cluster": {"worker": [1], "transport": "tcp", "start": 1},
        "callbacks": {"csv_logger": 3}})");
    EXPECT_EQ(
        joined(report.diagnostics),
        "error: model.input_shape: expected a list of integers, got a list\n"
        "error: model.layers[0]: expected an object, got 3\n"
        "error: data.cache: expected true or false, got 1\n"
        "error: data.auto_shard: expected AUTO, FILE, DATA or OFF, got \"SOME\"\n"
        "error: compile.optimizer: expected an object with class_name and config, got an object without class_name\n"
        "error: compile.metrics: expected a list of metrics, got \"accuracy\"\n"
        "error: fit.epochs: expected an integer, got \"many\"\n"
        "error: fit.log_every: expected an integer, got 2.5\n"
        "warning: fit.rounds: unknown key: expected epochs, initial_epoch, steps_per_epoch, steps, validation_freq, validation_steps, "
        "validation_batch_size, seed, log_every, histogram_freq, class_weight, initial_weights, initial_state or save_weights, got rounds "
        "[It has "
        "no effect.]\n"
        "error: callbacks.csv_logger: expected an object of fields, got 3\n"
        "error: cluster.transport: expected auto, grpc or shm, got \"tcp\"\n"
        "error: cluster.worker[0]: expected an address \"host:port\", got 1\n"
        "warning: cluster.start: unknown key: expected a job with its addresses, transport, start_timeout_s, threads_per_task, "
        "on_task_lost, scale_learning_rate, max_restarts, heartbeat_fatal_s, home_lost_s or hosts, got 1 "
        "[It has no effect.]\n"
        "warning: nam: unknown key: expected version, name, model, data, compile, fit, callbacks, strategy, cluster, estimator, code or "
        "algorithms, got nam "
        "[It has no effect.]\n");
}

struct Setting {
    const char* text;
    const char* path_of_error;  // empty: accepted
};

TEST(ApplySetting, ChangesOneValue) {
    RunSpec run = parseProject(readTemplate("mnist_mirrored")).run;
    EXPECT_TRUE(applySetting(run, "fit.epochs=3").empty());
    EXPECT_EQ(run.fit.epochs, 3);
    EXPECT_TRUE(applySetting(run, "model.layers[3].units=128").empty());
    EXPECT_TRUE(applySetting(run, "model.layers[0].config.filters=16").empty());
    EXPECT_EQ(run.model.layers[3].config.getInt("units", 0), 128);
    EXPECT_EQ(run.model.layers[0].config.getInt("filters", 0), 16);
    EXPECT_TRUE(applySetting(run, "compile.optimizer.config.learning_rate=1e-2").empty());
    EXPECT_TRUE(applySetting(run, "compile.optimizer.beta_1=0.8").empty());
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"Adam", {{"learning_rate", 0.01}, {"beta_1", 0.8}}}));
    EXPECT_TRUE(applySetting(run, R"(compile.optimizer={"class_name":"SGD","config":{"learning_rate":0.01,"momentum":0.9}})").empty());
    EXPECT_EQ(run.compile.optimizer, (ObjectSpec{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}}));
    EXPECT_TRUE(applySetting(run, "callbacks.csv_logger.filename=log.csv").empty());
    EXPECT_EQ(run.callbacks.back(), (ObjectSpec{"CSVLogger", {{"filename", "log.csv"}}}));
    EXPECT_TRUE(applySetting(run, "callbacks.csv_logger=null").empty());
    EXPECT_EQ(run.callbacks.size(), 5U);
    EXPECT_TRUE(applySetting(run, "name=2024").empty());
    EXPECT_EQ(run.name, "2024");
    EXPECT_TRUE(applySetting(run, "cluster.transport=grpc").empty());
    EXPECT_EQ(run.cluster.transport, TransportChoice::kGrpc);
    EXPECT_TRUE(applySetting(run, R"(cluster.worker=["h0:1","h1:1"])").empty());
    EXPECT_EQ(run.cluster.spec.taskCount("worker"), 2);
}

TEST(ProjectJson, HoldsWhatGpusAreToDoAndWhatTheyMeasured) {
    RunSpec run = parseProject(readTemplate("mnist_mirrored")).run;
    const std::string plain = toProjectJson(run);
    EXPECT_TRUE(applySetting(run, "strategy.tensor_float_32_execution=true").empty());
    EXPECT_TRUE(applySetting(run, "strategy.op_determinism=true").empty());
    EXPECT_TRUE(applySetting(run, R"(compile.loss_scale={"initial_scale":4,"dynamic_growth_steps":7})").empty());
    EXPECT_TRUE(run.strategy.tensor_float_32_execution && run.strategy.op_determinism);
    run.algorithms = {{"NVIDIA H200, cuBLASLt 13.0.2: product 64x10x128 nt float32", "3"}};
    const ProjectReport report = parseProject(toProjectJson(run));
    EXPECT_EQ(joined(report.diagnostics), "");
    EXPECT_EQ(report.run, run);
    EXPECT_EQ(run.compile.loss_scale, (LossScaleSpec{4, 7}));
    EXPECT_TRUE(applySetting(run, "compile.loss_scale=null").empty());
    run.algorithms.clear();
    run.strategy.tensor_float_32_execution = run.strategy.op_determinism = false;
    EXPECT_EQ(toProjectJson(run), plain);
    const ProjectReport wrong = parseProject(plain.substr(0, plain.rfind('}')) + R"(, "algorithms": {"a product": 3}})");
    EXPECT_EQ(joined(wrong.diagnostics), "error: algorithms.a product: expected a text, got 3\n");
}

TEST(ApplySetting, RefusesWithThePathAndChangesNothing) {
    const RunSpec before = parseProject(readTemplate("mnist_mirrored")).run;
    const Setting settings[] = {{"fit.epoch=3", "fit.epoch"},
                                {"strategy.tensor_float_32_execution=yes", "strategy.tensor_float_32_execution"},
                                {"strategy.op_determinism=1", "strategy.op_determinism"},
                                {R"(compile.loss_scale={"initial_scale":"high"})", "compile.loss_scale.initial_scale"},
                                {"fit.epochs=\"many\"", "fit.epochs"},
                                {"fit.epochs=many", "fit.epochs"},
                                {"fits.epochs=1", "fits"},
                                {"model.layers[9].units=1", "model.layers[9].units"},
                                {"model.layers[x].units=1", "model.layers[x].units"},
                                {"model.layers.units=1", "model.layers.units"},
                                {"fit.epochs.first=1", "fit.epochs.first"},
                                {"fit[0]=1", "fit[0]"},
                                {"fit..epochs=1", "fit..epochs"},
                                {"[0]=1", "[0]"},
                                {"fit.epochs", ""},
                                {"=3", ""}};
    for (const Setting& setting : settings) {
        RunSpec run = before;
        const Diagnostics diagnostics = applySetting(run, setting.text);
        ASSERT_TRUE(hasErrors(diagnostics)) << setting.text;
        EXPECT_EQ(diagnostics.front().path, setting.path_of_error) << setting.text;
        EXPECT_EQ(run, before) << setting.text;
    }
}

}  // namespace
}  // namespace engine::spec
