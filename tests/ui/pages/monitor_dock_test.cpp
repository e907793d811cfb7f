// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/monitor/monitor_dock.h"

#include <gtest/gtest.h>

#include <QLabel>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>

#include "made_up_run.h"
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

TEST_F(MonitorDockTest, ForgetsTheRunThatIsShownNoMore) {
    tell({.steps = 469});
    dock_->setRun(nullptr);
    dock_->refresh();
    EXPECT_EQ(find<QListView>("taskList")->model()->rowCount(), 0);
    EXPECT_EQ(find<QListView>("checkpointList")->model()->rowCount(), 0);
}

}  // namespace
}  // namespace ui::views
