// SPDX-License-Identifier: GPL-3.0-or-later
#include "studio.h"

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QScrollArea>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include "agent/client/agent_client.h"
#include "ui/canvas/model_canvas.h"
#include "ui/model/model_page.h"
#include "ui/model/model_palette.h"
#include "ui/session/host/host.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/mode_bar.h"
#include "ui/widgets/segmented_control.h"

namespace tests {

using ui::views::Mode;

namespace {

constexpr int kMostNotches = 400, kMostTabs = 200, kWheelNotch = 120, kPollMs = 20, kDragSteps = 6, kMostMoves = 50;

[[noreturn]] void fail(const QString& what) {
    throw std::runtime_error(what.toStdString());
}

QString nameOf(const QWidget& widget) {
    return widget.objectName().isEmpty() ? QString::fromLatin1(widget.metaObject()->className()) : widget.objectName();
}

QString made(const QString& folder) {
    QDir().mkpath(folder);
    return folder;
}

QPoint centreOf(const QWidget& widget) {
    return widget.rect().center();
}

}  // namespace

bool waitFor(const std::function<bool()>& fact, int deadline_ms) {
    return QTest::qWaitFor(fact, deadline_ms);
}

Studio::Studio(const QString& folder, std::shared_ptr<ui::session::HostBackend> far_hosts)
    : settings_(made(folder) + "/settings.ini", QSettings::IniFormat),
      session_({.connect = [] { return agent::client::connectLocalAgent(TANDEM_BIN "/tandem-agent", std::chrono::seconds(20)); },
                .share_dir = QStringLiteral(TANDEM_SHARE),
                .history_file = folder + "/studio.sqlite",
                .settings = &settings_,
                .recovery_dir = folder + "/recovery",
                .recovery_delay_ms = 200,
                .far_hosts = std::move(far_hosts)}) {
    settings_.setValue("language", "en");
    themes_.setChoice(static_cast<ui::theme::Choice>(settings_.value("theme", static_cast<int>(ui::theme::Choice::kLight)).toInt()));
    window_ = std::make_unique<ui::views::MainWindow>(session_, themes_);
    window_->resize(1440, 900);
    window_->show();
    EXPECT_TRUE(QTest::qWaitForWindowExposed(window_.get(), kDeadlineMs));
    QApplication::setActiveWindow(window_.get());  // Xvfb has no window manager that would do it
}

Studio::~Studio() {
    session_.project().close();
}

bool Studio::agentIsReady() {
    return waitFor([this] { return session_.host().info().has_value(); });
}

ui::session::RunRecord& Studio::run() {
    if (session_.runs().current() == nullptr) fail("no run");
    return *session_.runs().current();
}

// ---- the mouse -------------------------------------------------------------------------------------------------------

// Where the place lies in the widget's window, once nothing hides it.
QPoint Studio::placeIn(QWidget& target, QPoint at) {
    if (!target.isVisible()) fail(nameOf(target) + " is hidden");
    if (!target.isEnabled()) fail(nameOf(target) + " is greyed: " + target.toolTip());
    bringIntoView(target, at);
    QWidget* top = target.window();
    const QPoint place = target.mapTo(top, at);
    const QWidget* hit = top->childAt(place);
    const bool free = hit == &target || (hit != nullptr && target.isAncestorOf(hit)) || (hit == nullptr && top == &target);
    if (!free) fail(nameOf(target) + " is covered by " + (hit == nullptr ? QStringLiteral("nothing, it lies outside") : nameOf(*hit)));
    return place;
}

// A move lets waiting events through, and a page that has just been shown may put its parts elsewhere: then the mouse follows.
QPoint Studio::moveTo(QWidget& target, QPoint at) {
    QPoint place = placeIn(target, at);
    for (int i = 0; i < kMostMoves; ++i) {
        QTest::mouseMove(target.window()->windowHandle(), place);
        const QPoint now = placeIn(target, at);
        if (now == place) return place;
        QTest::qWait(kPollMs);
        place = placeIn(target, at);
    }
    fail(nameOf(target) + " does not stay where it is");
}

void Studio::click(QWidget& target) {
    clickAt(target, centreOf(target));
}

void Studio::clickAt(QWidget& target, QPoint at) {
    const QPoint place = moveTo(target, at);
    QTest::mouseClick(target.window()->windowHandle(), Qt::LeftButton, {}, place);
}

void Studio::doubleClickAt(QWidget& target, QPoint at) {
    const QPoint place = moveTo(target, at);
    QTest::mouseDClick(target.window()->windowHandle(), Qt::LeftButton, {}, place);
}

void Studio::drag(QWidget& target, QPoint from, QPoint to) {
    const QPoint first = moveTo(target, from), last = target.mapTo(target.window(), to);
    QWindow* window = target.window()->windowHandle();
    QTest::mousePress(window, Qt::LeftButton, {}, first);
    for (int step = 1; step <= kDragSteps; ++step) QTest::mouseMove(window, first + (last - first) * step / kDragSteps);
    QTest::mouseRelease(window, Qt::LeftButton, {}, last);
}

void Studio::wheel(QWidget& target, QPoint at, int notches) {
    QWidget* top = target.window();
    const QPoint place = target.mapTo(top, at);
    for (int i = 0; i < std::abs(notches); ++i) {
        QWheelEvent event(place, top->mapToGlobal(place), {}, {0, notches > 0 ? kWheelNotch : -kWheelNotch}, Qt::NoButton, Qt::NoModifier,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(top->windowHandle(), &event);
    }
    QCoreApplication::processEvents();
}

void Studio::bringIntoView(QWidget& target, QPoint at) {
    for (QWidget* up = &target; !up->isWindow() && up->parentWidget() != nullptr; up = up->parentWidget()) {
        auto* area = qobject_cast<QScrollArea*>(up->parentWidget());
        if (area == nullptr || area->widget() == nullptr || !area->widget()->isAncestorOf(&target)) continue;
        QWidget* view = area->viewport();
        const auto gap = [&] {
            const int y = target.mapTo(view, at).y();
            return y < 4 ? y - 4 : y > view->height() - 5 ? y - view->height() + 5 : 0;
        };
        // At the edge, where labels and no fields are.
        for (int notch = 0; gap() != 0; ++notch) {
            if (notch == kMostNotches) fail(nameOf(target) + " can't be scrolled into view");
            wheel(*view, {3, view->height() / 2}, gap() < 0 ? 1 : -1);
        }
    }
}

void Studio::clickRow(QAbstractItemView& list, const QModelIndex& index) {
    QWidget* view = list.viewport();
    for (int notch = 0; !view->rect().contains(list.visualRect(index).center()); ++notch) {
        if (notch == kMostNotches) fail(nameOf(list) + " can't be scrolled to its row");
        wheel(*view, view->rect().center(), list.visualRect(index).center().y() < 0 ? 1 : -1);
    }
    clickAt(*view, list.visualRect(index).center());
}

void Studio::doubleClickRow(QAbstractItemView& list, const QModelIndex& index) {
    clickRow(list, index);
    doubleClickAt(*list.viewport(), list.visualRect(index).center());
}

void Studio::chooseFromMenu(const QStringList& path) {
    for (const QString& text : path) {
        if (!waitFor([] { return qobject_cast<QMenu*>(QApplication::activePopupWidget()) != nullptr; })) fail("no menu is open");
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        QAction* found = nullptr;
        for (QAction* action : menu->actions()) {
            if (action->text() == text) found = action;
        }
        if (found == nullptr || !found->isEnabled()) fail("no entry " + text);
        clickAt(*menu, menu->actionGeometry(found).center());
    }
}

void Studio::chooseFromMenu(const QStringList& path, const std::function<void()>& open) {
    const auto hand = [&] {
        if (qobject_cast<QMenu*>(QApplication::activePopupWidget()) == nullptr) return false;
        chooseFromMenu(path);
        return true;
    };
    meanwhile("a menu with " + path.front(), hand, open);
}

void Studio::dragLayer(const QString& class_name, QPointF scene) {
    auto& list = find<QListView>("paletteList");
    QModelIndex index;
    for (int row = 0; row < list.model()->rowCount(); ++row) {
        if (list.model()->index(row, 0).data(ui::views::PaletteModel::kClassRole) == class_name) index = list.model()->index(row, 0);
    }
    if (!index.isValid()) fail("the palette has no " + class_name);
    clickRow(list, index);
    QWindow* window = window_->windowHandle();
    const QPoint from = placeIn(*list.viewport(), list.visualRect(index).center());
    const QPoint to = canvas().viewport()->mapTo(window_.get(), onCanvas(scene));
    int step = 0;
    // The move that begins the drag comes back when the drag is over: the rest of it is done meanwhile.
    const auto hand = [&] {
        ++step;
        if (step <= kDragSteps) QTest::mouseMove(window, from + (to - from) * step / kDragSteps);
        if (step > kDragSteps) QTest::mouseRelease(window, Qt::LeftButton, {}, to);
        return step > kDragSteps;
    };
    QTest::mousePress(window, Qt::LeftButton, {}, from);
    // An item view takes the first move for the beginning of a drag and begins it with the next one.
    meanwhile("the drag of " + class_name, hand, [&] {
        for (const int nearly : {1, 0}) QTest::mouseMove(window, from + QPoint(QApplication::startDragDistance() + 4 - nearly, 0));
    });
}

void Studio::chooseFromList(QComboBox& box, const QString& text) {
    const QPointer<QComboBox> list(&box);
    const QString name = nameOf(box);
    const int row = box.findText(text);
    if (row < 0) fail(name + " has no " + text);
    click(box);
    if (!waitFor([&] { return box.view()->isVisible(); })) fail(name + " did not open");
    QAbstractItemView& view = *box.view();
    const QModelIndex index = view.model()->index(row, box.modelColumn());
    // The list takes a click once the mouse has moved in it.
    moveTo(*view.viewport(), view.visualRect(view.currentIndex().isValid() ? view.currentIndex() : index).center() + QPoint(20, 0));
    clickRow(view, index);
    // A choice may replace the form, and this list with it.
    if (!waitFor([&] { return list == nullptr || !list->view()->isVisible(); })) fail(name + " did not close");
}

void Studio::chooseSegment(ui::widgets::SegmentedControl& control, int index) {
    clickAt(control, control.entryRect(index).center());
    if (control.current() != index) fail(nameOf(control) + " did not take " + control.entry(index));
}

void Studio::clickMode(Mode mode) {
    auto& bar = find<ui::widgets::ModeBar>("modeBar");
    clickAt(bar, bar.modeRect(static_cast<int>(mode)).center());
    if (window_->mode() != mode) fail("the mode did not change");
}

// ---- the keyboard ----------------------------------------------------------------------------------------------------

QWindow& Studio::target() const {
    const auto shown = [](QWidget* top) { return top != nullptr && top->windowHandle() != nullptr; };
    QWidget* window = shown(QApplication::activeModalWidget()) ? QApplication::activeModalWidget() : window_.get();
    // Without a window manager the server's late word that a closed dialog lost the focus leaves no window active, and a shortcut unheard.
    if (QApplication::activeWindow() == nullptr) QApplication::setActiveWindow(window);
    return *(shown(QApplication::activePopupWidget()) ? QApplication::activePopupWidget() : window)->windowHandle();
}

void Studio::key(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(&target(), key, modifiers);
}

void Studio::type(const QString& text) {
    for (const QChar letter : text) QTest::keyClick(&target(), letter.toLatin1());
}

void Studio::tabTo(QWidget& target, Qt::KeyboardModifiers modifiers) {
    const auto there = [&] { return QApplication::focusWidget() == &target; };
    const auto code = modifiers & Qt::ShiftModifier ? Qt::Key_Backtab : Qt::Key_Tab;
    for (int i = 0; !there(); ++i) {
        if (i == kMostTabs) fail(nameOf(target) + " can't be reached by Tab");
        key(code, modifiers);
    }
}

void Studio::meanwhile(const QString& what, const std::function<bool()>& hand, const std::function<void()>& open) {
    QTimer timer;
    int looks = 0;
    bool done = false, busy = false;
    QString problem;
    timer.setInterval(kPollMs);
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
        if (busy || done) return;  // what the hand does runs the event loop, too
        busy = true;
        try {
            done = hand();
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        busy = false;
        if (!done && problem.isEmpty() && ++looks <= kDeadlineMs / kPollMs) return;
        timer.stop();
        if (done) return;
        // Nobody is left waiting.
        if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) dialog->reject();
    });
    timer.start();
    open();
    if (!waitFor([&] { return done || !problem.isEmpty() || !timer.isActive(); })) problem = QStringLiteral("it did not come");
    QApplication::setActiveWindow(window_.get());
    if (!done) fail(what + ": " + problem);
}

