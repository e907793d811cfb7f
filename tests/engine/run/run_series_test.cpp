#include "engine/run/run_series.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/sample_layers.h"
#include "tests/support/sample_served_run.h"

namespace engine::run {
namespace {

constexpr std::int64_t kStart = 1'800'000'000'000'000'000;

RunHistory servedRun(const char* strategy) {
    spec::RunSpec run;
    run.strategy.name = strategy;
    run.cluster.spec.jobs = {{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}, {2, "localhost:4"}}}};
    RunInfo info;
    info.created_unix_ns = kStart;
    info.project_json = spec::toProjectJson(run);
    RunHistory history(std::move(info));
    tests::ServedRunOptions options;
    options.created_unix_ns = kStart;
    options.steps_done = 1500;
    std::uint64_t sequence = 0;
    std::vector<spec::TaskEvent> events = tests::sampleServedRun(options);
    for (spec::TaskEvent& event : events) event.sequence = ++sequence;
    history.add(events);
    return history;
}

const StreamedSeries* find(const std::vector<StreamedSeries>& all, std::string_view name) {
    const auto at = std::find_if(all.begin(), all.end(), [&](const StreamedSeries& one) { return one.name == name; });
    return at == all.end() ? nullptr : &*at;
}

// 75 steps of 50 images a second, taken by three workers in turn, each of which has rows of its own alone.
TEST(RunSeries, ThroughputOfWorkersThatWaitForNobodyIsThatOfAllSteps) {
    const RunHistory run = servedRun("ParameterServerStrategy");
    EXPECT_TRUE(countsStepsOfAll(run));
    const auto all = streamedSeries(run);
    const StreamedSeries* throughput = find(all, "throughput");
    ASSERT_NE(throughput, nullptr);
    const SeriesData points = pointsOf(run, *throughput);
    ASSERT_GT(points.size(), 10U);
    for (const double rate : points.value) EXPECT_NEAR(rate, 75 * 50, 40);
    double sum = 0;
    for (const char* worker : {"worker 0", "worker 1", "worker 2"}) {
        const StreamedSeries* own = find(all, std::string(worker) + "/throughput");
        ASSERT_NE(own, nullptr) << worker;
        const SeriesData rates = pointsOf(run, *own);
        double mean = 0;
        for (const double rate : rates.value) mean += rate / static_cast<double>(rates.size());
        sum += mean;
    }
    EXPECT_NEAR(sum, 75 * 50, 400);
}

TEST(RunSeries, HasTheStalenessOfEachWorkerAndTheLoadOfEachServer) {
    const RunHistory run = servedRun("ParameterServerStrategy");
    const auto all = streamedSeries(run);
    const StreamedSeries* staleness = find(all, "worker 2/staleness");
    ASSERT_NE(staleness, nullptr);
    const SeriesData points = pointsOf(run, *staleness);
    EXPECT_GT(points.size(), 300U);
    EXPECT_GT(*std::max_element(points.value.begin(), points.value.end()), 0);
    const StreamedSeries* bytes = find(all, "ps 0/pulled_bytes_per_s");
    ASSERT_NE(bytes, nullptr);
    EXPECT_EQ(bytes->unit, "bytes/s");
    EXPECT_EQ(pointsOf(run, *bytes).value.front(), 75.0 * 1'663'370 * 4);
    EXPECT_EQ(find(all, "ps 0/updates_per_s")->unit, "updates/s");
    EXPECT_EQ(find(all, "ps 0/loss"), nullptr);
}

TEST(RunSeries, ReplicasOfOneStepCountTogether) {
    EXPECT_FALSE(countsStepsOfAll(servedRun("MultiWorkerMirroredStrategy")));
}

TEST(RunSeries, HasWhatWasMeasuredOfEachLayer) {
    RunInfo info;
    info.created_unix_ns = kStart;
    RunHistory run(std::move(info));
    std::uint64_t sequence = 0;
    for (const std::int64_t step : {1, 2, 5}) {
        run.add({{.sequence = ++sequence,
                  .time_unix_ns = kStart + step * 1'000'000'000,
                  .task = {"worker", 0},
                  .body = tests::sampleLayers(step)}});
    }
    const auto all = streamedSeries(run);
    const StreamedSeries* dead = find(all, "dense/dead_share");
    ASSERT_NE(dead, nullptr);
    const SeriesData points = pointsOf(run, *dead);
    EXPECT_THAT(points.step, testing::ElementsAre(1, 2, 5));
    EXPECT_THAT(points.time_s, testing::ElementsAre(1, 2, 5));
    EXPECT_DOUBLE_EQ(points.value[0], 3.0 / 64);
    for (const char* name : {"conv2d/gradient_norm", "conv2d/weights_norm", "conv2d/update_ratio", "dense_1/not_finite"})
        EXPECT_NE(find(all, name), nullptr) << name;
    EXPECT_EQ(find(all, "dense_1/dead_share"), nullptr) << "it has no ReLU";
}

}  // namespace
}  // namespace engine::run
