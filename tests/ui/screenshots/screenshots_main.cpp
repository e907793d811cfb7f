// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a picture of each page, light and dark, with a made-up agent and run:
//   tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--empty] [--ko | --zh_CN] [--run RUN_DIR]
// With a run's folder also Evaluate, by the worker beside this program. Needs a display (xvfb-run -a). The manual's pictures, of real
// runs, are those of manual_pictures_main.cpp.
#include <QAction>
#include <QApplication>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QPixmap>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstdio>

#include "engine/spec/task_plan.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_run.h"
#include "tests/support/sample_weights.h"
#include "ui/session/evaluation.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/data_page.h"
#include "ui/views/main_window.h"
#include "ui/views/monitor_charts.h"
#include "ui/views/monitor_page.h"
#include "ui/views/output_panes.h"
#include "ui/views/run_compare.h"
#include "ui/views/run_curves.h"
#include "ui/views/runs_page.h"

namespace {

constexpr int kSettleMs = 700, kDeadlineMs = 30'000;
constexpr std::int64_t kSecondNs = 1'000'000'000;
constexpr std::int64_t kRunSeconds = 48;  // that sampleRun() has trained

std::int64_t nowUnixNs() {
    return QDateTime::currentMSecsSinceEpoch() * 1'000'000;
}

void settle(int milliseconds = kSettleMs) {
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds) QApplication::processEvents(QEventLoop::AllEvents, 20);
}

