// SPDX-License-Identifier: GPL-3.0-or-later
// The page of runs over an agent with memory, whose engine says the same of every model.
#include "ui/runs/runs_page.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <functional>
#include <mutex>
#include <variant>

#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "made_up_run.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/sample_run.h"
#include "ui/charts/chart_card.h"
#include "ui/parallel/parallel_view.h"
#include "ui/parts/languages.h"
#include "ui/runs/draw_pad.h"
#include "ui/runs/evaluate_painted.h"
#include "ui/runs/evaluate_view.h"
#include "ui/runs/run_compare.h"
#include "ui/runs/run_curves.h"
#include "ui/runs/run_table.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/page_header.h"
#include "ui/widgets/painted_text.h"

namespace ui::views {
namespace {

using models::RunTableModel;

engine::spec::Evaluation evaluationOfFour() {
    return {.accuracy = 0.75,
            .loss = 0.5,
            .samples = 4,
            .classification = engine::spec::Classification{.classes = 2,
                                                           .class_names = {"cat", "dog"},
                                                           .sample_shape = {2, 2},
                                                           .samples = 4,
                                                           .confusion = {2, 1, 0, 1},
                                                           .mistakes = {{3, 0, 1, 0.9F, {0, 255, 0, 255}}}}};
}

engine::spec::Inspection inspectionOfOne() {
    return {.sample_shape = {2, 2},
            .pixels = {0, 255, 0, 255},
            .top = {{"dog", 1, 0.9F}, {"cat", 0, 0.1F}},
            .layers = {{"conv", "Conv2D", {2, 2, 1}, 0, 1, 1, {0, 255, 0, 255}}}};
}

class RunsPageTest : public testing::Test {
protected:
    RunsPageTest() {
        world_->host = tests::sampleHost();
        world_->engine = [this](const engine::spec::EngineQuestion& question,
                                const agent::client::AskOptions&) -> engine::spec::EngineAnswer {
            if (broken_) {
                throw engine::Error(engine::ErrorCode::kDataLoss, "ckpt_2: expected a checkpoint, got something else");
            }
            if (std::holds_alternative<engine::spec::EvaluateQuestion>(question.asked)) return evaluationOfFour();
            if (std::holds_alternative<engine::spec::InspectQuestion>(question.asked)) return inspectionOfOne();
            throw engine::Error(engine::ErrorCode::kUnimplemented, "engine: expected another question");
        };
        engine::spec::RunSpec project;
        project.name = "mnist-cnn";
        project.model.input_shape = {2, 2, 1};
        for (int i = 1; i <= 4; ++i) {
            project.fit.seed = i;
            project.fit.epochs = i <= 2 ? 12 : 5;
            engine::run::RunInfo run;
            run.id = "run-" + std::to_string(i);
            run.name = i <= 2 ? "wide" : "small " + std::to_string(i);
            run.state = engine::run::RunState::kDone;
            run.created_unix_ns = 1'800'000'000'000'000'000 + i * 3'600'000'000'000;
            run.finished_unix_ns = run.created_unix_ns + 75'000'000'000;
            run.project_json = engine::spec::toProjectJson(project);
            run.results = {{"best_val_accuracy", 0.9 + i * 0.01}, {"val_loss", 0.1 * i}};
            run.run_dir = folder_.filePath("runs").toStdString();
            world_->addEvents(
                run.id, tests::sampleRun({.created_unix_ns = run.created_unix_ns, .epochs_done = 3, .extra_steps = 0, .worse = 0.01 * i}));
            world_->runs.insert(world_->runs.begin(), run);
        }
    }

