// SPDX-License-Identifier: GPL-3.0-or-later
// What belongs to no single page: languages, locator, keys, tour, what was not saved, Welcome.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDir>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QHelpEvent>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>
#include <QToolTip>
#include <QUrl>
#include <tuple>

#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "tests/support/fake_host.h"
#include "tests/support/real_engine.h"
#include "tests/support/sample_run.h"
#include "ui/help/help_page.h"
#include "ui/models/check_list_model.h"
#include "ui/models/place_model.h"
#include "ui/models/recent_model.h"
#include "ui/parts/field_editor.h"
#include "ui/parts/host_checks.h"
#include "ui/parts/languages.h"
#include "ui/parts/shortcut_store.h"
#include "ui/runs/runs_page.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"
#include "ui/session/runs/launcher.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/welcome/template_card.h"
#include "ui/welcome/welcome_page.h"
#include "ui/widgets/dock_splitter.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/mode_bar.h"
#include "ui/window/locator.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"
#include "ui/window/tour.h"

namespace ui::views {
namespace {

constexpr int kDeadlineMs = 180'000;

class FrameTest : public testing::Test {
protected:
    FrameTest() : settings_(folder_.filePath("settings.ini"), QSettings::IniFormat) {
        world_->host = tests::sampleHost();
        world_->engine = tests::askRealEngine;
        settings_.setValue("language", "en");
        make();
    }
    ~FrameTest() override { session_->project().close(); }

    // A studio as the program makes it; what was before is closed.
    void make() {
        window_.reset();
        session_ = std::make_unique<session::Session>(
            session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                                    .share_dir = QStringLiteral(TANDEM_RESOURCES),
                                    .settings = &settings_});
        window_ = std::make_unique<MainWindow>(*session_, themes_);
        window_->show();
        EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
        QApplication::setActiveWindow(window_.get());
        EXPECT_TRUE(QTest::qWaitFor([this] { return session_->host().info().has_value(); }, kDeadlineMs));
    }
    template <class T>
    T* find(const char* name) const {
        T* found = window_->findChild<T*>(name);
        EXPECT_NE(found, nullptr) << name;
        return found;
    }
    QAction& action(const char* name) const { return *find<QAction>(name); }

    QTemporaryDir folder_;
    QSettings settings_;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    theme::ThemeController themes_;
    std::unique_ptr<session::Session> session_;
    std::unique_ptr<MainWindow> window_;
};

TEST_F(FrameTest, SpeaksThreeLanguagesAndKeepsTheChoice) {
    EXPECT_EQ(availableLanguages().size(), 3u);
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    auto* menu = find<QToolButton>("languageButton")->menu();
    ASSERT_EQ(menu->actions().size(), 3);
    menu->actions()[1]->trigger();
    EXPECT_EQ(action("actionLaunch").text(), QString::fromUtf8("시작"));
    EXPECT_EQ(find<QPushButton>("newProjectButton")->text(), QString::fromUtf8("새 빈 프로젝트"));
    EXPECT_EQ(find<QPushButton>("paneClose")->accessibleName(), QString::fromUtf8("패널 닫기"));
    EXPECT_TRUE(themes_.font(theme::TextRole::kBody).families().indexOf("Noto Sans CJK KR") <
                themes_.font(theme::TextRole::kBody).families().indexOf("Noto Sans CJK SC"));
    window_->setLanguage("zh_CN");
    EXPECT_EQ(action("actionLaunch").text(), QString::fromUtf8("启动"));
    EXPECT_TRUE(themes_.font(theme::TextRole::kBody).families().indexOf("Noto Sans CJK SC") <
                themes_.font(theme::TextRole::kBody).families().indexOf("Noto Sans CJK KR"));
    make();
    EXPECT_EQ(action("actionLaunch").text(), QString::fromUtf8("启动")) << "the next start speaks the language of last time";
    window_->setLanguage("en");
    EXPECT_EQ(action("actionLaunch").text(), "&Launch");
}

TEST_F(FrameTest, AToastOnTheScreenSpeaksTheLanguageInForce) {
    auto* toast = find<QWidget>("toast");
    auto* words = find<QLabel>("toastText");
    const auto action_text = [toast] {
        QStringList texts;
        for (const QPushButton* button : toast->findChildren<QPushButton*>()) {
            if (button->isVisible() && !button->text().isEmpty()) texts << button->text();
        }
        return texts.join(' ').toStdString();
    };
    emit session_->project().saveFailed("/full/mine.tandem", "no room");  // an error stays until it is closed
    ASSERT_TRUE(toast->isVisible());
    EXPECT_EQ(words->text().toStdString(), "mine.tandem was not saved: no room");
    EXPECT_EQ(action_text(), "Save as…");
    for (const auto& [language, text, action] : {std::tuple{"ko", "mine.tandem 파일을 저장하지 못했습니다: no room", "다른 이름으로 저장…"},
                                                 {"zh_CN", "未能保存 mine.tandem：no room", "另存为…"},
                                                 {"en", "mine.tandem was not saved: no room", "Save as…"}}) {
        window_->setLanguage(language);
        EXPECT_TRUE(toast->isVisible()) << language;
        EXPECT_EQ(words->text().toStdString(), text);
        EXPECT_EQ(toast->accessibleName().toStdString(), text);
        EXPECT_EQ(action_text(), action);
        EXPECT_TRUE(toast->rect().contains(words->geometry())) << language;
    }
    // What a page says as well; an action without a text has no button.
    emit window_->page(Mode::kRuns).toastRequested([&] { return "in " + themes_.language(); }, {}, {});
    EXPECT_EQ(action_text(), "");
    window_->setLanguage("ko");
    EXPECT_EQ(words->text().toStdString(), "in ko");
    window_->setLanguage("en");
}

TEST_F(FrameTest, FindsPagesActionsLayersTasksAndSettings) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    auto* locator = find<Locator>("locator");
    auto* list = find<QListView>("locatorList");
    const auto search = [&](const char* needle) {
        action("actionLocator").trigger();
        QTest::keyClicks(locator, needle);
        return list->model()->index(0, 0);
    };
    const auto kindOf = [](const QModelIndex& index) {
        return static_cast<models::PlaceKind>(index.data(models::PlaceModel::kKindRole).toInt());
    };
    EXPECT_EQ(kindOf(search("cluster")), models::PlaceKind::kPage);
    QTest::keyClick(locator, Qt::Key_Return);
    EXPECT_EQ(window_->mode(), Mode::kCluster);
    EXPECT_TRUE(locator->text().isEmpty());
    EXPECT_FALSE(list->isVisible());

