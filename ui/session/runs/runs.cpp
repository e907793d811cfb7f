// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/runs.h"

#include <QDateTime>
#include <QHash>
#include <QLocale>
#include <QSettings>
#include <algorithm>
#include <cmath>
#include <utility>

#include "agent/client/followed_folder.h"
#include "engine/spec/error.h"
#include "ui/session/error_text.h"
#include "ui/session/event_list.h"
#include "ui/session/host/agent_link.h"
#include "ui/session/host/host.h"
#include "ui/session/runs/event_files.h"
#include "ui/session/runs/history.h"
#include "ui/session/runs/run_facts.h"
#include "ui/session/runs/run_names.h"

namespace ui::session {

using namespace engine::spec;

namespace {

constexpr qsizetype kMaxNameBytes = 1000, kMaxNotesBytes = 64 << 10, kMaxTagsBytes = 8 << 10;
constexpr int kPollActiveMs = 2000, kPollIdleMs = 8000;

// Runs of one project are told apart by a number, in the order of their launch. `runs`: newest first, as the agent names them.
void numberNames(std::vector<RunSummary>& runs) {
    QHash<QString, int> counts;
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
        const int number = ++counts[run->name];
        if (number > 1) run->name = numberedName(run->name, number);
    }
}

constexpr std::size_t kCurvePoints = 42;
constexpr auto kCurveKey = "run_curve";

// Returns the means of equal parts of the run's steps.
std::vector<double> curveOfRecord(const RunRecord& run) {
    const PointTable& points = run.global();
    const std::vector<double>* values = points.find("accuracy");
    if (!values) values = points.find("loss");
    if (!values || values->empty()) return {};
    const std::size_t parts = std::min(kCurvePoints, values->size());
    std::vector<double> curve;
    for (std::size_t part = 0; part < parts; ++part) {
        double sum = 0, count = 0;
        for (std::size_t i = part * values->size() / parts; i < (part + 1) * values->size() / parts; ++i) {
            if (!std::isfinite((*values)[i])) continue;
            sum += (*values)[i];
            ++count;
        }
        if (count > 0) curve.push_back(sum / count);
    }
    return curve;
}

QString controlText(const QString& what, std::int64_t step) {
    const QString at = QLocale().toString(static_cast<qlonglong>(step));
    const QString rate = QStringLiteral("learning_rate ");
    if (what == QLatin1String("pause")) return Runs::tr("paused at step %1").arg(at);
    if (what == QLatin1String("resume")) return Runs::tr("resumed at step %1").arg(at);
    if (what.startsWith(QLatin1String("stop"))) return Runs::tr("told to stop at step %1").arg(at);
    if (what == QLatin1String("checkpoint now")) return Runs::tr("checkpoint by hand at step %1").arg(at);
    if (what.startsWith(rate)) return Runs::tr("learning rate %1 from step %2 on").arg(what.mid(rate.size()), at);
    return {};  // single steps are many
}

}  // namespace

Runs::Runs(const RunsPlace& place) : place_(place), history_(std::make_unique<History>(place.history_file, place.settings)) {
    AgentLink* link = &place_.link;
    connect(&poll_timer_, &QTimer::timeout, this, [this] {
        if (place_.host.isReady()) place_.link.listRuns();
    });
    connect(&place_.host, &Host::connected, this, [this] {
        place_.link.listRuns();
        for (RunRecord* record : records()) {
            if (isActive(record->state())) place_.link.watch(record->id(), record->lastSequence() + 1);
        }
        poll_timer_.start(kPollIdleMs);
    });
    connect(&place_.host, &Host::answersAgain, this, &Runs::refresh);
    connect(&place_.host, &Host::agentChanged, this, [this] {
        if (place_.host.agentState() == AgentState::kLost && place_.host.agentSilentSeconds() == 0) poll_timer_.stop();
    });
    connect(this, &Runs::stateChanged, this, [this] { place_.host.setWatched(hasActive()); });
    connect(link, &AgentLink::runsListed, this, &Runs::onRuns);
    connect(link, &AgentLink::runAnswered, this, [this](RunSummary run) {
        history_->annotate(run);
        if (const RunSummary* known = findOwn(run.id)) run.name = known->name;
        if (RunRecord* own = record(run.id)) hear(*own, run);
    });
    connect(link, &AgentLink::followed, this, [this](const RunSummary& run) { adoptOpened(run, tr("Opened the folder of %1.")); });
    connect(link, &AgentLink::imported, this, [this](const RunSummary& run, bool was_here) {
        adoptOpened(run, was_here ? tr("%1 is here already.") : tr("Imported %1 from %2.").arg(QStringLiteral("%1"), run.imported_from));
    });
    connect(link, &AgentLink::archived, this, [this](const QString& id, const QString& file) {
        const RunSummary* run = find(id);
        place_.events.add(Severity::kInfo, tr("Saved %1 in %2.").arg(run ? run->name : id, file));
        emit archived(file);
    });
    connect(link, &AgentLink::archiveFailed, &place_.events, &EventList::fail);
    connect(link, &AgentLink::followFailed, this, [this](const ErrorInfo& error) {
        place_.events.fail(error);
        emit openRefused(error);
    });
    connect(link, &AgentLink::callFailed, this, [this](const ErrorInfo& error) {
        if (place_.host.isReady()) place_.events.fail(error);
    });
    connect(link, &AgentLink::eventsArrived, this, [this](const QString& id, const std::vector<TaskEvent>& events) {
        if (RunRecord* own = record(id)) own->ingest(events);
    });
    connect(link, &AgentLink::pointsDropped, this, [this](const QString& id, qint64 count) {
        if (RunRecord* own = record(id)) own->addDropped(count);
    });
    connect(link, &AgentLink::watchEnded, this, &Runs::onWatchEnded);
    connect(history_.get(), &History::failed, &place_.events, &EventList::fail);
    connect(history_.get(), &History::loaded, this, [this] {
        if (early_list_) takeRuns(*std::exchange(early_list_, std::nullopt));
    });
}