    void open() {
        QDir().mkpath(folder_.filePath("runs/checkpoints"));
        for (const char* name : {"ckpt_1.index", "ckpt_2.index"}) {
            QFile file(folder_.filePath("runs/checkpoints/") + name);
            ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        }
        QFile project(folder_.filePath("runs/run.json"));
        ASSERT_TRUE(project.open(QIODevice::WriteOnly));
        project.write(QByteArray::fromStdString(world_->runs.empty() ? "{}" : world_->runs.front().project_json));
        project.close();
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                                    .share_dir = QString::fromUtf8(TANDEM_RESOURCES),
                                    .reconnect_ms = 20});
        page_ = std::make_unique<RunsPage>(*session_, themes_, nullptr);
        page_->resize(1360, 780);
        page_->show();
        QApplication::setActiveWindow(page_.get());  // a display without a window manager activates none
        ASSERT_TRUE(tests::waitUntil([this] { return !session_->runs().isReading(); }));
        table_ = page_->findChild<RunTable*>("runTable");
    }
    // Whether the engine was asked a question of this kind of which `fact` holds.
    template <class Asked>
    bool wasAsked(const std::function<bool(const Asked&)>& fact) const {
        const std::lock_guard lock(world_->mutex);
        return std::any_of(world_->asked.begin(), world_->asked.end(), [&](const engine::spec::EngineQuestion& question) {
            const auto* asked = std::get_if<Asked>(&question.asked);
            return asked != nullptr && fact(*asked);
        });
    }
    bool drawingWasAsked() const {
        return wasAsked<engine::spec::InspectQuestion>([](const auto& asked) { return asked.data.ends_with("drawing.npy"); });
    }
    template <class T>
    T& find(const char* name) {
        T* found = page_->findChild<T*>(name);
        if (!found) throw std::runtime_error(std::string("no ") + name);
        return *found;
    }
    void press(QWidget& widget, Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) { QTest::keyClick(&widget, key, modifiers); }

    QTemporaryDir folder_;
    std::atomic<bool> broken_ = false;  // the engine refuses every question
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<RunsPage> page_;
    RunTable* table_ = nullptr;
};

TEST_F(RunsPageTest, ShowsAGroupsMeansAndDeviationsInFull) {
    open();
    page_->model().setGroupBy(RunTableModel::GroupBy::kSeeds);
    for (const int width : {1360, 1020}) {  // of the designed window and of the smallest one
        page_->setNarrow(width < 1200);
        page_->resize(width, 780);
        QCoreApplication::processEvents();
        QStringList shown, cut;
        widgets::observePaintedText([&](const widgets::PaintedText& one) { (one.elided ? cut : shown) << one.text; });
        table_->viewport()->grab();
        widgets::observePaintedText({});
        for (const char* text : {"0.9150", "\u00B1 0.0071", "0.1500", "\u00B1 0.0707"})
            EXPECT_TRUE(shown.contains(QString::fromUtf8(text))) << text << " of " << shown.join(" | ").toStdString();
        for (const QString& text : cut) EXPECT_FALSE(text.contains(RunTableModel::kPlusMinus)) << width << ": " << text.toStdString();
    }
    // A title goes on over the cells that a group leaves empty.
    table_->horizontalHeader()->setSectionResizeMode(RunTableModel::kName, QHeaderView::Fixed);
    table_->setColumnWidth(RunTableModel::kName, 80);
    int parts = 0;
    widgets::observePaintedText([&](const widgets::PaintedText& one) {
        if (!one.text.startsWith("wide (2 run")) return;
        EXPECT_FALSE(one.elided);
        ++parts;
    });
    table_->viewport()->grab();
    widgets::observePaintedText({});
    EXPECT_GE(parts, 2) << "one in each cell that it goes over";
}

TEST_F(RunsPageTest, SpaceChecksRunsForTheCharts) {
    open();
    EXPECT_EQ(table_->currentId(), "run-4") << "the newest is current";
    ASSERT_EQ(session_->runs().compared().size(), 1u) << "and drawn alone";
    press(*table_, Qt::Key_Space);
    press(*table_, Qt::Key_Down);
    press(*table_, Qt::Key_Space);
    EXPECT_EQ(page_->model().checked(), (QStringList{"run-4", "run-3"}));
    ASSERT_EQ(session_->runs().compared().size(), 2u);
    auto& loss = find<charts::ChartCard>("compareLoss");
    EXPECT_TRUE(tests::waitUntil([&] { return loss.seriesCount() == 2 && loss.series(0).size() == 3 && loss.series(1).size() == 3; }));
    EXPECT_EQ(find<QWidget>("runsDrawn").property("text").toString(), "2 of 4 shown in the charts");
    find<QComboBox>("compareSource").setCurrentIndex(1);
    EXPECT_TRUE(tests::waitUntil([&] { return loss.series(0).size() == 3 * 469; })) << "the training's curve has every step";
    EXPECT_EQ(loss.title(), "Training loss");
}