    EXPECT_EQ(kindOf(search("max_pool")), models::PlaceKind::kLayer);
    QTest::keyClick(locator, Qt::Key_Return);
    EXPECT_EQ(window_->mode(), Mode::kModel);

    EXPECT_EQ(kindOf(search("23456")), models::PlaceKind::kTask) << "by its address";
    QTest::keyClick(locator, Qt::Key_Escape);
    EXPECT_EQ(search("swlidark").data().toString(), "Switch between light and dark");
    const bool dark = themes_.theme().dark;
    QTest::keyClick(locator, Qt::Key_Return);
    EXPECT_NE(themes_.theme().dark, dark);
    EXPECT_FALSE(search("qqqq").isValid());
    QTest::keyClick(locator, Qt::Key_Return);
    QTest::keyClick(locator, Qt::Key_Escape);
}

TEST_F(FrameTest, ChoosesInTheLocatorByArrows) {
    auto* locator = find<Locator>("locator");
    auto* list = find<QListView>("locatorList");
    action("actionLocator").trigger();
    ASSERT_GT(list->model()->rowCount(), 4);
    QTest::keyClick(locator, Qt::Key_Down);
    QTest::keyClick(locator, Qt::Key_Down);
    EXPECT_EQ(list->currentIndex().row(), 2);
    QTest::keyClick(locator, Qt::Key_Up);
    EXPECT_EQ(list->currentIndex().row(), 1);
    QTest::keyClick(locator, Qt::Key_Return);
    EXPECT_EQ(window_->mode(), Mode::kData) << "pages come first, in their order";
}

TEST_F(FrameTest, TabThroughTheLocatorOpensNoList) {
    auto* locator = find<Locator>("locator");
    locator->setFocus(Qt::TabFocusReason);
    ASSERT_EQ(QApplication::focusWidget(), locator);
    EXPECT_FALSE(locator->isOpen());
    QTest::keyClick(locator, Qt::Key_Return);
    EXPECT_TRUE(locator->isOpen()) << "asked for, it opens";
    EXPECT_EQ(window_->mode(), Mode::kWelcome) << "and nothing that was not seen is gone to";
    QTest::keyClick(locator, Qt::Key_Escape);
    locator->setFocus(Qt::TabFocusReason);
    QTest::keyClicks(locator, "mod");
    EXPECT_TRUE(locator->isOpen()) << "as it does for letters";
    QTest::keyClick(locator, Qt::Key_Escape);
    locator->setFocus(Qt::TabFocusReason);
    action("actionLocator").trigger();
    EXPECT_TRUE(locator->isOpen()) << "and for its key, with the focus there already";
}

TEST_F(FrameTest, ANewProjectTakesTheKeysThatItsCanvasInvitesTo) {
    action("actionNew").trigger();
    auto* canvas = find<QWidget>("modelCanvas");
    ASSERT_EQ(QApplication::focusWidget(), canvas);
    EXPECT_TRUE(find<QWidget>("canvasFocus")->isVisible()) << "and shows that it does";
    QTest::keyClick(canvas, Qt::Key_A);
    QTest::keyClick(canvas, Qt::Key_C);
    ASSERT_EQ(session_->project().spec().model.layers.size(), 1u);
    EXPECT_EQ(session_->project().spec().model.layers[0].class_name, "Conv2D");
    find<QWidget>("paletteSearch")->setFocus(Qt::MouseFocusReason);
    EXPECT_FALSE(find<QWidget>("canvasFocus")->isVisible());
}

