// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/starters.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>

#include "ui/session/project/whole_file.h"

namespace ui::session {

using namespace engine::spec;

namespace {

// Returns a project that stands on Welcome though it can't be opened, with only what its card shows.
Template announcedTemplate(const QJsonObject& entry) {
    Template out{entry["id"].toString(), {}, entry["label"].toString(), entry["needs"].toString()};
    out.run.name = entry["name"].toString(out.label).toStdString();
    const QJsonObject cluster = entry["cluster"].toObject();
    for (auto job = cluster.begin(); job != cluster.end(); ++job) {
        Job tasks{job.key().toStdString(), {}};
        for (int i = 0; i < job.value().toInt(); ++i) tasks.tasks.emplace(i, "localhost:0");
        out.run.cluster.spec.jobs.push_back(std::move(tasks));
    }
    return out;
}

}  // namespace

bool isStarterPlace(const QString& place) {
    return place.startsWith(QLatin1String(kStarterScheme));
}

// The starters are in the order of templates/welcome.json, which also says which of them stand in the row of further ones; those that it
// does not name come last.
Starters::Starters(const QString& share_dir) {
    const QDir folder(share_dir + "/templates");
    QStringList files = folder.entryList({"*.tandem"}, QDir::Files, QDir::Name);
    const auto add = [&](const QString& file, const QString& label) {
        QString problem;
        ProjectReport report = parseProject(readNamedFile(folder.filePath(file), problem).toStdString());
        if (!problem.isEmpty() || hasErrors(report.diagnostics)) return;
        all_.push_back({QFileInfo(file).completeBaseName(), std::move(report.run), label});
    };
    QString problem;
    const QJsonObject order = QJsonDocument::fromJson(readNamedFile(folder.filePath("welcome.json"), problem)).object();
    for (const char* group : {"cards", "more"}) {
        for (const QJsonValue& entry : order[QLatin1String(group)].toArray()) {
            if (entry["needs"].isString()) {
                all_.push_back(announcedTemplate(entry.toObject()));
                continue;
            }
            const QString file = entry["id"].toString() + ".tandem";
            if (files.removeAll(file) > 0) add(file, entry["label"].toString());
        }
    }
    for (const QString& file : files) add(file, order.isEmpty() ? QString() : QFileInfo(file).completeBaseName());
}

const Template* Starters::find(const QString& id) const {
    const auto at = std::find_if(all_.begin(), all_.end(), [&](const Template& one) { return one.id == id; });
    return at == all_.end() ? nullptr : &*at;
}

QString Starters::placeOf(const RunSpec& spec) const {
    const auto at = std::find_if(all_.begin(), all_.end(), [&](const Template& one) { return one.run == spec; });
    return at == all_.end() ? QString() : QLatin1String(kStarterScheme) + at->id;
}

}  // namespace ui::session
