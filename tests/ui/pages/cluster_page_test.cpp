// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/cluster/cluster_page.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSet>
#include <QTest>

#include "engine/spec/cluster/cluster_hosts.h"
#include "made_up_run.h"
#include "tests/support/listening_port.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/cluster/cluster_rows.h"
#include "ui/cluster/link_matrix.h"
#include "ui/cluster/strategy_list.h"
#include "ui/cluster/tf_config_row.h"
#include "ui/cluster/way_matrix.h"
#include "ui/parts/finding_list.h"
#include "ui/parts/languages.h"
#include "ui/parts/tf_config_card.h"
#include "ui/session/host/doctor.h"
#include "ui/session/host/far_hosts.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/runs.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/segmented_control.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

using canvas::ClusterCanvas;
using engine::spec::TaskId;
using tests::waitUntil;

class ClusterPageTest : public testing::Test {
protected:
    void SetUp() override {
        english_.setLanguage(QStringLiteral("en"));
        themes_.setChoice(theme::Choice::kLight);
        studio_.world().host.vector_units = "AVX2";
        ASSERT_TRUE(studio_.agentIsReady());
        ASSERT_TRUE(studio_.openTwoWorkers());
        ui::session::chooseFreePorts(session().project());
        page_ = std::make_unique<ClusterPage>(session(), themes_, nullptr);
        page_->resize(1364, 834);
        page_->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(page_.get(), 180'000));
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
    }

    session::Session& session() { return studio_.session(); }
    ClusterCanvas& canvas() { return *find<ClusterCanvas>("clusterCanvas"); }
    template <typename Widget = QPushButton>
    Widget* find(const char* name) {
        auto* found = page_->findChild<Widget*>(QLatin1String(name));
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    // "worker 0 localhost, worker 1 node1"
    std::string tasks() {
        std::string text;
        const auto& cluster = session().project().spec().cluster.spec;
        for (const TaskId& task : allTasks(cluster)) {
            text += (text.empty() ? "" : ", ") + toString(task) + " " + engine::spec::hostOf(*cluster.address(task));
        }
        return text;
    }
    void addTask(const char* job) {
        find("addTask")->click();
        auto* menu = find<QMenu>("addTaskMenu");
        for (QAction* action : menu->actions()) {
            if (action->text() == job) action->trigger();
        }
        menu->close();
    }
    // By name alone, whether the list has it or not.
    void typeHost(const QString& name) {
        find("addHost")->click();
        QTest::keyClicks(find<QLineEdit>("hostName"), name);
        find("hostNameOnly")->click();
        forgetDialogs();
    }
    static void forgetDialogs() { QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); }
    void drag(const QPointF& from, const QPointF& to) {
        QTest::mousePress(&canvas(), Qt::LeftButton, {}, from.toPoint());
        for (const double part : {0.2, 0.6, 1.0}) {
            const QPointF at = from + (to - from) * part;
            QMouseEvent move(QEvent::MouseMove, at, canvas().mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(&canvas(), &move);
        }
        shoot("cluster-dragging");
        QTest::mouseRelease(&canvas(), Qt::LeftButton, {}, to.toPoint());
    }
    // The row of the list of findings whose text holds `part`; -1 when there is none.
    int rowWith(const QString& part) {
        auto* list = find<FindingList>("clusterDiagnostics");
        for (int i = 0; i < list->rows(); ++i) {
            if (list->row(i).title.contains(part)) return i;
        }
        return -1;
    }
    void fix(int row) {
        auto* list = find<FindingList>("clusterDiagnostics");
        list->setCurrentIndex(list->model()->index(row, 0));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Return);
    }
    // Saves the page in both themes where TANDEM_SHOTS names a folder.
    void shoot(const QString& name) {
        const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
        if (folder.isEmpty()) return;
        for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
            themes_.setChoice(choice);
            QCoreApplication::processEvents();
            page_->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, name, choice == theme::Choice::kLight ? "light" : "dark"));
        }
        themes_.setChoice(theme::Choice::kLight);
    }

    StudioTranslator english_;  // plural forms
    theme::ThemeController themes_;
    tests::MadeUpStudio studio_;
    std::unique_ptr<ClusterPage> page_;
};

// Between the chief and the evaluator below it the ring comes back and the dashed line goes on: side by side.
TEST_F(ClusterPageTest, TheRingRunsBesideTheLineOfTheEvaluator) {
    auto* templates = find<QComboBox>("workerCount");
    const int row = templates->findText("Chief, 2 workers, evaluator");
    ASSERT_GE(row, 0);
    templates->setCurrentIndex(row);
    emit templates->activated(row);
    page_->resize(1364, 1200);
    QCoreApplication::processEvents();
    shoot("cluster-evaluator");
    const QRectF chief = canvas().taskRect({"chief", 0}), evaluator = canvas().taskRect({"evaluator", 0});
    ASSERT_NEAR(chief.center().x(), evaluator.center().x(), 1) << "one below the other";
    const QImage picture = canvas().grab().toImage();
    QSet<int> ring, dashed;
    for (int y = static_cast<int>(chief.bottom()) + 3; y < static_cast<int>(evaluator.top()) - 2; ++y) {
        for (int x = static_cast<int>(chief.center().x()) - 16; x <= static_cast<int>(chief.center().x()) + 3; ++x) {
            const QColor pixel = picture.pixelColor(x, y);
            if (pixel.hsvSaturation() > 100) {
                ring << x;
            } else if (pixel.value() < 190) {
                dashed << x;
            }
        }
    }
    EXPECT_FALSE(ring.isEmpty());
    EXPECT_FALSE(dashed.isEmpty());
    EXPECT_FALSE(ring.intersects(dashed));
}

