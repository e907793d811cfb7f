// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/monitor_page.h"

#include <gtest/gtest.h>

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "made_up_run.h"
#include "ui/charts/chart_card.h"
#include "ui/charts/chart_group.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/monitor_charts.h"
#include "ui/views/task_log_pane.h"
#include "ui/widgets/status_pill.h"

namespace ui::views {
namespace {

using engine::spec::ControlVerb;
using engine::spec::TaskState;
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
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get()));
    }

    void startTraining(const tests::MadeUpRun& shape, double age_s) {
        ASSERT_TRUE(studio_.launch(age_s));
        ASSERT_TRUE(studio_.feed(tests::eventsOf(shape, studio_.createdUnixNs())));
        studio_.world().setState(studio_.runId(), agent::client::RunState::kTraining);
        ASSERT_TRUE(waitUntil([&] { return studio_.session().currentRun()->phase() == session::RunPhase::kTraining; }));
        studio_.session().currentRun()->flush();
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
            QTest::qWait(200);
            page_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<MonitorPage> page_;
};

TEST_F(MonitorPageTest, OffersToLaunchBeforeTheFirstRun) {
    EXPECT_EQ(text("monitorTitle"), "Monitor");
    ASSERT_TRUE(find("emptyLaunch")->isVisible());
    EXPECT_TRUE(waitUntil([&] { return find("emptyLaunch")->isEnabled(); })) << studio_.session().launchObstacle().toStdString();
    shoot("monitor-empty");
    find("emptyLaunch")->click();
    EXPECT_TRUE(waitUntil([&] { return studio_.session().currentRun() != nullptr; }));
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
    EXPECT_TRUE(waitUntil([&] { return find<QListView>("taskList")->model()->rowCount() == 2 && find<QListView>("checkpointList")->model()->rowCount() == 7; }));
    QTest::mouseMove(page_->charts().cards()[0]->findChild<QWidget*>("chartLossPlot"), QPoint(200, 100));
    shoot("monitor");
    page_->setNarrow(true);
    page_->resize(1024, 620);
    shoot("monitor-narrow");
}

TEST_F(MonitorPageTest, PausesStepsResumesAndStopsByItsButtonsAndKeys) {
    startTraining({.steps = 200}, 4);
    find("monitorPause")->click();
    EXPECT_TRUE(waitUntil([&] { return controls().size() == 1; }));
    studio_.world().setState(studio_.runId(), agent::client::RunState::kPaused);
    ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs() + 5'000'000'000, {"worker", 0}, engine::spec::StateChanged{TaskState::kPaused, {}}},
                              {0, studio_.createdUnixNs() + 5'000'000'000, {"worker", 1}, engine::spec::StateChanged{TaskState::kPaused, {}}}}));
    ASSERT_TRUE(waitUntil([&] { return studio_.session().currentRun()->phase() == session::RunPhase::kPaused; }));
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
    ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs(), {"worker", 0}, engine::spec::StateChanged{TaskState::kReady, "listening; cluster fits; MNIST open"}},
                              {0, studio_.createdUnixNs(), {"worker", 1}, engine::spec::StateChanged{TaskState::kNotStarted, "nothing listens on its port"}}}));
    EXPECT_TRUE(waitUntil([&] { return find<widgets::StatusPill>("monitorState")->text() == "Waiting for worker 1"; }))
        << find<widgets::StatusPill>("monitorState")->text().toStdString();
    EXPECT_TRUE(find<QWidget>("waitingCard")->isVisible());
    shoot("monitor-waiting");
}

TEST_F(MonitorPageTest, ShowsTheFirstFailureWithItsLastLinesAndTheWayToTheLog) {
    startTraining({.steps = 2131}, 30);
    TaskLogPane logs(studio_.session(), themes_);
    engine::spec::TaskFailed failed{"killed by signal 9 (SIGKILL)", -1, 9, {"step 2,130 took 13.3 ms", "step 2,131 took 13.2 ms"}};
    ASSERT_TRUE(studio_.feed({{0, studio_.createdUnixNs() + 29'421'000'000, {"worker", 1}, failed}}));
    studio_.world().setState(studio_.runId(), agent::client::RunState::kFailed, "worker 1: killed by signal 9 (SIGKILL)");
    ASSERT_TRUE(waitUntil([&] { return studio_.session().currentRun()->phase() == session::RunPhase::kFailed; }));
    ASSERT_TRUE(waitUntil([&] { return find<QWidget>("failureCard")->isVisible(); }));
    EXPECT_EQ(text("failureLines"), "step 2,130 took 13.3 ms\nstep 2,131 took 13.2 ms");
    QSignalSpy wanted(page_.get(), &MonitorPage::taskLogRequested);
    find("failureLog")->click();
    ASSERT_EQ(wanted.count(), 1);
    EXPECT_EQ(wanted[0][0].value<engine::spec::TaskId>(), (engine::spec::TaskId{"worker", 1}));
    EXPECT_NEAR(wanted[0][1].toDouble(), 29.37, 0.01);
    shoot("monitor-failure");
}

TEST_F(MonitorPageTest, TaskLogsShowTheLinesOfOneTask) {
    startTraining({.steps = 1000}, 14);
    TaskLogPane logs(studio_.session(), themes_);
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
