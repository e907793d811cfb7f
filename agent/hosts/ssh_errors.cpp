#include "agent/hosts/ssh_errors.h"

#include <algorithm>
#include <array>
#include <vector>

namespace agent::hosts {

using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::size_t kLongestLine = 300;

// One cause, told by a part of a line. Rows are asked in this order for each line.
struct Cause {
    std::string_view part;
    ErrorCode code;
    std::string_view expectation, fact, remedy;
};

constexpr std::string_view kKnownKey = "the host key that known_hosts has";
constexpr std::string_view kServer = "an ssh server that answers";
// What ssh writes of a connection that the user had and that is gone, by ControlPath. It then makes one of its own.
constexpr std::string_view kFormerConnection = "Control socket connect(";

constexpr std::array kCauses{
    Cause{"REMOTE HOST IDENTIFICATION HAS CHANGED", ErrorCode::kPermissionDenied, kKnownKey, "the host key has changed",
          "ask whoever looks after the host whether it should have; ssh-keygen -R forgets the former key"},
    Cause{"Could not resolve hostname", ErrorCode::kUnavailable, "a name that is known here", "no computer goes by it", ""},
    Cause{"No route to host", ErrorCode::kUnavailable, kServer, "no route leads to the host", ""},
    Cause{"Network is unreachable", ErrorCode::kUnavailable, kServer, "no route leads to its network", ""},
    Cause{"Connection refused", ErrorCode::kUnavailable, kServer, "the connection was refused", ""},
    Cause{"timed out", ErrorCode::kUnavailable, kServer, "it did not answer in time", ""},
    Cause{"not responding", ErrorCode::kUnavailable, kServer, "it does not answer any more", ""},
    Cause{"host key is known for", ErrorCode::kPermissionDenied, "a host key that is known here", "known_hosts has none of it",
          "connect once with ssh by hand and confirm its key"},
    Cause{"Host key verification failed", ErrorCode::kPermissionDenied, "a host key that is known here", "known_hosts has none of it",
          "connect once with ssh by hand and confirm its key"},
    Cause{"Permission denied (", ErrorCode::kPermissionDenied, "to be let in", "permission was denied",
          "use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password"},
    Cause{"Too many authentication failures", ErrorCode::kPermissionDenied, "to be let in", "permission was denied", ""},
    Cause{"Unable to negotiate", ErrorCode::kUnavailable, "an ssh server with algorithms of this computer's ssh",
          "they have none in common", ""},
    Cause{"Bad configuration option", ErrorCode::kFailedPrecondition, "a configuration that ssh can read", "it can't", ""},
    Cause{"Bad owner or permissions", ErrorCode::kFailedPrecondition, "a configuration that ssh can read", "it can't", ""},
    Cause{"open failed", ErrorCode::kPermissionDenied, "an ssh server that forwards the agent's socket", "it did not",
          "AllowStreamLocalForwarding in its sshd_config lets it; where it does so, the agent there has just ended: try again"},
    Cause{"Connection closed", ErrorCode::kUnavailable, kServer, "the connection was closed", ""},
    Cause{"Connection reset", ErrorCode::kUnavailable, kServer, "the connection was closed", ""},
    Cause{"Broken pipe", ErrorCode::kUnavailable, kServer, "the connection was cut", ""},
};

std::string printableLine(std::string_view line) {
    std::string out;
    for (const char c : line.substr(0, kLongestLine)) {
        if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') {
            out += c;
        }
    }
    return out;
}

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
        if (std::string line = printableLine(text.substr(0, end)); line.find_first_not_of(" @") != std::string::npos) {
            lines.push_back(std::move(line));
        }
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

// Prefers the line that says where the former key of a host stands: it is worth more than that the check failed.
std::string tellingLine(const std::vector<std::string>& lines, const std::string& cause) {
    const auto place = std::find_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("Offending "); });
    return place == lines.end() ? cause : *place;
}

}  // namespace

std::string nameOf(const Host& host) {
    const std::string destination = destinationOf(host);
    return destination == host.name ? host.name : host.name + " (" + destination + ")";
}

std::string_view farErrors(std::string_view errors) {
    const std::size_t mark = errors.rfind(kErrorMark);
    return mark == std::string_view::npos ? errors : errors.substr(mark + kErrorMark.size());
}

std::string lastLine(std::string_view text) {
    const std::vector<std::string> lines = linesOf(text);
    return lines.empty() ? std::string() : lines.back();
}

Error sshError(const Host& host, std::string_view errors) {
    const std::vector<std::string> lines = linesOf(errors);
    for (const std::string& line : lines) {
        if (line.starts_with(kFormerConnection)) {
            continue;
        }
        const auto cause =
            std::find_if(kCauses.begin(), kCauses.end(), [&](const Cause& row) { return line.find(row.part) != std::string::npos; });
        if (cause != kCauses.end()) {
            return {cause->code, nameOf(host) + ": expected " + std::string(cause->expectation) + ", " + std::string(cause->fact) +
                                     (cause->remedy.empty() ? "" : ": " + std::string(cause->remedy)) + " (" + tellingLine(lines, line) +
                                     ")"};
        }
    }
    return {ErrorCode::kUnavailable,
            nameOf(host) + ": expected ssh to connect, it failed (" + (lines.empty() ? "without a word" : lines.back()) + ")"};
}

}  // namespace agent::hosts