// In a small box, too, the cross leaves the dot of the state alone.
TEST_F(ClusterPageTest, TheCrossOfASmallBoxLeavesItsStateInSight) {
    ui::session::setLocalWorkers(session().project(), 8);
    QCoreApplication::processEvents();
    const QRectF box = canvas().taskRect({"worker", 3});
    ASSERT_LT(box.height(), 60);
    const QRect dot(static_cast<int>(box.right()) - 24, static_cast<int>(box.bottom()) - 22, 12, 12);
    const QImage before = canvas().grab(dot).toImage();
    QTest::mouseMove(&canvas(), box.center().toPoint());
    QCoreApplication::processEvents();
    shoot("cluster-cross");
    EXPECT_EQ(canvas().grab(dot).toImage(), before);
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, box.center().toPoint());
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(static_cast<int>(box.right()) - 18, static_cast<int>(box.top()) + 10));
    EXPECT_EQ(ui::session::localWorkers(session().project()), 7) << "the cross is where it is seen";
}

// The lines of the ring run between the boxes, also between hosts.
TEST_F(ClusterPageTest, DrawsNoLineOverWhatATaskSays) {
    session().project().change("Edit", [](engine::spec::RunSpec& run) {
        run.cluster.spec.jobs.front().tasks = {{0, "localhost:12345"}, {1, "node1:23456"}, {2, "localhost:23456"}, {3, "node2:12345"}};
    });
    QCoreApplication::processEvents();
    shoot("cluster-hosts");
    const QImage picture = canvas().grab().toImage();
    const QRgb line = themes_.theme().accent_fill.rgb();
    int drawn = 0;
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            if (picture.pixel(x, y) != line) continue;
            ++drawn;
            for (int task = 0; task < 4; ++task) {
                ASSERT_FALSE(canvas().taskRect({"worker", task}).adjusted(3, 3, -3, -3).contains(x, y)) << "over worker " << task;
            }
            for (const char* host : {"node1", "node2"}) {
                const QRectF card = canvas().hostRect(QLatin1String(host));
                ASSERT_FALSE(QRectF(card.left(), card.top(), card.width(), 40).contains(x, y)) << "over the head of " << host;
            }
        }
    }
    EXPECT_GT(drawn, 400) << "the ring";
}

TEST_F(ClusterPageTest, KeepsDiagnosticsInSightWhereTheDockIsLow) {
    session().project().change("Edit", [](engine::spec::RunSpec& run) {
        auto& tasks = run.cluster.spec.jobs.front().tasks;
        tasks.rbegin()->second = tasks.begin()->second;
    });
    page_->setNarrow(true);
    page_->resize(1024, 560);
    QCoreApplication::processEvents();
    shoot("cluster-low");
    auto* list = find<FindingList>("clusterDiagnostics");
    const QRect first = list->visualRect(list->model()->index(0, 0));
    ASSERT_FALSE(list->row(0).fix.isEmpty());
    EXPECT_TRUE(list->visibleRegion().contains(first.topLeft()));
    EXPECT_TRUE(list->visibleRegion().contains(first.bottomLeft())) << "with its fix";
}

TEST_F(ClusterPageTest, ShowsTwoWorkersReadyToLaunch) {
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    EXPECT_FALSE(canvas().taskRect({"worker", 1}).isNull());
    EXPECT_EQ(rowWith("expected"), -1);
    EXPECT_GE(rowWith("TF_CONFIG: all rules hold"), 0);
    EXPECT_TRUE(waitUntil([&] { return find("launchButton")->isEnabled(); }));
    EXPECT_EQ(find("launchButton")->text(), "Launch 2 workers");
    shoot("cluster-two");
}

TEST_F(ClusterPageTest, OffersTheWaysToAProjectWhereNoneIsOpen) {
    EXPECT_FALSE(find("noProjectFirst")->isVisible());
    session().project().close();
    EXPECT_FALSE(canvas().isVisible());
    EXPECT_FALSE(find("addTask")->isEnabled());
    EXPECT_FALSE(find("launchButton")->isEnabled());
    EXPECT_EQ(find<QLabel>("noProjectTitle")->text(), "No project yet");
    EXPECT_TRUE(find<QLabel>("noProjectSentence")->text().contains("Ctrl+O"));
    QList<Mode> wanted;
    QObject::connect(page_.get(), &Page::modeRequested, page_.get(), [&](Mode mode) { wanted << mode; });
    ASSERT_TRUE(waitUntil([&] { return find("noProjectFirst")->isVisible() && find("noProjectFirst")->width() > 0; }));
    shoot("cluster-no-project");
    QTest::mouseClick(find("noProjectFirst"), Qt::LeftButton);
    EXPECT_EQ(wanted, QList<Mode>{Mode::kWelcome});
    QTest::mouseClick(find("noProjectSecond"), Qt::LeftButton);
    EXPECT_TRUE(session().project().isOpen());
    EXPECT_TRUE(waitUntil([&] { return canvas().isVisible() && !find("noProjectFirst")->isVisible(); }));
}

