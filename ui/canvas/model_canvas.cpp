// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/model_canvas.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/spec/catalog/layer_catalog.h"
#include "ui/canvas/canvas_items.h"
#include "ui/models/numbers.h"
#include "ui/theme/theme_controller.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painting.h"

namespace ui::canvas {

namespace {

constexpr double kSceneMargin = 24, kLeastGap = 28, kMostGap = 46, kDots = 24, kMapRoom = 180;
constexpr double kLeastZoom = 0.4, kMostZoom = 2.5;

struct AddKey {
    Qt::Key key;
    const char* class_name;
};
constexpr std::array kAddKeys{AddKey{Qt::Key_C, "Conv2D"},
                              AddKey{Qt::Key_D, "Dense"},
                              AddKey{Qt::Key_F, "Flatten"},
                              AddKey{Qt::Key_P, "MaxPooling2D"},
                              AddKey{Qt::Key_O, "Dropout"},
                              AddKey{Qt::Key_A, "Activation"},
                              AddKey{Qt::Key_B, "BatchNormalization"}};

}  // namespace

QString addKey(const std::string& class_name) {
    for (const AddKey& one : kAddKeys) {
        if (class_name == one.class_name) return QStringLiteral("A %1").arg(QChar(static_cast<int>(one.key)));
    }
    return {};
}

namespace {

// The focus ring over the canvas' edge; it is not in the scene, which scrolls.
class CanvasRing : public QWidget {
public:
    CanvasRing(const theme::ThemeController& themes, QWidget* canvas) : QWidget(canvas), themes_(themes) {
        setObjectName(QStringLiteral("canvasFocus"));
        setAttribute(Qt::WA_TransparentForMouseEvents);
        hide();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        widgets::paintBox(painter, rect(), theme::kRadiusControl, QColor(), themes_.theme().accent, 2);
    }

private:
    const theme::ThemeController& themes_;
};

}  // namespace

ModelCanvas::ModelCanvas(const theme::ThemeController& themes, QWidget* parent) : QGraphicsView(parent), themes_(themes) {
    setObjectName(QStringLiteral("modelCanvas"));
    setFrameShape(QFrame::NoFrame);
    setScene(new QGraphicsScene(this));
    setRenderHint(QPainter::Antialiasing);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setAcceptDrops(true);
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    ring_ = new CanvasRing(themes_, this);
    connect(&themes, &theme::ThemeController::themeChanged, this, [this] {
        resetCachedContent();
        scene()->update();
        viewport()->update();
    });
}

void ModelCanvas::setContent(CanvasContent content) {
    setAccessibleName(tr("Model"));
    if (content == content_) return;
    content_ = std::move(content);
    selected_ = std::min(selected_, static_cast<int>(content_.nodes.size()) - 1);
    layoutItems();
    QStringList parts;
    for (const CanvasNode& node : content_.nodes)
        parts << (node.problem.isEmpty() ? node.type : QStringLiteral("%1 (%2)").arg(node.type, node.problem));
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

void ModelCanvas::layoutItems() {
    scene()->clear();
    nodes_.clear();
    edges_.clear();
    hovered_edge_ = -1;
    dragged_ = -1;
    dragging_ = false;
    const int count = static_cast<int>(content_.nodes.size());
    if (count == 0) return;
    const double scale = transform().m11();
    const double room = viewport()->height() / scale - 2 * kSceneMargin - count * kNodeHeight;
    gap_ = count > 1 ? std::clamp(std::floor(room / (count - 1)), kLeastGap, kMostGap) : kMostGap;
    const bool maps = (viewport()->width() / scale - kNodeWidth) / 2 >= kMapRoom - 40;
    for (int i = 0; i < count; ++i) {
        auto* node = new NodeItem(content_.nodes[static_cast<std::size_t>(i)], themes_);
        node->setPos(0, i * (kNodeHeight + gap_));
        node->setSelectedNode(i == selected_, hasFocus());
        const CanvasNode& shown = content_.nodes[static_cast<std::size_t>(i)];
        const QString facts = QStringLiteral("%1 %2\n%3").arg(shown.type, shown.name, shown.settings);
        node->setToolTip(shown.problem.isEmpty() ? facts : shown.problem + QStringLiteral("\n\n") + facts);
        node->setZValue(1);
        scene()->addItem(node);
        nodes_.push_back(node);
        if (i + 1 == count) break;
        auto* edge = new EdgeItem(content_.edges[static_cast<std::size_t>(i)], gap_, maps, themes_);
        edge->setPos(kNodeWidth / 2, i * (kNodeHeight + gap_) + kNodeHeight);
        scene()->addItem(edge);
        edges_.push_back(edge);
    }
    // The scene is as wide as what is drawn on both sides, so that the chain stands in the middle.
    const double half = maps ? kNodeWidth / 2 + 140 : kNodeWidth / 2 + 20;
    scene()->setSceneRect(kNodeWidth / 2 - half, -kSceneMargin, 2 * half, count * kNodeHeight + (count - 1) * gap_ + 2 * kSceneMargin);
}

QRectF ModelCanvas::nodeRect(int node) const {
    return {0, node * (kNodeHeight + gap_), kNodeWidth, kNodeHeight};
}

int ModelCanvas::nodeAt(const QPointF& at) const {
    for (int i = 0; i < static_cast<int>(content_.nodes.size()); ++i) {
        if (nodeRect(i).contains(at)) return i;
    }
    return -1;
}

// Returns the edge at a point that a layer may be put on: every edge is one, the last leads to Compile.
int ModelCanvas::edgeAt(const QPointF& at) const {
    if (std::abs(at.x() - kNodeWidth / 2) > kNodeWidth / 2) return -1;
    for (int i = 0; i < static_cast<int>(content_.edges.size()); ++i) {
        const double top = nodeRect(i).bottom();
        if (at.y() >= top && at.y() <= top + gap_) return i;
    }
    return -1;
}

QRectF ModelCanvas::plusRect(int edge) const {
    const QPointF middle(kNodeWidth / 2, nodeRect(edge).bottom() + gap_ / 2);
    return {middle.x() - 120, middle.y() - 12, 110, 24};
}

void ModelCanvas::setSelected(int node) {
    node = std::clamp(node, -1, static_cast<int>(content_.nodes.size()) - 1);
    selected_ = node;
    for (int i = 0; i < static_cast<int>(nodes_.size()); ++i)
        static_cast<NodeItem*>(nodes_[static_cast<std::size_t>(i)])->setSelectedNode(i == node, hasFocus());
    if (node >= 0) ensureVisible(nodeRect(node).adjusted(0, -8, 0, 8), 0, 8);
}

void ModelCanvas::setHoveredEdge(int edge) {
    if (edge == hovered_edge_) return;
    hovered_edge_ = edge;
    for (int i = 0; i < static_cast<int>(edges_.size()); ++i)
        static_cast<EdgeItem*>(edges_[static_cast<std::size_t>(i)])->setHovered(i == edge);
}

int ModelCanvas::zoomPercent() const {
    return static_cast<int>(std::lround(transform().m11() * 100));
}

void ModelCanvas::zoomBy(int steps) {
    const double zoom = std::clamp(std::round(transform().m11() * 10 + steps) / 10, kLeastZoom, kMostZoom);
    setTransform(QTransform::fromScale(zoom, zoom));
    layoutItems();
    emit zoomChanged(zoomPercent());
}

void ModelCanvas::fit() {
    setTransform({});
    layoutItems();
    const double zoom = std::clamp(std::min(1.0, viewport()->height() / scene()->sceneRect().height()), kLeastZoom, 1.0);
    setTransform(QTransform::fromScale(zoom, zoom));
    layoutItems();
    emit zoomChanged(zoomPercent());
}

void ModelCanvas::keyPressEvent(QKeyEvent* event) {
    const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
    const int key = event->key();
    if (add_pressed_ && modifiers == Qt::NoModifier) {
        add_pressed_ = false;
        for (const AddKey& one : kAddKeys) {
            if (one.key == key && engine::spec::findLayerSchema(one.class_name) != nullptr) {
                const int last = static_cast<int>(content_.edges.size()) - 1;
                emit insertWanted(QString::fromLatin1(one.class_name), selected_ < 0 ? last : std::min(selected_, last));
                return;
            }
        }
    }
    if (modifiers == Qt::NoModifier && key == Qt::Key_A) {
        add_pressed_ = true;
        return;
    }
    const bool up = key == Qt::Key_Up, down = key == Qt::Key_Down;
    if (up || down) {
        if (modifiers == Qt::AltModifier && selected_ >= 0) return emit moveWanted(selected_, up ? -1 : 1);
        if (modifiers == Qt::ShiftModifier) return zoomBy(up ? 1 : -1);
        const int node = std::clamp(selected_ + (up ? -1 : 1), 0, static_cast<int>(content_.nodes.size()) - 1);
        setSelected(node);
        return emit nodeSelected(node);
    }
    if (key == Qt::Key_Escape && dragging_) return endDrag();
    if ((key == Qt::Key_Delete || key == Qt::Key_Backspace) && modifiers == Qt::NoModifier && selected_ >= 0)
        return emit deleteWanted(selected_);
    if (key == Qt::Key_D && modifiers == Qt::ControlModifier && selected_ >= 0) return emit duplicateWanted(selected_);
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && (modifiers == Qt::ControlModifier || modifiers == Qt::NoModifier))
        return emit propertiesWanted();
    if (key == Qt::Key_Backspace && modifiers == Qt::ShiftModifier)
        return zoomBy(static_cast<int>(std::lround(10 - transform().m11() * 10)));
    QGraphicsView::keyPressEvent(event);
}

void ModelCanvas::wheelEvent(QWheelEvent* event) {
    if (event->modifiers() & Qt::ControlModifier) {
        zoomBy(event->angleDelta().y() > 0 ? 1 : -1);
        return event->accept();
    }
    QGraphicsView::wheelEvent(event);
}

void ModelCanvas::mousePressEvent(QMouseEvent* event) {
    const QPointF at = mapToScene(event->pos());
    const int edge = edgeAt(at);
    if (event->button() == Qt::LeftButton && edge >= 0 && plusRect(edge).contains(at))
        return emit insertMenuWanted(edge, event->globalPosition().toPoint());
    const int node = nodeAt(at);
    setSelected(node);
    emit nodeSelected(node);
    if (event->button() == Qt::LeftButton && isLayer(node)) {
        dragged_ = node;
        pressed_at_ = event->pos();
    }
}

bool ModelCanvas::isLayer(int node) const {
    return node >= 0 && content_.nodes[static_cast<std::size_t>(node)].kind == CanvasNode::Kind::kLayer;
}

void ModelCanvas::endDrag() {
    const bool moved = dragging_;
    dragged_ = -1;
    dragging_ = false;
    if (!moved) return;
    unsetCursor();
    setHoveredEdge(-1);
    layoutItems();
}

void ModelCanvas::mouseReleaseEvent(QMouseEvent* event) {
    const int node = dragged_, edge = hovered_edge_;
    const bool moved = dragging_;
    endDrag();
    // The edges on both sides of the layer are its own place.
    if (moved && edge >= 0 && edge != node && edge != node - 1) emit moveWanted(node, edge > node ? edge - node : edge - node + 1);
    QGraphicsView::mouseReleaseEvent(event);
}

void ModelCanvas::contextMenuEvent(QContextMenuEvent* event) {
    const bool by_key = event->reason() == QContextMenuEvent::Keyboard;
    const int node = by_key ? selected_ : nodeAt(mapToScene(event->pos()));
    if (!isLayer(node)) return;
    const QPoint at = by_key ? mapFromScene(nodeRect(node).center()) : event->pos();
    emit nodeMenuWanted(node, viewport()->mapToGlobal(at));
}

void ModelCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (nodeAt(mapToScene(event->pos())) >= 0) emit propertiesWanted();
}

void ModelCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (dragged_ >= 0) {
        if ((event->buttons() & Qt::LeftButton) == 0) return endDrag();
        if (!dragging_ && (event->pos() - pressed_at_).manhattanLength() >= QApplication::startDragDistance()) {
            dragging_ = true;
            setCursor(Qt::ClosedHandCursor);
        }
        if (!dragging_) return;
        auto* item = nodes_[static_cast<std::size_t>(dragged_)];
        item->setZValue(2);
        item->setPos(0, nodeRect(dragged_).top() + (mapToScene(event->pos()) - mapToScene(pressed_at_)).y());
        return setHoveredEdge(nearestEdge(mapToScene(event->pos())));
    }
    setHoveredEdge(edgeAt(mapToScene(event->pos())));
}

void ModelCanvas::leaveEvent(QEvent* event) {
    setHoveredEdge(-1);
    QGraphicsView::leaveEvent(event);
}

void ModelCanvas::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    ring_->setGeometry(rect());
    layoutItems();
}

void ModelCanvas::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(kLayerMimeType))) event->acceptProposedAction();
}

void ModelCanvas::dragMoveEvent(QDragMoveEvent* event) {
    if (content_.edges.empty()) return;
    setHoveredEdge(nearestEdge(mapToScene(event->position().toPoint())));
    event->acceptProposedAction();
}

