// SPDX-License-Identifier: GPL-3.0-or-later
// Every page in its states and three languages, at the scale of QT_SCALE_FACTOR: no text is clipped, overlapped or, at twice the size and
// in both themes, too faint.
#include <gtest/gtest.h>

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <functional>
#include <vector>

#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/fake_host_backend.h"
#include "tests/support/sample_layers.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_run.h"
#include "tests/support/sample_weights.h"
#include "ui/cluster/cluster_page.h"
#include "ui/export/export_dialog.h"
#include "ui/hosts/host_dialog.h"
#include "ui/runs/run_compare.h"
#include "ui/runs/runs_page.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/welcome/template_card.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"
#include "ui/window/tour.h"
#include "window_reader.h"

namespace ui::views {
namespace {

using engine::spec::StateChanged;
using engine::spec::TaskFailed;
using engine::spec::TaskState;

constexpr int kDeadlineMs = 180'000, kSettleMs = 30;
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
                                    .settings = &settings_,
                                    .far_hosts = hosts_});
        window_ = std::make_unique<MainWindow>(*session_, themes_);
        window_->setLanguage(GetParam());
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().info().has_value(); }, kDeadlineMs));
    }
    ~Looks() override { session_->project().close(); }

    State page(Mode mode, const QString& name) {
        return {name, [this, mode] { window_->showMode(mode); }, {}};
    }
    void openTwoWorkers() {
        ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
        ui::session::chooseFreePorts((*session_).project());
    }
    // Two computers of the list, and one of ssh's configuration whose key nobody knows.
    void addHosts() {
        session::HostSight bare{.state = session::FarHostState::kNoTandem, .reached_ms = 38};
        bare.info = tests::sampleHost();
        hosts_->setSight(QStringLiteral("node1"), bare);
        hosts_->setSight(QStringLiteral("lab"), bare);
        hosts_->setQuestion(QStringLiteral("lab"), {.kind = session::HostQuestion::Kind::kHostKey,
                                                    .key_type = QStringLiteral("ED25519"),
                                                    .fingerprint = QStringLiteral("SHA256:zbtC1V5Yhx0Nl6q1Dbn1iMGVsjBmPVgLmLxwYB9dhUc")});
        hosts_->setEntries(
            {{QStringLiteral("node1"), QStringLiteral("ann@node1.lan:2222")}, {QStringLiteral("node2"), QStringLiteral("node2")}});
        hosts_->ssh_names = QStringList{QStringLiteral("lab")};
        session_->farHosts().reload();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->farHosts().sshNames().size() == 1; }, kDeadlineMs));
    }
    State hosts(const QString& name, HostRow::Kind kind, const QString& host, const char* sign) {
        return {name,
                [this, kind, host, sign] {
                    window_->showMode(Mode::kCluster);
                    dynamic_cast<ClusterPage&>(window_->page(Mode::kCluster)).openHosts();
                    auto* dialog = window_->findChild<HostDialog*>();
                    ASSERT_NE(dialog, nullptr);
                    dialog->findChild<HostListView*>()->choose(kind, host);
                    const auto isTold = [&] { return dialog->findChild<QWidget*>(QLatin1String(sign))->isVisible(); };
                    EXPECT_TRUE(QTest::qWaitFor(isTold, kDeadlineMs)) << sign;
                },
                [this] {
                    window_->findChild<HostDialog*>()->reject();
                    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<HostDialog*>() == nullptr; }, kDeadlineMs));
                }};
    }
    void train() {
        world_->now_unix_ns = QDateTime::currentMSecsSinceEpoch() * 1'000'000 - 48'000'000'000;
        session_->launcher().launch();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
        const std::string id = session_->runs().current()->id().toStdString();
        world_->setState(id, engine::run::RunState::kTraining);
        world_->addEvents(id, tests::sampleRun({.created_unix_ns = session_->runs().current()->createdUnixNs()}));
        world_->addLoads(tests::sampleLoads(id, session_->runs().current()->createdUnixNs(), 48));
        session_->runs().refresh();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current()->state() == session::RunState::kTraining; }, kDeadlineMs));
    }
    void openLaunchFiles(const QString& launcher) {
        window_->openExport();
        auto* dialog = window_->findChild<ExportDialog*>();
        dialog->showPage(ExportPage::kLaunch);
        EXPECT_EQ(dialog->page(), ExportPage::kLaunch);
        dialog->findChild<QComboBox*>("exportLauncher")->setCurrentText(launcher);
    }
    QStringList runIds() const {
        QStringList ids;
        for (const session::RunSummary& run : session_->runs().list()) ids << run.id;
        return ids;
    }
    // A change of theme costs more than all that a page is asked, so it is the outermost loop. Colours are read where a pixel can tell
    // them, at twice the size; what is tight is tight at the smallest window.
    void read(const std::vector<State>& states) {
        const bool reads_colours = window_->devicePixelRatioF() >= 2;
        for (const auto theme : {theme::Choice::kLight, theme::Choice::kDark}) {
            if (theme == theme::Choice::kDark && !reads_colours) continue;
            themes_.setChoice(theme);
            for (const QSize& size : {kSmallest, kDesigned}) {
                if (size != kSmallest && reads_colours) continue;
                window_->resize(size);
                for (const State& state : states) {
                    state.enter();
                    readState(QStringLiteral("%1-%2-%3x%4-%5")
                                  .arg(state.name, GetParam())
                                  .arg(size.width())
                                  .arg(size.height())
                                  .arg(theme == theme::Choice::kLight ? "light" : "dark"));
                    if (state.leave) state.leave();
                }
            }
        }
    }
    void readState(const QString& where) {
        QTest::qWait(kSettleMs);
        QCoreApplication::sendPostedEvents();  // a text that arrived last has its room, too
        const tests::WindowReading reading = tests::readWindow(*window_);
        EXPECT_GT(reading.texts, 3) << where.toStdString();
        EXPECT_TRUE(reading.faults.isEmpty()) << where.toStdString() << ":\n  " << reading.faults.join("\n  ").toStdString();
        if (const QString keep = qEnvironmentVariable("TANDEM_LOOKS_KEEP"); !keep.isEmpty() && !reading.faults.isEmpty()) {
            QDir().mkpath(keep);
            reading.picture.save(keep + "/" + where + ".png");
        }
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    std::shared_ptr<tests::FakeHostBackend> hosts_ = std::make_shared<tests::FakeHostBackend>();
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<MainWindow> window_;
};

