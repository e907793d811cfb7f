// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that Tandem did not make: read from TensorBoard's event files, which are watched and not governed.
#pragma once

#include <QString>

#include "ui/session/values.h"

namespace ui::session {

// Returns the folder of the event files that a followed run is read from; empty for any other run.
inline QString eventFolderOf(const RunSummary& run) {
    return run.followed && run.imported_from.startsWith(QLatin1Char('/')) ? run.imported_from : QString();
}

// True when `folder` or one below it has event files.
bool holdsEventFiles(const QString& folder);
// True when `name` is the name of an event file.
bool isEventFile(const QString& name);

}  // namespace ui::session
