// Verbs that ask the engine.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"
#include "verbs_fixture.h"

namespace app::cli {
namespace {

TEST_F(Verbs, AsksTheEngineAboutAModelWithPathsThatHoldElsewhere) {
    agent.answer = spec::Prediction{{10000, 10}};
    agent.notes = {"mnist: read"};
    EXPECT_EQ(run({"predict", "mnist_multi_worker", "--checkpoint", "ckpt", "--data", "x.npy", "--out", "y.npy", "--threads", "2", "--set",
                   "data.scale=1"}),
              kDone)
        << err.str();
    EXPECT_EQ(out.str(), "y.npy: (10000, 10)\n");
    EXPECT_EQ(err.str(), "mnist: read\n");
    ASSERT_EQ(agent.asked.size(), 1U);
    const std::filesystem::path here = std::filesystem::current_path();
    EXPECT_EQ(std::get<spec::PredictQuestion>(agent.asked[0].asked),
              (spec::PredictQuestion{.checkpoint = here / "ckpt", .data = here / "x.npy", .out = here / "y.npy", .threads = 2}));
    EXPECT_EQ(agent.asked[0].base_dir, std::string(TANDEM_RESOURCES) + "/templates");
    EXPECT_EQ(agent.asked[0].run.data.scale, 1);
    EXPECT_TRUE(agent.asked[0].run.cluster.spec.jobs.empty()) << "a model alone has no cluster";
    agent.answer = spec::Placement{{{"conv2d/kernel", "Variable", "/job:worker/replica:0/task:1/device:CPU:0", "worker 1", 1}}};
    out.str("");
    EXPECT_EQ(run({"placement", "mnist_multi_worker"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "conv2d/kernel: (Variable): /job:worker/replica:0/task:1/device:CPU:0\n");
    EXPECT_EQ(agent.asked[1].run.cluster.spec.trainingTasks().size(), 2U) << "the tasks of the cluster";
    out.str("");
    EXPECT_EQ(run({"placement", "mnist_multi_worker", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), R"({"device":"/job:worker/replica:0/task:1/device:CPU:0","kind":"Variable","name":"conv2d/kernel","replica":1,)"
                         R"("task":"worker 1"})"
                         "\n");
}

// What comes of each row: tests/agent/client/lab_run_test.cpp. Here it is said.
TEST_F(Verbs, SaysWhatTheLabFound) {
    spec::StepPoints points{.step = {1, 2}, .epoch = {0, 0}, .time_unix_ns = {1, 2}};
    points.columns = {{"loss", {2, 1}}};
    spec::TaskFinished finished;
    finished.checkpoint = "checkpoints/ckpt_1";
    for (const spec::EventBody& body : {spec::EventBody(points), spec::EventBody(finished)}) {
        spec::TaskEvent& event = agent.events.emplace_back();
        event.sequence = agent.events.size();
        event.body = body;
    }
    const spec::WeightDifference same{.norm = 2, .values = 9};
    const spec::WeightDifference other{.largest = 0.5, .variable = "dense/kernel", .distance = 0.5, .norm = 2, .values = 9};
    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, same};
    const std::vector<std::string> lab{"lab", "mnist_mlp", "--steps", "2", "--strategies", "OneDevice"};
    EXPECT_EQ(run(lab), kDone) << err.str();
    EXPECT_NE(out.str().find("Equivalence lab: 2 steps, global batch 128, on processors, equal within 0.0001\n"), std::string::npos);
    EXPECT_NE(out.str().find("All that should be equal to Default is: 1 of 1 strategies.\n"), std::string::npos) << out.str();

    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, other};
    EXPECT_EQ(run(lab), kDiffers) << err.str();
    EXPECT_NE(out.str().find("DIFFERS"), std::string::npos) << out.str();

    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, other};
    out.str("");
    EXPECT_EQ(run({"lab", "mnist_mlp", "--steps", "2", "--strategies", "OneDevice", "--json"}), kDiffers);
    const std::string lines = out.str();
    const auto row = nlohmann::json::parse(lines.substr(lines.find('\n')));
    EXPECT_EQ(row["strategy"], "OneDeviceStrategy");
    EXPECT_EQ(row["verdict"], "differs");
    EXPECT_EQ(row["reason"], "most in dense/kernel");
    EXPECT_EQ(row["synchronous"], true);
    EXPECT_EQ(row["largest_difference"], 0.5);
    EXPECT_EQ(row["relative_difference"], 0.25);
    EXPECT_EQ(row["bytes_per_step"], 1000);
    EXPECT_EQ(row["losses"], nlohmann::json({2.0, 1.0}));

    agent.end_state = RunState::kFailed;
    agent.answers = {spec::StepTraffic{0}};
    EXPECT_EQ(run(lab), kFailed);
    EXPECT_EQ(run({"lab", "mnist_mlp", "--strategies", "Horovod"}), kUsage);
}

TEST_F(Verbs, PrintsNoAccuracyWhereNoMetricIsOne) {
    agent.answer = spec::Evaluation{.accuracy = std::nan(""), .loss = 0.5, .samples = 4, .classification = {}};
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "test_loss: 0.5\nsamples: 4\n");
    out.str("");
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "{\"test_accuracy\":null,\"test_loss\":0.5,\"samples\":4}\n");
}

