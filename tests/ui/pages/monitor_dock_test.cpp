// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_dock.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>

#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "tests/support/sample_served_run.h"
#include "ui/models/task_list_model.h"
#include "ui/monitor/monitor_progress.h"
#include "ui/monitor/server_view.h"
#include "ui/session/host/host_history.h"
#include "ui/session/runs/run_record.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {
namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

class MonitorDockTest : public testing::Test {
protected:
    MonitorDockTest() : record_(session::RunSummary{.id = "run", .name = "run", .state = session::RunState::kTraining}) {
        themes_.setChoice(theme::Choice::kLight);
        dock_ = std::make_unique<MonitorDock>(themes_);
        dock_->retranslate();
        dock_->resize(312, 900);
        dock_->show();
    }
    void tell(const tests::MadeUpRun& shape) {
        record_.ingest(tests::eventsOf(shape, kStart));
        record_.flush();
        dock_->setRun(&record_);
        dock_->refresh();
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* found = dock_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    // Whether some text of the dock says this.
    bool says(const QString& text) const {
        for (const QLabel* label : dock_->findChildren<QLabel*>()) {
            if (label->isVisibleTo(dock_.get()) && label->text().contains(text)) return true;
        }
        return false;
    }

    theme::ThemeController themes_;
    session::RunRecord record_;
    std::unique_ptr<MonitorDock> dock_;
};

TEST_F(MonitorDockTest, IsEmptyWithoutARun) {
    EXPECT_EQ(find<QListView>("taskList")->model()->rowCount(), 0);
    EXPECT_EQ(find<QListView>("checkpointList")->model()->rowCount(), 0);
    EXPECT_TRUE(says("The first one appears at the end of an epoch."));
}

TEST_F(MonitorDockTest, HasNoStarWithoutServers) {
    tell({.steps = 200});
    EXPECT_FALSE(find<QWidget>("serverView")->isVisibleTo(dock_.get()));
}

TEST_F(MonitorDockTest, ShowsATaskARowAndACheckpointARow) {
    tell({.steps = 2 * 469 + 20});
    EXPECT_EQ(find<QListView>("taskList")->model()->rowCount(), 2);
    EXPECT_EQ(find<QListView>("checkpointList")->model()->rowCount(), 2) << "one at the end of each epoch";
    EXPECT_FALSE(says("The first one appears at the end of an epoch."));
}

// Each step takes 13.3 ms: 0.5 ms for input, 10.5 or 10.2 ms to compute, 0.6 ms to apply; the rest is spent on the other. 22.9 of 26.6 ms.
TEST_F(MonitorDockTest, NamesTheSlowestTaskAndTheShareOfTimeSpentTraining) {
    tell({.steps = 200});
    EXPECT_TRUE(says("86")) << "of the time is spent training";
    EXPECT_TRUE(says("+0.3")) << "is what the slowest task computes longer";
}

TEST_F(MonitorDockTest, OpensALogAndTheFolder) {
    tell({.steps = 469});
    QSignalSpy activated(dock_.get(), &MonitorDock::taskActivated), wanted(dock_.get(), &MonitorDock::folderWanted);
    auto* tasks = find<QListView>("taskList");
    emit tasks->activated(tasks->model()->index(1, 0));
    ASSERT_EQ(activated.size(), 1);
    EXPECT_EQ(activated.front().front().value<engine::spec::TaskId>(), (engine::spec::TaskId{"worker", 1}));
    find<QPushButton>("checkpointFolder")->click();
    EXPECT_EQ(wanted.size(), 1);
}

TEST_F(MonitorDockTest, BranchesBehindACheckpoint) {
    tell({.steps = 2 * 469 + 20});
    QSignalSpy wanted(dock_.get(), &MonitorDock::branchWanted);
    find<QPushButton>("checkpointBranch")->click();
    auto* menu = find<QMenu>("branchMenu");
    ASSERT_EQ(menu->actions().size(), 2);
    EXPECT_TRUE(menu->actions().front()->text().contains("938")) << "the newest first: " << menu->actions().front()->text().toStdString();
    menu->actions().back()->trigger();
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_TRUE(wanted.front().front().toString().endsWith('1')) << wanted.front().front().toString().toStdString();
    menu->close();
}

// Loads that are two minutes old are not the present, but those of a moment of the run.
TEST_F(MonitorDockTest, ShowsTheLoadsOfTheMomentThatItIsOf) {
    tell({.steps = 469});
    session::HostHistory history;
    const auto load = [](int second, double cores) {
        engine::spec::HostLoad one;
        one.time_unix_ns = kStart + second * 1'000'000'000LL;
        one.cpu_cores = cores;
        one.cores = 4;
        one.tasks = {{.run_id = "run", .task = {"worker", 0}, .pid = 1, .cpu_cores = cores / 2}};
        return one;
    };
    history.add({load(1, 1.0), load(2, 2.0), load(3, 3.0)});
    dock_->setHost(&history, "studio");
    const auto* view = find<QWidget>("hostLoad");
    const auto* tasks = find<QListView>("taskList")->model();
    const auto coresOfWorker0 = [&] { return tasks->index(0, 0).data(models::TaskListModel::kCpuTextRole).toString(); };
    EXPECT_FALSE(view->accessibleName().contains("of 4 cores")) << view->accessibleName().toStdString();
    dock_->setRun(&record_, kStart + 2'500'000'000LL);
    EXPECT_TRUE(view->accessibleName().startsWith("CPU 2.00 of 4 cores")) << view->accessibleName().toStdString();
    EXPECT_TRUE(coresOfWorker0().contains("1.0")) << coresOfWorker0().toStdString();
    dock_->setRun(&record_, kStart + 1'200'000'000LL);
    EXPECT_TRUE(view->accessibleName().startsWith("CPU 1.00 of 4 cores")) << view->accessibleName().toStdString();
    dock_->setRun(&record_, kStart + 60'000'000'000LL);
    EXPECT_FALSE(view->accessibleName().contains("of 4 cores")) << "nothing was measured then";
    dock_->setRun(nullptr);
}

TEST_F(MonitorDockTest, ForgetsTheRunThatIsShownNoMore) {
    tell({.steps = 469});
    dock_->setRun(nullptr);
    dock_->refresh();
    EXPECT_EQ(find<QListView>("taskList")->model()->rowCount(), 0);
    EXPECT_EQ(find<QListView>("checkpointList")->model()->rowCount(), 0);
}

class ServedRunTest : public testing::Test {
protected:
    ServedRunTest() : record_(summary()) {
        themes_.setChoice(theme::Choice::kLight);
        dock_ = std::make_unique<MonitorDock>(themes_);
        dock_->retranslate();
        dock_->resize(312, 1200);
        dock_->show();
        tests::ServedRunOptions options;
        options.created_unix_ns = kStart;
        std::uint64_t sequence = 0;
        auto events = tests::sampleServedRun(options);
        for (auto& event : events) event.sequence = ++sequence;
        sequence_ = sequence;
        record_.ingest(events);
        record_.flush();
        dock_->setRun(&record_);
        dock_->refresh();
    }
    static session::RunSummary summary() {
        engine::spec::RunSpec run;
        run.strategy.name = "ParameterServerStrategy";
        run.fit.steps = 5000;
        run.cluster.spec.jobs = {{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}, {2, "localhost:4"}}}};
        return {.id = "run",
                .name = "run",
                .state = session::RunState::kTraining,
                .created_unix_ns = kStart,
                .project_json = QString::fromStdString(toProjectJson(run))};
    }
    template <typename Widget>
    Widget* find(const char* name) const {
        auto* found = dock_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }

    theme::ThemeController themes_;
    session::RunRecord record_;
    std::unique_ptr<MonitorDock> dock_;
    std::uint64_t sequence_ = 0;
};

TEST_F(ServedRunTest, ShowsAStarInPlaceOfTheRing) {
    EXPECT_TRUE(find<QWidget>("serverView")->isVisibleTo(dock_.get()));
    const StarState& star = find<StarView>("starView")->state();
    EXPECT_EQ(star.servers, (std::vector<engine::spec::TaskId>{{"ps", 0}}));
    EXPECT_EQ(star.workers.size(), 3U);
    EXPECT_TRUE(star.missing.empty());
    EXPECT_EQ(star.tone, StarState::Tone::kRunning);
    EXPECT_EQ(star.text, "ps 0: 300 updates and 951.8 MB a second");
    EXPECT_EQ(find<QLabel>("starStep")->text(), "global step 3,600");
    EXPECT_EQ(find<QLabel>("starLoad")->text(), "300 updates/s \u00b7 951.8 MB/s");
}

TEST_F(ServedRunTest, NamesTheServerThatIsGone) {
    engine::spec::TaskEvent lost;
    lost.sequence = ++sequence_;
    lost.time_unix_ns = kStart + 60'000'000'000;
    lost.task = {"ps", 0};
    lost.body = engine::spec::TaskFailed{"killed by signal 9 (SIGKILL)", -1, 9, {}};
    record_.ingest({lost});
    record_.flush();
    dock_->refresh();
    const StarState& star = find<StarView>("starView")->state();
    EXPECT_EQ(star.missing, (std::vector<engine::spec::TaskId>{{"ps", 0}}));
    EXPECT_EQ(star.tone, StarState::Tone::kBroken);
}

TEST_F(ServedRunTest, CountsTheStalenessOfUpdates) {
    const QString bars = find<QWidget>("stalenessBars")->accessibleName();
    EXPECT_TRUE(bars.startsWith("0 missed: ")) << bars.toStdString();
    EXPECT_TRUE(bars.contains(", 3 missed: ")) << bars.toStdString();
    EXPECT_FALSE(bars.contains("4 missed")) << bars.toStdString();
    EXPECT_TRUE(find<QLabel>("stalenessSums")->text().endsWith("most 3"));
}

TEST_F(ServedRunTest, AServersRowTellsItsLoad) {
    auto* model = find<QListView>("taskList")->model();
    ASSERT_EQ(model->rowCount(), 4);
    const QModelIndex server = model->index(3, 0);
    EXPECT_EQ(server.data(models::TaskListModel::kNameRole).toString(), "ps 0");
    EXPECT_EQ(server.data(models::TaskListModel::kRateTextRole).toString(), "951.8 MB/s");
    EXPECT_EQ(server.data(Qt::ToolTipRole).toString(), "300 updates and 951.8 MB a second");
    EXPECT_TRUE(model->index(1, 0).data(models::TaskListModel::kRateTextRole).toString().endsWith(" img/s"));
}

TEST(MonitorProgressTest, CountsFromTheEpochThatTheRunBeginsWith) {
    engine::spec::RunSpec run;
    run.fit.epochs = 4;
    run.fit.initial_epoch = 2;
    session::RunSummary summary{.id = "run", .name = "run", .state = session::RunState::kTraining};
    summary.project_json = QString::fromStdString(engine::spec::toProjectJson(run));
    session::RunRecord record(summary);
    record.ingest(tests::eventsOf({.steps = 15, .steps_per_epoch = 10, .epochs = 4, .workers = 1}, kStart));
    record.flush();
    EXPECT_EQ(record.totalSteps(), 20);
    const theme::ThemeController themes;
    MonitorProgress progress(themes, nullptr);
    progress.show(record);
    EXPECT_EQ(progress.findChild<QLabel*>("monitorEpoch")->text(), "Epoch 4 of 4");
    EXPECT_EQ(progress.findChild<QLabel*>("monitorSteps")->text(), QStringLiteral("step 5 of 10 \u00b7 15 of 20 in all"));
}

}  // namespace
}  // namespace ui::views
