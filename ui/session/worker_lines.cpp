// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/worker_lines.h"

#include <QCoreApplication>
#include <QDir>
#include <utility>

namespace ui::session {

namespace {

constexpr int kGraceMs = 1500;                         // between the request to end and the end
constexpr qsizetype kLargestLine = 256 * 1024 * 1024;  // bytes

QString lastLine(const QByteArray& text) {
    const QList<QByteArray> lines = text.trimmed().split('\n');
    return QString::fromUtf8(lines.isEmpty() ? QByteArray() : lines.back());
}

}  // namespace

WorkerLines::WorkerLines(QObject* parent) : QObject(parent) {
    deadline_.setSingleShot(true);
    connect(&deadline_, &QTimer::timeout, this, [this] {
        const QString problem = QStringLiteral("tandem-worker: expected an answer within %1 s, got none").arg(deadline_.interval() / 1000);
        cancel();
        emit ended(problem);
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
    QStringList arguments = question.arguments;
    if (question.run != nullptr) {
        project_ = std::make_unique<QTemporaryFile>(QDir::tempPath() + "/tandem-question-XXXXXX.tandem");
        const std::string text = toProjectJson(*question.run);
        if (!project_->open() || project_->write(text.data(), static_cast<qint64>(text.size())) < 0 || !project_->flush()) {
            return finish(QStringLiteral("%1: expected to write it: %2").arg(project_->fileName(), project_->errorString()));
        }
        for (QString& argument : arguments) {
            if (argument == "@project") argument = project_->fileName();
        }
    }
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &WorkerLines::readLines);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) {
            finish(QStringLiteral("%1: could not be started: %2").arg(process_->program(), process_->errorString()));
        }
    });
    connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        readLines();
        const QString said = lastLine(process_->readAllStandardError());
        if (status == QProcess::CrashExit) return finish(QStringLiteral("tandem-worker: ended by a signal. %1").arg(said));
        finish(code == 0 ? QString() : said.isEmpty() ? QStringLiteral("tandem-worker: ended with code %1").arg(code) : said);
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
        emit ended(QStringLiteral("tandem-worker: expected lines below %1 MB, got a longer one").arg(kLargestLine >> 20));
    }
}

void WorkerLines::finish(const QString& problem) {
    deadline_.stop();
    if (QProcess* process = std::exchange(process_, nullptr)) {
        process->disconnect(this);
        process->deleteLater();
    }
    emit ended(problem);
}

}  // namespace ui::session
