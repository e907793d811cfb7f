// SPDX-License-Identifier: GPL-3.0-or-later
// What a new user does: open the two-worker project, press Launch, watch the curves move, stop, export TF_CONFIG, close the window and open
// it again. Nothing is made up: real window, agent, workers and MNIST. Saves a picture of each page in both themes to build/*/screenshots.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <fstream>

#include "agent/client/agent_client.h"
#include "engine/launch/tf_config_files.h"
#include "ui/charts/chart_card.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/export_dialog.h"
#include "ui/views/main_window.h"
#include "ui/views/output_panes.h"

namespace ui::views {
namespace {

constexpr int kDeadlineMs = 30000;

// The user's folders, so that no agent or setting of the machine takes part; ends the agent that was started there.
class Home {
public:
    Home() {
        for (const char* name : {"HOME", "XDG_RUNTIME_DIR", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"}) {
            const QString path = folder_.filePath(QString::fromLatin1(name).toLower());
            QDir().mkpath(path);
            QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            qputenv(name, path.toUtf8());
        }
    }
    ~Home() {
        const QByteArray marker = "HOME=" + folder_.filePath("home").toUtf8();
        for (const QString& pid : QDir("/proc").entryList(QDir::Dirs)) {
            QFile environ_file("/proc/" + pid + "/environ");
            const bool is_agent = QFile::symLinkTarget("/proc/" + pid + "/exe").endsWith("/tandem-agent");
            if (is_agent && environ_file.open(QIODevice::ReadOnly) && environ_file.readAll().split('\0').contains(marker)) {
                ::kill(pid.toInt(), SIGTERM);
            }
        }
    }
    QString path(const QString& name) const { return folder_.filePath(name); }

private:
    QTemporaryDir folder_;
};

// The program as app/studio_main.cpp assembles it.
class Studio {
public:
    explicit Studio(const Home& home)
        : settings_(home.path("settings.ini"), QSettings::IniFormat),
          session_({.connect = [] { return agent::client::connectLocalAgent(TANDEM_BIN "/tandem-agent", std::chrono::seconds(10)); },
                    .share_dir = QStringLiteral(TANDEM_SHARE),
                    .settings = &settings_}) {
        themes_.setLanguage("en");
        themes_.setChoice(theme::Choice::kLight);
        window_ = std::make_unique<MainWindow>(session_, themes_);
        window_->resize(1440, 900);
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
        QApplication::setActiveWindow(window_.get());
    }
    session::Session& session() { return session_; }
    MainWindow& window() { return *window_; }

    template <class T>
    T& find(const char* name) {
        T* found = window_->findChild<T*>(name);
        if (found == nullptr) {
            throw std::runtime_error(std::string("no ") + name);
        }
        return *found;
    }
    void click(const char* button) {
        auto& found = find<QPushButton>(button);
        ASSERT_TRUE(found.isVisible()) << button;
        ASSERT_TRUE(found.isEnabled()) << button << ": " << found.toolTip().toStdString();
        QTest::mouseClick(&found, Qt::LeftButton);
    }
    void takePictures(const QString& name) {
        for (const auto choice : {theme::Choice::kDark, theme::Choice::kLight}) {
            themes_.setChoice(choice);
            // Charts repaint on a timer of their own; the picture is taken when nothing is left to paint.
            EXPECT_TRUE(QTest::qWaitFor([this] { return !QApplication::activeModalWidget() || window_->isVisible(); }, kDeadlineMs));
            QElapsedTimer settled;
            settled.start();
            EXPECT_TRUE(QTest::qWaitFor([&] { return settled.elapsed() > 400; }, kDeadlineMs));
            const QString file =
                QStringLiteral(TANDEM_SCREENSHOTS "/") + name + (choice == theme::Choice::kDark ? "-dark.png" : "-light.png");
            EXPECT_TRUE(window_->grab().save(file)) << file.toStdString();
        }
    }

private:
    QSettings settings_;
    theme::ThemeController themes_;
    session::Session session_;
    std::unique_ptr<MainWindow> window_;
};

class StudioTest : public testing::Test {
protected:
    StudioTest() { QDir().mkpath(QStringLiteral(TANDEM_SCREENSHOTS)); }
    Home home_;
};

TEST_F(StudioTest, LaunchesTwoWorkersWatchesStopsExportsAndFindsTheRunAgain) {
    std::size_t points = 0;
    QString run_id;
    {
        Studio studio(home_);
        session::Session& session = studio.session();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.host().has_value(); }, kDeadlineMs)) << session.agentProblem().toStdString();
        studio.takePictures("welcome");
        ASSERT_TRUE(session.newFromTemplate("mnist_multi_worker"));
        session.chooseFreePorts();
        studio.window().showMode(Mode::kModel);
        studio.takePictures("model");
        studio.window().showMode(Mode::kCluster);
        studio.takePictures("cluster");

