// SPDX-License-Identifier: GPL-3.0-or-later
// A column as tall as what is in it; where room is short it shrinks and scrolls. Several of them in one layout share what there is.
#pragma once

#include <QScrollArea>

namespace ui::widgets {

class FitScroll : public QScrollArea {
    Q_OBJECT
public:
    // The area is never lower than `least` logical pixels, or than its content when that is lower.
    FitScroll(int least, QWidget* parent);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    int contentHeight() const;
    const int least_;
};

}  // namespace ui::widgets
