#include "agent/direct/direct_wire.h"

#include <gtest/gtest.h>

namespace agent::direct {
namespace {

TEST(DirectWire, ARequestIsReadAsItIsWritten) {
    const Request request{.verb = Verb::kJoin, .version = "0.1.0", .name = "node1", .proof = convert::makeSecret()};
    const std::string bytes = toBytes(request);
    EXPECT_EQ(bytes.size(), kRequestBytes);
    EXPECT_EQ(requestIn(bytes), request);
}

TEST(DirectWire, WhatANameMayNotHaveIsLeftOut) {
    const Request request{.version = std::string(100, '1'), .name = "no de\n\x80" + std::string(100, 'x')};
    const auto read = requestIn(toBytes(request));
    ASSERT_TRUE(read);
    EXPECT_EQ(read->version, std::string(32, '1'));
    EXPECT_EQ(read->name, "node" + std::string(60, 'x'));
}

TEST(DirectWire, RefusesWhatIsNoRequest) {
    const std::string good = toBytes({.verb = Verb::kEnter, .version = "0.1.0", .name = "node1"});
    EXPECT_FALSE(requestIn(""));
    EXPECT_FALSE(requestIn(good.substr(1)));
    EXPECT_FALSE(requestIn(good + "x"));
    for (const auto& [at, byte] : {std::pair(0, 'T'), {14, '2'}, {16, '\0'}, {16, '\x05'}, {17, '\1'}, {20, '\1'}, {24, '\n'}, {55, 'x'}}) {
        std::string bad = good;
        bad[static_cast<std::size_t>(at)] = byte;
        EXPECT_FALSE(requestIn(bad)) << at;
    }
}

TEST(DirectWire, AnAnswerSaysHowLongItIs) {
    const std::string bytes = answerBytes(Outcome::kOtherVersion, "0.2.0");
    EXPECT_EQ(answerHeaderIn(bytes.substr(0, kAnswerHeaderBytes)), (AnswerHeader{Outcome::kOtherVersion, 5}));
    EXPECT_EQ(bytes.substr(kAnswerHeaderBytes), "0.2.0");
    EXPECT_FALSE(answerHeaderIn(bytes));
    EXPECT_FALSE(answerHeaderIn(std::string("\6\0\0\0\0\0\0\0", 8))) << "no such outcome";
    EXPECT_FALSE(answerHeaderIn(std::string("\0\0\0\0\1\x20\0\0", 8))) << "longer than any answer";
}

TEST(DirectWire, AProofIsGoodOnOneConnectionAlone) {
    const InviteSecret secret{1}, other{2};
    const JoinClaim claim{convert::makeSecret(), "aa", "bb"};
    JoinClaim elsewhere = claim, handed_on = claim, swapped{claim.exported, "bb", "aa"};
    elsewhere.exported = convert::makeSecret();
    handed_on.caller = "cc";
    EXPECT_EQ(joinProof(secret, claim), joinProof(secret, claim));
    for (const JoinClaim& wrong : {elsewhere, handed_on, swapped}) {
        EXPECT_NE(joinProof(secret, claim), joinProof(secret, wrong));
    }
    EXPECT_NE(joinProof(secret, claim), joinProof(other, claim));
}

}  // namespace
}  // namespace agent::direct