// No name of a setting ends in dots beside an empty stripe.
TEST_F(RunsPageTest, TheSettingsThatDifferTakeTheWidthThatTheRunsLeave) {
    open();
    auto& diff = find<QTableView>("diffTable");
    page_->model().setChecked({"run-4", "run-3"});
    ASSERT_TRUE(tests::waitUntil([&] { return diff.model()->columnCount() == 3 && diff.isVisible(); }));
    QWidget& card = *diff.parentWidget();
    for (const int width : {1100, 1360, 1900, 2600}) {
        page_->resize(width, 780);
        QCoreApplication::processEvents();
        if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty())
            page_->grab().save(QStringLiteral("%1/runs-%2.png").arg(shots).arg(width));
        int names = 0;
        const int room = diff.viewport()->width();
        widgets::observePaintedText([&](const widgets::PaintedText& one) {
            ++names;
            EXPECT_FALSE(one.elided && diff.horizontalHeader()->length() < room) << width << ": " << one.text.toStdString();
        });
        card.grab();
        widgets::observePaintedText({});
        EXPECT_GT(names, 3);
        EXPECT_GE(diff.horizontalHeader()->length(), room - 2) << width;
    }
}

// As Monitor marks them, of the run that the curve is of.
TEST_F(RunsPageTest, CurvesAreMarkedWhereTheirRunWasStartedAgain) {
    const std::int64_t begun = 1'800'000'000'000'000'000 + 3 * 3'600'000'000'000 + 60'000'000'000;
    engine::spec::RunStarted started;
    started.resumed_step = 3 * 469;
    started.steps_per_epoch = 469;
    world_->addEvents("run-3", {{0, begun, {"worker", 0}, engine::spec::AttemptStarted{2, 2, true, "stopped", true}},
                                {0, begun + 1'000'000'000, {"worker", 0}, started}});
    open();
    page_->model().setChecked({"run-4", "run-3"});
    auto& loss = find<charts::ChartCard>("compareLoss");
    ASSERT_TRUE(tests::waitUntil([&] { return loss.seriesCount() == 2 && loss.series(0).size() == 3 && loss.series(1).size() == 3; }));
    EXPECT_TRUE(tests::waitUntil([&] {
        QTest::keyClick(&loss, Qt::Key_M);
        return loss.accessibleDescription().startsWith("restarted: small 3: started again by hand behind step 1,407");
    })) << loss.accessibleDescription().toStdString();
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) page_->grab().save(shots + "/runs-restart.png");
    page_->model().setChecked({"run-4"});
    ASSERT_TRUE(tests::waitUntil([&] { return loss.seriesCount() == 1; }));
    QTest::keyClick(&loss, Qt::Key_M);
    EXPECT_FALSE(loss.accessibleDescription().startsWith("restarted")) << "the other run never was";
}

TEST_F(RunsPageTest, MoreThanTwelveAreToldAndNotDrawn) {
    for (int i = 5; i <= 14; ++i) {
        engine::run::RunInfo run = world_->runs.front();
        run.id = "run-" + std::to_string(i);
        run.created_unix_ns += i;
        world_->runs.insert(world_->runs.begin(), run);
    }
    open();
    QStringList ids;
    for (const auto& run : session_->runs().list()) ids << run.id;
    page_->model().setChecked(ids);
    EXPECT_EQ(session_->runs().compared().size(), 12u);
    EXPECT_EQ(find<QWidget>("runsDrawn").property("text").toString(), "12 drawn, 2 more in the table");
}

TEST_F(RunsPageTest, AFilterWithoutResultOffersToClearIt) {
    open();
    find<QLineEdit>("runFilter").setText("/sgd/");
    auto& button = find<QPushButton>("runsLaunchButton");
    EXPECT_TRUE(button.isVisible());
    EXPECT_EQ(button.text(), "Clear filter");
    QTest::mouseClick(&button, Qt::LeftButton);
    EXPECT_EQ(page_->model().rowCount(), 4);
    EXPECT_FALSE(button.isVisible());
    find<QLineEdit>("runFilter").setText("small accuracy:>0.935");
    EXPECT_EQ(page_->model().rowCount(), 1);
    find<QLineEdit>("runFilter").setText("/(/");
    EXPECT_EQ(page_->model().rowCount(), 4) << "what is not understood hides nothing";
    EXPECT_TRUE(find<QLineEdit>("runFilter").property("invalid").toBool());
}

TEST_F(RunsPageTest, SaysWhatToDoWithoutARun) {
    world_->runs.clear();
    open();
    auto& button = find<QPushButton>("runsLaunchButton");
    EXPECT_TRUE(tests::waitUntil([&] { return button.isVisible(); }));
    EXPECT_EQ(button.text(), "Choose a template");
}

TEST_F(RunsPageTest, DeleteArchivesAndTheToastUndoesIt) {
    open();
    QString said;
    std::function<void()> undo;
    QObject::connect(page_.get(), &Page::toastRequested, page_.get(),
                     [&](const widgets::Words& text, const widgets::Words&, const std::function<void()>& act) {
                         said = text();
                         undo = act;
                     });
    press(*table_, Qt::Key_Delete);
    EXPECT_EQ(said, "small 4 is in the archive");
    EXPECT_EQ(page_->model().rowCount(), 3);
    EXPECT_EQ(table_->currentId(), "run-3") << "the next one is current";
    undo();
    EXPECT_EQ(page_->model().rowCount(), 4);
}

TEST_F(RunsPageTest, F2RenamesInPlace) {
    open();
    press(*table_, Qt::Key_F2);
    auto* editor = table_->findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    editor->setText("my best");
    press(*editor, Qt::Key_Return);
    EXPECT_TRUE(tests::waitUntil([this] { return session_->runs().list()[0].name == "my best"; }));
    press(*table_, Qt::Key_P);
    EXPECT_TRUE(session_->runs().list()[0].pinned);
}

// A run that trains changes its row at every epoch, and others may begin meanwhile.
TEST_F(RunsPageTest, ANameThatIsBeingTypedStaysWhileRunsChange) {
    open();
    for (const char* id : {"run-3", "run-2"}) {
        const int row = page_->model().rowOf(id);
        table_->selectionModel()->select(page_->model().index(row, RunTableModel::kName),
                                         QItemSelectionModel::Select | QItemSelectionModel::Rows);
    }
    const QStringList chosen = table_->selectedIds();
    ASSERT_EQ(chosen.size(), 3);
    std::vector<session::RunSummary> more = session_->runs().list();
    more.insert(more.begin(), more.front());
    more.front().id = "run-5";
    page_->model().setRuns(more);
    EXPECT_EQ(table_->selectedIds(), chosen) << "a new run takes no choice away";
    table_->select("run-4");
    press(*table_, Qt::Key_F2);
    auto* editor = table_->findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr);
    QTest::keyClicks(editor, "my");
    for (auto& run : more) run.results = {{"val_loss", 0.01}};
    page_->model().setRuns(more);
    EXPECT_EQ(editor->text(), "my");
    emit session_->runs().changed();  // with one run fewer
    EXPECT_EQ(table_->findChild<QLineEdit*>(), editor) << "the table waits until the name is there";
    EXPECT_EQ(page_->model().rowCount(), 5);
    press(*editor, Qt::Key_Escape);
    EXPECT_TRUE(tests::waitUntil([this] { return page_->model().rowCount() == 4; }));
}

QStringList warnings_said;

TEST_F(RunsPageTest, EnterThatConfirmsATextOpensNothing) {
    open();
    warnings_said.clear();
    const auto before = qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString& text) { warnings_said << text; });
    int opened = 0;
    QObject::connect(table_, &RunTable::openWanted, page_.get(), [&opened] { ++opened; });
    for (const int column : {RunTableModel::kName, RunTableModel::kTags, RunTableModel::kNotes}) {
        table_->editCell(column);
        auto* editor = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        ASSERT_NE(editor, nullptr) << column;
        editor->setText(QStringLiteral("said %1").arg(column));
        press(*editor, Qt::Key_Return);
        const auto& run = session_->runs().list()[0];
        EXPECT_TRUE(tests::waitUntil([&] {
            return run.name == "said 1" &&
                   (column == RunTableModel::kName || run.tags == QStringList{QStringLiteral("said %1").arg(RunTableModel::kTags)});
        })) << column;
        EXPECT_TRUE(tests::waitUntil([this] { return table_->findChild<QLineEdit*>() == nullptr; })) << "the editor goes";
    }
    EXPECT_EQ(opened, 0);
    press(*table_, Qt::Key_Return);
    EXPECT_EQ(opened, 1) << "on the row itself it opens";
    qInstallMessageHandler(before);
    EXPECT_EQ(warnings_said.filter("commitData").join('\n').toStdString(), "");
}

