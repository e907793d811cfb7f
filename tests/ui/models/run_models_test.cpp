// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QLocale>
#include <QSignalSpy>
#include <cmath>

#include "ui/models/mean_deviation.h"
#include "ui/models/mistake_model.h"
#include "ui/models/run_diff_model.h"
#include "ui/models/run_filter.h"
#include "ui/models/run_table_model.h"
#include "ui/parallel/parallel_axes.h"
#include "ui/runs/seed_mean.h"
#include "ui/session/values.h"

namespace ui::models {
namespace {

using session::RunState;
using session::RunSummary;
using TesterMode = QAbstractItemModelTester::FailureReportingMode;

RunSummary makeRun(const QString& id, const QString& name, double accuracy, int workers = 2) {
    RunSummary run;
    run.id = id;
    run.name = name;
    run.state = RunState::kDone;
    run.created_unix_ns = 1'700'000'000'000'000'000 + id.toLongLong() * 1'000'000'000;
    run.finished_unix_ns = run.created_unix_ns + 75'000'000'000;
    run.facts = {.strategy = "MultiWorkerMirrored",
                 .dataset = "mnist",
                 .optimizer = "Adam",
                 .learning_rate = 1e-3,
                 .workers = workers,
                 .global_batch = 64 * workers,
                 .epochs = 12,
                 .twin_key = name,
                 .scaling_key = "work"};
    run.results = {
        {"best_val_accuracy", accuracy}, {"val_loss", 1 - accuracy}, {"images_per_s", 5000.0 * workers * (workers > 1 ? 0.9 : 1)}};
    return run;
}

// Names and a column, a line a row.
std::string printed(const RunTableModel& model, int column = RunTableModel::kBestAccuracy) {
    QStringList lines;
    for (int row = 0; row < model.rowCount(); ++row) {
        const QString name = model.index(row, RunTableModel::kName).data().toString(), value = model.index(row, column).data().toString();
        lines << (model.run(row) ? "  " : "") + name + ": " + value;
    }
    return lines.join('\n').toStdString();
}

class RunModels : public testing::Test {
protected:
    void SetUp() override { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }
};

TEST_F(RunModels, TheFilterUnderstandsWordsExpressionsAndFields) {
    RunSummary run = makeRun("1", "mnist-cnn \u00D72 SGD", 0.98);
    run.tags = {"paper", "best so far"};
    run.notes = "with a wide layer";
    run.pinned = true;
    struct Case {
        const char* text;
        bool accepted;
    };
    for (const Case& one : {Case{"", true},
                            {"MNIST sgd", true},
                            {"mnist adam", false},
                            {"wide", true},
                            {"\"wide layer\"", true},
                            {"\"layer wide\"", false},
                            {"/sgd$/", true},
                            {"/^sgd/", false},
                            {"/pap.r/", true},
                            {"-sgd", false},
                            {"-adam", true},
                            {"state:done", true},
                            {"state:train", false},
                            {"tag:pap", true},
                            {"tag:\"best so\"", true},
                            {"-tag:paper", false},
                            {"strategy:multi workers:2", true},
                            {"workers:>2", false},
                            {"lr:1e-3", true},
                            {"accuracy:>=0.98", true},
                            {"val_loss:<0.01", false},
                            {"test_loss:<100", false},
                            {"is:pinned", true},
                            {"is:archived", false},
                            {"is:done", true},
                            {"is:running", false},
                            {"name:cnn optimizer:adam dataset:mnist", true},
                            {"12:30", false}}) {
        const RunFilter filter(QString::fromUtf8(one.text));
        EXPECT_EQ(filter.accepts(run), one.accepted) << one.text;
        EXPECT_TRUE(filter.problem().isEmpty()) << one.text;
    }
}

TEST_F(RunModels, TheFilterNamesWhatItDoesNotUnderstand) {
    const RunFilter broken("/sgd(/ mnist");
    EXPECT_TRUE(broken.problem().startsWith("/sgd(/")) << broken.problem().toStdString();
    EXPECT_TRUE(broken.accepts(makeRun("1", "mnist", 0.9))) << "the rest still filters";
    EXPECT_FALSE(broken.accepts(makeRun("1", "cifar", 0.9)));
    EXPECT_EQ(RunFilter("workers:many").problem(), "workers:many: expected a number");
    EXPECT_TRUE(RunFilter("/sg").accepts(makeRun("1", "sgd", 0.9))) << "an expression that is being typed";
}

TEST_F(RunModels, TheTableSortsPinsAndArchives) {
    RunTableModel model;
    const QAbstractItemModelTester tester(&model, TesterMode::Fatal);
    std::vector<RunSummary> runs{makeRun("3", "c", 0.97), makeRun("2", "b", NAN), makeRun("1", "a", 0.99)};
    model.setRuns(runs);
    EXPECT_EQ(printed(model), "  c: 0.9700\n  b: NaN\n  a: 0.9900");
    model.sort(RunTableModel::kBestAccuracy, Qt::DescendingOrder);
    EXPECT_EQ(printed(model), "  a: 0.9900\n  c: 0.9700\n  b: NaN");
    model.sort(RunTableModel::kBestAccuracy, Qt::AscendingOrder);
    EXPECT_EQ(printed(model), "  c: 0.9700\n  a: 0.9900\n  b: NaN") << "what is missing comes last either way";
    runs[1].pinned = true;
    model.setChecked({runs[0].id, runs[2].id});
    runs[2].archived = true;
    model.setRuns(runs);
    EXPECT_EQ(printed(model), "  b: NaN\n  c: 0.9700");
    EXPECT_EQ(model.runCount(), 2);
    EXPECT_EQ(model.checked(), QStringList{runs[0].id}) << "what is put away is not drawn";
    model.setShowArchived(true);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.checked().size(), 2);
    model.setShowArchived(false);
    model.setFilter(RunFilter("is:archived"));
    EXPECT_EQ(printed(model), "  a: 0.9900") << "asked for by name";
}

TEST_F(RunModels, TheTableGroupsSeedsWithTheirMean) {
    RunTableModel model;
    const QAbstractItemModelTester tester(&model, TesterMode::Fatal);
    model.setRuns({makeRun("4", "wide", 0.98), makeRun("3", "wide", 0.96), makeRun("2", "small", 0.9), makeRun("1", "wide", 0.97)});
    model.setGroupBy(RunTableModel::GroupBy::kSeeds);
    EXPECT_EQ(
        printed(model),
        "wide (3 run(s)): 0.9700 \u00B1 0.0100\n  wide: 0.9800\n  wide: 0.9600\n  wide: 0.9700\nsmall (1 run(s)): 0.9000\n  small: 0.9000");
    model.setFolded(0, true);
    EXPECT_EQ(printed(model), "wide (3 run(s)): 0.9700 \u00B1 0.0100\nsmall (1 run(s)): 0.9000\n  small: 0.9000");
    EXPECT_EQ(model.shownRuns(), 4);
    model.toggleChecked(0);
    EXPECT_EQ(model.checked().size(), 3);
    EXPECT_EQ(model.index(0, RunTableModel::kCheck).data(Qt::CheckStateRole).toInt(), Qt::Checked);
    model.setGroupBy(RunTableModel::GroupBy::kNone);
    EXPECT_EQ(model.rowCount(), 4);
}

TEST_F(RunModels, AttemptsOfOneFolderAreNoSeeds) {
    RunTableModel model;
    std::vector<RunSummary> runs{makeRun("3", "wide", 0.98), makeRun("2", "wide", 0.1), makeRun("1", "wide", 0.96)};
    for (RunSummary& run : runs) run.facts.seed = 7;
    runs[0].run_dir = runs[1].run_dir = "/runs/a";  // as an agent of before attempts were counted listed a restart
    runs[2].run_dir = "/runs/b";
    runs[0].created_unix_ns = 30;
    runs[1].created_unix_ns = 20;
    runs[2].created_unix_ns = 10;
    model.setRuns(runs);
    model.setGroupBy(RunTableModel::GroupBy::kSeeds);
    EXPECT_TRUE(printed(model).starts_with("wide (3 run(s)): 0.9700 \u00B1 0.0141")) << printed(model);
    runs.resize(1);
    runs[0].created_unix_ns = 1'000'000'000;
    runs[0].finished_unix_ns = 7'201'000'000'000;
    runs[0].idle_ns = 7'140'000'000'000;
    runs[0].attempts = 2;
    model.setGroupBy(RunTableModel::GroupBy::kNone);
    model.setRuns(runs);
    EXPECT_EQ(model.index(0, RunTableModel::kDuration).data().toString(), "1:00") << "what both attempts took, not the pause";
    EXPECT_TRUE(model.index(0, RunTableModel::kName).data(Qt::ToolTipRole).toString().contains("2 attempt(s), 1:00 in all"));
}

TEST_F(RunModels, ChecksAndEditsGoThroughTheModel) {
    RunTableModel model;
    const QAbstractItemModelTester tester(&model, TesterMode::Fatal);
    model.setRuns({makeRun("2", "b", 0.9), makeRun("1", "a", 0.8)});
    QSignalSpy checked(&model, &RunTableModel::checkedChanged), renamed(&model, &RunTableModel::renameWanted),
        tagged(&model, &RunTableModel::tagsWanted);
    EXPECT_TRUE(model.setData(model.index(1, RunTableModel::kCheck), Qt::Checked, Qt::CheckStateRole));
    EXPECT_EQ(model.checked(), QStringList{"1"});
    EXPECT_EQ(checked.count(), 1);
    model.setFilter(RunFilter("b"));
    EXPECT_EQ(model.checked(), QStringList{"1"}) << "hidden by the filter, still in the charts";
    EXPECT_TRUE(model.setData(model.index(0, RunTableModel::kName), " new  name "));
    EXPECT_EQ(renamed[0], (QList<QVariant>{"2", "new name"}));
    EXPECT_FALSE(model.setData(model.index(0, RunTableModel::kName), "b")) << "nothing changed";
    EXPECT_TRUE(model.setData(model.index(0, RunTableModel::kTags), "one, two,,one"));
    EXPECT_EQ(tagged[0][1].toStringList(), (QStringList{"one", "two"}));
    EXPECT_FALSE(model.setData(model.index(0, RunTableModel::kState), "x"));
}

TEST_F(RunModels, MetricsAreToldAgainstABaseline) {
    RunTableModel model;
    model.setRuns({makeRun("2", "b", 0.9881), makeRun("1", "a", 0.9889)});
    model.setBaseline("1");
    EXPECT_EQ(printed(model), "  b: \u25BC \u22120.0008\n  a: 0.9889");
    EXPECT_EQ(model.index(0, RunTableModel::kBestAccuracy).data(RunTableModel::kToneRole).toInt(),
              static_cast<int>(RunTableModel::Tone::kWorse));
    EXPECT_EQ(model.index(0, RunTableModel::kValLoss).data(RunTableModel::kToneRole).toInt(), static_cast<int>(RunTableModel::Tone::kWorse))
        << "a loss that rose";
}

TEST_F(RunModels, ScalingIsMeasuredAgainstOneWorkerOfTheSameWork) {
    RunTableModel model;
    std::vector<RunSummary> runs{makeRun("3", "four", 0.9, 4), makeRun("2", "one", 0.9, 1), makeRun("1", "other", 0.9, 2)};
    runs[2].facts.scaling_key = "other work";
    model.setRuns(runs);
    EXPECT_EQ(printed(model, RunTableModel::kScaling), "  four: 0.90\n  one: 1.00\n  other: \u2014");
}

TEST_F(RunModels, RowsThatStayOnlyChange) {
    RunTableModel model;
    std::vector<RunSummary> runs{makeRun("2", "b", 0.9), makeRun("1", "a", 0.8)};
    model.setRuns(runs);
    QSignalSpy reset(&model, &QAbstractItemModel::modelReset), changed(&model, &QAbstractItemModel::dataChanged);
    runs[1].results[0].second = 0.85;
    model.setRuns(runs);
    EXPECT_EQ(reset.count(), 0);
    ASSERT_EQ(changed.count(), 1);
    EXPECT_EQ(changed[0][0].toModelIndex().row(), 1);
    model.setRuns(runs);
    EXPECT_EQ(changed.count(), 1) << "the same again";
}

TEST_F(RunModels, CsvHasEveryColumnWithDots) {
    RunTableModel model;
    RunSummary run = makeRun("1", "a \"quoted\", name", 0.5);
    run.tags = {"x", "y"};
    model.setRuns({run});
    const QStringList lines = model.toCsv().split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 2);
    EXPECT_TRUE(lines[1].startsWith("\"1\",\"a \"\"quoted\"\", name\",\"Done\",1700000001,75,\"MultiWorkerMirrored\",2,128,0.001,"))
        << lines[1].toStdString();
    EXPECT_TRUE(lines[1].contains(",0.5,0.5,,,9000,")) << lines[1].toStdString();
}

