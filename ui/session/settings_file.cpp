// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/settings_file.h"

#include <QFile>
#include <QRegularExpression>
#include <QSettings>
#include <QVariant>
#include <algorithm>
#include <map>

namespace ui::session {
namespace {

// QSettings writes every control character as an escape.
bool holdsControlCharacters(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return false;
    const QByteArray bytes = file.readAll();
    return std::any_of(bytes.begin(), bytes.end(), [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
}

}  // namespace

QString putAside(const QString& file) {
    QString aside = file + ".damaged";
    for (int i = 2; QFile::exists(aside); ++i) aside = QStringLiteral("%1.damaged-%2").arg(file).arg(i);
    return QFile::rename(file, aside) ? aside : QString();
}

DamagedSettings mendSettings(QSettings& settings) {
    static const QRegularExpression name("\\A[\\w./ -]+\\z");
    const QString file = settings.fileName();
    std::map<QString, QVariant> kept;
    for (const QString& key : settings.allKeys()) {  // all is parsed by now, and the status is known
        if (name.match(key).hasMatch()) kept.emplace(key, settings.value(key));
    }
    if (settings.status() != QSettings::FormatError && !holdsControlCharacters(file)) return {};
    const QString aside = putAside(file);
    if (!aside.isEmpty()) {
        settings.clear();
        for (const auto& [key, value] : kept) settings.setValue(key, value);
        settings.sync();
    }
    return {file, aside};
}

}  // namespace ui::session
