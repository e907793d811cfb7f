// SPDX-License-Identifier: GPL-3.0-or-later
// The whole window on a real display (Xvfb) with a fake agent: every page, the keys, a launch, the export.
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>

#include "engine/launch/tf_config_files.h"
#include "engine/spec/cluster/cluster_edit.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_run.h"
#include "ui/canvas/cluster_canvas.h"
#include "ui/canvas/model_canvas.h"
#include "ui/export/export_dialog.h"
#include "ui/models/check_list_model.h"
#include "ui/models/epoch_table_model.h"
#include "ui/models/recent_model.h"
#include "ui/models/run_table_model.h"
#include "ui/parts/tf_config_card.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/mode_bar.h"
#include "ui/widgets/status_pill.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"

namespace ui::views {
namespace {

constexpr int kDeadlineMs = 180'000;

class WindowTest : public testing::Test {
protected:
    WindowTest() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {
        world_->host = tests::sampleHost();
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                                    .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                    .settings = &settings_});
        window_ = std::make_unique<MainWindow>(*session_, themes_);
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
        QApplication::setActiveWindow(window_.get());  // Xvfb has no window manager that would do it
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().info().has_value(); }, kDeadlineMs));
    }
    ~WindowTest() override { session_->project().close(); }

    template <class T>
    T* find(const char* name) const {
        T* found = window_->findChild<T*>(name);
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    void openTwoWorkers() {
        ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
        ui::session::chooseFreePorts((*session_).project());
    }

    void addFirstEpoch() {
        world_->addEvents("run-1", tests::sampleRun({.epochs_done = 1, .extra_steps = 0}));
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->runs().current()->global().size() == 469; }, kDeadlineMs));
    }
    void launchAndTrain() {
        session_->launcher().launch();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
        addFirstEpoch();
    }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(WindowTest, LaunchesFromTheClusterPageAndShowsMonitor) {
    openTwoWorkers();
    window_->showMode(Mode::kCluster);
    auto* launch = find<QPushButton>("launchButton");
    EXPECT_EQ(launch->text(), "Launch 2 workers");
    ASSERT_TRUE(launch->isEnabled()) << launch->toolTip().toStdString();
    QTest::mouseClick(launch, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(window_->mode(), Mode::kMonitor);
    EXPECT_FALSE(launch->isEnabled()) << "one run at a time";
    addFirstEpoch();
    QTest::keyClick(window_.get(), Qt::Key_F5, Qt::ShiftModifier);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] {
            const std::lock_guard lock(world_->mutex);
            return !world_->controls.empty();
        },
        kDeadlineMs));
    EXPECT_EQ(world_->controls[0].second.verb, engine::spec::ControlVerb::kStop);
}

TEST_F(WindowTest, LaunchesHereWhileAJobWaitsInAQueueElsewhere) {
    openTwoWorkers();
    window_->showMode(Mode::kCluster);
    session_->launcher().submitJob({.project = {}, .name = {}, .run_folder = "/shared/run", .programs = "/usr/bin"});
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    ASSERT_TRUE(session_->runs().hasActive());
    EXPECT_TRUE(session_->runs().current()->summary().followed);
    EXPECT_FALSE(session_->runs().hasActiveOfOwn());
    auto* launch = find<QPushButton>("launchButton");
    auto* rail = find<QToolButton>("railLaunchButton");
    EXPECT_TRUE(launch->isEnabled()) << launch->toolTip().toStdString();
    EXPECT_TRUE(rail->isEnabled()) << rail->toolTip().toStdString();
    EXPECT_TRUE(find<QToolButton>("railStopButton")->isEnabled()) << "it takes the job out of the queue";
    EXPECT_TRUE(find<QWidget>("workerCount")->isEnabled()) << "its cluster is not that of the project";
    rail->click();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().hasActiveOfOwn(); }, kDeadlineMs));
    EXPECT_FALSE(rail->isEnabled()) << "now one goes on here";
    {
        const std::lock_guard lock(world_->mutex);
        EXPECT_EQ(world_->submits.size(), 1U);
        EXPECT_TRUE(world_->controls.empty()) << "the job still waits";
    }
    const auto& all = session_->runs().list();
    const auto job = std::find_if(all.begin(), all.end(), [](const auto& run) { return run.followed; });
    ASSERT_NE(job, all.end());
    EXPECT_TRUE(isActive(job->state));
}

