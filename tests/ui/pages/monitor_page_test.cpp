// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>

#include "made_up_run.h"
#include "tests/support/sample_layers.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_served_run.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/models/task_list_model.h"
#include "ui/monitor/failure_timeline.h"
#include "ui/monitor/host_chart.h"
#include "ui/monitor/host_load_view.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_painted.h"
#include "ui/monitor/run_chart_feed.h"
#include "ui/parts/finding_list.h"
#include "ui/parts/languages.h"
#include "ui/parts/task_log_pane.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/status_pill.h"

namespace ui::views {
namespace {

using engine::spec::ControlVerb;
using engine::spec::TaskState;
using engine::spec::WaitCause;
using tests::waitUntil;

class MonitorPageTest : public testing::Test {
protected:
    void SetUp() override {
        themes_.setChoice(theme::Choice::kLight);
        ASSERT_TRUE(studio_.agentIsReady());
        ASSERT_TRUE(studio_.openTwoWorkers());
        page_ = std::make_unique<MonitorPage>(studio_.session(), themes_);
        page_->resize(1364, 690);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get(), 180'000));
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
    }

    void startTraining(const tests::MadeUpRun& shape, double age_s) {
        ASSERT_TRUE(studio_.launch(age_s));
        ASSERT_TRUE(studio_.feed(tests::eventsOf(shape, studio_.createdUnixNs())));
        studio_.world().setState(studio_.runId(), engine::run::RunState::kTraining);
        ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->state() == session::RunState::kTraining; }));
        studio_.session().runs().current()->flush();
    }

    template <typename Widget = QPushButton>
    Widget* find(const char* name) {
        auto* found = page_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    std::string text(const char* name) { return find<QLabel>(name)->text().toStdString(); }
    std::vector<engine::spec::Control> controls() {
        const std::lock_guard lock(studio_.world().mutex);
        std::vector<engine::spec::Control> all;
        for (const auto& [id, control] : studio_.world().controls) all.push_back(control);
        return all;
    }
    // Saves the page in both themes where TANDEM_SHOTS names a folder.
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            page_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<MonitorPage> page_;
};

// 938 and 1,407 are the ends of the second and the third epoch.
TEST_F(MonitorPageTest, GoesBackInTheTimeOfARun) {
    startTraining({.steps = 4 * 469}, 120);
    auto* checkpoints = find<QListView>("checkpointList")->model();
    ASSERT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 4; }));
    QSignalSpy shown(page_.get(), &MonitorPage::momentShown), branch(page_.get(), &Page::branchOfRunRequested);
    find<QToolButton>("monitorTime")->click();
    auto* slider = find<QSlider>("timeSlider");
    EXPECT_TRUE(slider->isVisible());
    EXPECT_EQ(slider->maximum(), 4 * 469);
    slider->setValue(1000);
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 2; })) << "as it stood behind step 1,000";
    auto& group = page_->charts().group();
    EXPECT_EQ(group.cursor(), 1000.0);
    // Every axis has the same moment.
    group.setXAxis(models::XAxis::kEpoch);
    ASSERT_TRUE(group.cursor());
    EXPECT_NEAR(*group.cursor(), 1000.0 / 469, 1e-9);
    group.setXAxis(models::XAxis::kRelative);
    ASSERT_TRUE(group.cursor());
    const double seconds = *group.cursor();
    EXPECT_GT(seconds, 1);
    group.setXAxis(models::XAxis::kWall);
    EXPECT_NEAR(*group.cursor() - seconds, static_cast<double>(studio_.createdUnixNs()) * 1e-9, 1);
    group.setXAxis(models::XAxis::kStep);
    EXPECT_EQ(group.cursor(), 1000.0);
    EXPECT_TRUE(text("timeFacts").find("1,000") != std::string::npos) << text("timeFacts");
    EXPECT_FALSE(shown.isEmpty());
    slider->setValue(1500);
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 3; })) << "forward again";
    slider->setValue(938);
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 2; })) << "with what was saved behind this step";
    slider->setValue(slider->maximum());
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 4; })) << "as the run ended";
    slider->setValue(1500);
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 3; }));
    find("timeBranch")->click();
    ASSERT_EQ(branch.size(), 1);
    EXPECT_TRUE(branch.front().at(1).toString().endsWith('3')) << branch.front().at(1).toString().toStdString();
    EXPECT_EQ(branch.front().at(2).toLongLong(), 3) << "epochs lie behind it";
    find("timeNow")->click();
    EXPECT_TRUE(waitUntil([&] { return checkpoints->rowCount() == 4; }));
    EXPECT_FALSE(slider->isVisible());
    EXPECT_FALSE(page_->charts().group().cursor());
}

TEST_F(MonitorPageTest, CopiesWhereTheFolderIsOfARunThatAnotherComputerHas) {
    startTraining({}, 60);
    auto* menu = find<QToolButton>("monitorMore")->menu();
    const auto actionOf = [&](const QString& begin) {
        emit menu->aboutToShow();
        const QList<QAction*> all = menu->actions();
        const auto found = std::find_if(all.begin(), all.end(), [&](const QAction* one) { return one->text().startsWith(begin); });
        return found == all.end() ? nullptr : *found;
    };
    const QTemporaryDir folder;
    const auto moveTo = [&](const QString& run_dir) {
        {
            const std::lock_guard lock(studio_.world().mutex);
            studio_.world().runs.front().run_dir = run_dir.toStdString();
            studio_.world().runs.front().followed = true;
        }
        studio_.session().runs().refresh();
        return waitUntil([&] { return studio_.session().runs().current()->summary().run_dir == run_dir; });
    };
    ASSERT_TRUE(moveTo(folder.path()));
    EXPECT_TRUE(actionOf("Open the run's folder")->isEnabled());
    EXPECT_EQ(actionOf("Copy where"), nullptr) << "it is here";
    QFile note(folder.filePath("far_run.json"));
    ASSERT_TRUE(note.open(QIODevice::WriteOnly));
    note.write(R"({"host": "login", "run": "7", "folder": "/home/ann/mnist-run", "here": ")" + QByteArray::fromStdString(studio_.runId()) +
               R"("})");
    note.close();
    EXPECT_TRUE(actionOf("Open the copies on this computer")->isEnabled());
    ASSERT_NE(actionOf("Copy where"), nullptr);
    EXPECT_EQ(actionOf("Copy where")->text(), "Copy where its folder is: login:/home/ann/mnist-run");
    actionOf("Copy where")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(), "login:/home/ann/mnist-run");
    // Of an agent of another computer, which this one reaches by a tunnel.
    ASSERT_TRUE(moveTo("/no/such/folder"));
    EXPECT_FALSE(actionOf("Open the copies on this computer")->isEnabled());
    EXPECT_EQ(actionOf("Copy where")->text(), "Copy where its folder is: studio:/no/such/folder");
}

