// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dock_splitter.h"

#include <QStringList>
#include <algorithm>

namespace ui::widgets {

DockSplitter::DockSplitter(Qt::Orientation orientation, const QString& name, QWidget* parent) : QSplitter(orientation, parent) {
    setObjectName(name);
    setHandleWidth(1);
    setChildrenCollapsible(false);
    connect(this, &QSplitter::splitterMoved, this, &DockSplitter::takeDrag);
}

int DockSplitter::length() const {
    return orientation() == Qt::Horizontal ? width() : height();
}

void DockSplitter::setDock(int part, const Sizes& sizes) {
    docks_[part].sizes = sizes;
    setStretchFactor(part, 0);
    QWidget* dock = widget(part);
    orientation() == Qt::Horizontal ? dock->setMinimumWidth(sizes.least) : dock->setMinimumHeight(sizes.least);
    arrange();
}

void DockSplitter::setNarrow(bool narrow) {
    narrow_ = narrow;
    arrange();
}

int DockSplitter::target(const Dock& dock) const {
    const int dragged = narrow_ ? dock.narrow : dock.wide;
    const int designed = narrow_ ? dock.sizes.narrow : dock.sizes.wide;
    return std::clamp(dragged > 0 ? dragged : designed, dock.sizes.least, bound(dock));
}

int DockSplitter::bound(const Dock& dock) const {
    return std::max(dock.sizes.least, std::min(dock.sizes.most, static_cast<int>(dock.sizes.most_share * length())));
}

// Returns the first part that is no dock; when all are docks, the last one that is shown. -1: nothing is shown.
int DockSplitter::restPart() const {
    int rest = -1;
    for (int part = 0; part < count(); ++part) {
        if (isPutAway(widget(part))) continue;
        if (docks_.find(part) == docks_.end()) return part;
        rest = part;
    }
    return rest;
}

void DockSplitter::arrange() {
    const int rest = restPart();
    if (rest < 0) return;
    QList<int> sizes;
    int left = length();
    for (int part = 0; part < count(); ++part) {
        const auto dock = docks_.find(part);
        const bool shown = !isPutAway(widget(part));
        const bool fixed = dock != docks_.end() && part != rest;
        if (dock != docks_.end()) {
            const int most = fixed ? bound(dock->second) : QWIDGETSIZE_MAX;
            orientation() == Qt::Horizontal ? widget(part)->setMaximumWidth(most) : widget(part)->setMaximumHeight(most);
        }
        sizes.push_back(fixed && shown ? target(dock->second) : 0);
        left -= sizes.back() + (shown && part > 0 ? handleWidth() : 0);
    }
    sizes[rest] = std::max(1, left);
    setSizes(sizes);
}

void DockSplitter::takeDrag() {
    const QList<int> now = sizes();
    bool news = false;
    for (auto& [part, dock] : docks_) {
        if (isPutAway(widget(part)) || part == restPart() || now[part] == target(dock)) continue;
        (narrow_ ? dock.narrow : dock.wide) = now[part];
        news = true;
    }
    if (news) emit chosenChanged();
}

QString DockSplitter::chosen() const {
    QStringList parts;
    for (const auto& [part, dock] : docks_) {
        if (dock.wide > 0 || dock.narrow > 0) parts << QStringLiteral("%1:%2,%3").arg(part).arg(dock.wide).arg(dock.narrow);
    }
    return parts.join(QLatin1Char(' '));
}

void DockSplitter::setChosen(const QString& text) {
    for (auto& [part, dock] : docks_) dock.wide = dock.narrow = 0;
    for (const QString& entry : text.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const QStringList numbers = entry.section(QLatin1Char(':'), 1).split(QLatin1Char(','));
        const auto dock = docks_.find(entry.section(QLatin1Char(':'), 0, 0).toInt());
        if (dock == docks_.end() || numbers.size() != 2) continue;
        dock->second.wide = std::clamp(numbers[0].toInt(), 0, QWIDGETSIZE_MAX);
        dock->second.narrow = std::clamp(numbers[1].toInt(), 0, QWIDGETSIZE_MAX);
    }
    arrange();
}

void DockSplitter::resizeEvent(QResizeEvent* event) {
    QSplitter::resizeEvent(event);
    arrange();
}

}  // namespace ui::widgets

#include "moc_dock_splitter.cpp"
