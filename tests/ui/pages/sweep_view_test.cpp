// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, Sweep: the open project with many values of some fields, over an agent that trains at once.
#include "ui/sweep/sweep_view.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <algorithm>
#include <cmath>

#include "tests/support/fake_host.h"
#include "tests/support/sweep_agent.h"
#include "ui/parallel/parallel_view.h"
#include "ui/parts/languages.h"
#include "ui/runs/runs_page.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/sweep/importance_bars.h"
#include "ui/sweep/sweep_plan.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/widgets/segmented_control.h"

namespace ui::views {
namespace {

using models::SweepTableModel;

class SweepViewTest : public testing::Test {
protected:
    SweepViewTest() {
        qputenv("XDG_DATA_HOME", home_.path().toUtf8());
        translator_.setLanguage("en");
        QApplication::installTranslator(&translator_);
        world_->host = tests::sampleHost();
        world_->value = [](const engine::spec::RunSpec& run, std::int64_t epoch) {
            const double rate = run.compile.optimizer.config.getDouble("learning_rate", 0);
            return 0.9 - 0.1 * std::abs(std::log10(rate) + 2) - 0.2 / static_cast<double>(epoch);
        };
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::SweepAgent>(world); },
                                    .share_dir = QStringLiteral(TANDEM_RESOURCES)});
        page_ = std::make_unique<RunsPage>(*session_, themes_, nullptr);
        page_->resize(1300, 800);
        page_->show();
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().isReady(); }, 180'000));
    }
    ~SweepViewTest() override {
        session_->project().close();
        QApplication::removeTranslator(&translator_);
    }

    void openProject() {
        ASSERT_TRUE(session_->project().openStarter("mnist_mlp"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return session_->launcher().obstacle().isEmpty(); }, 180'000))
            << session_->launcher().obstacle().toStdString();
    }
    template <class Widget>
    Widget& part(const char* name) {
        return *page_->findChild<Widget*>(name);
    }
    SweepView& view() { return part<SweepView>("sweepView"); }
    void openSweep() { QTest::mouseClick(&part<QPushButton>("sweepButton"), Qt::LeftButton); }
    void startSweep() {
        QTest::mouseClick(&part<QPushButton>("sweepStart"), Qt::LeftButton);
        ASSERT_TRUE(view().desk().isRunning());
    }
    void waitForEnd() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !view().desk().isRunning(); }, 180'000));
    }
    void setText(const char* name, const QString& text) {
        auto& edit = part<QLineEdit>(name);
        edit.setFocus();
        edit.selectAll();
        QTest::keyClicks(&edit, text);
    }
    void setKind(int kind) {
        auto& combo = part<QComboBox>("sweepFieldKind");
        combo.setCurrentIndex(kind);
        emit combo.activated(kind);
    }
    QTableView& table() { return part<QTableView>("sweepTable"); }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    QString problem() { return part<QLabel>("sweepPlanProblem").text(); }

    const QTemporaryDir home_;
    const std::shared_ptr<tests::SweepWorld> world_ = std::make_shared<tests::SweepWorld>();
    StudioTranslator translator_;
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<RunsPage> page_;
};

TEST_F(SweepViewTest, BeginsWithTheFieldThatIsUsuallySwept) {
    openProject();
    openSweep();
    EXPECT_EQ(part<QComboBox>("sweepFieldPath").currentText(), "compile.optimizer.config.learning_rate");
    EXPECT_EQ(part<QComboBox>("sweepFieldKind").currentText(), "Logarithmic range");
    EXPECT_EQ(part<QLineEdit>("sweepFieldLow").text(), "0.0001");
    EXPECT_EQ(part<QLineEdit>("sweepFieldHigh").text(), "0.01");
    EXPECT_EQ(part<QLabel>("sweepPlanSentence").text(), "3 configurations, each for 10 epochs");
    EXPECT_EQ(problem(), "");
    EXPECT_EQ(view().sentence(), "Which values are best?");
}

