#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>

#include "engine/report/data_files.h"
#include "engine/report/html_report.h"
#include "engine/report/svg_chart.h"
#include "engine/spec/error.h"
#include "tests/support/sample_run.h"
#include "tests/support/temp_dir.h"

namespace engine::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

run::RunInfo twoWorkers() {
    spec::RunSpec project;
    project.cluster.spec.jobs = {{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}};
    constexpr std::int64_t kCreated = tests::SampleRunOptions{}.created_unix_ns;
    return {.id = "20261122-010203-00ff",
            .name = "mnist <cnn>",
            .state = run::RunState::kDone,
            .created_unix_ns = kCreated,
            .finished_unix_ns = kCreated + 75'000'000'000,
            .run_dir = "/runs/1",
            .project_json = spec::toProjectJson(project)};
}

RunData gathered(const std::vector<spec::TaskEvent>& events) {
    run::RunHistory history(twoWorkers());
    history.add(events);
    return runData(history);
}

RunData sample() {
    return gathered(tests::sampleRun({}));
}

RunData oneSeries(std::vector<double> values) {
    RunData run = gathered({});
    SeriesData loss{"loss", {}, {}, {}, {}, {}};
    for (std::size_t i = 0; i < values.size(); ++i)
        loss.append(static_cast<std::int64_t>(i) + 1, 0, 0.5 * static_cast<double>(i), values[i]);
    run.series = {loss};
    return run;
}

TEST(RunData, GathersTheCurvesOfTheClusterAndOfEachTask) {
    const RunData run = sample();
    const SeriesData* loss = run.find("loss");
    ASSERT_NE(loss, nullptr);
    EXPECT_EQ(loss->size(), 7u * 469 + 312) << "global batches, as the chief tells them";
    EXPECT_EQ(loss->step.back(), 3595);
    EXPECT_EQ(loss->epoch.back(), 7);
    ASSERT_NE(run.find("val_loss"), nullptr);
    EXPECT_EQ(run.find("val_loss")->size(), 7u);
    ASSERT_NE(run.find("worker 1/loss"), nullptr);
    EXPECT_NE(run.find("worker 1/loss")->value, loss->value);
    ASSERT_NE(run.find("worker 0/compute_us"), nullptr);
    EXPECT_EQ(run.find("worker 0/compute_us")->unit, "us");
    EXPECT_EQ(run.find("worker 1/cpu_cores")->value, std::vector<double>{3.7});
    EXPECT_EQ(run.tasks[1].peak_bytes, 180'000'000);
    const SeriesData* rate = run.find("throughput");
    ASSERT_NE(rate, nullptr);
    EXPECT_NEAR(rate->value[3], 2 * 64 / 0.0133, 2) << "both replicas";
    EXPECT_NEAR(run.find("worker 1/throughput")->value[3], 64 / 0.0133, 1);
}

TEST(RunData, TellsTimesToTheNanosecond) {
    RunData run = sample();
    const SeriesData* loss = run.find("loss");
    ASSERT_NE(loss, nullptr);
    for (const double time : loss->time_s) {
        const std::string text = shortestNumber(time);
        const std::size_t dot = text.find('.');
        EXPECT_LE(dot == std::string::npos ? 0 : text.size() - dot - 1, 9u) << text;
    }
}

TEST(RunData, KnowsTheRateOfARunOfAMoment) {
    const RunData run = gathered(tests::sampleRun({.epochs_done = 0, .extra_steps = 9}));
    const SeriesData* rate = run.find("throughput");
    ASSERT_NE(rate, nullptr);
    ASSERT_EQ(rate->size(), 1u);
    EXPECT_EQ(rate->step[0], 9);
    EXPECT_NEAR(rate->value[0], 2 * 64 / 0.0133, 2) << "both replicas";
}

TEST(DataFiles, WritesOneSeriesAsCsvWithDotsAndEmptyFieldsForMissingValues) {
    const RunData run = oneSeries({0.5, std::numeric_limits<double>::quiet_NaN(), static_cast<double>(0.1F), 1.0 / 3});
    const auto files = dataFiles(run, {});
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].file_name, "20261122-010203-00ff.csv");
    EXPECT_EQ(files[0].text,
              "step,epoch,time_s,value\n"
              "1,0,0,0.5\n"
              "2,0,0.5,\n"
              "3,0,1,0.1\n"
              "4,0,1.5,0.3333333333333333\n");
}

