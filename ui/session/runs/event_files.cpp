// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/event_files.h"

#include "agent/client/followed_folder.h"

namespace ui::session {

bool holdsEventFiles(const QString& folder) {
    return agent::client::holdsEventFiles(folder.toStdString());
}

bool isEventFile(const QString& name) {
    return agent::client::isEventFile(name.toStdString());
}

}  // namespace ui::session
