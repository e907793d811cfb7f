// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a picture of each page in each of its states, light and dark, with a made-up agent and run:
//   tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--ko | --zh_CN] [--run RUN_DIR] [--only GROUP]...
// With a run's folder also Evaluate, by the worker beside this program. Needs a display (xvfb-run -a). The manual's pictures, of real
// runs, are those of manual_pictures_main.cpp.
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDateTime>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPixmap>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "agent/client/sweep_folder.h"
#include "engine/chaos/journal_line.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "engine/spec/cluster/task_plan.h"
#include "tests/support/fake_host.h"
#include "tests/support/fake_host_backend.h"
#include "tests/support/lab_agent.h"
#include "tests/support/real_engine.h"
#include "tests/support/sample_layers.h"
#include "tests/support/sample_loads.h"
#include "tests/support/sample_run.h"
#include "tests/support/sample_served_run.h"
#include "tests/support/sample_weights.h"
#include "ui/cluster/cluster_page.h"
#include "ui/data/data_page.h"
#include "ui/export/export_dialog.h"
#include "ui/hosts/host_dialog.h"
#include "ui/model/model_page.h"
#include "ui/monitor/layers/layer_view.h"
#include "ui/monitor/monitor_charts.h"
#include "ui/monitor/monitor_page.h"
#include "ui/runs/run_compare.h"
#include "ui/runs/run_curves.h"
#include "ui/runs/runs_page.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/lab.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/sweep/sweep_view.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"

namespace {

using ui::views::Mode;

constexpr int kMomentOfBefore = 1500, kCheckpointsByThen = 3;  // of the run that Monitor shows: step, and its epochs by then
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
        engine::run::RunState state;
    };
    constexpr auto kDone = engine::run::RunState::kDone;
    int number = 0;
    for (const Earlier& earlier : {Earlier{"fashion-lenet", 1, 1e-3, 0.08, 4310, 0, 90, kDone},
                                   {"mnist-cnn \u00D72 lr 1e-1", 2, 1e-1, 0.9, 9410, 0, 30, engine::run::RunState::kFailed},
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
        engine::run::RunInfo info;
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

// Runs of the lab are trained at once, all others wait for what this program tells of them. What the lab asks the engine has made-up
// answers; all else is answered by the engine itself.
struct World : tests::LabWorld {
    bool trains = false;

    World() {
        engine = [this](const engine::spec::EngineQuestion& question, const agent::client::AskOptions& options) {
            namespace spec = engine::spec;
            const bool is_of_lab = std::holds_alternative<spec::TrafficQuestion>(question.asked) ||
                                   std::holds_alternative<spec::WeightsQuestion>(question.asked);
            return is_of_lab ? answer(question) : tests::askRealEngine(question, options);
        };
    }
};
class Agent : public tests::FakeAgentClient {
public:
    explicit Agent(std::shared_ptr<World> world) : FakeAgentClient(world), world_(world), lab_(world) {}
    engine::run::RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds deadline) override {
        return world_->trains ? lab_.submit(request, deadline) : FakeAgentClient::submit(request, deadline);
    }
    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) override {
        world_->trains ? lab_.control(run_id, control, deadline) : FakeAgentClient::control(run_id, control, deadline);
    }

private:
    const std::shared_ptr<World> world_;
    tests::LabAgent lab_;
};

class Photographer {
public:
    Photographer(QString folder, QSize size, const QString& language, QString run_dir)
        : folder_(std::move(folder)),
          run_dir_(std::move(run_dir)),
          language_(language),
          settings_(scratch_.filePath("settings.ini"), QSettings::IniFormat) {
        QDir().mkpath(folder_);
        world_->host = tests::sampleHost();
        themes_.setChoice(ui::theme::Choice::kLight);
        session_ = std::make_unique<ui::session::Session>(
            ui::session::SessionOptions{.connect = [world = world_] { return std::make_unique<Agent>(world); },
                                        .share_dir = QStringLiteral(TANDEM_SHARE),
                                        .settings = &settings_,
                                        .reconnect_ms = 200,
                                        .far_hosts = hosts_});
        window_ = std::make_unique<ui::views::MainWindow>(*session_, themes_);
        if (size.isValid()) window_->resize(size);
        window_->setLanguage(language);
        window_->show();
        QApplication::setActiveWindow(window_.get());  // Xvfb has no window manager that would do it
        settle();
    }
    ~Photographer() { session_->project().close(); }

    // All groups, or those named.
    void take(const QStringList& names) {
        const std::pair<const char*, void (Photographer::*)()> groups[] = {
            {"empty", &Photographer::takeEmpty},     {"projects", &Photographer::takeProjects}, {"model", &Photographer::takeModel},
            {"data", &Photographer::takeData},       {"cluster", &Photographer::takeCluster},   {"waiting", &Photographer::takeWaiting},
            {"monitor", &Photographer::takeMonitor}, {"servers", &Photographer::takeServers},   {"tpu", &Photographer::takeTpu},
            {"layers", &Photographer::takeLayers},   {"losses", &Photographer::takeLosses},     {"runs", &Photographer::takeRuns},
            {"lab", &Photographer::takeLab},         {"sweep", &Photographer::takeSweep},       {"help", &Photographer::takeHelp},
            {"hosts", &Photographer::takeHosts}};
        for (const auto& [name, group] : groups) {
            if (!names.isEmpty() && !names.contains(QLatin1String(name))) continue;
            (this->*group)();
            endRun();
        }
    }

private:
    using TaskState = engine::spec::TaskState;
    using WaitCause = engine::spec::WaitCause;

