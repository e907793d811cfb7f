#include "agent/transport/connection_proof.h"

#include <gtest/gtest.h>

namespace {

using namespace agent::worker;
using agent::convert::makeSecret;
using agent::convert::Secret;

constexpr const char* kAddress = "ipv4:127.0.0.1:12345";
constexpr Call kCall{Purpose::kLink, 0, 1};
const Secret kSecret = makeSecret();

Session sessionOf(char byte) {
    Session session;
    session.fill(byte);
    return session;
}

TEST(ConnectionProof, IsUsedLikeThis) {
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    EXPECT_EQ(CalledProof::read(caller.opening()), kCall);
    const CalledProof called(kSecret, caller.opening(), kAddress, Session{});
    const auto answer = caller.answer(called.challenge());
    ASSERT_TRUE(answer);
    EXPECT_TRUE(called.isProvenBy(*answer));
    EXPECT_EQ(caller.session(), called.session());
    EXPECT_NE(caller.session(), Session{});
}

TEST(ConnectionProof, HasTheLengthsOfTheWire) {
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    const CalledProof called(kSecret, caller.opening(), kAddress, Session{});
    EXPECT_EQ(caller.opening().size(), kOpeningBytes);
    EXPECT_EQ(called.challenge().size(), kChallengeBytes);
    EXPECT_EQ(caller.answer(called.challenge())->size(), kAnswerBytes);
    EXPECT_EQ(caller.opening().substr(0, 24), std::string("tandem 1\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0", 24));
    // The secret itself is in none of them.
    for (const std::string& text : {caller.opening(), called.challenge(), *caller.answer(called.challenge())}) {
        EXPECT_EQ(text.find(agent::convert::bytesOf(kSecret).substr(0, 8)), std::string::npos);
    }
}

struct Difference {
    const char* what;
    Secret secret = kSecret;
    std::string address = kAddress;
    Session link{};
};

TEST(ConnectionProof, FailsBothWaysWhereAnythingDiffers) {
    for (const Difference& other :
         {Difference{"secret", makeSecret()}, Difference{"no secret", Secret{}}, Difference{"address", kSecret, "ipv4:127.0.0.1:12346"},
          Difference{"link", kSecret, kAddress, sessionOf(1)}}) {
        CallerProof caller(kSecret, kCall, kAddress, Session{});
        const CalledProof called(other.secret, caller.opening(), other.address, other.link);
        EXPECT_FALSE(caller.answer(called.challenge())) << other.what;
        // A caller that answers nevertheless.
        CallerProof stubborn(other.secret, kCall, other.address, other.link);
        const CalledProof right(kSecret, stubborn.opening(), kAddress, Session{});
        const CalledProof wrong(other.secret, stubborn.opening(), other.address, other.link);
        EXPECT_FALSE(right.isProvenBy(*stubborn.answer(wrong.challenge()))) << other.what;
    }
}

TEST(ConnectionProof, IsOfNoUseASecondTime) {
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    const CalledProof called(kSecret, caller.opening(), kAddress, Session{});
    const std::string recorded = *caller.answer(called.challenge());
    EXPECT_FALSE(CalledProof(kSecret, caller.opening(), kAddress, Session{}).isProvenBy(recorded)) << "the recorded opening and answer";
    EXPECT_FALSE(CallerProof(kSecret, kCall, kAddress, Session{}).answer(called.challenge())) << "the recorded challenge";
}

TEST(ConnectionProof, CannotBeReflected) {
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    const CalledProof called(kSecret, caller.opening(), kAddress, Session{});
    // What the called has proven is no answer to itself, nor is what the caller said a challenge to it.
    EXPECT_FALSE(called.isProvenBy(called.challenge().substr(kNonceBytes)));
    EXPECT_FALSE(caller.answer(caller.opening().substr(kOpeningBytes - kNonceBytes) + *caller.answer(called.challenge())));
    // A stranger at worker 1's port hands worker 0's opening to worker 0 itself, or to a task of another run: they listen elsewhere.
    const CalledProof elsewhere(kSecret, caller.opening(), "ipv4:127.0.0.1:11111", Session{});
    EXPECT_FALSE(caller.answer(elsewhere.challenge()));
}

TEST(ConnectionProof, CoversWhatTheOpeningSays) {
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    for (const std::size_t at : {8U, 12U, 16U, 30U}) {  // purpose, ranks, nonce
        std::string changed = caller.opening();
        changed[at] = static_cast<char>(changed[at] ^ 3);
        ASSERT_TRUE(CalledProof::read(changed)) << at;
        const CalledProof called(kSecret, changed, kAddress, Session{});
        EXPECT_FALSE(caller.answer(called.challenge())) << at;
    }
}

TEST(ConnectionProof, ReadsOpeningsAlone) {
    const std::string good = CallerProof(kSecret, kCall, kAddress, Session{}).opening();
    const auto with = [&](std::size_t at, char byte) {
        std::string text = good;
        text[at] = byte;
        return text;
    };
    for (const std::string& bad :
         {std::string(), good.substr(1), good + "x", with(7, '2'), with(8, 0), with(8, 6), with(11, 1), with(15, '\x80'), with(19, '\x80'),
          with(20, 1), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string(32, '\0')}) {
        EXPECT_FALSE(CalledProof::read(bad)) << bad;
    }
    CallerProof caller(kSecret, kCall, kAddress, Session{});
    for (const std::string& bad : {std::string(), std::string(kChallengeBytes, '\0'), std::string(kChallengeBytes + 1, 'x')}) {
        EXPECT_FALSE(caller.answer(bad));
    }
}

}  // namespace
