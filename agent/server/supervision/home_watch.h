// Measures how long the home of a part has been away: the home tells the agent here once a second that it is there.
#pragma once

#include <chrono>
#include <string_view>

namespace agent::server {

// The beginning of the detail of a part that stopped because its home was away: "its home was away for 12 s".
inline constexpr std::string_view kHomeWasAway = "its home was away for ";

// Used by one thread.
class HomeWatch {
public:
    using Time = std::chrono::steady_clock::time_point;

    // `limit` 0: it may be away for any time.
    HomeWatch(std::chrono::milliseconds limit, Time now) : limit_(limit), heard_(now) {}

    void hear(Time now) { heard_ = now; }
    std::chrono::seconds away(Time now) const { return std::chrono::duration_cast<std::chrono::seconds>(now - heard_); }
    // Returns the time from which on the home is away for too long; the end of time without a limit. `grace` is what the part adds to the
    // limit.
    Time lostAt(std::chrono::milliseconds grace) const { return limit_.count() == 0 ? Time::max() : heard_ + limit_ + grace; }

private:
    const std::chrono::milliseconds limit_;
    Time heard_;
};

}  // namespace agent::server
