// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts as cards with their cores, the tasks on them, the ring or star between tasks, and a dashed card that adds a host. Painted from
// plain values; grows in height with the tasks, never scrolls by itself. Tasks are dragged between cards, or moved with Ctrl and an arrow;
// arrows choose, Enter edits, Del removes. It changes nothing: every wish is a signal.
#pragma once

#include <QWidget>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ui/theme/theme_controller.h"

class QLineEdit;

namespace ui::canvas {

struct TaskBox {
    engine::spec::TaskId task{};
    QString port{};                                    // what the editor shows: "12345"
    QString address{};                                 // ":12345"
    std::vector<std::pair<QString, QString>> facts{};  // "device" -> "CPU:0"
    QString brief{};                                   // the facts in one line, where there is no room for rows
    QString state{};
    QColor state_color{};
    bool state_filled = false;  // a fact, not "not yet"
    bool trains = true;         // in the ring
    int cores = 0;              // squares that it holds
    QString problem{};          // outlined when there is one; its tooltip
    friend bool operator==(const TaskBox&, const TaskBox&) = default;
};

struct HostCard {
    QString key{};                          // of signals: the name in the addresses
    QString name{}, address{}, security{};  // "This computer", "localhost · 127.0.0.1", "own socket, token"
    bool secure = true;                     // how the lock looks
    QString processor{}, gpu{};             // "8 cores, AVX2", "no GPU"
    int cores = 0, gpus = 0;
    QString note{};        // of a host without an inventory: why
    QString action{};      // below the note, what a click does: "Install"; empty: nothing
    double progress = -1;  // of what goes on there, 0 to 1; below 0: nothing does
    QString problem{};     // the card is outlined; shown in place of `security`
    bool is_here = false;
    std::vector<TaskBox> tasks{};
    friend bool operator==(const HostCard&, const HostCard&) = default;
};

struct ClusterPicture {
    std::vector<HostCard> hosts{};  // this computer first; empty: nothing is shown
    QString ring{}, bytes{};        // "RING", "1.32 MB a step"; empty for one task
    bool star = false;              // lines from every ps to every worker in place of the ring
    bool can_edit = true;
    friend bool operator==(const ClusterPicture&, const ClusterPicture&) = default;
};

class ClusterCanvas : public QWidget {
    Q_OBJECT
public:
    ClusterCanvas(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setPicture(ClusterPicture picture);
    // Chooses a task and shows its outline; false when there is none.
    bool chooseTask(const engine::spec::TaskId& task);
    std::optional<engine::spec::TaskId> chosenTask() const;
    // Opens the field for a task's port, or for a host's name.
    void editPort(const engine::spec::TaskId& task);
    void editHost(const QString& key);
    // Outlines the open field; an empty text takes the outline away.
    void setEditorProblem(const QString& problem);

    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {640, heightForWidth(640)}; }
    // These return where a host, a task or a link is painted, in this widget's coordinates; null when it is not there.
    QRectF hostRect(const QString& key) const;
    QRectF taskRect(const engine::spec::TaskId& task) const;
    QRectF actionRect(const QString& key) const;  // of the link of HostCard::action

signals:
    void taskMoved(engine::spec::TaskId task, QString host_key);
    void taskRemoved(engine::spec::TaskId task);
    void portTyped(engine::spec::TaskId task, QString text);  // with every letter
    void hostTyped(QString key, QString text);                // with every letter
    void hostEntered(QString key, QString text);              // Enter
    void hostRemoved(QString key);
    void hostActed(QString key);  // HostCard::action
    void hostWanted();            // the dashed card

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    // What lies at a point of the canvas: a task, a host's head or the dashed card that adds a host.
    struct Target {
        enum class Kind { kNone, kTask, kHost, kAddHost } kind = Kind::kNone;
        std::size_t host = 0, task = 0;
        friend bool operator==(const Target&, const Target&) = default;
    };

    // What a target is by name, whatever place it has in the picture.
    struct Named {
        Target::Kind kind = Target::Kind::kNone;
        engine::spec::TaskId task{};
        QString host{};  // its key
    };
    Named nameOf(const Target& target) const;
    Target find(const Named& named) const;  // kNone: it is gone

    void layOut();
    int contentHeight(double width) const;
    bool compact(const HostCard& host, double width) const;
    int columns(const HostCard& host, double width) const;
    // The layout of a card's head: what secures the host stands beside its name, or on a line of its own when there is no room for both.
    struct Head {
        double text_width = 0, aside_width = 0, height = 0;
        bool aside_below = false;
    };
    Head headOf(const HostCard& host, double width) const;
    // The room between a card's head and its tasks: its cores, or its note as far as that goes on.
    double inventoryHeight(const HostCard& host, double width) const;
    double noteHeight(const HostCard& host, double width) const;
    double addHeight(double width) const;
    static QString addHostHint();
    double wrappedHeight(const QString& text, double width) const;
    double textWidth(theme::TextRole role, const QString& text) const;
    // Returns what `measure` says of a text and remembers it: a hundred cards show much the same texts.
    double measured(int kind, const QString& text, const std::function<double()>& measure) const;
    double cardHeight(const HostCard& host, double width) const;
    std::vector<Target> targets() const;
    Target targetAt(const QPointF& position) const;
    QRectF targetRect(const Target& target) const;
    const TaskBox& boxOf(const Target& target) const { return picture_.hosts[target.host].tasks[target.task]; }
    int hostAt(const QPointF& position) const;
    void choose(const Target& target);
    void step(int direction);
    void moveChosen(int direction);
    void openEditor(const Target& target, const QRectF& rect, const QString& text);
    void closeEditor(bool accept);
    void activate(const Target& target);
    void remove(const Target& target);
    QRectF removeRect(const Target& target) const;
    QRectF linkRect(std::size_t host) const;
    void act(const Target& target);

    void paintGround(QPainter& painter, const QRect& part) const;
    void paintHost(QPainter& painter, std::size_t host) const;
    void paintInventory(QPainter& painter, const HostCard& host, const QRectF& row) const;
    void paintTask(QPainter& painter, const TaskBox& box, const QRectF& rect, bool compact) const;
    void paintHover(QPainter& painter) const;
    void paintAddHost(QPainter& painter) const;
    void paintLinks(QPainter& painter, const QRectF& part) const;
    void paintPair(QPainter& painter, const QRectF& a, const QRectF& b) const;
    void paintDrag(QPainter& painter) const;

    const theme::ThemeController& themes_;
    ClusterPicture picture_;
    std::vector<QRectF> host_rects_;
    std::vector<std::vector<QRectF>> task_rects_;
    QRectF add_rect_;
    mutable std::map<std::pair<int, QString>, double> measured_;  // by what was measured
    Target chosen_, hovered_, edited_;
    QPointF press_, drag_;
    bool pressed_ = false, dragging_ = false;
    QLineEdit* editor_;
};

}  // namespace ui::canvas
