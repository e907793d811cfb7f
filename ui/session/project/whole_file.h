// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are there whole or not at all.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace ui::session {

// Writes a file beside `path` and renames it over that. Returns an empty text when it is done; else why not, in the system's words, and the
// earlier file is untouched.
QString writeWholeFile(const QString& path, QByteArrayView bytes);

// Returns all of a regular file; empty with `problem` set when it can't be read, in the system's words, or when it is no regular file:
// opening a pipe would wait for whoever writes to it.
QByteArray readWholeFile(const QString& path, QString& problem);

// The same as readWholeFile(); the problem names the file.
QByteArray readNamedFile(const QString& path, QString& problem);

}  // namespace ui::session