TEST_F(SweepViewTest, APlanStaysWhenItsProjectGetsAnotherName) {
    openProject();
    openSweep();
    setText("sweepFieldLow", "0.002");
    part<QSpinBox>("sweepEpochs").setValue(7);
    session_->project().change("Name it", [](engine::spec::RunSpec& run) { run.name = run.model.name = "mine"; });
    EXPECT_EQ(part<QLineEdit>("sweepFieldLow").text(), "0.002");
    EXPECT_EQ(part<QSpinBox>("sweepEpochs").value(), 7);
    ASSERT_TRUE(session_->project().openStarter("mnist_mlp"));
    EXPECT_TRUE(QTest::qWaitFor([this] { return part<QLineEdit>("sweepFieldLow").text() == "0.0001"; }, 180'000))
        << "another one begins anew";
}

TEST_F(SweepViewTest, TrainsAPlanOfTwoFieldsAndShowsWhichWasBest) {
    openProject();
    openSweep();
    setText("sweepFieldLow", "1e-4");
    setText("sweepFieldHigh", "1");
    part<QSpinBox>("sweepFieldPoints").setValue(9);
    part<widgets::SegmentedControl>("sweepMethod").setCurrent(2);
    part<QSpinBox>("sweepEpochs").setValue(9);
    part<QSpinBox>("sweepAtOnce").setValue(2);
    EXPECT_EQ(part<QLabel>("sweepPlanSentence").text(),
              "9 configurations; all train for 1 epoch, and one of 3 goes on to each next rung: 1, 3, 9");
    const QAbstractItemModelTester tester(table().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    startSweep();
    waitForEnd();
    EXPECT_EQ(view().desk().error(), "");
    ASSERT_EQ(table().model()->rowCount(), 9);
    EXPECT_EQ(view().sentence(), "Over: 9 trials");
    // A click on the objective's head brings the best to the top.
    table().sortByColumn(SweepTableModel::kValue, Qt::AscendingOrder);
    EXPECT_EQ(cell(0, SweepTableModel::kFirstField), "0.01");
    EXPECT_EQ(cell(0, SweepTableModel::kState), "Done");
    EXPECT_EQ(cell(0, SweepTableModel::kEpochs), "9 / 9");
    EXPECT_EQ(cell(0, SweepTableModel::kValue), "0.8778");
    EXPECT_EQ(cell(0, SweepTableModel::kFirstField + 1), "Best so far");
    EXPECT_TRUE(part<QLabel>("sweepBest").text().startsWith("Best so far: 0.8778, trial "));
    const models::ParallelPlot& plot = part<ParallelView>("sweepParallel").plot();
    ASSERT_EQ(plot.axes.size(), 3U);
    EXPECT_EQ(plot.axes[0].name, "optimizer.learning_rate");
    EXPECT_TRUE(plot.axes[0].logarithmic);
    EXPECT_EQ(plot.axes[1].name, "epochs");
    EXPECT_EQ(plot.axes[2].name, "val_accuracy");
    EXPECT_EQ(plot.lines.size(), 9U);
    EXPECT_TRUE(part<ImportanceBars>("sweepImportance").accessibleDescription().startsWith("optimizer.learning_rate 100"))
        << part<ImportanceBars>("sweepImportance").accessibleDescription().toStdString();
    auto& take_best = part<QPushButton>("sweepTakeBest");
    EXPECT_TRUE(take_best.isEnabled());
    QTest::mouseClick(&take_best, Qt::LeftButton);
    EXPECT_EQ(session_->project().spec().compile.optimizer.config.getDouble("learning_rate", 0), 0.01);
    session_->project().change("Another one", [](engine::spec::RunSpec& project) { project.name = "another"; });
    EXPECT_FALSE(take_best.isEnabled());
    EXPECT_EQ(take_best.toolTip(), "This sweep is of another project: MNIST with dense layers");
}

TEST_F(SweepViewTest, SaysInTheUsersLanguageWhyATrialHasNoValue) {
    world_->failure = [](const engine::spec::RunSpec&) { return "worker 0: exit code 1: NaN or Inf loss encountered in batch 12"; };
    openProject();
    openSweep();
    startSweep();
    waitForEnd();
    const int note = table().model()->columnCount() - 1;
    EXPECT_EQ(cell(0, note), "worker 0: exit code 1: NaN or Inf loss encountered in batch 12");
    for (const char* language : {"ko", "zh_CN"}) {
        translator_.setLanguage(language);
        EXPECT_FALSE(cell(0, note).contains("exit code")) << cell(0, note).toStdString();
        EXPECT_FALSE(cell(0, note).contains("NaN or Inf loss")) << cell(0, note).toStdString();
    }
    translator_.setLanguage("en");
}

TEST_F(SweepViewTest, SaysWhyAPlanIsNone) {
    openProject();
    openSweep();
    auto& start = part<QPushButton>("sweepStart");
    EXPECT_TRUE(start.isEnabled());
    setText("sweepFieldLow", "0");
    EXPECT_EQ(problem(), "compile.optimizer.config.learning_rate: a logarithmic range is above 0");
    EXPECT_FALSE(start.isEnabled());
    EXPECT_EQ(start.toolTip(), problem());
    setText("sweepFieldLow", "1");
    EXPECT_EQ(problem(), "compile.optimizer.config.learning_rate: from a lower number to a higher one");
    setText("sweepFieldLow", "x");
    EXPECT_EQ(problem(), "compile.optimizer.config.learning_rate: from one number to another, such as 1e-4");
    setKind(0);
    setText("sweepFieldChoices", "0.1, 0.1");
    EXPECT_EQ(problem(), "compile.optimizer.config.learning_rate: values with commas between them, each once");
    setText("sweepFieldChoices", "0.1, -3");
    EXPECT_TRUE(problem().startsWith("compile.optimizer.config.learning_rate with the value -3: ")) << problem().toStdString();
    setText("sweepFieldChoices", "0.1, 0.2");
    EXPECT_EQ(problem(), "");
    part<QComboBox>("sweepFieldPath").setEditText("nothing[");
    EXPECT_EQ(problem(), "nothing[: this is no field and its values");
    QTest::mouseClick(&part<QPushButton>("sweepFieldRemove"), Qt::LeftButton);
    EXPECT_EQ(problem(), "Add a field");
    QTest::mouseClick(&part<QPushButton>("sweepAddField"), Qt::LeftButton);
    EXPECT_EQ(problem(), "");
    part<QComboBox>("sweepObjective").setEditText("");
    EXPECT_EQ(problem(), "Say what is compared, such as val_accuracy");
}

TEST_F(SweepViewTest, TrainsHereOnHostsOrBySlurm) {
    openProject();
    openSweep();
    auto& where = part<QComboBox>("sweepWhere");
    EXPECT_TRUE(part<QSpinBox>("sweepWorkers").isVisible());
    EXPECT_FALSE(part<QLineEdit>("sweepHosts").isVisible());
    part<QSpinBox>("sweepWorkers").setValue(2);
    EXPECT_EQ(part<SweepPlan>("sweepPlan").settings().place.workers, 2);
    where.setCurrentIndex(1);
    EXPECT_FALSE(part<QSpinBox>("sweepWorkers").isVisible());
    EXPECT_EQ(problem(), "Name the hosts, such as node1,node2");
    setText("sweepHosts", "node1,node2");
    part<QCheckBox>("sweepSpread").setChecked(true);
    EXPECT_EQ(part<SweepPlan>("sweepPlan").settings().place, (engine::sweep::Place{.hosts = "node1,node2", .spread = true}));
    EXPECT_EQ(problem(), "");
    where.setCurrentIndex(2);
    setText("sweepPartition", "short");
    part<QSpinBox>("sweepCpus").setValue(4);
    EXPECT_EQ(part<SweepPlan>("sweepPlan").settings().place,
              (engine::sweep::Place{.slurm = engine::sweep::SlurmJob{.cpus_per_task = 4, .partition = "short"}}));
    startSweep();
    waitForEnd();
    EXPECT_EQ(world_->jobs.size(), 3U);
    EXPECT_EQ(view().sentence(), "Over: 3 trials");
}

TEST_F(SweepViewTest, StopsAndGoesOn) {
    world_->is_held = [](const engine::spec::RunSpec&) { return true; };
    openProject();
    openSweep();
    startSweep();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return table().model()->rowCount() == 3 && cell(0, SweepTableModel::kEpochs) == "1 / 10"; }, 180'000));
    EXPECT_EQ(cell(0, SweepTableModel::kState), "Training");
    QTest::mouseClick(&part<QPushButton>("sweepStop"), Qt::LeftButton);
    waitForEnd();
    EXPECT_EQ(view().sentence(), "Stopped: 0 of 3 trials ended");
    EXPECT_EQ(cell(0, SweepTableModel::kState), "Stopped");
    world_->is_held = {};
    QTest::mouseClick(&part<QPushButton>("sweepResume"), Qt::LeftButton);
    waitForEnd();
    EXPECT_EQ(view().sentence(), "Over: 3 trials");
    EXPECT_EQ(world_->epochs_trained, 30) << "nothing is trained twice";
    EXPECT_FALSE(part<QPushButton>("sweepResume").isVisible());
}

TEST_F(SweepViewTest, ShowsEarlierOnesAndBeginsNewOnes) {
    openProject();
    openSweep();
    auto& menu = *part<QPushButton>("sweepEarlier").menu();
    emit menu.aboutToShow();
    ASSERT_EQ(menu.actions().size(), 1);
    EXPECT_EQ(menu.actions()[0]->text(), "No sweep yet");
    startSweep();
    waitForEnd();
    QTest::mouseClick(&part<QPushButton>("sweepNew"), Qt::LeftButton);
    EXPECT_TRUE(part<SweepPlan>("sweepPlan").isVisible());
    emit menu.aboutToShow();
    ASSERT_EQ(menu.actions().size(), 1);
    menu.actions()[0]->trigger();
    waitForEnd();
    EXPECT_EQ(view().sentence(), "Over: 3 trials");
    EXPECT_EQ(cell(0, SweepTableModel::kState), "Done");
    QTest::mouseClick(&part<QPushButton>("sweepTakeBest"), Qt::LeftButton);
    const auto rate = [this] { return session_->project().spec().compile.optimizer.config.getDouble("learning_rate", 0); };
    EXPECT_EQ(rate(), 0.01);
    session_->project().undoStack().undo();
    EXPECT_EQ(rate(), 0.001);
}

TEST_F(SweepViewTest, IsReachedAndLeftByKeyboard) {
    openProject();
    auto& button = part<QPushButton>("sweepButton");
    EXPECT_EQ(button.focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    button.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&button, Qt::Key_Space);
    EXPECT_TRUE(view().isVisible());
    QTest::keyClick(&view(), Qt::Key_Escape);
    EXPECT_FALSE(view().isVisible());
    EXPECT_TRUE(button.isVisible());
}

TEST_F(SweepViewTest, EscLeavesItWhereverOnThePageTheFocusIs) {
    openProject();
    openSweep();
    QList<QPointer<QWidget>> places{page_.get(), &view()};
    for (QWidget* one : page_->findChildren<QWidget*>()) {
        if (one->isVisible() && one->isEnabled() && one->focusPolicy() != Qt::NoFocus) places << one;
    }
    EXPECT_GT(places.size(), 12) << "buttons of the head, fields of the plan";
    for (const QPointer<QWidget>& place : places) {
        if (place.isNull() || !place->isVisible()) continue;
        QTest::keyClick(place.data(), Qt::Key_Escape);
        EXPECT_FALSE(view().isVisible()) << place->metaObject()->className() << ' ' << place->objectName().toStdString();
        openSweep();
        ASSERT_TRUE(view().isVisible());
    }
}

TEST_F(SweepViewTest, EscTakesABrushAwayBeforeItLeaves) {
    openProject();
    openSweep();
    startSweep();
    waitForEnd();
    auto& lines = part<ParallelView>("sweepParallel");
    ASSERT_GT(lines.plot().axes.size(), 1U);
    QTest::keyClick(&lines, Qt::Key_Up);
    const auto is_brushed = [&] {
        return std::any_of(lines.brushes().begin(), lines.brushes().end(), [](const auto& brush) { return brush.has_value(); });
    };
    ASSERT_TRUE(is_brushed());
    QTest::keyClick(&lines, Qt::Key_Escape);
    EXPECT_FALSE(is_brushed());
    EXPECT_TRUE(view().isVisible());
    QTest::keyClick(&lines, Qt::Key_Escape);
    EXPECT_FALSE(view().isVisible());
}

TEST_F(SweepViewTest, SaysWhatIsMissing) {
    openSweep();
    EXPECT_EQ(part<QLabel>("sweepStateTitle").text(), "No project is open");
    EXPECT_FALSE(part<QPushButton>("sweepStart").isVisible());
    const QSignalSpy wanted(page_.get(), &Page::modeRequested);
    QTest::mouseClick(&part<QPushButton>("sweepStateFirst"), Qt::LeftButton);
    EXPECT_EQ(wanted.size(), 1);
    openProject();
    EXPECT_TRUE(part<QPushButton>("sweepStart").isVisible());
}

TEST_F(SweepViewTest, LeavesWhatTrainsToWhoeverGoesOn) {
    world_->is_held = [](const engine::spec::RunSpec&) { return true; };
    openProject();
    openSweep();
    startSweep();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return table().model()->rowCount() == 3 && cell(0, SweepTableModel::kEpochs) == "1 / 10"; }, 180'000));
    page_.reset();
    EXPECT_TRUE(world_->controls.empty()) << "the run goes on at the agent";
    const QStringList folders = session::SweepDesk::earlier();
    ASSERT_EQ(folders.size(), 1);
    world_->is_held = {};
    world_->train(world_->runs.front(), session_->project().spec(), 10);
    world_->setState(world_->runs.front().id, engine::run::RunState::kDone);
    session::SweepDesk again(session_->clientSlot());
    again.resume(folders.front());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !again.isRunning(); }, 180'000));
    ASSERT_TRUE(again.sweep());
    EXPECT_TRUE(again.sweep()->isOver()) << again.error().toStdString();
    EXPECT_EQ(world_->runs.size(), 3U);
    EXPECT_EQ(world_->epochs_trained, 30);
}

}  // namespace
}  // namespace ui::views
