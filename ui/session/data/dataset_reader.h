// SPDX-License-Identifier: GPL-3.0-or-later
// Tells how many samples the project's data set has, whatever its kind: IDX label files are counted on a thread of its own, for every other
// set the engine is asked. Owned by Session; GUI thread only, nothing here waits.
#pragma once

#include <QObject>
#include <QStringList>
#include <memory>

#include "engine/spec/project/data_spec.h"
#include "ui/session/engine_call.h"
#include "ui/session/values.h"

namespace ui::session {

class WorkerThread;

// Returns `data` without what happens to its samples on the way into a step: a look at the set depends on the rest alone.
engine::spec::DataSpec sourceOf(const engine::spec::DataSpec& data);

class DatasetReader : public QObject {
    Q_OBJECT
public:
    // `folders` are those in which sets with a name are looked for.
    DatasetReader(std::shared_ptr<ClientSlot> slot, QStringList folders, QObject* parent = nullptr);
    ~DatasetReader() override;

    // An earlier question is dropped. `source` as sourceOf() has it; `base`: where relative files lie, empty: nowhere.
    void ask(const engine::spec::DataSpec& source, const QString& base);
    void cancel();

signals:
    void answered(ui::session::DatasetFacts facts);

private:
    void askEngine();

    const QStringList folders_;
    engine::spec::DataSpec source_;
    QString base_;
    int question_ = 0;  // answers to an earlier one are dropped
    EngineCall call_;
    std::unique_ptr<WorkerThread> thread_;
};

}  // namespace ui::session