TEST_F(FrameTest, EditsByTheMenuWhatItsKeysEdit) {
    const auto choose = [this](const char* name) {
        QAction* row = find<QAction>(name);
        auto* menu = qobject_cast<QMenu*>(row->associatedObjects().value(0));
        ASSERT_NE(menu, nullptr);
        emit menu->aboutToShow();
        EXPECT_TRUE(row->isEnabled()) << name << ": " << row->statusTip().toStdString();
        row->trigger();
    };
    const auto reason = [this](const char* name) {
        QAction* row = find<QAction>(name);
        emit qobject_cast<QMenu*>(row->associatedObjects().value(0))->aboutToShow();
        return row->isEnabled() ? std::string() : row->statusTip().toStdString();
    };
    QApplication::clipboard()->clear();
    EXPECT_EQ(find<QAction>("editCopy")->shortcut(), QKeySequence(QKeySequence::Copy));
    EXPECT_EQ(reason("editPaste"), "The clipboard holds no text");
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    window_->showMode(Mode::kModel);
    auto* canvas = find<QWidget>("modelCanvas");
    canvas->setFocus(Qt::OtherFocusReason);
    EXPECT_EQ(reason("editCut"), "Nothing is chosen");
    ASSERT_TRUE(window_->page(Mode::kModel).reveal("model.layers[1]"));
    const std::size_t layers = session_->project().spec().model.layers.size();
    choose("editCopy");
    EXPECT_TRUE(QApplication::clipboard()->text().contains("MaxPooling2D"));
    choose("editPaste");
    EXPECT_EQ(session_->project().spec().model.layers.size(), layers + 1);
    choose("editDelete");
    choose("editCut");
    EXPECT_EQ(session_->project().spec().model.layers.size(), layers - 1);
    // A text that has the focus comes first.
    auto* search = find<QLineEdit>("paletteSearch");
    search->setFocus();
    search->setText("dense");
    EXPECT_EQ(reason("editCut"), "No text is selected");
    search->selectAll();
    choose("editCut");
    EXPECT_EQ(search->text(), "");
    choose("editPaste");
    EXPECT_EQ(search->text(), "dense");
    search->selectAll();
    choose("editDelete");
    EXPECT_EQ(search->text(), "");
    EXPECT_EQ(session_->project().spec().model.layers.size(), layers - 1);
    // The keys stay the fields' own: two that want one would do nothing.
    search->setText("conv");
    search->selectAll();
    QTest::keyClick(search, Qt::Key_C, Qt::ControlModifier);
    EXPECT_EQ(QApplication::clipboard()->text(), "conv");
    canvas->setFocus(Qt::OtherFocusReason);
    window_->page(Mode::kModel).reveal("model.layers[0]");
    canvas->setFocus(Qt::OtherFocusReason);
    QTest::keyClick(canvas, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QApplication::clipboard()->text().contains("Conv2D"));
}

TEST_F(FrameTest, GivesEveryActionANameAndATitle) {
    for (const QAction* each : window_->actions()) {
        EXPECT_FALSE(each->objectName().isEmpty()) << each->text().toStdString();
        EXPECT_FALSE(each->text().isEmpty()) << each->objectName().toStdString();
    }
}

TEST_F(FrameTest, RebindsAKeyNamesTheConflictAndKeepsIt) {
    window_->openShortcuts();
    auto* table = find<QTableView>("shortcutTable");
    int row = -1;
    for (int i = 0; i < table->model()->rowCount(); ++i) {
        if (table->model()->index(i, 0).data().toString() == "Open") row = i;
    }
    ASSERT_GE(row, 0);
    table->selectRow(row);
    auto* keys = find<QKeySequenceEdit>("shortcutKeys");
    keys->setKeySequence(QKeySequence("Ctrl+R"));
    EXPECT_TRUE(find<QLabel>("shortcutConflict")->text().contains("Launch")) << find<QLabel>("shortcutConflict")->text().toStdString();
    auto* assign = find<QPushButton>("shortcutAssign");
    assign->setFocus();
    assign->click();
    EXPECT_EQ(window_->focusWidget(), table) << "not the next button, which resets all";
    EXPECT_EQ(action("actionOpen").shortcut(), QKeySequence("Ctrl+R"));
    EXPECT_TRUE(action("actionLaunch").shortcut().isEmpty()) << "one key, one action";
    make();
    EXPECT_EQ(action("actionOpen").shortcut(), QKeySequence("Ctrl+R"));
    EXPECT_TRUE(action("actionLaunch").shortcut().isEmpty());
    window_->openShortcuts();
    find<QPushButton>("shortcutResetAll")->click();
    EXPECT_EQ(action("actionOpen").shortcut(), QKeySequence(QKeySequence::Open));
    EXPECT_EQ(action("actionLaunch").shortcut(), QKeySequence("Ctrl+R"));
}

TEST_F(FrameTest, KeepsDocksAndPanesOfEachModeBetweenStarts) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ui::session::chooseFreePorts((*session_).project());
    session_->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    const auto drag = [](widgets::DockSplitter* splitter, int size) {
        const int length = splitter->orientation() == Qt::Horizontal ? splitter->width() : splitter->height();
        splitter->setSizes({length - size - 1, size});
        emit splitter->splitterMoved(length - size, 1);
    };
    const auto becomes = [](const auto& fact, int value) {
        (void)QTest::qWaitFor([&] { return fact() == value; }, kDeadlineMs);
        EXPECT_EQ(fact(), value);
    };
    const auto paneHeight = [this] { return window_->panes().height(); };
    const auto openPane = [this] { return window_->panes().openPane(); };
    const auto dockWidth = [this] { return find<QWidget>("monitorDock")->width(); };
    window_->showMode(Mode::kMonitor);
    becomes(dockWidth, 312);
    drag(find<widgets::DockSplitter>("monitorSplitter"), 380);
    window_->panes().open(2);
    drag(find<widgets::DockSplitter>("paneSplitter"), 222);
    EXPECT_EQ(window_->panes().height(), 222);
    window_->showMode(Mode::kModel);
    EXPECT_EQ(window_->panes().openPane(), 0) << "each mode has its own";
    action("actionSidebar").trigger();
    window_->panes().open(1);
    EXPECT_EQ(window_->panes().height(), 150);
    window_->showMode(Mode::kMonitor);
    EXPECT_EQ(window_->panes().openPane(), 2);
    becomes(paneHeight, 222);

    world_->setState("run-1", engine::run::RunState::kDone);
    session_->project().close();
    make();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    EXPECT_EQ(window_->panes().openPane(), 0) << "Welcome had none";
    window_->showMode(Mode::kMonitor);
    becomes(openPane, 2);
    becomes(paneHeight, 222);
    becomes(dockWidth, 380);
    window_->showMode(Mode::kModel);
    EXPECT_EQ(window_->panes().openPane(), 1);
    EXPECT_TRUE(widgets::DockSplitter::isPutAway(window_->page(Mode::kModel).sidebar()));
    EXPECT_FALSE(widgets::DockSplitter::isPutAway(window_->page(Mode::kData).sidebar()));

    action("actionResetLayout").trigger();
    EXPECT_EQ(window_->panes().openPane(), 0);
    EXPECT_FALSE(widgets::DockSplitter::isPutAway(window_->page(Mode::kModel).sidebar()));
    window_->showMode(Mode::kMonitor);
    becomes(dockWidth, 312);
    EXPECT_EQ(window_->panes().openPane(), 0);
    window_->panes().open(2);
    becomes(paneHeight, 150);
}