TEST_F(ClusterPageTest, EveryTemplateIsOneClickAndOneStepOfUndo) {
    auto* templates = find<QComboBox>("workerCount");
    EXPECT_EQ(templates->currentText(), "2 local workers");
    const auto choose = [&](const QString& text) {
        const int index = templates->findText(text);
        ASSERT_GE(index, 0) << text.toStdString();
        emit templates->activated(index);
        EXPECT_EQ(templates->currentText(), text);
    };
    choose("1 ps + 3 workers");
    EXPECT_EQ(tasks(), "ps 0 localhost, worker 0 localhost, worker 1 localhost, worker 2 localhost");
    EXPECT_EQ(session().project().spec().strategy.name, "ParameterServerStrategy");
    EXPECT_TRUE(find("launchButton")->isEnabled()) << find<QLabel>("launchObstacle")->text().toStdString();
    EXPECT_TRUE(find("exportButton")->isEnabled()) << "its TF_CONFIG can be exported";
    shoot("cluster-ps");
    choose("Chief, 2 workers, evaluator");
    EXPECT_EQ(tasks(), "chief 0 localhost, worker 0 localhost, worker 1 localhost, evaluator 0 localhost");
    QCoreApplication::processEvents();
    shoot("cluster-chief");
    choose("8 local workers");
    EXPECT_EQ(ui::session::localWorkers(session().project()), 8);
    shoot("cluster-eight");
    for (int i = 0; i < 3; ++i) session().project().undoStack().undo();
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    EXPECT_EQ(templates->currentText(), "2 local workers");
}

// A core's number alone would read as a count.
TEST_F(ClusterPageTest, NamesTheOneCoreOfATask) {
    const auto coresOf = [this](int task) {
        const canvas::ClusterPicture picture = clusterPicture(session(), themes_.theme(), -1);
        for (const auto& [name, value] : picture.hosts.front().tasks.at(static_cast<std::size_t>(task)).facts) {
            if (name == "cores") return value;
        }
        return QString();
    };
    ASSERT_TRUE(tests::waitUntil([&] { return session().host().info().has_value(); }));
    ASSERT_EQ(session().host().info()->cores, 4);
    ui::session::setLocalWorkers(session().project(), 4);
    EXPECT_EQ(coresOf(0), "core 0");
    EXPECT_EQ(coresOf(3), "core 3");
    ui::session::setLocalWorkers(session().project(), 2);
    EXPECT_EQ(coresOf(0), QString::fromUtf8("0\u20131"));
}

TEST_F(ClusterPageTest, AddsTasksOfEveryRoleByTheMenuAndRemovesThemByKey) {
    addTask("evaluator");
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost, evaluator 0 localhost");
    EXPECT_EQ(canvas().chosenTask(), (TaskId{"evaluator", 0}));
    find("addTask")->click();
    for (QAction* action : find<QMenu>("addTaskMenu")->actions()) {
        EXPECT_EQ(action->isEnabled(), action->text() != "evaluator") << action->text().toStdString();
        EXPECT_EQ(action->toolTip() == "a cluster has at most one evaluator", action->text() == "evaluator");
    }
    find<QMenu>("addTaskMenu")->close();
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_Delete);
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    addTask("ps");
    EXPECT_EQ(session().project().spec().strategy.name, "ParameterServerStrategy");
    session().project().undoStack().undo();
    EXPECT_EQ(session().project().spec().strategy.name, "MultiWorkerMirroredStrategy");
}

TEST_F(ClusterPageTest, RemovesATaskByItsCross) {
    addTask("worker");
    const QRectF box = canvas().taskRect({"worker", 1});
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, box.center().toPoint());
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, QPoint(static_cast<int>(box.right()) - 18, static_cast<int>(box.top()) + 22));
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
}