TEST_F(MonitorPageTest, OffersToLaunchBeforeTheFirstRun) {
    EXPECT_EQ(text("monitorTitle"), "Monitor");
    ASSERT_TRUE(find("emptyLaunch")->isVisible());
    EXPECT_TRUE(waitUntil([&] { return find("emptyLaunch")->isEnabled(); })) << studio_.session().launcher().obstacle().toStdString();
    shoot("monitor-empty");
    find("emptyLaunch")->click();
    EXPECT_TRUE(waitUntil([&] { return studio_.session().runs().current() != nullptr; }));
    EXPECT_FALSE(find("emptyLaunch")->isVisible());
}

TEST_F(MonitorPageTest, ShowsProgressCurvesAndTasksOfARunningRun) {
    startTraining({}, 48.5);
    EXPECT_TRUE(waitUntil([&] { return text("monitorEpoch") == "Epoch 8 of 12"; })) << text("monitorEpoch");
    EXPECT_EQ(text("monitorSteps"), "step 312 of 469 \u00b7 3,595 of 5,628 in all");
    EXPECT_NE(text("monitorTimes").find("63.9 %"), std::string::npos) << text("monitorTimes");
    EXPECT_NE(text("monitorTimes").find("left"), std::string::npos) << text("monitorTimes");
    EXPECT_EQ(find<widgets::StatusPill>("monitorState")->text(), "Training");
    for (charts::ChartCard* card : page_->charts().cards()) EXPECT_FALSE(card->isEmpty()) << card->objectName().toStdString();
    EXPECT_EQ(page_->charts().cards()[0]->series(1).size(), 7u) << "one validation point an epoch";
    EXPECT_TRUE(waitUntil([&] {
        return find<QListView>("taskList")->model()->rowCount() == 2 && find<QListView>("checkpointList")->model()->rowCount() == 7;
    }));
    QTest::mouseMove(page_->charts().cards()[0]->findChild<QWidget*>("chartLossPlot"), QPoint(200, 100));
    shoot("monitor");
    page_->setNarrow(true);
    page_->resize(1024, 620);
    shoot("monitor-narrow");
}

// A run may have the colour of a worker: of curves beside each other each has its own.
TEST_F(MonitorPageTest, TheTotalHasAColourThatNoWorkersCurveHas) {
    startTraining({.steps = 400}, 8);
    const theme::Theme& t = themes_.theme();
    const std::vector<QColor> workers = {t.taskColor({"worker", 0}), t.taskColor({"worker", 1})};
    const auto of_worker = std::find(t.series.begin(), t.series.end(), workers[0]) - t.series.begin();
    session::Runs& runs = studio_.session().runs();
    runs.setColor(runs.current()->id(), static_cast<int>(of_worker), 0);
    ASSERT_TRUE(waitUntil([&] { return t.seriesColor(runs.current()->summary().color) == workers[0]; }));
    find<QComboBox>("monitorWorkers")->setCurrentIndex(1);
    auto* throughput = page_->findChild<charts::ChartCard*>("chartThroughput");
    ASSERT_NE(throughput, nullptr);
    ASSERT_TRUE(waitUntil([&] { return throughput->seriesCount() == 3; })) << throughput->seriesCount();
    const auto shown = [&](const QColor& color) {
        const QImage picture = throughput->grab().toImage();
        for (int y = 0; y < picture.height(); ++y) {
            for (int x = 0; x < picture.width(); ++x) {
                if (picture.pixelColor(x, y) == color) return true;
            }
        }
        return false;
    };
    EXPECT_TRUE(waitUntil([&] { return shown(workers[0]) && shown(workers[1]); }));
    const bool has_own = std::any_of(t.series.begin(), t.series.end(), [&](const QColor& one) {
        return std::find(workers.begin(), workers.end(), one) == workers.end() && shown(one);
    });
    EXPECT_TRUE(has_own);
    shoot("monitor-throughput-each");
}