    void shoot(const QString& name) {
        for (const auto choice : {ui::theme::Choice::kLight, ui::theme::Choice::kDark}) {
            themes_.setChoice(choice);
            settle(300);
            window_->grab().save(folder_ + "/" + name + (choice == ui::theme::Choice::kLight ? "-light.png" : "-dark.png"));
        }
        std::printf("%s\n", qPrintable(name));
        std::fflush(stdout);
    }
    void shoot(const QString& name, Mode mode) {
        window_->showMode(mode);
        shoot(name);
    }
    void until(const std::function<bool()>& fact, const char* what) {
        if (!QTest::qWaitFor(fact, kDeadlineMs)) throw std::runtime_error(std::string("waited in vain for ") + what);
    }
    template <class Page>
    Page& page(Mode mode) {
        return static_cast<Page&>(window_->page(mode));
    }
    void openTemplate(const QString& id) {
        if (!session_->project().openStarter(id)) throw std::runtime_error("no template " + id.toStdString());
        session_->project().saveAs(scratch_.filePath(id + ".tandem"));
        ui::session::chooseFreePorts((*session_).project());
    }
    void trigger(const char* action) { window_->findChild<QAction*>(action)->trigger(); }

    // ---- the run -----------------------------------------------------------------------------------------------------
    std::string runId() const { return session_->runs().current()->id().toStdString(); }
    void launch(double seconds_ago) {
        const auto* before = session_->runs().current();
        world_->now_unix_ns = nowUnixNs() - static_cast<std::int64_t>(seconds_ago * kSecondNs);
        loads_until_ns_ = world_->now_unix_ns;
        ui::session::chooseFreePorts((*session_).project());
        until([this] { return session_->launcher().obstacle().isEmpty(); }, "a project that can be launched");
        session_->launcher().launch();
        until([&] { return session_->runs().current() != nullptr && session_->runs().current() != before; }, "the launch");
    }
    void tell(int worker, double at_s, engine::spec::EventBody body) {
        engine::spec::TaskEvent event;
        event.time_unix_ns = session_->runs().current()->createdUnixNs() + static_cast<std::int64_t>(at_s * kSecondNs);
        event.task = {"worker", worker};
        event.body = std::move(body);
        world_->addEvents(runId(), std::vector<engine::spec::TaskEvent>(1, event));
    }
    void setState(engine::run::RunState state, const std::string& detail = {}) {
        world_->setState(runId(), state, detail);
        session_->runs().refresh();
        settle();
    }
    // Each group may launch a run, whichever came before it: none is left training.
    void endRun() {
        if (!session_->runs().hasActiveOfOwn()) return;
        setState(engine::run::RunState::kStopped);
        until([this] { return !session_->runs().hasActiveOfOwn(); }, "the end of a group's run");
    }
    void train() {
        openTemplate("mnist_multi_worker");
        launch(kRunSeconds);
        tests::SampleRunOptions options;
        options.created_unix_ns = session_->runs().current()->createdUnixNs();
        world_->addEvents(runId(), tests::sampleRun(options));
        setState(engine::run::RunState::kTraining);
        addLoads();
    }
    // What the host used since the run's start, up to now: an older reading counts as none.
    void addLoads() {
        const auto seconds = static_cast<int>((nowUnixNs() - loads_until_ns_) / kSecondNs);
        world_->addLoads(tests::sampleLoads(runId(), loads_until_ns_, seconds));
        loads_until_ns_ += seconds * kSecondNs;
        settle();
    }
    void agentAnswers(bool on) {
        {
            const std::lock_guard lock(world_->mutex);
            world_->answers = on;
        }
        world_->news.notify_all();
        session_->runs().refresh();
        settle(1200);
    }

    // ---- the groups --------------------------------------------------------------------------------------------------
    void takeEmpty() {
        session_->project().close();
        for (const auto& [mode, name] : {std::pair{Mode::kWelcome, "welcome"},
                                         {Mode::kData, "data"},
                                         {Mode::kModel, "model"},
                                         {Mode::kCluster, "cluster"},
                                         {Mode::kMonitor, "monitor-no-project"},
                                         {Mode::kRuns, "runs"}}) {
            shoot(QStringLiteral("%1%2").arg(QLatin1String(name), QLatin1String(mode == Mode::kMonitor ? "" : "-empty")), mode);
        }
        agentAnswers(false);
        shoot("welcome-no-agent", Mode::kWelcome);
        agentAnswers(true);
    }

    void takeProjects() {
        for (const auto& source : session_->starters().all()) {
            if (source.label.isEmpty() && source.needs.isEmpty()) openTemplate(source.id);  // those with cards
        }
        shoot("welcome", Mode::kWelcome);
        trigger("actionLocator");
        shoot("locator");
        QTest::keyClick(window_->findChild<QWidget*>("locator"), Qt::Key_Escape);
    }

