// SPDX-License-Identifier: GPL-3.0-or-later
// The model as a vertical chain of nodes with shapes on its edges. The folder's header to read first.
#pragma once

#include <QGraphicsView>
#include <string>
#include <vector>

#include "ui/canvas/canvas_content.h"

namespace ui::theme {
class ThemeController;
}

namespace ui::canvas {

inline constexpr const char* kLayerMimeType = "application/x-tandem-layer";  // UTF-8 class name

// Shows what it is given and tells what the user wants; changes nothing itself. Nodes are numbered from the top. GUI thread only.
// Keys: Up/Down select, Alt+Up/Down move, Del delete, Ctrl+D duplicate, A then a letter adds, Shift+Up/Down zoom, Ctrl+Enter properties.
// Mouse: a layer is dragged to another place; the right button opens its menu.
class ModelCanvas : public QGraphicsView {
    Q_OBJECT
public:
    explicit ModelCanvas(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setContent(CanvasContent content);
    const CanvasContent& content() const { return content_; }
    void setSelected(int node);  // -1: none; scrolls to it
    int selected() const { return selected_; }
    void zoomBy(int steps);  // each 10 %
    void fit();
    int zoomPercent() const;
    QRectF nodeRect(int node) const;  // in scene coordinates

signals:
    void nodeSelected(int node);
    void propertiesWanted();
    void insertWanted(QString class_name, int edge);  // by drop or by key, below node `edge`
    void insertMenuWanted(int edge, QPoint global);   // the "+" of an edge
    void deleteWanted(int node);
    void duplicateWanted(int node);
    void moveWanted(int node, int by);
    void nodeMenuWanted(int node, QPoint global);
    void zoomChanged(int percent);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void layoutItems();
    void setHoveredEdge(int edge);
    int nodeAt(const QPointF& scene) const;  // -1: none
    int edgeAt(const QPointF& scene) const;
    QRectF plusRect(int edge) const;
    int nearestEdge(const QPointF& scene) const;
    bool isLayer(int node) const;
    void endDrag();

    const theme::ThemeController& themes_;
    CanvasContent content_;
    std::vector<QGraphicsItem*> nodes_, edges_;
    double gap_ = 46;
    int selected_ = -1;
    int hovered_edge_ = -1;
    int dragged_ = -1;  // node under the pressed button; moves with it once `dragging_`
    bool dragging_ = false;
    QPoint pressed_at_;
    QWidget* ring_;             // shown while the keyboard brought the focus here
    bool add_pressed_ = false;  // A was typed: the next letter chooses the layer
};

// Returns the letter that adds the class after A ("C" for Conv2D); empty when there is none.
QString addKey(const std::string& class_name);

}  // namespace ui::canvas
