#include "agent/worker/sinks/console_sink.h"

#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agent::worker {
namespace {

namespace spec = engine::spec;

spec::TaskEvent event(spec::EventBody body) {
    spec::TaskEvent event;
    event.body = std::move(body);
    return event;
}

spec::StepPoints point(std::int64_t step, std::int32_t epoch, float loss) {
    spec::StepPoints points;
    points.step = {step};
    points.epoch = {epoch};
    points.time_unix_ns = {step * 1000000};
    points.columns = {{"loss", {loss}}, {"accuracy", {0.5F}}, {"learning_rate", {0.01F}}};
    return points;
}

TEST(ConsoleSink, PrintsARunAsKerasDoes) {
    std::ostringstream out;
    std::ostringstream errors;
    ConsoleSink sink(out, errors, ConsoleSink::Refresh::kLinesOnly);
    spec::RunStarted started;
    started.steps_per_epoch = 938;
    started.epochs = 2;
    started.global_batch_size = 64;
    started.parameters = 347146;
    started.executor = "cpu (AVX2, 1 thread)";
    sink.send(event(started));
    sink.send(event(point(1, 0, 2.5F)));
    sink.send(event(spec::EpochEnd{0, 938, 3.752, {{"accuracy", 0.85751}, {"loss", 0.48344}, {"learning_rate", 0.0001}}}));
    sink.send(event(spec::LogLine{spec::LogLevel::kInfo, "Learning rate for epoch 1 is 0.001"}));
    sink.send(event(spec::LogLine{spec::LogLevel::kError, "disk full"}));
    EXPECT_EQ(out.str(),
              "347146 parameters, global batch 64, cpu (AVX2, 1 thread)\n"
              "Epoch 1/2\n"
              "938/938 ━━━━━━━━━━━━━━━━━━━━ 4s 4ms/step - accuracy: 0.8575 - loss: 0.4834 - learning_rate: 1.0000e-04\n"
              "Learning rate for epoch 1 is 0.001\n");
    EXPECT_EQ(errors.str(), "error: disk full\n");
}

TEST(ConsoleSink, CountsAreWhole) {
    std::ostringstream out;
    std::ostringstream errors;
    ConsoleSink sink(out, errors, ConsoleSink::Refresh::kLinesOnly);
    sink.send(event(spec::TaskFinished{.results = {{"global_step", 469}, {"test_accuracy", 0.5}, {"mean_staleness", 1.25}}}));
    EXPECT_THAT(out.str(), testing::HasSubstr("global_step: 469\ntest_accuracy: 0.5000\nmean_staleness: 1.2500\n"));
}

TEST(ConsoleSink, GrowsALineOnATerminal) {
    std::ostringstream out;
    std::ostringstream errors;
    ConsoleSink sink(out, errors, ConsoleSink::Refresh::kTerminal);
    spec::RunStarted started;
    started.steps_per_epoch = 10;
    started.epochs = 1;
    sink.send(event(started));
    sink.send(event(point(1, 0, 2.5F)));
    EXPECT_THAT(out.str(), testing::HasSubstr("\r 1/10 ━━"));
    EXPECT_THAT(out.str(), testing::HasSubstr(" - accuracy: 0.5000 - loss: 2.5000"));
}

}  // namespace
}  // namespace agent::worker