void Studio::inFileDialog(const QString& path, const std::function<void()>& open) {
    const auto hand = [&] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (dialog == nullptr || !dialog->isVisible()) return false;
        QApplication::setActiveWindow(dialog);
        auto* name = dialog->findChild<QLineEdit*>("fileNameEdit");
        QApplication::clipboard()->setText(path);
        tabTo(*name);
        key(Qt::Key_A, Qt::ControlModifier);
        key(Qt::Key_V, Qt::ControlModifier);
        if (name->text() != path) fail("the file dialog did not take " + path);
        key(Qt::Key_Return);
        return true;
    };
    meanwhile("a file dialog for " + path, hand, open);
}

void Studio::answer(const QString& button, const std::function<void()>& open) {
    const auto hand = [&] {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (question == nullptr || !question->isVisible()) return false;
        for (QAbstractButton* one : question->buttons()) {
            if (one->text().remove(QLatin1Char('&')) != button) continue;
            click(*one);
            return true;
        }
        fail(QStringLiteral("no button ") + button);
    };
    meanwhile("a question with " + button, hand, open);
}

void Studio::pressInMenu(const std::vector<Qt::Key>& keys, const std::function<void()>& open) {
    const auto hand = [&] {
        if (qobject_cast<QMenu*>(QApplication::activePopupWidget()) == nullptr) return false;
        for (const Qt::Key one : keys) key(one);
        return true;
    };
    meanwhile(QStringLiteral("a menu"), hand, open);
}