TEST_F(MonitorPageTest, PausesStepsResumesAndStopsByItsButtonsAndKeys) {
    startTraining({.steps = 200}, 4);
    find("monitorPause")->click();
    EXPECT_TRUE(waitUntil([&] { return controls().size() == 1; }));
    studio_.world().setState(studio_.runId(), engine::run::RunState::kPaused);
    ASSERT_TRUE(
        studio_.feed({{0, studio_.createdUnixNs() + 5'000'000'000, {"worker", 0}, engine::spec::StateChanged{TaskState::kPaused, {}}},
                      {0, studio_.createdUnixNs() + 5'000'000'000, {"worker", 1}, engine::spec::StateChanged{TaskState::kPaused, {}}}}));
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->state() == session::RunState::kPaused; }));
    ASSERT_TRUE(waitUntil([&] { return find("monitorStep")->isEnabled(); }));
    EXPECT_EQ(find("monitorPause")->text(), "Resume");
    shoot("monitor-paused");
    QTest::keyClick(page_.get(), Qt::Key_Right);
    EXPECT_TRUE(page_->handleSpace());
    find("monitorStop")->click();
    EXPECT_TRUE(waitUntil([&] { return controls().size() == 4; }));
    const auto all = controls();
    EXPECT_EQ(all[0].verb, ControlVerb::kPause);
    EXPECT_EQ(all[1].verb, ControlVerb::kStep);
    EXPECT_EQ(all[2].verb, ControlVerb::kResume);
    EXPECT_EQ(all[3].verb, ControlVerb::kStop);
}

TEST_F(MonitorPageTest, ShowsOneChartInFullSizeUntilEscape) {
    startTraining({.steps = 200}, 4);
    charts::ChartCard* loss = page_->charts().cards()[0];
    charts::ChartCard* rate = page_->charts().cards()[2];
    emit loss->expandWanted();
    EXPECT_TRUE(loss->isVisible());
    EXPECT_FALSE(rate->isVisible());
    QTest::keyClick(loss, Qt::Key_Escape);
    EXPECT_TRUE(rate->isVisible());
    emit loss->expandWanted();
    ASSERT_FALSE(rate->isVisible());
    QTest::keyClick(page_.get(), Qt::Key_Escape);
    EXPECT_TRUE(rate->isVisible()) << "with the focus beside the charts";
}

TEST_F(MonitorPageTest, AppliesALearningRateAndRefusesWhatIsNone) {
    startTraining({.steps = 200}, 4);
    auto* rate = find<QLineEdit>("monitorRate");
    ASSERT_TRUE(waitUntil([&] { return rate->text() == "1e-3"; })) << rate->text().toStdString();
    rate->selectAll();
    QTest::keyClicks(rate, "fast");
    EXPECT_FALSE(find("monitorApplyRate")->isEnabled());
    EXPECT_TRUE(rate->property("invalid").toBool());
    rate->selectAll();
    QTest::keyClicks(rate, "5e-4");
    find("monitorApplyRate")->click();
    ASSERT_TRUE(waitUntil([&] { return controls().size() == 1; }));
    EXPECT_EQ(controls()[0].verb, ControlVerb::kSetLearningRate);
    EXPECT_DOUBLE_EQ(controls()[0].value, 5e-4);
}

TEST_F(MonitorPageTest, NamesTheTaskThatIsMissing) {
    ASSERT_TRUE(studio_.launch(8.1));
    ASSERT_TRUE(studio_.feed(
        {{0, studio_.createdUnixNs(), {"worker", 0}, engine::spec::StateChanged{TaskState::kReady, "listening; cluster fits; MNIST open"}},
         {0, studio_.createdUnixNs(), {"worker", 1}, engine::spec::StateChanged{TaskState::kNotStarted, "nothing listens on its port"}}}));
    EXPECT_TRUE(waitUntil([&] { return find<widgets::StatusPill>("monitorState")->text() == "Waiting for worker 1"; }))
        << find<widgets::StatusPill>("monitorState")->text().toStdString();
    EXPECT_TRUE(find<QWidget>("waitingCard")->isVisible());
    shoot("monitor-waiting");
}

TEST_F(MonitorPageTest, ShowsTheFirstFailureWithItsLastLinesAndTheWayToTheLog) {
    startTraining({.steps = 2131}, 30);
    TaskLogPane logs(studio_.session().runs(), themes_);
    engine::spec::TaskFailed failed{"killed by signal 9 (SIGKILL)", -1, 9, {"step 2,130 took 13.3 ms", "step 2,131 took 13.2 ms"}};
    ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs() + 29'421'000'000, {"worker", 1}, failed}}));
    studio_.world().setState(studio_.runId(), engine::run::RunState::kFailed, "worker 1: killed by signal 9 (SIGKILL)");
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->state() == session::RunState::kFailed; }));
    ASSERT_TRUE(waitUntil([&] { return find<QWidget>("failureCard")->isVisible(); }));
    EXPECT_EQ(text("failureLines"), "step 2,130 took 13.3 ms\nstep 2,131 took 13.2 ms");
    QSignalSpy wanted(page_.get(), &MonitorPage::taskLogRequested);
    find("failureLog")->click();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted[0][0].value<engine::spec::TaskId>(), (engine::spec::TaskId{"worker", 1}));
    EXPECT_NEAR(wanted[0][1].toDouble(), 29.37, 0.01);
    QSignalSpy explained(page_.get(), &Page::explainRequested);
    find("failureExplain")->click();
    ASSERT_EQ(explained.count(), 1);
    EXPECT_EQ(explained[0][0].toString(), "TDM-R006") << "what the manual says of tasks that are lost";
    shoot("monitor-failure");
}

TEST_F(MonitorPageTest, LogsOfTheNextRunAreFilteredAsTheChoiceSays) {
    startTraining({.steps = 100}, 3);
    TaskLogPane logs(studio_.session().runs(), themes_);
    auto* task = logs.findChild<QComboBox*>("logTask");
    auto* list = logs.findChild<QListView*>("logList");
    ASSERT_TRUE(task != nullptr && list != nullptr);
    ASSERT_EQ(task->count(), 3) << "all, and two workers";
    task->setCurrentIndex(1);
    emit task->activated(1);
    const int of_one = list->model()->rowCount();
    const std::string before = studio_.runId();
    studio_.world().setState(before, engine::run::RunState::kDone, "");
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->state() == session::RunState::kDone; }));
    studio_.session().launcher().launch();
    ASSERT_TRUE(waitUntil([&] { return studio_.runId() != before; }));
    ASSERT_TRUE(studio_.feed(tests::eventsOf({.steps = 100}, studio_.createdUnixNs())));
    ASSERT_TRUE(waitUntil([&] { return list->model()->rowCount() >= of_one; }));
    ASSERT_EQ(task->currentIndex(), 1) << "it still says worker 0";
    EXPECT_EQ(list->model()->rowCount(), of_one) << "and lists nobody else's lines";
    task->setCurrentIndex(0);
    emit task->activated(0);
    EXPECT_GT(list->model()->rowCount(), of_one);
}

TEST_F(MonitorPageTest, LeadsToTheStepAtWhichALayerDiedAndDrawsLayersInFull) {
    startTraining({.steps = 400}, 6);
    std::vector<engine::spec::TaskEvent> reports;
    for (const std::int64_t step : {100, 200, 300}) {
        engine::spec::LayerReport report = tests::sampleLayers(step);
        report.layers[1].dead_units = 64;
        reports.push_back({.sequence = 0, .time_unix_ns = studio_.createdUnixNs(), .task = {"worker", 0}, .body = report});
    }
    ASSERT_TRUE(studio_.feed(reports));
    auto* list = page_->findChild<FindingList*>("anomalyList");
    ASSERT_TRUE(waitUntil([&] { return list->rows() == 1; }));
    emit list->fixWanted(0);
    EXPECT_EQ(page_->charts().group().cursor(), 100.0);
    QStringList keys;
    for (const auto& [key, title] : page_->charts().addable()) keys << key;
    EXPECT_TRUE(keys.contains("layers/dead_share")) << keys.join(' ').toStdString();
    EXPECT_FALSE(keys.contains("run/dense/dead_share")) << "all layers share a chart";
    emit page_->findChild<charts::ChartCard*>("small_dead_share")->expandWanted();
    ASSERT_EQ(page_->charts().order().size(), 5u);
    charts::ChartCard* dead = page_->charts().order().back();
    EXPECT_EQ(dead->title(), "Dead units by layer");
    ASSERT_EQ(dead->seriesCount(), 2);
    EXPECT_EQ(dead->series(1).at(2).value, 100);
    EXPECT_EQ(page_->charts().addedCharts(), QStringList{"layers/dead_share"});
    shoot("monitor-layers");
}