    void takeModel() {
        openTemplate("mnist_multi_worker");
        auto& model = page<ui::views::ModelPage>(Mode::kModel);
        const auto edit = [this](const std::function<void(engine::spec::RunSpec&)>& change) { session_->project().change("Edit", change); };
        shoot("model", Mode::kModel);
        model.reveal("model.layers[0]");
        shoot("model-layer");
        model.reveal("compile.optimizer");
        shoot("model-compile");
        edit([](engine::spec::RunSpec& run) { run.compile.loss_scale.emplace(); });
        model.reveal("compile.optimizer");
        settle();
        window_->findChild<QScrollArea*>("modelProperties")
            ->ensureWidgetVisible(window_->findChild<QWidget*>("field_dynamic_growth_steps"));
        shoot("model-loss-scale");
        session_->project().undoStack().undo();
        model.reveal("model.layers[0]");
        model.setView(ui::views::ModelPage::View::kSplit);
        shoot("model-split");
        edit([](engine::spec::RunSpec& run) { run.code = "model = keras.Sequential([\n  layers.Flatten(input_shape=(28, 28\n"; });
        shoot("model-code-wrong");
        session_->project().undoStack().undo();
        model.setView(ui::views::ModelPage::View::kCode);
        shoot("model-code");
        model.setView(ui::views::ModelPage::View::kCanvas);
        edit([](engine::spec::RunSpec& run) { std::swap(run.model.layers[1], run.model.layers[2]); });
        model.reveal("model.layers[2]");
        window_->panes().open(1);
        shoot("model-error");
        window_->panes().close();
        session_->project().undoStack().undo();
        edit([](engine::spec::RunSpec& run) { run.model.layers.clear(); });
        shoot("model-no-layers");
        session_->project().undoStack().undo();
        model.openSummary();
        shoot("model-summary");
        window_->findChild<QDialog*>("summaryDialog")->reject();
        takeBlocks();
    }

    // Layers that hold others: on the canvas, and their list in the settings.
    void takeBlocks() {
        openTemplate("cifar10_transformer");
        auto& model = page<ui::views::ModelPage>(Mode::kModel);
        model.reveal("model.layers[4]");
        shoot("model-blocks", Mode::kModel);
        openTemplate("cifar10_resnet20");
        model.reveal("model.layers[8]");
        settle();
        window_->findChild<QScrollArea*>("modelProperties")->ensureWidgetVisible(window_->findChild<QWidget*>("field_shortcut"));
        shoot("model-shortcut");
    }

    void takeData() {
        openTemplate("mnist_multi_worker");
        window_->showMode(Mode::kData);
        const ui::session::DataDesk& desk = page<ui::views::DataPage>(Mode::kData).desk();
        const auto read = [&] {
            settle();
            until(
                [&desk] {
                    const ui::session::DataPhase phase = desk.data().phase;
                    const bool settled = phase == ui::session::DataPhase::kFailed || phase == ui::session::DataPhase::kReady;
                    return settled && !desk.shards().is_running;
                },
                "the data");
        };
        const auto edit = [this](const std::function<void(engine::spec::RunSpec&)>& change) { session_->project().change("Edit", change); };
        read();
        shoot("data");
        edit([](engine::spec::RunSpec& run) { run.strategy.logical_cpus = 2; });
        read();
        shoot("data-devices");
        session_->project().undoStack().undo();
        for (const char* mix : {"MixUp", "CutMix"}) {  // with what the project lacks for it
            edit([mix](engine::spec::RunSpec& run) { run.data.mix = {mix, {}}; });
            read();
            shoot(QStringLiteral("data-") + QString::fromLatin1(mix).toLower());
            session_->project().undoStack().undo();
        }
        edit([](engine::spec::RunSpec& run) { std::reverse(run.data.order.begin(), run.data.order.end()); });
        read();
        window_->panes().open(1);
        shoot("data-problems");
        window_->panes().close();
        session_->project().undoStack().undo();
        edit([](engine::spec::RunSpec& run) { run.data.dataset = "fashion_mnist"; });
        read();
        shoot("data-missing");
        session_->project().undoStack().undo();
        read();
    }

    // Every ordered pair of these computers.
    static std::vector<engine::spec::HostWay> waysOf(const std::vector<std::string>& hosts) {
        std::vector<engine::spec::HostWay> ways;
        for (const std::string& from : hosts) {
            for (const std::string& to : hosts) {
                if (from != to) ways.push_back({from, to, 12345, engine::spec::WayOutcome::kReached, 210, 9.4e8, ""});
            }
        }
        return ways;
    }
    void look(const std::vector<std::string>& others) {
        std::vector<std::string> hosts{session_->host().info()->host_name};
        hosts.insert(hosts.end(), others.begin(), others.end());
        world_->doctor.ways = waysOf(hosts);
        for (engine::spec::HostWay& way : world_->doctor.ways) {
            if (way.from == hosts[2] || way.to == hosts[2]) way.round_trip_us = 40'200, way.bytes_per_s = 1.2e6, way.is_slow = true;
        }
        world_->doctor.ways[1] = {hosts[0], hosts[2], 12345, engine::spec::WayOutcome::kTimedOut, 0, 0, ""};
        window_->findChild<QPushButton*>("runDoctor")->click();
        until([this] { return session_->doctor().report().has_value(); }, "the doctor");
    }
    // The ways between three computers, between ten, and between twenty.
    void takeWays() {
        look({"node1", "node2"});
        shoot("cluster-ways");
        for (const int count : {10, 20}) {
            std::vector<std::string> others;
            session_->project().change("Edit", [&](engine::spec::RunSpec& run) {
                auto& tasks = run.cluster.spec.jobs.front().tasks;
                for (int i = 1; i < count; ++i) {
                    others.push_back("node" + std::to_string(i));
                    tasks[i] = others.back() + ":12345";
                }
            });
            look(others);
            shoot("cluster-ways-" + QString::number(count));
            session_->project().undoStack().undo();
        }
        world_->doctor = {};
    }

