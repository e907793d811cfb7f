// SPDX-License-Identifier: GPL-3.0-or-later
// A model file of Keras as a project: a tandem-worker of this computer reads it, as `tandem-cli import` does. Owned by Session; GUI thread;
// nothing here blocks.
#pragma once

#include <QObject>
#include <QString>
#include <QTemporaryDir>
#include <memory>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/values.h"
#include "ui/session/worker_lines.h"

namespace ui::session {

class ModelImport : public QObject {
    Q_OBJECT
public:
    explicit ModelImport(QString worker_program, QObject* parent = nullptr);

    // Whether a file holds a model, not a project: .keras, .h5, or JSON that names a class. Looks into JSON.
    static bool isModelFile(const QString& path);
    // One at a time: a new one takes the place of the one before.
    void read(const QString& path);

signals:
    // What the worker said of it on the way, such as a loss that is not known.
    void finished(QString path, engine::spec::RunSpec run, engine::spec::Diagnostics notes);
    void failed(QString path, engine::spec::Diagnostics why);

private:
    void onEnded(const ErrorInfo& error);

    const QString program_;
    WorkerLines call_;
    QString path_;
    std::unique_ptr<QTemporaryDir> folder_;  // of the project that the worker writes
};

}  // namespace ui::session
