// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/open_project.h"

#include <QDir>
#include <QSettings>
#include <algorithm>

#include "ui/session/session.h"

namespace ui::session {

namespace {

constexpr auto kKey = "open_project";

QString lockIn(const QString& folder) {
    QDir().mkpath(folder);
    return QDir(folder).filePath("open_project.lock");
}

}  // namespace

bool isStarterPlace(const QString& place) {
    return place.startsWith(QLatin1String(kStarterScheme));
}

QString placeOfProject(const Session& session) {
    if (!session.hasProject() || !session.projectPath().isEmpty()) return session.projectPath();
    const auto& starters = session.templates();
    const auto at = std::find_if(starters.begin(), starters.end(), [&](const Template& one) { return one.run == session.project(); });
    return at == starters.end() ? QString() : QLatin1String(kStarterScheme) + at->id;
}

OpenProject::OpenProject(Session& session, QSettings& settings, const QString& folder)
    : QObject(&session), session_(session), settings_(settings), lock_(lockIn(folder)) {
    lock_.setStaleLockTime(0);  // a lock ends with its process alone
    if (!lock_.tryLock(0)) return;
    left_ = settings_.value(kKey).toString();
    connect(&session, &Session::projectReplaced, this, &OpenProject::remember);
    connect(&session, &Session::modifiedChanged, this, [this](bool modified) {
        if (!modified) remember();
    });
}

OpenProject::~OpenProject() {
    if (!lock_.isLocked()) return;
    settings_.remove(kKey);
    settings_.sync();
}

void OpenProject::remember() {
    settings_.setValue(kKey, placeOfProject(session_));
    settings_.sync();  // a kill waits for nothing
}

}  // namespace ui::session
