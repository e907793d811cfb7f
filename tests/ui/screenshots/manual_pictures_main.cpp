// SPDX-License-Identifier: GPL-3.0-or-later
// The pictures of the manual in every language and the one of the README: the real window over a real agent with real workers on MNIST;
// nothing is made up.
//   xvfb-run -a -s "-screen 0 1600x1000x24" tandem-manual-pictures docs/manual README.png        (build target manual_pictures)
// Takes two or three minutes; names of groups behind it take those alone. Writes LANGUAGE/pictures/*.png, light theme, 1100x700; README.png
// is dark, 1440x900. At most 256 colours each.
#include <QAction>
#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QLineEdit>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <csignal>
#include <cstdio>
#include <functional>
#include <stdexcept>

#include "agent/client/agent_client.h"
#include "small_palette.h"
#include "ui/cluster/cluster_page.h"
#include "ui/data/data_page.h"
#include "ui/models/run_table_model.h"
#include "ui/runs/run_table.h"
#include "ui/runs/runs_page.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/evaluation.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/toast.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"

namespace {

using engine::spec::RunSpec;
using ui::session::RunState;
using ui::views::Mode;

constexpr QSize kSize{1100, 700}, kReadmeSize{1440, 900};
constexpr int kSettleMs = 500, kDeadlineMs = 180'000;
constexpr auto kHostfile = "# two computers of the lab\nnode1 slots=2\nnode2 slots=1\n";

using Step = std::function<void()>;

// Folders of its own, so that no agent, run or setting of the user takes part; whatever still runs at the end is ended.
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
        for (const int pid : processes("tandem-agent")) ::kill(pid, SIGTERM);
    }
    QString path(const QString& name) const { return folder_.filePath(name); }

    // Ids of our own processes of that program.
    std::vector<int> processes(const QString& program) const {
        const QByteArray marker = "HOME=" + folder_.filePath("home").toUtf8();
        std::vector<int> found;
        for (const QString& pid : QDir("/proc").entryList(QDir::Dirs)) {
            QFile environment("/proc/" + pid + "/environ");
            if (!QFile::symLinkTarget("/proc/" + pid + "/exe").endsWith('/' + program) || !environment.open(QIODevice::ReadOnly)) continue;
            if (environment.readAll().split('\0').contains(marker)) found.push_back(pid.toInt());
        }
        return found;
    }
    // The worker whose TF_CONFIG says that it is task `index`; 0 when there is none.
    int worker(int index) const {
        for (const int pid : processes("tandem-worker")) {
            QFile environment(QStringLiteral("/proc/%1/environ").arg(pid));
            if (!environment.open(QIODevice::ReadOnly)) continue;
            if (environment.readAll().contains("\"index\": " + QByteArray::number(index) + "}}")) return pid;
        }
        return 0;
    }

private:
    QTemporaryDir folder_;
};

class Photographer {
public:
    Photographer(const Home& home, QString manual, QString readme)
        : home_(home),
          manual_(std::move(manual)),
          readme_(std::move(readme)),
          settings_(home.path("settings.ini"), QSettings::IniFormat),
          session_({.connect = [] { return agent::client::connectLocalAgent(TANDEM_BIN "/tandem-agent", std::chrono::seconds(10)); },
                    .share_dir = QStringLiteral(TANDEM_SHARE),
                    .history_file = home.path("studio.sqlite"),
                    .settings = &settings_}) {
        settings_.setValue("tour/seen", true);
        themes_.setChoice(ui::theme::Choice::kLight);
        themes_.setReduceMotion(true);
        window_ = std::make_unique<ui::views::MainWindow>(session_, themes_);
        window_->resize(kSize);
        window_->show();
        QApplication::setActiveWindow(window_.get());
        until([this] { return session_.host().info().has_value(); }, "the agent");
    }

