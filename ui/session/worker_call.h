// SPDX-License-Identifier: GPL-3.0-or-later
// One question to a short-lived tandem-worker that is answered by all that it prints. GUI thread only; nothing here waits.
#pragma once

#include <QByteArray>

#include "ui/session/worker_lines.h"

namespace ui::session {

class WorkerCall : public QObject {
    Q_OBJECT
public:
    explicit WorkerCall(QString program, QObject* parent = nullptr);

    // A call that goes on is cancelled first; `deadline_ms` as in WorkerQuestion.
    void start(const QStringList& arguments, int deadline_ms);
    void cancel() { lines_.cancel(); }
    bool isRunning() const { return lines_.isRunning(); }

signals:
    // Exactly one of the two after start(), unless it was cancelled.
    void answered(QByteArray output);
    void failed(ui::session::ErrorInfo error);

private:
    const QString program_;
    WorkerLines lines_;
    QByteArray output_;
};

}  // namespace ui::session