Runs::~Runs() = default;

void Runs::refresh() {
    place_.link.listRuns();
}

void Runs::adoptLaunched(RunSummary run) {
    history_->annotate(run);
    if (RunSummary* known = findOwn(run.id)) return goOn(*known, run);
    int twins = 0;
    for (const RunSummary& other : list_) twins = std::max(twins, numberOf(other, run.name));
    if (twins > 0 && run.given_name.isEmpty()) run.name = numberedName(run.name, twins + 1);
    list_.insert(list_.begin(), run);
    place_.events.add(Severity::kInfo, tr("Launched %1 with %n task(s).", nullptr, run.tasks).arg(run.name));
    adopt(run);
    emit changed();
    emit launched();
}

void Runs::openFolder(const QString& folder, const QString& host) {
    place_.link.followFolder(folder, host);
}

bool isFolderOfTasks(const QString& folder) {
    return agent::client::tellsEvents(folder.toStdString());
}

QString farPlaceOf(const RunSummary& run) {
    const auto place = run.followed ? agent::client::farPlaceOf(run.run_dir.toStdString(), run.id.toStdString()) : std::nullopt;
    return place ? QString::fromStdString(place->host + ":" + place->folder) : QString();
}

void Runs::openArchive(const QString& file) {
    place_.link.importRun(file);
}

void Runs::saveArchive(const QString& id, const QString& file) {
    place_.link.archiveRun(id, file);
}

// A run that was listed before may go on now. `said` has a place for its name.
void Runs::adoptOpened(RunSummary run, const QString& said) {
    history_->annotate(run);
    if (RunSummary* known = findOwn(run.id)) {
        if (run.given_name.isEmpty() && run.project_name == known->project_name) run.name = known->name;
        *known = run;
    } else {
        list_.insert(list_.begin(), run);
    }
    place_.events.add(Severity::kInfo, said.arg(run.name));
    adopt(run);
    emit changed();
    emit opened();
}

const RunSummary* Runs::find(const QString& id) const {
    const auto at = std::find_if(list_.begin(), list_.end(), [&](const RunSummary& run) { return run.id == id; });
    return at == list_.end() ? nullptr : &*at;
}

void Runs::onWatchEnded(const QString& run_id, const std::optional<QString>& error) {
    RunRecord* own = record(run_id);
    if (!own) return;
    if (!error) {
        own->endOfEvents();
        place_.link.getRun(run_id);
        if (own == current_) place_.link.listRuns();
        return;
    }
    place_.events.add(Severity::kWarning, tr("The stream of %1 broke off: %2").arg(own->summary().name, *error));
    QTimer::singleShot(place_.rewatch_ms, this, [this, run_id] {
        RunRecord* again = record(run_id);
        if (place_.host.isReady() && again) place_.link.watch(run_id, again->lastSequence() + 1);
    });
    place_.link.listRuns();  // notices an agent that is gone
}

std::vector<double> Runs::curveOf(const QString& run_id) const {
    if (current_ && current_->id() == run_id) {
        std::vector<double> curve = curveOfRecord(*current_);
        if (!curve.empty()) return curve;
    }
    std::vector<double> curve;
    if (!place_.settings) return curve;
    for (const QVariant& value : place_.settings->value(QStringLiteral("%1/%2").arg(kCurveKey, run_id)).toList()) {
        curve.push_back(value.toDouble());
    }
    return curve;
}

