#include "agent/direct/pairing_line.h"

#include <algorithm>

#include "agent/local/secret.h"
#include "engine/spec/cluster/cluster_hosts.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::direct {
namespace {

namespace spec = engine::spec;

constexpr std::string_view kScheme = "tandem://";
constexpr std::size_t kLongest = 512;
constexpr int kLargestPort = 65535;
constexpr std::string_view kSpaces = " \t\r\n", kDigits = "0123456789abcdef";

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(kSpaces);
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(kSpaces) + 1 - first);
}

// A secret of 256 bits begins with it: its digits are read and written as those of one.
std::optional<InviteSecret> inviteSecretIn(std::string_view digits) {
    InviteSecret secret{};
    const auto whole =
        digits.size() == 2 * secret.size() ? convert::secretFromHex(std::string(digits) + std::string(digits)) : std::nullopt;
    if (!whole) return std::nullopt;
    std::copy_n(whole->begin(), secret.size(), secret.begin());
    return secret;
}

std::string digitsOf(const InviteSecret& secret) {
    convert::Secret whole{};
    std::copy(secret.begin(), secret.end(), whole.begin());
    return convert::toHex(whole).substr(0, 2 * secret.size());
}

}  // namespace

bool isDirectAddress(const std::string& text) {
    const auto parsed = spec::parseHostPort(text);
    return parsed && parsed->port >= 1 && parsed->port <= kLargestPort && !spec::checkHostName(hostOfAddress(text), "") &&
           spec::joinHostPort(hostOfAddress(text), parsed->port) == text;
}

bool isFingerprint(std::string_view text) {
    return convert::secretFromHex(text).has_value();
}

std::string hostOfAddress(const std::string& address) {
    const auto parsed = spec::parseHostPort(address);
    const std::string host = parsed ? parsed->host : address;
    return host.starts_with('[') && host.ends_with(']') ? host.substr(1, host.size() - 2) : host;
}

std::optional<PairingLine> pairingLineIn(std::string_view text) {
    text = trimmed(text);
    if (text.size() > kLongest || !text.starts_with(kScheme)) return std::nullopt;
    text.remove_prefix(kScheme.size());
    const std::size_t first = text.find('/'), last = text.rfind('/');
    if (first == std::string_view::npos || first == last) return std::nullopt;
    const auto secret = inviteSecretIn(text.substr(last + 1));
    PairingLine line{.peer = {std::string(text.substr(0, first)), std::string(text.substr(first + 1, last - first - 1))}};
    if (!secret || !isDirectAddress(line.peer.address) || !isFingerprint(line.peer.fingerprint)) return std::nullopt;
    line.secret = *secret;
    return line;
}

std::string toString(const PairingLine& line) {
    return std::string(kScheme) + line.peer.address + "/" + line.peer.fingerprint + "/" + digitsOf(line.secret);
}

}  // namespace agent::direct