TEST_F(FrameTest, GoesThroughProblemsOfSeveralPagesWithThePaneOpen) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    session_->project().change("Break it", [](engine::spec::RunSpec& run) {
        run.fit.epochs = -3;
        run.data.batch_size_per_replica = 0;
    });
    window_->showMode(Mode::kCluster);
    window_->panes().open(1);
    auto* list = find<QListView>("problemsList");
    const auto follow = [&](const char* path) {
        int row = 0;
        while (row < list->model()->rowCount() && list->model()->index(row, 0).data(models::CheckListModel::kPathRole) != path) ++row;
        ASSERT_LT(row, list->model()->rowCount()) << path;
        emit list->activated(list->model()->index(row, 0));
        EXPECT_EQ(window_->panes().openPane(), 1) << path;
    };
    follow("fit.epochs");
    EXPECT_EQ(window_->mode(), Mode::kModel);
    const auto* epochs = window_->page(Mode::kModel).findChild<FieldEditor*>("field_epochs");
    ASSERT_NE(epochs, nullptr);
    EXPECT_TRUE(epochs->isAncestorOf(QApplication::focusWidget())) << "the setting to blame is ready to be typed over";
    follow("data.batch_size_per_replica");
    EXPECT_EQ(window_->mode(), Mode::kData);
}

TEST_F(FrameTest, ACodeOfAProblemLeadsToItsPlaceInTheManual) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    session_->project().change(
        "Break it", [](engine::spec::RunSpec& run) { run.cluster.spec.jobs.front().tasks[1] = run.cluster.spec.jobs.front().tasks[0]; });
    window_->showMode(Mode::kCluster);
    window_->panes().open(1);
    auto* list = find<QListView>("problemsList");
    const auto* model = list->model();
    int row = 0;
    while (row < model->rowCount() && model->index(row, 0).data(models::CheckListModel::kFixRole) != "TDM-C001") ++row;
    ASSERT_LT(row, model->rowCount());
    const QRect place = list->visualRect(model->index(row, 0));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(place.right() - 40, place.center().y()));
    EXPECT_EQ(window_->mode(), Mode::kHelp);
    EXPECT_TRUE(find<QTextBrowser>("manual")->isVisible());

    // The same from the keyboard, by the menu of the row.
    window_->showMode(Mode::kCluster);
    list->setCurrentIndex(model->index(row, 0));
    ASSERT_EQ(list->actions().size(), 1);
    list->actions().front()->trigger();
    EXPECT_EQ(window_->mode(), Mode::kHelp);
}

TEST_F(FrameTest, HasTheKeyboardOnMonitorAfterALaunchNotOnItsStop) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ui::session::chooseFreePorts((*session_).project());
    window_->showMode(Mode::kRuns);
    window_->page(Mode::kRuns).findChild<QWidget*>("runFilter")->setFocus(Qt::OtherFocusReason);
    session_->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->mode() == Mode::kMonitor; }, kDeadlineMs));
    EXPECT_EQ(QApplication::focusWidget(), &window_->page(Mode::kMonitor)) << "Space pauses";
}

TEST_F(FrameTest, NamesWhatUndoWillUndo) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    EXPECT_FALSE(action("actionUndo").isEnabled());
    session_->project().change("Train longer", [](engine::spec::RunSpec& run) { run.fit.epochs = 20; });
    EXPECT_EQ(action("actionUndo").text(), "&Undo: Train longer");
    action("actionUndo").trigger();
    EXPECT_EQ(action("actionRedo").text(), "&Redo: Train longer");
    EXPECT_EQ(ShortcutStore::nameOf(&action("actionRedo")), "Redo") << "in lists of keys";
    EXPECT_EQ(session_->project().spec().fit.epochs, 10);
}

TEST_F(FrameTest, TheTourShowsFilledPagesAndLeavesNothingBehind) {
    ASSERT_FALSE(session_->project().isOpen());
    window_->startTour();
    auto* tour = find<Tour>("tour");
    const auto* card = tour->findChild<QWidget*>("tourCard");
    ASSERT_NE(card, nullptr);
    const QRect window = window_->rect();
    for (int step = 0; step < tour->stepCount(); ++step) {
        EXPECT_TRUE(session_->project().isOpen()) << "pages have something to show";
        QApplication::processEvents();
        const QRect covered(card->mapTo(window_.get(), QPoint(0, 0)), card->size());
        EXPECT_TRUE(window.contains(covered)) << step;
        const Mode mode = window_->mode();
        if (mode == Mode::kModel || mode == Mode::kCluster || mode == Mode::kMonitor) {
            const QWidget& page = window_->page(mode);
            const QRect heading(page.mapTo(window_.get(), QPoint(0, 0)), QSize(page.width(), theme::kPageHeaderHeight));
            EXPECT_FALSE(covered.intersects(heading)) << "step " << step;
        }
        if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty())
            window_->grab().save(QStringLiteral("%1/tour-%2.png").arg(shots).arg(step));
        QTest::keyClick(tour, Qt::Key_Return);
    }
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<Tour*>() == nullptr; }, kDeadlineMs));
    EXPECT_FALSE(session_->project().isOpen()) << "what the tour lent goes with it";
    EXPECT_EQ(window_->mode(), Mode::kWelcome);
    const auto* locator = find<Locator>("locator");
    EXPECT_FALSE(locator->isOpen());
    EXPECT_NE(QApplication::focusWidget(), locator);
    // A project of the user's stays.
    ASSERT_TRUE(session_->project().openStarter("mnist_mlp"));
    window_->startTour();
    QTest::keyClick(find<Tour>("tour"), Qt::Key_Escape);
    EXPECT_TRUE(session_->project().isOpen());
}

