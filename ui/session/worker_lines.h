// SPDX-License-Identifier: GPL-3.0-or-later
// A question to the engine whose answer comes piece by piece: a short-lived tandem-worker that prints a JSON object a line, progress first.
// GUI thread; nothing here blocks.
#pragma once

#include <QJsonObject>
#include <QObject>
#include <QPointer>
#include <QProcess>
#include <QStringList>
#include <QTemporaryFile>
#include <QTimer>
#include <memory>

#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "ui/session/values.h"

namespace ui::session {

struct WorkerQuestion {
    QString program;                   // of tandem-worker; empty: beside this program
    QStringList arguments;             // with "@project" where the project's file stands
    const engine::spec::RunSpec* run;  // written to that file; null: none is needed. Only during start()
    int deadline_ms = 120'000;         // without a further line
};

class WorkerLines : public QObject {
    Q_OBJECT
public:
    explicit WorkerLines(QObject* parent = nullptr);
    ~WorkerLines() override;

    // An earlier question is dropped: nothing of it is heard any more.
    void start(const WorkerQuestion& question);
    // The worker is asked to end, then made to; no signal follows.
    void cancel();
    bool isRunning() const { return process_ != nullptr; }
    // What the worker wrote to its standard error, once it has ended.
    const QString& said() const { return said_; }

signals:
    void lineArrived(QByteArray line);
    // Code and detail of `error` are 0 and empty when the worker ended as it should; else the detail is the error that it said last, or why
    // it could not be started.
    void ended(ui::session::ErrorInfo error);

private:
    void readLines();
    void fail(engine::ErrorCode code, const QString& detail);
    void finish(const ErrorInfo& error);

    std::unique_ptr<QTemporaryFile> project_;
    QProcess* process_ = nullptr;  // a child of this; null between questions
    QByteArray rest_;              // of a line that has not come whole
    QString said_;
    QTimer deadline_;
};

}  // namespace ui::session
