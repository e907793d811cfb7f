#include "agent/direct/direct_wire.h"

#include <algorithm>

namespace agent::direct {
namespace {

using convert::bytesOf;
using convert::Secret;

constexpr std::string_view kMagic{"tandem direct 1\0", 16};
constexpr std::string_view kJoin{"tandem join 1\0\0\0", 16};
constexpr std::size_t kNumberBytes = 4, kVersionBytes = 32, kNameBytes = 64;
constexpr std::size_t kVersionAt = kMagic.size() + 2 * kNumberBytes, kNameAt = kVersionAt + kVersionBytes, kProofAt = kNameAt + kNameBytes;
static_assert(kProofAt + sizeof(Secret) == kRequestBytes);

void appendNumber(std::string& text, std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(value >> shift & 0xFF);
}

std::uint32_t numberAt(std::string_view text, std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < kNumberBytes; ++i) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[at + i])) << 8 * i;
    return value;
}

bool isPlain(char c) {
    return c > ' ' && c < '\x7f';
}

void appendText(std::string& out, std::string_view text, std::size_t size) {
    std::string plain;
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain), isPlain);
    plain.resize(size, '\0');
    out += plain;
}

// A text that is filled up with zeros.
std::optional<std::string> textAt(std::string_view bytes, std::size_t at, std::size_t size) {
    const std::string_view field = bytes.substr(at, size);
    const std::string_view text = field.substr(0, field.find('\0'));
    const bool is_text = std::all_of(text.begin(), text.end(), isPlain) &&
                         std::all_of(field.begin() + static_cast<std::ptrdiff_t>(text.size()), field.end(), [](char c) { return c == 0; });
    return is_text ? std::optional(std::string(text)) : std::nullopt;
}

}  // namespace

std::string toBytes(const Request& request) {
    std::string bytes(kMagic);
    appendNumber(bytes, static_cast<std::uint32_t>(request.verb));
    appendNumber(bytes, 0);
    appendText(bytes, request.version, kVersionBytes);
    appendText(bytes, request.name, kNameBytes);
    bytes += bytesOf(request.proof);
    return bytes;
}

std::optional<Request> requestIn(std::string_view bytes) {
    if (bytes.size() != kRequestBytes || !bytes.starts_with(kMagic)) return std::nullopt;
    const std::uint32_t verb = numberAt(bytes, kMagic.size());
    const auto version = textAt(bytes, kVersionAt, kVersionBytes), name = textAt(bytes, kNameAt, kNameBytes);
    if (verb < 1 || verb > 4 || numberAt(bytes, kMagic.size() + kNumberBytes) != 0 || !version || !name) return std::nullopt;
    return Request{static_cast<Verb>(verb), *version, *name, *convert::secretFromBytes(bytes.substr(kProofAt))};
}

std::string answerBytes(Outcome outcome, std::string_view text) {
    text = text.substr(0, kMostAnswerBytes);
    std::string bytes;
    appendNumber(bytes, static_cast<std::uint32_t>(outcome));
    appendNumber(bytes, static_cast<std::uint32_t>(text.size()));
    return bytes.append(text);
}

std::optional<AnswerHeader> answerHeaderIn(std::string_view bytes) {
    if (bytes.size() != kAnswerHeaderBytes) return std::nullopt;
    const std::uint32_t outcome = numberAt(bytes, 0), length = numberAt(bytes, kNumberBytes);
    if (outcome > static_cast<std::uint32_t>(Outcome::kTooMany) || length > kMostAnswerBytes) return std::nullopt;
    return AnswerHeader{static_cast<Outcome>(outcome), length};
}

Secret joinProof(const InviteSecret& secret, const JoinClaim& claim) {
    Secret key{};  // HMAC fills a shorter key up with zeros all the same
    std::copy(secret.begin(), secret.end(), key.begin());
    std::string text(kJoin);
    text.append(bytesOf(claim.exported)).append(claim.caller).append(claim.called);
    return convert::proofOf(key, text);
}

}  // namespace agent::direct
