// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a picture of each page, light and dark, with a made-up agent and run: tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--empty].
// Needs a display (xvfb-run -a). The pictures of a real run come from the end-to-end test.
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSettings>
#include <QTemporaryDir>
#include <cstdio>

#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_run.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/main_window.h"
#include "ui/views/output_panes.h"

namespace {

constexpr int kSettleMs = 700;

void settle(int milliseconds = kSettleMs) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QStringList arguments = app.arguments().mid(1);
    const bool empty = arguments.removeAll("--empty") > 0;
    if (arguments.isEmpty()) {
        std::fprintf(stderr, "usage: tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--empty]\n");
        return 2;
    }
    const QString folder = arguments[0];
    QDir().mkpath(folder);
    const QTemporaryDir scratch;
    QSettings settings(scratch.filePath("settings.ini"), QSettings::IniFormat);
    auto world = std::make_shared<tests::FakeAgentWorld>();
    world->host = tests::sampleHost();
    ui::theme::ThemeController themes;
    themes.setChoice(ui::theme::Choice::kLight);
    ui::session::Session session({.connect = [world] { return std::make_unique<tests::FakeAgentClient>(world); },
                                  .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                  .settings = &settings});
    ui::views::MainWindow window(session, themes);
    if (arguments.size() >= 3) window.resize(arguments[1].toInt(), arguments[2].toInt());
    window.show();
    settle();
    const auto shoot = [&](const QString& name) {
        for (const auto choice : {ui::theme::Choice::kLight, ui::theme::Choice::kDark}) {
            themes.setChoice(choice);
            settle(300);
            window.grab().save(folder + "/" + name + (choice == ui::theme::Choice::kLight ? "-light.png" : "-dark.png"));
        }
    };
    using ui::views::Mode;
    if (!empty) {
        for (const auto& source : session.templates()) {
            if (!source.label.isEmpty()) continue;  // those with cards
            session.newFromTemplate(source.id);
            session.saveAs(scratch.filePath(source.id + ".tandem"));
        }
    }
    window.showMode(Mode::kWelcome);
    shoot("welcome");
    window.showMode(Mode::kModel);
    shoot("model");
    window.showMode(Mode::kCluster);
    shoot("cluster");
    window.openExport();
    shoot(empty ? "cluster-no-export" : "export");
    if (auto* dialog = window.findChild<QDialog*>("exportDialog")) dialog->reject();
    if (!empty) {
        session.setLocalWorkers(4);
        shoot("cluster-4");
        session.undoStack().undo();
        session.launch();
        settle();
        tests::SampleRunOptions options;
        options.created_unix_ns = session.currentRun()->createdUnixNs();
        world->setState(session.currentRun()->id().toStdString(), agent::client::RunState::kTraining);
        world->addEvents(session.currentRun()->id().toStdString(), tests::sampleRun(options));
        session.refreshRuns();
        settle(1500);
    }
    window.showMode(Mode::kMonitor);
    if (!empty) window.panes().open(2);
    shoot("monitor");
    window.panes().close();
    window.showMode(Mode::kData);
    shoot("data");
    window.showMode(Mode::kRuns);
    shoot("runs");
    window.showMode(Mode::kHelp);
    shoot("help");
    return 0;
}
