// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/model_import.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <utility>

#include "ui/session/project/whole_file.h"

namespace ui::session {

using engine::spec::Severity;

ModelImport::ModelImport(std::shared_ptr<ClientSlot> slot, QObject* parent) : QObject(parent), call_(std::move(slot)) {
    connect(&call_, &EngineCall::answered, this,
            [this](const engine::spec::EngineAnswer& answer) { take(std::get<engine::spec::ImportedModel>(answer)); });
    connect(&call_, &EngineCall::failed, this, [this](const ErrorInfo& error) {
        emit failed(path_, {{Severity::kError, {}, error.detail.toStdString(), {}}});
    });
}

bool ModelImport::isModelFile(const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix != QLatin1String("json")) {
        return suffix == QLatin1String("keras") || suffix == QLatin1String("h5") || suffix == QLatin1String("onnx");
    }
    QString problem;
    return QJsonDocument::fromJson(readWholeFile(path, problem)).object().contains(QLatin1String("class_name"));
}

void ModelImport::read(const QString& path) {
    path_ = path;
    const std::string file = QFileInfo(path).absoluteFilePath().toStdString();
    call_.start(
        [file] { return engine::spec::EngineQuestion{.run = {}, .base_dir = {}, .asked = engine::spec::ImportQuestion{.file = file}}; });
}

void ModelImport::take(engine::spec::ImportedModel model) {
    if (hasErrors(model.findings)) {
        emit failed(path_, model.findings);
        return;
    }
    emit finished(path_, std::move(model.run), std::move(model.findings));
}

}  // namespace ui::session

#include "moc_model_import.cpp"