TEST_F(ClusterPageTest, AHostIsCheckedAddedAndGetsATaskByDraggingAndByKeys) {
    find("addHost")->click();
    auto* name = find<QLineEdit>("hostName");
    QTest::keyClicks(name, "lab gpu");
    EXPECT_TRUE(name->property("invalid").toBool());
    EXPECT_TRUE(find<QLabel>("hostFormProblem")->text().contains("expected the name of a computer"));
    EXPECT_FALSE(find("hostNameOnly")->isEnabled()) << "a wrong name is not taken";
    name->clear();
    QTest::keyClicks(name, "lab-gpu-2");
    EXPECT_FALSE(name->property("invalid").toBool());
    find("hostNameOnly")->click();
    forgetDialogs();
    ASSERT_FALSE(canvas().hostRect("lab-gpu-2").isNull());
    EXPECT_EQ(rowWith("expected"), -1) << "a host without a task stands in nobody's way";
    shoot("cluster-host");

    drag(canvas().taskRect({"worker", 1}).center(), canvas().hostRect("lab-gpu-2").center());
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 lab-gpu-2");
    EXPECT_FALSE(find("launchButton")->isEnabled());
    EXPECT_TRUE(find<QLabel>("launchObstacle")->text().contains("list of hosts"));
    EXPECT_GE(rowWith("a local one beside other hosts"), 0) << "a local name beside another host";
    shoot("cluster-two-hosts");

    canvas().setFocus();
    ASSERT_TRUE(canvas().chooseTask({"worker", 1}));
    QTest::keyClick(&canvas(), Qt::Key_Left, Qt::ControlModifier);
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    QTest::keyClick(&canvas(), Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 lab-gpu-2");
    session().project().undoStack().undo();
    session().project().undoStack().undo();
    session().project().undoStack().undo();
    session().project().undoStack().undo();
    EXPECT_TRUE(canvas().hostRect("lab-gpu-2").isNull()) << "adding the host is undone too";
}

TEST_F(ClusterPageTest, AHostOfTheListTakesTasksAndIsLookedAtWhileItIsSeen) {
    using session::FarHostState;
    session::HostSight sight{.state = FarHostState::kReachable, .address = QStringLiteral("192.0.2.7")};
    sight.info.cores = 4;
    sight.info.vector_units = "AVX2";
    studio_.hosts().setSight(QStringLiteral("node1"), sight);
    session().farHosts().add({QStringLiteral("node1"), QStringLiteral("ann@node1")});
    ASSERT_TRUE(waitUntil([this] { return session().farHosts().find(QStringLiteral("node1")) != nullptr; }));
    typeHost("node1");
    ASSERT_TRUE(waitUntil([this] { return session().farHosts().find(QStringLiteral("node1"))->state() == FarHostState::kReachable; }));
    drag(canvas().taskRect({"worker", 1}).center(), canvas().hostRect("node1").center());
    EXPECT_EQ(rowWith("list of hosts"), -1);
    EXPECT_TRUE(find("launchButton")->isEnabled()) << find<QLabel>("launchObstacle")->text().toStdString();
    shoot("cluster-known-host");

    session().farHosts().remove(QStringLiteral("node1"));
    ASSERT_TRUE(waitUntil([this] { return rowWith("list of hosts") >= 0; })) << "it is a stranger now";
    EXPECT_FALSE(find("launchButton")->isEnabled());
}

TEST_F(ClusterPageTest, ACardInstallsTandemAndTellsHowFarItIs) {
    using session::FarHostState;
    studio_.hosts().setSight(QStringLiteral("node1"), {.state = FarHostState::kNoTandem, .info = {.cores = 4}});
    session().farHosts().add({QStringLiteral("node1"), QStringLiteral("ann@node1")});
    const auto stateOf = [this](const QString& name) {
        const session::FarHost* host = session().farHosts().find(name);
        return host ? host->state() : FarHostState::kUnknown;
    };
    typeHost("node1");
    ASSERT_TRUE(waitUntil([&] { return stateOf("node1") == FarHostState::kNoTandem; }));
    studio_.hosts().hold();
    // The picture follows what the hosts tell a turn later.
    const auto click = [this] {
        QCoreApplication::processEvents();
        ASSERT_TRUE(waitUntil([this] { return !canvas().actionRect("node1").isNull(); }));
        QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().actionRect("node1").center().toPoint());
    };
    click();
    const auto isInstalling = [this] { return session().farHosts().find("node1")->is_installing; };
    ASSERT_TRUE(waitUntil([&] { return isInstalling() && session().farHosts().find("node1")->progress.done_bytes > 0; }));
    shoot("cluster-installing");
    click();
    EXPECT_FALSE(isInstalling()) << "the same place cancels it";
    studio_.hosts().setSight(QStringLiteral("node1"), {.state = FarHostState::kReachable, .info = {.cores = 4}});
    studio_.hosts().release();
    click();
    ASSERT_TRUE(waitUntil([&] { return stateOf("node1") == FarHostState::kReachable; }));
    EXPECT_EQ(studio_.hosts().installed().size(), 1U);
    EXPECT_TRUE(waitUntil([&] { return canvas().actionRect("node1").isNull(); })) << "nothing is left to do";
}

TEST_F(ClusterPageTest, TheCardOfAStrangerOpensTheDialogWithItsName) {
    typeHost("node7");
    QTest::mouseClick(&canvas(), Qt::LeftButton, {}, canvas().actionRect("node7").center().toPoint());
    EXPECT_EQ(find<QLineEdit>("hostName")->text(), "node7");
    QTest::mouseClick(find("hostsClose"), Qt::LeftButton);
    forgetDialogs();
    canvas().setFocus();
    QTest::keyClick(&canvas(), Qt::Key_End);
    QTest::keyClick(&canvas(), Qt::Key_Return);
    EXPECT_EQ(find<QLineEdit>("hostName")->text(), "") << "the dashed card begins a new one";
}

TEST_F(ClusterPageTest, AFixMovesAForeignTaskBack) {
    typeHost("node1");
    drag(canvas().taskRect({"worker", 1}).center(), canvas().hostRect("node1").center());
    const int row = rowWith("list of hosts");
    ASSERT_GE(row, 0);
    EXPECT_EQ(find<FindingList>("clusterDiagnostics")->row(row).fix, "Fix: Move worker 1 to this computer");
    fix(row);
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    EXPECT_TRUE(find("launchButton")->isEnabled());
}

TEST_F(ClusterPageTest, RulesAreLiveWhileAPortIsTypedAndAFixGoesThroughUndo) {
    canvas().editPort({"worker", 1});
    auto* editor = find<QLineEdit>("clusterEditor");
    ASSERT_TRUE(editor->isVisible());
    const std::string before = *session().project().spec().cluster.spec.address({"worker", 1});
    editor->clear();
    QTest::keyClicks(editor, "99999");
    EXPECT_TRUE(editor->property("invalid").toBool());
    EXPECT_FALSE(find("launchButton")->isEnabled());
    shoot("cluster-wrong");
    QTest::keyClick(editor, Qt::Key_Return);
    const int row = rowWith("worker 1: expected a port of at most 65535, got 99999");
    ASSERT_GE(row, 0);
    fix(row);
    EXPECT_EQ(rowWith("expected"), -1);
    EXPECT_TRUE(find("launchButton")->isEnabled());
    session().project().undoStack().undo();
    EXPECT_EQ(*session().project().spec().cluster.spec.address({"worker", 1}), "localhost:99999");
    session().project().undoStack().undo();
    EXPECT_EQ(*session().project().spec().cluster.spec.address({"worker", 1}), before) << "the letters were one step";
}

