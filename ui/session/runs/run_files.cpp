// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_files.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QSaveFile>
#include <algorithm>
#include <chrono>

#include "agent/client/agent_client.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "ui/session/host/client_slot.h"
#include "ui/session/project/whole_file.h"
#include "ui/session/runs/run_question.h"

namespace ui::session {
namespace {

constexpr std::chrono::seconds kRunFilesConnection{30};  // more than an attempt to connect and the pause before it take
constexpr std::chrono::minutes kModelFile{30};           // to read a checkpoint and write it as one file
constexpr qint64 kPiece = 1 << 20;

RunFile fileAt(const QString& name, const QFileInfo& facts) {
    return {.name = name, .path = facts.absoluteFilePath(), .bytes = facts.size()};
}

QString copyFile(const QString& from, const QString& to, const std::atomic<bool>& cancelled) {
    QFile in(from);
    if (!in.open(QIODevice::ReadOnly)) return QStringLiteral("%1: expected to read it: %2").arg(from, in.errorString());
    QSaveFile out(to);
    if (!out.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        return QStringLiteral("%1: expected to write it: %2").arg(to, out.errorString());
    while (!in.atEnd() && !cancelled) {
        const QByteArray piece = in.read(kPiece);
        if (piece.isEmpty()) return QStringLiteral("%1: expected to read it: %2").arg(from, in.errorString());
        for (qsizetype done = 0; done < piece.size();) {
            const qint64 wrote = out.write(piece.constData() + done, piece.size() - done);
            if (wrote <= 0) return QStringLiteral("%1: expected to write it: %2").arg(to, out.errorString());
            done += wrote;
        }
    }
    if (cancelled) return {};  // what was written aside goes
    return out.commit() ? QString() : QStringLiteral("%1: expected to write it: %2").arg(to, out.errorString());
}

}  // namespace

std::vector<RunFile> checkpointFiles(const QString& run_dir, const QString& checkpoint) {
    std::vector<RunFile> files;
    if (checkpoint.isEmpty()) return files;
    const QFileInfo place(run_dir + QLatin1Char('/') + checkpoint);
    if (place.isFile() && !place.isSymLink()) return {fileAt(place.fileName(), place)};
    const QDir folder = place.dir();
    const QString stem = place.fileName();
    for (const QFileInfo& facts : folder.entryInfoList(QDir::Files | QDir::NoSymLinks, QDir::Name)) {
        const QString name = facts.fileName();
        if (name == stem + QLatin1String(".index") || name.startsWith(stem + QLatin1String(".data-"))) files.push_back(fileAt(name, facts));
    }
    if (files.empty()) return files;
    // The text is in the form that tf.train.latest_checkpoint() reads.
    const QByteArray text = QStringLiteral("model_checkpoint_path: \"%1\"\nall_model_checkpoint_paths: \"%1\"\n").arg(stem).toUtf8();
    files.push_back({.name = QStringLiteral("checkpoint"), .text = text, .bytes = text.size()});
    return files;
}

std::vector<RunFile> logFiles(const engine::spec::RunSpec& run, const QString& run_dir) {
    std::vector<RunFile> files;
    for (const engine::spec::ObjectSpec& callback : run.callbacks) {
        if (callback.class_name != "TensorBoard") continue;
        const QDir logs(run_dir + QLatin1Char('/') + QString::fromStdString(engine::spec::callbackSettings(callback).getString("log_dir")));
        QDirIterator each(logs.path(), QDir::Files | QDir::NoSymLinks, QDirIterator::Subdirectories);
        while (each.hasNext()) {
            each.next();
            files.push_back(fileAt(logs.relativeFilePath(each.filePath()), each.fileInfo()));
        }
    }
    std::sort(files.begin(), files.end(), [](const RunFile& a, const RunFile& b) { return a.name < b.name; });
    return files;
}

QString copyRunFiles(const std::vector<RunFile>& files, const QString& folder, const std::atomic<bool>& cancelled) {
    for (const RunFile& file : files) {
        if (cancelled) return {};
        const QString to = folder + QLatin1Char('/') + file.name;
        const QString parent = QFileInfo(to).path();
        if (!QDir().mkpath(parent)) return QStringLiteral("%1: expected a folder that can be made, the system refused").arg(parent);
        if (!file.path.isEmpty()) {
            if (const QString problem = copyFile(file.path, to, cancelled); !problem.isEmpty()) return problem;
        } else if (const QString problem = writeWholeFile(to, file.text); !problem.isEmpty()) {
            return QStringLiteral("%1: expected to write it: %2").arg(to, problem);
        }
    }
    return {};
}

QString writeModelFile(const ModelFileOrder& order, const std::atomic<bool>& cancelled) {
    const QString parent = QFileInfo(order.path).path();
    if (!QDir().mkpath(parent)) return QStringLiteral("%1: expected a folder that can be made, the system refused").arg(parent);
    try {
        const auto is_cancelled = [&cancelled] { return cancelled.load(); };
        const RunQuestion asked = questionOfRun(order.run_dir, order.checkpoint);
        const std::string out = QFileInfo(order.path).absoluteFilePath().toStdString();
        agent::client::ask(
            *order.slot->take(kRunFilesConnection, is_cancelled), asked.question,
            engine::spec::ExportQuestion{.checkpoint = asked.checkpoint, .out = out, .onnx = out.ends_with(".onnx"), .batch = order.batch},
            {.deadline = kModelFile, .is_cancelled = is_cancelled});
    } catch (const engine::Error& error) {
        return cancelled ? QString() : QString::fromUtf8(error.what());
    }
    return {};
}

}  // namespace ui::session
