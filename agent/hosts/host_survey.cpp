#include "agent/hosts/host_survey.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "agent/hosts/ssh_errors.h"
#include "engine/spec/error.h"

namespace agent::hosts {

using Clock = std::chrono::steady_clock;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::chrono::milliseconds kHostSurveySlice{100};
constexpr std::int64_t kKilobyte = 1024;

// Words for sh, where $1 is the folder. Single quotes, exclamation marks, backslashes and newlines are left out, so that every login shell
// hands it on as it is. A driver of NVIDIA's that hangs costs five seconds.
constexpr const char* kSurveyScript =
    "LC_ALL=C; export LC_ALL; f=$1; case $f in /*) ;; *) f=$HOME/$f ;; esac; "
    "echo tandem-errors >&2; echo \"tandem-host $(uname -m)\"; echo \"tandem-connection $SSH_CONNECTION\"; "
    "echo \"tandem-glibc $(getconf GNU_LIBC_VERSION 2>/dev/null)\"; echo \"tandem-cores $(getconf _NPROCESSORS_ONLN 2>/dev/null)\"; "
    "grep -m 1 \"^model name\" /proc/cpuinfo; grep \"^Mem[TA]\" /proc/meminfo; "
    "d=$f; while [ ! -d \"$d\" ]; do d=${d%/*}; [ -n \"$d\" ] || d=/; done; "
    "df -Pk \"$d\" | tail -n 1 | { read -r a b c free rest; echo \"tandem-free-kb $free\"; }; "
    "command -v nvidia-smi >/dev/null && timeout 5 nvidia-smi -L </dev/null 2>/dev/null; "
    "for p in \"$f/bin/tandem-agent\" \"$f/tandem-agent\" \"$(command -v tandem-agent)\" \"$HOME/.local/bin/tandem-agent\"; do "
    "if [ -f \"$p\" ] && [ -x \"$p\" ]; then echo \"tandem-program $p\"; echo \"tandem-version $(\"$p\" --version </dev/null)\"; break; "
    "fi; "
    "done; echo tandem-end";

// Behind "MemTotal:       16384 kB", in bytes.
std::int64_t kilobytesIn(const std::string& text) {
    return std::strtoll(text.c_str(), nullptr, 10) * kKilobyte;
}

std::string trimmed(std::string text) {
    const std::size_t first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t\r");
    return first == std::string::npos ? std::string() : text.substr(first, last + 1 - first);
}

// "GPU 0: NVIDIA H200 (UUID: GPU-5fd4…)"
std::string gpuIn(const std::string& line) {
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? std::string() : trimmed(line.substr(colon + 2, line.rfind(" (UUID") - colon - 2));
}

void addTo(HostSurvey& survey, const std::string& line) {
    std::string value;
    const auto is = [&](std::string_view mark) {
        if (!line.starts_with(mark)) {
            return false;
        }
        value = trimmed(line.substr(mark.size()));
        return true;
    };
    if (is("tandem-host ")) {
        survey.arch = value;
    } else if (is("tandem-glibc glibc ")) {
        survey.glibc = value;
    } else if (is("tandem-cores ")) {
        survey.cores = static_cast<int>(std::clamp(std::strtol(value.c_str(), nullptr, 10), 0L, 1L << 20));
    } else if (is("tandem-free-kb ")) {
        survey.disk_available_bytes = value.empty() ? std::nullopt : std::optional(kilobytesIn(value));
    } else if (is("tandem-program ")) {
        survey.program = value;
    } else if (is("tandem-version ")) {
        survey.version = value;
    } else if (is("tandem-connection ")) {
        std::istringstream words(value);  // as sshd says it: client, its port, server, its port
        std::string client, port;
        words >> client >> port >> survey.far_address;
    } else if (is("tandem-end")) {
        survey.is_whole = true;
    } else if (is("model name") && survey.cpu_model.empty()) {
        survey.cpu_model = trimmed(value.substr(std::min(value.find(':'), value.size() - 1) + 1));
    } else if (is("MemTotal:")) {
        survey.memory_bytes = kilobytesIn(value);
    } else if (is("MemAvailable:")) {
        survey.memory_available_bytes = kilobytesIn(value);
    } else if (line.starts_with("GPU ")) {
        if (std::string gpu = gpuIn(line); !gpu.empty()) {
            survey.gpus.push_back(std::move(gpu));
        }
    }
}

}  // namespace

HostSurvey hostSurveyIn(std::string_view output) {
    HostSurvey survey;
    std::istringstream lines{std::string(output)};
    for (std::string line; std::getline(lines, line);) {
        addTo(survey, line);
    }
    return survey;
}

std::string surveyCommand(const Host& host) {
    const std::string folder = host.folder.starts_with("~/") ? host.folder.substr(2) : host.folder;
    return "exec sh -c " + quotedForShell(kSurveyScript) + " sh " + quotedForShell(folder);
}

HostSurvey surveyHost(const Host& host, const FarOptions& options) {
    const Clock::time_point until = Clock::now() + options.deadline;
    const SshProcess ssh(host.ssh, {.options = {"-n", "-o", "ClearAllForwardings=yes"},
                                    .far_command = surveyCommand(host),
                                    .working_dir = {},
                                    .prompts = options.prompts,
                                    .agent_socket = options.ssh_agent,
                                    .environment = options.ssh_environment});
    std::optional<SshEnd> end;
    while (!(end = ssh.waitFor(kHostSurveySlice))) {
        if (options.is_cancelled && options.is_cancelled()) {
            throw Error(ErrorCode::kCancelled, nameOf(host) + ": cancelled");
        }
        if (Clock::now() >= until) {
            throw Error(ErrorCode::kDeadlineExceeded, nameOf(host) + ": expected an answer over ssh within " +
                                                          std::to_string(options.deadline.count() / 1000) + " s, got none");
        }
    }
    if (end->exit_code == kSshFailed) {
        throw sshError(host, end->errors);
    }
    HostSurvey survey = hostSurveyIn(end->output);
    if (!survey.is_whole || survey.arch.empty()) {
        const std::string last = lastLine(farErrors(end->errors));
        throw Error(ErrorCode::kFailedPrecondition,
                    nameOf(host) + ": expected a shell that runs sh, got none" + (last.empty() ? "" : " (" + last + ")"));
    }
    return survey;
}

}  // namespace agent::hosts
