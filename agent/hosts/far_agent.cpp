#include "agent/hosts/far_agent.h"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <thread>
#include <vector>

#include "agent/client/agent_channel.h"
#include "agent/hosts/owned_folder.h"
#include "agent/hosts/ssh_errors.h"
#include "agent/local/address_file.h"
#include "agent/local/located_agent.h"
#include "engine/spec/error.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::milliseconds kSlice{100}, kLook{5};
constexpr std::chrono::seconds kPing{5};
constexpr std::size_t kMostSocketPath = 107;  // bytes of a socket's address
constexpr const char* kSocket = "agent.sock";
constexpr std::string_view kHostMark = "tandem-host ", kVersionMark = "tandem-version ", kProgramMark = "tandem-program ",
                           kConnectionMark = "tandem-connection ";

// Words for sh: $1 is the folder, $2 the processor and $3 the version of the computer that asks. Single quotes, exclamation marks,
// backslashes and newlines are left out, so that every login shell hands it on as it is.
constexpr const char* kLocateScript =
    "f=$1; case $f in /*) ;; *) f=$HOME/$f ;; esac; "
    "echo tandem-errors >&2; m=$(uname -m); echo \"tandem-host $m\"; echo \"tandem-connection $SSH_CONNECTION\"; [ \"$m\" = \"$2\" ] || "
    "exit 0; "
    "for p in \"$f/bin/tandem-agent\" \"$f/tandem-agent\" \"$(command -v tandem-agent)\" \"$HOME/.local/bin/tandem-agent\"; do "
    "if [ -f \"$p\" ] && [ -x \"$p\" ]; then "
    "v=$(\"$p\" --version); echo \"tandem-program $p\"; echo \"tandem-version $v\"; [ \"$v\" = \"$3\" ] || exit 0; exec \"$p\" --locate; "
    "fi; done";

std::chrono::milliseconds left(Clock::time_point until) {
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()));
}

void requireTime(const Host& host, const FarOptions& options, Clock::time_point until, const char* what) {
    if (options.is_cancelled && options.is_cancelled()) {
        throw Error(ErrorCode::kCancelled, nameOf(host) + ": cancelled");
    }
    if (left(until).count() == 0) {
        throw Error(ErrorCode::kDeadlineExceeded,
                    nameOf(host) + ": expected " + what + " within " + std::to_string(options.deadline.count() / 1000) + " s, got none");
    }
}

std::vector<long> numbersOf(const std::string& version) {
    std::vector<long> numbers;
    std::istringstream text(version);
    for (std::string part; std::getline(text, part, '.');) {
        numbers.push_back(std::strtol(part.c_str(), nullptr, 10));
    }
    return numbers;
}

// What a far command ended with. Its ssh is killed at the deadline.
SshEnd runThere(const Host& host, const SshCommand& command, const FarOptions& options, Clock::time_point until) {
    const SshProcess ssh(host.ssh, command);
    for (;;) {
        if (std::optional<SshEnd> end = ssh.waitFor(std::min(kSlice, left(until)))) {
            return *end;
        }
        requireTime(host, options, until, "an answer over ssh");
    }
}

void requireVersion(const Host& host, const std::string& expected, const std::string& got, const std::string& whose) {
    if (const auto compared = comparedVersions(expected, got)) {
        throw Error(ErrorCode::kFailedPrecondition, nameOf(host) + ": expected Tandem " + expected + " as on this computer, got " + whose +
                                                        " of version " + got + ", which is " + *compared + ": tandem-cli host update " +
                                                        host.name + " installs this one");
    }
}

struct Found {
    convert::LocatedAgent agent;
    FarAnswer answer;
};

