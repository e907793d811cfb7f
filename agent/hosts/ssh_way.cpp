#include "agent/hosts/ssh_way.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "agent/hosts/ssh_errors.h"

namespace agent::hosts {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::milliseconds kSshWaySlice{100};
constexpr std::size_t kMostSocketPath = 107;  // bytes of a socket's address
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

// Runs a far command and returns what it ended with. Its ssh is killed at the deadline.
SshEnd runThere(const Host& host, const SshCommand& command, const FarOptions& options, WayDeadline until) {
    const SshProcess ssh(host.ssh, command);
    for (;;) {
        if (std::optional<SshEnd> end = ssh.waitFor(std::min(kSshWaySlice, leftUntil(until)))) {
            return *end;
        }
        requireTime(host, options, until, "an answer over ssh");
    }
}

struct Found {
    convert::LocatedAgent agent;
    FarAnswer answer;
};

Found locate(const Host& host, const FarOptions& options, WayDeadline until) {
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

SshCommand forwardCommand(const Host& host, const convert::LocatedAgent& agent, const fs::path& here, const FarOptions& options) {
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
                        "./" + here.filename().string() + ":" + forwardedPath(path)},
            .far_command = {},
            .working_dir = here.parent_path(),
            .prompts = options.prompts,
            .agent_socket = options.ssh_agent,
            .environment = options.ssh_environment};
}

class SshWay final : public Way {
public:
    SshWay(const Host& host, Found found, const fs::path& socket, const FarOptions& options)
        : host_(host), found_(std::move(found)), ssh_(host.ssh, forwardCommand(host, found_.agent, socket, options)) {}

    const convert::LocatedAgent& agent() const override { return found_.agent; }
    const std::string& farAddress() const override { return found_.answer.far_address; }
    const std::string& ownAddress() const override { return found_.answer.own_address; }
    // Returns what ssh said of its end, or of a connection that the server there refused.
    std::optional<Error> lost() const override {
        const std::optional<SshEnd> end = ssh_.ended();
        return end ? std::optional(sshError(host_, end->errors)) : std::nullopt;
    }
    std::optional<Error> obstacle() const override {
        const std::string said = ssh_.errors();
        return said.find("open failed") == std::string::npos ? std::nullopt : std::optional(sshError(host_, said));
    }

private:
    const Host host_;
    const Found found_;
    const SshProcess ssh_;
};

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

std::string forwardedPath(std::string_view path) {
    std::string out;
    for (const char c : path) {
        out += c == ':' || c == '\\' ? std::string("\\") + c : c == '%' ? std::string("%%") : std::string(1, c);
    }
    return out;
}

std::unique_ptr<Way> openSshWay(const Host& host, const fs::path& socket, const FarOptions& options, WayDeadline until) {
    return std::make_unique<SshWay>(host, locate(host, options, until), socket, options);
}

}  // namespace agent::hosts
