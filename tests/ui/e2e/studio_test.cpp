// SPDX-License-Identifier: GPL-3.0-or-later
// What a new user does: open the two-worker project, press Launch, watch the curves move, stop, export TF_CONFIG, close the window and open
// it again. Nothing is made up: real window, agent, workers and MNIST. Saves a picture of each page in both themes to build/*/screenshots.
#include <gtest/gtest.h>

#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <fstream>

#include "engine/launch/tf_config_files.h"
#include "home.h"
#include "studio.h"
#include "ui/charts/chart_card.h"
#include "ui/export/export_dialog.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"

namespace ui::views {
namespace {

using tests::kDeadlineMs;

class StudioTest : public testing::Test {
protected:
    StudioTest() { QDir().mkpath(QStringLiteral(TANDEM_SCREENSHOTS)); }

    static void takePictures(tests::Studio& studio, const QString& name) {
        for (const auto choice : {theme::Choice::kDark, theme::Choice::kLight}) {
            studio.themes().setChoice(choice);
            // Charts repaint on a timer of their own; the picture is taken when nothing is left to paint.
            QElapsedTimer settled;
            settled.start();
            EXPECT_TRUE(QTest::qWaitFor([&] { return settled.elapsed() > 400; }, kDeadlineMs));
            const QString file =
                QStringLiteral(TANDEM_SCREENSHOTS "/") + name + (choice == theme::Choice::kDark ? "-dark.png" : "-light.png");
            EXPECT_TRUE(studio.window().grab().save(file)) << file.toStdString();
        }
    }

    tests::Home home_;
    const QString folder_ = home_.path("studio");
};

TEST_F(StudioTest, LaunchesTwoWorkersWatchesStopsExportsAndFindsTheRunAgain) {
    std::size_t points = 0;
    QString run_id;
    {
        tests::Studio studio(folder_);
        session::Session& session = studio.session();
        ASSERT_TRUE(studio.agentIsReady()) << session.host().agentProblem().toStdString();
        takePictures(studio, "welcome");
        ASSERT_TRUE(session.project().openStarter("mnist_multi_worker"));
        ui::session::chooseFreePorts(session.project());
        // It is stopped, and may train all the while that a busy machine takes for the pictures.
        session.project().change("Train longer", [](engine::spec::RunSpec& run) { run.fit.epochs = 200; });
        studio.window().showMode(Mode::kModel);
        takePictures(studio, "model");
        studio.window().showMode(Mode::kCluster);
        takePictures(studio, "cluster");

        EXPECT_EQ(studio.find<QPushButton>("launchButton").text(), "Launch 2 workers");
        studio.click("launchButton");
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.runs().current() != nullptr; }, kDeadlineMs));
        EXPECT_EQ(studio.window().mode(), Mode::kMonitor);
        session::RunRecord& run = *session.runs().current();
        run_id = run.id();
        auto& loss = studio.find<charts::ChartCard>("chartLoss");
        ASSERT_TRUE(QTest::qWaitFor([&] { return !loss.isEmpty() && loss.drawnPoints(0).size() > 20; }, kDeadlineMs))
            << "points on the chart";
        const std::size_t before = run.global().size();
        ASSERT_TRUE(QTest::qWaitFor([&] { return run.global().size() > before + 500; }, kDeadlineMs)) << "the curve moves";
        for (const char* chart : {"chartMetric", "chartLearningRate", "chartThroughput"}) {
            EXPECT_FALSE(studio.find<charts::ChartCard>(chart).isEmpty()) << chart;
        }
        studio.window().panes().open(2);
        takePictures(studio, "monitor");
        studio.window().panes().close();

        studio.click("monitorStop");
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.runs().hasActive(); }, kDeadlineMs)) << "the run stops after its step";
        EXPECT_EQ(run.state(), session::RunState::kStopped);
        points = run.global().size();

        studio.window().showMode(Mode::kCluster);
        studio.click("exportButton");
        auto& dialog = studio.find<ExportDialog>("exportDialog");
        studio.find<QLineEdit>("exportFolder").setText(home_.path("exported"));
        dialog.setFormat(engine::launch::TfConfigFormat::kJson);
        takePictures(studio, "export");
        studio.click("exportConfirm");
        const auto& cluster = session.project().spec().cluster.spec;
        const std::string w0 = *cluster.address({"worker", 0}), w1 = *cluster.address({"worker", 1});
        for (int index = 0; index < 2; ++index) {
            std::ifstream file(home_.path(QStringLiteral("exported/worker-%1.json").arg(index)).toStdString());
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            EXPECT_EQ(text, "{\n  \"cluster\": {\n    \"worker\": [\n      \"" + w0 + "\",\n      \"" + w1 +
                                "\"\n    ]\n  },\n  \"task\": {\"type\": \"worker\", \"index\": " + std::to_string(index) + "}\n}\n");
        }
        studio.window().showMode(Mode::kRuns);
        takePictures(studio, "runs");
        studio.window().showMode(Mode::kData);
        takePictures(studio, "data");
        session.project().close();
    }
    tests::Studio again(folder_);
    ASSERT_TRUE(QTest::qWaitFor([&] { return again.session().runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(again.session().runs().current()->id(), run_id);
    EXPECT_TRUE(QTest::qWaitFor([&] { return again.session().runs().current()->global().size() == points; }, kDeadlineMs))
        << again.session().runs().current()->global().size() << " of " << points << " points";
}

TEST_F(StudioTest, ClosingTheWindowEndsNoTraining) {
    QString run_id;
    std::size_t seen = 0;
    {
        tests::Studio studio(folder_);
        session::Session& session = studio.session();
        ASSERT_TRUE(studio.agentIsReady());
        ASSERT_TRUE(session.project().openStarter("mnist_multi_worker"));
        ui::session::chooseFreePorts(session.project());
        studio.window().showMode(Mode::kCluster);
        studio.click("launchButton");
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return session.runs().current() && session.runs().current()->global().size() > 100; }, kDeadlineMs));
        run_id = session.runs().current()->id();
        seen = session.runs().current()->global().size();
        session.project().close();
    }
    tests::Studio again(folder_);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return again.session().runs().current() && again.session().runs().current()->global().size() > seen; }, kDeadlineMs));
    session::RunRecord& run = *again.session().runs().current();
    EXPECT_EQ(run.id(), run_id);
    EXPECT_TRUE(again.session().runs().hasActive());
    EXPECT_EQ(run.global().step.front(), 1) << "every point, also those that nobody watched";
    for (std::size_t k = 1; k < run.global().size(); ++k) {
        ASSERT_EQ(run.global().step[k], run.global().step[k - 1] + 1);
    }
    again.session().runs().stopNow();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !again.session().runs().hasActive(); }, kDeadlineMs));
}

}  // namespace
}  // namespace ui::views
