// SPDX-License-Identifier: GPL-3.0-or-later
// Remembers among the settings which project is open, so that a studio that follows a killed one opens it again. Owned by Session; one
// studio of a user remembers at a time, the first.
#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>

class QSettings;

namespace ui::session {

class Project;
class Starters;

// Returns the path of the open project, or the place of a starter that was not changed; else empty.
QString placeOfProject(const Project& project, const Starters& starters);

class OpenProject : public QObject {
    Q_OBJECT
public:
    // The arguments outlive it; the lock lies in `folder`.
    OpenProject(const Project& project, const Starters& starters, QSettings& settings, const QString& folder);
    ~OpenProject() override;

    // What the last studio had open when it was killed; empty when that studio ended by itself.
    const QString& left() const { return left_; }

private:
    void remember();

    const Project& project_;
    const Starters& starters_;
    QSettings& settings_;
    QLockFile lock_;
    QString left_;
};

}  // namespace ui::session
