// SPDX-License-Identifier: GPL-3.0-or-later
// A label in one of the text roles and inks; follows the theme. When elided, it gives way and shows the whole text in its tooltip, above
// what the owner set as one. A label that also wraps is elided only where a single word has no room: there it takes one line.
#pragma once

#include <QLabel>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

enum class Ink { kText, kText2, kText3, kAccent, kOk, kWarn, kError };
QColor inkColor(const theme::Theme& theme, Ink ink);

class TextLabel : public QLabel {
    Q_OBJECT
public:
    TextLabel(const theme::ThemeController& themes, theme::TextRole role, Ink ink = Ink::kText, QWidget* parent = nullptr);

    void setInk(Ink ink);
    void setElided(bool on);
    QSize minimumSizeHint() const override;
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void restyle();
    void keepToolTip(bool is_whole);
    bool wrapsInto(int width) const;

    const theme::ThemeController& themes_;
    const theme::TextRole role_;
    Ink ink_;
    bool elided_ = false;
    QString hint_;     // the tooltip that the owner set
    QString own_tip_;  // the tooltip as this label set it: the hint, below the whole text while some of that is left out
};

}  // namespace ui::widgets
