// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of docks and panes, what is folded and which pane is open: one set a mode, kept between starts.
#include <QSettings>
#include <QVariant>
#include <utility>

#include "ui/widgets/dock_splitter.h"
#include "ui/window/main_window.h"
#include "ui/window/output_panes.h"
#include "ui/window/page_table.h"

namespace ui::views {

namespace {

QString keyOf(std::size_t mode, const QString& what) {
    return QStringLiteral("layout/%1/%2").arg(QLatin1String(pageTable()[mode].key), what);
}

}  // namespace

void MainWindow::connectLayout() {
    for (std::size_t mode = 0; mode < pages_.size(); ++mode) {
        for (widgets::DockSplitter* splitter : pages_[mode]->splitters()) {
            connect(splitter, &widgets::DockSplitter::chosenChanged, this,
                    [this, mode, splitter] { keep(keyOf(mode, splitter->objectName()), splitter->chosen()); });
        }
        connect(pages_[mode], &Page::sidebarFolded, this, [this, mode](bool folded) { keep(keyOf(mode, "folded"), folded); });
    }
    connect(splitter_, &widgets::DockSplitter::chosenChanged, this, [this] {
        pane_states_[shown_mode_].size = splitter_->chosen();
        keep(keyOf(shown_mode_, "pane_size"), splitter_->chosen());
    });
    connect(panes_, &PaneHost::openChanged, this, [this](int pane) {
        splitter_->arrange();
        pane_states_[shown_mode_].open = pane;
        keep(keyOf(shown_mode_, "pane"), pane);
    });
}

void MainWindow::keep(const QString& key, const QVariant& value) {
    if (session_.settings() && !restoring_layout_) session_.settings()->setValue(key, value);
}

// The narrow window has no room for a pane that nobody asked for.
void MainWindow::restoreLayout() {
    const QSettings* settings = session_.settings();
    if (!settings) return;
    restoring_layout_ = true;
    for (std::size_t mode = 0; mode < pages_.size(); ++mode) {
        for (widgets::DockSplitter* splitter : pages_[mode]->splitters())
            splitter->setChosen(settings->value(keyOf(mode, splitter->objectName())).toString());
        pages_[mode]->foldSidebar(settings->value(keyOf(mode, "folded")).toBool());
        pane_states_[mode] = {isNarrow() ? 0 : settings->value(keyOf(mode, "pane")).toInt(),
                              settings->value(keyOf(mode, "pane_size")).toString()};
    }
    showPaneOf(shown_mode_);
    restoring_layout_ = false;
}

// What the mode had when it was left.
void MainWindow::showPaneOf(std::size_t mode) {
    const bool before = std::exchange(restoring_layout_, true);
    shown_mode_ = mode;
    const PaneState state = pane_states_[mode];
    splitter_->setChosen(state.size);
    const bool known = state.open >= 1 && state.open <= kPaneCount && panes_->has(state.open);
    if (state.open != panes_->openPane()) known ? panes_->open(state.open) : panes_->close();
    restoring_layout_ = before;
}

void MainWindow::resetLayout() {
    for (Page* page : pages_) page->resetLayout();
    pane_states_ = {};
    showPaneOf(shown_mode_);
    if (session_.settings()) session_.settings()->remove("layout");
}

}  // namespace ui::views