// ---- the model's canvas ----------------------------------------------------------------------------------------------

ui::canvas::ModelCanvas& Studio::canvas() {
    return static_cast<ui::views::ModelPage&>(window_->page(Mode::kModel)).canvas();
}

QPoint Studio::onCanvas(QPointF scene) {
    ui::canvas::ModelCanvas& view = canvas();
    const QRect room = view.viewport()->rect().adjusted(0, 12, 0, -12);
    for (int notch = 0; !room.contains(view.mapFromScene(scene)); ++notch) {
        if (notch == kMostNotches) fail("the canvas can't be scrolled there");
        wheel(*view.viewport(), room.center(), view.mapFromScene(scene).y() < room.top() ? 1 : -1);
    }
    return view.mapFromScene(scene);
}

QPoint Studio::middleOf(int node) {
    return onCanvas(canvas().nodeRect(node).center());
}

void Studio::clickNode(int node) {
    const QPoint at = middleOf(node);
    clickAt(*canvas().viewport(), at);
    if (canvas().selected() != node) fail(QStringLiteral("node %1 was not selected").arg(node));
}

void Studio::shoot(const QString& name) {
    const QString folder = qEnvironmentVariable("TANDEM_SHOTS");
    if (folder.isEmpty()) return;
    QCoreApplication::processEvents();
    window_->grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

}  // namespace tests
