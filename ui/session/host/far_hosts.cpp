// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/host/far_hosts.h"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "agent/hosts/host_list.h"
#include "engine/spec/error.h"
#include "ui/session/host/host_job.h"

namespace ui::session {

namespace {

constexpr std::size_t kMostLooks = 8;
constexpr std::chrono::milliseconds kFarHostsLook{20'000}, kSilence{30'000}, kPairing{10'000};

ErrorInfo errorOf(const engine::Error& error) {
    return {static_cast<int>(error.code()), QString::fromUtf8(error.what())};
}

// A job that has told its last word is still inside of its own signal; one that was cancelled is not waited for.
void letGo(std::map<QString, std::unique_ptr<HostJob>>& jobs, const QString& name, QObject* heir) {
    const auto found = jobs.find(name);
    if (found == jobs.end()) return;
    HostJob::letGo(std::move(found->second), heir);
    jobs.erase(found);
}

}  // namespace

QString phaseText(HostProgress::Phase phase) {
    switch (phase) {
        case HostProgress::Phase::kPacking:
            return FarHosts::tr("Reading the archive of this Tandem");
        case HostProgress::Phase::kConnecting:
            return FarHosts::tr("Connecting");
        case HostProgress::Phase::kSending:
            return FarHosts::tr("Sending Tandem");
        case HostProgress::Phase::kUnpacking:
            return FarHosts::tr("Unpacking there");
        case HostProgress::Phase::kStarting:
            return FarHosts::tr("Starting its agent");
    }
    return {};
}

FarHosts::FarHosts(std::shared_ptr<HostBackend> backend, int look_again_ms) : backend_(std::move(backend)) {
    timer_.setInterval(look_again_ms);
    connect(&timer_, &QTimer::timeout, this, &FarHosts::lookAgain);
    connect(&files_, &QFileSystemWatcher::fileChanged, this, &FarHosts::reload);
    connect(&files_, &QFileSystemWatcher::directoryChanged, this, &FarHosts::reload);
    if (!backend_) {
        is_loaded_ = true;
        return;
    }
    list_thread_ = std::make_unique<WorkerThread>();
    reload();
}

FarHosts::~FarHosts() {
    *closes_ = true;
    for (auto* jobs : {&looks_, &installs_})
        for (auto& [name, job] : *jobs) job->cancel();  // all at once, before the first is waited for
}

const FarHost* FarHosts::find(const QString& name) const {
    const auto found = std::find_if(hosts_.begin(), hosts_.end(), [&](const FarHost& host) { return host.entry.name == name; });
    return found == hosts_.end() ? nullptr : &*found;
}

FarHost* FarHosts::row(const QString& name) {
    return const_cast<FarHost*>(find(name));
}

// ---- the list -------------------------------------------------------------------------------------------------------------------

const FarHost* FarHosts::reachedAs(const QString& address_host) const {
    if (const FarHost* named = find(address_host)) return named;
    for (const FarHost& host : hosts_) {
        const auto destination = agent::hosts::parseSshDestination(host.entry.destination.toStdString());
        if (destination && QString::fromStdString(destination->host) == address_host) return &host;
    }
    return nullptr;
}

void FarHosts::reload() {
    if (!backend_) return;
    watchFile();  // before it is read: what changes from here on is told
    list_thread_->post([this, backend = backend_] {
        std::vector<HostEntry> entries;
        QString problem;
        try {
            entries = backend->list();
        } catch (const std::exception& error) {
            problem = QString::fromUtf8(error.what());
        }
        QMetaObject::invokeMethod(
            this,
            [this, entries, problem, names = backend->sshNames()] {
                const bool news = !is_loaded_ || problem != list_problem_;
                is_loaded_ = true;
                list_problem_ = problem;
                if (names != ssh_names_) {
                    ssh_names_ = names;
                    emit listChanged();
                }
                if (problem.isEmpty()) {
                    take(entries);  // else the rows stay as they were
                } else if (news) {
                    emit listChanged();
                }
            },
            Qt::QueuedConnection);
    });
}

void FarHosts::watchFile() {
    const QString file = backend_->listFile();
    if (file.isEmpty()) return;
    const QString folder = QFileInfo(file).path();
    if (!files_.directories().contains(folder) && QFileInfo::exists(folder)) files_.addPath(folder);
    if (!files_.files().contains(file) && QFileInfo::exists(file)) files_.addPath(file);  // it goes with each rename over it
}

void FarHosts::take(const std::vector<HostEntry>& entries) {
    const bool is_same = entries.size() == hosts_.size() && std::equal(entries.begin(), entries.end(), hosts_.begin(),
                                                                       [](const HostEntry& a, const FarHost& b) { return a == b.entry; });
    if (is_same) return;
    std::vector<FarHost> rows;
    for (const HostEntry& entry : entries) {
        const FarHost* known = find(entry.name);
        rows.push_back(known && known->entry == entry ? *known : FarHost{.entry = entry});
    }
    for (const FarHost& former : hosts_) {
        const bool stays = std::find(entries.begin(), entries.end(), former.entry) != entries.end();
        if (stays) continue;
        std::erase(waiting_, former.entry.name);
        for (auto* jobs : {&looks_, &installs_}) {
            const auto found = jobs->find(former.entry.name);
            if (found == jobs->end()) continue;
            found->second->cancel();
            letGo(*jobs, former.entry.name, this);
        }
    }
    hosts_ = std::move(rows);
    emit listChanged();
    if (is_watched_) lookAgain();
}

void FarHosts::edit(const QString& name, std::function<void(HostBackend&)> change) {
    if (!backend_) {
        emit failed(name,
                    {static_cast<int>(engine::ErrorCode::kFailedPrecondition), name + ": expected a list of hosts, this program has none"});
        return;
    }
    list_thread_->post([this, name, backend = backend_, change = std::move(change)] {
        std::function<void()> answer;
        try {
            change(*backend);
            answer = [this] { reload(); };
        } catch (const engine::Error& error) {
            answer = [this, name, info = errorOf(error)] { emit failed(name, info); };
        } catch (const std::exception& error) {
            answer = [this, name, info = ErrorInfo{static_cast<int>(engine::ErrorCode::kInternal), QString::fromUtf8(error.what())}] {
                emit failed(name, info);
            };
        }
        QMetaObject::invokeMethod(this, answer, Qt::QueuedConnection);
    });
}

void FarHosts::add(const HostEntry& entry) {
    edit(entry.name, [entry, closes = closes_](HostBackend& backend) {
        backend.add(entry, {.deadline = kPairing, .is_cancelled = [closes] { return closes->load(); }});
    });
}

void FarHosts::remove(const QString& name) {
    edit(name, [name](HostBackend& backend) { backend.remove(name); });
}

// ---- looks ----------------------------------------------------------------------------------------------------------------------

void FarHosts::setWatched(bool watched) {
    if (is_watched_ == watched) return;
    is_watched_ = watched;
    if (!watched) return timer_.stop();
    timer_.start();
    lookAgain();
}

void FarHosts::setProjectHosts(const QStringList& names) {
    if (project_hosts_ == names) return;
    project_hosts_ = names;
    if (is_watched_) lookAgain();
}

void FarHosts::setShown(const QStringList& names) {
    if (shown_ == names) return;
    shown_ = names;
    if (is_watched_) lookAgain();
}

void FarHosts::lookAgain() {
    // Once a round, and at once for those that came: a look that ended within the round is not repeated.
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QStringList due;
    for (const FarHost& host : hosts_) {
        const QString& name = host.entry.name;
        const bool is_wanted = project_hosts_.contains(name) || shown_.contains(name);
        if (is_wanted && (host.seen_unix_ms == 0 || now - host.seen_unix_ms >= timer_.interval() / 2 || now < host.seen_unix_ms))
            due.append(name);
    }
    refresh(due);
    if (list_thread_ && backend_->listFile().isEmpty()) reload();
}

void FarHosts::refresh(const QStringList& names) {
    for (const QString& name : names) {
        FarHost* host = row(name);
        if (!host || host->is_looking || host->is_installing) continue;
        host->is_looking = true;
        waiting_.push_back(name);
        emit changed(name);
    }
    startLooks();
}

void FarHosts::startLooks() {
    while (looks_.size() < kMostLooks && !waiting_.empty()) {
        const QString name = waiting_.front();
        waiting_.pop_front();
        const FarHost* host = find(name);
        if (!host) continue;
        auto job = std::make_unique<HostJob>();
        connect(job.get(), &HostJob::ended, this, [this, name](const HostSight& sight) { endLook(name, sight); });
        connect(job.get(), &HostJob::failed, this, [this, name](const ErrorInfo& error) {
            endLook(name, {.state = FarHostState::kProblem, .problem = error.detail, .code = error.code});
        });
        job->start([backend = backend_, entry = host->entry](const HostWork& work) { return backend->look(entry, work); }, kFarHostsLook);
        looks_[name] = std::move(job);
    }
}

void FarHosts::endLook(const QString& name, const HostSight& sight) {
    letGo(looks_, name, this);
    if (FarHost* host = row(name)) host->is_looking = false;
    learn(name, sight);
    startLooks();
}

void FarHosts::learn(const QString& name, const HostSight& sight) {
    FarHost* host = row(name);
    if (!host) return;
    host->sight = sight;
    host->seen_unix_ms = QDateTime::currentMSecsSinceEpoch();
    emit changed(name);
}

// ---- installations --------------------------------------------------------------------------------------------------------------

void FarHosts::install(const QString& name, HostJob::Questions questions) {
    FarHost* host = row(name);
    if (!host) {
        emit failed(name,
                    {static_cast<int>(engine::ErrorCode::kNotFound), name + ": expected a host of the list, it has none of the name"});
        return;
    }
    if (host->is_installing) return;
    host->is_installing = true;
    host->progress = {};
    host->install_problem.clear();
    auto job = std::make_unique<HostJob>();
    connect(job.get(), &HostJob::progressed, this, [this, name](const HostProgress& progress) {
        FarHost* at = row(name);
        if (!at || at->progress == progress) return;
        at->progress = progress;
        emit changed(name);
    });
    connect(job.get(), &HostJob::questionChanged, this, [this, name, asking = job.get()] {
        FarHost* at = row(name);
        if (!at) return;
        at->question = asking->question();
        emit changed(name);
    });
    const auto end = [this, name](const QString& problem) {
        letGo(installs_, name, this);
        FarHost* at = row(name);
        if (!at) return;
        at->is_installing = false;
        at->install_problem = problem;
    };
    connect(job.get(), &HostJob::ended, this, [this, name, end] {
        end({});
        if (FarHost* at = row(name)) at->sight = {};  // what was known of it holds no longer
        emit changed(name);
        emit installed(name);
        refresh({name});
    });
    connect(job.get(), &HostJob::failed, this, [this, name, end](const ErrorInfo& error) {
        end(error.detail);
        emit changed(name);
        emit failed(name, error);
    });
    job->start(
        [backend = backend_, entry = host->entry](const HostWork& work) {
            backend->install(entry, work);
            return HostSight();
        },
        kSilence, questions);
    installs_[name] = std::move(job);
    emit changed(name);
}

void FarHosts::cancelInstall(const QString& name) {
    const auto found = installs_.find(name);
    if (found == installs_.end()) return;
    found->second->cancel();
    letGo(installs_, name, this);
    if (FarHost* host = row(name)) host->is_installing = false;
    emit changed(name);
}

void FarHosts::answer(const QString& name, const std::optional<QString>& text) {
    const auto found = installs_.find(name);
    if (found != installs_.end()) found->second->answer(text);
}

void FarHosts::refuseQuestions() {
    for (auto& [name, job] : installs_) job->refuseQuestions();
}

}  // namespace ui::session

#include "moc_far_hosts.cpp"
