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

// The path of the open project; of a starter as it came its place; else empty.
QString placeOfProject(const Project& project, const Starters& starters);

class OpenProject : public QObject {
    Q_OBJECT
public:
    // All outlive it; the lock lies in `folder`.
    OpenProject(const Project& project, const Starters& starters, QSettings& settings, const QString& folder);
    ~OpenProject() override;

    // What a studio had open that was killed; empty after one that ended.
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
