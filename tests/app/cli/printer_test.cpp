#include "app/cli/event_printer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/sample_layers.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;
const spec::TaskId kChief{"worker", 0};

spec::TaskEvent event(spec::EventBody body, spec::TaskId task = kChief) {
    return {.sequence = 1, .time_unix_ns = kStart, .task = std::move(task), .body = std::move(body)};
}

spec::StepPoints points(std::int64_t first, std::int64_t count, std::int32_t epoch = 0) {
    spec::StepPoints made;
    spec::Column loss{"loss", {}}, accuracy{"accuracy", {}}, rate{"learning_rate", {}};
    for (std::int64_t step = first; step < first + count; ++step) {
        made.step.push_back(step);
        made.epoch.push_back(epoch);
        made.time_unix_ns.push_back(kStart + step * 1'000'000);
        loss.values.push_back(1.0F / static_cast<float>(step));
        accuracy.values.push_back(0.5F);
        rate.values.push_back(1e-3F);
    }
    made.columns = {accuracy, loss, rate};
    return made;
}

std::vector<nlohmann::json> linesOf(const std::string& text) {
    std::vector<nlohmann::json> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(nlohmann::json::parse(line));
    }
    return lines;
}

TEST(JsonPrinter, PrintsEveryHundredthStepOfTheChief) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief, .log_every = 100});
    printer->print(event(points(1, 150)));
    printer->print(event(points(1, 150), {"worker", 1}));
    printer->print(event(points(151, 60)));
    const auto lines = linesOf(out.str());
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("event"), "step");
    EXPECT_EQ(lines[0].at("step"), 100);
    EXPECT_EQ(lines[0].at("epoch"), 1);
    EXPECT_FLOAT_EQ(lines[0].at("loss").get<float>(), 0.01F);
    EXPECT_FLOAT_EQ(lines[0].at("accuracy").get<float>(), 0.5F);
    EXPECT_FLOAT_EQ(lines[0].at("learning_rate").get<float>(), 1e-3F);
    EXPECT_EQ(lines[1].at("step"), 200);
}

TEST(JsonPrinter, SaysTheHostOfEachTaskOfSeveralComputers) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief, .log_every = 100, .hosts = {{kChief, "node1"}, {{"worker", 1}, "node2"}}});
    printer->print(event(points(1, 100)));
    printer->print(event(spec::LogLine{spec::LogLevel::kInfo, "here"}, {"worker", 1}));
    const auto lines = linesOf(out.str());
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].at("task"), toString(kChief));
    EXPECT_EQ(lines[0].at("host"), "node1");
    EXPECT_EQ(lines[1].at("task"), "worker 1");
    EXPECT_EQ(lines[1].at("host"), "node2");
}

TEST(JsonPrinter, PrintsAStepWhereAHundredthLiesBetween) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief, .log_every = 100});
    for (const std::int64_t step : {95, 230, 260, 301, 200, 201}) printer->print(event(points(step, 1)));
    std::vector<std::int64_t> printed;
    for (const auto& line : linesOf(out.str())) printed.push_back(line.at("step").get<std::int64_t>());
    EXPECT_EQ(printed, (std::vector<std::int64_t>{230, 301, 200})) << "the last two come again after a restart";
}

TEST(JsonPrinter, EndsWithTheFinishedObject) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief});
    OutcomeCollector collector(kChief);
    collector.add(event(points(1, 3)));
    collector.add(event(
        spec::TaskFinished{{{"test_accuracy", 0.98}, {"test_loss", 0.06}, {"images_per_s", std::nan("")}}, "checkpoints/ckpt_3", "ab12"}));
    engine::run::RunInfo run;
    run.id = "r1";
    run.run_dir = "/runs/r1";
    run.state = engine::run::RunState::kDone;
    printer->finish(run, collector.outcome(), kStart - 500'000'000);
    const auto last = linesOf(out.str()).at(0);
    EXPECT_EQ(last.at("event"), "finished");
    EXPECT_EQ(last.at("state"), "done");
    EXPECT_EQ(last.at("checkpoint"), "/runs/r1/checkpoints/ckpt_3");
    EXPECT_DOUBLE_EQ(last.at("test_accuracy").get<double>(), 0.98);
    EXPECT_TRUE(last.at("images_per_s").is_null()) << "one epoch has no rate";
    EXPECT_NEAR(last.at("first_step_s").get<double>(), 0.501, 1e-6);
    EXPECT_EQ(last.at("weights_sha256"), "ab12");
}

TEST(JsonPrinter, WritesNullForNotANumber) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief, .log_every = 1});
    spec::StepPoints one = points(1, 1);
    one.columns[1].values[0] = std::nanf("");
    printer->print(event(one));
    EXPECT_TRUE(linesOf(out.str()).at(0).at("loss").is_null());
}

