// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/worker_call.h"

#include "engine/spec/error.h"

namespace ui::session {
namespace {

using engine::ErrorCode;

constexpr int kEndMs = 1000;

// The worker's last error line, without the word in front of it.
QString reasonOf(const QByteArray& errors) {
    const QString marker = QStringLiteral("error: ");
    QString reason;
    for (const QString& line : QString::fromUtf8(errors).split('\n', Qt::SkipEmptyParts)) {
        if (line.contains(marker)) reason = line.mid(line.indexOf(marker) + marker.size());
    }
    return reason.isEmpty() ? QString::fromUtf8(errors).trimmed() : reason;
}

}  // namespace

WorkerCall::WorkerCall(QString program, QObject* parent) : QObject(parent), program_(std::move(program)) {
    deadline_.setSingleShot(true);
    connect(&deadline_, &QTimer::timeout, this, [this] {
        fail({static_cast<int>(ErrorCode::kDeadlineExceeded),
              QStringLiteral("tandem-worker: expected an answer within %1 s, got none").arg(deadline_.interval() / 1000)});
    });
}

WorkerCall::~WorkerCall() {
    drop();
    for (QProcess* ending : findChildren<QProcess*>()) ending->waitForFinished(kEndMs);  // killed: it is a matter of moments
}

void WorkerCall::start(const QStringList& arguments, int deadline_ms) {
    drop();
    process_ = new QProcess(this);
    connect(process_, &QProcess::finished, this, &WorkerCall::finish);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // the others end in finished()
        fail({static_cast<int>(ErrorCode::kUnavailable),
              QStringLiteral("%1: expected a program that starts: %2").arg(program_, process_->errorString())});
    });
    deadline_.start(deadline_ms);
    process_->start(program_, arguments, QIODevice::ReadOnly);
}

void WorkerCall::cancel() {
    drop();
}

void WorkerCall::drop() {
    deadline_.stop();
    if (!process_) return;
    QProcess* old = std::exchange(process_, nullptr);
    old->disconnect(this);
    // It reads and prints, nothing else: it may end anywhere. The object goes when the process is gone.
    connect(old, &QProcess::finished, old, &QObject::deleteLater);
    if (old->state() == QProcess::NotRunning) {
        old->deleteLater();
    } else {
        old->kill();
    }
}

void WorkerCall::finish(int exit_code, QProcess::ExitStatus status) {
    const QByteArray output = process_->readAllStandardOutput(), errors = process_->readAllStandardError();
    drop();
    if (status == QProcess::CrashExit) {
        emit failed({static_cast<int>(ErrorCode::kInternal), QStringLiteral("tandem-worker: ended by a signal. %1").arg(reasonOf(errors))});
    } else if (exit_code != 0) {
        emit failed({static_cast<int>(ErrorCode::kFailedPrecondition), reasonOf(errors)});
    } else {
        emit answered(output);
    }
}

void WorkerCall::fail(const ErrorInfo& error) {
    drop();
    emit failed(error);
}

}  // namespace ui::session
