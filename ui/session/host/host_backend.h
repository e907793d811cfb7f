// SPDX-License-Identifier: GPL-3.0-or-later
// The ways to other computers, behind FarHosts: OpenSSH in the program (sshHostBackend), values of their own in tests. Every method may be
// called from any thread, may block up to its deadline, and throws engine::Error whose sentence names the host.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <QStringList>

#include "engine/spec/diagnostic.h"
#include "ui/session/host/far_host.h"

namespace ui::session {

// The means that a call may use while it goes on.
struct HostWork {
    std::chrono::milliseconds deadline{20'000};
    std::function<bool()> is_cancelled;            // asked several times a second; empty: never
    std::function<void(HostProgress)> progress{};  // on the caller's thread; empty: nobody is told
    // Answers a question of ssh on whatever thread it comes; nullopt: there is no answer. `is_over` says that nobody waits for it any more.
    // Empty: nobody is asked, and what would ask fails.
    std::function<std::optional<QString>(const HostQuestion&, const std::function<bool()>& is_over)> ask{};
};

class HostBackend {
public:
    virtual ~HostBackend() = default;

    // Returns the path of the file that list() reads, so that it can be watched; empty: no file.
    virtual QString listFile() const = 0;
    virtual std::vector<HostEntry> list() = 0;
    // Adds an entry. One whose destination is a pairing line is paired first, which blocks up to the deadline.
    virtual void add(const HostEntry& entry, const HostWork& work) = 0;
    virtual void remove(const QString& name) = 0;
    // Returns the hosts that the user's own configuration of ssh names.
    virtual QStringList sshNames() = 0;
    // Looks at a host and starts an agent there when none runs. Never throws for what is wrong with the host: that is the sight's problem.
    virtual HostSight look(const HostEntry& entry, const HostWork& work) = 0;
    // Returns what the host's shell tells before anything of Tandem is there; starts and changes nothing. kUnknown: this version lies
    // there, and nobody has asked its agent. Throws as look() does.
    virtual HostSight survey(const HostEntry& entry, const HostWork& work) = 0;
    // Puts this Tandem there, whatever lay there before. The deadline is that between two signs of life.
    virtual void install(const HostEntry& entry, const HostWork& work) = 0;
};

struct SshHostOptions {
    std::string version;    // of this Tandem
    std::string share_dir;  // holds the bundle that is installed; empty: ../share/tandem beside the program
    std::string askpass{};  // the program that ssh starts to ask (agent/hosts/ssh_askpass.h); empty: this one
};
std::shared_ptr<HostBackend> sshHostBackend(SshHostOptions options);

// Returns what is wrong with an entry, as the list would say; empty: it may be added.
engine::spec::Diagnostics findingsOf(const HostEntry& entry);
// Returns HOST of [USER@]HOST[:PORT] or of a pairing line; empty: there is none.
QString hostOfDestination(const QString& destination);
// Returns the folder of Tandem on a computer for which the user has chosen no other.
QString usualFolder();

}  // namespace ui::session
