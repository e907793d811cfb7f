// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of docks and panes, what is folded and which pane is open: one set a mode, kept between starts.
#pragma once

#include <QObject>
#include <QString>
#include <array>
#include <cstddef>

#include "ui/parts/page.h"

class QSettings;
class QVariant;

namespace ui::views {

class PaneHost;

class WindowLayout : public QObject {
    Q_OBJECT
public:
    using Pages = std::array<Page*, kModeCount>;
    enum class Room { kWide, kNarrow };

    // `splitter` has page over pane. All outlive it; `settings` may be null.
    WindowLayout(const Pages& pages, widgets::DockSplitter& splitter, PaneHost& panes, QSettings* settings, QObject* parent);

    // Applies what was kept. In the narrow window no pane opens, because it has no room for one that nobody asked for.
    void restore(Room room);
    // Shows the pane that the mode had when it was left.
    void showPaneOf(std::size_t mode);
    // Brings everything back to the design and forgets what was kept.
    void reset();

private:
    struct PaneState {
        int open = 0;  // 0: none
        QString size;  // as DockSplitter::chosen()
    };

    void keep(const QString& key, const QVariant& value);

    const Pages pages_;
    widgets::DockSplitter& splitter_;
    PaneHost& panes_;
    QSettings* settings_;
    std::array<PaneState, kModeCount> pane_states_{};  // by mode
    std::size_t shown_mode_ = 0;
    bool restoring_ = false;
};

}  // namespace ui::views