TEST_F(RunModels, OddValuesAreThoseThatFewHave) {
    EXPECT_EQ(oddOnes({"2", "1", "2", "2", "4"}), (std::vector<bool>{false, true, false, false, true}));
    EXPECT_EQ(oddOnes({"a", "b"}), (std::vector<bool>{false, true})) << "the first of equals is the usual one";
    EXPECT_TRUE(oddOnes({}).empty());
}

TEST_F(RunModels, TheDifferencesNameSettingsByTheirPath) {
    RunDiffModel model;
    const QAbstractItemModelTester tester(&model, TesterMode::Fatal);
    std::vector<RunSummary> runs{makeRun("1", "a", 0.97), makeRun("2", "b", 0.98, 4), makeRun("3", "c", 0.96)};
    runs[0].project_json = R"({"name": "x", "fit": {"epochs": 3, "log_every": 100}, "cluster": {"worker": ["localhost:1"]}})";
    runs[1].project_json = R"({"name": "y", "fit": {"epochs": 3, "log_every": 10}, "cluster": {"worker": ["localhost:2"]}})";
    runs[2].project_json = runs[0].project_json;
    model.setRuns(runs);
    const auto rows = [&] {
        QStringList lines;
        for (int row = 0; row < model.rowCount(); ++row) {
            QStringList cells;
            for (int column = 0; column < model.columnCount(); ++column) {
                const QModelIndex index = model.index(row, column);
                cells << index.data().toString() + (index.data(RunDiffModel::kOddRole).toBool() ? "!" : "");
            }
            lines << cells.join(" | ");
        }
        return lines.join('\n').toStdString();
    };
    EXPECT_EQ(rows(),
              "workers | 2 | 4! | 2\nglobal batch | 128 | 256! | 128\nfit.log_every | 100 | 10! | 100\n"
              "best val acc | 0.9700 | 0.9800 | 0.9600\nbest epoch | \u2014 | \u2014 | \u2014\ntime | 1:15 | 1:15 | 1:15");
    model.setLiveRates({{"2", "1e-4 from step 500"}});
    EXPECT_NE(rows().find("learning rate, live | \u2014 | 1e-4 from step 500! | \u2014\n"), std::string::npos) << rows();
    model.setScope(RunDiffModel::Scope::kAll);
    EXPECT_GT(model.rowCount(), 6);
    const auto best = model.best();
    ASSERT_TRUE(best);
    EXPECT_EQ(best->id, "2");
    EXPECT_NEAR(best->lead, 0.01, 1e-12);
    EXPECT_FALSE(best->over_running);
    runs[2].state = RunState::kTraining;
    model.setRuns(runs);
    EXPECT_NEAR(model.best()->lead, 0.02, 1e-12) << "over the running one";
    EXPECT_TRUE(model.best()->over_running);
    model.setRuns({});
    EXPECT_EQ(model.columnCount(), 1);
    EXPECT_FALSE(model.best());
}

