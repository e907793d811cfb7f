// SPDX-License-Identifier: GPL-3.0-or-later
// Which projects were opened before, the latest first, as the settings keep them. Owned by Session; GUI thread only.
#pragma once

#include <QObject>
#include <QString>
#include <vector>

#include "ui/session/values.h"

class QSettings;

namespace ui::session {

class Starters;

class RecentProjects : public QObject {
    Q_OBJECT
public:
    // `settings` may be null: then nothing is remembered. Both outlive it.
    RecentProjects(QSettings* settings, const Starters& starters) : settings_(settings), starters_(starters) {}

    // Returns the projects that are still there.
    std::vector<RecentProject> list() const;
    // Called when a project with these values was opened or saved at `path`, or launched from a starter's place.
    void remember(const QString& path, const engine::spec::RunSpec& spec);

signals:
    void changed();

private:
    QSettings* const settings_;
    const Starters& starters_;
};

}  // namespace ui::session