TEST_F(WindowTest, ReachesEveryModeByItsKeyInBothThemes) {
    openTwoWorkers();
    for (const auto choice : {theme::Choice::kLight, theme::Choice::kDark}) {
        themes_.setChoice(choice);
        for (int i = 0; i < kModeCount; ++i) {
            QTest::keyClick(window_.get(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
            EXPECT_EQ(window_->mode(), static_cast<Mode>(i));
            const QImage picture = window_->grab().toImage();
            EXPECT_EQ(picture.pixelColor(picture.width() - 300, 3).name(), themes_.theme().window.name()) << "the menu row's ground";
        }
    }
}

TEST_F(WindowTest, SwitchesTheThemeQuicklyAndWithoutMovingAnything) {
    openTwoWorkers();
    window_->showMode(Mode::kCluster);
    themes_.setChoice(theme::Choice::kLight);
    QApplication::processEvents();
    const QRect launch = find<QPushButton>("launchButton")->geometry(), table = find<QWidget>("clusterCanvas")->geometry();
    QTest::keyClick(window_.get(), Qt::Key_D, Qt::AltModifier | Qt::ShiftModifier);
    EXPECT_TRUE(themes_.theme().dark);
    QApplication::processEvents();
    EXPECT_EQ(find<QPushButton>("launchButton")->geometry(), launch);
    EXPECT_EQ(find<QWidget>("clusterCanvas")->geometry(), table);
}

TEST_F(WindowTest, KeepsItsPlaceAtTheSmallestSize) {
    openTwoWorkers();
    window_->resize(1100, 700);
    for (int i = 0; i < kModeCount; ++i) {
        window_->showMode(static_cast<Mode>(i));
        QApplication::processEvents();
        EXPECT_EQ(window_->size(), QSize(1100, 700)) << "page " << i << " asks for more";
    }
}

TEST_F(WindowTest, ExportsTheTfConfigOfBothTasks) {
    openTwoWorkers();
    window_->showMode(Mode::kCluster);
    QTest::mouseClick(find<QPushButton>("exportButton"), Qt::LeftButton);
    auto* dialog = find<ExportDialog>("exportDialog");
    ASSERT_NE(dialog, nullptr);
    dialog->setFormat(engine::launch::TfConfigFormat::kJson);
    find<QLineEdit>("exportFolder")->setText(folder_.filePath("out"));
    QSignalSpy exported(dialog, &ExportDialog::exported);
    QTest::mouseClick(find<QPushButton>("exportConfirm"), Qt::LeftButton);
    ASSERT_EQ(exported.count(), 1);
    for (const auto& expected :
         engine::launch::tfConfigFiles(session_->project().spec().cluster.spec, engine::launch::TfConfigFormat::kJson)) {
        QFile file(folder_.filePath("out/") + QString::fromStdString(expected.file_name));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << expected.file_name;
        EXPECT_EQ(file.readAll().toStdString(), expected.text);
    }
}

TEST_F(WindowTest, OpensTheExportWithTheKeyboardAtItsKinds) {
    openTwoWorkers();
    ASSERT_NO_FATAL_FAILURE(launchAndTrain());
    QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier);
    auto* dialog = find<ExportDialog>("exportDialog");
    auto* kinds = find<QListView>("exportKinds");
    ASSERT_NE(dialog, nullptr);
    EXPECT_EQ(QApplication::focusWidget(), kinds);
    const ExportPage first = dialog->page();
    ASSERT_NE(first, ExportPage::kReport);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Down);
    EXPECT_EQ(static_cast<int>(dialog->page()), static_cast<int>(first) + 1);
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Up);
    EXPECT_EQ(dialog->page(), first);
}

