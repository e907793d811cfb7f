// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts as cards with their cores, the tasks on them and the ring between tasks that train together. Painted from plain values; grows
// in height with the tasks, never scrolls by itself.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

namespace ui::canvas {

struct TaskBox {
    engine::spec::TaskId task{};
    QString address{};                                 // ":12345"
    std::vector<std::pair<QString, QString>> facts{};  // "device" -> "CPU:0"
    QString state{};
    QColor state_color{};
    bool state_filled = false;  // a fact, not "not yet"
    bool trains = true;         // in the ring
    int cores = 0;              // squares that it holds
};

struct HostCard {
    QString name{}, address{}, security{};  // "This computer", "localhost · 127.0.0.1", "loopback, token"
    QString processor{}, gpu{};             // "8 cores, AVX2", "no GPU"
    int cores = 0;
    std::vector<TaskBox> tasks{};
    QString ring{}, bytes{};  // "RING", "1.32 MB a step"; empty for one task
};

class ClusterCanvas : public QWidget {
    Q_OBJECT
public:
    ClusterCanvas(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setHost(HostCard host);
    // Shown instead of the card while there is nothing to show.
    void setEmptyText(const QString& text);
    int heightForWidth(int width) const override;
    QSize sizeHint() const override { return {640, heightForWidth(640)}; }
    // Where a task's box lies.
    QRectF taskRect(std::size_t index) const;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRectF cardRect() const;
    int columns() const;
    void paintGround(QPainter& painter) const;
    void paintHost(QPainter& painter) const;
    void paintCores(QPainter& painter, const QRectF& row) const;
    void paintTask(QPainter& painter, const TaskBox& box, const QRectF& rect) const;
    void paintLinks(QPainter& painter) const;

    const theme::ThemeController& themes_;
    HostCard host_;
    QString empty_text_;
};

}  // namespace ui::canvas