TEST_F(ClusterPageTest, PasteTakesEveryKindOfCluster) {
    const auto paste = [&](const QString& text) {
        QApplication::clipboard()->setText(text);
        QTest::keyClick(page_.get(), Qt::Key_V, Qt::ControlModifier);
    };
    paste(R"(export TF_CONFIG='{"cluster": {"chief": ["a:1"], "worker": ["b:1"]}, "task": {"type": "chief", "index": 0}}')");
    EXPECT_EQ(tasks(), "chief 0 a, worker 0 b");
    paste("node1 slots=2\nnode2\n");
    EXPECT_EQ(tasks(), "worker 0 node1, worker 1 node1, worker 2 node2");
    paste("SLURM_JOB_NODELIST=n[08-10]\n");
    EXPECT_EQ(tasks(), "worker 0 n08, worker 1 n09, worker 2 n10");
    for (int i = 0; i < 3; ++i) session().project().undoStack().undo();
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
}

TEST_F(ClusterPageTest, APasteWithAMistakeShowsItAndMendsIt) {
    QApplication::clipboard()->setText(R"({"cluster": {"trainer": ["a:1", "b:1"]}, "task": {"type": "trainer", "index": 7}})");
    QTest::keyClick(page_.get(), Qt::Key_V, Qt::ControlModifier);
    auto* dialog = find<QDialog>("pasteClusterDialog");
    ASSERT_TRUE(dialog && dialog->isVisible());
    EXPECT_FALSE(find("pasteUse")->isEnabled());
    auto* findings = find<FindingList>("pasteFindings");
    ASSERT_GT(findings->rows(), 0);
    EXPECT_EQ(findings->row(0).fix, "Fix: Rename the job to worker");
    shoot("cluster-paste");
    findings->setCurrentIndex(findings->model()->index(0, 0));
    findings->setFocus();
    QTest::keyClick(findings, Qt::Key_Return);
    EXPECT_TRUE(find<QPlainTextEdit>("pasteText")->toPlainText().contains("\"worker\": [\"a:1\", \"b:1\"]"));
    EXPECT_TRUE(find("pasteUse")->isEnabled()) << "whose text it was does not matter";
    find("pasteUse")->click();
    EXPECT_EQ(tasks(), "worker 0 a, worker 1 b");
}

