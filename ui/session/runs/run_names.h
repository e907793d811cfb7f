// SPDX-License-Identifier: GPL-3.0-or-later
// What runs are called that nobody named: the project's name, behind it a number from the second run on.
#pragma once

#include <QRegularExpression>

#include "ui/session/values.h"

namespace ui::session {

inline QString numberedName(const QString& project, int number) {
    return QStringLiteral("%1 (%2)").arg(project).arg(number);
}

// Returns the name for files of a run: its name as far as every file system takes it, "mnist-2" for "mnist (2)"; its id when nothing is
// left.
inline QString fileStemOf(const RunSummary& run) {
    static const QRegularExpression other(QStringLiteral("[^\\p{L}\\p{N}_.]+"), QRegularExpression::UseUnicodePropertiesOption);
    constexpr int kMostLength = 80;
    QString stem = run.name.left(kMostLength);
    stem.replace(other, QStringLiteral("-"));
    while (!stem.isEmpty() && (stem.front() == u'-' || stem.front() == u'.')) stem.remove(0, 1);
    while (stem.endsWith(u'-')) stem.chop(1);
    return stem.isEmpty() ? run.id : stem;
}

// 1 for the project's name alone; 0: nobody's or another project's.
inline int numberOf(const RunSummary& run, const QString& project) {
    if (!run.given_name.isEmpty() || !run.name.startsWith(project)) return 0;
    const QString behind = run.name.mid(project.size());
    if (behind.isEmpty()) return 1;
    return behind.startsWith(" (") && behind.endsWith(')') ? behind.mid(2).chopped(1).toInt() : 0;
}

}  // namespace ui::session
