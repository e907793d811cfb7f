#include "agent/direct/invitations.h"

#include <algorithm>

namespace agent::direct {

namespace {

constexpr std::size_t kRemembered = 16;

}  // namespace

void Invitations::endOpen(Clock::time_point now) {
    if (!invitations_.empty() && invitations_.back().state == State::kOpen && now >= invitations_.back().until) {
        invitations_.back().state = State::kExpired;
    }
}

InviteSecret Invitations::invite(Clock::time_point now) {
    Invitation fresh{.until = now + kGoodFor};
    const convert::Secret random = convert::makeSecret();
    std::copy_n(random.begin(), fresh.secret.size(), fresh.secret.begin());
    const engine::MutexLock lock(mutex_);
    if (!invitations_.empty() && invitations_.back().state == State::kOpen) {
        invitations_.back().state = State::kExpired;
    }
    invitations_.push_back(fresh);
    if (invitations_.size() > kRemembered) {
        invitations_.pop_front();
    }
    return fresh.secret;
}

Invitations::Verdict Invitations::judge(const JoinClaim& claim, const convert::Secret& proof, Clock::time_point now,
                                        const std::function<bool()>& accept) {
    const engine::MutexLock lock(mutex_);
    endOpen(now);
    Invitation* proven = nullptr;
    for (Invitation& one : invitations_) {
        if (convert::sameSecret(convert::bytesOf(joinProof(one.secret, claim)), convert::bytesOf(proof))) {
            proven = &one;
        }
    }
    if (proven == nullptr) {
        if (!invitations_.empty() && invitations_.back().state == State::kOpen && ++invitations_.back().wrong >= kMostWrong) {
            invitations_.back().state = State::kTried;
        }
        return Verdict::kStranger;
    }
    switch (proven->state) {
        case State::kUsed:
            return Verdict::kUsed;
        case State::kExpired:
            return Verdict::kExpired;
        case State::kTried:
            return Verdict::kTried;
        case State::kOpen:
            break;
    }
    if (!accept()) {
        return Verdict::kNotYet;
    }
    proven->state = State::kUsed;
    return Verdict::kPaired;
}

}  // namespace agent::direct