// Keeps the current run's curve; curves of runs that the agent has forgotten are dropped.
void Runs::keepCurve() {
    QSettings* settings = place_.settings;
    if (!settings || !current_) return;
    const std::vector<double> curve = curveOfRecord(*current_);
    if (curve.empty()) return;
    QVariantList values;
    for (const double value : curve) values << std::round(value * 1e4) / 1e4;
    settings->beginGroup(kCurveKey);
    settings->setValue(current_->id(), values);
    for (const QString& id : settings->childKeys()) {
        if (std::none_of(list_.begin(), list_.end(), [&](const RunSummary& run) { return run.id == id; })) settings->remove(id);
    }
    settings->endGroup();
}

void Runs::onRuns(std::vector<RunSummary> runs) {
    if (history_->isReady()) return takeRuns(std::move(runs));
    early_list_ = std::move(runs);
}

void Runs::takeRuns(std::vector<RunSummary> runs) {
    std::stable_sort(runs.begin(), runs.end(),
                     [](const RunSummary& a, const RunSummary& b) { return a.created_unix_ns > b.created_unix_ns; });
    numberNames(runs);
    for (auto run = runs.rbegin(); run != runs.rend(); ++run) history_->annotate(*run);  // the oldest takes the first colour
    const bool first = std::exchange(reads_list_, false);
    const bool news = first || runs != list_;
    if (news) list_ = std::move(runs);
    for (RunRecord* own : records()) {
        if (const RunSummary* summary = findOwn(own->id())) hear(*own, *summary);
    }
    if (!current_ && !list_.empty()) {
        adopt(*std::min_element(list_.begin(), list_.end(), isLater));
        emit firstAdopted();
    }
    if (news) emit changed();
    poll_timer_.start(hasActive() ? kPollActiveMs : kPollIdleMs);
}

std::vector<RunRecord*> Runs::records() const {
    std::vector<RunRecord*> all = compared_;
    for (RunRecord* own : {current_, parent_}) {
        if (own && std::find(all.begin(), all.end(), own) == all.end()) all.push_back(own);
    }
    return all;
}

RunRecord* Runs::record(const QString& id) const {
    for (RunRecord* one : records()) {
        if (one->id() == id) return one;
    }
    return nullptr;
}

RunRecord* Runs::makeRecord(const RunSummary& run) {
    auto* made = new RunRecord(run, this);
    place_.link.watch(run.id, 1);
    return made;
}

void Runs::releaseRecord(RunRecord* record) {
    place_.link.endWatch(record->id());
    record->disconnect(this);
    record->deleteLater();
}

// A run that is told to go on although all of its events were read has been started again since.
void Runs::hear(RunRecord& own, const RunSummary& summary) {
    own.setSummary(summary);
    if (own.hasAllEvents() && isActive(own.state())) {
        own.expectEvents();
        place_.link.watch(own.id(), own.lastSequence() + 1);
    }
}

// The run in `known` was started again from its backup, and is `run` now.
void Runs::goOn(RunSummary& known, RunSummary run) {
    if (run.given_name.isEmpty() && run.project_name == known.project_name) run.name = known.name;
    known = run;
    place_.events.add(Severity::kInfo, tr("Started %1 again from its backup (attempt %2).").arg(run.name).arg(run.attempts));
    adopt(run);
    emit changed();
    emit launched();
}

void Runs::adopt(const RunSummary& run) {
    RunRecord* before = current_;
    if (before && before->id() == run.id) {
        hear(*before, run);
        emit stateChanged();
        return;
    }
    RunRecord* known = record(run.id);
    current_ = known ? known : makeRecord(run);
    connect(current_, &RunRecord::stateChanged, this, [this, was_active = isActive(run.state)]() mutable {
        const bool active = hasActive();
        if (was_active && !active) {
            place_.events.add(current_->state() == RunState::kFailed ? Severity::kError : Severity::kInfo,
                              tr("%1: %2").arg(current_->summary().name, runStateText(current_->state())));
            emit currentEnded();
        }
        was_active = active;
        emit stateChanged();
    });
    connect(current_, &RunRecord::epochsChanged, this, &Runs::keepCurve);
    // Actions by hand are told while this studio looks on: those before are in the run's log.
    const std::int64_t since = QDateTime::currentMSecsSinceEpoch() * 1'000'000;
    connect(current_, &RunRecord::controlsChanged, this, [this, since, told = current_->controls().size()]() mutable {
        const auto& controls = current_->controls();
        told = std::min(told, controls.size());  // a restart takes some back
        for (; told < controls.size(); ++told) {
            const ControlEntry& one = controls[told];
            if (current_->createdUnixNs() + static_cast<std::int64_t>(one.time_s * 1e9) < since) continue;
            const QString text = controlText(QString::fromStdString(one.applied.what), one.applied.step);
            if (!text.isEmpty()) place_.events.add(Severity::kInfo, tr("%1: %2").arg(current_->summary().name, text));
        }
    });
    adoptParent();
    emit currentChanged();
    emit stateChanged();
    if (!before) return;
    if (record(before->id()) == before) {
        before->disconnect(this);
    } else {
        releaseRecord(before);
    }
}

