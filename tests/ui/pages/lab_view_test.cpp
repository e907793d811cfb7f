// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, Equivalence lab: the open project under every strategy, over an agent that trains at once.
#include "ui/lab/lab_view.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/fake_host.h"
#include "tests/support/lab_agent.h"
#include "ui/charts/chart_card.h"
#include "ui/lab/lab_table_model.h"
#include "ui/parts/languages.h"
#include "ui/runs/runs_page.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/lab.h"
#include "ui/session/runs/launcher.h"

namespace ui::views {
namespace {

using models::LabTableModel;

class LabViewTest : public testing::Test {
protected:
    LabViewTest() {
        translator_.setLanguage("en");
        QApplication::installTranslator(&translator_);
        world_->host = tests::sampleHost();
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::LabAgent>(world); },
                                    .share_dir = QStringLiteral(TANDEM_RESOURCES)});
        page_ = std::make_unique<RunsPage>(*session_, themes_, nullptr);
        page_->resize(1300, 800);
        page_->show();
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().isReady(); }, 180'000));
    }
    ~LabViewTest() override {
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
    void openLab() { QTest::mouseClick(&part<QPushButton>("labButton"), Qt::LeftButton); }
    void startLab() {
        QTest::mouseClick(&part<QPushButton>("labStart"), Qt::LeftButton);
        ASSERT_TRUE(session_->lab().isRunning());
    }
    void waitForEnd() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return !session_->lab().isRunning(); }, 180'000));
    }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    QTableView& table() { return part<QTableView>("labTable"); }
    QString headline() { return page_->findChild<LabView*>("labView")->sentence(); }
    int rowOf(const QString& strategy) {
        for (int row = 0; row < table().model()->rowCount(); ++row) {
            if (cell(row, LabTableModel::kStrategy) == strategy) return row;
        }
        return -1;
    }

    const std::shared_ptr<tests::LabWorld> world_ = std::make_shared<tests::LabWorld>();
    StudioTranslator translator_;
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<RunsPage> page_;
};

