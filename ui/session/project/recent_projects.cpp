// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/recent_projects.h"

#include <QDateTime>
#include <QFileInfo>
#include <QSettings>
#include <algorithm>

#include "ui/session/project/starters.h"

namespace ui::session {

namespace {

constexpr int kMostRecent = 12;
constexpr auto kRecentKey = "recent";

}  // namespace

std::vector<RecentProject> RecentProjects::list() const {
    std::vector<RecentProject> out;
    if (!settings_) return out;
    const int count = settings_->beginReadArray(kRecentKey);
    for (int i = 0; i < count; ++i) {
        settings_->setArrayIndex(i);
        RecentProject recent{settings_->value("path").toString(), settings_->value("name").toString(),
                             settings_->value("strategy").toString(), settings_->value("opened").toLongLong()};
        const bool starter =
            isStarterPlace(recent.path) && starters_.find(recent.path.mid(QLatin1String(kStarterScheme).size())) != nullptr;
        if (starter || QFileInfo::exists(recent.path)) out.push_back(std::move(recent));
    }
    settings_->endArray();
    return out;
}

void RecentProjects::remember(const QString& path, const engine::spec::RunSpec& spec) {
    if (!settings_) return;
    std::vector<RecentProject> recent = list();
    std::erase_if(recent, [&](const RecentProject& r) { return r.path == path; });
    recent.insert(recent.begin(), {path, QString::fromStdString(spec.name), QString::fromStdString(spec.strategy.name),
                                   QDateTime::currentSecsSinceEpoch()});
    if (recent.size() > kMostRecent) recent.resize(kMostRecent);
    settings_->beginWriteArray(kRecentKey, static_cast<int>(recent.size()));
    for (int i = 0; i < static_cast<int>(recent.size()); ++i) {
        const RecentProject& r = recent[static_cast<std::size_t>(i)];
        settings_->setArrayIndex(i);
        settings_->setValue("path", r.path);
        settings_->setValue("name", r.name);
        settings_->setValue("strategy", r.strategy);
        settings_->setValue("opened", static_cast<qlonglong>(r.opened_unix_s));
    }
    settings_->endArray();
    emit changed();
}

}  // namespace ui::session

#include "moc_recent_projects.cpp"