TEST_F(ClusterPageTest, CopiesTheTfConfigOfEveryTask) {
    QTest::keyClick(page_.get(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QString text = QApplication::clipboard()->text();
    EXPECT_TRUE(text.contains("# worker-0.json") && text.contains("# worker-1.json")) << text.toStdString();
    QApplication::clipboard()->setText("worker-x");
}

// In every format the text of a card, what its button copies and what Export writes are the same.
TEST_F(ClusterPageTest, ShowsTheTextThatIsCopiedAndWritten) {
    using engine::launch::TfConfigFormat;
    for (const auto format : {TfConfigFormat::kJson, TfConfigFormat::kBash, TfConfigFormat::kEnv, TfConfigFormat::kPowerShell}) {
        TfConfigCard card(themes_, nullptr);
        card.setConfig(session().project().spec().cluster.spec, {"worker", 1}, format);
        const std::string written = engine::launch::tfConfigFiles(session().project().spec().cluster.spec, format).at(1).text;
        const std::string shown = card.findChild<TfConfigText*>()->toPlainText().toStdString();
        EXPECT_EQ(shown + "\n", written);
        card.findChild<QPushButton*>("copyTfConfig")->click();
        EXPECT_EQ(QApplication::clipboard()->text().toStdString(), shown);
    }
    QApplication::clipboard()->setText("worker-x");
}

TEST_F(ClusterPageTest, AboveEightTasksAListWithOneView) {
    session().project().change("Twelve",
                               [](engine::spec::RunSpec& run) { useTemplate(run, engine::spec::ClusterTemplate::kWorkers, 12, {}); });
    auto* list = find<QListView>("tfConfigTasks");
    EXPECT_TRUE(list->isVisible());
    EXPECT_EQ(list->model()->rowCount(), 12);
    list->setCurrentIndex(list->model()->index(11, 0));
    EXPECT_EQ(canvas().chosenTask(), (TaskId{"worker", 11}));
    shoot("cluster-twelve");
    session().project().undoStack().undo();
    EXPECT_FALSE(list->isVisible());
}

TEST_F(ClusterPageTest, StrategiesAreChosenOrSayWhyNot) {
    auto* list = find<StrategyList>("strategyList");
    const auto click = [&](int card) { QTest::mouseClick(list, Qt::LeftButton, {}, list->cardRect(card).center()); };
    click(2);
    EXPECT_EQ(session().project().spec().strategy.name, "MultiWorkerMirroredStrategy") << "ParameterServerStrategy needs a ps";
    click(1);
    EXPECT_EQ(session().project().spec().strategy.name, "MirroredStrategy");
    EXPECT_TRUE(session().project().spec().cluster.spec.empty());
    find("strategyOptions")->click();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);  // the form of the strategy before has the same field
    auto* cpus = page_->findChild<QWidget*>("field_logical_cpus");
    ASSERT_NE(cpus, nullptr);
    EXPECT_TRUE(cpus->isVisible());
    auto* text = cpus->findChild<QLineEdit*>();
    text->clear();
    QTest::keyClicks(text, "4");
    EXPECT_EQ(session().project().spec().strategy.logical_cpus, 4);
    shoot("cluster-mirrored");
    session().project().undoStack().undo();
    session().project().undoStack().undo();
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
}

TEST_F(ClusterPageTest, ATpuIsChosenForItsScriptAndNotTrainedOnHere) {
    auto* list = find<StrategyList>("strategyList");
    QTest::mouseClick(list, Qt::LeftButton, {}, list->cardRect(4).center());
    const engine::spec::StrategySpec& strategy = session().project().spec().strategy;
    EXPECT_EQ(strategy.name, "TPUStrategy");
    EXPECT_EQ(tasks(), "") << "the TPU's hosts are no tasks of the project";
    const QString sentence =
        QStringLiteral("PU is trained on by the exported script, since no PJRT plug-in runs a project in this version");
    EXPECT_EQ(find<widgets::TextLabel>("strategyLimit")->text(), "A T" + sentence + ".");
    EXPECT_FALSE(find("launchButton")->isEnabled());
    EXPECT_EQ(find("launchButton")->toolTip(), "1 problem: expected a strategy that trains here, got TPUStrategy: a T" + sentence);
    EXPECT_EQ(find<QLabel>("launchObstacle")->text(), find("launchButton")->toolTip());

    find("strategyOptions")->click();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    const auto editor = [this](const char* field) {
        auto* row = page_->findChild<QWidget*>(QLatin1String("field_") + QLatin1String(field));
        return row == nullptr ? nullptr : row->findChild<QLineEdit*>();
    };
    for (const char* field : {"tpu", "zone", "project", "job_name", "coordinator_name", "coordinator_address"}) {
        ASSERT_NE(editor(field), nullptr) << field;
        EXPECT_TRUE(editor(field)->isVisible()) << field;
    }
    EXPECT_EQ(page_->findChild<QWidget*>("field_logical_cpus"), nullptr) << "what only tasks of this program have is not asked";
    EXPECT_EQ(editor("job_name")->text(), "worker");
    QTest::keyClicks(editor("tpu"), "my-tpu");
    EXPECT_EQ(strategy.cluster_resolver, (engine::spec::ObjectSpec{"TPUClusterResolver", {{"tpu", std::string("my-tpu")}}}));
    shoot("cluster-tpu");
    session().project().undoStack().undo();
    EXPECT_EQ(strategy.cluster_resolver, engine::spec::ObjectSpec{});
    session().project().undoStack().undo();
    EXPECT_EQ(tasks(), "worker 0 localhost, worker 1 localhost");
    EXPECT_TRUE(waitUntil([&] { return find("launchButton")->isEnabled(); }));
}

TEST_F(ClusterPageTest, PartitionerAndStalenessOfServersAreSetInTheForm) {
    ASSERT_TRUE(session().project().openStarter(QStringLiteral("book_parameter_servers")));
    find("strategyOptions")->setChecked(true);
    const auto spec = [this]() -> const engine::spec::StrategySpec& { return session().project().spec().strategy; };
    const auto field = [this](const char* name) {
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        return page_->findChild<QWidget*>(QLatin1String("field_") + QLatin1String(name));
    };
    const auto choose = [&](const char* partitioner) {
        auto* box = field("variable_partitioner")->findChild<QComboBox*>();
        const int row = box->findText(partitioner);
        ASSERT_GE(row, 0) << partitioner;
        box->setCurrentIndex(row);
        emit box->activated(row);
    };
    EXPECT_EQ(field("num_shards"), nullptr);
    choose("FixedShardsPartitioner");
    EXPECT_EQ(spec().variable_partitioner.class_name, "FixedShardsPartitioner");
    ASSERT_NE(field("num_shards"), nullptr);
    auto* shards = field("num_shards")->findChild<QLineEdit*>();
    EXPECT_EQ(shards->text(), "1") << "a shard for each ps";
    shards->selectAll();
    QTest::keyClicks(shards, "2");
    EXPECT_EQ(spec().variable_partitioner.config.getInt("num_shards", 0), 2);
    choose("MaxSizePartitioner");
    EXPECT_EQ(field("num_shards"), nullptr);
    EXPECT_EQ(field("max_shard_bytes")->findChild<QLineEdit*>()->text(), "262144");
    session().project().undoStack().undo();
    EXPECT_EQ(spec().variable_partitioner.config.getInt("num_shards", 0), 2);
    choose("None");
    EXPECT_TRUE(spec().variable_partitioner.class_name.empty());

    auto* staleness = field("max_staleness")->findChild<QLineEdit*>();
    EXPECT_EQ(staleness->placeholderText(), "None");
    QTest::keyClicks(staleness, "0");
    EXPECT_EQ(spec().max_staleness, 0);
    shoot("cluster-servers");
    session().project().undoStack().undo();
    EXPECT_EQ(spec().max_staleness, std::nullopt);
    session().project().change("Break it", [](engine::spec::RunSpec& run) { run.strategy.max_staleness = -1; });
    const auto labels = page_->findChild<QWidget*>("strategyForm")->findChildren<widgets::TextLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const auto* label) {
        return label->toolTip() == "expected at least 0, or null for no bound, got -1";
    })) << "the field tells what is wrong with it";
}

TEST_F(ClusterPageTest, ServersShareNoBatch) {
    ASSERT_TRUE(session().project().openStarter(QStringLiteral("book_parameter_servers")));
    ASSERT_TRUE(waitUntil([this] { return session().project().dataset().train_samples > 0; }));
    EXPECT_EQ(session().project().stepsPerEpoch(), session().project().dataset().train_samples / 50) << "each worker goes through all";
}

TEST_F(ClusterPageTest, NcclIsGreyedWithItsReason) {
    auto* choice = find<widgets::SegmentedControl>("communication");
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(2).center());
    EXPECT_EQ(session().project().spec().strategy.communication, "AUTO");
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(1).center());
    EXPECT_EQ(session().project().spec().strategy.communication, "RING");
}