// Whoever has trained sees a run; nothing is launched for those who have not.
TEST_F(FrameTest, TheTourShowsTheLastRunOrSaysWhatAFirstOneWillShow) {
    const auto textAtMonitor = [this] {
        window_->startTour();
        auto* tour = find<Tour>("tour");
        while (window_->mode() != Mode::kMonitor && tour->step() < tour->stepCount() - 1) QTest::keyClick(tour, Qt::Key_Return);
        EXPECT_EQ(window_->mode(), Mode::kMonitor);
        const QString text = tour->accessibleDescription();
        QTest::keyClick(tour, Qt::Key_Escape);
        EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<Tour*>() == nullptr; }, kDeadlineMs));
        return text.toStdString();
    };
    EXPECT_TRUE(textAtMonitor().starts_with("The first run fills this page"));
    EXPECT_EQ(session_->runs().current(), nullptr);
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ui::session::chooseFreePorts((*session_).project());
    session_->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    const QString id = session_->runs().current()->id();
    world_->setState(id.toStdString(), engine::run::RunState::kDone);
    make();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session_->runs().list().empty(); }, kDeadlineMs));
    EXPECT_TRUE(textAtMonitor().starts_with("Curves move"));
    ASSERT_NE(session_->runs().current(), nullptr);
    EXPECT_EQ(session_->runs().current()->id(), id);
}

TEST_F(FrameTest, TakesTheTourOnTheFirstStartAlone) {
    window_->greet();
    auto* tour = find<Tour>("tour");
    ASSERT_NE(tour, nullptr);
    for (int step = 0; step < tour->stepCount() - 1; ++step) {
        EXPECT_EQ(tour->step(), step);
        QTest::keyClick(window_->focusWidget(), Qt::Key_Right);  // whatever page is shown behind it
        QCoreApplication::processEvents();
    }
    QTest::keyClick(tour, Qt::Key_Left);
    EXPECT_EQ(tour->step(), tour->stepCount() - 2);
    QTest::keyClick(tour, Qt::Key_Escape);
    EXPECT_EQ(window_->mode(), Mode::kWelcome);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<Tour*>() == nullptr; }, kDeadlineMs));
    window_->greet();
    EXPECT_EQ(window_->findChild<Tour*>(), nullptr);
}

TEST_F(FrameTest, TheTourShowsTheTemplatesThatItSpeaksOf) {
    const auto& welcome = static_cast<const WelcomePage&>(window_->page(Mode::kWelcome));
    ASSERT_NE(welcome.starters(), nullptr);
    for (const QSize size : {QSize(1100, 700), QSize(1440, 900)}) {
        window_->resize(size);
        window_->startTour();
        auto* tour = find<Tour>("tour");
        const auto isBeside = [&] {
            const auto* card = find<QPushButton>("tourNext")->parentWidget();
            const QRect said(card->mapToGlobal(QPoint(0, 0)), card->size());
            const QRect meant(welcome.starters()->mapToGlobal(QPoint(0, 0)), welcome.starters()->size());
            return !said.intersects(meant);
        };
        EXPECT_TRUE(QTest::qWaitFor(isBeside, kDeadlineMs)) << size.width();
        QTest::keyClick(tour, Qt::Key_Escape);
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->findChild<Tour*>() == nullptr; }, kDeadlineMs));
    }
}

TEST_F(FrameTest, SpeaksOfNoTemplateWhereThereIsNone) {
    const QTemporaryDir nothing;
    window_.reset();
    session_ = std::make_unique<session::Session>(
        session::SessionOptions{.connect = [world = world_] { return std::make_unique<tests::FakeAgentClient>(world); },
                                .share_dir = nothing.path(),
                                .settings = &settings_});
    window_ = std::make_unique<MainWindow>(*session_, themes_);
    window_->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
    window_->startTour();
    for (const auto* label : window_->findChildren<QLabel*>()) {
        EXPECT_FALSE(label->isVisible() && label->text().contains("template ")) << label->text().toStdString();
    }
    QTest::keyClick(find<Tour>("tour"), Qt::Key_Escape);
}

TEST_F(FrameTest, ShowsTheManual) {
    settings_.setValue("tour/seen", true);
    action("actionManual").trigger();
    EXPECT_EQ(window_->mode(), Mode::kHelp);
    auto* manual = find<QTextBrowser>("manual");
    EXPECT_TRUE(manual->isVisible());
}

TEST_F(FrameTest, GreysWhatThisVersionCannotTrain) {
    window_->showMode(Mode::kWelcome);
    for (const auto& source : session_->starters().all()) {
        const auto* open = window_->findChild<QPushButton*>((source.label.isEmpty() ? "open_" : "template_") + source.id);
        ASSERT_NE(open, nullptr) << source.id.toStdString();
        EXPECT_EQ(open->isEnabled(), source.needs.isEmpty());
        if (source.needs.isEmpty()) continue;
        EXPECT_TRUE(open->toolTip().contains(source.needs)) << "says why";
        EXPECT_FALSE(session_->project().openStarter(source.id));
    }
}

