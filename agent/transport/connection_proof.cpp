#include "agent/transport/connection_proof.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace agent::worker {
namespace {

using convert::bytesOf;
using convert::Secret;

constexpr std::string_view kMagic = "tandem 1";
constexpr std::string_view kCalled{"tandem called\0\0\0", 16};
constexpr std::string_view kCaller{"tandem caller\0\0\0", 16};

void appendNumber(std::string& text, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(value >> shift & 0xFF);
}

std::uint32_t numberAt(std::string_view text, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) << 8 * i;
    return value;
}

std::string openingOf(const Call& call) {
    std::string text(kMagic);
    appendNumber(text, static_cast<std::uint32_t>(call.purpose));
    appendNumber(text, static_cast<std::uint32_t>(call.caller));
    appendNumber(text, static_cast<std::uint32_t>(call.called));
    appendNumber(text, 0);
    text += bytesOf(convert::makeSecret());
    return text;
}

Session sessionOf(std::string_view opening, std::string_view called_nonce) {
    Session session;
    const auto rest = std::copy_n(opening.end() - kNonceBytes, kNonceBytes, session.begin());
    std::copy_n(called_nonce.begin(), kNonceBytes, rest);
    return session;
}

Secret prove(const Secret& secret, std::string_view by_whom, std::string_view opening, std::string_view called_nonce, const Session& link,
             std::string_view address) {
    std::string text(by_whom);
    text.append(opening).append(called_nonce).append(link.data(), link.size()).append(address);
    return convert::proofOf(secret, text);
}

}  // namespace

CallerProof::CallerProof(const Secret& secret, const Call& call, std::string address, const Session& link)
    : secret_(secret), opening_(openingOf(call)), address_(std::move(address)), link_(link) {}

std::optional<std::string> CallerProof::answer(std::string_view challenge) {
    if (challenge.size() != kChallengeBytes) return std::nullopt;
    const std::string_view nonce = challenge.substr(0, kNonceBytes);
    const Secret expected = prove(secret_, kCalled, opening_, nonce, link_, address_);
    if (!convert::sameSecret(bytesOf(expected), challenge.substr(kNonceBytes))) return std::nullopt;
    session_ = sessionOf(opening_, nonce);
    return std::string(bytesOf(prove(secret_, kCaller, opening_, nonce, link_, address_)));
}

std::optional<Call> CalledProof::read(std::string_view opening) {
    if (opening.size() != kOpeningBytes || !opening.starts_with(kMagic)) return std::nullopt;
    const std::uint32_t purpose = numberAt(opening, 8), caller = numberAt(opening, 12), called = numberAt(opening, 16);
    if (purpose < 1 || purpose > 5 || caller > INT32_MAX || called > INT32_MAX || numberAt(opening, 20) != 0) return std::nullopt;
    return Call{static_cast<Purpose>(purpose), static_cast<int>(caller), static_cast<int>(called)};
}

CalledProof::CalledProof(const Secret& secret, std::string_view opening, std::string_view address, const Session& link) {
    ENGINE_CHECK(opening.size() == kOpeningBytes);
    const Secret nonce = convert::makeSecret();
    challenge_ = std::string(bytesOf(nonce)) + std::string(bytesOf(prove(secret, kCalled, opening, bytesOf(nonce), link, address)));
    expected_ = prove(secret, kCaller, opening, bytesOf(nonce), link, address);
    session_ = sessionOf(opening, bytesOf(nonce));
}

bool CalledProof::isProvenBy(std::string_view answer) const {
    return convert::sameSecret(bytesOf(expected_), answer);
}

}  // namespace agent::worker