TEST_F(WindowTest, KeepsTheDialogOpenAndSaysWhyWhenAnExportFails) {
    openTwoWorkers();
    window_->openExport();
    QFile obstacle(folder_.filePath("a_file"));
    ASSERT_TRUE(obstacle.open(QIODevice::WriteOnly));
    find<QLineEdit>("exportFolder")->setText(folder_.filePath("a_file/below"));
    QTest::mouseClick(find<QPushButton>("exportConfirm"), Qt::LeftButton);
    EXPECT_TRUE(find<QDialog>("exportDialog")->isVisible());
    EXPECT_TRUE(find<QLabel>("exportProblem")->text().contains("a_file"));
    QTest::keyClick(find<QDialog>("exportDialog"), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<QDialog*>("exportDialog") == nullptr; }, kDeadlineMs));
}

TEST_F(WindowTest, ShowsTheTfConfigOfEveryTaskAndFollowsTheWorkerCount) {
    openTwoWorkers();
    window_->showMode(Mode::kCluster);
    auto* count = find<QComboBox>("workerCount");
    EXPECT_EQ(count->currentIndex(), 1);
    emit count->activated(3);
    int visible = 0;
    for (const auto* card : window_->findChildren<TfConfigCard*>()) visible += card->isVisibleTo(window_.get());
    EXPECT_EQ(visible, 4);
    find<QAction>("actionUndo")->trigger();
    EXPECT_EQ(ui::session::localWorkers((*session_).project()), 2);
}

TEST_F(WindowTest, OpensATemplateFromWelcome) {
    window_->showMode(Mode::kWelcome);
    QTest::mouseClick(find<QPushButton>("open_mnist_mirrored"), Qt::LeftButton);
    EXPECT_TRUE(session_->project().isOpen());
    EXPECT_EQ(window_->mode(), Mode::kModel);
}