TEST_F(RunsPageTest, TheNameKeepsItsRoomBesideTagsAndNotes) {
    open();
    const auto nameWidth = [this] { return table_->columnWidth(RunTableModel::kName); };
    EXPECT_GT(nameWidth(), 200) << "it takes what the others leave";
    for (const int column : {RunTableModel::kTags, RunTableModel::kNotes, RunTableModel::kSeed}) table_->setColumnShown(column, true);
    EXPECT_EQ(nameWidth(), 200);
    page_->resize(1000, 700);
    EXPECT_TRUE(tests::waitUntil([this] { return table_->viewport()->width() < 1000; }));
    EXPECT_EQ(nameWidth(), 200);
    EXPECT_TRUE(tests::waitUntil([this] { return table_->horizontalScrollBar()->maximum() > 0; })) << "the rest is scrolled to";
    table_->setColumnWidth(RunTableModel::kNotes, 400);
    EXPECT_EQ(nameWidth(), 200);
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) page_->grab().save(shots + "/runs-tags.png");
    for (const int column : {RunTableModel::kTags, RunTableModel::kNotes, RunTableModel::kSeed}) table_->setColumnShown(column, false);
    page_->resize(1360, 780);
    EXPECT_TRUE(tests::waitUntil([&] { return nameWidth() > 200; }));
}

