// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/open_project.h"

#include <QDir>
#include <QSettings>

#include "ui/session/project/project.h"
#include "ui/session/project/starters.h"

namespace ui::session {

namespace {

constexpr auto kKey = "open_project";

QString lockIn(const QString& folder) {
    QDir().mkpath(folder);
    return QDir(folder).filePath("open_project.lock");
}

}  // namespace

QString placeOfProject(const Project& project, const Starters& starters) {
    if (!project.isOpen() || !project.path().isEmpty()) return project.path();
    return starters.placeOf(project.spec());
}

OpenProject::OpenProject(const Project& project, const Starters& starters, QSettings& settings, const QString& folder)
    : project_(project), starters_(starters), settings_(settings), lock_(lockIn(folder)) {
    lock_.setStaleLockTime(0);  // a lock ends with its process alone
    if (!lock_.tryLock(0)) return;
    left_ = settings_.value(kKey).toString();
    connect(&project_, &Project::replaced, this, &OpenProject::remember);
    connect(&project_, &Project::modifiedChanged, this, [this](bool modified) {
        if (!modified) remember();
    });
}

OpenProject::~OpenProject() {
    if (!lock_.isLocked()) return;
    settings_.remove(kKey);
    settings_.sync();
}

void OpenProject::remember() {
    settings_.setValue(kKey, placeOfProject(project_, starters_));
    settings_.sync();  // a kill waits for nothing
}

}  // namespace ui::session

#include "moc_open_project.cpp"