    // All of them, or the groups named; those then begin with the project of two workers.
    void take(const QStringList& names) {
        const std::pair<const char*, void (Photographer::*)()> groups[] = {
            {"projects", &Photographer::takeProjects}, {"model", &Photographer::takeModel},     {"cluster", &Photographer::takeCluster},
            {"submit", &Photographer::takeSubmit},     {"data", &Photographer::takeData},       {"monitor", &Photographer::takeMonitor},
            {"runs", &Photographer::takeRuns},         {"failure", &Photographer::takeFailure}, {"waiting", &Photographer::takeWaiting}};
        if (!names.isEmpty()) openTemplate("mnist_multi_worker");
        for (const auto& [name, group] : groups) {
            if (names.isEmpty() || names.contains(name)) (this->*group)();
        }
    }

private:
    void settle(int milliseconds = kSettleMs) { QTest::qWait(milliseconds); }
    void until(const std::function<bool()>& fact, const char* what) {
        if (!QTest::qWaitFor(fact, kDeadlineMs)) throw std::runtime_error(std::string("waited in vain for ") + what);
    }
    // One picture a language: `enter` brings the window there, `leave` back.
    void shoot(
        const QString& name, const Step& enter, const Step& leave = [] {}) {
        for (const QString language : {"en", "ko", "zh_CN"}) {
            window_->setLanguage(language);
            enter();
            settle();
            const QString folder = manual_ + '/' + language + "/pictures";
            QDir().mkpath(folder);
            save(kSize, folder + '/' + name + ".png");
            leave();
            settle(50);
        }
        std::printf("%s\n", qPrintable(name));
        std::fflush(stdout);
    }
    void save(const QSize& size, const QString& file) {
        const QImage picture = window_->grab().toImage();
        if (picture.size() != size || !tests::withSmallPalette(picture).save(file, "PNG", 0))
            throw std::runtime_error("no picture " + file.toStdString());
    }
    Step at(Mode mode) {
        return [this, mode] {
            window_->showMode(mode);
            window_->page(mode).setFocus(Qt::OtherFocusReason);  // no ring round whatever had the keyboard before
        };
    }
    Step closing(const char* dialog) {
        return [this, dialog] { window_->findChild<QDialog*>(dialog)->reject(); };
    }
    void trigger(const char* action) { window_->findChild<QAction*>(action)->trigger(); }
    void openTemplate(const QString& id) {
        if (!session_.project().openStarter(id)) throw std::runtime_error("no template " + id.toStdString());
        ui::session::chooseFreePorts(session_.project());
        QDir().mkpath(home_.path("projects"));
        if (!session_.project().saveAs(home_.path("projects/" + id + ".tandem")))
            throw std::runtime_error("not saved: " + id.toStdString());
    }
    std::int64_t stepsDone() const { return session_.runs().current() ? session_.runs().current()->lastStep() : 0; }
    bool isIn(RunState phase) const { return session_.runs().current() && session_.runs().current()->state() == phase; }
    void launch() {
        const QString before = session_.runs().current() ? session_.runs().current()->id() : QString();
        ui::session::chooseFreePorts(session_.project());  // those of before may have been taken meanwhile
        until([this] { return session_.launcher().obstacle().isEmpty(); }, "a project that can be launched");
        session_.launcher().launch();
        until([&] { return session_.runs().current() && session_.runs().current()->id() != before; }, "the launch");
    }
    void trainToTheEnd(const std::function<void(RunSpec&)>& edit) {
        session_.project().change("Edit", edit);
        launch();
        until([this] { return isIn(RunState::kDone); }, "the end of training");
    }

    void takeProjects() {
        for (const char* id : {"text_lstm", "mnist_mirrored", "mnist_multi_worker"}) openTemplate(id);
        shoot("welcome", at(Mode::kWelcome));
        shoot(
            "locator",
            [this] {
                window_->showMode(Mode::kModel);
                trigger("actionLocator");
                QTest::keyClicks(window_->findChild<QWidget*>("locator"), "mo");
            },
            [this] { QTest::keyClick(window_->findChild<QWidget*>("locator"), Qt::Key_Escape); });
    }