TEST_F(RunsPageTest, SeedsBecomeOneCurveWithABand) {
    open();
    page_->model().setChecked({"run-1", "run-2", "run-3"});
    auto& loss = find<charts::ChartCard>("compareLoss");
    ASSERT_TRUE(tests::waitUntil([&] { return loss.seriesCount() == 3 && loss.series(2).size() == 3; }));
    EXPECT_TRUE(find<QComboBox>("compareSeeds").isVisible());
    find<QComboBox>("compareSeeds").setCurrentIndex(1);
    EXPECT_EQ(loss.seriesCount(), 2) << "the two that differ by their seed are one";
    const double first = static_cast<double>(page_->compare().curves().cards()[1]->series(1).at(0).value);
    EXPECT_NEAR(first, 0.03 + 0.05 + 0.015, 1e-6) << "the mean of both";
}

TEST_F(RunsPageTest, AxesAreBrushedByKeyboardAndMouse) {
    open();
    page_->compare().setTab(RunCompare::Tab::kParallel);
    ParallelView& view = page_->compare().parallel();
    ASSERT_FALSE(view.plot().axes.empty());
    EXPECT_EQ(view.letBy().size(), 4);
    for (std::size_t i = 0; i < view.plot().axes.size(); ++i) press(view, Qt::Key_Right);
    EXPECT_EQ(view.currentAxis(), static_cast<int>(view.plot().axes.size()) - 1) << view.plot().axes.back().name.toStdString();
    press(view, Qt::Key_Up);
    EXPECT_EQ(view.letBy(), QStringList{"run-4"}) << "the upper part of the best accuracy";
    press(view, Qt::Key_Down);
    press(view, Qt::Key_Return);
    EXPECT_EQ(page_->model().checked(), view.letBy());
    press(view, Qt::Key_Escape);
    EXPECT_EQ(view.letBy().size(), 4);
    // The last axis stands 76 px from the right edge; its lower half by mouse.
    const int x = view.width() - 76, middle = 44 + (view.height() - 64) / 2;
    QTest::mousePress(&view, Qt::LeftButton, {}, {x, middle});
    QTest::mouseMove(&view, {x, view.height() - 20});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {x, view.height() - 20});
    EXPECT_EQ(view.letBy(), (QStringList{"run-2", "run-1"}));
    // Runs come while somebody looks: a longer axis keeps its brush, and one that is gone is dragged no further.
    models::ParallelPlot plot = view.plot();
    plot.axes.back().high += 1;
    view.setPlot(plot);
    EXPECT_EQ(view.letBy(), (QStringList{"run-2", "run-1"}));
    QTest::mousePress(&view, Qt::LeftButton, {}, {x, middle});
    plot.axes.pop_back();
    for (models::ParallelLine& line : plot.lines) line.positions.pop_back();
    view.setPlot(plot);
    QTest::mouseMove(&view, {x, middle + 40});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {x, middle + 40});
    EXPECT_EQ(view.letBy().size(), 4);
}

