// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_data.h"

#include <gtest/gtest.h>

#include "engine/report/data_files.h"
#include "engine/report/html_report.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/sample_run.h"
#include "ui/session/runs/run_record.h"

namespace ui::session {
namespace {

using engine::report::RunData;

constexpr std::int64_t kCreated = tests::SampleRunOptions{}.created_unix_ns;

engine::spec::RunSpec project() {
    engine::spec::RunSpec run;
    run.name = "two workers";
    run.cluster.spec.jobs = {{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}};
    return run;
}

std::vector<engine::spec::TaskEvent> events() {
    auto all = tests::sampleRun({});
    const auto add = [&](std::int64_t seconds, int worker, engine::spec::EventBody body) {
        engine::spec::TaskEvent event;
        event.time_unix_ns = kCreated + seconds * 1'000'000'000;
        event.task = {"worker", worker};
        event.body = std::move(body);
        all.push_back(std::move(event));
    };
    add(50, 0, engine::spec::ControlApplied{"learning_rate 0.0001", 3595});
    engine::spec::WeightReport report;
    report.step = 469;
    report.weights_norm = 12.5;
    add(51, 0, report);
    add(52, 1, engine::spec::TaskFailed{"killed by signal 9 (SIGKILL)", -1, 9, {}});
    std::uint64_t sequence = 0;
    for (auto& event : all) event.sequence = ++sequence;
    return all;
}

RunSummary summary() {
    RunSummary out;
    out.id = "run-1";
    out.name = "two workers";
    out.state = RunState::kFailed;
    out.detail = "worker 1: killed";
    out.run_dir = "/runs/1";
    out.created_unix_ns = kCreated;
    out.finished_unix_ns = kCreated + 60'000'000'000;
    out.project_json = QString::fromStdString(toProjectJson(project()));
    return out;
}

// As the command line does, which knows no more than the agent's word and the journal.
RunData gathered(const RunSummary& of_run, const std::vector<engine::spec::TaskEvent>& all) {
    engine::run::RunHistory history({.id = of_run.id.toStdString(),
                                     .name = of_run.name.toStdString(),
                                     .state = of_run.state,
                                     .detail = of_run.detail.toStdString(),
                                     .created_unix_ns = of_run.created_unix_ns,
                                     .finished_unix_ns = of_run.finished_unix_ns,
                                     .run_dir = of_run.run_dir.toStdString(),
                                     .project_json = of_run.project_json.toStdString(),
                                     .attempts = of_run.attempts,
                                     .idle_ns = of_run.idle_ns});
    for (const auto& event : all) history.add({event});
    return engine::report::runData(history);
}

TEST(RunData, IsWhatTheCommandLineGathersFromTheSameEvents) {
    RunRecord record(summary());
    record.ingest(events());
    RunData shown = runData(record);
    shown.facts.file_stem.clear();  // the command line calls files by the id
    RunData told = gathered(summary(), events());
    ASSERT_EQ(shown.series.size(), told.series.size());
    for (const auto& one : told.series) {
        ASSERT_NE(shown.find(one.name), nullptr) << one.name;
        EXPECT_EQ(shown.find(one.name)->unit, one.unit) << one.name;
    }
    EXPECT_EQ(shown.marks, told.marks);
    using engine::report::DataFiles;
    using engine::report::DataFormat;
    for (const auto format : {DataFormat::kCsv, DataFormat::kJson}) {
        EXPECT_EQ(dataFiles(shown, {.format = format, .files = DataFiles::kEachSeries}),
                  dataFiles(told, {.format = format, .files = DataFiles::kEachSeries}));
    }
}

// A run that lost worker 1 at step 3595 and went on from the backup of step 3500.
std::vector<engine::spec::TaskEvent> eventsOfTwoAttempts() {
    auto all = events();
    const auto add = [&](std::int64_t seconds, int worker, engine::spec::EventBody body) {
        all.push_back({all.back().sequence + 1, kCreated + seconds * 1'000'000'000, {"worker", worker}, std::move(body)});
    };
    add(53, 1, engine::spec::AttemptStarted{2, 4, true, "killed by signal 9 (SIGKILL)"});
    for (const int worker : {0, 1}) add(54, worker, engine::spec::Heartbeat{0, 1 << 20, 0.5});
    engine::spec::RunStarted started;
    started.steps_per_epoch = 469;
    started.epochs = 12;
    started.resumed_step = 3500;
    add(55, 0, started);
    for (const int worker : {0, 1}) {
        engine::spec::StepPoints points;
        for (std::int64_t step = 3501; step <= 3510; ++step) {
            points.step.push_back(step);
            points.epoch.push_back(7);
            points.time_unix_ns.push_back(kCreated + 56'000'000'000 + step);
        }
        points.examples_per_step = 64;
        points.aggregated = worker == 0;
        points.columns = {{"loss", std::vector<float>(10, 0.25F)}};
        add(56, worker, points);
    }
    return all;
}

TEST(RunData, LeavesOutWhatAnAttemptDidAgain) {
    RunRecord record(summary());
    record.ingest(eventsOfTwoAttempts());
    RunData shown = runData(record);
    shown.facts.file_stem.clear();  // the command line calls files by the id
    RunData told = gathered(summary(), eventsOfTwoAttempts());
    for (const RunData* run : {&shown, &told}) {
        ASSERT_NE(run->find("loss"), nullptr);
        EXPECT_EQ(run->find("loss")->size(), 3510u);
        EXPECT_EQ(run->find("loss")->value.back(), 0.25);
        for (const auto& one : run->series) EXPECT_TRUE(std::is_sorted(one.step.begin(), one.step.end())) << one.name;
        EXPECT_FALSE(run->tasks[1].failure.has_value());
    }
    EXPECT_EQ(shown.marks, told.marks);
    ASSERT_FALSE(shown.marks.empty());
    EXPECT_EQ(shown.marks.back().text, "attempt 2 of 4: worker 1 killed by signal 9 (SIGKILL)");
    using engine::report::DataFiles;
    using engine::report::DataFormat;
    EXPECT_EQ(dataFiles(shown, {.format = DataFormat::kCsv, .files = DataFiles::kEachSeries}),
              dataFiles(told, {.format = DataFormat::kCsv, .files = DataFiles::kEachSeries}));
}

// The same run, stopped then and started again by hand an hour later.
TEST(RunData, TellsOfARestartByHandInEveryForm) {
    constexpr std::int64_t kHour = 3600;
    auto all = events();
    const std::int64_t last = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
                                  return a.time_unix_ns < b.time_unix_ns;
                              })->time_unix_ns;
    const auto add = [&](std::int64_t seconds, engine::spec::EventBody body) {
        all.push_back({all.back().sequence + 1, last + seconds * 1'000'000'000, {"worker", 0}, std::move(body)});
    };
    add(kHour, engine::spec::AttemptStarted{2, 2, true, "stopped", true});
    engine::spec::RunStarted started;
    started.steps_per_epoch = 469;
    started.epochs = 12;
    started.resumed_step = 3500;
    add(kHour + 1, started);
    engine::spec::StepPoints points;
    for (std::int64_t step = 3501; step <= 3510; ++step) {
        points.step.push_back(step);
        points.epoch.push_back(7);
        points.time_unix_ns.push_back(last + (kHour + 2) * 1'000'000'000 + (step - 3500) * 100'000'000);
    }
    points.examples_per_step = 64;
    points.aggregated = true;
    points.columns = {{"loss", std::vector<float>(10, 0.25F)}};
    add(kHour + 4, points);
    RunSummary of_run = summary();
    of_run.attempts = 2;
    of_run.idle_ns = kHour * 1'000'000'000;
    of_run.finished_unix_ns = last + (kHour + 4) * 1'000'000'000;
    RunRecord record(of_run);
    record.ingest(all);
    RunData shown = runData(record);
    shown.facts.file_stem.clear();  // the command line calls files by the id
    RunData told = gathered(of_run, all);
    EXPECT_EQ(shown.attempts, told.attempts);
    EXPECT_EQ(shown.marks, told.marks);
    for (const RunData* run : {&shown, &told}) {
        ASSERT_EQ(run->attempts.size(), 1u);
        EXPECT_EQ(run->attempts[0].resumed_step, 3500);
        EXPECT_EQ(run->find("loss")->size(), 3510u);
        const auto& rates = run->find("throughput")->value;
        EXPECT_GT(*std::min_element(rates.begin(), rates.end()), 100) << "the hour in between is no slow step";
        EXPECT_EQ(run->marks.back().text, "attempt 2, started by hand; the one before: stopped");
        const auto head = engine::report::reportHead(*run);
        EXPECT_NE(std::find(head.begin(), head.end(), "2 attempts"), head.end());
        const std::int64_t seconds = (last - kCreated) / 1'000'000'000 + 4;
        EXPECT_EQ(head.back(), "took " + engine::report::durationText(static_cast<double>(seconds)));
        const std::string json = dataFiles(*run, {.format = engine::report::DataFormat::kJson})[0].text;
        EXPECT_NE(json.find(R"("resumed_step":3500,"by_hand":true,"from_backup":true,"reason":"stopped"}])"), std::string::npos)
            << json.substr(0, 400);
    }
}

TEST(RunData, NamesWhatCanBeStreamed) {
    RunRecord record(summary());
    EXPECT_TRUE(streamedSeries(record.history()).empty());
    record.ingest(events());
    std::vector<std::string> names;
    for (const auto& one : streamedSeries(record.history())) names.push_back(one.name);
    for (const char* wanted : {"loss", "throughput", "val_loss", "weights_norm", "worker 1/loss", "worker 0/wait_us", "worker 1/cpu_cores"})
        EXPECT_NE(std::find(names.begin(), names.end(), wanted), names.end()) << wanted;
}

}  // namespace
}  // namespace ui::session