TEST_F(LabViewTest, TrainsTheOpenProjectUnderEveryStrategyAndLaysTheCurvesOverEachOther) {
    openProject();
    openLab();
    EXPECT_TRUE(part<QPushButton>("labStart").isVisible());
    const QAbstractItemModelTester tester(table().model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    part<QSpinBox>("labSteps").setValue(30);
    startLab();
    waitForEnd();
    const int rows = static_cast<int>(engine::lab::labRows().size());
    ASSERT_EQ(table().model()->rowCount(), rows);
    EXPECT_EQ(cell(0, LabTableModel::kVerdict), "Reference");
    EXPECT_EQ(cell(1, LabTableModel::kVerdict), "Equal");
    EXPECT_EQ(cell(rows - 1, LabTableModel::kVerdict), "Asynchronous");
    EXPECT_EQ(cell(rows - 1, LabTableModel::kStaleness), "1.40, at most 3");
    EXPECT_EQ(cell(1, LabTableModel::kSpeed), "100.0");
    EXPECT_EQ(headline(), "9 strategies equal to Default");
    auto& chart = *page_->findChild<charts::ChartCard*>("labLoss");
    EXPECT_EQ(chart.seriesCount(), rows);
    for (int row = 0; row < rows; ++row) EXPECT_EQ(chart.series(row).size(), 30U) << row;
    EXPECT_EQ(world_->submits.size(), static_cast<std::size_t>(rows));
}

TEST_F(LabViewTest, TurnsRedInWordsAndColourWhatShouldBeEqualAndIsNot) {
    openProject();
    world_->difference = [](const engine::spec::RunSpec& run) {
        const bool is_wrong = run.strategy.name == "CentralStorageStrategy";
        return engine::spec::WeightDifference{
            .largest = is_wrong ? 0.5 : 0, .variable = "dense/kernel", .distance = is_wrong ? 0.5 : 0, .norm = 2, .values = 9};
    };
    openLab();
    startLab();
    waitForEnd();
    const int wrong = rowOf("CentralStorageStrategy");
    EXPECT_EQ(cell(wrong, LabTableModel::kVerdict), "Differs");
    EXPECT_EQ(cell(wrong, LabTableModel::kNote), "It should be equal and is not, most in dense/kernel");
    EXPECT_EQ(table().model()->index(wrong, LabTableModel::kVerdict).data(Qt::ForegroundRole).value<QColor>(), themes_.theme().err);
    EXPECT_NE(table().model()->index(1, LabTableModel::kVerdict).data(Qt::ForegroundRole).value<QColor>(), themes_.theme().err);
    EXPECT_EQ(headline(), "1 strategy differs and should not");
}

TEST_F(LabViewTest, SaysWhyAStrategyCouldNotRun) {
    openProject();
    world_->obstacle = [](const engine::spec::RunSpec& run) {
        return run.strategy.name == "ParameterServerStrategy" ? "compile.loss_scale: expected none, got one" : "";
    };
    openLab();
    startLab();
    waitForEnd();
    const int served = rowOf("ParameterServerStrategy, 1 ps, 1 worker");
    EXPECT_EQ(cell(served, LabTableModel::kVerdict), "Could not run");
    EXPECT_EQ(cell(served, LabTableModel::kNote), "compile.loss_scale: expected none, got one");
    EXPECT_EQ(cell(served, LabTableModel::kDifference), QString(QChar(0x2014)));
}

TEST_F(LabViewTest, StopsTheRunInProgressAndKeepsWhatIsOver) {
    openProject();
    world_->is_held = true;
    openLab();
    startLab();
    EXPECT_FALSE(part<QPushButton>("labStart").isVisible());
    EXPECT_FALSE(part<QSpinBox>("labSteps").isEnabled());
    ASSERT_TRUE(QTest::qWaitFor([this] { return cell(0, LabTableModel::kVerdict) == "Step 100 of 100"; }, 180'000));
    EXPECT_EQ(headline(), "0 of 11 strategies trained");
    QTest::mouseClick(&part<QPushButton>("labStop"), Qt::LeftButton);
    EXPECT_FALSE(session_->lab().isRunning());
    EXPECT_TRUE(QTest::qWaitFor([this] {
        const std::lock_guard lock(world_->mutex);
        return !world_->controls.empty() && world_->controls.back().second.verb == engine::spec::ControlVerb::kStopNow;
    }));
    EXPECT_EQ(cell(0, LabTableModel::kVerdict), "Not trained");
    EXPECT_EQ(headline(), "Stopped: 0 of 11 strategies trained");
}

TEST_F(LabViewTest, ChoosesStrategiesByTheirMenu) {
    openProject();
    openLab();
    auto& button = part<QPushButton>("labStrategies");
    EXPECT_EQ(button.text(), "11 strategies");
    emit button.menu()->aboutToShow();
    const QList<QAction*> actions = button.menu()->actions();
    EXPECT_FALSE(actions.front()->isEnabled()) << "all are compared with Default";
    actions.back()->trigger();
    EXPECT_EQ(button.text(), "1 strategy");
    EXPECT_FALSE(part<QPushButton>("labStart").isEnabled());
    EXPECT_EQ(part<QPushButton>("labStart").toolTip(), "Tick a strategy to compare with Default");
    emit button.menu()->aboutToShow();
    button.menu()->actions()[1]->trigger();
    startLab();
    waitForEnd();
    EXPECT_EQ(table().model()->rowCount(), 2);
}

TEST_F(LabViewTest, IsReachedAndLeftByKeyboard) {
    openProject();
    auto& button = part<QPushButton>("labButton");
    EXPECT_EQ(button.focusPolicy() & Qt::TabFocus, Qt::TabFocus);
    button.setFocus(Qt::TabFocusReason);
    QTest::keyClick(&button, Qt::Key_Space);
    auto& view = part<LabView>("labView");
    EXPECT_TRUE(view.isVisible());
    EXPECT_FALSE(button.isVisible());
    QTest::keyClick(&view, Qt::Key_Escape);
    EXPECT_FALSE(view.isVisible());
    EXPECT_TRUE(button.isVisible());
    openLab();
    ASSERT_TRUE(view.isVisible());
    QTest::keyClick(page_.get(), Qt::Key_Escape);
    EXPECT_FALSE(view.isVisible()) << "from the page's own header too";
}

TEST_F(LabViewTest, SaysWhatIsMissing) {
    openLab();
    EXPECT_EQ(part<QLabel>("labStateTitle").text(), "No project is open");
    EXPECT_EQ(part<QPushButton>("labStateFirst").text(), "Choose a template");
    EXPECT_FALSE(part<QPushButton>("labStart").isVisible());
    const QSignalSpy wanted(page_.get(), &Page::modeRequested);
    QTest::mouseClick(&part<QPushButton>("labStateFirst"), Qt::LeftButton);
    EXPECT_EQ(wanted.size(), 1);
    openProject();
    EXPECT_EQ(part<QLabel>("labStateTitle").text(), "Do all strategies train the same?");
    EXPECT_FALSE(part<QPushButton>("labStateFirst").isVisible()) << "there is one primary button";
    EXPECT_TRUE(part<QPushButton>("labStart").isVisible());
}

}  // namespace
}  // namespace ui::views
