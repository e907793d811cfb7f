// SPDX-License-Identifier: GPL-3.0-or-later
// Runs that Tandem did not make: read from TensorBoard's event files, which are watched and not governed.
#pragma once

#include <QString>

#include "ui/session/values.h"

namespace ui::session {

// Where the event files of such a run lie; empty for any other run.
inline QString eventFolderOf(const RunSummary& run) {
    return run.followed && run.imported_from.startsWith(QLatin1Char('/')) ? run.imported_from : QString();
}

// Whether `folder` or one below it has event files.
bool holdsEventFiles(const QString& folder);
// Whether it is the name of such a file.
bool isEventFile(const QString& name);

}  // namespace ui::session
