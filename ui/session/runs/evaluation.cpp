// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/evaluation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSysInfo>
#include <limits>

#include "agent/client/run_checkpoints.h"
#include "engine/spec/error.h"

namespace ui::session {
namespace {

constexpr int kEvaluateMs = 300'000, kInspectMs = 30'000, kMistakes = 60;
constexpr qsizetype kNpyAlignment = 64;

QStringList modelArguments(const QString& verb, const ModelOfRun& model) {
    QString checkpoint = model.run_dir + '/' + model.checkpoint;
    if (model.checkpoint.isEmpty()) {
        const auto known = agent::client::checkpointsOf(model.run_dir.toStdString());
        checkpoint = model.run_dir + '/' + (known.empty() ? QStringLiteral("checkpoints") : QString::fromStdString(known.back().file));
    }
    return {verb, model.run_dir + "/run.json", "--checkpoint", checkpoint, "--json"};
}

// (28, 28) and (32, 32, 3) are pictures; other shapes are not.
std::optional<PixelPicture> pictureOf(const QJsonArray& shape, const QByteArray& base64) {
    if (shape.size() != 2 && shape.size() != 3) return std::nullopt;
    PixelPicture picture{shape[1].toInt(), shape[0].toInt(), shape.size() == 3 ? shape[2].toInt() : 1, QByteArray::fromBase64(base64)};
    const bool fits = picture.pixels.size() == static_cast<qsizetype>(picture.width) * picture.height * picture.channels;
    if (!fits || (picture.channels != 1 && picture.channels != 3)) return std::nullopt;
    return picture;
}

// NumPy's format 1.0: magic, header's length, header, bytes.
QByteArray npyOf(const PixelPicture& picture) {
    QByteArray header = QStringLiteral("{'descr': '|u1', 'fortran_order': False, 'shape': (1, %1, %2, %3), }")
                            .arg(picture.height)
                            .arg(picture.width)
                            .arg(picture.channels)
                            .toLatin1();
    constexpr qsizetype kBefore = 10;  // magic, version, length
    while ((kBefore + header.size() + 1) % kNpyAlignment != 0) header += ' ';
    header += '\n';
    QByteArray file("\x93NUMPY\x01\x00", 8);
    file += static_cast<char>(header.size() & 0xFF);
    file += static_cast<char>(header.size() >> 8);
    return file + header + picture.pixels;
}

double number(const QJsonValue& value) {
    return value.isDouble() ? value.toDouble() : std::numeric_limits<double>::quiet_NaN();
}

ErrorInfo unreadable() {
    return {static_cast<int>(engine::ErrorCode::kDataLoss),
            QStringLiteral("tandem-worker: expected an answer in JSON, got something else")};
}

}  // namespace

std::optional<EvaluationResult> parseEvaluation(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    EvaluationResult result;
    result.accuracy = number(root["test_accuracy"]);
    result.loss = number(root["test_loss"]);
    result.samples = root["samples"].toInteger();
    for (const QJsonValue& name : root["classes"].toArray()) result.classes << name.toString();
    for (const QJsonValue& row : root["confusion"].toArray()) {
        auto& counts = result.confusion.emplace_back();
        for (const QJsonValue& count : row.toArray()) counts.push_back(count.toInteger());
        if (static_cast<qsizetype>(counts.size()) != result.classes.size()) return std::nullopt;
    }
    for (const QJsonValue& accuracy : root["class_accuracy"].toArray()) result.class_accuracy.push_back(number(accuracy));
    const auto classes = static_cast<std::size_t>(result.classes.size());
    if (classes == 0 || result.confusion.size() != classes || result.class_accuracy.size() != classes) return std::nullopt;
    const QJsonArray shape = root["sample_shape"].toArray();
    for (const QJsonValue& value : root["mistakes"].toArray()) {
        const QJsonObject entry = value.toObject();
        WrongAnswer wrong{entry["sample"].toInteger(), entry["label"].toInt(), entry["predicted"].toInt(), number(entry["confidence"]), {}};
        const auto known = [&](int index) { return index >= 0 && index < result.classes.size(); };
        if (!known(wrong.label) || !known(wrong.predicted)) return std::nullopt;
        if (auto picture = pictureOf(shape, entry["pixels"].toString().toLatin1())) wrong.picture = *std::move(picture);
        result.mistakes.push_back(std::move(wrong));
    }
    return result;
}

std::optional<InspectionResult> parseInspection(const QByteArray& json) {
    const QJsonObject root = QJsonDocument::fromJson(json).object();
    InspectionResult result;
    if (auto picture = pictureOf(root["sample_shape"].toArray(), root["pixels"].toString().toLatin1()))
        result.picture = *std::move(picture);
    for (const QJsonValue& value : root["top"].toArray()) {
        const QJsonObject entry = value.toObject();
        result.best.push_back({entry["class"].toString(), entry["index"].toInt(), number(entry["probability"])});
    }
    for (const QJsonValue& value : root["layers"].toArray()) {
        const QJsonObject entry = value.toObject();
        LayerMaps layer;
        layer.layer = entry["name"].toString();
        layer.class_name = entry["class_name"].toString();
        layer.least = number(entry["least"]);
        layer.greatest = number(entry["greatest"]);
        layer.shown = entry["shown"].toInt();
        layer.maps = QByteArray::fromBase64(entry["maps"].toString().toLatin1());
        for (const QJsonValue& size : entry["shape"].toArray()) layer.shape.push_back(size.toInteger());
        if (layer.shown < 1 || layer.maps.size() % layer.shown != 0) return std::nullopt;
        // (height, width, channels) are pictures; anything else is one row a map.
        const auto places = static_cast<int>(layer.maps.size() / layer.shown);
        layer.height = layer.shape.size() == 3 ? static_cast<int>(layer.shape[0]) : 1;
        if (layer.height < 1 || places % layer.height != 0) return std::nullopt;
        layer.width = places / layer.height;
        result.layers.push_back(std::move(layer));
    }
    if (result.best.empty() || result.layers.empty()) return std::nullopt;
    return result;
}

Evaluation::Evaluation(const QString& worker_program, QObject* parent)
    : QObject(parent), evaluate_(worker_program), inspect_(worker_program) {
    connect(&evaluate_, &WorkerCall::answered, this, [this](const QByteArray& output) {
        emit evaluationChanged();
        auto result = parseEvaluation(output);
        if (!result) return emit evaluationFailed(unreadable());
        result->model = evaluated_model_;
        emit evaluated(*result);
    });
    connect(&evaluate_, &WorkerCall::failed, this, [this](const ErrorInfo& error) {
        emit evaluationChanged();
        emit evaluationFailed(error);
    });
    connect(&inspect_, &WorkerCall::answered, this, [this](const QByteArray& output) {
        auto result = parseInspection(output);
        if (!result) return emit inspectionFailed(unreadable());
        result->model = inspected_model_;
        result->sample = inspected_sample_;
        emit inspected(*result);
    });
    connect(&inspect_, &WorkerCall::failed, this, &Evaluation::inspectionFailed);
}

void Evaluation::evaluate(const ModelOfRun& model) {
    evaluated_model_ = model;
    evaluate_.start(modelArguments("evaluate", model) + QStringList{"--confusion", "--pictures", "--mistakes", QString::number(kMistakes)},
                    kEvaluateMs);
    emit evaluationChanged();
}

void Evaluation::cancelEvaluation() {
    if (!evaluate_.isRunning()) return;
    evaluate_.cancel();
    emit evaluationChanged();
}

void Evaluation::cancelInspection() {
    inspect_.cancel();
}

void Evaluation::inspect(const ModelOfRun& model, const QStringList& which) {
    inspected_model_ = model;
    inspect_.start(modelArguments("inspect", model) + which, kInspectMs);
}

void Evaluation::inspectSample(const ModelOfRun& model, std::int64_t sample) {
    inspected_sample_ = sample;
    inspect(model, {"--data", "test", "--sample", QString::number(sample)});
}

void Evaluation::inspectDrawing(const ModelOfRun& model, const PixelPicture& drawing) {
    inspect_.cancel();  // before its file changes
    inspected_sample_.reset();
    const QString path = drawings_.filePath("drawing.npy");
    QFile file(path);
    const QByteArray bytes = npyOf(drawing);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        return emit inspectionFailed({static_cast<int>(engine::ErrorCode::kResourceExhausted),
                                      QStringLiteral("%1: expected to write the drawing: %2").arg(path, file.errorString())});
    }
    file.close();
    inspect(model, {"--data", path});
}

QString Evaluation::obstacle(const RunSummary& run, const std::optional<engine::run::HostInfo>& host) {
    if (QFileInfo(run.run_dir).isDir()) return {};
    if (host && host->host_name != QSysInfo::machineHostName().toStdString())
        return tr("The run's folder is on %1: evaluate it there. A worker of this computer can't read %2.")
            .arg(QString::fromStdString(host->host_name), run.run_dir);
    return tr("The run's folder is gone: expected %1 on this computer.").arg(run.run_dir);
}

std::vector<Evaluation::Checkpoint> Evaluation::checkpoints(const QString& run_dir) {
    std::vector<Checkpoint> all;
    for (const auto& one : agent::client::checkpointsOf(run_dir.toStdString())) all.push_back({QString::fromStdString(one.file), one.best});
    return all;
}

}  // namespace ui::session
