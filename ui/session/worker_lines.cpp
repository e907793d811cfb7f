// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/worker_lines.h"

#include <QCoreApplication>
#include <QDir>
#include <utility>

namespace ui::session {

using engine::ErrorCode;

namespace {

constexpr int kGraceMs = 1500;                         // between the request to end and the end
constexpr qsizetype kLargestLine = 256 * 1024 * 1024;  // bytes

// The last error that was said, without the word in front of it; where none was, the last line.
QString reasonOf(const QByteArray& errors) {
    const QString marker = QStringLiteral("error: ");
    const QStringList lines = QString::fromUtf8(errors).trimmed().split('\n');
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
        if (const qsizetype at = line->indexOf(marker); at >= 0) return line->mid(at + marker.size());
    }
    return lines.back();
}

}  // namespace

WorkerLines::WorkerLines(QObject* parent) : QObject(parent) {
    deadline_.setSingleShot(true);
    connect(&deadline_, &QTimer::timeout, this, [this] {
        cancel();
        fail(ErrorCode::kDeadlineExceeded,
             QStringLiteral("tandem-worker: expected an answer within %1 s, got none").arg(deadline_.interval() / 1000));
    });
}

WorkerLines::~WorkerLines() {
    for (QProcess* process : findChildren<QProcess*>()) {  // those that were told to end as well
        process->disconnect();
        process->kill();
        process->waitForFinished(kGraceMs);
    }
}

void WorkerLines::start(const WorkerQuestion& question) {
    cancel();
    said_.clear();
    QStringList arguments = question.arguments;
    if (question.run != nullptr) {
        project_ = std::make_unique<QTemporaryFile>(QDir::tempPath() + "/tandem-question-XXXXXX.tandem");
        const std::string text = toProjectJson(*question.run);
        if (!project_->open() || project_->write(text.data(), static_cast<qint64>(text.size())) < 0 || !project_->flush()) {
            return fail(ErrorCode::kResourceExhausted,
                        QStringLiteral("%1: expected to write it: %2").arg(project_->fileName(), project_->errorString()));
        }
        for (QString& argument : arguments) {
            if (argument == "@project") argument = project_->fileName();
        }
    }
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &WorkerLines::readLines);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart) return;  // the others end in finished()
        fail(ErrorCode::kUnavailable,
             QStringLiteral("%1: expected a program that starts: %2").arg(process_->program(), process_->errorString()));
    });
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        const QPointer<QProcess> asked = process_;
        readLines();
        if (process_ == nullptr || process_ != asked) return;  // a listener cancelled, or began another question
        const QByteArray errors = process_->readAllStandardError();
        said_ = QString::fromUtf8(errors);
        const QString said = reasonOf(errors);
        if (status == QProcess::CrashExit)
            return fail(ErrorCode::kInternal, QStringLiteral("tandem-worker: ended by a signal. %1").arg(said));
        if (code == 0) return finish({});
        fail(ErrorCode::kFailedPrecondition, said.isEmpty() ? QStringLiteral("tandem-worker: ended with code %1").arg(code) : said);
    });
    deadline_.start(question.deadline_ms);
    const QString beside = QCoreApplication::applicationDirPath() + "/tandem-worker";
    process_->start(question.program.isEmpty() ? beside : question.program, arguments, QIODevice::ReadOnly);
}

void WorkerLines::cancel() {
    deadline_.stop();
    rest_.clear();
    QProcess* process = std::exchange(process_, nullptr);
    if (process == nullptr) return;
    process->disconnect(this);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    process->terminate();
    QTimer::singleShot(kGraceMs, process, &QProcess::kill);
}

void WorkerLines::readLines() {
    if (process_ == nullptr) return;
    deadline_.start();
    rest_ += process_->readAllStandardOutput();
    const QPointer<QProcess> asked = process_;
    for (qsizetype end = 0; (end = rest_.indexOf('\n')) >= 0;) {
        const QByteArray line = rest_.left(end);
        rest_.remove(0, end + 1);
        emit lineArrived(line);
        if (process_ == nullptr || process_ != asked) return;  // a listener began another question
    }
    if (rest_.size() > kLargestLine) {
        cancel();
        fail(ErrorCode::kResourceExhausted,
             QStringLiteral("tandem-worker: expected lines below %1 MB, got a longer one").arg(kLargestLine >> 20));
    }
}

void WorkerLines::fail(ErrorCode code, const QString& detail) {
    finish({static_cast<int>(code), detail});
}

void WorkerLines::finish(const ErrorInfo& error) {
    deadline_.stop();
    if (QProcess* process = std::exchange(process_, nullptr)) {
        process->disconnect();
        process->deleteLater();
    }
    emit ended(error);
}

}  // namespace ui::session
