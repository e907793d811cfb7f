// SPDX-License-Identifier: GPL-3.0-or-later
// The painted parts of Evaluate: confusion matrix, wrong answers, the best classes, the maps of each layer. The field to draw in:
// draw_pad.h.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <QStyledItemDelegate>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "ui/models/mistake_model.h"
#include "ui/session/runs/evaluation.h"
#include "ui/theme/theme_controller.h"

namespace ui::views {

// Returns a sample as an image: grey or colour.
QImage imageOf(const session::PixelPicture& picture);

// A row a label, a column a prediction, the accuracy of each class at the right. Arrows move, Enter and a click choose a cell (again:
// none).
class ConfusionView : public QWidget {
    Q_OBJECT
public:
    ConfusionView(const theme::ThemeController& themes, QWidget* parent);
    void setResult(const session::EvaluationResult* result);  // outlives it, or null
    std::optional<std::pair<int, int>> cell() const { return chosen_; }
    QString sentence(int label, int predicted) const;  // "3 of class cat are taken for dog"
    void retranslate();
    QSize minimumSizeHint() const override { return {280, 180}; }

signals:
    void cellChosen();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int classes() const { return result_ ? static_cast<int>(result_->classes.size()) : 0; }
    double labelWidth() const;
    QRectF grid() const;
    QRectF cellRect(int label, int predicted) const;
    std::optional<std::pair<int, int>> cellAt(QPointF point) const;
    void choose(std::pair<int, int> cell);
    double mostWrong() const;  // the count of the most frequent mistake
    void paintClass(QPainter& painter, int label) const;

    const theme::ThemeController& themes_;
    const session::EvaluationResult* result_ = nullptr;
    std::pair<int, int> current_{0, 0};
    std::optional<std::pair<int, int>> chosen_;
    bool focused_ = false;
};

// A wrong answer: the sample, "4 -> 9" and how sure the model was.
class MistakeDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    MistakeDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
};

// The best classes as bars, the first in the accent.
class BestClasses : public QWidget {
    Q_OBJECT
public:
    BestClasses(const theme::ThemeController& themes, QWidget* parent);
    void setBest(std::vector<session::BestClass> best);
    void retranslate();
    QSize minimumSizeHint() const override { return {150, 130}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<session::BestClass> best_;
};

// A row a layer: its name and shape, then its maps, from its least value to its greatest. Scrolls.
class ActivationView : public QAbstractScrollArea {
    Q_OBJECT
public:
    ActivationView(const theme::ThemeController& themes, QWidget* parent);
    void setLayers(std::vector<session::LayerMaps> layers);
    void retranslate();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Row {
        session::LayerMaps layer;
        std::vector<QImage> maps;
        int columns = 0, side_x = 0, side_y = 0, height = 0;
    };
    void measure();
    QImage mapImage(const session::LayerMaps& layer, int map) const;

    const theme::ThemeController& themes_;
    std::vector<Row> rows_;
};

}  // namespace ui::views
