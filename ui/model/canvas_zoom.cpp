// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/canvas_zoom.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

#include "ui/canvas/model_canvas.h"
#include "ui/model/square_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

namespace {

constexpr int kPercentWidth = 46, kEdge = 2;

}  // namespace

CanvasZoom::CanvasZoom(canvas::ModelCanvas& canvas, const theme::ThemeController& themes)
    : CardFrame(themes, widgets::FrameKind::kCard, &canvas), canvas_(canvas) {
    out_ = squareButton(this, themes, "minus", "zoomOut");
    in_ = squareButton(this, themes, "plus", "zoomIn");
    fit_ = squareButton(this, themes, "fit", "zoomFit");
    auto* percent = new widgets::TextLabel(themes, theme::TextRole::kMono, widgets::Ink::kText, this);
    percent->setAlignment(Qt::AlignCenter);
    percent->setFixedWidth(kPercentWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(kEdge, kEdge, kEdge, kEdge);
    row->setSpacing(0);
    for (QWidget* part : std::initializer_list<QWidget*>{out_, percent, in_, fit_}) row->addWidget(part);
    adjustSize();
    connect(out_, &QToolButton::clicked, this, [this] { canvas_.zoomBy(-1); });
    connect(in_, &QToolButton::clicked, this, [this] { canvas_.zoomBy(1); });
    connect(fit_, &QToolButton::clicked, &canvas_, &canvas::ModelCanvas::fit);
    const auto show = [percent](int value) { percent->setText(QStringLiteral("%1 %").arg(value)); };
    connect(&canvas_, &canvas::ModelCanvas::zoomChanged, this, show);
    show(canvas_.zoomPercent());
    canvas_.installEventFilter(this);
}

void CanvasZoom::place() {
    move(canvas_.width() - width() - theme::kSpace4, canvas_.height() - height() - theme::kSpace4);
    raise();
}

bool CanvasZoom::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &canvas_ && event->type() == QEvent::Resize) place();
    return CardFrame::eventFilter(watched, event);
}

void CanvasZoom::retranslate() {
    in_->setToolTip(tr("Larger (Shift+Up)"));
    out_->setToolTip(tr("Smaller (Shift+Down)"));
    fit_->setToolTip(tr("Fit the whole model"));
    for (QToolButton* button : {in_, out_, fit_}) button->setAccessibleName(button->toolTip());
}

}  // namespace ui::views

#include "moc_canvas_zoom.cpp"
