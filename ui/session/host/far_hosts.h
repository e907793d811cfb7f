// SPDX-License-Identifier: GPL-3.0-or-later
// The user's other computers: the machine-wide list, read again when its file changes, and for each what the last look told. Looks happen
// on threads of their own, at most eight at a time, and hold a connection no longer than they last; nobody is asked for a password by them.
// Owned by Session; GUI thread only, nothing here blocks but the destructor, which ends what goes on.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QStringList>
#include <QTimer>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <vector>

#include "ui/session/host/far_host.h"
#include "ui/session/host/host_backend.h"
#include "ui/session/host/host_job.h"
#include "ui/session/worker_thread.h"

namespace ui::session {

class FarHosts : public QObject {
    Q_OBJECT
public:
    // Without a `backend` the list stays empty, and nothing can be added to it.
    explicit FarHosts(std::shared_ptr<HostBackend> backend, int look_again_ms = 15'000);
    ~FarHosts() override;

    // The hosts in the list's order. The reference is good until control returns to the event loop.
    const std::vector<FarHost>& hosts() const { return hosts_; }
    // Returns the host of the name that clusters write; null: the list has none. The pointer is good as long as hosts() is.
    const FarHost* find(const QString& name) const;
    // Returns the host that an address of a cluster means: the one of that name, else the one that ssh reaches under it; null as find().
    const FarHost* reachedAs(const QString& address_host) const;
    bool isLoaded() const { return is_loaded_; }  // the list was read, or its fault is known
    // Says why the list can't be read; empty: it can.
    const QString& listProblem() const { return list_problem_; }
    // Returns the hosts that the user's own configuration of ssh names, the list's among them, as of the last reload.
    const QStringList& sshNames() const { return ssh_names_; }
    const std::shared_ptr<HostBackend>& backend() const { return backend_; }

    void reload();                           // reads the list again
    void refresh(const QStringList& names);  // looks at those of the list; one that is being looked at is not asked twice
    // While watched, hosts that are in the project or shown are looked at again every `look_again_ms`.
    void setWatched(bool watched);
    void setProjectHosts(const QStringList& names);
    void setShown(const QStringList& names);

    // After an edit the list is read again, which emits listChanged(); or failed() follows.
    void add(const HostEntry& entry);
    void remove(const QString& name);
    // Puts this Tandem on a host of the list, also in the place of another version. changed() tells its progress, then comes installed() or
    // failed(). After an installation it looks at the host again. When questions are asked, FarHost::question has what answer() is for.
    void install(const QString& name, HostJob::Questions questions = HostJob::Questions::kRefused);
    void cancelInstall(const QString& name);
    void answer(const QString& name, const std::optional<QString>& text);
    // Called when nobody is there to answer any more: installations get no answers from now on.
    void refuseQuestions();
    // Takes over what somebody else's look at a host of the list told.
    void learn(const QString& name, const HostSight& sight);

signals:
    void listChanged();          // hosts() has other entries
    void changed(QString name);  // a row of hosts(): its look, its installation
    void installed(QString name);
    void failed(QString name, ui::session::ErrorInfo error);  // of add, remove and install

private:
    FarHost* row(const QString& name);
    void take(const std::vector<HostEntry>& entries);
    void watchFile();
    void lookAgain();
    void startLooks();
    void endLook(const QString& name, const HostSight& sight);
    void edit(const QString& name, std::function<void(HostBackend&)> change);

    const std::shared_ptr<HostBackend> backend_;
    std::vector<FarHost> hosts_;
    QString list_problem_;
    QStringList ssh_names_;
    bool is_loaded_ = false, is_watched_ = false;
    QStringList project_hosts_, shown_;
    QTimer timer_;
    QFileSystemWatcher files_;
    std::deque<QString> waiting_;                        // looks that have not begun
    std::map<QString, std::unique_ptr<HostJob>> looks_;  // by name
    std::map<QString, std::unique_ptr<HostJob>> installs_;
    const std::shared_ptr<std::atomic<bool>> closes_ = std::make_shared<std::atomic<bool>>(false);  // who pairs gives up
    std::unique_ptr<WorkerThread> list_thread_;  // reads and writes the list; last: it tells this object
};

}  // namespace ui::session
