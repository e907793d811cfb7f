// SPDX-License-Identifier: GPL-3.0-or-later
// What studios that ended without saving left, and the care that this one leaves it too: unsaved changes are written aside as they are
// made. Owned by Session; GUI thread only.
#pragma once

#include <QObject>
#include <memory>
#include <vector>

#include "ui/session/project/recovery.h"

namespace ui::session {

class EventList;
class Project;

class Leftovers : public QObject {
    Q_OBJECT
public:
    // `folder` empty: nothing is written aside, nothing is found. The others outlive it.
    Leftovers(const QString& folder, int delay_ms, Project& project, EventList& events);

    const std::vector<Leftover>& list() const;  // newest first
    // Opens a leftover as it was, modified; false when `id` is none of them. The present project must have been saved or given up before.
    bool recover(const QString& id);
    void discard(const QString& id);
    // Called when the user closes without saving: nothing of the project is offered again.
    void giveUpChanges();

signals:
    void changed();

private:
    void keepAside();

    Project& project_;
    std::unique_ptr<Recovery> recovery_;  // null where nothing is written aside
};

}  // namespace ui::session