TEST_P(Looks, WithoutAProject) {
    read({page(Mode::kWelcome, "welcome-empty"), page(Mode::kData, "data-empty"), page(Mode::kModel, "model-empty"),
          page(Mode::kCluster, "cluster-empty"), page(Mode::kMonitor, "monitor-empty"), page(Mode::kRuns, "runs-empty"),
          page(Mode::kHelp, "help")});
}

TEST_P(Looks, CardsOfWelcomeShowTheirWholeText) {
    window_->showMode(Mode::kWelcome);
    const QList<TemplateCard*> cards = window_->findChildren<TemplateCard*>();
    ASSERT_GE(cards.size(), 2);
    for (const QSize& size : {kSmallest, kDesigned}) {
        window_->resize(size);
        QTest::qWait(kSettleMs);
        QCoreApplication::sendPostedEvents();
        (void)window_->grab();  // what is elided gets its tooltip then
        for (const TemplateCard* card : cards) {
            int texts = 0;
            for (const QLabel* label : card->findChildren<QLabel*>()) {
                if (label->text().isEmpty()) continue;
                ++texts;
                const std::string where = QStringLiteral("%1 of %2 at %3 px: %4")
                                              .arg(QLatin1String(GetParam()), card->objectName())
                                              .arg(size.width())
                                              .arg(label->text())
                                              .toStdString();
                const QRect room = label->contentsRect();
                const int flags = label->wordWrap() ? Qt::TextWordWrap : 0;
                const QRect ink = label->fontMetrics().boundingRect(QRect(0, 0, room.width(), QWIDGETSIZE_MAX), flags, label->text());
                EXPECT_LE(ink.width(), room.width()) << where;
                EXPECT_LE(ink.height(), room.height()) << where;
                EXPECT_TRUE(label->toolTip().isEmpty()) << where;
                EXPECT_TRUE(card->rect().contains(label->geometry())) << where;
            }
            EXPECT_GE(texts, 2) << card->objectName().toStdString();
            const auto* button = card->findChild<QPushButton*>();
            ASSERT_NE(button, nullptr);
            EXPECT_GE(button->width(), button->sizeHint().width()) << card->objectName().toStdString();
            EXPECT_TRUE(card->rect().contains(button->geometry())) << card->objectName().toStdString();
            EXPECT_TRUE(card->parentWidget()->rect().contains(card->geometry())) << card->objectName().toStdString();
        }
    }
}