    void takeCluster() {
        openTemplate("mnist_multi_worker");
        shoot("cluster", Mode::kCluster);
        auto* options = window_->findChild<QPushButton*>("strategyOptions");
        options->setChecked(true);
        settle();
        auto* dock = window_->findChild<QScrollArea*>("clusterDock");
        dock->ensureWidgetVisible(window_->findChild<QWidget*>("strategyForm"));
        shoot("cluster-options");
        dock->verticalScrollBar()->setValue(dock->verticalScrollBar()->maximum());
        shoot("cluster-options-end");
        dock->verticalScrollBar()->setValue(0);
        options->setChecked(false);
        ui::session::setLocalWorkers((*session_).project(), 4);
        shoot("cluster-4");
        session_->project().undoStack().undo();
        session_->project().change("Edit", [](engine::spec::RunSpec& run) {
            auto& tasks = run.cluster.spec.jobs.front().tasks;
            tasks.rbegin()->second = tasks.begin()->second;
        });
        shoot("cluster-wrong");
        session_->project().undoStack().undo();
        session_->project().change("Edit", [](engine::spec::RunSpec& run) {
            run.cluster.spec.jobs.front().tasks = {{0, "localhost:12345"}, {1, "node1:23456"}, {2, "localhost:23456"}, {3, "node2:12345"}};
        });
        shoot("cluster-hosts");
        takeWays();
        session_->project().undoStack().undo();
        page<ui::views::ClusterPage>(Mode::kCluster).openPaste("# two computers of the lab\nnode1 slots=2\nnode2 slots=1\n");
        shoot("cluster-paste");
        window_->findChild<QDialog*>("pasteClusterDialog")->reject();
        settle(100);
        session_->project().save();
        window_->openExport();
        shoot("export");
        if (auto* dialog = window_->findChild<ui::views::ExportDialog*>()) dialog->showPage(ui::views::ExportPage::kLaunch);
        shoot("export-launch");
        for (const char* language : {"ko", "zh_CN"}) {
            window_->setLanguage(language);
            shoot(QStringLiteral("export-launch-") + QLatin1String(language));
        }
        window_->setLanguage(language_);
        if (auto* dialog = window_->findChild<QDialog*>("exportDialog")) dialog->reject();
        settle(100);
        window_->openSubmit();
        shoot("submit");
        window_->findChild<QDialog*>("submitDialog")->reject();
        settle(100);
        window_->openRunFolder();
        shoot("run-folder");
        window_->findChild<QDialog*>("runFolderDialog")->reject();
    }

    // The dialog of hosts in its states, and the cards of two of them.
    void takeHosts() {
        using ui::session::FarHostState;
        ui::session::HostSight bare{.state = FarHostState::kNoTandem, .address = "192.0.2.7", .reached_ms = 38};
        bare.info = tests::sampleHost();
        ui::session::HostSight ready = bare;
        ready.state = FarHostState::kReachable;
        ready.version = "0.1.0";
        ready.round_trip_ns = 412'000;
        hosts_->setSight("node1", ready);
        for (const char* name : {"node2", "node4"}) hosts_->setSight(name, bare);
        hosts_->setSight("node3",
                         {.state = FarHostState::kProblem,
                          .problem = "node3: expected an ssh server that answers, no route leads to the host (ssh: connect to host "
                                     "node3 port 22: No route to host)"});
        hosts_->setQuestion("lab", {.kind = ui::session::HostQuestion::Kind::kHostKey,
                                    .key_type = "ED25519",
                                    .fingerprint = "SHA256:zbtC1V5Yhx0Nl6q1Dbn1iMGVsjBmPVgLmLxwYB9dhUc"});
        hosts_->setQuestion("gate", {.text = "ann@gate's password:"});
        hosts_->setEntries({{"node1", "ann@node1.lan:2222"}, {"node2", "node2"}, {"node3", "node3"}});
        hosts_->ssh_names = QStringList{"lab", "gate"};
        openTemplate("mnist_multi_worker");
        session_->project().change("Edit", [](engine::spec::RunSpec& run) {
            run.cluster.spec.jobs.front().tasks = {{0, "node1:12345"}, {1, "node2:23456"}, {2, "other:23456"}};
        });
        window_->showMode(Mode::kCluster);
        session_->farHosts().reload();
        until([this] { return session_->farHosts().hosts().size() == 3; }, "the list of hosts");
        page<ui::views::ClusterPage>(Mode::kCluster).openHosts();
        auto* dialog = window_->findChild<ui::views::HostDialog*>();
        auto* list = dialog->findChild<ui::views::HostListView*>();
        shoot("hosts-new");
        QTest::keyClicks(dialog->findChild<QLineEdit*>("hostName"), "node4");
        const auto* title = dialog->findChild<QLabel*>("hostSightTitle");
        until([&] { return title->text().contains("38"); }, "the trial");
        shoot("hosts-trial");
        auto* destination = dialog->findChild<QLineEdit*>("hostDestination");
        QTest::keyClicks(destination, "tandem://node4:7443/" + QString(64, 'a') + "/" + QString(32, 'b'));
        shoot("hosts-pairing");
        hosts_->pairing_error =
            "node4: expected a pairing line that is good, got one that has expired, since it is good for ten minutes and until the next "
            "one "
            "is made: tandem-agent invite there prints another";
        dialog->findChild<QPushButton*>("hostAdd")->click();
        until([&] { return !dialog->findChild<QLabel*>("hostFormProblem")->text().isEmpty(); }, "the refusal");
        shoot("hosts-pairing-refused");
        using Kind = ui::views::HostRow::Kind;
        for (const auto& [kind, name] : {std::pair{Kind::kListed, "node1"}, {Kind::kListed, "node2"}, {Kind::kListed, "node3"}}) {
            list->choose(kind, name);
            shoot(QStringLiteral("hosts-") + name);
        }
        list->choose(Kind::kListed, "node2");
        hosts_->hold();
        dialog->findChild<QPushButton*>("hostInstall")->click();
        shoot("hosts-installing");
        for (const char* name : {"lab", "gate"}) {
            list->choose(Kind::kConfigured, name);
            until([&] { return dialog->findChild<QWidget*>("hostQuestion")->isVisible(); }, "the question");
            shoot(QStringLiteral("hosts-") + name);
        }
        dialog->reject();
        settle(100);
        shoot("hosts-cards");
        hosts_->release();
        session_->project().undoStack().undo();
    }