Found locate(const Host& host, const FarOptions& options, Clock::time_point until) {
    const std::string arch = convert::thisArch();
    const SshEnd end = runThere(host,
                                {.options = {"-n", "-o", "ClearAllForwardings=yes"},
                                 .far_command = locateCommand(host, arch, options.version),
                                 .working_dir = {},
                                 .prompts = options.prompts,
                                 .agent_socket = options.ssh_agent,
                                 .environment = options.ssh_environment},
                                options, until);
    if (end.exit_code == kSshFailed) {
        throw sshError(host, end.errors);
    }
    const FarAnswer answer = farAnswerIn(end.output);
    const std::string last = lastLine(farErrors(end.errors));
    const std::string behind = last.empty() ? "" : " (" + last + ")";
    if (answer.arch.empty()) {
        throw Error(ErrorCode::kFailedPrecondition, nameOf(host) + ": expected a shell that runs sh, got none" + behind);
    }
    if (answer.arch != arch) {
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) + ": expected a processor of the kind " + arch + " as on this computer, got " + answer.arch);
    }
    if (answer.program.empty()) {
        throw Error(ErrorCode::kNotFound,
                    nameOf(host) + ": expected Tandem in the folder " + host.folder + " or on the PATH, found none" + behind);
    }
    if (answer.version.empty()) {
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) + ": expected " + answer.program + " to say its version, it said nothing" + behind);
    }
    requireVersion(host, options.version, answer.version, answer.program);
    std::optional<convert::LocatedAgent> located = convert::locatedAgentIn(answer.located);
    if (!located) {
        throw Error(ErrorCode::kUnavailable,
                    nameOf(host) + ": expected " + answer.program + " to find or start its agent, it did not" + behind);
    }
    requireVersion(host, options.version, located->address.version, "an agent that runs there");
    return {*located, answer};
}

SshCommand forwardCommand(const Host& host, const convert::LocatedAgent& agent, const fs::path& folder, const FarOptions& options) {
    const std::optional<fs::path> socket = convert::socketOf(agent.address);
    if (!socket || !socket->is_absolute()) {
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) + ": expected an agent that listens on a socket, got one at " + agent.address.address);
    }
    const std::string path = socket->string();
    if (path.size() > kMostSocketPath || path.find("${") != std::string::npos) {
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) + ": expected a socket whose path ssh can forward (at most 107 bytes, no \"${\"), got " + path +
                        ": set XDG_RUNTIME_DIR there to a shorter folder");
    }
    // A connection that the user already has, by ControlPath, would make the socket in the folder where it was started, and keep it.
    return {.options = {"-n", "-N", "-o", "ControlPath=none", "-o", "StreamLocalBindMask=0177", "-o", "StreamLocalBindUnlink=yes", "-L",
                        "./" + std::string(kSocket) + ":" + forwardedPath(path)},
            .far_command = {},
            .working_dir = folder,
            .prompts = options.prompts,
            .agent_socket = options.ssh_agent,
            .environment = options.ssh_environment};
}

}  // namespace

FarAnswer farAnswerIn(std::string_view output) {
    FarAnswer answer;
    std::istringstream lines{std::string(output)};
    for (std::string line; std::getline(lines, line);) {
        const auto behind = [&](std::string_view mark) { return line.substr(mark.size()); };
        if (line.starts_with(kHostMark)) {
            answer.arch = behind(kHostMark);
        } else if (line.starts_with(kVersionMark)) {
            answer.version = behind(kVersionMark);
        } else if (line.starts_with(kProgramMark)) {
            answer.program = behind(kProgramMark);
        } else if (line.starts_with(kConnectionMark)) {
            std::istringstream words(behind(kConnectionMark));  // as sshd says it: client, its port, server, its port
            std::string port;
            words >> answer.own_address >> port >> answer.far_address;
        } else if (line.starts_with('{') && !answer.version.empty()) {
            answer.located = line;
        }
    }
    return answer;
}

std::string locateCommand(const Host& host, const std::string& arch, const std::string& version) {
    const std::string folder = host.folder.starts_with("~/") ? host.folder.substr(2) : host.folder;
    return "exec sh -c " + quotedForShell(kLocateScript) + " sh " + quotedForShell(folder) + " " + quotedForShell(arch) + " " +
           quotedForShell(version);
}