TEST(DataFiles, WritesSeveralSeriesBelowEachOtherOrApart) {
    RunData run = oneSeries({1});
    run.series.push_back(run.series[0]);
    run.series[1].name = "worker 1/loss, \"own\"";
    EXPECT_EQ(dataFiles(run, {})[0].text,
              "series,step,epoch,time_s,value\n"
              "loss,1,0,0,1\n"
              "\"worker 1/loss, \"\"own\"\"\",1,0,0,1\n");
    const auto apart = dataFiles(run, {.format = DataFormat::kJson, .files = DataFiles::kEachSeries});
    ASSERT_EQ(apart.size(), 2u);
    EXPECT_EQ(apart[1].file_name, "20261122-010203-00ff-worker-1-loss---own-.json");
    EXPECT_THAT(apart[0].text, HasSubstr(R"("series":[{"name":"loss","unit":"","step":[1],"epoch":[0.0],"time_s":[0.0],"value":[1.0]}]})"));
}

TEST(DataFiles, WritesNullForNoNumberInJson) {
    const auto files = dataFiles(oneSeries({std::numeric_limits<double>::infinity()}), {.format = DataFormat::kJson});
    EXPECT_THAT(files[0].text, HasSubstr("\"value\":[null]"));
}

TEST(DataFiles, NamesTheSeriesThereAreWhenOneIsUnknown) {
    try {
        dataFiles(oneSeries({1}), {.series = {"accuracy"}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kNotFound);
        EXPECT_THAT(error.what(), HasSubstr("expected a series it told (loss), got \"accuracy\""));
    }
    EXPECT_TRUE(dataFiles(RunData{}, {}).empty());
}

TEST(DataFiles, TellsTheirSizesBeforeTheyAreWritten) {
    const RunData run = sample();
    for (const auto format : {DataFormat::kCsv, DataFormat::kJson}) {
        for (const auto kind : {DataFiles::kOne, DataFiles::kEachSeries}) {
            const DataOptions options{.format = format, .files = kind};
            const auto files = dataFiles(run, options);
            const auto all_rows = dataFileSizes(run, options, 1'000'000), some = dataFileSizes(run, options, 200);
            ASSERT_EQ(some.size(), files.size());
            for (std::size_t i = 0; i < files.size(); ++i) {
                EXPECT_EQ(all_rows[i], (ReportFileSize{files[i].file_name, files[i].text.size(), false}));
                const auto written = static_cast<double>(files[i].text.size());
                EXPECT_NEAR(static_cast<double>(some[i].bytes), written, 0.03 * written) << files[i].file_name;
            }
        }
    }
    EXPECT_TRUE(dataFileSizes(run, {})[0].about);
    EXPECT_FALSE(dataFileSizes(run, {.series = {"val_loss"}})[0].about) << "seven rows are counted to the last";
}

TEST(SvgChart, DrawsNoMoreThanTwoPointsAColumnAndKeepsTheExtremes) {
    SeriesData loss{"loss", {}, {}, {}, {}, {}};
    for (int step = 1; step <= 100'000; ++step) loss.append(step, 0, step, step == 50'000 ? 7.0 : 0.5 + 0.1 * std::sin(step));
    const std::string svg = svgChart({{&loss, "train", "s1"}}, {.title = "Loss", .y_name = "loss"});
    EXPECT_LT(std::count(svg.begin(), svg.end(), 'L'), 2 * 490);
    EXPECT_THAT(svg, HasSubstr(">0.6<")) << "one outlier does not flatten the rest";
    EXPECT_THAT(svg, HasSubstr(">step<"));
}

TEST(SvgChart, SaysSoWhenThereIsNothingToDraw) {
    const SeriesData none{"loss", {}, {1}, {0}, {0}, {std::nan("")}};
    EXPECT_EQ(svgChart({{&none, "train", "s1"}}, {.title = "Loss", .nothing = "Loss: no point was told."}),
              "<p class=\"note\">Loss: no point was told.</p>\n");
}

TEST(HtmlReport, HoldsChartsSettingsTasksAndResultsAndEscapesNames) {
    const ReportFile file = htmlReport(sample());
    EXPECT_EQ(file.file_name, "20261122-010203-00ff.html");
    EXPECT_THAT(file.text, HasSubstr("mnist &lt;cnn&gt;"));
    EXPECT_THAT(file.text, HasSubstr("took 1:15"));
    EXPECT_THAT(file.text, HasSubstr("Best val_accuracy 0.9883 in epoch 7."));
    for (const char* title : {"Loss", "accuracy", "Learning rate", "Throughput"})
        EXPECT_THAT(file.text, HasSubstr(std::string("<title>") + title + "</title>"));
    for (const char* part : {"Settings", "Tasks", "Epochs", "Checkpoints", "Project"})
        EXPECT_THAT(file.text, HasSubstr(std::string("<h2>") + part + "</h2>"));
    EXPECT_THAT(file.text, HasSubstr("localhost:23456"));
}

TEST(HtmlReport, CountsAreWholeNumbers) {
    RunData run = sample();
    run.results = {{"steps", 1407}, {"best_epoch", 7}, {"test_loss", 0.25}};
    const std::vector<ReportTable> tables = reportTables(run);
    const auto results = std::find_if(tables.begin(), tables.end(), [](const auto& table) { return table.title == "Results"; });
    ASSERT_NE(results, tables.end());
    for (const std::vector<std::string>& row : {std::vector<std::string>{"steps", "1407"}, {"best_epoch", "7"}, {"test_loss", "0.2500"}})
        EXPECT_THAT(results->rows, testing::Contains(row));
    std::set<std::string> names;
    for (const auto& row : results->rows) EXPECT_TRUE(names.insert(row.front()).second) << row.front() << " twice";
}

TEST(HtmlReport, PlansNoStepsOfEpochsThatArePassedOver) {
    RunData run = gathered({});
    run.started.emplace();
    run.started->steps_per_epoch = 100;
    run.started->epochs = 10;
    run.facts.run.fit.initial_epoch = 4;
    const auto planned = [&run] {
        const std::vector<ReportTable> tables = reportTables(run);
        const auto results = std::find_if(tables.begin(), tables.end(), [](const auto& table) { return table.title == "Results"; });
        return results == tables.end() ? std::vector<std::vector<std::string>>() : results->rows;
    };
    EXPECT_THAT(planned(), testing::Contains(std::vector<std::string>{"steps planned", "600"}));
    run.facts.run.fit.initial_state = true;  // a branch counts the steps of its file
    EXPECT_THAT(planned(), testing::Contains(std::vector<std::string>{"steps planned", "1000"}));
}

TEST(HtmlReport, TellsTheRatesThatTheUpdatesWereMadeWith) {
    RunData run = sample();
    const auto rate = [&run] {
        const std::string text = htmlReport(run).text;
        const auto from = text.find("<td>learning rate</td><td>");
        return from == std::string::npos ? std::string() : text.substr(from + 26, text.find("</td>", from + 26) - from - 26);
    };
    auto told = std::find_if(run.series.begin(), run.series.end(), [](const SeriesData& one) { return one.name == "learning_rate"; });
    ASSERT_NE(told, run.series.end());
    std::fill(told->value.begin(), told->value.end(), double{0.01F});
    EXPECT_EQ(rate(), "0.01");
    told->value.back() = double{1e-5F};  // by hand, while it went on
    EXPECT_EQ(rate(), "1e-05 to 0.01");
    run.facts.run.callbacks.push_back({"ReduceLROnPlateau", {}});
    EXPECT_EQ(rate(), "1e-05 to 0.01, ReduceLROnPlateau");
    run.series.clear();
    run.facts.run.callbacks.clear();
    run.facts.run.compile.optimizer.config.set("learning_rate", 0.25);
    EXPECT_EQ(rate(), "0.25") << "before the first update";
}

TEST(HtmlReport, SpeaksItsReadersLanguageAndKeepsNames) {
    RunData run = sample();
    run.tasks[1].detail = "no heartbeat for 30 s";
    const ReportLanguage marked{.tag = "ko", .word = [](std::string_view english) { return "[" + std::string(english) + "]"; }};
    const std::string text = htmlReport(run, marked).text;
    EXPECT_THAT(text, HasSubstr("lang=\"ko\""));
    for (const char* part : {"<h2>[Settings]</h2>", "<th>[task]</th>", "<td>[learning rate]</td>", "<td>[no heartbeat for 30 s]</td>",
                             "[took 1:15]", "[Best val_accuracy 0.9883 in epoch 7.]", "<title>[Loss]</title>", ">[step]<",
                             "<title>accuracy</title>", "<td>localhost:23456</td>"})
        EXPECT_THAT(text, HasSubstr(part));
    for (const ReportTable& table : reportTables(run, marked)) {
        EXPECT_TRUE(table.title.starts_with("[")) << table.title;
        for (const std::string& head : table.rows.front())
            EXPECT_TRUE(head.empty() || head.starts_with("[") || run.find(head) != nullptr || head.ends_with("loss")) << head;
    }
    const ReportLanguage turned{.word = [](std::string_view english) {
        return english == "Best %1 %2 in epoch %3." ? std::string("%3: %2 %1, 100 %") : std::string(english);
    }};
    EXPECT_EQ(bestSentence(run, turned), "7: 0.9883 val_accuracy, 100 %");
}

TEST(HtmlReport, IsWellFormedXml) {
    if (std::system("command -v xmllint > /dev/null 2>&1") != 0) GTEST_SKIP() << "xmllint is not installed";
    RunData run = sample();
    run.problems = {"worker 1: \x01 <broken> & \"quoted\""};
    run.tasks[1].failure = spec::TaskFailed{};
    const tests::support::TempDir folder;
    const auto path = folder.path() / "report.html";
    std::ofstream(path, std::ios::binary) << htmlReport(run).text;
    EXPECT_EQ(std::system(("xmllint --noout --nonet '" + path.string() + "'").c_str()), 0);
}

}  // namespace
}  // namespace engine::report
