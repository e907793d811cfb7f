// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model/paste_notice.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>
#include <algorithm>

#include "ui/model/square_button.h"
#include "ui/widgets/text_label.h"

namespace ui::views {

namespace {

constexpr int kWidth = 360;

}  // namespace

PasteNotice::PasteNotice(QWidget& over, const theme::ThemeController& themes, QWidget* parent)
    : CardFrame(themes, widgets::FrameKind::kCard, parent), over_(over) {
    setObjectName(QStringLiteral("modelNotice"));
    text_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText, this);
    text_->setObjectName(QStringLiteral("modelNoticeText"));
    text_->setWordWrap(true);
    close_ = squareButton(this, themes, "close", "modelNoticeClose");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kSpace4, theme::kSpace2, theme::kSpace2, theme::kSpace2);
    row->setSpacing(theme::kSpace2);
    row->addWidget(text_, 1);
    row->addWidget(close_, 0, Qt::AlignTop);
    connect(close_, &QToolButton::clicked, this, [this] {
        hide();
        emit closed();
    });
    over_.installEventFilter(this);
    hide();
}

void PasteNotice::say(const QString& text) {
    text_->setText(text);
    show();
    place();
}

void PasteNotice::place() {
    if (!isVisible()) return;
    const QPoint corner = over_.mapTo(parentWidget(), QPoint(theme::kSpace4, over_.height() - theme::kSpace4));
    const int width = std::min(kWidth, over_.width() - 2 * theme::kSpace4);
    const int height = std::max(layout()->heightForWidth(width), theme::kCompactHeight + 2 * theme::kSpace2);
    setGeometry(corner.x(), corner.y() - height, width, height);
    raise();
}

bool PasteNotice::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &over_ && event->type() == QEvent::Resize) place();
    return CardFrame::eventFilter(watched, event);
}

void PasteNotice::retranslate() {
    close_->setToolTip(tr("Close"));
    close_->setAccessibleName(tr("Close"));
}

}  // namespace ui::views

#include "moc_paste_notice.cpp"