TEST(JsonPrinter, PrintsWeightsInNumbers) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief});
    spec::WeightReport report;
    report.epoch = 1;
    report.step = 938;
    report.weights = {{"conv2d/kernel", -0.5, 0.25, 0.125, 0.0625, 3, 2, {1, 0, 287}}};
    report.weights_norm = 3;
    report.filters = {"conv2d/kernel", 1, 2, 1, 1, {0.1F, -0.25F}};
    printer->print(event(report));
    const auto line = linesOf(out.str()).at(0);
    EXPECT_EQ(line.at("event"), "weights");
    EXPECT_EQ(line.at("epoch"), 2);
    EXPECT_EQ(line.at("step"), 938);
    EXPECT_EQ(line.at("weights_norm"), 3);
    EXPECT_TRUE(line.at("gradients_norm").is_null()) << "no batch was seen";
    EXPECT_EQ(line.at("weights").at(0),
              nlohmann::json::parse(R"({"name": "conv2d/kernel", "min": -0.5, "max": 0.25, "mean": 0.125, "std": 0.0625, "norm": 3.0,
                                        "not_finite": 2, "counts": [1, 0, 287]})"));
    EXPECT_EQ(line.at("filters"), nlohmann::json::parse(R"({"name": "conv2d/kernel", "shape": [1, 1, 2, 1], "values": [0.1, -0.25]})"));
}

const spec::AttemptStarted kSecondAttempt{2, 4, true, "killed by signal 9 (SIGKILL)"};

TEST(JsonPrinter, TellsOfANewAttemptAndFromWhichStepItGoesOn) {
    std::ostringstream out;
    const auto printer = makeJsonPrinter(out, {.chief = kChief});
    printer->print(event(spec::RunStarted{.steps_per_epoch = 50, .epochs = 2}));
    printer->print(event(kSecondAttempt, {"worker", 1}));
    printer->print(event(spec::RunStarted{.steps_per_epoch = 50, .epochs = 2, .resumed_step = 70}));
    const auto lines = linesOf(out.str());
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0], (nlohmann::json{{"event", "attempt"},
                                        {"attempt", 2},
                                        {"attempts", 4},
                                        {"task", "worker 1"},
                                        {"reason", "killed by signal 9 (SIGKILL)"},
                                        {"from_backup", true},
                                        {"by_hand", false}}));
    EXPECT_EQ(lines[1], nlohmann::json::parse(R"({"event": "resumed", "step": 70})"));
}

TEST(ProgressPrinter, TellsOfANewAttemptAndGoesOnInItsEpoch) {
    std::ostringstream out;
    const auto printer = makeProgressPrinter(out, {.chief = kChief, .epochs = 2});
    printer->print(event(spec::RunStarted{.steps_per_epoch = 938, .epochs = 2}));
    printer->print(event(points(1, 10)));
    printer->print(event(kSecondAttempt, {"worker", 1}));
    printer->print(event(spec::RunStarted{.steps_per_epoch = 938, .epochs = 2, .resumed_step = 5}));
    printer->print(event(points(6, 3)));
    EXPECT_EQ(out.str(), "Epoch 1/2\nworker 1: killed by signal 9 (SIGKILL); restarting from the backup (attempt 2 of 4)\nEpoch 1/2\n");
}

TEST(OutcomeCollector, ForgetsTheFailureOfAnAttemptThatIsFollowed) {
    OutcomeCollector collector(kChief);
    collector.add(event(spec::TaskFailed{.reason = "killed by signal 9 (SIGKILL)", .signal = 9}, {"worker", 1}));
    collector.add(event(kSecondAttempt, {"worker", 1}));
    EXPECT_FALSE(collector.outcome().failed_task.has_value());
}

TEST(OutcomeCollector, CountsTheFirstStepOfTheLastTask) {
    OutcomeCollector collector(kChief);
    collector.add(event(points(1, 2)));
    spec::StepPoints later = points(1, 1);
    later.time_unix_ns[0] += 7;
    collector.add(event(later, {"worker", 1}));
    collector.add(event(points(3, 2)));
    EXPECT_EQ(collector.outcome().first_step_unix_ns, kStart + 1'000'007);
}

TEST(OutcomeCollector, KeepsTheFirstFailure) {
    OutcomeCollector collector(kChief);
    collector.add(event(spec::TaskFailed{.reason = "killed by signal 9 (SIGKILL)", .signal = 9}, {"worker", 1}));
    collector.add(event(spec::TaskFailed{.reason = "exit code 1", .exit_code = 1}));
    EXPECT_EQ(toString(collector.outcome().failed_task.value()), "worker 1");
    EXPECT_EQ(collector.outcome().failure.signal, 9);
}

