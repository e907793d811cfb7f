// SPDX-License-Identifier: GPL-3.0-or-later
// Every page in its states, both themes, three languages, the smallest and the designed size, at the scale of QT_SCALE_FACTOR: no text is
// clipped, overlapped or too faint.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QLineEdit>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <vector>

#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_run.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/main_window.h"
#include "ui/views/output_panes.h"
#include "ui/views/run_compare.h"
#include "ui/views/runs_page.h"
#include "ui/views/tour.h"
#include "window_reader.h"

namespace ui::views {
namespace {

constexpr int kDeadlineMs = 8000, kSettleMs = 30;
constexpr QSize kSmallest{1100, 700}, kDesigned{1440, 900};

struct State {
    QString name;
    std::function<void()> enter, leave;
};

class Looks : public testing::TestWithParam<const char*> {
protected:
    Looks() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {
        world_->host = tests::sampleHost();
        settings_.setValue("tour/seen", true);
        themes_.setReduceMotion(true);
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                                    .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                    .settings = &settings_});
        window_ = std::make_unique<MainWindow>(*session_, themes_);
        window_->setLanguage(GetParam());
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().has_value(); }, kDeadlineMs));
    }
    ~Looks() override { session_->closeProject(); }

    State page(Mode mode, const QString& name) {
        return {name, [this, mode] { window_->showMode(mode); }, {}};
    }
    void openTwoWorkers() {
        ASSERT_TRUE(session_->newFromTemplate("mnist_multi_worker"));
        session_->chooseFreePorts();
    }
    void train() {
        session_->launch();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->currentRun() != nullptr; }, kDeadlineMs));
        const std::string id = session_->currentRun()->id().toStdString();
        world_->setState(id, agent::client::RunState::kTraining);
        world_->addEvents(id, tests::sampleRun({.created_unix_ns = session_->currentRun()->createdUnixNs()}));
        session_->refreshRuns();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->currentRun()->phase() == session::RunPhase::kTraining; }, kDeadlineMs));
    }
    void read(const std::vector<State>& states) {
        for (const State& state : states) {
            for (const QSize& size : {kSmallest, kDesigned}) {
                if (size != kSmallest && window_->devicePixelRatioF() >= 2) continue;  // what is tight is tight at the smallest
                window_->resize(size);
                for (const auto theme : {theme::Choice::kLight, theme::Choice::kDark}) {
                    themes_.setChoice(theme);
                    state.enter();
                    QTest::qWait(kSettleMs);
                    QCoreApplication::sendPostedEvents();  // a text that arrived last has its room, too
                    const tests::WindowReading reading = tests::readWindow(*window_);
                    const QString where = QStringLiteral("%1-%2-%3x%4-%5")
                                              .arg(state.name, GetParam())
                                              .arg(size.width())
                                              .arg(size.height())
                                              .arg(theme == theme::Choice::kLight ? "light" : "dark");
                    EXPECT_GT(reading.texts, 3) << where.toStdString();
                    EXPECT_TRUE(reading.faults.isEmpty()) << where.toStdString() << ":\n  " << reading.faults.join("\n  ").toStdString();
                    if (const QString keep = qEnvironmentVariable("TANDEM_LOOKS_KEEP"); !keep.isEmpty() && !reading.faults.isEmpty()) {
                        QDir().mkpath(keep);
                        reading.picture.save(keep + "/" + where + ".png");
                    }
                    if (state.leave) state.leave();
                }
            }
        }
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<MainWindow> window_;
};

TEST_P(Looks, WithoutAProject) {
    read({page(Mode::kWelcome, "welcome-empty"), page(Mode::kData, "data-empty"), page(Mode::kModel, "model-empty"),
          page(Mode::kCluster, "cluster-empty"), page(Mode::kMonitor, "monitor-empty"), page(Mode::kRuns, "runs-empty"),
          page(Mode::kHelp, "help")});
}

TEST_P(Looks, WithTwoWorkers) {
    openTwoWorkers();
    ASSERT_TRUE(session_->saveAs(folder_.filePath(QString::fromUtf8("실험 训练 1.tandem"))));
    const auto closeDialog = [this](const char* name) {
        return [this, name] {
            if (auto* dialog = window_->findChild<QDialog*>(name)) dialog->reject();
            QTest::qWait(1);
        };
    };
    read({page(Mode::kWelcome, "welcome"),
          page(Mode::kData, "data"),
          page(Mode::kModel, "model"),
          page(Mode::kCluster, "cluster"),
          page(Mode::kMonitor, "monitor-ready"),
          {"export", [this] { window_->openExport(); }, closeDialog("exportDialog")},
          {"shortcuts", [this] { window_->openShortcuts(); }, closeDialog("shortcutDialog")},
          {"tour", [this] { window_->startTour(); },
           [this] {
               QTest::keyClick(window_->findChild<Tour*>(), Qt::Key_Escape);
               QTest::qWait(1);
           }}});
}

TEST_P(Looks, WithProblems) {
    openTwoWorkers();
    session_->change("Break it", [](engine::spec::RunSpec& run) {
        run.fit.epochs = -3;
        std::swap(run.model.layers[2], run.model.layers[3]);
    });
    std::vector<State> states{page(Mode::kModel, "model-problems"), page(Mode::kCluster, "cluster-problems"),
                              page(Mode::kData, "data-problems")};
    for (State& state : states) {
        state.enter = [this, enter = state.enter] {
            enter();
            window_->panes().open(1);
        };
        state.leave = [this] { window_->panes().close(); };
    }
    read(states);
}

TEST_P(Looks, WhileTraining) {
    openTwoWorkers();
    train();
    std::vector<State> states{page(Mode::kMonitor, "monitor"), page(Mode::kRuns, "runs"), page(Mode::kWelcome, "welcome-training")};
    for (int pane = 1; pane <= kPaneCount; ++pane) {
        if (!window_->panes().has(pane)) continue;
        states.push_back({QStringLiteral("pane-%1").arg(pane),
                          [this, pane] {
                              window_->showMode(Mode::kMonitor);
                              window_->panes().open(pane);
                          },
                          [this] { window_->panes().close(); }});
    }
    auto& runs = static_cast<RunsPage&>(window_->page(Mode::kRuns));
    for (const auto tab : {RunCompare::Tab::kSettings, RunCompare::Tab::kParallel, RunCompare::Tab::kCode, RunCompare::Tab::kLogs}) {
        states.push_back({QStringLiteral("runs-tab-%1").arg(static_cast<int>(tab)),
                          [this, &runs, tab] {
                              window_->showMode(Mode::kRuns);
                              runs.compare().setTab(tab);
                          },
                          [&runs] { runs.compare().setTab(RunCompare::Tab::kCurves); }});
    }
    states.push_back({"runs-no-match",
                      [this] {
                          window_->showMode(Mode::kRuns);
                          window_->findChild<QLineEdit*>("runFilter")->setText("/nothing/");
                      },
                      [this] { window_->findChild<QLineEdit*>("runFilter")->clear(); }});
    states.push_back({"evaluate-without-checkpoint",
                      [this, &runs] {
                          window_->showMode(Mode::kRuns);
                          runs.evaluate(session_->runs().front());
                      },
                      {}});
    read(states);
}

INSTANTIATE_TEST_SUITE_P(Languages, Looks, testing::Values("en", "ko", "zh_CN"), [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace ui::views

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
