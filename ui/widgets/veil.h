// SPDX-License-Identifier: GPL-3.0-or-later
// Dims the window and holds one dialog in its middle, with the dialog's ground, edge and shadow. The dialog is a child, not a window of its
// own, so it looks alike with every window manager; keyboard focus stays inside it until it is finished.
#pragma once

#include <QPointer>
#include <QWidget>

#include "ui/theme/theme_controller.h"

class QDialog;

namespace ui::widgets {

class Veil : public QWidget {
    Q_OBJECT
public:
    // Takes the dialog, shows both, deletes both when the dialog finishes. `wanted` shrinks with the window.
    Veil(const theme::ThemeController& themes, QWidget* host, QDialog* dialog, const QSize& wanted);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void place();

    const theme::ThemeController& themes_;
    QPointer<QDialog> dialog_;
    QPointer<QWidget> focus_before_;
    const QSize wanted_;
};

}  // namespace ui::widgets
