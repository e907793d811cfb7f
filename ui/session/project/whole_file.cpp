// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/whole_file.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace ui::session {

QString writeWholeFile(const QString& path, QByteArrayView bytes) {
    QSaveFile file(path);
    // Unbuffered: QSaveFile::commit() takes no notice of a buffer that a full disk refused, and puts an empty file in place.
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return file.errorString();
    for (qsizetype done = 0; done < bytes.size();) {
        const qint64 wrote = file.write(bytes.data() + done, bytes.size() - done);
        if (wrote <= 0) return file.errorString();
        done += wrote;
    }
    return file.commit() ? QString() : file.errorString();
}

QByteArray readWholeFile(const QString& path, QString& problem) {
    const QFileInfo facts(path);
    QFile file(path);
    if (facts.exists() && !facts.isFile()) {
        problem =
            facts.isDir() ? QStringLiteral("expected a file, got a folder") : QStringLiteral("expected a file, got a pipe or a device");
    } else if (file.open(QIODevice::ReadOnly)) {
        return file.readAll();
    } else {
        problem = file.errorString();
    }
    return {};
}

QByteArray readNamedFile(const QString& path, QString& problem) {
    QByteArray bytes = readWholeFile(path, problem);
    if (!problem.isEmpty()) problem = QStringLiteral("%1: expected a readable file: %2").arg(path, problem);
    return bytes;
}

}  // namespace ui::session
