// SPDX-License-Identifier: GPL-3.0-or-later
// A model file of Keras or ONNX as a project: the engine reads it, as for `tandem-cli import`. Owned by Session; GUI thread; nothing here
// blocks.
#pragma once

#include <QObject>
#include <QString>
#include <memory>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/engine_call.h"

namespace ui::session {

class ModelImport : public QObject {
    Q_OBJECT
public:
    explicit ModelImport(std::shared_ptr<ClientSlot> slot, QObject* parent = nullptr);

    // True when a file holds a model, not a project: .keras, .h5, .onnx, or JSON that names a class. Opens the file for JSON only.
    static bool isModelFile(const QString& path);
    // Reads a model file. Only one is read at a time: a new one takes the place of the one before.
    void read(const QString& path);
    // What is being read is no longer wanted: no signal follows.
    void cancel() { call_.cancel(); }

signals:
    // `notes` is what the engine said while it read the model, such as a loss that is not known.
    void finished(QString path, engine::spec::RunSpec run, engine::spec::Diagnostics notes);
    void failed(QString path, engine::spec::Diagnostics why);

private:
    void take(engine::spec::ImportedModel model);

    EngineCall call_;
    QString path_;
};

}  // namespace ui::session
