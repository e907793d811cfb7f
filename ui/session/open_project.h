// SPDX-License-Identifier: GPL-3.0-or-later
// Remembers among the settings which project is open, so that a studio that follows a killed one opens it again. A child of Session; one
// studio of a user remembers at a time, the first.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>

class QSettings;

namespace ui::session {

class Session;

// A starter project that was never saved, in place of a path: "starter:mnist_mlp".
inline constexpr auto kStarterScheme = "starter:";
bool isStarterPlace(const QString& place);
// The path of the open project; of a starter as it came its place; else empty.
QString placeOfProject(const Session& session);

class OpenProject : public QObject {
    Q_OBJECT
public:
    // `settings` outlives it; the lock lies in `folder`.
    OpenProject(Session& session, QSettings& settings, const QString& folder);
    ~OpenProject() override;

    // What a studio had open that was killed; empty after one that ended.
    const QString& left() const { return left_; }

private:
    void remember();

    Session& session_;
    QSettings& settings_;
    QLockFile lock_;
    QString left_;
};

}  // namespace ui::session
