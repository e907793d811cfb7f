// SPDX-License-Identifier: GPL-3.0-or-later
// On or off at once, without an Apply. Space toggles.
#pragma once

#include <QAbstractButton>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

class SwitchButton : public QAbstractButton {
    Q_OBJECT
public:
    explicit SwitchButton(const theme::ThemeController& themes, QWidget* parent = nullptr);
    QSize sizeHint() const override { return {36, 24}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
};

}  // namespace ui::widgets
