// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are there whole or not at all.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QString>

namespace ui::session {

// Writes beside `path` and renames over it. Empty when it is done; else why not, in the system's words, and the earlier file is untouched.
QString writeWholeFile(const QString& path, QByteArrayView bytes);

// All of a regular file. Empty with `problem` set when it can't be read, in the system's words, or is no file: opening a pipe would wait
// for whoever writes to it.
QByteArray readWholeFile(const QString& path, QString& problem);

// As readWholeFile; the problem names the file.
QByteArray readNamedFile(const QString& path, QString& problem);

}  // namespace ui::session