TEST_F(MonitorPageTest, ShowsEachTagOfARunOfEventFiles) {
    session::RunSummary summary;
    summary.id = summary.name = QStringLiteral("sgd");
    summary.state = session::RunState::kTraining;
    summary.created_unix_ns = 1'000'000'000;
    summary.imported_from = QStringLiteral("/logs/sgd");
    summary.followed = true;
    session::RunRecord run(summary);
    const auto points = [](const char* task, bool aggregated, std::vector<engine::spec::Column> columns) {
        engine::spec::StepPoints pack;
        pack.step = {1, 2};
        pack.epoch = {0, 0};
        pack.time_unix_ns = {1'000'000'000, 2'000'000'000};
        pack.aggregated = aggregated;
        pack.columns = std::move(columns);
        return engine::spec::TaskEvent{0, 2'000'000'000, {task, aggregated ? 0 : 1}, std::move(pack)};
    };
    run.ingest({points("worker", true, {{"Loss/train", {1, 2}}, {"lr", {3, 4}}, {"Loss/test", {5, 5}}}),
                points("curves", false, {{"Loss/test", {6, 7}}})});
    run.flush();
    MonitorCharts charts(themes_);
    charts.resize(1200, 800);
    charts.show();
    charts.setRun(&run);
    std::vector<std::string> shown;
    for (const charts::ChartCard* card : charts.order()) {
        if (card->isVisibleTo(&charts)) shown.push_back(card->title().toStdString());
    }
    EXPECT_EQ(shown, (std::vector<std::string>{"Loss/train", "lr", "Loss/test"}))
        << "neither loss nor rate nor throughput, which are not told";
    EXPECT_TRUE(charts.chartsToKeep().isEmpty()) << "they go with the run";
    session::RunSummary other;
    other.id = QStringLiteral("own");
    const session::RunRecord own(other);
    charts.setRun(&own);
    EXPECT_TRUE(charts.addedCharts().isEmpty());
    charts.setRun(nullptr);
}

// The window answers between two turns.
TEST_F(MonitorPageTest, DrawsALongRunInSeveralTurns) {
    session::RunSummary summary;
    summary.id = QStringLiteral("long");
    session::RunRecord run(summary);
    constexpr std::size_t kSteps = 2 * RunChartFeed::kMostRows + 5;
    engine::spec::StepPoints pack;
    for (std::size_t i = 1; i <= kSteps; ++i) {
        pack.step.push_back(static_cast<std::int64_t>(i));
        pack.epoch.push_back(0);
        pack.time_unix_ns.push_back(static_cast<std::int64_t>(i) * 1'000'000);
    }
    pack.aggregated = true;
    pack.columns = {{"loss", std::vector<float>(kSteps, 0.5F)}};
    run.ingest({engine::spec::TaskEvent{0, 2'000'000'000, {"worker", 0}, std::move(pack)}});
    run.flush();
    ASSERT_EQ(run.global().size(), kSteps);
    MonitorCharts charts(themes_);
    charts.show();
    charts.setRun(&run);
    const models::Series& loss = charts.cards().front()->series(0);
    EXPECT_EQ(loss.size(), RunChartFeed::kMostRows);
    ASSERT_TRUE(waitUntil([&] { return loss.size() == kSteps; }));
    EXPECT_EQ(loss.at(kSteps - 1).step, static_cast<std::int64_t>(kSteps));
    charts.setRun(nullptr);
}

TEST_F(MonitorPageTest, AddsMovesAndRemovesChartsOfWhatIsStreamed) {
    startTraining({.steps = 400}, 6);
    MonitorCharts& charts = page_->charts();
    QStringList keys;
    QStringList titles;
    for (const auto& [key, title] : charts.addable()) {
        keys << key;
        titles << title;
    }
    for (const HostChart& chart : hostCharts()) EXPECT_FALSE(titles.contains(chart.title)) << "said twice: " << chart.title.toStdString();
    EXPECT_TRUE(keys.contains("task/wait_us")) << keys.join(' ').toStdString();
    charts.addChart("task/wait_us");
    ASSERT_EQ(charts.order().size(), 5u);
    charts::ChartCard* wait = charts.order().back();
    EXPECT_EQ(wait->seriesCount(), 2) << "one line a worker";
    EXPECT_FALSE(wait->isEmpty());
    EXPECT_FLOAT_EQ(wait->series(1).at(0).value, 0.5F) << "milliseconds";
    charts.addChart("task/wait_us");
    EXPECT_EQ(charts.order().size(), 5u) << "one that is there is not added again";
    shoot("monitor-added");
    charts.moveChart(wait, -4);
    EXPECT_EQ(charts.order().front(), wait);
    EXPECT_EQ(charts.addedCharts(), QStringList{"task/wait_us"});
    charts.removeChart("task/wait_us");
    EXPECT_EQ(charts.order().size(), 4u);
}

TEST_F(MonitorPageTest, ARunWithServersIsCountedInStepsOfAllWorkers) {
    ASSERT_TRUE(studio_.session().project().openStarter(QStringLiteral("book_parameter_servers")));
    ASSERT_TRUE(studio_.launch(49));
    tests::ServedRunOptions options;
    options.created_unix_ns = studio_.createdUnixNs();
    ASSERT_TRUE(studio_.feed(tests::sampleServedRun(options)));
    studio_.world().setState(studio_.runId(), engine::run::RunState::kTraining);
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->state() == session::RunState::kTraining; }));
    studio_.session().runs().current()->flush();
    EXPECT_TRUE(waitUntil([&] { return text("monitorEpoch") == "Step 3,600 of 5,000"; })) << text("monitorEpoch");
    EXPECT_EQ(text("monitorSteps"), "of all workers");
    EXPECT_NE(text("monitorTitle").find("3 workers"), std::string::npos) << text("monitorTitle");
    const auto* axis = find<QComboBox>("monitorXAxis");
    EXPECT_EQ(axis->itemText(0), "Global step");
    EXPECT_EQ(axis->findText("Epoch"), -1) << "it has one epoch";
    EXPECT_EQ(find<QComboBox>("monitorWorkers")->itemText(0), "Chief");

    MonitorCharts& charts = page_->charts();
    ASSERT_EQ(charts.addedCharts(), QStringList{"task/staleness"});
    EXPECT_TRUE(charts.chartsToKeep().isEmpty()) << "it goes with the run";
    ASSERT_EQ(charts.order().size(), 5u);
    charts::ChartCard* staleness = charts.order()[2];
    EXPECT_EQ(staleness->seriesCount(), 3) << "one curve a worker";
    EXPECT_FALSE(staleness->isEmpty());
    shoot("monitor-servers");
    const models::Series& total = charts.cards()[3]->series(0);
    ASSERT_GT(total.size(), 10u);
    EXPECT_NEAR(total.at(total.size() - 1).value, 75 * 50, 60) << "images of all workers";

    const std::string served = studio_.runId();
    studio_.world().setState(served, engine::run::RunState::kDone);
    studio_.session().runs().refresh();
    ASSERT_TRUE(waitUntil([&] { return !studio_.session().runs().hasActive(); }));
    ASSERT_TRUE(studio_.openTwoWorkers());
    studio_.session().launcher().launch();
    ASSERT_TRUE(waitUntil([&] { return studio_.runId() != served; }));
    EXPECT_TRUE(charts.addedCharts().isEmpty());
    EXPECT_EQ(axis->itemText(0), "Step");
    EXPECT_GE(axis->findText("Epoch"), 0);
}

TEST_F(MonitorPageTest, MarksSpeakTheLanguageThatIsChosenLater) {
    StudioTranslator translator;
    translator.setLanguage("en");
    const auto speak = [&](const char* language) {
        translator.setLanguage(language);
        QEvent changed(QEvent::LanguageChange);
        QApplication::sendEvent(page_.get(), &changed);
    };
    startTraining({.steps = 1500}, 24);
    ASSERT_TRUE(studio_.feed({{0,
                               studio_.createdUnixNs() + 23'000'000'000,
                               {"worker", 1},
                               engine::spec::TaskFailed{"killed by signal 9 (SIGKILL)", -1, 9, {}}}}));
    studio_.world().setState(studio_.runId(), engine::run::RunState::kFailed, "worker 1: killed by signal 9 (SIGKILL)");
    ASSERT_TRUE(waitUntil([&] { return find<QWidget>("failureTimeline")->isVisible(); })) << "the page has heard of it";
    charts::ChartCard* rate = page_->charts().cards()[2];
    // What the keyboard's way from mark to mark tells, which is what the flags and their tooltips say.
    const auto told = [rate](Qt::KeyboardModifier modifier) {
        QTest::keyClick(rate, Qt::Key_M, modifier);
        return rate->accessibleDescription();
    };
    EXPECT_TRUE(told(Qt::NoModifier).startsWith("epoch 4: learning rate 1e-4 from step 1,408\n"))
        << rate->accessibleDescription().toStdString();
    EXPECT_TRUE(told(Qt::NoModifier).startsWith("worker 1 lost: ")) << rate->accessibleDescription().toStdString();
    speak("ko");
    EXPECT_TRUE(told(Qt::ShiftModifier).startsWith(QString::fromUtf8("에포크 4: 스텝 1,408부터 학습률 1e-4\n")))
        << rate->accessibleDescription().toStdString();
    EXPECT_TRUE(told(Qt::NoModifier).startsWith(QString::fromUtf8("worker 1 끊김: "))) << rate->accessibleDescription().toStdString();
    speak("en");
    EXPECT_TRUE(told(Qt::ShiftModifier).startsWith("epoch 4: ")) << rate->accessibleDescription().toStdString();
}

TEST_F(MonitorPageTest, ShowsWhatTheComputerUsesWhileItTrains) {
    startTraining({}, 48.5);
    auto* host = find<HostLoadView>("hostLoad");
    ASSERT_TRUE(waitUntil([&] { return host->isVisible(); })) << "its place is there from the start";
    ASSERT_EQ(host->rows().size(), 4u);
    EXPECT_EQ(host->rows()[0].value, QString::fromUtf8("—"));
    studio_.world().addLoads(tests::sampleLoads(studio_.runId(), studio_.createdUnixNs(), 51));
    ASSERT_TRUE(waitUntil([&] { return host->rows()[0].course.size() == 51; }));
    EXPECT_TRUE(host->rows()[0].value.endsWith(" of 8 cores")) << host->rows()[0].value.toStdString();
    EXPECT_TRUE(host->accessibleName().contains("MB/s")) << host->accessibleName().toStdString();
    const QAbstractItemModel* tasks = find<QListView>("taskList")->model();
    EXPECT_EQ(tasks->index(0, 0).data(models::TaskListModel::kCpuTextRole).toString(), "3.67 of 2 cores") << "as the agent measured it";
    shoot("monitor-host");
    page_->setNarrow(true);
    page_->resize(1024, 620);
    shoot("monitor-host-narrow");
}

TEST_F(MonitorPageTest, DrawsWhatTheComputerUsedOverTheSteps) {
    startTraining({}, 48.5);
    MonitorCharts& charts = page_->charts();
    const auto keys = [&] {
        QStringList all;
        for (const auto& [key, title] : charts.addable()) all << key;
        return all;
    };
    EXPECT_FALSE(keys().contains("host/cpu_cores")) << "nothing was measured yet";
    studio_.world().addLoads(tests::sampleLoads(studio_.runId(), studio_.createdUnixNs() - 5'000'000'000, 45));
    ASSERT_TRUE(waitUntil([&] { return studio_.session().host().history().loads().size() == 45; }));
    ASSERT_TRUE(keys().contains("host/cpu_cores") && keys().contains("host/network_bytes")) << keys().join(' ').toStdString();
    charts.addChart("host/cpu_cores");
    charts.addChart("host/network_bytes");
    charts::ChartCard* cpu = charts.order()[4];
    ASSERT_EQ(cpu->seriesCount(), 2) << "all programs, and the tasks";
    EXPECT_EQ(charts.order()[5]->seriesCount(), 3);
    ASSERT_GT(cpu->series(0).size(), 30u) << "one point a second of the run, none of before";
    EXPECT_LT(cpu->series(0).size(), 42u);
    const auto point = cpu->series(0).at(20);
    const double seconds = static_cast<double>(point.time_unix_ns - studio_.createdUnixNs()) * 1e-9;
    const auto& run = studio_.session().runs().current()->global();
    const auto row = std::upper_bound(run.time_s.begin(), run.time_s.end(), seconds) - run.time_s.begin() - 1;
    EXPECT_EQ(point.step, static_cast<std::int64_t>(run.step[static_cast<std::size_t>(row)])) << "the step of its moment";
    const std::size_t before = cpu->series(0).size();
    studio_.world().addLoads(tests::sampleLoads(studio_.runId(), studio_.createdUnixNs() + 40'000'000'000, 6));
    EXPECT_TRUE(waitUntil([&] { return cpu->series(0).size() == before + 6; }));
    shoot("monitor-host-charts");
}

TEST_F(MonitorPageTest, GoesOnWithoutAWorkerThatDoesNotCome) {
    ASSERT_TRUE(studio_.launch(8.1));
    ASSERT_TRUE(studio_.feed(
        {{0, studio_.createdUnixNs(), {"worker", 0}, engine::spec::StateChanged{TaskState::kReady, "listening"}},
         {0, studio_.createdUnixNs(), {"worker", 1}, engine::spec::StateChanged{TaskState::kNotStarted, "nothing listens on its port"}}}));
    ASSERT_TRUE(waitUntil([&] { return find("waitingGoOn")->isVisible() && find("waitingGoOn")->isEnabled(); }))
        << find("waitingGoOn")->toolTip().toStdString();
    find("waitingStart")->click();
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith("TF_CONFIG=")) << QGuiApplication::clipboard()->text().toStdString();
    const auto asked = [this] {
        const std::lock_guard lock(studio_.world().mutex);
        return studio_.world().submits;
    };
    ASSERT_EQ(asked().size(), 1u);
    find("waitingGoOn")->click();
    ASSERT_TRUE(waitUntil([&] { return controls().size() == 1; }));
    EXPECT_EQ(controls()[0].verb, ControlVerb::kStopNow);
    studio_.world().setState(studio_.runId(), engine::run::RunState::kStopped);
    studio_.session().runs().refresh();
    ASSERT_TRUE(waitUntil([&] { return asked().size() == 2; })) << "launched once the first one is over";
    EXPECT_TRUE(asked()[1].run.cluster.spec.empty()) << "one worker has no cluster";
}

TEST_F(MonitorPageTest, CountsTheTasksOfARunThatIsOverAsDone) {
    startTraining({.steps = 500}, 30);
    EXPECT_TRUE(text("monitorTasksState").ends_with(" of 2 ready")) << text("monitorTasksState");
    const std::int64_t end = studio_.createdUnixNs() + 20'000'000'000;
    std::vector<engine::spec::TaskEvent> events(2);
    for (int worker = 0; worker < 2; ++worker) {
        auto& event = events[static_cast<std::size_t>(worker)];
        event.time_unix_ns = end;
        event.task = {"worker", worker};
        event.body = engine::spec::StateChanged{engine::spec::TaskState::kDone, {}};
    }
    ASSERT_TRUE(studio_.feed(events));
    studio_.world().setState(studio_.runId(), engine::run::RunState::kDone);
    EXPECT_TRUE(waitUntil([&] { return text("monitorTasksState") == "2 of 2 done"; })) << text("monitorTasksState");
}

TEST_F(MonitorPageTest, TellsOfTheFirstFailureByOneClock) {
    startTraining({.steps = 1000}, 30);
    const std::int64_t failure = studio_.createdUnixNs() + 14'000'000'000;
    ASSERT_TRUE(studio_.feed({{0, failure, {"worker", 1}, engine::spec::TaskFailed{"killed by signal 9 (SIGKILL)", -1, 9, {}}},
                              {0, failure + 9'000'000, {"worker", 0}, engine::spec::StateChanged{TaskState::kWaiting, "worker 1"}},
                              {0, failure + 31'000'000, {"worker", 0}, engine::spec::StateChanged{TaskState::kStopped, {}}}}));
    const FailureStory story = failureStory(*studio_.session().runs().current());
    ASSERT_EQ(story.tasks.size(), 2u);
    EXPECT_FALSE(story.tasks[0].failed);
    EXPECT_TRUE(story.tasks[1].failed);
    EXPECT_EQ(story.tasks[1].words, "killed +0 ms");
    EXPECT_TRUE(story.tasks[0].words.contains("+9 ms")) << story.tasks[0].words.toStdString();
    ASSERT_EQ(story.tasks[0].stretches.size(), 3u) << "training, waiting, stopped";
    EXPECT_EQ(story.tasks[0].stretches[1].state, TaskState::kWaiting);
    EXPECT_DOUBLE_EQ(story.tasks[0].stretches[1].from_ms, 9);
    EXPECT_DOUBLE_EQ(story.tasks[0].stretches[1].to_ms, 31);
    studio_.world().setState(studio_.runId(), engine::run::RunState::kFailed, "worker 1: killed");
    ASSERT_TRUE(waitUntil([&] { return find<QWidget>("failureTimeline")->isVisible(); }));
    EXPECT_TRUE(find("monitorRestart")->isVisible());
    EXPECT_TRUE(find("monitorRestart")->isEnabled())
        << "the starter project keeps a backup: " << find("monitorRestart")->toolTip().toStdString();
    EXPECT_TRUE(find("monitorFewer")->isEnabled()) << find("monitorFewer")->toolTip().toStdString();
    find("monitorRestart")->click();
    ASSERT_TRUE(waitUntil([&] {
        const std::lock_guard lock(studio_.world().mutex);
        return studio_.world().submits.size() == 2;
    }));
    EXPECT_EQ(studio_.world().submits[1].run_dir, "/runs/run-1") << "where the backup is";
    const auto* run = studio_.session().runs().current();
    ASSERT_TRUE(waitUntil([&] { return run->state() == session::RunState::kStarting; }));
    EXPECT_EQ(studio_.runId(), "run-1") << "the same run";
    ASSERT_TRUE(studio_.feed({{0, failure + 60'000'000'000, {"worker", 0}, engine::spec::AttemptStarted{2, 5, true, "failed", true}},
                              {0, studio_.createdUnixNs(), {"worker", 0}, engine::spec::StateChanged{TaskState::kReady, {}}},
                              {0, studio_.createdUnixNs(), {"worker", 1}, engine::spec::StateChanged{TaskState::kReady, {}}}}));
    const auto* pill = find<widgets::StatusPill>("monitorState");
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Restarting (attempt 2)"; })) << pill->text().toStdString();
    shoot("monitor-restarting");
}

TEST_F(MonitorPageTest, NamesATaskThatGivesNoSignOfLife) {
    startTraining({.steps = 1000}, 14);
    ASSERT_TRUE(studio_.feed({{0,
                               studio_.createdUnixNs() + 18'000'000'000,
                               {"worker", 1},
                               engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence}}}));
    const auto* pill = find<widgets::StatusPill>("monitorState");
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Waiting for worker 1"; })) << pill->text().toStdString();
    EXPECT_TRUE(waitUntil([&] { return page_->findChild<RingView*>()->accessibleName().contains("worker 1 does not answer"); }))
        << page_->findChild<RingView*>()->accessibleName().toStdString();
    shoot("monitor-silent");
    ASSERT_TRUE(
        studio_.feed({{0, studio_.createdUnixNs() + 19'000'000'000, {"worker", 1}, engine::spec::StateChanged{TaskState::kTraining, {}}}}));
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Training"; })) << "it is heard again";
}

TEST_F(MonitorPageTest, NamesATaskThatFallsSilentBeforeTheFirstStep) {
    ASSERT_TRUE(studio_.launch(8.1));
    const engine::spec::StateChanged silent{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence};
    for (const auto& change : {engine::spec::StateChanged{TaskState::kReady, "listening"}, silent}) {
        ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs(), {"worker", 1}, change}}));
    }
    ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs(), {"worker", 0}, engine::spec::StateChanged{TaskState::kReady, "listening"}}}));
    const auto* pill = find<widgets::StatusPill>("monitorState");
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Waiting for worker 1"; })) << pill->text().toStdString();
    EXPECT_TRUE(waitUntil([this] { return find("waitingGoOn")->isVisible(); }));
    EXPECT_FALSE(find("waitingStart")->isVisible()) << "it is there, its port is taken";
    ASSERT_TRUE(
        studio_.feed({{0, studio_.createdUnixNs(), {"worker", 1}, engine::spec::StateChanged{TaskState::kReady, "it is heard again"}}}));
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Waiting for the first step"; })) << pill->text().toStdString();
}