TEST_F(FrameTest, SaysWhyARowOfAMenuIsGrey) {
    int grey = 0;
    for (QMenu* menu : window_->findChildren<QMenu*>()) {
        if (menu->objectName() == "recentMenu") continue;  // its row is the reason
        for (const QAction* row : menu->actions()) {
            if (row->isEnabled() || row->isSeparator() || row->menu() != nullptr) continue;
            ++grey;
            EXPECT_FALSE(row->statusTip().isEmpty()) << row->objectName().toStdString();
        }
    }
    EXPECT_GE(grey, 8) << "save, export, undo, a run's own";
    QMenu& file = *static_cast<QMenu*>(action("actionSave").associatedObjects().back());
    ASSERT_TRUE(file.actions().contains(&action("actionSave")));
    file.popup(window_->mapToGlobal(QPoint(10, 40)));
    const auto tipOf = [&file](QAction& row) {
        const QPoint at = file.actionGeometry(&row).center();
        QHelpEvent help(QEvent::ToolTip, at, file.mapToGlobal(at));
        QApplication::sendEvent(&file, &help);
        return QToolTip::text();
    };
    EXPECT_EQ(tipOf(action("actionOpen")), "");
    EXPECT_EQ(tipOf(action("actionSave")), "No project is open");
    file.close();
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    EXPECT_EQ(action("actionSave").statusTip(), "");
}

TEST_F(FrameTest, AsksAndTellsWithoutStockIcons) {
    int seen = 0;
    const auto look = [&] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        ASSERT_NE(box, nullptr);
        ++seen;
        const QSize size(28, 28);
        const QPixmap ours = themes_.icon("save", theme::IconTone::kAccent).pixmap(size, box->devicePixelRatioF());
        EXPECT_EQ(box->iconPixmap().toImage(), seen == 1 ? QImage() : ours.toImage()) << "About has none, a question its own";
        for (const QAbstractButton* button : box->buttons()) EXPECT_TRUE(button->icon().isNull()) << button->text().toStdString();
        if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty())
            box->grab().save(QStringLiteral("%1/message-%2.png").arg(shots).arg(seen));
        box->reject();
    };
    QTimer::singleShot(0, window_.get(), look);
    action("actionAbout").trigger();
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ui::session::setLocalWorkers((*session_).project(), 3);
    ASSERT_TRUE(session_->project().isModified());
    QTimer::singleShot(0, window_.get(), look);
    action("actionOpen").trigger();
    EXPECT_EQ(seen, 2);
}

TEST_F(FrameTest, TakesAProjectOrAModelThatIsDroppedOnIt) {
    const QTemporaryDir folder;
    ASSERT_TRUE(session_->project().openStarter("mnist_mlp"));
    ASSERT_TRUE(session_->project().saveAs(folder.filePath("mine.tandem")));
    session_->project().close();
    const auto drop = [this](const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        const QPoint middle = window_->rect().center();
        QDragEnterEvent enter(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        if (!enter.isAccepted()) return false;
        QDropEvent event(middle, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
        return event.isAccepted();
    };
    EXPECT_FALSE(drop(folder.filePath("picture.png")));
    EXPECT_FALSE(drop(folder.path()));
    window_->showMode(Mode::kRuns);
    ASSERT_TRUE(drop(folder.filePath("mine.tandem")));
    EXPECT_TRUE(QTest::qWaitFor([this] { return session_->project().isOpen() && window_->mode() == Mode::kModel; }, kDeadlineMs));
    const QString model = QDir::cleanPath(QStringLiteral(TANDEM_RESOURCES "/../tests/data/keras_files/plain_cnn.keras"));
    window_->showMode(Mode::kRuns);
    ASSERT_TRUE(drop(model));
    EXPECT_TRUE(QTest::qWaitFor([&] { return session_->project().spec().fit.initial_weights == model.toStdString(); }, kDeadlineMs));
    EXPECT_EQ(window_->mode(), Mode::kModel);
    EXPECT_EQ(session_->project().spec().model.layers.front().class_name, "Conv2D");
    EXPECT_FALSE(action("actionSaveArchive").isEnabled()) << "there is no run";
    ASSERT_TRUE(drop(folder.filePath("afar.tandem-run")));
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->mode() == Mode::kMonitor; }, kDeadlineMs));
    ASSERT_NE(session_->runs().current(), nullptr);
    EXPECT_EQ(session_->runs().current()->summary().imported_from, "node1");
    EXPECT_TRUE(action("actionSaveArchive").isEnabled());
    EXPECT_EQ(session_->project().spec().model.layers.front().class_name, "Conv2D") << "the open project stays";
}

TEST_F(FrameTest, KeepsWhatAnotherProgramWroteIntoTheProjectsFile) {
    const QTemporaryDir folder;
    const QString path = folder.filePath("mine.tandem");
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ASSERT_TRUE(session_->project().saveAs(path));
    const auto content = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    };
    const QByteArray ours = content();
    action("actionSave").trigger();  // nobody was there: nothing is asked
    const auto edit = [&](const QByteArray& text) {
        QFile file(path);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(text);
    };
    const QByteArray theirs = QByteArray(ours).replace("\"epochs\": 10", "\"epochs\": 7");
    ASSERT_NE(theirs, ours);
    edit(theirs);
    EXPECT_TRUE(session_->project().isFileChanged());
    QString asked;
    const auto answer = [&](QMessageBox::ButtonRole role) {
        QTimer::singleShot(0, window_.get(), [&asked, role] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            ASSERT_NE(box, nullptr);
            asked = box->text();
            EXPECT_EQ(box->standardButton(box->defaultButton()), QMessageBox::Cancel);
            EXPECT_FALSE(box->iconPixmap().isNull()) << "our own sign";
            if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) box->grab().save(shots + "/changed.png");
            for (QAbstractButton* button : box->buttons()) {
                if (box->buttonRole(button) == role) return button->click();
            }
        });
        action("actionSave").trigger();
    };
    answer(QMessageBox::RejectRole);
    EXPECT_EQ(asked, "Another program has changed mine.tandem since it was opened or saved here.");
    EXPECT_EQ(content(), theirs);
    // The window is looked at again: it says so, and reads the file when asked to.
    QEvent activated(QEvent::ActivationChange);
    QApplication::setActiveWindow(window_.get());
    QApplication::sendEvent(window_.get(), &activated);
    const auto buttons = window_->findChildren<QPushButton*>();
    const auto again =
        std::find_if(buttons.begin(), buttons.end(), [](auto* one) { return one->text() == "Read it again" && one->isVisible(); });
    ASSERT_NE(again, buttons.end());
    (*again)->click();
    EXPECT_EQ(session_->project().spec().fit.epochs, 7);
    EXPECT_FALSE(session_->project().isFileChanged());
    edit(ours);
    asked.clear();
    answer(QMessageBox::DestructiveRole);
    EXPECT_FALSE(asked.isEmpty());
    EXPECT_NE(content(), ours);
    EXPECT_FALSE(session_->project().isFileChanged());
}