TEST_F(RunsPageTest, TheCodeMarksWhatTheOtherRunHasNot) {
    open();
    page_->model().setChecked({"run-4", "run-2"});
    page_->compare().setTab(RunCompare::Tab::kCode);
    auto& code = find<QPlainTextEdit>("compareCode");
    EXPECT_TRUE(code.toPlainText().contains("\"seed\": 4"));
    int marked = 0;
    for (const auto& selection : code.extraSelections()) marked += selection.format.hasProperty(QTextFormat::FullWidthSelection) ? 1 : 0;
    EXPECT_EQ(marked, 2) << "epochs and seed";
    page_->compare().setTab(RunCompare::Tab::kLogs);
    auto& log = find<QListView>("compareLog");
    EXPECT_TRUE(tests::waitUntil([&] { return log.model()->rowCount() > 5; }));
}

TEST_F(RunsPageTest, EvaluatesARunAndADrawing) {
    open();
    QTest::mouseClick(&find<QPushButton>("evaluateButton"), Qt::LeftButton);
    auto& facts = find<QWidget>("evaluateFacts");
    ASSERT_TRUE(tests::waitUntil([&] { return facts.isVisible(); }));
    EXPECT_TRUE(facts.property("text").toString().startsWith("accuracy 0.7500   loss 0.5000"))
        << facts.property("text").toString().toStdString();
    EXPECT_EQ(page_->findChild<widgets::PageHeader*>()->sentence().text(), "") << "nothing is going on any more";
    auto& best = find<BestClasses>("bestClasses");
    EXPECT_TRUE(tests::waitUntil([&] { return best.accessibleDescription() == "dog 0.9000, cat 0.1000"; })) << "of the surest mistake";
    EXPECT_TRUE(wasAsked<engine::spec::InspectQuestion>([](const auto& asked) { return asked.data == "test" && asked.sample == 3; }));
    auto& matrix = find<ConfusionView>("confusionView");
    EXPECT_EQ(matrix.accessibleDescription(), "2 of class cat are right");
    press(matrix, Qt::Key_Right);
    EXPECT_EQ(matrix.accessibleDescription(), "1 of class cat are taken for dog");
    press(matrix, Qt::Key_Return);
    EXPECT_EQ(find<QListView>("mistakeGallery").model()->rowCount(), 1);
    press(matrix, Qt::Key_Down);
    press(matrix, Qt::Key_Return);
    EXPECT_EQ(find<QListView>("mistakeGallery").model()->rowCount(), 0) << "dogs are all right";
    press(matrix, Qt::Key_Left);
    press(matrix, Qt::Key_Return);
    QStringList texts;
    for (const QLabel* label : page_->findChildren<QLabel*>()) texts << label->text();
    EXPECT_TRUE(texts.contains("0 of class dog are taken for cat")) << "which cell is empty";
    auto& pad = find<DrawPad>("drawPad");
    EXPECT_EQ(pad.drawing().width, 2);
    press(pad, Qt::Key_Space);
    press(pad, Qt::Key_Left);
    EXPECT_FALSE(pad.isEmpty());
    EXPECT_TRUE(tests::waitUntil([&] { return drawingWasAsked(); })) << "asked a moment after the stroke";
    press(pad, Qt::Key_Delete);
    EXPECT_TRUE(pad.isEmpty());
    press(*page_->findChild<QWidget*>("evaluateView"), Qt::Key_Escape);
    EXPECT_TRUE(table_->isVisible());
    QTest::mouseClick(&find<QPushButton>("evaluateButton"), Qt::LeftButton);
    ASSERT_FALSE(table_->isVisible());
    press(*page_, Qt::Key_Escape);
    EXPECT_TRUE(table_->isVisible()) << "with the focus beside the view";
}

