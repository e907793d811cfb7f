// SPDX-License-Identifier: GPL-3.0-or-later
// What a run left in its folder for other programs: checkpoints in TensorFlow's format, logs for TensorBoard; and its model as Keras opens
// it. The two that write may be called on any thread and stop soon after `cancelled` was set.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <atomic>
#include <memory>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace ui::session {

class ClientSlot;

struct RunFile {
    QString name;  // below the folder that is written to
    QString path{};
    QByteArray text{};  // in place of `path`
    qint64 bytes = 0;
    friend bool operator==(const RunFile&, const RunFile&) = default;
};

// Returns the files of a checkpoint, given by its path below the run's folder. In TensorFlow's format these are index, data and a file
// `checkpoint` that names it as the latest; in Keras' format the one file. Empty when there is none.
std::vector<RunFile> checkpointFiles(const QString& run_dir, const QString& checkpoint);
// Returns the event files of the run's TensorBoard callback, each below the run of TensorBoard that it belongs to (train, validation).
std::vector<RunFile> logFiles(const engine::spec::RunSpec& run, const QString& run_dir);

// Copies each file under a temporary name, then renames it. Returns an empty text when it is done, else the file and why not; an older file
// of that name is then untouched.
QString copyRunFiles(const std::vector<RunFile>& files, const QString& folder, const std::atomic<bool>& cancelled);

// A checkpoint as one file of another program's.
struct ModelFileOrder {
    std::shared_ptr<ClientSlot> slot;
    QString run_dir;
    QString checkpoint;  // below the run's folder
    QString path;        // to write, absolute; its ending says what: .keras, .weights.h5, .h5, .npz or .onnx
    int batch = 0;       // of .onnx: how many samples at once; 0: any number
};
// Lets the engine write the file. Returns an empty text when it is written, else why not.
QString writeModelFile(const ModelFileOrder& order, const std::atomic<bool>& cancelled);

}  // namespace ui::session
