// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/draw_pad.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPixmap>
#include <QToolButton>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/runs/evaluate_painted.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/painting.h"

namespace ui::views {

namespace {

constexpr int kSettleMs = 250, kSwatch = 19, kSwatchButton = 24;
constexpr double kPenRadius = 1.1;
// The colours belong to pictures, not to the studio: they are the same in both themes.
constexpr std::array<QRgb, PenColors::kCount> kColors{0xFFFFFFFF, 0xFF000000, 0xFF8C8C8C, 0xFFC8372D,
                                                      0xFFE8B23A, 0xFF4C8C3A, 0xFF3B78C2, 0xFF7A5230};

}  // namespace

DrawPad::DrawPad(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("drawPad");
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::CrossCursor);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    settle_.setSingleShot(true);
    settle_.setInterval(kSettleMs);
    connect(&settle_, &QTimer::timeout, this, &DrawPad::drawn);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    clear();
}

void DrawPad::setGrid(int width, int height, int channels) {
    if (drawing_.width == width && drawing_.height == height && drawing_.channels == channels) return;
    drawing_ = {width, height, channels, {}};
    color_ = Qt::white;
    clear();
    retranslate();
}

void DrawPad::setColor(const QColor& color) {
    color_ = color;
    update();
}

void DrawPad::fill() {
    shown_.reset();
    const std::array<int, 3> ink{color_.red(), color_.green(), color_.blue()};
    for (qsizetype i = 0; i < drawing_.pixels.size(); ++i) {
        drawing_.pixels[i] = static_cast<char>(ink[static_cast<std::size_t>(i % drawing_.channels)]);
    }
    update();
    settle_.start();
    emit touched();
}

void DrawPad::clear() {
    settle_.stop();
    shown_.reset();
    drawing_.pixels = QByteArray(static_cast<qsizetype>(drawing_.width) * drawing_.height * drawing_.channels, '\0');
    pen_ = {drawing_.width / 2.0, drawing_.height / 2.0};
    pen_down_ = false;
    update();
}

void DrawPad::showPicture(const session::PixelPicture& picture) {
    clear();
    shown_ = picture;
    update();
}

bool DrawPad::isEmpty() const {
    return std::all_of(drawing_.pixels.begin(), drawing_.pixels.end(), [](char pixel) { return pixel == 0; });
}

void DrawPad::retranslate() {
    setAccessibleName(tr("Field to draw in"));
    const bool colors = drawing_.channels == 3;
    setAccessibleDescription(
        colors ? tr("Arrows move the pen, Space puts it down and lifts it, 1 to 8 choose its colour, F fills the field, Delete clears it.")
               : tr("Arrows move the pen, Space puts it down and lifts it, Delete clears the field."));
    setToolTip(
        colors ? tr("Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, 1 to 8 "
                    "choose its colour, F fills, Del clears.")
               : tr("Draw with the mouse, rub out with its right button. Keys: arrows move, Space puts the pen down and lifts it, Del "
                    "clears."));
}

QRectF DrawPad::field() const {
    const double cell = std::max(
        1.0, std::floor(std::min(static_cast<double>(width() - 4) / drawing_.width, static_cast<double>(height() - 4) / drawing_.height)));
    const double w = cell * drawing_.width, h = cell * drawing_.height;
    return {std::round((width() - w) / 2), 2, w, h};  // at the top, level with the answer beside it
}

QPointF DrawPad::toGrid(QPointF point) const {
    const QRectF box = field();
    return {(point.x() - box.left()) / box.width() * drawing_.width, (point.y() - box.top()) / box.height() * drawing_.height};
}

// Draws with a round pen about two cells wide, soft at its edge as the digits of MNIST are. What lies under it stays where that is brighter
// (grey), or shows through its edge (colour).
void DrawPad::dab(QPointF at, bool rub_out) {
    const std::array<int, 3> ink{color_.red(), color_.green(), color_.blue()};
    for (int y = std::max(0, static_cast<int>(at.y()) - 2); y <= std::min(drawing_.height - 1, static_cast<int>(at.y()) + 2); ++y) {
        for (int x = std::max(0, static_cast<int>(at.x()) - 2); x <= std::min(drawing_.width - 1, static_cast<int>(at.x()) + 2); ++x) {
            const double distance = std::hypot(x + 0.5 - at.x(), y + 0.5 - at.y());
            const double share = std::clamp(kPenRadius + 0.6 - distance, 0.0, 1.0);
            if (share <= 0) continue;
            char* pixel = drawing_.pixels.data() + (static_cast<qsizetype>(y) * drawing_.width + x) * drawing_.channels;
            for (int channel = 0; channel < drawing_.channels; ++channel) {
                const int before = static_cast<unsigned char>(pixel[channel]);
                const int wanted = ink[static_cast<std::size_t>(channel)];
                const int mixed = static_cast<int>(before + (wanted - before) * share);
                const int after = drawing_.channels == 1 ? std::max(before, static_cast<int>(share * wanted)) : mixed;
                pixel[channel] = static_cast<char>(rub_out ? 0 : after);
            }
        }
    }
}

void DrawPad::stroke(QPointF from, QPointF to, bool rub_out) {
    shown_.reset();
    const double length = std::hypot(to.x() - from.x(), to.y() - from.y());
    const int steps = std::max(1, static_cast<int>(std::ceil(length * 3)));
    for (int i = 0; i <= steps; ++i) dab(from + (to - from) * i / steps, rub_out);
    update();
    settle_.start();
    emit touched();
}

