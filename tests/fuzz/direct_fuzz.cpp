// What strangers say at the port of --listen, once TLS stands: a request, the answer to one, and the line that pairs two computers. What
// is read is written as the same, and nobody without the secret joins.
#include "agent/direct/direct_wire.h"
#include "agent/direct/invitations.h"
#include "engine/spec/error.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace agent::direct;

void readRequest(std::string_view bytes) {
    const auto request = requestIn(bytes);
    if (!request) {
        return;
    }
    ENGINE_CHECK(toBytes(*request) == bytes);
    static Invitations invitations;
    static const InviteSecret open = invitations.invite(Invitations::Clock::now());
    ENGINE_CHECK(open != InviteSecret{});
    const JoinClaim claim{{}, "caller", "called"};
    const auto verdict = invitations.judge(claim, request->proof, Invitations::Clock::now(), [] { return true; });
    ENGINE_CHECK(verdict == Invitations::Verdict::kStranger);
}

void readAnswer(std::string_view bytes) {
    if (const auto header = answerHeaderIn(bytes)) {
        ENGINE_CHECK(header->length <= kMostAnswerBytes);
        ENGINE_CHECK(answerBytes(header->outcome, std::string(header->length, 'x')).substr(0, kAnswerHeaderBytes) == bytes);
    }
}

void readLine(std::string_view text) {
    if (const auto line = pairingLineIn(text)) {
        ENGINE_CHECK(pairingLineIn(toString(*line)) == line);
        ENGINE_CHECK(!hostOfAddress(line->peer.address).empty());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    switch (input.byte() % 3) {
        case 0:
            readRequest(input.rest());
            break;
        case 1:
            readAnswer(input.rest());
            break;
        default:
            readLine(input.rest());
    }
    return 0;
}
