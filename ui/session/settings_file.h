// SPDX-License-Identifier: GPL-3.0-or-later
// Files of the studio that were damaged: kept under another name, begun anew.
#pragma once

#include <QString>

class QSettings;

namespace ui::session {

// Renames `file` to FILE.damaged, or FILE.damaged-2, … where that is taken. The new path; empty when that is not possible, the file then is
// where it was.
QString putAside(const QString& file);

struct DamagedSettings {
    QString file, aside;  // aside: empty when the damaged file could not be renamed
};

// Puts a settings file aside that QSettings can't read whole; the values that it can read are in the new one. An empty `file`: nothing is
// wrong. GUI thread, once, before anything else writes to `settings`.
DamagedSettings mendSettings(QSettings& settings);

}  // namespace ui::session