TEST_F(RunModels, AxesAreThoseThatTellRunsApart) {
    std::vector<RunSummary> runs{makeRun("1", "a", 0.9, 1), makeRun("2", "b", 1.0, 3), makeRun("3", "c", 0.95, 2)};
    runs[1].facts.learning_rate = 1e-1;
    runs[2].facts.learning_rate = 1e-2;
    runs[2].results.clear();
    const ParallelPlot plot = parallelPlot(runs);
    QStringList names;
    for (const ParallelAxis& axis : plot.axes) names << axis.name;
    EXPECT_EQ(names, (QStringList{"learning rate", "workers", "global batch", "images/s", "val loss", "best val acc"}));
    EXPECT_EQ(plot.lines[0].positions[0], 0);
    EXPECT_NEAR(plot.lines[2].positions[0], 0.5, 1e-9) << "a rate lies on a logarithmic axis";
    EXPECT_EQ(plot.axes[0].label(0.5), "1e-2");
    EXPECT_EQ(plot.axes[1].label(1), "3");
    EXPECT_TRUE(std::isnan(plot.lines[2].positions[5]));
    Brushes brushes(plot.axes.size());
    brushes[1] = AxisBrush{0.4, 1};
    EXPECT_FALSE(letsBy(brushes, plot.lines[0]));
    EXPECT_TRUE(letsBy(brushes, plot.lines[1]));
    EXPECT_TRUE(letsBy(brushes, plot.lines[2]));
    brushes[5] = AxisBrush{0, 1};
    EXPECT_FALSE(letsBy(brushes, plot.lines[2])) << "no value there";
    EXPECT_TRUE(parallelPlot({}).axes.empty());
    ParallelAxis lone;
    lone.categories = {QStringLiteral("9")};
    EXPECT_EQ(lone.ticks(), std::vector<double>{0.5});
    EXPECT_EQ(lone.label(lone.ticks().front()), "9");
}

