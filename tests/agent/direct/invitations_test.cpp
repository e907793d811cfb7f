#include "agent/direct/invitations.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace agent::direct {
namespace {

using namespace std::chrono_literals;
using Verdict = Invitations::Verdict;

class InvitationsTest : public ::testing::Test {
protected:
    Verdict tryWith(const InviteSecret& secret) {
        return invitations_.judge(claim_, joinProof(secret, claim_), now_, [this] { return keeps_; });
    }
    Invitations invitations_;
    const JoinClaim claim_{convert::makeSecret(), "aa", "bb"};
    Invitations::Clock::time_point now_{};
    bool keeps_ = true;
};

TEST_F(InvitationsTest, ALineIsGoodOnce) {
    const InviteSecret secret = invitations_.invite(now_);
    EXPECT_EQ(tryWith(secret), Verdict::kPaired);
    EXPECT_EQ(tryWith(secret), Verdict::kUsed);
}

TEST_F(InvitationsTest, ALineIsGoodForTenMinutes) {
    const InviteSecret secret = invitations_.invite(now_);
    now_ += 10min;
    EXPECT_EQ(tryWith(secret), Verdict::kExpired);
    const InviteSecret next = invitations_.invite(now_);
    now_ += 10min - 1s;
    EXPECT_EQ(tryWith(next), Verdict::kPaired);
}

TEST_F(InvitationsTest, ThreeWrongTriesEndIt) {
    const InviteSecret secret = invitations_.invite(now_);
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(tryWith({}), Verdict::kStranger);
    }
    EXPECT_EQ(tryWith(secret), Verdict::kTried);
    const InviteSecret next = invitations_.invite(now_);
    EXPECT_EQ(tryWith({}), Verdict::kStranger);
    EXPECT_EQ(tryWith({}), Verdict::kStranger);
    EXPECT_EQ(tryWith(next), Verdict::kPaired) << "two wrong tries do not";
}

TEST_F(InvitationsTest, TheNextOneEndsTheOneThatWasOpen) {
    const InviteSecret first = invitations_.invite(now_), second = invitations_.invite(now_);
    EXPECT_EQ(tryWith(first), Verdict::kExpired);
    EXPECT_EQ(tryWith(second), Verdict::kPaired);
}

TEST_F(InvitationsTest, StaysGoodWhereThePairingIsNotKept) {
    const InviteSecret secret = invitations_.invite(now_);
    keeps_ = false;
    EXPECT_EQ(tryWith(secret), Verdict::kNotYet);
    EXPECT_THROW(invitations_.judge(claim_, joinProof(secret, claim_), now_,
                                    []() -> bool { throw engine::Error(engine::ErrorCode::kResourceExhausted, "full"); }),
                 engine::Error);
    keeps_ = true;
    EXPECT_EQ(tryWith(secret), Verdict::kPaired);
}

TEST_F(InvitationsTest, NobodyIsLetInWithoutOne) {
    EXPECT_EQ(tryWith({}), Verdict::kStranger);
}

}  // namespace
}  // namespace agent::direct