void Runs::adoptParent() {
    RunRecord* const before = std::exchange(parent_, nullptr);
    const RunSummary* summary = findOwn(current_->summary().branch_of);
    if (summary && summary->id != current_->id()) {
        RunRecord* known = record(summary->id);
        if (before && before->id() == summary->id) known = before;
        parent_ = known ? known : makeRecord(*summary);
    }
    if (before && record(before->id()) != before) releaseRecord(before);
}

void Runs::compare(const QStringList& ids) {
    std::vector<RunRecord*> compared;
    for (const QString& id : ids) {
        const RunSummary* summary = findOwn(id);
        if (!summary) continue;
        RunRecord* known = record(id);
        compared.push_back(known ? known : makeRecord(*summary));
    }
    if (compared == compared_) return;
    const std::vector<RunRecord*> before = std::exchange(compared_, std::move(compared));
    emit comparedChanged();
    for (RunRecord* one : before) {
        if (record(one->id()) != one) releaseRecord(one);
    }
}

// Runs of an agent of before attempts were counted stand beside each other with one folder.
int attemptOf(const Runs& runs, const RunSummary& run) {
    return run.attempts + static_cast<int>(std::count_if(runs.list().begin(), runs.list().end(), [&](const RunSummary& other) {
               return other.id != run.id && !run.run_dir.isEmpty() && other.run_dir == run.run_dir &&
                      other.created_unix_ns < run.created_unix_ns;
           }));
}

RunSummary* Runs::findOwn(const QString& id) {
    const auto at = std::find_if(list_.begin(), list_.end(), [&](const RunSummary& run) { return run.id == id; });
    return at == list_.end() ? nullptr : &*at;
}

void Runs::annotate(const QStringList& ids, const std::function<void(RunSummary&)>& edit) {
    std::vector<RunSummary> edited;
    for (const QString& id : ids) {
        RunSummary* run = findOwn(id);
        if (!run) continue;
        const RunSummary before = *run;
        edit(*run);
        if (*run != before) edited.push_back(*run);
    }
    if (edited.empty()) return;
    history_->keep(edited);
    for (const RunSummary& run : edited) {
        if (RunRecord* own = record(run.id)) own->setSummary(run);
    }
    emit changed();
}

// Texts that are kept are read anew with every start, so long ones are refused.
bool Runs::refuseLong(const char* what, const QString& text, qsizetype most) {
    const qsizetype bytes = text.toUtf8().size();
    if (bytes <= most) return false;
    place_.events.fail({static_cast<int>(engine::ErrorCode::kOutOfRange),
                        QStringLiteral("%1: expected at most %2 bytes, got %3").arg(QLatin1String(what)).arg(most).arg(bytes)});
    return true;
}

void Runs::rename(const QString& id, const QString& name) {
    if (refuseLong("name", name, kMaxNameBytes)) return;
    annotate({id}, [&](RunSummary& run) {
        run.given_name = name.simplified();
        if (!run.given_name.isEmpty()) {
            run.name = run.given_name;
        } else {
            place_.link.listRuns();  // brings the project's name
        }
    });
}

void Runs::setColor(const QString& id, int color, int dash) {
    annotate({id}, [&](RunSummary& run) {
        run.color = color;
        run.dash = dash;
    });
}

void Runs::setNotes(const QString& id, const QString& notes) {
    if (refuseLong("notes", notes, kMaxNotesBytes)) return;
    annotate({id}, [&](RunSummary& run) { run.notes = notes; });
}

void Runs::setTags(const QString& id, const QStringList& tags) {
    if (refuseLong("tags", tags.join(u','), kMaxTagsBytes)) return;
    annotate({id}, [&](RunSummary& run) { run.tags = tags; });
}

void Runs::setPinned(const QString& id, bool pinned) {
    annotate({id}, [&](RunSummary& run) { run.pinned = pinned; });
}

void Runs::setArchived(const QStringList& ids, bool archived) {
    annotate(ids, [&](RunSummary& run) { run.archived = archived; });
}

void Runs::show(const QString& id) {
    if (current_ && current_->id() == id) return;
    if (const RunSummary* run = findOwn(id)) adopt(RunSummary(*run));
}

void Runs::control(ControlVerb verb, double value) {
    if (hasActive() && eventFolderOf(current_->summary()).isEmpty()) place_.link.control(current_->id(), {verb, value});
}

}  // namespace ui::session

#include "moc_runs.cpp"
