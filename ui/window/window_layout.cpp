// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_layout.h"

#include <QSettings>
#include <QVariant>
#include <utility>

#include "ui/widgets/dock_splitter.h"
#include "ui/window/output_panes.h"
#include "ui/window/page_table.h"

namespace ui::views {

namespace {

QString keyOf(std::size_t mode, const QString& what) {
    return QStringLiteral("layout/%1/%2").arg(QLatin1String(pageTable()[mode].key), what);
}

}  // namespace

WindowLayout::WindowLayout(const Pages& pages, widgets::DockSplitter& splitter, PaneHost& panes, QSettings* settings, QObject* parent)
    : QObject(parent), pages_(pages), splitter_(splitter), panes_(panes), settings_(settings) {
    for (std::size_t mode = 0; mode < pages_.size(); ++mode) {
        for (widgets::DockSplitter* one : pages_[mode]->splitters()) {
            connect(one, &widgets::DockSplitter::chosenChanged, this,
                    [this, mode, one] { keep(keyOf(mode, one->objectName()), one->chosen()); });
        }
        connect(pages_[mode], &Page::sidebarFolded, this, [this, mode](bool folded) { keep(keyOf(mode, "folded"), folded); });
    }
    connect(&splitter_, &widgets::DockSplitter::chosenChanged, this, [this] {
        pane_states_[shown_mode_].size = splitter_.chosen();
        keep(keyOf(shown_mode_, "pane_size"), splitter_.chosen());
    });
    connect(&panes_, &PaneHost::openChanged, this, [this](int pane) {
        splitter_.arrange();
        pane_states_[shown_mode_].open = pane;
        keep(keyOf(shown_mode_, "pane"), pane);
    });
}

void WindowLayout::keep(const QString& key, const QVariant& value) {
    if (settings_ && !restoring_) settings_->setValue(key, value);
}

void WindowLayout::restore(Room room) {
    if (!settings_) return;
    restoring_ = true;
    for (std::size_t mode = 0; mode < pages_.size(); ++mode) {
        for (widgets::DockSplitter* splitter : pages_[mode]->splitters())
            splitter->setChosen(settings_->value(keyOf(mode, splitter->objectName())).toString());
        pages_[mode]->foldSidebar(settings_->value(keyOf(mode, "folded")).toBool());
        pane_states_[mode] = {room == Room::kNarrow ? 0 : settings_->value(keyOf(mode, "pane")).toInt(),
                              settings_->value(keyOf(mode, "pane_size")).toString()};
    }
    showPaneOf(shown_mode_);
    restoring_ = false;
}

void WindowLayout::showPaneOf(std::size_t mode) {
    const bool before = std::exchange(restoring_, true);
    shown_mode_ = mode;
    const PaneState state = pane_states_[mode];
    splitter_.setChosen(state.size);
    const bool known = state.open >= 1 && state.open <= kPaneCount && panes_.has(state.open);
    if (state.open != panes_.openPane()) known ? panes_.open(state.open) : panes_.close();
    restoring_ = before;
}

void WindowLayout::reset() {
    for (Page* page : pages_) page->resetLayout();
    pane_states_ = {};
    showPaneOf(shown_mode_);
    if (settings_) settings_->remove("layout");
}

}  // namespace ui::views

#include "moc_window_layout.cpp"