TEST_F(ClusterPageTest, NcclIsOfferedWhereEveryWorkerHasItsGpu) {
    {
        const std::lock_guard lock(studio_.world().mutex);
        const engine::spec::Gpu gpu{"NVIDIA H200", "", 140LL << 30, 139LL << 30, 9, 0};
        auto& gpus = studio_.world().host.gpus;
        gpus = {.gpus = {gpu, gpu}, .driver_version = "580.65.06", .cuda_version = 13000, .nccl_version = "2.28.9"};
        gpus.gpus[0].uuid = "GPU-a";
        gpus.gpus[1].uuid = "GPU-b";
    }
    session().host().refresh();
    EXPECT_TRUE(waitUntil([&] { return session().host().info() && session().host().info()->gpus.gpus.size() == 2; }));
    EXPECT_EQ(clusterPicture(session(), themes_.theme(), -1).hosts.front().gpu, QString::fromUtf8("2 × NVIDIA H200 140.00 GB, NCCL"));
    EXPECT_GE(rowWith("AUTO takes NCCL 2.28.9: every task has a GPU of its own"), 0);
    shoot("cluster-gpus");
    auto* choice = find<widgets::SegmentedControl>("communication");
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(2).center());
    EXPECT_EQ(session().project().spec().strategy.communication, "NCCL");
    addTask("worker");
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(0).center());
    QTest::mouseClick(choice, Qt::LeftButton, {}, choice->entryRect(2).center());
    EXPECT_EQ(session().project().spec().strategy.communication, "AUTO") << "three workers, two GPUs";
}

TEST_F(ClusterPageTest, TheDoctorsRowsAndCellsComeFromTheAgent) {
    using engine::spec::DoctorState;
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().doctor.rows = {{DoctorState::kOk, "version", "Agent and worker are 1.2.3", "", "", ""},
                                       {DoctorState::kWarning, "memory", "200.0 MB of memory free", "", "Close other programs.", ""}};
        studio_.world().doctor.links = {{{"worker", 0}, {"worker", 1}, 20, 5.8e9, ""}, {{"worker", 1}, {"worker", 0}, 1500, 1e8, ""}};
    }
    auto* matrix = find<LinkMatrix>("linkMatrix");
    EXPECT_EQ(matrix->cellText(0, 1), QString(QChar(0x2014)));
    find("runDoctor")->click();
    EXPECT_EQ(matrix->cellText(0, 1), QString(QChar(0x2026)));
    EXPECT_TRUE(waitUntil([&] { return session().doctor().report().has_value(); }));
    EXPECT_EQ(matrix->cellText(0, 1), "0.020 ms");
    EXPECT_EQ(matrix->cellText(1, 0), "1.50 ms");
    EXPECT_GE(rowWith("Agent and worker are 1.2.3"), 0);
    EXPECT_GE(rowWith("200.0 MB of memory free"), 0);
    auto* list = find<FindingList>("clusterDiagnostics");
    EXPECT_TRUE(list->row(rowWith("200.0 MB of memory free")).detail.endsWith("TDM-H014")) << "the tooltip names its code";
    QString explained;
    QObject::connect(page_.get(), &Page::explainRequested, list, [&](const QString& code) { explained = code; });
    list->setCurrentIndex(list->model()->index(rowWith("200.0 MB of memory free"), 0));
    list->actions().constFirst()->trigger();
    EXPECT_EQ(explained, "TDM-H014");
    list->setCurrentIndex(list->model()->index(rowWith("Agent and worker are 1.2.3"), 0));
    list->actions().constFirst()->trigger();
    EXPECT_EQ(explained, "TDM-H014") << "what is in order has no code";
    shoot("cluster-doctor");
    addTask("worker");
    EXPECT_FALSE(session().doctor().report().has_value()) << "it knew another cluster";
    EXPECT_EQ(rowWith("200.0 MB"), -1);
}

TEST_F(ClusterPageTest, ThePortsOfTheDoctorGiveWayToWhatIsSeenNow) {
    using engine::spec::DoctorState;
    auto held = std::make_unique<tests::support::ListeningPort>();
    const std::string port = std::to_string(held->port());
    session().project().change("Take that port",
                               [&](engine::spec::RunSpec& run) { run.cluster.spec.jobs[0].tasks[1] = "localhost:" + port; });
    ASSERT_EQ(session().project().errorCount(), 1);
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().doctor.rows = {
            {DoctorState::kOk, "port", "All ports are free", "", "", ""},
            {DoctorState::kError, "port", "worker 1: expected a free port, nginx (pid 1) holds " + port, "", "Choose a free port.",
             "cluster.worker[1]"},
            {DoctorState::kError, "port", "worker 0: expected a port that opens, was refused", "", "", "cluster.worker[7]"}};
    }
    find("runDoctor")->click();
    ASSERT_TRUE(waitUntil([&] { return session().doctor().report().has_value(); }));
    EXPECT_GE(rowWith("holds " + QString::fromStdString(port)), 0);
    EXPECT_EQ(rowWith("nginx"), -1) << "the studio knows better";
    EXPECT_EQ(rowWith("All ports are free"), -1) << "one is not";
    EXPECT_GE(rowWith("was refused"), 0) << "a task that the project does not have is the doctor's alone";
    held.reset();
    EXPECT_TRUE(waitUntil([&] { return session().project().errorCount() == 0; }));
    EXPECT_EQ(rowWith("holds " + QString::fromStdString(port)), -1) << "neither of them";
    EXPECT_GE(rowWith("All ports are free"), 0);
}

// Every ordered pair of so many computers.
std::vector<engine::spec::HostWay> waysOf(const std::vector<std::string>& hosts) {
    std::vector<engine::spec::HostWay> ways;
    for (const std::string& from : hosts) {
        for (const std::string& to : hosts) {
            if (from != to) ways.push_back({from, to, 12345, engine::spec::WayOutcome::kReached, 210, 9.4e8, ""});
        }
    }
    return ways;
}

