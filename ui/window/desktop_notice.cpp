// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/desktop_notice.h"

#include <QSystemTrayIcon>
#include <QTimer>
#include <QWidget>

namespace ui::views {
namespace {

constexpr int kShownMs = 8000;

}  // namespace

DesktopNotice::DesktopNotice(QWidget& window) : QObject(&window), window_(window) {}

bool DesktopNotice::isPossible() {
    return QSystemTrayIcon::isSystemTrayAvailable() && QSystemTrayIcon::supportsMessages();
}

void DesktopNotice::say(const QString& title, const QString& text) {
    if (window_.isActiveWindow() || !isPossible()) return;
    if (icon_.isNull()) {
        icon_ = new QSystemTrayIcon(window_.windowIcon(), this);
        connect(icon_, &QSystemTrayIcon::messageClicked, &window_, [this] {
            window_.showNormal();
            window_.raise();
            window_.activateWindow();
        });
    }
    icon_->show();
    icon_->showMessage(title, text, window_.windowIcon(), kShownMs);
    // The icon is there for its message alone.
    QTimer::singleShot(kShownMs + 2000, icon_, &QSystemTrayIcon::hide);
}

}  // namespace ui::views

#include "moc_desktop_notice.cpp"
