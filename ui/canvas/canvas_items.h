// SPDX-License-Identifier: GPL-3.0-or-later
// The painted items of the canvas. Private to ui/canvas.
#pragma once

#include <QGraphicsItem>

#include "ui/canvas/canvas_content.h"

namespace ui::theme {
class ThemeController;
}

namespace ui::canvas {

inline constexpr double kNodeWidth = 340, kNodeHeight = 54;
inline constexpr double kPlusOffset = -52, kPlusRadius = 10;  // left of the edge's middle

// Reads one node of the canvas' content. Its origin is the node's top left corner.
class NodeItem : public QGraphicsItem {
public:
    NodeItem(const CanvasNode& node, const theme::ThemeController& themes) : node_(node), themes_(themes) {}
    void setSelectedNode(bool on, bool focused);
    QRectF boundingRect() const override { return {-6, -12, kNodeWidth + 18, kNodeHeight + 22}; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintSquare(QPainter& painter) const;
    void paintTexts(QPainter& painter) const;
    const CanvasNode& node_;
    const theme::ThemeController& themes_;
    bool selected_ = false;
    bool focused_ = false;
};

// The arrow below a node with its shape, and the feature map beside it. Its origin is the middle of the node's lower edge.
class EdgeItem : public QGraphicsItem {
public:
    EdgeItem(const CanvasEdge& edge, double length, bool map, const theme::ThemeController& themes)
        : edge_(edge), length_(length), map_(map), themes_(themes) {}
    void setHovered(bool on);
    QRectF boundingRect() const override { return {-kNodeWidth / 2, -24, kNodeWidth + 170, length_ + 48}; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    double labelMiddle() const;
    void paintMap(QPainter& painter, double label_end) const;
    const CanvasEdge& edge_;
    const double length_;
    const bool map_;
    const theme::ThemeController& themes_;
    bool hovered_ = false;
};

}  // namespace ui::canvas