int ModelCanvas::nearestEdge(const QPointF& at) const {
    const int last = static_cast<int>(content_.edges.size()) - 1;
    return std::clamp(static_cast<int>(std::floor((at.y() - kNodeHeight / 2) / (kNodeHeight + gap_))), 0, std::max(0, last));
}

void ModelCanvas::dragLeaveEvent(QDragLeaveEvent*) {
    setHoveredEdge(-1);
}

void ModelCanvas::dropEvent(QDropEvent* event) {
    const QString class_name = QString::fromUtf8(event->mimeData()->data(QLatin1String(kLayerMimeType)));
    const int edge = hovered_edge_;
    setHoveredEdge(-1);
    if (edge < 0 || class_name.isEmpty()) return;
    event->acceptProposedAction();
    emit insertWanted(class_name, edge);
}

void ModelCanvas::drawBackground(QPainter* painter, const QRectF& rect) {
    const theme::Theme& t = themes_.theme();
    painter->fillRect(rect, t.window);
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->setPen(QPen(t.border, 1));
    QList<QPointF> dots;
    for (double x = std::floor(rect.left() / kDots) * kDots; x < rect.right(); x += kDots) {
        for (double y = std::floor(rect.top() / kDots) * kDots; y < rect.bottom(); y += kDots) dots << QPointF(x, y);
    }
    painter->drawPoints(dots.constData(), static_cast<int>(dots.size()));
}

void ModelCanvas::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    ring_->setVisible(widgets::byKeyboard(event->reason()));
    ring_->raise();
    setSelected(selected_);
}

void ModelCanvas::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    ring_->hide();
    add_pressed_ = false;
    setSelected(selected_);
}

}  // namespace ui::canvas

#include "moc_model_canvas.cpp"