TEST_P(Looks, WithTwoWorkers) {
    openTwoWorkers();
    ASSERT_TRUE(session_->project().saveAs(folder_.filePath(QString::fromUtf8("실험 训练 1.tandem"))));
    const auto closeDialog = [this](const char* name) {
        return [this, name] {
            if (auto* dialog = window_->findChild<QDialog*>(name)) dialog->reject();
            EXPECT_TRUE(QTest::qWaitFor([&] { return window_->findChild<QDialog*>(name) == nullptr; }, kDeadlineMs)) << name;
        };
    };
    read({page(Mode::kWelcome, "welcome"),
          page(Mode::kData, "data"),
          page(Mode::kModel, "model"),
          page(Mode::kCluster, "cluster"),
          page(Mode::kMonitor, "monitor-ready"),
          {"export", [this] { window_->openExport(); }, closeDialog("exportDialog")},
          {"export-slurm", [this] { openLaunchFiles("Slurm"); }, closeDialog("exportDialog")},
          {"export-kubernetes", [this] { openLaunchFiles("Kubernetes"); }, closeDialog("exportDialog")},
          {"export-ssh", [this] { openLaunchFiles("ssh"); }, closeDialog("exportDialog")},  // which refuses
          {"submit", [this] { window_->openSubmit(); }, closeDialog("submitDialog")},
          {"run-folder", [this] { window_->openRunFolder(); }, closeDialog("runFolderDialog")},
          {"shortcuts", [this] { window_->openShortcuts(); }, closeDialog("shortcutDialog")},
          {"tour", [this] { window_->startTour(); },
           [this] {
               QTest::keyClick(window_->findChild<Tour*>(), Qt::Key_Escape);
               EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<Tour*>() == nullptr; }, kDeadlineMs));
           }}});
}

TEST_P(Looks, WithTheHostsOfTheUser) {
    openTwoWorkers();
    addHosts();
    using Kind = HostRow::Kind;
    read({hosts("hosts-new", Kind::kNew, {}, "hostAdd"), hosts("hosts-bare", Kind::kListed, "node1", "hostInstall"),
          hosts("hosts-off", Kind::kListed, "node2", "hostRemove"), hosts("hosts-key", Kind::kConfigured, "lab", "hostQuestion")});
}