    void takeModel() {
        const auto layer = [this](const QString& path) {
            return [this, path] {
                window_->showMode(Mode::kModel);
                window_->page(Mode::kModel).reveal(path);
            };
        };
        auto* views = window_->findChild<ui::widgets::SegmentedControl*>("modelViews");
        shoot("model", layer("model.layers[0]"));
        views->setCurrent(1);
        shoot("model-code", layer("model.layers[0]"));
        views->setCurrent(0);
        session_.project().change("Move layer", [](RunSpec& run) { std::swap(run.model.layers[1], run.model.layers[2]); });
        shoot("model-error", layer("model.layers[2]"));
        session_.project().undoStack().undo();
    }

    void takeCluster() {
        window_->showMode(Mode::kCluster);
        session_.doctor().call();
        until([this] { return session_.doctor().report().has_value(); }, "the doctor");
        shoot("cluster", at(Mode::kCluster));
        auto& page = static_cast<ui::views::ClusterPage&>(window_->page(Mode::kCluster));
        shoot(
            "paste", [&page] { page.openPaste(kHostfile); }, closing("pasteClusterDialog"));
    }

    // The project on its way to Slurm: a day's time on two nodes, in a folder that the nodes see.
    void takeSubmit() {
        window_->showMode(Mode::kCluster);
        shoot(
            "submit",
            [this] {
                window_->openSubmit();
                window_->findChild<QLineEdit*>("submitFolder")->setText("/home/ann/mnist-run");
                window_->findChild<QLineEdit*>("submitTime")->setText("1-00");
                window_->findChild<QLineEdit*>("submitPartition")->setText("main");
            },
            closing("submitDialog"));
    }

    void takeData() {
        window_->showMode(Mode::kData);
        settle(4000);  // the worker reads the set and draws samples
        shoot("data", at(Mode::kData));
        const QString table = home_.path("leaves.csv");
        QFile file(table);
        if (!file.open(QIODevice::WriteOnly)) throw std::runtime_error("no leaves.csv");
        file.write("length,width,notches,tree\n");
        for (int i = 0; i < 240; ++i) {
            const int tree = i * 7 % 3;
            file.write(QStringLiteral("%1,%2,%3,%4\n")
                           .arg(4.1 + tree * 1.3 + (i % 11) * 0.1)
                           .arg(2.2 + (i % 7) * 0.15)
                           .arg(3 + tree * 2 + i % 2)
                           .arg(QStringList{"oak", "maple", "birch"}[tree])
                           .toUtf8());
        }
        file.close();
        auto& page = static_cast<ui::views::DataPage&>(window_->page(Mode::kData));
        shoot(
            "wizard",
            [this, &page, table] {
                page.openWizard({}, {table});
                settle(2500);
            },
            closing("dataWizard"));
    }

    void takeMonitor() {
        session_.project().change("Edit", [](RunSpec& run) {
            run.fit.epochs = 40;  // of which some are enough: it goes on while the pictures are taken
            run.compile.optimizer.config.set("learning_rate", 0.02);
        });
        session_.project().save();
        launch();
        until([this] { return stepsDone() > 1200; }, "two epochs");
        session_.runs().setLearningRate(0.005);
        until([this] { return stepsDone() > 2600; }, "five epochs");
        shoot("monitor", at(Mode::kMonitor));
        takeReadme();
        shoot(
            "export", [this] { window_->openExport(); }, closing("exportDialog"));
        session_.runs().stop();
        until([this] { return isIn(RunState::kStopped) || isIn(RunState::kDone); }, "the stop");
    }

    void takeReadme() {
        window_->setLanguage("en");
        themes_.setChoice(ui::theme::Choice::kDark);
        window_->resize(kReadmeSize);
        window_->showMode(Mode::kMonitor);
        window_->panes().open(2);
        settle(1500);
        save(kReadmeSize, readme_);
        window_->panes().close();
        window_->resize(kSize);
        themes_.setChoice(ui::theme::Choice::kLight);
        settle();
    }

