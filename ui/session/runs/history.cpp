// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/history.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <chrono>
#include <exception>
#include <future>

#include "engine/spec/error.h"
#include "ui/session/settings_file.h"

namespace ui::session {

using agent::history::AnnotationStore;
using agent::history::RunAnnotation;

namespace {

constexpr int kSeriesColors = 8, kDashes = 2;
constexpr std::chrono::seconds kCloseDeadline{3};

ErrorInfo toErrorInfo(const std::exception& error) {
    const auto* known = dynamic_cast<const engine::Error*>(&error);
    return {known ? static_cast<int>(known->code()) : static_cast<int>(engine::ErrorCode::kInternal), QString::fromUtf8(error.what())};
}

// Puts the file aside and removes what SQLite keeps beside it.
QString putStoreAside(const QString& file) {
    const QString aside = putAside(file);
    if (aside.isEmpty()) return {};
    for (const char* beside : {"-wal", "-shm", "-journal"}) QFile::remove(file + beside);
    return aside;
}

}  // namespace

History::History(const QString& file, const QSettings* settings, QObject* parent) : QObject(parent), settings_(settings) {
    if (file.isEmpty()) {
        ready_ = true;
        return;
    }
    thread_.post([this, file] {
        Annotations found;
        ErrorInfo problem;
        try {
            QDir().mkpath(QFileInfo(file).path());
            for (RunAnnotation& one : openStore(file, problem)) {
                const QString id = QString::fromStdString(one.run_id);
                found.emplace(id, std::move(one));
            }
        } catch (const std::exception& error) {
            problem = toErrorInfo(error);
        }
        QMetaObject::invokeMethod(
            this,
            [this, found = std::move(found), problem] {
                annotations_ = found;
                ready_ = true;
                if (!problem.detail.isEmpty()) emit failed(problem);
                emit loaded();
            },
            Qt::QueuedConnection);
    });
}

std::vector<RunAnnotation> History::openStore(const QString& file, ErrorInfo& problem) {
    const auto open = [&] {
        store_ = std::make_unique<AnnotationStore>(file.toStdString());
        return store_->list();
    };
    try {
        return open();
    } catch (const engine::Error& error) {
        store_.reset();
        const QString aside = error.code() == engine::ErrorCode::kDataLoss ? putStoreAside(file) : QString();
        if (aside.isEmpty()) throw;
        problem = toErrorInfo(error);
        problem.detail += QStringLiteral("; it was put aside as %1, names, colours and notes of runs begin anew").arg(aside);
        return open();
    }
}

History::~History() {
    auto written = std::make_shared<std::promise<void>>();
    thread_.post([written] { written->set_value(); });
    written->get_future().wait_for(kCloseDeadline);
    thread_.finish();
}

void History::annotate(RunSummary& run) {
    auto at = annotations_.find(run.id);
    if (at == annotations_.end()) {
        const int number = static_cast<int>(annotations_.size());
        RunAnnotation fresh{.run_id = run.id.toStdString(), .color = number % kSeriesColors, .dash = number / kSeriesColors % kDashes};
        // Colours that were kept among the settings stay what they were.
        const QString key = "run_color/" + run.id;
        if (settings_ && settings_->contains(key)) fresh.color = settings_->value(key).toInt() % kSeriesColors;
        at = annotations_.emplace(run.id, fresh).first;
        write({std::move(fresh)});
    }
    const RunAnnotation& kept = at->second;
    run.color = kept.color;
    run.dash = kept.dash;
    run.given_name = QString::fromStdString(kept.name);
    if (!run.given_name.isEmpty()) run.name = run.given_name;
    run.notes = QString::fromStdString(kept.notes);
    run.tags.clear();
    for (const std::string& tag : kept.tags) run.tags << QString::fromStdString(tag);
    run.pinned = kept.pinned;
    run.archived = kept.archived;
}

void History::keep(const std::vector<RunSummary>& runs) {
    std::vector<RunAnnotation> changed;
    for (const RunSummary& run : runs) {
        RunAnnotation kept{.run_id = run.id.toStdString(),
                           .color = run.color,
                           .dash = run.dash,
                           .name = run.given_name.toStdString(),
                           .notes = run.notes.toStdString(),
                           .tags = {},
                           .pinned = run.pinned,
                           .archived = run.archived};
        for (const QString& tag : run.tags) kept.tags.push_back(tag.toStdString());
        annotations_[run.id] = kept;
        changed.push_back(std::move(kept));
    }
    write(std::move(changed));
}

void History::write(std::vector<RunAnnotation> annotations) {
    thread_.post([this, annotations = std::move(annotations)] {
        if (store_ == nullptr) return;
        try {
            store_->put(annotations);
        } catch (const std::exception& error) {
            QMetaObject::invokeMethod(
                this, [this, problem = toErrorInfo(error)] { emit failed(problem); }, Qt::QueuedConnection);
        }
    });
}

}  // namespace ui::session

#include "moc_history.cpp"
