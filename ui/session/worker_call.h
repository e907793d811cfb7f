// SPDX-License-Identifier: GPL-3.0-or-later
// One question to a short-lived tandem-worker: started beside the window, answered by what it prints, ended at a deadline or on demand.
// GUI thread only; nothing here waits.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QTimer>

#include "ui/session/values.h"

namespace ui::session {

class WorkerCall : public QObject {
    Q_OBJECT
public:
    explicit WorkerCall(QString program, QObject* parent = nullptr);
    ~WorkerCall() override;  // ends the process

    // A call that goes on is cancelled first.
    void start(const QStringList& arguments, int deadline_ms);
    void cancel();
    bool isRunning() const { return process_ != nullptr; }

signals:
    // Exactly one of the two after start(), unless it was cancelled.
    void answered(QByteArray output);
    void failed(ui::session::ErrorInfo error);

private:
    void finish(int exit_code, QProcess::ExitStatus status);
    void fail(const ErrorInfo& error);
    void drop();

    const QString program_;
    QProcess* process_ = nullptr;
    QTimer deadline_;
};

}  // namespace ui::session
