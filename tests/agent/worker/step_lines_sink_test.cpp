#include "agent/worker/sinks/step_lines_sink.h"

#include <sstream>
#include <utility>

#include <gtest/gtest.h>

namespace agent::worker {
namespace {

namespace spec = engine::spec;

spec::TaskEvent event(spec::EventBody body) {
    spec::TaskEvent event;
    event.body = std::move(body);
    return event;
}

spec::StepPoints points(std::vector<std::int64_t> steps, std::vector<float> accuracies) {
    spec::StepPoints points;
    points.step = std::move(steps);
    points.epoch.resize(points.step.size());
    points.time_unix_ns.resize(points.step.size());
    points.columns = {{"loss", std::vector<float>(points.step.size(), 2.5F)},
                      {"staleness", std::vector<float>(points.step.size(), 1)},
                      {"accuracy", std::move(accuracies)},
                      {"learning_rate", std::vector<float>(points.step.size(), 0.01F)}};
    return points;
}

// The lines of the book's program: the accuracy is a float32 that Python prints.
TEST(StepLinesSink, PrintsTheLinesOfTheBook) {
    std::ostringstream out, errors;
    StepLinesSink sink(out, errors, {"worker", 1}, 100);
    sink.send(event(points({4399, 4400, 4402}, {0.1F, 0.98F, 0.2F})));
    sink.send(event(points({4500}, {1.0F})));
    sink.send(event(spec::EpochEnd{0, 4500, 3.7, {{"loss", 0.4}}}));
    sink.send(event(spec::TaskFinished{{{"test_loss", 0.1}, {"test_accuracy", 0.9871}, {"global_step", 5001}}, "", "9f86"}));
    EXPECT_EQ(out.str(),
              "Worker : 1, Step: 4400.0, Accuracy (batch): 0.9800000190734863\n"
              "Worker : 1, Step: 4500.0, Accuracy (batch): 1.0\n"
              "Test-Accuracy: 0.9871000051498413\n"
              "global_step: 5001\n");
    EXPECT_EQ(errors.str(), "");
}

TEST(StepLinesSink, LeavesStatesAndWarningsToTheConsole) {
    std::ostringstream out, errors;
    StepLinesSink sink(out, errors, {"ps", 0}, 100);
    sink.send(event(spec::StateChanged{spec::TaskState::kConnecting, "listening at localhost:2222"}));
    sink.send(event(spec::LogLine{spec::LogLevel::kWarning, "ps 1 is lost"}));
    EXPECT_EQ(out.str(), "Connecting: listening at localhost:2222\n");
    EXPECT_EQ(errors.str(), "warning: ps 1 is lost\n");
}

}  // namespace
}  // namespace agent::worker