TEST_F(RunsPageTest, EscLeavesAComparedChartInFullSize) {
    open();
    charts::ChartCard* metric = page_->compare().curves().cards()[0];
    charts::ChartCard* loss = page_->compare().curves().cards()[1];
    emit loss->expandWanted();
    ASSERT_FALSE(metric->isVisible());
    press(*table_, Qt::Key_Escape);
    EXPECT_TRUE(metric->isVisible());
    EXPECT_TRUE(loss->isVisible());
    EXPECT_FALSE(page_->leaveView()) << "nothing is left to leave";
}

TEST_F(RunsPageTest, DrawsInColourForAModelThatTakesThem) {
    engine::spec::RunSpec project;
    project.model.input_shape = {4, 4, 3};
    world_->runs.front().project_json = engine::spec::toProjectJson(project);
    open();
    QTest::mouseClick(&find<QPushButton>("evaluateButton"), Qt::LeftButton);
    auto& facts = find<QWidget>("evaluateFacts");
    ASSERT_TRUE(tests::waitUntil([&] { return facts.isVisible(); }));
    auto& pad = find<DrawPad>("drawPad");
    EXPECT_TRUE(pad.isEnabled());
    EXPECT_TRUE(find<QWidget>("penColors").isVisible());
    ASSERT_EQ(pad.drawing().channels, 3);
    ASSERT_EQ(pad.drawing().pixels.size(), 4 * 4 * 3);
    // Blue everywhere, then a red dab in the middle.
    press(pad, Qt::Key_7);
    EXPECT_TRUE(find<QAbstractButton>("penColor7").isChecked());
    press(pad, Qt::Key_F);
    const QColor blue = PenColors::colorOf(6), red = PenColors::colorOf(3);
    const QImage filled = imageOf(pad.drawing());
    EXPECT_EQ(filled.pixelColor(0, 0), blue);
    EXPECT_EQ(filled.pixelColor(3, 3), blue);
    QTest::mouseClick(&find<QAbstractButton>("penColor4"), Qt::LeftButton);
    press(pad, Qt::Key_Space);
    const QImage dabbed = imageOf(pad.drawing());
    EXPECT_EQ(dabbed.pixelColor(0, 0), blue);
    EXPECT_GT(dabbed.pixelColor(1, 1).red(), (blue.red() + red.red()) / 2);
    EXPECT_LT(dabbed.pixelColor(1, 1).blue(), (blue.blue() + red.blue()) / 2);
    EXPECT_TRUE(tests::waitUntil([&] { return drawingWasAsked(); }));
    press(pad, Qt::Key_Delete);
    EXPECT_TRUE(pad.isEmpty());
}

TEST_F(RunsPageTest, ShowsColoursOfAPictureAsTheyAre) {
    const session::PixelPicture picture{2, 1, 3, QByteArray("\xFF\x80\x00\x00\x10\xFF", 6)};
    const QImage image = imageOf(picture);
    EXPECT_EQ(image.size(), QSize(2, 1));
    EXPECT_EQ(image.pixelColor(0, 0), QColor(255, 128, 0));
    EXPECT_EQ(image.pixelColor(1, 0), QColor(0, 16, 255));
}

TEST_F(RunsPageTest, OffersNoEvaluationWithoutTheRunsFolder) {
    world_->runs.front().run_dir = "/nowhere/run-4";
    open();
    ASSERT_EQ(table_->currentId(), "run-4");
    auto& button = find<QPushButton>("evaluateButton");
    ASSERT_TRUE(tests::waitUntil([&] { return session_->host().info().has_value(); }));
    emit session_->runs().changed();
    EXPECT_FALSE(button.isEnabled());
    EXPECT_EQ(button.toolTip(), "The run's folder is on laptop: evaluate it there. A worker of this computer can't read /nowhere/run-4.");
    EXPECT_FALSE(find<QPushButton>("runFolderButton").isEnabled());
    press(*table_, Qt::Key_Down);
    EXPECT_TRUE(button.isEnabled()) << "the folder of run-3 is here";
    // Asked for all the same, as by the command palette: the reason in place of a result.
    page_->evaluate(session_->runs().list().front());
    EXPECT_TRUE(find<QWidget>("evaluateView").isVisible());
    EXPECT_EQ(find<QPushButton>("evaluateStateButton").text(), "Back to runs");
    EXPECT_FALSE(wasAsked<engine::spec::EvaluateQuestion>([](const auto&) { return true; }));
}