TEST_F(RunModels, SeedsAreAveragedWhereAllOfThemAre) {
    const MeanCurve mean = meanCurve({{{1, 1, 0.5}, {2, 2, 0.7}, {3, 3, 0.8}}, {{1, 1, 0.7}, {3, 5, 1.0}}});
    ASSERT_EQ(mean.mean.size(), 2u);
    EXPECT_EQ(mean.mean[0].step, 1);
    EXPECT_DOUBLE_EQ(mean.mean[0].value, 0.6);
    EXPECT_DOUBLE_EQ(mean.mean[1].seconds, 4);
    EXPECT_NEAR(mean.upper[0] - mean.lower[0], 2 * std::sqrt(0.02), 1e-6);
    EXPECT_TRUE(meanCurve({}).mean.empty());
    MeanDeviation one;
    one.add(3);
    one.add(NAN);
    EXPECT_EQ(one.count(), 1);
    EXPECT_EQ(one.deviation(), 0);
}

TEST_F(RunModels, MistakesAreThoseOfACell) {
    MistakeModel model;
    const QAbstractItemModelTester tester(&model, TesterMode::Fatal);
    model.setMistakes({{7, 0, 1, 0.99, {}}, {3, 1, 0, 0.9, {}}, {5, 0, 1, 0.8, {}}}, {"cat", "dog"});
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(0).data().toString(), "cat \u2192 dog");
    EXPECT_EQ(model.index(0).data(Qt::ToolTipRole).toString(), "Sample 7: cat, taken for dog with 0.9900");
    model.setCell(std::pair(1, 0));
    EXPECT_EQ(model.rowCount(), 1);
    EXPECT_EQ(model.index(0).data(MistakeModel::kSampleRole).toInt(), 3);
    model.setCell(std::nullopt);
    EXPECT_EQ(model.rowCount(), 3);
}

}  // namespace
}  // namespace ui::models
