// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/project/recovery.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <algorithm>

#include "engine/spec/diagnostic.h"
#include "ui/session/project/whole_file.h"

namespace ui::session {

using engine::spec::ProjectReport;

namespace {

constexpr int kVersion = 1;
constexpr auto kSuffix = ".recovery";

QString lockPathOf(const QString& path) {
    return path.chopped(static_cast<int>(qstrlen(kSuffix))) + ".lock";
}

QByteArray toJson(const Leftover& left) {
    return QJsonDocument(QJsonObject{{"version", kVersion},
                                     {"project_path", left.project_path},
                                     {"title", left.title},
                                     {"changed_unix_ms", static_cast<qint64>(left.changed_unix_ms)},
                                     {"project", QString::fromStdString(engine::spec::toProjectJson(left.run))}})
        .toJson();
}

std::optional<Leftover> read(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QJsonObject object = QJsonDocument::fromJson(file.readAll()).object();
    if (object["version"].toInt() != kVersion) return std::nullopt;
    ProjectReport report = engine::spec::parseProject(object["project"].toString().toStdString());
    if (hasErrors(report.diagnostics)) return std::nullopt;
    return Leftover{
        {}, object["project_path"].toString(), object["title"].toString(), object["changed_unix_ms"].toInteger(), std::move(report.run)};
}

// True when the project was saved, and the kill came before the file was taken away.
bool isSaved(const Leftover& left) {
    QString problem;
    const QByteArray text = left.project_path.isEmpty() ? QByteArray() : readWholeFile(left.project_path, problem);
    if (left.project_path.isEmpty() || !problem.isEmpty()) return false;
    const ProjectReport saved = engine::spec::parseProject(text.toStdString());
    return !hasErrors(saved.diagnostics) && saved.run == left.run;
}

QString write(const QString& path, const Leftover& left) {
    const QString problem = writeWholeFile(path, toJson(left));
    return problem.isEmpty() ? QString() : QStringLiteral("%1: expected to write the unsaved project: %2").arg(path, problem);
}

}  // namespace

Recovery::Recovery(QString folder, int delay_ms, QObject* parent)
    : QObject(parent),
      folder_(std::move(folder)),
      path_(QStringLiteral("%1/%2-%3%4")
                .arg(folder_)
                .arg(QCoreApplication::applicationPid())
                .arg(QDateTime::currentMSecsSinceEpoch())
                .arg(QLatin1String(kSuffix))) {
    QDir().mkpath(folder_);
    findLeftovers();
    lock_ = std::make_unique<QLockFile>(lockPathOf(path_));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
    timer_.setSingleShot(true);
    timer_.setInterval(delay_ms);
    connect(&timer_, &QTimer::timeout, this, [this] { writeNow(); });
}

Recovery::~Recovery() {
    writer_.finish();
    if (!is_kept_) QFile::remove(path_);
}

void Recovery::findLeftovers() {
    const QDir folder(folder_);
    for (const QString& name : folder.entryList({QStringLiteral("*") + kSuffix}, QDir::Files)) {
        const QString path = folder.filePath(name);
        auto lock = std::make_unique<QLockFile>(lockPathOf(path));
        lock->setStaleLockTime(0);
        if (!lock->tryLock(0)) continue;  // its studio lives
        std::optional<Leftover> left = read(path);
        if (!left) continue;
        if (isSaved(*left)) {
            QFile::remove(path);
            continue;
        }
        left->id = name;
        leftovers_.push_back(std::move(*left));
        leftover_locks_.emplace(name, std::move(lock));
    }
    std::sort(leftovers_.begin(), leftovers_.end(),
              [](const Leftover& a, const Leftover& b) { return a.changed_unix_ms > b.changed_unix_ms; });
}

const Leftover* Recovery::find(const QString& id) const {
    const auto at = std::find_if(leftovers_.begin(), leftovers_.end(), [&](const Leftover& left) { return left.id == id; });
    return at == leftovers_.end() ? nullptr : &*at;
}

void Recovery::discard(const QString& id) {
    if (!find(id)) return;
    std::erase_if(leftovers_, [&](const Leftover& left) { return left.id == id; });
    QFile::remove(folder_ + "/" + id);
    leftover_locks_.erase(id);
    emit leftoversChanged();
}

void Recovery::keep(const engine::spec::RunSpec& run, const QString& project_path, const QString& title) {
    waiting_ = Leftover{{}, project_path, title, QDateTime::currentMSecsSinceEpoch(), run};
    is_kept_ = true;
    if (!timer_.isActive()) timer_.start();
}

void Recovery::forget() {
    timer_.stop();
    waiting_.reset();
    if (!is_kept_) return;
    is_kept_ = false;
    writer_.post([path = path_] { QFile::remove(path); });
}

void Recovery::writeNow(const QString& replaced) {
    timer_.stop();
    if (!waiting_) return;
    writer_.post([this, left = std::move(*waiting_), replaced] {
        const QString problem = write(path_, left);
        QMetaObject::invokeMethod(
            this,
            [this, problem, replaced] {
                if (!problem.isEmpty()) return emit failed(problem);
                if (!replaced.isEmpty()) discard(replaced);
            },
            Qt::QueuedConnection);
    });
    waiting_.reset();
}

}  // namespace ui::session

#include "moc_recovery.cpp"