TEST_F(FrameTest, AProjectThatCantBeWrittenIsNamedAndKeptElsewhere) {
    const QTemporaryDir folder;
    ASSERT_TRUE(QDir(folder.path()).mkpath("gone"));
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ASSERT_TRUE(session_->project().saveAs(folder.filePath("gone/mine.tandem")));
    ASSERT_TRUE(QDir(folder.filePath("gone")).removeRecursively());
    ui::session::setLocalWorkers((*session_).project(), 3);
    action("actionSave").trigger();
    EXPECT_TRUE(session_->project().isModified());
    EXPECT_TRUE(session_->events().rows().back().text.contains("gone/mine.tandem was not saved: "))
        << session_->events().rows().back().text.toStdString();
    const auto labels = window_->findChildren<QLabel*>();
    EXPECT_TRUE(std::any_of(labels.begin(), labels.end(),
                            [](auto* one) { return one->isVisible() && one->text().startsWith("mine.tandem was not saved: "); }));
    const auto buttons = window_->findChildren<QPushButton*>();
    const auto save_as =
        std::find_if(buttons.begin(), buttons.end(), [](auto* one) { return one->text() == "Save as…" && one->isVisible(); });
    ASSERT_NE(save_as, buttons.end());
    QTimer::singleShot(0, window_.get(), [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        ASSERT_NE(dialog, nullptr);
        dialog->findChild<QLineEdit*>("fileNameEdit")->setText(folder.filePath("mine"));
        dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save)->click();
    });
    (*save_as)->click();
    EXPECT_FALSE(session_->project().isModified());
    EXPECT_TRUE(QFile::exists(folder.filePath("mine.tandem")));
}

TEST_F(FrameTest, NamesTheSetsOfThisComputerAsTheDataPageDoes) {
    world_->host.datasets = {"fashion_mnist", "mnist", "moods"};  // the last one: files of a starter
    make();
    const auto rows = hostChecks(*session_);
    const auto sets = std::find_if(rows.begin(), rows.end(), [](const auto& row) { return row.title == "Data sets"; });
    ASSERT_NE(sets, rows.end());
    EXPECT_EQ(sets->detail, "Fashion-MNIST, MNIST");
}

TEST_F(FrameTest, OpensNoLargerThanTheScreen) {
    const QSize room = window_->screen()->availableSize(), least = window_->minimumSize();
    MainWindow larger(*session_, themes_), smaller(*session_, themes_);
    larger.resize(room + QSize(300, 200));
    larger.fitScreen();
    EXPECT_EQ(larger.size(), room.expandedTo(least));
    smaller.resize(least);
    smaller.fitScreen();
    EXPECT_EQ(smaller.size(), least) << "what fits stays";
}

// Near an edge of its parent, too: the ring lies in the nearest one that has room.
TEST_F(FrameTest, ShowsTheWholeRingOfAButtonWithTheKeyboard) {
    QWidget box(window_.get());
    auto* inner = new QWidget(&box);
    auto* button = new QPushButton("Choose", inner);
    box.setGeometry(100, 100, 200, 100);
    inner->setGeometry(40, 40, 80, 32);
    button->setGeometry(inner->rect());
    box.show();
    button->setFocus(Qt::TabFocusReason);
    ASSERT_TRUE(button->hasFocus());
    auto* ring = window_->findChild<widgets::FocusRing*>();
    ASSERT_NE(ring, nullptr);
    const auto shown = [&] { return ring->isVisible() && ring->visibleRegion() == QRegion(ring->rect()); };
    EXPECT_TRUE(shown());
    EXPECT_EQ(ring->parentWidget(), &box);
    inner->move(60, 20);  // what moves the button moves the ring
    EXPECT_EQ(QRect(ring->mapTo(&box, QPoint()), ring->size()), inner->geometry().adjusted(-4, -4, 4, 4));
    box.hide();
    EXPECT_FALSE(ring->isVisible());
    window_->setFocus();
}

// Keys come to the window itself when the focus is on no page.
TEST_F(FrameTest, EscLeavesTheViewOfAPageAndADialogFromOutsideThem) {
    window_->showMode(Mode::kRuns);
    auto& runs = static_cast<RunsPage&>(window_->page(Mode::kRuns));
    auto* sweep = find<QWidget>("sweepView");
    auto* modes = window_->findChild<widgets::ModeBar*>();
    ASSERT_NE(modes, nullptr);
    runs.openSweep();
    ASSERT_TRUE(sweep->isVisible());
    QTest::keyClick(modes, Qt::Key_Escape);
    EXPECT_FALSE(sweep->isVisible());
    runs.openSweep();
    window_->showMode(Mode::kWelcome);
    window_->showMode(Mode::kRuns);
    EXPECT_EQ(window_->focusWidget(), sweep) << "the view that is shown again has the keyboard";
    window_->openShortcuts();
    ASSERT_NE(window_->findChild<QDialog*>("shortcutDialog"), nullptr);
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window_->findChild<QDialog*>("shortcutDialog") == nullptr; }, kDeadlineMs));
    EXPECT_TRUE(sweep->isVisible()) << "one thing at a time";
    QTest::keyClick(window_.get(), Qt::Key_Escape);
    EXPECT_FALSE(sweep->isVisible());
}

