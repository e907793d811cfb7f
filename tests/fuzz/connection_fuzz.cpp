// The first bytes of a connection between two tasks, from whoever knows no secret: neither end may take them for a member's.
#include "agent/transport/connection_proof.h"
#include "tests/fuzz/fuzz_input.h"

namespace {

using namespace agent::worker;

// Nobody draws 32 random bytes.
agent::convert::Secret secretOfTheRun() {
    static const agent::convert::Secret secret = agent::convert::makeSecret();
    return secret;
}

void playCaller(tests::fuzz::Input& input) {
    const std::string opening(input.rest().substr(0, kOpeningBytes));
    const auto call = CalledProof::read(opening);
    if (!call) return;
    CalledProof proof(secretOfTheRun(), opening, "ipv4:127.0.0.1:2222", {});
    if (proof.challenge().size() != kChallengeBytes) tests::fuzz::fail("a challenge of another length");
    if (proof.isProvenBy(input.rest().substr(opening.size()))) tests::fuzz::fail("a stranger has proven the secret");
}

void playCalled(tests::fuzz::Input& input) {
    const Call call{static_cast<Purpose>(input.byte() % 4 + 1), input.byte(), input.byte()};
    CallerProof proof(secretOfTheRun(), call, "ipv4:127.0.0.1:2222", {});
    const auto read = CalledProof::read(proof.opening());
    if (!read || !(*read == call)) tests::fuzz::fail("an opening is read as another");
    if (proof.answer(input.rest())) tests::fuzz::fail("a stranger's challenge is answered");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    tests::fuzz::Input input(data, size);
    if (input.byte() % 2 == 0) {
        playCaller(input);
    } else {
        playCalled(input);
    }
    return 0;
}