TEST_P(Looks, WithProblems) {
    openTwoWorkers();
    session_->project().change("Break it", [](engine::spec::RunSpec& run) {
        run.fit.epochs = -3;
        std::swap(run.model.layers[2], run.model.layers[3]);
        // Every step of the pipeline, in an order that is not possible and of which much is to be said.
        run.data.take = 100;
        run.data.mean = {0.1307};
        run.data.std = {0.3081};
        run.data.one_hot = 10;
        run.fit.steps_per_epoch = 70;
        std::reverse(run.data.order.begin(), run.data.order.end());
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

TEST_P(Looks, WithAWrongLayer) {
    openTwoWorkers();
    session_->project().change("Break it", [](engine::spec::RunSpec& run) { std::swap(run.model.layers[0], run.model.layers[2]); });
    const auto& infos = session_->project().layerInfos();
    const auto wrong = std::find_if(infos.begin(), infos.end(), [](const auto& info) { return !info.error.empty(); });
    ASSERT_NE(wrong, infos.end());
    const QString path = QStringLiteral("model.layers[%1]").arg(wrong - infos.begin());
    read({{"model-error",
           [this, path] {
               window_->showMode(Mode::kModel);
               window_->page(Mode::kModel).reveal(path);
           },
           {}}});
}

// What Monitor shows when it does not go as it should: a task that hangs, one that was killed, a run that begins again.
TEST_P(Looks, WithLosses) {
    openTwoWorkers();
    train();
    const std::string id = session_->runs().current()->id().toStdString();
    const std::int64_t at = session_->runs().current()->createdUnixNs() + 47'000'000'000;
    const auto* run = session_->runs().current();
    const auto tell = [&](engine::spec::EventBody body) {
        engine::spec::TaskEvent event;
        event.time_unix_ns = at;
        event.task = {"worker", 1};
        event.body = std::move(body);
        world_->addEvents(id, std::vector<engine::spec::TaskEvent>(1, event));
    };
    tell(StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", engine::spec::WaitCause::kSilence});
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->tasks().silent() != nullptr; }, kDeadlineMs));
    read({page(Mode::kMonitor, "monitor-silent")});
    tell(TaskFailed{"killed by signal 9 (SIGKILL)", -1, 9, {"step 3,595 took 13.3 ms"}});
    world_->setState(id, engine::run::RunState::kFailed, "worker 1: killed by signal 9 (SIGKILL)");
    session_->runs().refresh();
    ASSERT_TRUE(QTest::qWaitFor([&] { return run->state() == session::RunState::kFailed; }, kDeadlineMs));
    read({page(Mode::kMonitor, "monitor-failure")});
    session_->launcher().restartFromBackup();
    ASSERT_TRUE(QTest::qWaitFor([&] { return isActive(run->state()); }, kDeadlineMs));
    EXPECT_EQ(session_->runs().current(), run);
    read({page(Mode::kMonitor, "monitor-restarting")});
}

TEST_P(Looks, WithNumbersOfWeights) {
    openTwoWorkers();
    train();
    std::vector<engine::spec::TaskEvent> reports;
    for (int epoch = 0; epoch < 7; ++epoch) {
        engine::spec::TaskEvent& report = reports.emplace_back();
        report.time_unix_ns = session_->runs().current()->createdUnixNs();
        report.task.type = "worker";
        report.body = tests::sampleWeights(epoch);
    }
    for (const std::int64_t step : {100, 200, 300}) {
        engine::spec::LayerReport layers = tests::sampleLayers(step);
        layers.layers[1] = tests::sampleLayer("dense", 0, 0, 64, 64);  // dead
        engine::spec::TaskEvent& report = reports.emplace_back();
        report.time_unix_ns = session_->runs().current()->createdUnixNs();
        report.task.type = "worker";
        report.body = std::move(layers);
    }
    world_->addEvents(session_->runs().current()->id().toStdString(), reports);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current()->weightReports().norms().size() == 7; }, kDeadlineMs));
    read({{"monitor-weights",
           [this] {
               window_->showMode(Mode::kMonitor);
               auto* weights = window_->findChild<QWidget*>("weightView");
               EXPECT_TRUE(QTest::qWaitFor([weights] { return weights->isVisible(); }, kDeadlineMs));
               QCoreApplication::sendPostedEvents();  // its place in the dock
               window_->findChild<QScrollArea*>("monitorDock")->ensureWidgetVisible(weights);
           },
           {}},
          {"monitor-layers",
           [this] {
               auto* layers = window_->findChild<QWidget*>("layerView");
               EXPECT_TRUE(QTest::qWaitFor([layers] { return layers->isVisible(); }, kDeadlineMs));
               QCoreApplication::sendPostedEvents();
               window_->findChild<QScrollArea*>("monitorDock")->ensureWidgetVisible(layers);
           },
           {}}});
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
    states.push_back({"runs-archived",
                      [this] {
                          window_->showMode(Mode::kRuns);
                          session_->runs().setArchived(runIds(), true);
                      },
                      [this] { session_->runs().setArchived(runIds(), false); }});
    for (const auto& [name, run_dir] : {std::pair{"evaluate-without-checkpoint", folder_.path()}, {"evaluate-elsewhere", "/runs/none"}}) {
        states.push_back({name,
                          [this, &runs, run_dir = run_dir] {
                              window_->showMode(Mode::kRuns);
                              session::RunSummary run = session_->runs().list().front();
                              run.run_dir = run_dir;
                              runs.evaluate(run);
                          },
                          {}});
    }
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