    void takeRuns() {
        openTemplate("mnist_mlp");
        for (const double rate : {1e-3, 3e-3, 3e-4}) {
            for (const std::int64_t seed : {1, 2}) {
                trainToTheEnd([&](RunSpec& run) {
                    run.name = QStringLiteral("mlp %1").arg(rate).toStdString();
                    run.data.take = 20'000;
                    run.fit.epochs = 4;
                    run.fit.seed = seed;
                    run.compile.optimizer.config.set("learning_rate", rate);
                });
            }
        }
        session_.runs().refresh();
        settle(1000);
        auto& page = static_cast<ui::views::RunsPage&>(window_->page(Mode::kRuns));
        window_->showMode(Mode::kRuns);
        QStringList ids;
        for (const auto& run : session_.runs().list()) ids << run.id;
        page.model().setChecked(ids.mid(0, 6));
        session_.runs().setPinned(ids[0], true);
        session_.runs().setTags(ids[0], {"paper"});
        window_->findChild<ui::views::RunTable*>()->scrollToTop();
        // The word on the last run's end goes by itself.
        until([this] { return !window_->findChild<ui::widgets::Toast*>()->isVisible(); }, "the toast's end");
        shoot("runs", at(Mode::kRuns));
        const QSignalSpy inspected(&session_.evaluation(), &ui::session::Evaluation::inspected);
        page.evaluate(session_.runs().list().front());
        until([&inspected] { return !inspected.isEmpty(); }, "the evaluation");
        shoot("evaluate", at(Mode::kRuns));
    }

    // Without a restart of its own, which would heal it.
    void takeFailure() {
        openTemplate("mnist_multi_worker");
        session_.project().change("Edit", [](RunSpec& run) { run.cluster.on_task_lost = engine::spec::OnTaskLost::kFail; });
        launch();
        until([this] { return stepsDone() > 700; }, "an epoch");
        const int victim = home_.worker(1);
        if (victim == 0) throw std::runtime_error("no worker 1");
        ::kill(victim, SIGKILL);
        until([this] { return isIn(RunState::kFailed); }, "the failure");
        settle(1500);
        shoot("failure", at(Mode::kMonitor));
    }

    // Worker 1 is held before it can join; its agent gives it up after ten seconds.
    void takeWaiting() {
        openTemplate("mnist_multi_worker");
        session_.launcher().launch();
        int held = 0;
        until([&] { return (held = home_.worker(1)) != 0 && ::kill(held, SIGSTOP) == 0; }, "worker 1");
        until(
            [this] {
                const auto* run = session_.runs().current();
                return run != nullptr && run->tasks().silent() != nullptr && !run->tasks().waitingFor(run->tasks().silent()->id).empty();
            },
            "the word that worker 1 is silent");
        if (stepsDone() > 0) throw std::runtime_error("worker 1 joined before it was held");
        shoot("waiting", at(Mode::kMonitor));
        if (isIn(RunState::kFailed)) throw std::runtime_error("the run was given up before its pictures were taken");
        session_.runs().stopNow();
        ::kill(held, SIGCONT);
        until([this] { return session_.runs().current() && isFinal(session_.runs().current()->state()); }, "the end");
    }

    const Home& home_;
    const QString manual_, readme_;
    QSettings settings_;
    ui::theme::ThemeController themes_;
    ui::session::Session session_;
    std::unique_ptr<ui::views::MainWindow> window_;
};

}  // namespace

int main(int argc, char** argv) {
    const QApplication app(argc, argv);
    if (app.arguments().size() < 3) {
        std::fprintf(stderr,
                     "usage: tandem-manual-pictures MANUAL_FOLDER README_PICTURE "
                     "[projects|model|cluster|submit|data|monitor|runs|failure|waiting]...\n");
        return 2;
    }
    try {
        const Home home;
        Photographer(home, QDir(app.arguments()[1]).absolutePath(), QDir::current().absoluteFilePath(app.arguments()[2]))
            .take(app.arguments().mid(3));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "tandem-manual-pictures: %s\n", error.what());
        return 1;
    }
    return 0;
}
