// This Tandem on another computer, over ssh: no root, no port and no program there but those of every Linux. far_installer.h says what
// happens there. A host whose folder is called `current` gets VERSION-HASH beside it, and `current` becomes a link to that; any other
// folder is filled where it is empty or missing.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agent/hosts/bundle.h"
#include "agent/hosts/host_list.h"
#include "agent/hosts/ssh_process.h"

namespace agent::hosts {

struct Progress {
    std::uint64_t sent_bytes = 0, all_bytes = 0;  // of the archive, with what a former try has sent
    friend bool operator==(const Progress&, const Progress&) = default;
};

struct InstallOptions {
    std::string version;                       // of this Tandem: the bundle has to be the same
    std::chrono::milliseconds silence{30000};  // the longest wait for a word, or for a byte that is taken
    Prompts prompts = Prompts::kNone;
    std::function<void(Progress)> progress;      // on the caller's thread, several times a second; empty: nobody is told
    std::function<bool()> is_cancelled;          // asked ten times a second; empty: never
    std::vector<std::string> ssh_environment{};  // SshCommand::environment
};

struct Installation {
    std::string program;           // the tandem-agent there that a run uses now
    std::string version;           // of it
    std::string before;            // the version that was used before; empty: there was none
    bool was_there = false;        // that version lay there already, and nothing was put there
    std::uint64_t sent_bytes = 0;  // over the connection
    friend bool operator==(const Installation&, const Installation&) = default;
};

// Throws kFailedPrecondition of a host that is reached directly: nothing can be put there from here.
void requireSsh(const Host& host);

// Returns when the host has this version and no agent of another one runs there; the folder has the former content until then, or after an
// error. What was sent before a cut is not sent again by the next call. Several at once, from here or elsewhere, wait for each other.
// Throws Error with one sentence that names the host: kFailedPrecondition (another processor, an older glibc, a folder that is in use, an
// agent of another version that has runs), kResourceExhausted (disk), kPermissionDenied, kUnavailable, kDeadlineExceeded, kCancelled.
Installation install(const Host& host, const Bundle& bundle, const InstallOptions& options);

}  // namespace agent::hosts