// Earlier runs for the table: settings and results that differ, all of them made up.
void addEarlierRuns(tests::FakeAgentWorld& world, const engine::spec::RunSpec& project, std::int64_t now_unix_ns) {
    using namespace engine::spec;
    struct Earlier {
        const char* name;
        int workers;
        double rate, worse, images_per_s;
        std::int64_t seed, hours_ago;
        agent::client::RunState state;
    };
    constexpr auto kDone = agent::client::RunState::kDone;
    int number = 0;
    for (const Earlier& earlier : {Earlier{"fashion-lenet", 1, 1e-3, 0.08, 4310, 0, 90, kDone},
                                   {"mnist-cnn \u00D72 lr 1e-1", 2, 1e-1, 0.9, 9410, 0, 30, agent::client::RunState::kFailed},
                                   {"mnist-cnn \u00D74 decay", 4, 1e-3, 0.003, 11820, 0, 5, kDone},
                                   {"mnist-cnn \u00D72 SGD", 2, 1e-4, 0.14, 10140, 0, 4, kDone},
                                   {"mnist-cnn \u00D72 seed", 2, 2e-3, 0.0012, 9650, 2, 3, kDone},
                                   {"mnist-cnn \u00D72 seed", 2, 2e-3, 0.0004, 9672, 1, 2, kDone},
                                   {"mnist-cnn \u00D71 decay", 1, 1e-3, 0.0007, 5198, 0, 1, kDone}}) {
        RunSpec run = project;
        run.name = earlier.name;
        run.fit.seed = earlier.seed;
        run.compile.optimizer = {earlier.rate < 2e-4 ? "SGD" : "Adam", {{"learning_rate", earlier.rate}}};
        std::vector<int> ports;
        for (int i = 0; i < earlier.workers; ++i) ports.push_back(20000 + i);
        useLocalWorkers(run, ports);
        agent::client::RunInfo info;
        info.id = "earlier-" + std::to_string(++number);
        info.name = earlier.name;
        info.state = earlier.state;
        info.created_unix_ns = now_unix_ns - earlier.hours_ago * 3'600'000'000'000;
        info.finished_unix_ns = info.created_unix_ns + 75'000'000'000;
        info.tasks = earlier.workers;
        info.project_json = toProjectJson(run);
        const bool failed = earlier.state != kDone;
        info.results = {{"val_loss", failed ? std::nan("") : 0.03 + earlier.worse},
                        {"best_val_accuracy", 0.9889 - earlier.worse},
                        {"best_epoch", 12},
                        {"images_per_s", earlier.images_per_s}};
        tests::SampleRunOptions options;
        options.created_unix_ns = info.created_unix_ns;
        options.epochs_done = failed ? 1 : 12;
        options.extra_steps = 0;
        options.worse = earlier.worse;
        world.addEvents(info.id, tests::sampleRun(options));
        world.runs.insert(world.runs.begin(), std::move(info));
    }
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QStringList arguments = app.arguments().mid(1);
    const bool empty = arguments.removeAll("--empty") > 0;
    const QString language = arguments.removeAll("--ko") > 0 ? "ko" : arguments.removeAll("--zh_CN") > 0 ? "zh_CN" : "en";
    QString run_dir;
    if (const qsizetype at = arguments.indexOf("--run"); at >= 0 && at + 1 < arguments.size()) {
        run_dir = arguments.takeAt(at + 1);
        arguments.removeAt(at);
    }
    if (arguments.isEmpty()) {
        std::fprintf(stderr, "usage: tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--empty] [--ko | --zh_CN] [--run RUN_DIR]\n");
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
                                  .share_dir = QStringLiteral(TANDEM_SHARE),
                                  .settings = &settings});
    ui::views::MainWindow window(session, themes);
    if (arguments.size() >= 3) window.resize(arguments[1].toInt(), arguments[2].toInt());
    window.setLanguage(language);
    window.show();
    QApplication::setActiveWindow(&window);  // Xvfb has no window manager that would do it
    settle();
    const auto shoot = [&](const QString& name) {
        for (const auto choice : {ui::theme::Choice::kLight, ui::theme::Choice::kDark}) {
            themes.setChoice(choice);
            settle(300);
            window.grab().save(folder + "/" + name + (choice == ui::theme::Choice::kLight ? "-light.png" : "-dark.png"));
        }
    };
    // What the host used since the run's start, up to now: an older reading counts as none.
    std::int64_t loads_until_ns = 0;
    const auto addLoads = [&] {
        loads_until_ns = std::max(loads_until_ns, session.currentRun()->createdUnixNs());
        const auto seconds = static_cast<int>((nowUnixNs() - loads_until_ns) / kSecondNs);
        world->addLoads(tests::sampleLoads("run-1", loads_until_ns, seconds));
        loads_until_ns += seconds * kSecondNs;
        settle();
    };
    using ui::views::Mode;
    if (!empty) {
        for (const auto& source : session.templates()) {
            if (!source.label.isEmpty() || !source.needs.isEmpty()) continue;  // those with cards
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
        session.chooseFreePorts();
        world->now_unix_ns = nowUnixNs() - kRunSeconds * kSecondNs;
        session.launch();
        if (!QTest::qWaitFor([&session] { return session.currentRun() != nullptr; }, kDeadlineMs)) {
            std::fprintf(stderr, "tandem-screenshots: no run: %s\n", qPrintable(session.launchObstacle()));
            return 1;
        }
        settle();
        tests::SampleRunOptions options;
        options.created_unix_ns = session.currentRun()->createdUnixNs();
        world->setState(session.currentRun()->id().toStdString(), agent::client::RunState::kTraining);
        world->addEvents(session.currentRun()->id().toStdString(), tests::sampleRun(options));
        session.refreshRuns();
        settle(1500);
    }
    window.showMode(Mode::kMonitor);
    if (!empty) {
        window.panes().open(2);
        addLoads();
    }
    shoot("monitor");
    if (!empty) {
        window.panes().close();
        auto* dock = window.findChild<QScrollArea*>("monitorDock");
        std::vector<engine::spec::TaskEvent> reports;
        for (int epoch = 0; epoch < 7; ++epoch) {
            engine::spec::TaskEvent& report = reports.emplace_back();
            report.time_unix_ns = session.currentRun()->createdUnixNs();
            report.task.type = "worker";
            report.body = tests::sampleWeights(epoch);
        }
        world->addEvents("run-1", reports);
        settle();
        addLoads();
        dock->ensureWidgetVisible(window.findChild<QWidget*>("weightView"));
        shoot("monitor-weights");
        dock->verticalScrollBar()->setValue(0);
        auto& monitor = static_cast<ui::views::MonitorPage&>(window.page(Mode::kMonitor));
        for (const char* chart : {"host/cpu_cores", "host/network_bytes"}) monitor.charts().addChart(chart);
        addLoads();
        shoot("monitor-host-charts");
        monitor.charts().setAddedCharts({});
    }
    window.panes().close();
    window.showMode(Mode::kData);
    const ui::session::DataDesk& desk = static_cast<ui::views::DataPage&>(window.page(Mode::kData)).desk();
    const auto is_read = [&desk] {
        const ui::session::DataPhase phase = desk.data().phase;
        return phase == ui::session::DataPhase::kFailed || (phase == ui::session::DataPhase::kReady && !desk.shards().is_running);
    };
    if (!empty && !QTest::qWaitFor(is_read, kDeadlineMs)) std::fprintf(stderr, "tandem-screenshots: the data set is not read yet\n");
    shoot("data");
    window.showMode(Mode::kRuns);
    if (!empty) {
        {
            const std::lock_guard lock(world->mutex);
            const agent::client::RunInfo current = world->runs.front();
            world->runs.clear();
            world->runs.push_back(current);
        }
        auto earlier = std::make_shared<tests::FakeAgentWorld>();
        addEarlierRuns(*earlier, session.project(), session.currentRun()->createdUnixNs());
        for (auto& [id, events] : earlier->events) world->addEvents(id, std::move(events));
        {
            const std::lock_guard lock(world->mutex);
            world->runs.insert(world->runs.end(), earlier->runs.begin(), earlier->runs.end());
        }
        session.refreshRuns();
        settle();
        auto& page = static_cast<ui::views::RunsPage&>(window.page(Mode::kRuns));
        page.model().setChecked({"run-1", "earlier-7", "earlier-6", "earlier-5", "earlier-4", "earlier-3"});
        session.setRunPinned("earlier-6", true);
        session.setRunTags("earlier-6", {"paper"});
        settle(1500);
        shoot("runs");
        using Tab = ui::views::RunCompare::Tab;
        for (const auto& [tab, name] :
             {std::pair{Tab::kSettings, "settings"}, {Tab::kParallel, "parallel"}, {Tab::kCode, "code"}, {Tab::kLogs, "logs"}}) {
            page.compare().setTab(tab);
            shoot(QStringLiteral("runs-%1").arg(name));
        }
        page.compare().setTab(Tab::kCurves);
        page.model().setGroupBy(ui::models::RunTableModel::GroupBy::kSeeds);
        page.compare().curves().setSeeds(ui::views::RunCurves::Seeds::kMean);
        shoot("runs-seeds");
        page.model().setGroupBy(ui::models::RunTableModel::GroupBy::kNone);
        if (!run_dir.isEmpty()) {
            ui::session::RunSummary trained = session.runs().front();
            trained.run_dir = run_dir;
            if (QFile project(run_dir + "/run.json"); project.open(QIODevice::ReadOnly)) trained.project_json = project.readAll();
            const QSignalSpy inspected(&session.evaluation(), &ui::session::Evaluation::inspected);
            page.evaluate(trained);
            (void)QTest::qWaitFor([&inspected] { return !inspected.isEmpty(); }, kDeadlineMs);
            shoot("evaluate");
        }
    } else {
        shoot("runs");
    }
    window.showMode(Mode::kHelp);
    shoot("help");
    const auto trigger = [&window](const char* action) { window.findChild<QAction*>(action)->trigger(); };
    trigger("actionManual");
    shoot("help-manual");
    trigger("actionLocator");
    shoot("locator");
    QTest::keyClick(window.findChild<QWidget*>("locator"), Qt::Key_Escape);
    window.openShortcuts();
    shoot("shortcuts");
    window.findChild<QDialog*>("shortcutDialog")->reject();
    window.startTour();
    shoot("tour");
    QTest::keyClick(window.findChild<QWidget*>("tour"), Qt::Key_Right);
    QTest::keyClick(window.findChild<QWidget*>("tour"), Qt::Key_Right);
    shoot("tour-3");
    return 0;
}