TEST_F(ClusterPageTest, ComputersHaveATableOfTheWaysBetweenThem) {
    auto* ways = find<WayMatrix>("wayMatrix");
    EXPECT_TRUE(ways->isHidden()) << "all tasks are here";
    session().project().change("Edit", [](engine::spec::RunSpec& run) {
        run.cluster.spec.jobs.front().tasks = {{0, "localhost:12345"}, {1, "node1:23456"}, {2, "node2:12345"}};
    });
    const std::string here = session().host().info()->host_name;
    {
        const std::lock_guard lock(studio_.world().mutex);
        std::vector<engine::spec::HostWay>& measured = studio_.world().doctor.ways = waysOf({here, "node1", "node2"});
        measured[1] = {here, "node2", 12345, engine::spec::WayOutcome::kReached, 40'200, 1.2e6, "", true};
        measured[5] = {"node2", "node1", 23456, engine::spec::WayOutcome::kTimedOut, 0, 0, "Connection timed out"};
    }
    EXPECT_TRUE(find<LinkMatrix>("linkMatrix")->isHidden()) << "one of the two cards";
    EXPECT_FALSE(ways->isHidden());
    EXPECT_EQ(ways->cellText(0, 1), QStringList(QString(QChar(0x2014))));
    find("runDoctor")->click();
    EXPECT_EQ(ways->cellText(0, 1), QStringList(QString(QChar(0x2026))));
    ASSERT_TRUE(waitUntil([&] { return session().doctor().report().has_value(); }));
    EXPECT_EQ(ways->cellText(0, 1), (QStringList{"0.21 ms", "940 MB/s"}));
    EXPECT_EQ(ways->cellText(0, 2), (QStringList{"40 ms", "1.2 MB/s"}));
    EXPECT_EQ(ways->cellText(2, 1), QStringList("silent"));
    EXPECT_EQ(ways->cellText(1, 1), QStringList());
    EXPECT_EQ(ways->tipOf(2, 1), QString::fromUtf8("node2 → node1: silent at port 23456"));
    EXPECT_EQ(ways->accessibleDescription(), QString::fromUtf8("1 way closed · there and back 40 ms at most, 1.2 MB/s at least"));
    shoot("cluster-ways");
}

TEST_F(ClusterPageTest, ManyComputersHaveColoursAndManyMoreTheWorstWays) {
    std::vector<std::string> names;
    for (int i = 1; i <= 17; ++i) names.push_back("node" + std::to_string(i));
    std::vector<engine::spec::HostWay> all = waysOf(names);
    all[20].bytes_per_s = 2e6;
    all[30].outcome = engine::spec::WayOutcome::kRefused;
    all[30].bytes_per_s = all[30].round_trip_us = 0;
    WayMatrix matrix(themes_);
    matrix.setWays(WayMatrix::State::kMeasured, names, all);
    EXPECT_EQ(matrix.worstLines(2).join('\n'), QString::fromUtf8("node2 → node16  refused\nnode2 → node6  0.21 ms, 2.0 MB/s"));
    names.pop_back();
    matrix.setWays(WayMatrix::State::kMeasured, names, all);
    EXPECT_EQ(matrix.cellText(1, 5), QStringList()) << "a colour";
    EXPECT_EQ(matrix.tipOf(1, 5), QString::fromUtf8("node2 → node6: 0.21 ms there and back, 2.0 MB/s"));
    EXPECT_EQ(matrix.cellText(1, 15), QStringList(QString(QChar(0xD7))));
}

TEST_F(ClusterPageTest, TheAllReduceIsWholeHoweverMuchTheDoctorTells) {
    using engine::spec::DoctorState;
    {
        const std::lock_guard lock(studio_.world().mutex);
        for (int i = 0; i < 14; ++i)
            studio_.world().doctor.rows.push_back({DoctorState::kOk, "version", "Row " + std::to_string(i), "a detail of it", "", ""});
    }
    find("runDoctor")->click();
    ASSERT_TRUE(waitUntil([&] { return session().doctor().report().has_value(); }));
    auto* choice = find<widgets::SegmentedControl>("communication");
    for (const int height : {1000, 834, 760, 700, 634}) {
        page_->resize(1364, height);
        QCoreApplication::processEvents();
        shoot(QStringLiteral("cluster-doctor-%1").arg(height));
        EXPECT_EQ(choice->visibleRegion().boundingRect(), choice->rect()) << height;
    }
}

TEST_F(ClusterPageTest, AnAgentThatIsGoneIsSaidOnItsCard) {
    {
        const std::lock_guard lock(studio_.world().mutex);
        studio_.world().answers = false;
    }
    studio_.world().news.notify_all();
    session().runs().refresh();
    EXPECT_TRUE(waitUntil([&] { return session().host().agentState() == session::AgentState::kLost; }));
    EXPECT_FALSE(find("launchButton")->isEnabled());
    EXPECT_FALSE(find("runDoctor")->isEnabled());
    shoot("cluster-lost");
}

TEST_F(ClusterPageTest, FitsTheSmallestWindow) {
    page_->setNarrow(true);
    page_->resize(1024, 634);
    shoot("cluster-narrow");
    const auto lowest = [this] { return find("launchButton")->mapTo(page_.get(), QPoint(0, find("launchButton")->height())).y(); };
    EXPECT_TRUE(waitUntil([&] { return lowest() <= page_->height(); })) << lowest();
    EXPECT_GE(canvas().taskRect({"worker", 1}).right(), 0);
    EXPECT_LE(canvas().taskRect({"worker", 1}).right(), canvas().hostRect("localhost").right());
    EXPECT_TRUE(find("launchButton")->isVisible());
}

}  // namespace
}  // namespace ui::views
