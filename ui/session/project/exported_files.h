// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the studio writes into a folder of the user's.
#pragma once

#include <QString>
#include <QStringList>
#include <vector>

#include "ui/session/values.h"

namespace engine::launch {
struct LaunchFile;
}

namespace ui::session {

class EventList;

// Returns those of `names` that lie in `folder` already.
QStringList filesThere(const QString& folder, const QStringList& names);
// Writes the files below `folder`, which is made; each under another name that is then renamed. An empty detail is success, which `events`
// hears of; on an error the files that were there before are untouched from the failing one on.
ErrorInfo writeFiles(EventList& events, const QString& folder, const std::vector<engine::launch::LaunchFile>& files);

}  // namespace ui::session