std::optional<std::string> comparedVersions(const std::string& expected, const std::string& got) {
    if (expected == got) {
        return std::nullopt;
    }
    return numbersOf(got) < numbersOf(expected) ? "older" : numbersOf(got) > numbersOf(expected) ? "newer" : "another one";
}

std::string forwardedPath(std::string_view path) {
    std::string out;
    for (const char c : path) {
        out += c == ':' || c == '\\' ? std::string("\\") + c : c == '%' ? std::string("%%") : std::string(1, c);
    }
    return out;
}

struct FarAgent::Parts {
    Parts(const Host& to, const Found& found, const FarOptions& options) : Parts(to, found.agent, found.answer, options) {}
    Parts(const Host& to, const convert::LocatedAgent& located, const FarAnswer& answer, const FarOptions& options)
        : host(to),
          far_address(answer.far_address),
          own_address(answer.own_address),
          ssh(host.ssh, forwardCommand(host, located, folder.path(), options)),
          channel(std::make_shared<client::AgentChannel>(convert::AgentAddress{.address = "unix:" + socket().string(),
                                                                               .token = located.address.token,
                                                                               .pid = located.address.pid,
                                                                               .version = located.address.version,
                                                                               .host = located.address.host},
                                                         [this] { return ssh.isRunning(); })),
          client(client::makeAgentClient(channel)) {}

    fs::path socket() const { return folder.path() / kSocket; }
    // What ssh said of its end, or of a connection that the server there refused.
    std::optional<Error> lost() const {
        const std::optional<SshEnd> end = ssh.ended();
        return end ? std::optional(sshError(host, end->errors)) : std::nullopt;
    }
    void waitForAnswer(const FarOptions& options, Clock::time_point until) {
        std::string reason;
        for (;;) {
            std::error_code ignored;
            if (const std::optional<Error> ended = lost()) {
                throw Error(*ended);
            }
            if (fs::exists(socket(), ignored)) {
                try {
                    channel->ping(std::min<std::chrono::milliseconds>(kPing, std::max(kSlice, left(until))));
                    return;
                } catch (const Error& error) {
                    reason = error.what();
                }
                if (const std::string said = ssh.errors(); said.find("open failed") != std::string::npos) {
                    throw sshError(host, said);
                }
            }
            requireTime(host, options, until, reason.empty() ? "ssh to forward the agent's socket" : "an answer of the agent there");
            std::this_thread::sleep_for(kLook);
        }
    }

    const Host host;
    const std::string far_address, own_address;
    const OwnedFolder folder{"far-"};  // the socket's
    const SshProcess ssh;
    const std::shared_ptr<client::AgentChannel> channel;
    const std::unique_ptr<client::AgentClient> client;
};

FarAgent::FarAgent(const Host& host, const FarOptions& options) {
    const Clock::time_point until = Clock::now() + options.deadline;
    parts_ = std::make_unique<Parts>(host, locate(host, options, until), options);
    parts_->waitForAnswer(options, until);
}

FarAgent::~FarAgent() = default;

client::AgentClient& FarAgent::client() {
    return *parts_->client;
}

client::ClockOffset FarAgent::clockOffset(int rounds, std::chrono::milliseconds deadline) {
    const Clock::time_point until = Clock::now() + deadline;
    std::vector<client::ClockReading> readings;
    for (int i = 0; i < rounds; ++i) {
        readings.push_back(parts_->channel->ping(left(until)));
    }
    return client::offsetOf(readings);
}

const std::shared_ptr<client::AgentChannel>& FarAgent::channel() const {
    return parts_->channel;
}

const std::string& FarAgent::farAddress() const {
    return parts_->far_address;
}

const std::string& FarAgent::ownAddress() const {
    return parts_->own_address;
}

std::optional<Error> FarAgent::lost() const {
    return parts_->lost();
}

}  // namespace agent::hosts
