// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recovery_bar.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPushButton>

#include "ui/session/project/leftovers.h"
#include "ui/session/project/recovery.h"
#include "ui/widgets/buttons.h"
#include "ui/widgets/text_label.h"

namespace ui::views {
namespace {

constexpr int kHeight = 44;

}  // namespace

RecoveryBar::RecoveryBar(session::Leftovers& leftovers, const theme::ThemeController& themes, QWidget* parent)
    : QWidget(parent), leftovers_(leftovers), themes_(themes) {
    setObjectName("recoveryBar");
    setFixedHeight(kHeight);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(theme::kSpace6 + 28, 0, theme::kSpace4, 1);
    row->setSpacing(theme::kSpace2);
    what_ = new widgets::TextLabel(themes, theme::TextRole::kBody, widgets::Ink::kText, this);
    what_->setElided(true);
    more_ = new widgets::TextLabel(themes, theme::TextRole::kSmall, widgets::Ink::kText2, this);
    restore_ = widgets::makeButton(themes, {.object_name = "recoveryRestore", .compact = true}, this);
    discard_ = widgets::makeButton(themes, {.object_name = "recoveryDiscard", .compact = true}, this);
    later_ = widgets::makeButton(
        themes, {.object_name = "recoveryLater", .icon = "close", .kind = widgets::ButtonKind::kGhost, .compact = true}, this);
    row->addWidget(what_, 1);
    row->addWidget(more_);
    row->addWidget(restore_);
    row->addWidget(discard_);
    row->addWidget(later_);
    connect(restore_, &QPushButton::clicked, this, [this] {
        if (!leftovers_.list().empty()) emit restoreRequested(leftovers_.list().front().id);
    });
    connect(discard_, &QPushButton::clicked, this, [this] {
        if (!leftovers_.list().empty()) leftovers_.discard(leftovers_.list().front().id);
    });
    connect(later_, &QPushButton::clicked, this, [this] {
        postponed_ = true;
        refresh();
    });
    connect(&leftovers_, &session::Leftovers::changed, this, &RecoveryBar::refresh);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
    retranslate();
}

void RecoveryBar::retranslate() {
    restore_->setText(tr("Restore"));
    discard_->setText(tr("Discard"));
    later_->setToolTip(tr("Ask again at the next start"));
    later_->setAccessibleName(later_->toolTip());
    refresh();
}

void RecoveryBar::refresh() {
    const auto& left = leftovers_.list();
    setVisible(!left.empty() && !postponed_);
    if (left.empty()) return;
    const QDateTime changed = QDateTime::fromMSecsSinceEpoch(left.front().changed_unix_ms);
    what_->setText(tr("%1 has changes of %2 that were not saved when the studio ended.")
                       .arg(left.front().title, QLocale().toString(changed, QLocale::ShortFormat)));
    setAccessibleName(what_->text());
    more_->setText(left.size() > 1 ? tr("and %n more", nullptr, static_cast<int>(left.size()) - 1) : QString());
}

void RecoveryBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const theme::Theme& t = themes_.theme();
    painter.fillRect(rect(), t.warn_tint);
    painter.fillRect(QRect(0, height() - 1, width(), 1), t.border);
    themes_.paintIcon(painter, "warning", QRectF(theme::kSpace6, height() / 2.0 - 9, 18, 18), t.warn);
}

}  // namespace ui::views

#include "moc_recovery_bar.cpp"