TEST_F(WindowTest, CountsProblemsAndShowsThemInThePane) {
    openTwoWorkers();
    session_->project().change("Break it", [](engine::spec::RunSpec& run) { run.fit.epochs = -3; });
    QTest::keyClick(window_.get(), Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(window_->panes().openPane(), 1);
    EXPECT_EQ(find<QListView>("problemsList")->model()->rowCount(), static_cast<int>(session_->project().diagnostics().size()));
    EXPECT_FALSE(find<QAction>("actionLaunch")->isEnabled());
    QTest::keyClick(window_.get(), Qt::Key_1, Qt::AltModifier);
    EXPECT_EQ(window_->panes().openPane(), 0);
}

// Model's pill, the rail, Problems, Cluster's pill and Launch tell of one check.
TEST_F(WindowTest, NoPlaceCallsAModelGoodThatAnotherRefuses) {
    openTwoWorkers();
    const auto* model = find<widgets::StatusPill>("modelState");
    const auto* rail = find<QWidget>("runGroup");
    const auto* badge = find<QAbstractButton>("paneButton1");
    const auto* launch = find<QAction>("actionLaunch");
    const auto* cluster = find<QWidget>("clusterPage")->findChild<widgets::StatusPill*>();
    const auto says = [&](const QString& model_text, const QString& everywhere, const QString& count, bool can_launch) {
        EXPECT_EQ(model->text(), model_text);
        EXPECT_EQ(rail->toolTip(), everywhere);
        EXPECT_EQ(badge->accessibleDescription(), count);
        EXPECT_EQ(launch->isEnabled(), can_launch);
        EXPECT_EQ(cluster->text(), can_launch && count.isEmpty() ? QString("Ready to launch") : everywhere);
    };
    says("Fits the data", "Ready", "", true);
    session_->project().change("Convolution and pooling alone", [](engine::spec::RunSpec& run) { run.model.layers.resize(2); });
    says("1 problem", "1 problem", "1", false);
    session_->project().undoStack().undo();
    session_->project().change("Probabilities taken for logits",
                               [](engine::spec::RunSpec& run) { run.compile.loss.config.set("from_logits", false); });
    says("1 warning", "1 warning", "1", true);
    window_->showMode(Mode::kModel);
    find<QPushButton>("modelCheck")->click();
    EXPECT_TRUE(find<canvas::ModelCanvas>("modelCanvas")->content().nodes.back().warned);
    EXPECT_EQ(find<QWidget>("layerError")->accessibleName(), "Warning: from logits");
    const QString shots = qEnvironmentVariable("TANDEM_SHOTS");
    QCoreApplication::processEvents();
    if (!shots.isEmpty()) window_->grab().save(shots + "/one-check-warning.png");
}

// The evaluator of a cluster is started with those that train.
TEST_F(WindowTest, LaunchesAnEvaluatorBesideThoseThatTrain) {
    openTwoWorkers();
    session_->project().change("An evaluator", [](engine::spec::RunSpec& run) {
        engine::spec::useTemplate(run, engine::spec::ClusterTemplate::kChiefWorkersEvaluator, 0, {1, 2, 3, 4});
    });
    ui::session::chooseFreePorts((*session_).project());
    window_->showMode(Mode::kCluster);
    auto* canvas = find<canvas::ClusterCanvas>("clusterCanvas");
    ASSERT_TRUE(canvas->chooseTask({"evaluator", 0}));
    EXPECT_TRUE(canvas->accessibleDescription().contains("Not started, port free")) << canvas->accessibleDescription().toStdString();
    EXPECT_EQ(find<QWidget>("runGroup")->toolTip(), "Ready");
    const QString shots = qEnvironmentVariable("TANDEM_SHOTS");
    QCoreApplication::processEvents();
    if (!shots.isEmpty()) window_->grab().save(shots + "/evaluator.png");
    session_->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(session_->runs().current()->tasks().size(), 4U);
}

TEST_F(WindowTest, ListsRuns) {
    world_->runs = {
        {.id = "b", .name = "second", .state = engine::run::RunState::kDone, .created_unix_ns = 2, .results = {{"test_accuracy", 0.987}}},
        {.id = "a", .name = "first", .state = engine::run::RunState::kFailed, .created_unix_ns = 1}};
    session_->runs().refresh();
    window_->showMode(Mode::kRuns);
    auto* table = find<QTableView>("runTable");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == 2; }, kDeadlineMs));
    find<QLineEdit>("runFilter")->setText("/^sec/");
    EXPECT_EQ(table->model()->rowCount(), 1);
    EXPECT_EQ(table->model()->index(0, models::RunTableModel::kTestAccuracy).data().toString(), "0.9870");
}

TEST_F(WindowTest, TakesBackThatTheAgentDoesNotAnswer) {
    const auto answers = [this](bool on) {
        {
            const std::lock_guard lock(world_->mutex);
            world_->answers = on;
        }
        world_->news.notify_all();
        session_->runs().refresh();
    };
    const auto* toast = find<QWidget>("toast");
    answers(false);
    ASSERT_TRUE(QTest::qWaitFor([&] { return toast->isVisible(); }, kDeadlineMs));
    EXPECT_TRUE(toast->accessibleName().startsWith("The agent does not answer.")) << toast->accessibleName().toStdString();
    // Whole at every width of the window: what does not fit on one line goes on below.
    const auto* words = find<QLabel>("toastText");
    for (const int width : {1440, 1100}) {
        window_->resize(width, 800);
        EXPECT_TRUE(QTest::qWaitFor(
            [&] {
                return words->width() > 0 && words->heightForWidth(words->width()) <= words->height() &&
                       toast->rect().contains(words->geometry());
            },
            kDeadlineMs))
            << words->width() << " x " << words->height() << " at " << width;
    }
    answers(true);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !toast->isVisible(); }, kDeadlineMs));
    EXPECT_EQ(session_->host().agentState(), session::AgentState::kReady);
}

