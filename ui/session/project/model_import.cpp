// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/model_import.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

#include "ui/session/project/whole_file.h"

namespace ui::session {

using engine::spec::Diagnostic;
using engine::spec::Diagnostics;
using engine::spec::Severity;

namespace {

constexpr auto kProjectName = "model.tandem";

// "FILE: warning: model.layers[2]: expected …" as the worker prints it, a finding a line.
Diagnostics findingsIn(const QString& text) {
    Diagnostics found;
    for (const QString& line : text.split('\n', Qt::SkipEmptyParts)) {
        for (const auto& [word, severity] :
             {std::pair{QStringLiteral("error: "), Severity::kError}, std::pair{QStringLiteral("warning: "), Severity::kWarning}}) {
            const qsizetype at = line.indexOf(word);
            if (at < 0) continue;
            found.push_back({severity, {}, line.mid(at + word.size()).toStdString(), {}});
            break;
        }
    }
    return found;
}

}  // namespace

ModelImport::ModelImport(QString worker_program, QObject* parent) : QObject(parent), program_(std::move(worker_program)) {
    connect(&call_, &WorkerLines::ended, this, &ModelImport::onEnded);
}

bool ModelImport::isModelFile(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != QLatin1String("json")) return suffix == QLatin1String("keras") || suffix == QLatin1String("h5");
    QString problem;
    return QJsonDocument::fromJson(readWholeFile(path, problem)).object().contains(QLatin1String("class_name"));
}

void ModelImport::read(const QString& path) {
    path_ = path;
    folder_ = std::make_unique<QTemporaryDir>();
    call_.start({.program = program_, .arguments = {"import", path, "--out", folder_->filePath(kProjectName)}, .run = nullptr});
}

void ModelImport::onEnded(const ErrorInfo& error) {
    Diagnostics said = findingsIn(call_.said());
    const auto folder = std::move(folder_);
    if (error.code != 0) {
        if (!hasErrors(said)) said = {{Severity::kError, {}, error.detail.toStdString(), {}}};
        emit failed(path_, said);
        return;
    }
    QString problem;
    const QByteArray text = readWholeFile(folder->filePath(kProjectName), problem);
    engine::spec::ProjectReport report = engine::spec::parseProject(text.toStdString());
    if (!problem.isEmpty()) report.diagnostics = {{Severity::kError, {}, problem.toStdString(), {}}};
    if (hasErrors(report.diagnostics)) {
        emit failed(path_, report.diagnostics);
        return;
    }
    emit finished(path_, std::move(report.run), said);
}

}  // namespace ui::session