TEST_F(MonitorPageTest, NamesATaskThatFallsSilentWhileItConnectsAndWhy) {
    ASSERT_TRUE(studio_.launch(8.1));
    const auto tell = [this](int worker, engine::spec::StateChanged change) {
        return studio_.feed({{0, studio_.createdUnixNs(), {"worker", worker}, std::move(change)}});
    };
    const engine::spec::StateChanged waits{TaskState::kWaiting, "waiting for worker 1 (5 s of 600 s)", WaitCause::kPeers, {{"worker", 1}}};
    ASSERT_TRUE(tell(0, {TaskState::kConnecting, "listening"}));
    ASSERT_TRUE(tell(1, {TaskState::kConnecting, "listening"}));
    const auto* pill = find<widgets::StatusPill>("monitorState");
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Waiting for worker 0, worker 1"; })) << pill->text().toStdString();
    ASSERT_TRUE(tell(0, waits));
    const auto* card = find<QWidget>("waitingCard");
    EXPECT_TRUE(waitUntil([&] { return card->accessibleName() == "Waiting for worker 1"; })) << card->accessibleName().toStdString();
    static const QRegularExpression kNotMet(
        "^worker 0: it is there and waits for worker 1\nworker 1: it runs, but has not met worker 0\nfails in \\d+:\\d\\d");
    EXPECT_TRUE(card->accessibleDescription().contains(kNotMet)) << card->accessibleDescription().toStdString();
    ASSERT_TRUE(tell(1, {TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence}));
    static const QRegularExpression kSilent(
        "^worker 0: it is there and waits for worker 1\nworker 1: it hangs or was stopped: no heartbeat for \\d+ s\ngiven up in 0:0");
    EXPECT_TRUE(waitUntil([&] { return card->accessibleDescription().contains(kSilent); })) << card->accessibleDescription().toStdString();
    EXPECT_EQ(pill->text(), "Waiting for worker 1");
    EXPECT_FALSE(find("waitingStart")->isVisible()) << "it is there, its port is taken";
    EXPECT_EQ(find<QPushButton>("waitingGoOn")->text(), "Go on with 1 worker(s)");  // as it stands before any translation
    shoot("monitor-waiting-silent");
    ASSERT_TRUE(tell(1, {TaskState::kReady, {}}));
    ASSERT_TRUE(tell(0, {TaskState::kReady, {}}));
    EXPECT_TRUE(waitUntil([&] { return pill->text() == "Waiting for the first step"; })) << pill->text().toStdString();
}

