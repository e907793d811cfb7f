// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/evaluation.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSysInfo>
#include <QTemporaryDir>
#include <utility>

#include "agent/client/run_checkpoints.h"
#include "engine/spec/error.h"
#include "ui/session/runs/run_question.h"

namespace ui::session {
namespace {

constexpr int kEvaluateMs = 300'000, kInspectMs = 30'000, kMistakes = 60;
constexpr qsizetype kNpyAlignment = 64;

QByteArray bytesOf(const std::vector<std::uint8_t>& values) {
    return {reinterpret_cast<const char*>(values.data()), static_cast<qsizetype>(values.size())};
}

// Returns the picture when the shape is that of one, such as (28, 28) or (32, 32, 3); nullopt for others.
std::optional<PixelPicture> pictureOf(const engine::spec::Shape& shape, const std::vector<std::uint8_t>& pixels) {
    if (shape.size() != 2 && shape.size() != 3) return std::nullopt;
    PixelPicture picture{.width = static_cast<int>(shape[1]),
                         .height = static_cast<int>(shape[0]),
                         .channels = shape.size() == 3 ? static_cast<int>(shape[2]) : 1,
                         .pixels = bytesOf(pixels)};
    const bool fits = picture.pixels.size() == static_cast<qsizetype>(picture.width) * picture.height * picture.channels;
    if (!fits || (picture.channels != 1 && picture.channels != 3)) return std::nullopt;
    return picture;
}

// Returns a file of NumPy's format 1.0: magic, header's length, header, bytes.
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

}  // namespace

EvaluationResult toResult(const engine::spec::Evaluation& answer) {
    EvaluationResult result;
    result.accuracy = answer.accuracy;
    result.loss = answer.loss;
    result.samples = answer.samples;
    if (!answer.classification) return result;
    const engine::spec::Classification& told = *answer.classification;
    for (std::int64_t label = 0; label < told.classes; ++label) {
        result.classes << QString::fromStdString(told.class_names[static_cast<std::size_t>(label)]);
        result.class_accuracy.push_back(told.classAccuracy(label));
        auto& row = result.confusion.emplace_back();
        for (std::int64_t predicted = 0; predicted < told.classes; ++predicted) row.push_back(told.count(label, predicted));
    }
    for (const engine::spec::Mistake& mistake : told.mistakes) {
        WrongAnswer wrong{mistake.sample,
                          static_cast<int>(mistake.label),
                          static_cast<int>(mistake.predicted),
                          static_cast<double>(mistake.confidence),
                          {}};
        if (auto picture = pictureOf(told.sample_shape, mistake.pixels)) wrong.picture = *std::move(picture);
        result.mistakes.push_back(std::move(wrong));
    }
    return result;
}

InspectionResult toResult(const engine::spec::Inspection& answer) {
    InspectionResult result;
    if (auto picture = pictureOf(answer.sample_shape, answer.pixels)) result.picture = *std::move(picture);
    for (const engine::spec::ClassScore& score : answer.top) {
        result.best.push_back({QString::fromStdString(score.name), static_cast<int>(score.index), static_cast<double>(score.probability)});
    }
    for (const engine::spec::LayerMaps& told : answer.layers) {
        LayerMaps layer{.layer = QString::fromStdString(told.name),
                        .class_name = QString::fromStdString(told.class_name),
                        .shape = told.shape,
                        .least = static_cast<double>(told.least),
                        .greatest = static_cast<double>(told.greatest),
                        .shown = static_cast<int>(told.shown),
                        .maps = bytesOf(told.maps)};
        // (height, width, channels) are pictures; anything else is one row a map.
        const auto places = static_cast<int>(told.maps.size()) / layer.shown;
        const bool is_picture = told.shape.size() == 3 && told.shape[0] > 0 && places % told.shape[0] == 0;
        layer.height = is_picture ? static_cast<int>(told.shape[0]) : 1;
        layer.width = places / layer.height;
        result.layers.push_back(std::move(layer));
    }
    return result;
}

Evaluation::Evaluation(std::shared_ptr<ClientSlot> slot, const QString& scratch_dir, QObject* parent)
    : QObject(parent),
      evaluate_(slot),
      inspect_(std::move(slot)),
      own_drawings_(scratch_dir.isEmpty() ? std::make_unique<QTemporaryDir>() : nullptr),
      drawings_(own_drawings_ ? own_drawings_->path() : scratch_dir) {
    connect(&evaluate_, &EngineCall::answered, this, [this](const engine::spec::EngineAnswer& answer) {
        emit evaluationChanged();
        EvaluationResult result = toResult(std::get<engine::spec::Evaluation>(answer));
        result.model = evaluated_model_;
        emit evaluated(result);
    });
    connect(&evaluate_, &EngineCall::failed, this, [this](const ErrorInfo& error) {
        emit evaluationChanged();
        emit evaluationFailed(error);
    });
    connect(&inspect_, &EngineCall::answered, this, [this](const engine::spec::EngineAnswer& answer) {
        InspectionResult result = toResult(std::get<engine::spec::Inspection>(answer));
        result.model = inspected_model_;
        result.sample = inspected_sample_;
        emit inspected(result);
    });
    connect(&inspect_, &EngineCall::failed, this, &Evaluation::inspectionFailed);
}

void Evaluation::evaluate(const ModelOfRun& model) {
    evaluated_model_ = model;
    evaluate_.start(
        [model] {
            RunQuestion asked = questionOfRun(model.run_dir, model.checkpoint);
            asked.question.asked =
                engine::spec::EvaluateQuestion{.checkpoint = asked.checkpoint, .confusion = true, .mistakes = kMistakes, .pictures = true};
            return asked.question;
        },
        kEvaluateMs);
    emit evaluationChanged();
}

Evaluation::~Evaluation() = default;

void Evaluation::cancelEvaluation() {
    if (!evaluate_.isRunning()) return;
    evaluate_.cancel();
    emit evaluationChanged();
}

void Evaluation::cancelInspection() {
    inspect_.cancel();
}

void Evaluation::inspect(const ModelOfRun& model, const QString& data, std::int64_t sample) {
    inspected_model_ = model;
    inspect_.start(
        [model, data, sample] {
            RunQuestion asked = questionOfRun(model.run_dir, model.checkpoint);
            asked.question.asked =
                engine::spec::InspectQuestion{.checkpoint = asked.checkpoint, .data = data.toStdString(), .sample = sample};
            return asked.question;
        },
        kInspectMs);
}

void Evaluation::inspectSample(const ModelOfRun& model, std::int64_t sample) {
    inspected_sample_ = sample;
    inspect(model, QStringLiteral("test"), sample);
}

void Evaluation::inspectDrawing(const ModelOfRun& model, const PixelPicture& drawing) {
    inspect_.cancel();  // before its file changes
    inspected_sample_.reset();
    const QString path = drawings_ + "/drawing.npy";
    QFile file(path);
    const QByteArray bytes = npyOf(drawing);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        return emit inspectionFailed({static_cast<int>(engine::ErrorCode::kResourceExhausted),
                                      QStringLiteral("%1: expected to write the drawing: %2").arg(path, file.errorString())});
    }
    file.close();
    inspect(model, path, 0);
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

#include "moc_evaluation.cpp"
