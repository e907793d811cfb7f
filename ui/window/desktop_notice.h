// SPDX-License-Identifier: GPL-3.0-or-later
// A word to the desktop when the window is not the one in use: a run is done, a run failed. Silent where the desktop shows none.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>

class QSystemTrayIcon;
class QWidget;

namespace ui::views {

class DesktopNotice : public QObject {
    Q_OBJECT
public:
    explicit DesktopNotice(QWidget& window);
    // Tells the desktop; does nothing while the window is active.
    void say(const QString& title, const QString& text);
    // True when the desktop can show a notice.
    static bool isPossible();

private:
    QWidget& window_;
    QPointer<QSystemTrayIcon> icon_;  // made for the first notice
};

}  // namespace ui::views
