// SPDX-License-Identifier: GPL-3.0-or-later
// State as dot or icon and word on a tinted pill.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

enum class PillTone { kNeutral, kOk, kWarn, kError, kAccent };
enum class PillMark { kDot, kHollowDot, kCheck, kNone };

class StatusPill : public QWidget {
    Q_OBJECT
public:
    explicit StatusPill(const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setState(PillTone tone, const QString& text, PillMark mark = PillMark::kDot);
    QString text() const { return text_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    PillTone tone_ = PillTone::kNeutral;
    PillMark mark_ = PillMark::kDot;
    QString text_;
};

}  // namespace ui::widgets