TEST(ProgressPrinter, LooksLikeKeras) {
    std::ostringstream out;
    const auto printer = makeProgressPrinter(out, {.chief = kChief, .epochs = 2});
    printer->print(event(spec::RunStarted{.steps_per_epoch = 938, .epochs = 2}));
    printer->print(event(points(1, 938)));
    printer->print(event(spec::EpochEnd{.epoch = 0, .step = 938, .seconds = 3.9, .logs = {{"accuracy", 0.85749}, {"loss", 0.48341}}}));
    EXPECT_EQ(out.str(), "Epoch 1/2\n938/938 ━━━━━━━━━━━━━━━━━━━━ 3s 4ms/step - accuracy: 0.8575 - loss: 0.4834\n");
}

TEST(ProgressPrinter, LeavesOutWhatEventFilesDoNotSay) {
    std::ostringstream out;
    const auto printer = makeProgressPrinter(out, {.chief = kChief, .epochs = 0});
    printer->print(event(spec::EpochEnd{.epoch = 0, .step = 8, .logs = {{"accuracy", 0.25}, {"loss", 1.5}}}));
    printer->print(event(points(1, 8)));
    printer->print(event(spec::EpochEnd{.epoch = 1, .step = 16, .logs = {{"accuracy", 0.5}, {"loss", 1.25}}}));
    EXPECT_EQ(out.str(), "Epoch 1\naccuracy: 0.2500 - loss: 1.5000\nEpoch 2\naccuracy: 0.5000 - loss: 1.2500\n");
}

TEST(ProgressPrinter, RefreshesOneLineOnATerminal) {
    std::ostringstream out;
    const auto printer = makeProgressPrinter(out, {.chief = kChief, .epochs = 1, .terminal = true});
    printer->print(event(spec::RunStarted{.steps_per_epoch = 200, .epochs = 1}));
    printer->print(event(points(1, 120)));
    EXPECT_NE(out.str().find("\r"), std::string::npos);
    EXPECT_NE(out.str().find("accuracy: 0.5000"), std::string::npos);
    EXPECT_EQ(out.str().find("learning_rate"), std::string::npos);
    EXPECT_NE(out.str().back(), '\n') << "the line stays open for the next refresh";
    printer->print(
        event(spec::TaskFailed{.reason = "killed by signal 9 (SIGKILL)", .signal = 9, .last_lines = {"last words"}}, {"worker", 1}));
    EXPECT_NE(out.str().find("\nworker 1 failed: killed by signal 9 (SIGKILL)\n    last words\n"), std::string::npos);
}

TEST(ProgressPrinter, SaysNothingOfAFailureTwice) {
    std::ostringstream out;
    const auto printer = makeProgressPrinter(out, {.chief = kChief, .epochs = 1});
    printer->print(event(spec::LogLine{spec::LogLevel::kError, "data: no"}));
    printer->print(event(spec::TaskFailed{.reason = "exit code 1: data: no", .exit_code = 1, .last_lines = {"Connecting", "data: no"}}));
    engine::run::RunInfo run;
    run.id = "r";
    run.run_dir = "/out";
    run.state = engine::run::RunState::kFailed;
    run.detail = "exit code 1: data: no";
    printer->finish(run, {}, 0);
    EXPECT_EQ(out.str(), "worker 0: data: no\nworker 0 failed: exit code 1\n    Connecting\nRun r: Failed\nFolder:        /out\n");
}

std::string printLayers(EventPrinter& printer, std::ostringstream& out) {
    for (const std::int64_t step : {1, 2, 5}) {
        spec::LayerReport report = tests::sampleLayers(step);
        report.layers[1].dead_units = 64;
        printer.print(event(report, {"worker", 1}));  // with a coordinator it is not the chief that measures
    }
    return out.str();
}

TEST(JsonPrinter, PrintsWhatWasMeasuredOfLayersAndWhatGoesWrongOnce) {
    std::ostringstream out;
    const auto lines = linesOf(printLayers(*makeJsonPrinter(out, {.chief = kChief}), out));
    ASSERT_EQ(lines.size(), 4U);
    EXPECT_EQ(lines[2].at("event"), "layers");
    EXPECT_EQ(lines[2].at("step"), 5);
    EXPECT_EQ(lines[2].at("layers")[1].at("layer"), "dense");
    EXPECT_EQ(lines[2].at("layers")[1].at("dead_units"), 64);
    EXPECT_EQ(lines[3], nlohmann::json({{"event", "anomaly"},
                                        {"kind", "dead_units"},
                                        {"layer", "dense"},
                                        {"step", 1},
                                        {"text", "dense: 64 of 64 ReLU units are dead since step 1: 0 for each of 64 samples"}}));
}

TEST(ProgressPrinter, TellsWhatGoesWrongInALayerOnce) {
    std::ostringstream out;
    EXPECT_EQ(printLayers(*makeProgressPrinter(out, {.chief = kChief}), out),
              "worker 1: dense: 64 of 64 ReLU units are dead since step 1: 0 for each of 64 samples\n");
}

}  // namespace
}  // namespace app::cli
