// SPDX-License-Identifier: GPL-3.0-or-later
// Runs, or trials of a sweep, as lines over parallel axes. A drag on an axis brushes a part of it, a click takes the brush away. Keys: Left
// and Right choose an axis, Up and Down move its brush (and make one), Shift with them makes it larger or smaller, Del takes it away, Esc
// all of them, Enter checks the runs that are let by.
#pragma once

#include <QStringList>
#include <QWidget>
#include <vector>

#include "ui/parallel/parallel_axes.h"
#include "ui/session/values.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

class ParallelView : public QWidget {
    Q_OBJECT
public:
    ParallelView(const theme::ThemeController& themes, QWidget* parent);

    void setRuns(const std::vector<session::RunSummary>& runs);
    void setPlot(models::ParallelPlot plot);
    // Sets the text that stands there when there are no lines, in place of the usual one about runs.
    void setEmptyText(const QString& text);
    void setSelected(const QString& id);
    const models::ParallelPlot& plot() const { return plot_; }
    const models::Brushes& brushes() const { return brushes_; }
    QStringList letBy() const;  // ids
    int currentAxis() const { return axis_; }
    void retranslate();
    QSize minimumSizeHint() const override { return {300, 160}; }

signals:
    void brushesChanged();
    void checkWanted(QStringList ids);
    void runClicked(QString id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF plotRect() const;
    double axisX(std::size_t axis) const;
    double yAt(double position) const;
    double positionAt(double y) const;
    int axisNear(QPointF point) const;
    int lineNear(QPointF point) const;
    void setBrush(std::size_t axis, std::optional<models::AxisBrush> brush);
    void moveBrush(double by, bool grow);
    void paintAxis(QPainter& painter, std::size_t axis) const;
    void paintLine(QPainter& painter, const models::ParallelLine& line, const QPen& pen) const;
    void describe();

    const theme::ThemeController& themes_;
    models::ParallelPlot plot_;
    models::Brushes brushes_;
    QString selected_, empty_text_;
    int axis_ = 0, hovered_ = -1, dragged_ = -1;
    double drag_from_ = 0;
    bool keyboard_focus_ = false;
};

}  // namespace ui::views
