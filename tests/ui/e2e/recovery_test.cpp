// SPDX-License-Identifier: GPL-3.0-or-later
// Kills a real studio in the middle of its work: `ui_recovery_test --studio FOLDER` is that studio (window and session as
// app/studio_main.cpp assembles them, the agent made up); the test starts it, waits until its change is on the disk, sends SIGKILL and
// opens another one.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>

#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/project/leftovers.h"
#include "ui/session/project/project.h"
#include "ui/session/project/recovery.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

namespace {

constexpr int kDeadlineMs = 180'000;

struct Studio {
    explicit Studio(const QString& folder) : settings(folder + "/settings.ini", QSettings::IniFormat) {
        session = std::make_unique<ui::session::Session>(
            ui::session::SessionOptions{.connect = [world = world] { return std::make_unique<tests::FakeAgentClient>(world); },
                                        .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                        .settings = &settings,
                                        .recovery_dir = folder + "/recovery",
                                        .recovery_delay_ms = 200});
        window = std::make_unique<ui::views::MainWindow>(*session, themes);
        window->show();
    }

    QSettings settings;
    std::shared_ptr<tests::FakeAgentWorld> world = std::make_shared<tests::FakeAgentWorld>();
    ui::theme::ThemeController themes;
    std::unique_ptr<ui::session::Session> session;
    std::unique_ptr<ui::views::MainWindow> window;
};

int workUntilKilled(const QString& folder) {
    Studio studio(folder);
    studio.session->project().openStarter("mnist_multi_worker");
    studio.session->project().saveAs(folder + "/work.tandem");
    studio.session->project().change("Train longer", [](engine::spec::RunSpec& run) { run.fit.epochs = 41; });
    studio.session->project().change("Larger batches", [](engine::spec::RunSpec& run) { run.data.batch_size_per_replica = 96; });
    return QApplication::exec();
}

TEST(KilledStudio, OffersItsUnsavedWorkAtTheNextStart) {
    const QTemporaryDir folder;
    QProcess victim;
    victim.setProcessChannelMode(QProcess::ForwardedChannels);
    victim.start(QApplication::applicationFilePath(), {"--studio", folder.path()});
    ASSERT_TRUE(victim.waitForStarted(kDeadlineMs));
    const auto isAside = [&] {
        for (const QString& name : QDir(folder.filePath("recovery")).entryList({"*.recovery"}, QDir::Files)) {
            QFile file(folder.filePath("recovery/") + name);
            if (file.open(QIODevice::ReadOnly) && file.readAll().contains("96")) return true;
        }
        return false;
    };
    EXPECT_TRUE(QTest::qWaitFor(isAside, kDeadlineMs));
    victim.kill();
    ASSERT_TRUE(victim.waitForFinished(kDeadlineMs));
    EXPECT_EQ(victim.exitStatus(), QProcess::CrashExit);

    Studio next(folder.path());
    ASSERT_TRUE(QTest::qWaitForWindowExposed(next.window.get(), kDeadlineMs));
    auto* bar = next.window->findChild<QWidget*>("recoveryBar");
    ASSERT_TRUE(bar->isVisible());
    ASSERT_EQ(next.session->leftovers().list().size(), 1u);
    QTest::mouseClick(next.window->findChild<QPushButton*>("recoveryRestore"), Qt::LeftButton);
    EXPECT_EQ(next.session->project().spec().fit.epochs, 41);
    EXPECT_EQ(next.session->project().spec().data.batch_size_per_replica, 96);
    EXPECT_EQ(next.session->project().path(), folder.filePath("work.tandem"));
    EXPECT_TRUE(next.session->project().isModified());
    EXPECT_TRUE(QTest::qWaitFor([bar] { return !bar->isVisible(); }, kDeadlineMs));
    EXPECT_TRUE(next.session->project().save());
    EXPECT_FALSE(next.session->project().isModified());
}

TEST(KilledStudio, LeavesNothingWhenItWasClosed) {
    const QTemporaryDir folder;
    {
        Studio studio(folder.path());
        studio.session->project().openStarter("mnist_multi_worker");
        studio.session->project().change("Train longer", [](engine::spec::RunSpec& run) { run.fit.epochs = 41; });
        EXPECT_TRUE(QTest::qWaitFor([&] { return !QDir(folder.filePath("recovery")).isEmpty(QDir::Files); }, kDeadlineMs));
        studio.session->leftovers().giveUpChanges();
    }
    EXPECT_TRUE(QDir(folder.filePath("recovery")).entryList({"*.recovery"}).isEmpty());
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc == 3 && std::strcmp(argv[1], "--studio") == 0) return workUntilKilled(QString::fromLocal8Bit(argv[2]));
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
