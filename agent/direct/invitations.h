// The pairing lines that a far agent has given out. One is open at a time:
//
//   open ── its secret was proven, and the pairing kept ──▶ used
//    ├───── ten minutes are over ─────────────────────────▶ expired
//    └───── the third wrong proof, or another invitation ─▶ tried, expired
//
// The state is guarded by mutex_. The last few that are over are remembered, so that whoever has such a line is told what became of it;
// whoever has none is told nothing.
#pragma once

#include <chrono>
#include <deque>
#include <functional>

#include "agent/direct/direct_wire.h"
#include "engine/thread/mutex.h"

namespace agent::direct {

// Safe from any thread.
class Invitations {
public:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::minutes kGoodFor{10};
    static constexpr int kMostWrong = 3;

    // Opens another one; the one that was open is over.
    InviteSecret invite(Clock::time_point now);

    enum class Verdict { kPaired, kUsed, kExpired, kTried, kNotYet, kStranger };
    // Returns what a proof is worth. When it proves the open line, `accept` is called, which keeps the pairing: the line is then used. When
    // `accept` returns false, the line stays open and the verdict is kNotYet. A proof of no known line counts as a wrong try. Throws what
    // `accept` throws; the line stays open then.
    Verdict judge(const JoinClaim& claim, const convert::Secret& proof, Clock::time_point now, const std::function<bool()>& accept);

private:
    enum class State { kOpen, kUsed, kExpired, kTried };
    struct Invitation {
        InviteSecret secret{};
        Clock::time_point until{};
        State state = State::kOpen;
        int wrong = 0;
    };

    void endOpen(Clock::time_point now) TANDEM_REQUIRES(mutex_);

    engine::Mutex mutex_;
    std::deque<Invitation> invitations_ TANDEM_GUARDED_BY(mutex_);  // the newest last, which alone may be open
};

}  // namespace agent::direct