TEST_F(FrameTest, WalksOverWelcomeWithTheArrows) {
    window_->showMode(Mode::kWelcome);
    auto* first = find<TemplateCard>("template_mnist_mirrored");
    first->setFocus();
    QTest::keyClick(first, Qt::Key_Right);
    auto* second = find<TemplateCard>("template_mnist_two_workers");
    EXPECT_EQ(QApplication::focusWidget(), second);
    QTest::keyClick(second, Qt::Key_Return);
    EXPECT_EQ(window_->mode(), Mode::kModel);
    EXPECT_EQ(ui::session::localWorkers((*session_).project()), 2);
}

TEST_F(FrameTest, ShowsTheLastCurveOfARecentProject) {
    ASSERT_TRUE(session_->project().openStarter("mnist_multi_worker"));
    ui::session::chooseFreePorts((*session_).project());
    ASSERT_TRUE(session_->project().saveAs(folder_.filePath("two.tandem")));
    session_->launcher().launch();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->runs().current() != nullptr; }, kDeadlineMs));
    const QString id = session_->runs().current()->id();
    world_->addEvents(id.toStdString(), tests::sampleRun({.epochs_done = 2, .extra_steps = 0}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return settings_.contains("run_curve/" + id); }, kDeadlineMs));
    const auto curve = session_->runs().curveOf(id);
    ASSERT_GT(curve.size(), 10u);
    EXPECT_GT(curve.back(), curve.front()) << "accuracy rises";
    world_->setState(id.toStdString(), engine::run::RunState::kDone);
    make();
    session_->runs().refresh();
    auto* list = find<QListView>("recentList");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return list->model()->rowCount() == 1 &&
                   list->model()->index(0, 0).data(models::RecentModel::kCurveRole).value<QList<double>>().size() > 10;
        },
        kDeadlineMs));
}

TEST_F(FrameTest, KeepsTheRowsOfThisComputerWhileItChecks) {
    window_->showMode(Mode::kWelcome);
    auto* list = find<QListView>("doctorList");
    const int rows = list->model()->rowCount();
    ASSERT_GT(rows, 4);
    find<QPushButton>("checkAgainButton")->click();
    EXPECT_EQ(list->model()->rowCount(), rows);
}

TEST_F(FrameTest, ARunsMenuOpensItAsAProject) {
    engine::spec::RunSpec project;
    {
        ASSERT_TRUE(session_->project().openStarter("mnist_mirrored"));
        project = session_->project().spec();
        project.fit.epochs = 3;
        session_->project().close();
        const std::lock_guard lock(world_->mutex);
        engine::run::RunInfo run;
        run.id = "run-7";
        run.name = "seven";
        run.state = engine::run::RunState::kDone;
        run.created_unix_ns = 1'800'000'000'000'000'000;
        run.finished_unix_ns = run.created_unix_ns + 1;
        run.project_json = toProjectJson(project);
        world_->runs.insert(world_->runs.begin(), run);
    }
    session_->runs().refresh();
    window_->showMode(Mode::kRuns);
    auto* table = find<QTableView>("runTable");
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() > 0; }, kDeadlineMs));
    table->setCurrentIndex(table->model()->index(0, 0));
    table->selectRow(0);
    bool found = false;
    QTimer::singleShot(0, window_.get(), [&found] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        ASSERT_NE(menu, nullptr);
        for (QAction* one : menu->actions()) {
            if (one->text() != "Open as project") continue;
            found = one->isEnabled();
            menu->setActiveAction(one);
            return QTest::keyClick(menu, Qt::Key_Return);
        }
        menu->close();
    });
    emit table->customContextMenuRequested(QPoint(20, 10));
    EXPECT_TRUE(found);
    ASSERT_TRUE(session_->project().isOpen());
    EXPECT_EQ(session_->project().spec().fit.epochs, 3);
    EXPECT_EQ(window_->mode(), Mode::kModel);
}

// Where the desktop has no dialog for files Qt's own is shown, with our icons as everywhere.
TEST_F(FrameTest, DialogsForFilesHaveOurIcons) {
    QFileDialog dialog(window_.get(), "Save the project");
    dialog.setOption(QFileDialog::DontUseNativeDialog);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    const auto picture = [](const QIcon& icon) { return icon.pixmap(QSize(16, 16), 1.0).toImage(); };
    for (const auto& [button, name] : {std::pair{"backButton", "chevron-left"},
                                       {"forwardButton", "chevron-right"},
                                       {"toParentButton", "arrow-up"},
                                       {"newFolderButton", "plus"},
                                       {"listModeButton", "columns"},
                                       {"detailModeButton", "list"}}) {
        const auto* found = dialog.findChild<QToolButton*>(button);
        ASSERT_NE(found, nullptr) << button;
        EXPECT_EQ(picture(found->icon()), picture(themes_.icon(name))) << button;
    }
    const auto* buttons = dialog.findChild<QDialogButtonBox*>();
    ASSERT_NE(buttons, nullptr);
    for (const QAbstractButton* button : buttons->buttons()) EXPECT_TRUE(button->icon().isNull()) << button->text().toStdString();
    dialog.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&dialog, 180'000));
    if (const QString shots = qEnvironmentVariable("TANDEM_SHOTS"); !shots.isEmpty()) dialog.grab().save(shots + "/files.png");
}

}  // namespace
}  // namespace ui::views
