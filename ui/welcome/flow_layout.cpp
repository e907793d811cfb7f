// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/flow_layout.h"

#include <algorithm>
#include <utility>

namespace ui::views {

FlowLayout::FlowLayout(int spacing) {
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() = default;

void FlowLayout::addItem(QLayoutItem* item) {
    items_.emplace_back(item);
}

QLayoutItem* FlowLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* FlowLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

int FlowLayout::heightForWidth(int width) const {
    return place({0, 0, width, 0}, Moves::kNo);
}

QSize FlowLayout::minimumSize() const {
    QSize size;
    for (const auto& item : items_) size = size.expandedTo(item->sizeHint());
    return size;
}

QSize FlowLayout::sizeHint() const {
    int width = 0, height = 0;
    for (const auto& item : items_) {
        if (item->isEmpty()) continue;
        width += (width > 0 ? spacing() : 0) + item->sizeHint().width();
        height = std::max(height, item->sizeHint().height());
    }
    return {width, height};
}

void FlowLayout::setGeometry(const QRect& area) {
    QLayout::setGeometry(area);
    place(area, Moves::kYes);
}

int FlowLayout::place(const QRect& area, Moves moves) const {
    int top = area.top();
    for (std::size_t begin = 0; begin < items_.size();) {
        // A row ends before the first widget that does not fit, but holds one at least.
        std::size_t end = begin;
        int width = 0, height = 0;
        for (; end < items_.size(); ++end) {
            if (items_[end]->isEmpty()) continue;
            const QSize size = items_[end]->sizeHint();
            const int wider = width + (width > 0 ? spacing() : 0) + size.width();
            if (width > 0 && wider > area.width()) break;
            width = wider;
            height = std::max(height, size.height());
        }
        if (height > 0 && top > area.top()) top += spacing();
        int left = area.left();
        for (std::size_t i = begin; moves == Moves::kYes && i < end; ++i) {
            if (items_[i]->isEmpty()) continue;
            const QSize size = items_[i]->sizeHint();
            items_[i]->setGeometry({QPoint(left, top + (height - size.height()) / 2), size});
            left += size.width() + spacing();
        }
        top += height;
        begin = end;
    }
    return top - area.top();
}

}  // namespace ui::views