void DrawPad::paintEvent(QPaintEvent*) {
    const theme::Theme& t = themes_.theme();
    QPainter painter(this);
    const QRectF box = field();
    painter.drawImage(box, imageOf(shown_.value_or(drawing_)));
    painter.setRenderHint(QPainter::Antialiasing);
    widgets::paintBox(painter, box.adjusted(-1, -1, 1, 1), 2, QColor(), focused_ ? t.accent : t.border_strong, focused_ ? 2 : 1);
    if (!focused_) return;
    const double cell = box.width() / drawing_.width;
    painter.setPen(QPen(pen_down_ ? t.ok : t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawEllipse(QPointF(box.left() + pen_.x() * cell, box.top() + pen_.y() * cell), kPenRadius * cell + 2, kPenRadius * cell + 2);
}

void DrawPad::mousePressEvent(QMouseEvent* event) {
    last_ = toGrid(event->position());
    stroke(last_, last_, event->button() == Qt::RightButton);
}

void DrawPad::mouseMoveEvent(QMouseEvent* event) {
    if (!(event->buttons() & (Qt::LeftButton | Qt::RightButton))) return;
    const QPointF now = toGrid(event->position());
    stroke(last_, now, event->buttons() & Qt::RightButton);
    last_ = now;
}

void DrawPad::keyPressEvent(QKeyEvent* event) {
    QPointF by;
    switch (event->key()) {
        case Qt::Key_Up:
            by = {0, -1};
            break;
        case Qt::Key_Down:
            by = {0, 1};
            break;
        case Qt::Key_Left:
            by = {-1, 0};
            break;
        case Qt::Key_Right:
            by = {1, 0};
            break;
        case Qt::Key_Space:
            pen_down_ = !pen_down_;
            if (pen_down_) stroke(pen_, pen_, false);
            return update();
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            return clear();
        case Qt::Key_F:
            if (drawing_.channels == 3) return fill();
            return QWidget::keyPressEvent(event);
        default:
            if (drawing_.channels == 3 && event->key() >= Qt::Key_1 && event->key() < Qt::Key_1 + PenColors::kCount) {
                emit colorWanted(event->key() - Qt::Key_1);
                return;
            }
            return QWidget::keyPressEvent(event);
    }
    const QPointF to(std::clamp(pen_.x() + by.x(), 0.5, drawing_.width - 0.5), std::clamp(pen_.y() + by.y(), 0.5, drawing_.height - 0.5));
    if (pen_down_) stroke(pen_, to, false);
    pen_ = to;
    update();
}

void DrawPad::focusInEvent(QFocusEvent* event) {
    focused_ = widgets::byKeyboard(event->reason());
    update();
}

void DrawPad::focusOutEvent(QFocusEvent*) {
    focused_ = pen_down_ = false;
    update();
}

// ---- colours -------------------------------------------------------------------------------------------------------------------------

PenColors::PenColors(const theme::ThemeController& themes, QWidget* parent) : QWidget(parent), themes_(themes) {
    setObjectName("penColors");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    group_ = new QButtonGroup(this);
    for (int color = 0; color < kCount; ++color) {
        auto* swatch = new QToolButton(this);
        swatch->setObjectName(QStringLiteral("penColor%1").arg(color + 1));
        swatch->setCheckable(true);
        swatch->setFixedSize(kSwatchButton, kSwatchButton);
        swatch->setIconSize({kSwatch, kSwatch});
        swatch->setProperty("compact", true);
        group_->addButton(swatch, color);
        row->addWidget(swatch);
    }
    row->addStretch();
    group_->button(0)->setChecked(true);
    connect(group_, &QButtonGroup::idToggled, this, [this](int color, bool on) {
        paintSwatches();
        if (on) emit colorChosen(colorOf(color));
    });
    connect(&themes, &theme::ThemeController::themeChanged, this, &PenColors::paintSwatches);
    paintSwatches();
}

QColor PenColors::colorOf(int color) {
    return QColor::fromRgb(kColors[static_cast<std::size_t>(color)]);
}

void PenColors::choose(int color) {
    group_->button(color)->setChecked(true);
}

void PenColors::paintSwatches() {
    for (int color = 0; color < kCount; ++color) {
        QPixmap picture(QSize(kSwatch, kSwatch) * devicePixelRatio());
        picture.setDevicePixelRatio(devicePixelRatio());
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        const theme::Theme& t = themes_.theme();
        const QRectF whole(0, 0, kSwatch, kSwatch);
        widgets::paintBox(painter, whole.adjusted(3, 3, -3, -3), 3, colorOf(color), t.border_strong, 1);
        if (group_->button(color)->isChecked()) widgets::paintBox(painter, whole, theme::kRadiusControl, QColor(), t.accent, 2);
        group_->button(color)->setIcon(QIcon(picture));
    }
}

void PenColors::retranslate() {
    const QStringList names{tr("White"), tr("Black"), tr("Grey"), tr("Red"), tr("Yellow"), tr("Green"), tr("Blue"), tr("Brown")};
    for (int color = 0; color < kCount; ++color) {
        group_->button(color)->setToolTip(tr("%1 (%2)").arg(names[color]).arg(color + 1));
        group_->button(color)->setAccessibleName(names[color]);
    }
    setAccessibleName(tr("Colour of the pen"));
}

}  // namespace ui::views

#include "moc_draw_pad.cpp"
