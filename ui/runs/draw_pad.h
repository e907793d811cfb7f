// SPDX-License-Identifier: GPL-3.0-or-later
// Where the user draws what a model is asked about, and the colours to draw with.
#pragma once

#include <QColor>
#include <QTimer>
#include <QWidget>
#include <optional>

#include "ui/session/runs/evaluation.h"
#include "ui/theme/theme_controller.h"

class QButtonGroup;

namespace ui::views {

// A field of the model's size, black at first; white on it, or colours where it has three channels. The mouse draws, its right button rubs
// out. Keys: arrows move, Space puts the pen down and lifts it, Del clears; of colours 1 to 8, and F fills.
class DrawPad : public QWidget {
    Q_OBJECT
public:
    DrawPad(const theme::ThemeController& themes, QWidget* parent);
    void setGrid(int width, int height, int channels);  // 1 or 3 channels; clears when it is another grid
    void setColor(const QColor& color);                 // of the pen; counts with three channels
    void fill();                                        // everything in the pen's colour
    void clear();
    // Shows a sample in place of the drawing; the next stroke begins a new one.
    void showPicture(const session::PixelPicture& picture);
    bool isEmpty() const;
    session::PixelPicture drawing() const { return drawing_; }
    void retranslate();
    QSize minimumSizeHint() const override { return {140, 140}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return width; }

signals:
    void touched();               // with each stroke, at once
    void drawn();                 // a moment after the last stroke
    void colorWanted(int color);  // of PenColors, by its key

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    QRectF field() const;
    void stroke(QPointF from, QPointF to, bool rub_out);
    void dab(QPointF at, bool rub_out);
    QPointF toGrid(QPointF point) const;

    const theme::ThemeController& themes_;
    session::PixelPicture drawing_{28, 28, 1, QByteArray(28 * 28, '\0')};
    std::optional<session::PixelPicture> shown_;
    QColor color_ = Qt::white;
    QPointF pen_, last_;
    bool pen_down_ = false, focused_ = false;
    QTimer settle_;
};

// A row of swatches, one of them chosen.
class PenColors : public QWidget {
    Q_OBJECT
public:
    static constexpr int kCount = 8;

    PenColors(const theme::ThemeController& themes, QWidget* parent);
    static QColor colorOf(int color);  // from 0
    void choose(int color);
    void retranslate();

signals:
    void colorChosen(const QColor& color);

private:
    void paintSwatches();

    const theme::ThemeController& themes_;
    QButtonGroup* group_;
};

}  // namespace ui::views
