#include "agent/hosts/way.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "agent/hosts/ssh_errors.h"

namespace agent::hosts {

using engine::Error;
using engine::ErrorCode;

namespace {

std::vector<long> numbersOf(const std::string& version) {
    std::vector<long> numbers;
    std::istringstream text(version);
    for (std::string part; std::getline(text, part, '.');) {
        numbers.push_back(std::strtol(part.c_str(), nullptr, 10));
    }
    return numbers;
}

}  // namespace

std::chrono::milliseconds leftUntil(WayDeadline until) {
    return std::max(std::chrono::milliseconds(0), std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now()));
}

void requireTime(const Host& host, const FarOptions& options, WayDeadline until, const char* what) {
    if (options.is_cancelled && options.is_cancelled()) {
        throw Error(ErrorCode::kCancelled, nameOf(host) + ": cancelled");
    }
    if (leftUntil(until).count() == 0) {
        throw Error(ErrorCode::kDeadlineExceeded,
                    nameOf(host) + ": expected " + what + " within " + std::to_string(options.deadline.count() / 1000) + " s, got none");
    }
}

std::optional<std::string> comparedVersions(const std::string& expected, const std::string& got) {
    if (expected == got) {
        return std::nullopt;
    }
    return numbersOf(got) < numbersOf(expected) ? "older" : numbersOf(got) > numbersOf(expected) ? "newer" : "another one";
}

void requireVersion(const Host& host, const std::string& expected, const std::string& got, const std::string& whose) {
    if (const auto compared = comparedVersions(expected, got)) {
        throw Error(ErrorCode::kFailedPrecondition, nameOf(host) + ": expected Tandem " + expected + " as on this computer, got " + whose +
                                                        " of version " + got + ", which is " + *compared + ": " +
                                                        (host.direct ? "Tandem is updated there by hand, or over ssh"
                                                                     : "tandem-cli host update " + host.name + " installs this one"));
    }
}

}  // namespace agent::hosts