    void takeWaiting() {
        openTemplate("mnist_multi_worker");
        shoot("monitor-empty", Mode::kMonitor);
        launch(8.1);
        tell(0, 0.2, engine::spec::StateChanged{TaskState::kConnecting, "listening"});
        tell(0, 5.2,
             engine::spec::StateChanged{TaskState::kWaiting, "waiting for worker 1 (5 s of 600 s)", WaitCause::kPeers, {{"worker", 1}}});
        settle();
        window_->panes().open(2);
        shoot("monitor-waiting");
        tell(1, 0.2, engine::spec::StateChanged{TaskState::kConnecting, "listening"});
        tell(1, 4.3, engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
        settle();
        shoot("monitor-waiting-silent");
        window_->panes().close();
        setState(engine::run::RunState::kStopped);
    }

    // Layers that learn, but for one whose units die at step 50.
    void takeLayers() {
        train();
        window_->showMode(Mode::kMonitor);
        std::vector<engine::spec::TaskEvent> reports;
        for (std::int64_t step = 1; step <= 3500; step = step < 100 ? 2 * step + 1 : step + 100) {
            engine::spec::LayerReport report = tests::sampleLayers(step);
            if (step > 50) report.layers[1] = tests::sampleLayer("dense", 0, 0, 64, 64);
            engine::spec::TaskEvent& event = reports.emplace_back();
            event.time_unix_ns = session_->runs().current()->createdUnixNs() + kRunSeconds * kSecondNs * step / 3600;
            event.task.type = "worker";
            event.body = std::move(report);
        }
        engine::spec::WeightReport weights = tests::sampleWeights(0);
        weights.filters = {"dense/kernel", 28, 28, 1, 32, {}};
        for (int unit = 0; unit < 32; ++unit) {
            for (int pixel = 0; pixel < 28 * 28; ++pixel)
                weights.filters.values.push_back(
                    static_cast<float>(std::sin(0.02 * (unit + 3) * (pixel % 28)) * std::cos(0.3 * (pixel / 28))));
        }
        reports.emplace_back(reports.back()).body = std::move(weights);
        world_->addEvents(runId(), reports);
        settle();
        auto* dock = window_->findChild<QScrollArea*>("monitorDock");
        dock->verticalScrollBar()->setValue(dock->verticalScrollBar()->maximum());
        shoot("monitor-layers");
        window_->findChild<ui::views::LayerView*>()->stepWanted(103);
        for (const char* chart : {"layers/gradient_norm", "layers/update_ratio", "layers/dead_share"})
            page<ui::views::MonitorPage>(Mode::kMonitor).charts().addChart(chart);
        settle();
        shoot("monitor-layer-charts");
        page<ui::views::MonitorPage>(Mode::kMonitor).charts().setAddedCharts({});
    }

    void takeMonitor() {
        train();
        window_->showMode(Mode::kMonitor);
        for (int pane = 1; pane <= 5; ++pane) {
            if (!window_->panes().has(pane)) continue;
            window_->panes().open(pane);
            addLoads();
            shoot(pane == 2 ? QStringLiteral("monitor") : QStringLiteral("monitor-pane-%1").arg(pane));
        }
        window_->panes().close();
        auto* dock = window_->findChild<QScrollArea*>("monitorDock");
        std::vector<engine::spec::TaskEvent> reports;
        for (int epoch = 0; epoch < 7; ++epoch) {
            engine::spec::TaskEvent& report = reports.emplace_back();
            report.time_unix_ns = session_->runs().current()->createdUnixNs();
            report.task.type = "worker";
            report.body = tests::sampleWeights(epoch);
        }
        world_->addEvents(runId(), reports);
        settle();
        addLoads();
        dock->ensureWidgetVisible(window_->findChild<QWidget*>("weightView"));
        shoot("monitor-weights");
        dock->verticalScrollBar()->setValue(0);
        auto& charts = page<ui::views::MonitorPage>(Mode::kMonitor).charts();
        for (const char* chart : {"host/cpu_cores", "host/network_bytes"}) charts.addChart(chart);
        addLoads();
        shoot("monitor-host-charts");
        charts.setAddedCharts({});
        takeChaos();
        for (const int worker : {0, 1}) tell(worker, kRunSeconds, engine::spec::StateChanged{TaskState::kPaused, "after step 3,595"});
        setState(engine::run::RunState::kPaused);
        shoot("monitor-paused");
        window_->findChild<QToolButton*>("monitorTime")->click();
        window_->findChild<QSlider*>("timeSlider")->setValue(kMomentOfBefore);
        until([this] { return window_->findChild<QListView*>("checkpointList")->model()->rowCount() == kCheckpointsByThen; },
              "the moment of before");
        shoot("monitor-time");
        window_->findChild<QPushButton*>("timeNow")->click();
        agentAnswers(false);
        shoot("monitor-agent-lost");
        agentAnswers(true);
        for (const int worker : {0, 1}) tell(worker, kRunSeconds, engine::spec::StateChanged{TaskState::kDone, {}});
        setState(engine::run::RunState::kDone);
        shoot("monitor-done");
    }

    // A fault that was named, and one that has just begun.
    void takeChaos() {
        using engine::chaos::FaultKind;
        const engine::spec::TaskId worker{"worker", 1};
        const auto begin = [&](double second, FaultKind kind) {
            const std::string line = engine::chaos::journalLine({engine::chaos::usualFault(kind, worker), false});
            tell(1, second, engine::spec::LogLine{engine::spec::LogLevel::kWarning, line});
        };
        trigger("actionChaos");
        shoot("monitor-chaos-empty");
        window_->findChild<QDialog*>("chaosDialog")->reject();
        settle(100);
        begin(kRunSeconds - 9, FaultKind::kStop);
        tell(1, kRunSeconds - 5, engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
        begin(kRunSeconds - 1, FaultKind::kSkew);
        settle();
        trigger("actionChaos");
        shoot("monitor-chaos");
        window_->findChild<QDialog*>("chaosDialog")->reject();
        settle(100);
    }

    // A project for a TPU: its card, the form of its resolver, why it is not launched, its script.
    void takeTpu() {
        openTemplate("mnist_mirrored");
        session_->project().change("Edit", [](engine::spec::RunSpec& run) {
            chooseStrategy(run, "TPUStrategy", {});
            run.strategy.cluster_resolver = {"TPUClusterResolver",
                                             {{"tpu", std::string("my-tpu")}, {"zone", std::string("us-central1-b")}}};
            run.data.drop_remainder = true;
        });
        shoot("tpu-cluster", Mode::kCluster);
        auto* options = window_->findChild<QPushButton*>("strategyOptions");
        options->setChecked(true);
        settle();
        window_->findChild<QScrollArea*>("clusterDock")->ensureWidgetVisible(window_->findChild<QWidget*>("strategyForm"), 0, 0);
        shoot("tpu-options");
        options->setChecked(false);
        shoot("tpu-data", Mode::kData);
    }

    // One ps and three workers that do not wait for each other.
    void takeServers() {
        openTemplate("book_parameter_servers");
        shoot("servers-cluster", Mode::kCluster);
        auto* options = window_->findChild<QPushButton*>("strategyOptions");
        auto* dock = window_->findChild<QScrollArea*>("clusterDock");
        const auto edit = [this](const std::function<void(engine::spec::RunSpec&)>& change) { session_->project().change("Edit", change); };
        edit([](engine::spec::RunSpec& run) {
            run.strategy.variable_partitioner = {"MaxSizePartitioner", {{"max_shard_bytes", std::int64_t{262144}}}};
            run.strategy.max_staleness = 2;
        });
        options->setChecked(true);
        settle();
        dock->ensureWidgetVisible(window_->findChild<QWidget*>("strategyForm"), 0, 0);
        shoot("servers-options");
        edit([](engine::spec::RunSpec& run) { run.strategy.max_staleness = -1; });
        window_->panes().open(1);
        shoot("servers-finding");
        window_->panes().close();
        options->setChecked(false);
        for (int i = 0; i < 2; ++i) session_->project().undoStack().undo();
        page<ui::views::ModelPage>(Mode::kModel).reveal("fit.steps");
        shoot("servers-steps", Mode::kModel);
        launch(kRunSeconds);
        tests::ServedRunOptions served;
        served.created_unix_ns = session_->runs().current()->createdUnixNs();
        world_->addEvents(runId(), tests::sampleServedRun(served));
        setState(engine::run::RunState::kTraining);
        addLoads();
        window_->showMode(Mode::kMonitor);
        shoot("servers-monitor");
        engine::spec::TaskEvent lost;
        lost.time_unix_ns = nowUnixNs();
        lost.task = {"ps", 0};
        lost.body = engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence};
        world_->addEvents(runId(), {lost});
        settle();
        shoot("servers-monitor-silent");
        setState(engine::run::RunState::kStopped);
    }

    void takeLosses() {
        train();
        window_->showMode(Mode::kMonitor);
        tell(1, kRunSeconds - 1, engine::spec::StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
        settle();
        shoot("monitor-silent");
        engine::spec::TaskFailed failed;
        failed.reason = "killed by signal 9 (SIGKILL)";
        failed.signal = 9;
        failed.last_lines = {"listening at localhost:23456", "Training", "epoch 7 ended after step 3283",
                             "checkpoint saved: checkpoints/ckpt_7"};
        tell(1, kRunSeconds - 0.2, failed);
        tell(0, kRunSeconds, engine::spec::StateChanged{TaskState::kStopped, "stopped because worker 1 failed"});
        setState(engine::run::RunState::kFailed, "worker 1: killed by signal 9 (SIGKILL)");
        shoot("monitor-failure");
        const auto* run = session_->runs().current();
        world_->now_unix_ns = nowUnixNs();
        session_->launcher().restartFromBackup();
        until([&] { return isActive(run->state()); }, "the restart");
        for (const int worker : {0, 1}) tell(worker, 0.3, engine::spec::StateChanged{TaskState::kReady, {}});
        settle(1500);
        shoot("monitor-restarting");
        setState(engine::run::RunState::kStopped);
    }

    void takeRuns() {
        train();
        window_->showMode(Mode::kRuns);
        const std::string current = runId();
        auto earlier = std::make_shared<tests::FakeAgentWorld>();
        addEarlierRuns(*earlier, session_->project().spec(), session_->runs().current()->createdUnixNs());
        for (auto& [id, events] : earlier->events) world_->addEvents(id, std::move(events));
        {
            const std::lock_guard lock(world_->mutex);
            std::erase_if(world_->runs, [&](const engine::run::RunInfo& run) { return run.id != current; });
            world_->runs.insert(world_->runs.end(), earlier->runs.begin(), earlier->runs.end());
        }
        session_->runs().refresh();
        settle();
        auto& runs = page<ui::views::RunsPage>(Mode::kRuns);
        runs.model().setChecked({QString::fromStdString(current), "earlier-7", "earlier-6", "earlier-5", "earlier-4", "earlier-3"});
        session_->runs().setPinned("earlier-6", true);
        session_->runs().setTags("earlier-6", {"paper"});
        settle(1500);
        shoot("runs");
        using Tab = ui::views::RunCompare::Tab;
        for (const auto& [tab, name] :
             {std::pair{Tab::kSettings, "settings"}, {Tab::kParallel, "parallel"}, {Tab::kCode, "code"}, {Tab::kLogs, "logs"}}) {
            runs.compare().setTab(tab);
            shoot(QStringLiteral("runs-%1").arg(QLatin1String(name)));
        }
        runs.compare().setTab(Tab::kCurves);
        runs.model().setGroupBy(ui::models::RunTableModel::GroupBy::kSeeds);
        window_->findChild<QComboBox*>("compareSeeds")->setCurrentIndex(1);
        shoot("runs-seeds");
        runs.model().setGroupBy(ui::models::RunTableModel::GroupBy::kNone);
        window_->findChild<QLineEdit*>("runFilter")->setText("/nothing/");
        shoot("runs-no-match");
        window_->findChild<QLineEdit*>("runFilter")->clear();
        if (run_dir_.isEmpty()) return;
        ui::session::RunSummary trained = session_->runs().list().front();
        trained.run_dir = run_dir_;
        if (QFile project(run_dir_ + "/run.json"); project.open(QIODevice::ReadOnly)) trained.project_json = project.readAll();
        const QSignalSpy inspected(&session_->evaluation(), &ui::session::Evaluation::inspected);
        runs.evaluate(trained);
        (void)QTest::qWaitFor([&inspected] { return !inspected.isEmpty(); }, kDeadlineMs);
        shoot("evaluate");
    }

    // Most rows equal, one wrong, one that may differ, one that the project rules out; then one in progress.
    void takeLab() {
        using engine::spec::RunSpec;
        openTemplate("mnist_multi_worker");
        auto& runs = page<ui::views::RunsPage>(Mode::kRuns);
        window_->showMode(Mode::kRuns);
        runs.openLab();
        shoot("lab-empty");
        world_->trains = true;
        world_->difference = [](const RunSpec& run) {
            const bool is_wrong = run.cluster.spec.trainingTasks().size() == 3 && run.strategy.name == "MultiWorkerMirroredStrategy";
            const bool is_apart = run.strategy.name == "ParameterServerStrategy" && run.cluster.spec.trainingTasks().size() > 1;
            const double largest = is_wrong ? 0.0187 : is_apart ? 0.0412 : run.strategy.logical_cpus > 1 ? 1.2e-7 : 0;
            return engine::spec::WeightDifference{
                .largest = largest, .variable = "dense/kernel", .distance = 20 * largest, .norm = 18, .values = 346'442};
        };
        const auto train = [&] {
            until([this] { return session_->launcher().obstacle().isEmpty(); }, "a project that can be launched");
            session_->lab().start(session_->project().spec(), {}, {.rows = engine::lab::chosenRows({})});
        };
        train();
        until([this] { return !session_->lab().isRunning(); }, "the lab");
        shoot("lab");
        world_->is_held = true;
        train();
        settle();
        shoot("lab-training");
        session_->lab().cancel();
        world_->is_held = world_->trains = false;
        settle();
    }

    // The plan of a sweep, and one whose trials have ended but for two.
    void takeSweep() {
        namespace sweep = engine::sweep;
        openTemplate("mnist_mlp");
        auto& runs = page<ui::views::RunsPage>(Mode::kRuns);
        window_->showMode(Mode::kRuns);
        runs.openSweep();
        until([this] { return session_->launcher().obstacle().isEmpty(); }, "a project that can be launched");
        for (int i = 0; i < 2; ++i) window_->findChild<QPushButton*>("sweepAddField")->click();
        shoot("sweep-plan");
        sweep::SweepSettings settings{.method = sweep::Method::kAsha, .fields = {}, .objective = {}, .trials = 0};
        for (const char* field : {"compile.optimizer.learning_rate=log:1e-4..1e-2:3", "model.layers[1].units=128,256,512",
                                  "data.batch_size_per_replica=64,128,256"}) {
            settings.fields.push_back(sweep::parseField(field));
        }
        settings.max_epochs = 27;
        settings.at_once = 2;
        sweep::Sweep made_up(settings, 27);
        for (int told = 0; const auto job = made_up.next(); ++told) {
            made_up.begun(*job, "20261121-143205-" + std::to_string(job->trial));
            if (told >= 36) {
                made_up.progressed(*job, std::max<std::int64_t>(1, job->epochs / 2), 0.95);
                if (made_up.training().size() == 2) break;
                continue;
            }
            const sweep::Configuration& values = made_up.trials()[static_cast<std::size_t>(job->trial)].configuration;
            const double rate = std::log10(std::stod(values[0])) + 3, units = std::stod(values[1]), batch = std::stod(values[2]);
            if (rate > 0.9 && batch < 100) {
                made_up.failed(*job, "worker 0: exit code 1: NaN or Inf loss encountered in batch 12");
                continue;
            }
            made_up.told(*job, job->epochs,
                         0.982 - 0.02 * rate * rate + 0.00001 * units - 0.00001 * batch - 0.06 / static_cast<double>(job->epochs));
        }
        const agent::client::SweepFolder folder = agent::client::SweepFolder::make(scratch_.filePath("sweep").toStdString());
        folder.save(session_->project().spec(), made_up);
        auto* view = window_->findChild<ui::views::SweepView*>("sweepView");
        view->desk().show(QString::fromStdString(folder.path().string()));
        until([view] { return view->desk().sweep().has_value() && !view->desk().isRunning(); }, "the sweep");
        shoot("sweep");
        view->desk().clear();
        settle();
    }

    void takeHelp() {
        shoot("help", Mode::kHelp);
        trigger("actionManual");
        shoot("help-manual");
        window_->openShortcuts();
        shoot("shortcuts");
        window_->findChild<QDialog*>("shortcutDialog")->reject();
        window_->startTour();
        shoot("tour");
        for (int i = 0; i < 2; ++i) QTest::keyClick(window_->findChild<QWidget*>("tour"), Qt::Key_Right);
        shoot("tour-3");
        QTest::keyClick(window_->findChild<QWidget*>("tour"), Qt::Key_Escape);
    }

    const QString folder_, run_dir_, language_;
    const QTemporaryDir scratch_;
    QSettings settings_;
    std::shared_ptr<World> world_ = std::make_shared<World>();
    std::shared_ptr<tests::FakeHostBackend> hosts_ = std::make_shared<tests::FakeHostBackend>();
    ui::theme::ThemeController themes_;
    std::unique_ptr<ui::session::Session> session_;
    std::unique_ptr<ui::views::MainWindow> window_;
    std::int64_t loads_until_ns_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    const QApplication app(argc, argv);
    QStringList arguments = app.arguments().mid(1), only;
    const QString language = arguments.removeAll("--ko") > 0 ? "ko" : arguments.removeAll("--zh_CN") > 0 ? "zh_CN" : "en";
    const auto takeValue = [&arguments](const char* option, QString& value) {
        const qsizetype at = arguments.indexOf(QLatin1String(option));
        if (at < 0 || at + 1 >= arguments.size()) return false;
        value = arguments.takeAt(at + 1);
        arguments.removeAt(at);
        return true;
    };
    QString run_dir, group;
    takeValue("--run", run_dir);
    while (takeValue("--only", group)) only << group;
    if (arguments.isEmpty() || arguments.first().startsWith(QLatin1Char('-'))) {
        std::fprintf(stderr,
                     "usage: tandem-screenshots OUT_DIR [WIDTH HEIGHT] [--ko | --zh_CN] [--run RUN_DIR] "
                     "[--only empty|projects|model|data|cluster|hosts|waiting|monitor|servers|losses|runs|lab|sweep|help]...\n");
        return 2;
    }
    const QSize size = arguments.size() >= 3 ? QSize(arguments[1].toInt(), arguments[2].toInt()) : QSize();
    try {
        Photographer(arguments[0], size, language, run_dir).take(only);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem-screenshots: %s\n", error.what());
        return 1;
    }
    return 0;
}
