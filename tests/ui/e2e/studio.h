// SPDX-License-Identifier: GPL-3.0-or-later
// The studio as app/studio_main.cpp assembles it, with the real agent, and a user's hands on its shown window. Every click and key goes to
// the window as the window system would send it: what is covered, greyed or out of sight can't be clicked, and keys go where the focus is.
// Whatever can't be done throws std::runtime_error with the reason, which fails the test.
#pragma once

#include <QCoreApplication>
#include <QPoint>
#include <QSettings>
#include <QString>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "ui/session/project/local_cluster.h"
#include "ui/session/project/project.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/window/main_window.h"

class QAbstractItemView;
class QComboBox;
class QModelIndex;
class QWindow;

namespace ui::session {
class HostBackend;
class RunRecord;
}  // namespace ui::session

namespace ui::canvas {
class ModelCanvas;
}
namespace ui::widgets {
class SegmentedControl;
}

namespace tests {

inline constexpr int kDeadlineMs = 180'000;

// Runs the event loop until `fact` holds; false at the deadline.
bool waitFor(const std::function<bool()>& fact, int deadline_ms = kDeadlineMs);

class Studio {
public:
    // `folder` keeps settings and recovery from one studio to the next. `far_hosts`: the ways to other computers; null: there are none.
    explicit Studio(const QString& folder, std::shared_ptr<ui::session::HostBackend> far_hosts = nullptr);
    ~Studio();

    ui::session::Session& session() { return session_; }
    ui::views::MainWindow& window() { return *window_; }
    ui::theme::ThemeController& themes() { return themes_; }
    bool agentIsReady();
    // The run shown in Monitor; fails when there is none.
    ui::session::RunRecord& run();
    // Gives the tasks ports that nobody else on this machine holds.
    void chooseFreePorts() { ui::session::chooseFreePorts(session_.project()); }

    template <class T = QWidget>
    T& find(const QString& name) {
        // A form that was just replaced goes with the next event.
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        T* found = window_->findChild<T*>(name);
        if (found == nullptr) throw std::runtime_error("no " + name.toStdString());
        return *found;
    }

    // ---- the mouse ---------------------------------------------------------------------------------------------------
    void click(QWidget& target);
    void click(const QString& name) { click(find(name)); }
    void clickAt(QWidget& target, QPoint at);
    void doubleClickAt(QWidget& target, QPoint at);
    QPoint moveTo(QWidget& target, QPoint at);  // where that is in its window
    // Presses at the first place, moves to the second in steps and lets go there.
    void drag(QWidget& target, QPoint from, QPoint to);
    void wheel(QWidget& target, QPoint at, int notches);  // above 0: away from the user
    // Scrolls by the wheel until the place can be seen.
    void bringIntoView(QWidget& target, QPoint at);
    void clickRow(QAbstractItemView& list, const QModelIndex& index);
    void doubleClickRow(QAbstractItemView& list, const QModelIndex& index);
    // An entry of the menu that is open; a text for each level.
    void chooseFromMenu(const QStringList& path);
    // The same for a menu that holds up whoever opens it.
    void chooseFromMenu(const QStringList& path, const std::function<void()>& open);
    // Drags a layer from the palette to a place of the canvas' scene.
    void dragLayer(const QString& class_name, QPointF scene);
    void chooseFromList(QComboBox& box, const QString& text);
    void chooseSegment(ui::widgets::SegmentedControl& control, int index);
    void clickMode(ui::views::Mode mode);  // in the bar at the left

    // ---- the keyboard ------------------------------------------------------------------------------------------------
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    void type(const QString& text);
    // Tab (or Shift+Tab) until this widget has the focus.
    void tabTo(QWidget& target, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    // Does what opens a file dialog, types the path there and presses Enter.
    void inFileDialog(const QString& path, const std::function<void()>& open);
    // Does what opens a question and clicks the button with this text ("&Discard" without its &).
    void answer(const QString& button, const std::function<void()>& open);
    // Does what opens a menu that holds it up, and presses these keys there.
    void pressInMenu(const std::vector<Qt::Key>& keys, const std::function<void()>& open);

    // ---- the model's canvas ------------------------------------------------------------------------------------------
    ui::canvas::ModelCanvas& canvas();
    QPoint onCanvas(QPointF scene);  // in the canvas' viewport; scrolls there
    QPoint middleOf(int node);
    void clickNode(int node);

    // A picture of each page goes to TANDEM_SHOTS when that names a folder.
    void shoot(const QString& name);

private:
    // Calls `open`, which returns only when the user has answered: `hand` is tried until it says that it did.
    void meanwhile(const QString& what, const std::function<bool()>& hand, const std::function<void()>& open);
    QWindow& target() const;  // of keys: popup, dialog, else the window
    QPoint placeIn(QWidget& target, QPoint at);

    QSettings settings_;
    ui::theme::ThemeController themes_;
    ui::session::Session session_;
    std::unique_ptr<ui::views::MainWindow> window_;
};

}  // namespace tests
