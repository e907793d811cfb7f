// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are there whole or not at all.
#pragma once

#include <QByteArrayView>
#include <QString>

namespace ui::session {

// Writes beside `path` and renames over it. Empty when it is done; else why not, in the system's words, and the earlier file is untouched.
QString writeWholeFile(const QString& path, QByteArrayView bytes);

}  // namespace ui::session