TEST_F(WindowTest, SaysOnTheRailThatARunWaits) {
    openTwoWorkers();
    find<QToolButton>("railLaunchButton")->click();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    const auto tell = [this](int worker, engine::spec::TaskState state) {
        engine::spec::TaskEvent event;
        event.task = {"worker", worker};
        event.body = engine::spec::StateChanged{state, {}};
        world_->addEvents("run-1", {event});
    };
    const auto* rail = find<QWidget>("runGroup");
    tell(0, engine::spec::TaskState::kWaiting);
    EXPECT_TRUE(QTest::qWaitFor([&] { return rail->toolTip() == "Waiting"; }, kDeadlineMs)) << rail->toolTip().toStdString();
    auto* modes = find<widgets::ModeBar>("modeBar");
    const auto dotHas = [modes](const QColor& color) {  // the one on Monitor's mode
        const QRect place = modes->modeRect(static_cast<int>(Mode::kMonitor));
        const QImage picture = modes->grab(place).toImage();
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < picture.width(); ++x)
                if (picture.pixelColor(x, y) == color) return true;
        return false;
    };
    const theme::Theme& colors = themes_.theme();
    EXPECT_TRUE(dotHas(colors.warn) && !dotHas(colors.ok));
    tell(0, engine::spec::TaskState::kTraining);
    tell(1, engine::spec::TaskState::kTraining);
    EXPECT_TRUE(QTest::qWaitFor([&] { return rail->toolTip() == "Training"; }, kDeadlineMs)) << rail->toolTip().toStdString();
    EXPECT_TRUE(dotHas(colors.ok) && !dotHas(colors.warn));
}

TEST_F(WindowTest, EveryControlHasAnAccessibleNameOrText) {
    openTwoWorkers();
    for (const auto* button : window_->findChildren<QAbstractButton*>()) {
        if (button->objectName().startsWith("qt_") || !button->isVisibleTo(button->window())) continue;
        EXPECT_FALSE(button->text().isEmpty() && button->accessibleName().isEmpty() && button->toolTip().isEmpty())
            << button->objectName().toStdString() << " in "
            << (button->parentWidget() ? button->parentWidget()->objectName().toStdString() : "");
    }
}

TEST(ItemModels, KeepQtsRules) {
    models::CheckListModel checks;
    models::RunTableModel runs;
    models::RecentModel recent;
    models::EpochTableModel epochs;
    const auto mode = QAbstractItemModelTester::FailureReportingMode::Fatal;
    const QAbstractItemModelTester a(&checks, mode), b(&runs, mode), c(&recent, mode), d(&epochs, mode);
    for (const int count : {3, 1, 4, 0, 2}) {
        std::vector<models::CheckRow> rows;
        std::vector<session::RunSummary> summaries;
        std::vector<session::EpochEntry> entries;
        for (int i = 0; i < count; ++i) {
            rows.push_back({.title = QString::number(i * count)});
            summaries.push_back({.id = QString::number(i), .name = "run"});
            entries.push_back({0, {.epoch = i, .step = i, .seconds = 1, .logs = {{"loss", 0.5}}}});
        }
        checks.setRows(rows);
        runs.setRuns(summaries);
        recent.setRows({{"/a.tandem", "run", "MirroredStrategy", 0}}, summaries);
        epochs.setEpochs(entries);
        EXPECT_EQ(checks.rowCount(), count);
        EXPECT_EQ(runs.rowCount(), count);
        EXPECT_EQ(epochs.rowCount(), count);
    }
}

}  // namespace
}  // namespace ui::views

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
