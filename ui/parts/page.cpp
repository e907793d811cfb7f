// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/page.h"

#include <QEvent>
#include <QKeyEvent>
#include <QShortcut>

namespace ui::views {

void Page::foldSidebar(bool folded) {
    if (sidebar() == nullptr || widgets::DockSplitter::isPutAway(sidebar()) == folded) return;
    sidebar()->setVisible(!folded);
    for (widgets::DockSplitter* splitter : splitters()) splitter->arrange();
    emit sidebarFolded(folded);
}

void Page::toggleSidebar() {
    if (sidebar() != nullptr) foldSidebar(!widgets::DockSplitter::isPutAway(sidebar()));
}

void Page::resetLayout() {
    foldSidebar(false);
    for (widgets::DockSplitter* splitter : splitters()) splitter->reset();
}

void Page::onKeys(const QList<QKeySequence>& keys, const std::function<void()>& act) {
    auto* shortcut = new QShortcut(this);
    shortcut->setKeys(keys);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, act);
}

void Page::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Cancel) && leaveView()) return;
    QWidget::keyPressEvent(event);
}

void Page::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

}  // namespace ui::views

#include "moc_page.cpp"