TEST_F(RunsPageTest, SaysThatEveryRunIsInTheArchive) {
    open();
    session_->runs().setArchived({"run-1", "run-2", "run-3", "run-4"}, true);
    auto& button = find<QPushButton>("runsLaunchButton");
    ASSERT_TRUE(button.isVisible());
    EXPECT_EQ(button.text(), "Show archived runs");
    QTest::mouseClick(&button, Qt::LeftButton);
    EXPECT_TRUE(table_->isVisible());
    EXPECT_EQ(page_->model().rowCount(), 4);
}

TEST_F(RunsPageTest, LaunchesFromTheEmptyTableOnlyWhatCanBeLaunched) {
    world_->runs.clear();
    open();
    auto& button = find<QPushButton>("runsLaunchButton");
    EXPECT_EQ(button.text(), "Choose a template");
    EXPECT_TRUE(button.isEnabled());
    session_->project().create();  // without a layer
    EXPECT_EQ(button.text(), "Launch");
    EXPECT_FALSE(button.isEnabled());
    EXPECT_EQ(button.toolTip(), session_->launcher().obstacle());
    ASSERT_TRUE(session_->project().openStarter("mnist_mirrored"));
    ASSERT_TRUE(tests::waitUntil([&] { return session_->launcher().obstacle().isEmpty(); }));
    EXPECT_TRUE(button.isEnabled());
    QTest::mouseClick(&button, Qt::LeftButton);
    EXPECT_TRUE(tests::waitUntil([&] { return table_->isVisible(); })) << "the run that was launched";
}

TEST_F(RunsPageTest, TheAnswerAboutASampleFollowsTheLanguage) {
    StudioTranslator translator;
    translator.setLanguage("ko");
    open();
    QTest::mouseClick(&find<QPushButton>("evaluateButton"), Qt::LeftButton);
    auto& best = find<BestClasses>("bestClasses");
    ASSERT_TRUE(tests::waitUntil([&] { return !best.accessibleDescription().isEmpty(); }));
    const auto says = [this](const QString& text) {
        const auto labels = page_->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) { return label->text().startsWith(text); });
    };
    EXPECT_FALSE(says("Sample 3 of the test set."));
    translator.setLanguage("en");
    QEvent changed(QEvent::LanguageChange);
    QApplication::sendEvent(page_.get(), &changed);
    EXPECT_TRUE(says("Sample 3 of the test set."));
    EXPECT_EQ(find<QComboBox>("evaluateCheckpoint").itemText(0), "Latest");
}

TEST_F(RunsPageTest, AFailedEvaluationSaysWhyAndTriesAgain) {
    open();
    broken_ = true;
    QTest::mouseClick(&find<QPushButton>("evaluateButton"), Qt::LeftButton);
    auto& button = find<QPushButton>("evaluateStateButton");
    ASSERT_TRUE(tests::waitUntil([&] { return button.text() == "Try again"; }));
    broken_ = false;
    QTest::mouseClick(&button, Qt::LeftButton);
    auto& facts = find<QWidget>("evaluateFacts");
    EXPECT_TRUE(tests::waitUntil([&] { return facts.isVisible(); }));
    find<QComboBox>("evaluateCheckpoint").setCurrentIndex(1);
    EXPECT_TRUE(tests::waitUntil([&] {
        return facts.isVisible() && wasAsked<engine::spec::EvaluateQuestion>([&](const auto& asked) {
                   return asked.checkpoint == folder_.filePath("runs/checkpoints/ckpt_2").toStdString();
               });
    }));
}

}  // namespace
}  // namespace ui::views