TEST_F(Verbs, PrintsWhatAClassifierDoes) {
    spec::Classification told{.classes = 2,
                              .class_names = {"cat", "dog"},
                              .sample_shape = {1, 2},
                              .samples = 4,
                              .confusion = {2, 1, 0, 0},
                              .mistakes = {{3, 0, 1, 0.875F, {}}}};
    agent.answer = spec::Evaluation{.accuracy = 0.75, .loss = 0.5, .samples = 4, .classification = told};
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--mistakes", "5", "--threads", "2", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), R"({"test_accuracy":0.75,"test_loss":0.5,"samples":4,"classes":["cat","dog"],"sample_shape":[1,2],)"
                         R"("confusion":[[2,1],[0,0]],"class_accuracy":[0.6666666666666666,null],)"
                         R"("mistakes":[{"sample":3,"label":0,"predicted":1,"confidence":0.875}]})"
                         "\n");
    EXPECT_EQ(std::get<spec::EvaluateQuestion>(agent.asked[0].asked),
              (spec::EvaluateQuestion{.checkpoint = std::filesystem::current_path() / "ckpt", .threads = 2, .mistakes = 5}));
    out.str("");
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--confusion"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "test_accuracy: 0.75\ntest_loss: 0.5\nsamples: 4\nconfusion (row: label, column: prediction)\n       cat  dog  accuracy\n"
              "  cat    2    1    0.6667\n  dog    0    0         -\nsample 3: cat taken for dog (0.8750)\n");
    EXPECT_TRUE(std::get<spec::EvaluateQuestion>(agent.asked[1].asked).confusion);

    agent.answer = spec::Inspection{.sample_shape = {1, 2},
                                    .pixels = {0, 255},
                                    .top = {{"dog", 1, 0.9F}},
                                    .layers = {{"conv", "Conv2D", {1, 2, 1}, -1, 2.5F, 1, {0, 255}}}};
    out.str("");
    EXPECT_EQ(run({"inspect", "mnist_mlp", "--checkpoint", "ckpt", "--data", "train", "--sample", "6"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "dog              0.9000\nconv                     Conv2D               (1, 2, 1)        from -1 to 2.5\n");
    EXPECT_EQ(std::get<spec::InspectQuestion>(agent.asked[2].asked),
              (spec::InspectQuestion{.checkpoint = std::filesystem::current_path() / "ckpt", .data = "train", .sample = 6}));
    out.str("");
    EXPECT_EQ(run({"inspect", "mnist_mlp", "--checkpoint", "ckpt", "--json"}), kDone) << err.str();
    EXPECT_NE(out.str().find(R"("maps":"AP8=")"), std::string::npos) << out.str();
}

TEST_F(Verbs, WritesTheProjectOfAModelFileAndSaysWhatItIs) {
    const tests::support::TempDir dir;
    const std::string model = dir.path() / "model.keras", project = dir.path() / "new.tandem";
    EXPECT_EQ(run({"import", model, "--out", project}), kUsage) << "there is none";
    EXPECT_TRUE(agent.asked.empty());
    std::ofstream(model) << "a model";
    spec::ImportedModel answer{.run = {}, .is_compiled = false, .findings = {{spec::Severity::kWarning, "compile.loss", "not known", ""}}};
    answer.run.name = "imported";
    answer.run.model.input_shape = {4};
    answer.run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{10}}}}};
    agent.answer = answer;
    err.str("");
    EXPECT_EQ(run({"import", model, "--out", project}), kDone) << err.str();
    EXPECT_EQ(out.str(), project + ": 1 layer, not compiled\n");
    EXPECT_EQ(err.str(), model + ": warning: compile.loss: not known\n");
    std::ifstream written(project);
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    EXPECT_EQ(text, toProjectJson(answer.run));
    err.str("");
    EXPECT_EQ(run({"import", model, "--out", project}), kFailed) << "it is there by now";
    EXPECT_EQ(agent.asked.size(), 1U);
    std::filesystem::remove(project);
    agent.answer = spec::ImportedModel{.findings = {{spec::Severity::kError, "model.layers[0]", "expected a layer", ""}}};
    EXPECT_EQ(run({"import", model, "--out", project}), kFailed);
    EXPECT_FALSE(std::filesystem::exists(project));

    agent.answer = spec::WrittenFile{123};
    out.str("");
    EXPECT_EQ(run({"export", "keras", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.h5"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "model.h5: 123 bytes\n");
    EXPECT_EQ(std::get<spec::ExportQuestion>(agent.asked.back().asked).out, std::filesystem::current_path() / "model.h5");

    EXPECT_EQ(run({"export", "onnx", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.onnx", "--batch", "8"}), kDone) << err.str();
    const std::string ckpt = (std::filesystem::current_path() / "ckpt").string(),
                      onnx = (std::filesystem::current_path() / "model.onnx").string();
    EXPECT_EQ(std::get<spec::ExportQuestion>(agent.asked.back().asked),
              (spec::ExportQuestion{.checkpoint = ckpt, .out = onnx, .onnx = true, .batch = 8}));
    EXPECT_EQ(run({"export", "onnx", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.h5"}), kUsage);
    EXPECT_NE(err.str().find("--out: expected a name that ends in .onnx, got model.h5"), std::string::npos) << err.str();
}

TEST_F(Verbs, TellsOfDataAsTextAndAsLinesOfJson) {
    spec::DataFacts facts{.dataset = "table",
                          .train_samples = 3,
                          .sample_shape = {1},
                          .sample_dtype = "float32",
                          .label_dtype = "int32",
                          .smallest = -1,
                          .largest = 2.5,
                          .bytes = 40,
                          .bad = 2,
                          .first_bad = {"a.csv:4: bad"},
                          .not_finite = 1,
                          .first_not_finite = "sample 2",
                          .columns = {{"x", "category", false, 4}, {"y", "integer", true, 0}},
                          .has_classes = true,
                          .groups = {{"0", 1, 0, {{0, 1, 2, 1, {0, 255}, ""}, {2, 0, 0, 0, {}, "1.5"}}}}};
    agent.answer = facts;
    agent.notes = {"skipped: a.csv:4"};
    agent.progress = {{spec::EngineProgress::Stage::kFetch, "a.gz", 1, 2}};
    EXPECT_EQ(run({"data", "mnist_mlp", "--set", "model.layers=[]"}), kDone) << err.str() << "its data alone count";
    EXPECT_EQ(out.str(),
              "data set: table, 3 training and 0 test samples of shape (1,), float32 from -1 to 2.5, 40 bytes\nclass 0: 1 training, 0 "
              "test\ncolumn x: category of 4 texts\nlabel y: integer\nbad: a.csv:4: bad\nbad: 2 in all\nnot finite: 1 samples or labels; "
              "the first: sample 2\n");
    EXPECT_EQ(err.str(), "skipped: a.csv:4\n");
    EXPECT_EQ(std::get<spec::DataQuestion>(agent.asked[0].asked), spec::DataQuestion());
    out.str("");
    facts.refusals = {"a run would end"};
    agent.answer = facts;
    EXPECT_EQ(run({"data", "mnist_mlp", "--json", "--check", "--fetch"}), kFailed) << "a run would end";
    EXPECT_EQ(std::get<spec::DataQuestion>(agent.asked[1].asked), (spec::DataQuestion{.fetch = true, .check = true}));
    std::istringstream lines(out.str());
    std::string progress, log, data;
    std::getline(lines, log);
    std::getline(lines, progress);
    std::getline(lines, data);
    EXPECT_EQ(log, R"({"log":"skipped: a.csv:4"})");
    EXPECT_EQ(progress, R"({"progress":{"stage":"fetch","name":"a.gz","done":1,"total":2}})");
    EXPECT_NE(data.find(R"("samples":[{"index":0,"rows":1,"columns":2,"channels":1,"pixels":"AP8="},{"index":2,"text":"1.5"}]}])"),
              std::string::npos)
        << data;
    agent.notes.clear();
    agent.progress.clear();
    out.str("");
    agent.answer = spec::DataFacts{.problem = spec::DataProblem{engine::ErrorCode::kNotFound, "cifar10: is not here", true}};
    EXPECT_EQ(run({"data", "mnist_mlp", "--json"}), kFailed);
    EXPECT_EQ(out.str(), R"({"error":{"code":"not found","message":"cifar10: is not here","can_fetch":true}})"
                         "\n");
    out.str("");
    agent.failure = engine::Error(engine::ErrorCode::kInternal, "tandem-worker: killed by signal 9 (SIGKILL)");
    EXPECT_EQ(run({"data", "mnist_mlp", "--json"}), kFailed);
    EXPECT_EQ(out.str(),
              R"x({"error":{"code":"internal error","message":"tandem-worker: killed by signal 9 (SIGKILL)","can_fetch":false}})x"
              "\n");
    const std::size_t asked = agent.asked.size();
    EXPECT_EQ(run({"data", "mnist_mlp", "--set", "data.batch_size_per_replica=0"}), kUsage) << "wrong data settings";
    EXPECT_EQ(agent.asked.size(), asked);
}

TEST_F(Verbs, ShowsTheShardsOfSoManyWorkers) {
    agent.answer = spec::ShardPreview{.dataset = "mnist",
                                      .training_samples = 60000,
                                      .policy = "DATA",
                                      .reason = "each task takes its part",
                                      .chain = "batch(2)",
                                      .meanings = {"unusual"},
                                      .advice = {"scale the rate"},
                                      .tasks = {{"worker", 0}, {"worker", 1}},
                                      .global_batch_size = 4,
                                      .steps_per_epoch = 15000,
                                      .steps = {{1, 0, {{17, 4}, {23}}, {}}}};
    EXPECT_EQ(run({"shards", "mnist_mlp", "--workers", "3", "--steps", "1"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "data set: mnist, 60000 training samples, sharded by DATA\nscale the rate\neach task takes its part\npipeline: batch(2)\n"
              "pipeline: unusual\nstep 1 epoch 0 worker 0: 17 4\nstep 1 epoch 0 worker 1: 23\n");
    EXPECT_EQ(agent.asked[0].run.cluster.spec.trainingTasks().size(), 3U);
    EXPECT_EQ(std::get<spec::ShardsQuestion>(agent.asked[0].asked).steps, 1);
    out.str("");
    EXPECT_EQ(run({"shards", "mnist_multi_worker", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              R"x({"dataset":"mnist","training_samples":60000,"policy":"DATA","pipeline":"batch(2)","pipeline_meaning":["unusual"],)x"
              R"x("global_batch_size":4,"steps_per_epoch":15000,"tasks":["worker 0","worker 1"],"advice":["scale the rate"],)x"
              R"x("reason":"each task takes its part","steps":[{"step":1,"epoch":0,"samples":[[17,4],[23]]}]})x"
              "\n");
}

TEST_F(Verbs, SaysWhyTheEngineHasNoAnswer) {
    const std::vector<std::string> predict{"predict", "mnist_mlp", "--checkpoint", "ckpt", "--out", "y.npy"};
    agent.failure = engine::Error(engine::ErrorCode::kNotFound, "ckpt: expected a checkpoint, found none");
    EXPECT_EQ(run(predict), kFailed);
    EXPECT_EQ(err.str(), "error: ckpt: expected a checkpoint, found none\n");
    agent.failure = engine::Error(engine::ErrorCode::kUnavailable, "ask: Connection refused");
    EXPECT_THROW(run(predict), engine::Error) << "the program says that the agent can't be reached";
    agent.failure.reset();
    err.str("");
    presses = 0;
    EXPECT_EQ(run(predict), kInterrupted);
    EXPECT_EQ(err.str(), "");
    EXPECT_EQ(run({"predict", "mnist_mlp", "--out", "y.npy"}), kUsage);
    EXPECT_NE(err.str().find("--checkpoint: expected"), std::string::npos);
}

}  // namespace
}  // namespace app::cli
