// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/session_toasts.h"

#include <QFileInfo>
#include <cmath>

#include "engine/spec/error.h"
#include "ui/models/error_text.h"
#include "ui/models/finding_text.h"
#include "ui/models/numbers.h"
#include "ui/session/event_list.h"
#include "ui/session/host/host.h"
#include "ui/session/project/project.h"
#include "ui/session/runs/run_record.h"
#include "ui/session/runs/runs.h"
#include "ui/widgets/toast.h"
#include "ui/window/desktop_notice.h"

namespace ui::views {

using session::RunState;
using widgets::ToastTone;

SessionToasts::SessionToasts(session::Session& session, widgets::Toast& toast, QWidget& window)
    : QObject(&window), session_(session), toast_(toast), notice_(new DesktopNotice(window)) {
    tellOfFiles();
    tellOfAgent();
    connect(&session_.runs(), &session::Runs::currentChanged, this, [this] { last_phase_ = RunState::kNone; });
}

void SessionToasts::tellOfFiles() {
    const session::Project& project = session_.project();
    connect(&project, &session::Project::modelOpened, this, [this](const QString& path) {
        const bool has_weights = !session_.project().spec().fit.initial_weights.empty();
        toast_.say(ToastTone::kOk, [has_weights, file = QFileInfo(path).fileName()] {
            return has_weights ? tr("Opened the model of %1; training begins with its weights.").arg(file)
                               : tr("Opened the model of %1.").arg(file);
        });
    });
    connect(&project, &session::Project::failed, this, [this](const QString& path, const engine::spec::Diagnostics& found) {
        const std::string first = found.empty() ? std::string() : found.front().message;
        toast_.say(
            ToastTone::kError,
            [first, file = QFileInfo(path).fileName()] {
                return tr("%1 was not opened: %2").arg(file, first.empty() ? QString() : models::findingText(first));
            },
            [] { return tr("Events"); }, [this] { emit eventsWanted(); });
    });
    connect(&project, &session::Project::saveFailed, this, [this](const QString& path, const QString& why) {
        toast_.say(
            ToastTone::kError, [why, file = QFileInfo(path).fileName()] { return tr("%1 was not saved: %2").arg(file, why); },
            [] { return tr("Save as…"); }, [this] { emit saveAsWanted(); });
    });
}

void SessionToasts::tellOfAgent() {
    connect(&session_.events(), &session::EventList::failed, this, [this](const session::ErrorInfo& error) {
        agent_missed_ = error.code == static_cast<int>(engine::ErrorCode::kUnavailable);
        toast_.say(
            ToastTone::kError, [error] { return models::errorText(error); }, [] { return tr("Events"); }, [this] { emit eventsWanted(); });
    });
    // Whatever it answers first, the toast about its silence goes.
    const auto forgive = [this] {
        if (!agent_missed_ || !session_.host().isReady()) return;
        agent_missed_ = false;
        toast_.withdraw();
    };
    connect(&session_.host(), &session::Host::agentChanged, this, forgive);
    connect(&session_.host(), &session::Host::changed, this, forgive);
    connect(&session_.runs(), &session::Runs::changed, this, forgive);
}

void SessionToasts::lookAtRun() {
    const auto* run = session_.runs().current();
    const RunState phase = run ? run->state() : RunState::kNone;
    if (isActive(last_phase_) && phase == RunState::kDone) {
        const double accuracy = run->summary().result("test_accuracy");
        const double seconds = run->finishedUnixNs() > 0 ? run->summary().secondsTaken(0) : 0;
        const auto text = [accuracy, seconds, name = run->summary().name] {
            const QString time = models::formatDuration(seconds);
            return std::isfinite(accuracy) ? tr("%1: done in %2, test accuracy %3").arg(name, time, models::formatMetric(accuracy))
                                           : tr("%1: done in %2").arg(name, time);
        };
        toast_.say(ToastTone::kOk, text);
        notice_->say(tr("Training is done"), text());
    }
    if (isActive(last_phase_) && phase == RunState::kFailed) {
        notice_->say(tr("Training failed"), models::withName(run->summary().name, models::agentText(run->summary().detail)));
    }
    last_phase_ = phase;
}

void SessionToasts::lookAtFile() {
    const bool changed = session_.project().isFileChanged();
    if (changed && !told_of_file_) {
        const QString path = session_.project().path();
        toast_.say(
            ToastTone::kInfo, [title = session_.project().title()] { return tr("Another program has changed %1.").arg(title); },
            [] { return tr("Read it again"); }, [this, path] { emit readAgainWanted(path); });
    }
    told_of_file_ = changed;
}

}  // namespace ui::views

#include "moc_session_toasts.cpp"