// The time that is told runs, and it is the time after which the run ends.
TEST_F(MonitorPageTest, CountsTheSilenceAndWhatIsLeftOfIt) {
    ASSERT_TRUE(studio_.launch(8.1));
    const auto* card = find<QWidget>("waitingCard");
    // What the card says of times, in seconds; -1: nothing.
    const auto told = [card](const char* words) {
        const QRegularExpression time(QStringLiteral("%1 (?:(\\d+):)?(\\d+)").arg(QLatin1String(words)));
        const auto match = time.match(card->accessibleDescription());
        return match.hasMatch() ? match.captured(1).toInt() * 60 + match.captured(2).toInt() : -1;
    };
    const auto says = [&](const char* words, int least, int most) {
        return waitUntil([&] { return told(words) >= least && told(words) <= most; });
    };
    EXPECT_TRUE(says("given up in", 0, 22)) << "nothing was heard yet: 30 seconds in all, " << card->accessibleDescription().toStdString();
    for (const int worker : {0, 1})
        ASSERT_TRUE(studio_.feed({{0,
                                   studio_.createdUnixNs() + 4'000'000'000,
                                   {"worker", worker},
                                   engine::spec::StateChanged{TaskState::kReady, "listening"}}}));
    EXPECT_TRUE(says("fails in", 300, 596)) << "of 600 seconds, " << card->accessibleDescription().toStdString();
    ASSERT_TRUE(studio_.feed({{0,
                               studio_.createdUnixNs() + 8'000'000'000,
                               {"worker", 1},
                               engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence}}}));
    ASSERT_TRUE(says("no heartbeat for", 4, 10'000)) << card->accessibleDescription().toStdString();
    const int silent = told("no heartbeat for"), left = told("given up in");
    EXPECT_NEAR(left, std::max(0, 10 - silent), 1) << card->accessibleDescription().toStdString();
    EXPECT_TRUE(says("no heartbeat for", silent + 1, 10'000)) << "it runs";
    EXPECT_TRUE(says("given up in", 0, std::max(0, left - 1)));
}

// A job in a queue starts when it starts: no time runs out, and nothing of it can be launched here.
TEST_F(MonitorPageTest, WaitsForSlurmWithoutALimit) {
    ASSERT_TRUE(studio_.launch(3600));
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().runs.front().followed = true;
    }
    studio_.session().runs().refresh();
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->summary().followed; }));
    ASSERT_TRUE(studio_.feed({{0,
                               studio_.createdUnixNs(),
                               {"worker", 0},
                               engine::spec::StateChanged{TaskState::kWaiting, "job 12 waits in Slurm's queue: Priority, place 2 of 3"}}}));
    const auto* card = find<QWidget>("waitingCard");
    EXPECT_TRUE(waitUntil([&] { return card->isVisible() && card->accessibleName() == "Waiting for Slurm"; }))
        << card->accessibleName().toStdString();
    EXPECT_EQ(card->accessibleDescription(),
              "worker 0: job 12 waits in Slurm's queue: Priority, place 2 of 3\nworker 1: nothing was heard of it yet");
    for (const char* one : {"waitingStart", "waitingLonger", "waitingGoOn"}) EXPECT_FALSE(find(one)->isVisible()) << one;
    EXPECT_EQ(find<widgets::StatusPill>("monitorState")->text(), "Waiting for Slurm");
    shoot("monitor-waiting-slurm");
    // Its tasks have begun and wait for each other.
    ASSERT_TRUE(studio_.feed(
        {{0, studio_.createdUnixNs() + 1'000'000'000, {"worker", 0}, engine::spec::StateChanged{TaskState::kConnecting, "listening"}}}));
    EXPECT_TRUE(waitUntil([&] { return card->accessibleDescription().contains("fails in"); }))
        << card->accessibleDescription().toStdString();
    EXPECT_FALSE(find("waitingGoOn")->isVisible());
}

// A run that was started again after a long pause waits since its last attempt began.
TEST_F(MonitorPageTest, CountsTheWaitOfAnAttemptFromItsOwnBeginning) {
    constexpr std::int64_t kSecond = 1'000'000'000;
    ASSERT_TRUE(studio_.launch(3600));
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().runs.front().idle_ns = 3590 * kSecond;
    }
    studio_.session().runs().refresh();
    ASSERT_TRUE(waitUntil([&] { return studio_.session().runs().current()->summary().idle_ns == 3590 * kSecond; }));
    ASSERT_TRUE(studio_.feed(
        {{0, studio_.createdUnixNs() + 3590 * kSecond, {"worker", 0}, engine::spec::AttemptStarted{2, 5, true, "stopped", true}}}));
    const auto* card = find<QWidget>("waitingCard");
    EXPECT_TRUE(waitUntil([&] { return card->isVisible() && card->accessibleDescription().contains("given up in 0:"); }))
        << card->accessibleDescription().toStdString();
}

// A run that was over for an hour: its curves go on at once in relative time and an hour later by the clock.
TEST_F(MonitorPageTest, RelativeTimeKnowsNoHourBetweenTwoAttempts) {
    constexpr std::int64_t kHour = 3600'000'000'000;
    startTraining({.steps = 400}, 7200);
    std::vector<engine::spec::TaskEvent> later = tests::eventsOf({.steps = 420}, studio_.createdUnixNs() + kHour);
    std::erase_if(later, [](const engine::spec::TaskEvent& event) {
        const auto* points = std::get_if<engine::spec::StepPoints>(&event.body);
        return points == nullptr || points->step.front() <= 400;
    });
    const std::int64_t begun = studio_.createdUnixNs() + kHour;
    engine::spec::RunStarted started{469, 12, 128, 347146, 347146 * 4, "cpu", ""};
    started.resumed_step = 400;
    later.insert(later.begin(), {{0, begun, {"worker", 0}, engine::spec::AttemptStarted{2, 2, true, "stopped", true}},
                                 {0, begun + 1'000'000'000, {"worker", 0}, started}});
    ASSERT_TRUE(studio_.feed(later));
    studio_.session().runs().current()->flush();
    charts::ChartCard* loss = page_->charts().cards()[0];
    ASSERT_TRUE(waitUntil([&] { return loss->series(0).size() == 420; })) << loss->series(0).size();
    const models::Series& series = loss->series(0);
    EXPECT_GT(series.x(400, models::XAxis::kWall) - series.x(399, models::XAxis::kWall), 3500);
    EXPECT_LT(series.x(400, models::XAxis::kRelative) - series.x(399, models::XAxis::kRelative), 60);
    EXPECT_GT(series.x(400, models::XAxis::kRelative), series.x(399, models::XAxis::kRelative));
    loss->axes().setX(models::XAxis::kRelative);
    shoot("monitor-two-attempts");
}

TEST_F(MonitorPageTest, SaysThatItReconnectsWhileTheAgentIsGone) {
    startTraining({.steps = 200}, 4);
    auto* banner = find<QWidget>("agentBanner");
    EXPECT_FALSE(banner->isVisible());
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().answers = false;
    }
    studio_.world().news.notify_all();
    studio_.session().runs().refresh();
    EXPECT_TRUE(waitUntil([&] { return banner->isVisible(); }));
    shoot("monitor-agent-lost");
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().answers = true;
    }
    EXPECT_TRUE(waitUntil([&] { return !banner->isVisible(); }));
}

TEST_F(MonitorPageTest, TaskLogsShowTheLinesOfOneTask) {
    startTraining({.steps = 1000}, 14);
    TaskLogPane logs(studio_.session().runs(), themes_);
    logs.resize(1360, 110);
    auto* list = logs.findChild<QListView*>("logList");
    const int all = list->model()->rowCount();
    logs.showTask({"worker", 1});
    const int own = list->model()->rowCount();
    EXPECT_GT(own, 0);
    EXPECT_LT(own, all);
    QStringList lines;
    for (int row = 0; row < own; ++row) lines << list->model()->index(row, 0).data().toString();
    EXPECT_TRUE(lines.contains("epoch 1 begins: shard 2 of 2, 30,000 samples, order from seed 7"));
    EXPECT_TRUE(lines.contains("Training")) << "states are lines too: " << lines.join(" | ").toStdString();
    EXPECT_FALSE(lines.join(' ').contains("checkpoint")) << "the chief alone saves";
    logs.showAllTasks();
    const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
    if (!folder.isEmpty()) logs.grab().save(folder + "/task-logs-light.png");
}

}  // namespace
}  // namespace ui::views
