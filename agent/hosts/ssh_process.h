// The system's OpenSSH client as a child process: the user's own ~/.ssh/config, known_hosts, agent and jump hosts count.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/hosts/host_list.h"

namespace agent::hosts {

// The place where ssh may ask for passwords and unknown keys.
enum class Prompts {
    kNone,      // nowhere: it fails instead
    kAskpass,   // through SSH_ASKPASS
    kTerminal,  // on this process' terminal, in whose foreground it has to be
};
// Returns kTerminal in the foreground of a terminal, else kAskpass where the environment of this process sets up SSH_ASKPASS, else kNone.
Prompts promptsHere();

// The source of the far command's standard input.
enum class Input {
    kNone,     // nothing
    kOffered,  // what SshProcess::offer gives it
};

struct SshCommand {
    std::vector<std::string> options;   // of ssh, such as -N, before the destination
    std::string far_command;            // for the shell of the user there; empty: none
    std::filesystem::path working_dir;  // of ssh itself; empty: this process'
    Prompts prompts = Prompts::kNone;
    std::string agent_socket{};  // SSH_AUTH_SOCK of ssh, of the user's ssh-agent; empty: this process'
    Input input = Input::kNone;
    std::vector<std::string> environment{};  // of ssh alone: NAME=VALUE, in the place of this process' own
};

// The way ssh ended, and the last of what it wrote (64 KiB of each).
struct SshEnd {
    int exit_code = -1;  // 255: ssh itself failed; -1: killed by a signal
    std::string output, errors;
    friend bool operator==(const SshEnd&, const SshEnd&) = default;
};

// Quotes one word for the shell there, whatever it holds: sh, bash, zsh, csh and fish read it alike where it has no backslash.
std::string quotedForShell(std::string_view word);

// Returns the arguments that ssh is started with, its own name not among them. The destination stands behind "--", so that none can be an
// option.
std::vector<std::string> sshArguments(const SshDestination& destination, const SshCommand& command);

// The options of `command` that count on the way, too, as a configuration: what it is started with reaches no jump host, but the file
// behind -F does. The user's own configuration and the system's follow in it.
std::string sshConfiguration(const SshCommand& command);

// A started ssh, in a session of its own unless it may use the terminal. Safe from any thread. It is killed when this object or this
// process ends, whichever way.
class SshProcess {
public:
    // Throws Error: kFailedPrecondition without an ssh on the PATH, kUnavailable when it can't be started.
    SshProcess(const SshDestination& destination, const SshCommand& command);
    ~SshProcess();
    SshProcess(const SshProcess&) = delete;
    SshProcess& operator=(const SshProcess&) = delete;

    // Returns how ssh ended; nullopt while it runs.
    std::optional<SshEnd> ended() const;
    // Waits no longer than `time` for ssh to end, and returns the same.
    std::optional<SshEnd> waitFor(std::chrono::milliseconds time) const;
    // Return what ssh has written so far, the last 64 KiB of each.
    std::string output() const;
    std::string errors() const;
    // Hands the first of `bytes` on to the far command, waiting no longer than `time` until ssh takes some. Answers how many were taken: 0
    // when none were, when ssh has ended and when the command was given no input. One thread at a time.
    std::size_t offer(std::string_view bytes, std::chrono::milliseconds time);
    bool isRunning() const { return !ended(); }

private:
    class Supervisor;
    std::unique_ptr<Supervisor> supervisor_;
};

}  // namespace agent::hosts
