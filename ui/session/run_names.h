// SPDX-License-Identifier: GPL-3.0-or-later
// What runs are called that nobody named: the project's name, behind it a number from the second run on.
#pragma once

#include "ui/session/values.h"

namespace ui::session {

inline QString numberedName(const QString& project, int number) {
    return QStringLiteral("%1 (%2)").arg(project).arg(number);
}

// 1 for the project's name alone; 0: nobody's or another project's.
inline int numberOf(const RunSummary& run, const QString& project) {
    if (!run.given_name.isEmpty() || !run.name.startsWith(project)) return 0;
    const QString behind = run.name.mid(project.size());
    if (behind.isEmpty()) return 1;
    return behind.startsWith(" (") && behind.endsWith(')') ? behind.mid(2).chopped(1).toInt() : 0;
}

}  // namespace ui::session