        EXPECT_EQ(studio.find<QPushButton>("launchButton").text(), "Launch 2 workers");
        studio.click("launchButton");
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.currentRun() != nullptr; }, kDeadlineMs));
        EXPECT_EQ(studio.window().mode(), Mode::kMonitor);
        session::RunRecord& run = *session.currentRun();
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
        studio.takePictures("monitor");
        studio.window().panes().close();

        studio.click("monitorStop");
        ASSERT_TRUE(QTest::qWaitFor([&] { return !session.hasActiveRun(); }, kDeadlineMs)) << "the run stops after its step";
        EXPECT_EQ(run.phase(), session::RunPhase::kStopped);
        points = run.global().size();

        studio.window().showMode(Mode::kCluster);
        studio.click("exportButton");
        auto& dialog = studio.find<ExportDialog>("exportDialog");
        studio.find<QLineEdit>("exportFolder").setText(home_.path("exported"));
        dialog.setFormat(engine::launch::TfConfigFormat::kJson);
        studio.takePictures("export");
        studio.click("exportConfirm");
        const auto& cluster = session.project().cluster.spec;
        const std::string w0 = *cluster.address({"worker", 0}), w1 = *cluster.address({"worker", 1});
        for (int index = 0; index < 2; ++index) {
            std::ifstream file(home_.path(QStringLiteral("exported/worker-%1.json").arg(index)).toStdString());
            const std::string text{std::istreambuf_iterator<char>(file), {}};
            EXPECT_EQ(text, "{\"cluster\": {\"worker\": [\"" + w0 + "\", \"" + w1 +
                                "\"]}, \"task\": {\"type\": \"worker\", \"index\": " + std::to_string(index) + "}}\n");
        }
        studio.window().showMode(Mode::kRuns);
        studio.takePictures("runs");
        studio.window().showMode(Mode::kData);
        studio.takePictures("data");
        session.closeProject();
    }
    Studio again(home_);
    ASSERT_TRUE(QTest::qWaitFor([&] { return again.session().currentRun() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(again.session().currentRun()->id(), run_id);
    EXPECT_TRUE(QTest::qWaitFor([&] { return again.session().currentRun()->global().size() == points; }, kDeadlineMs))
        << again.session().currentRun()->global().size() << " of " << points << " points";
}

TEST_F(StudioTest, ClosingTheWindowEndsNoTraining) {
    QString run_id;
    std::size_t seen = 0;
    {
        Studio studio(home_);
        session::Session& session = studio.session();
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.host().has_value(); }, kDeadlineMs));
        ASSERT_TRUE(session.newFromTemplate("mnist_multi_worker"));
        session.chooseFreePorts();
        studio.window().showMode(Mode::kCluster);
        studio.click("launchButton");
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.currentRun() && session.currentRun()->global().size() > 100; }, kDeadlineMs));
        run_id = session.currentRun()->id();
        seen = session.currentRun()->global().size();
        session.closeProject();
    }
    Studio again(home_);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return again.session().currentRun() && again.session().currentRun()->global().size() > seen; }, kDeadlineMs));
    session::RunRecord& run = *again.session().currentRun();
    EXPECT_EQ(run.id(), run_id);
    EXPECT_TRUE(again.session().hasActiveRun());
    EXPECT_EQ(run.global().step.front(), 1) << "every point, also those that nobody watched";
    for (std::size_t k = 1; k < run.global().size(); ++k) {
        ASSERT_EQ(run.global().step[k], run.global().step[k - 1] + 1);
    }
    again.session().stopNow();
    EXPECT_TRUE(QTest::qWaitFor([&] { return !again.session().hasActiveRun(); }, kDeadlineMs));
}

}  // namespace
}  // namespace ui::views

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
