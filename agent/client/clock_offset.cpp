#include "agent/client/clock_offset.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace agent::client {

std::vector<ClockReading> takeReadings(int rounds, std::chrono::milliseconds deadline,
                                       const std::function<ClockReading(std::chrono::milliseconds deadline)>& ping) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point until = Clock::now() + deadline;
    std::vector<ClockReading> readings;
    for (int i = 0; i < rounds; ++i) {
        const auto left = i == 0 ? deadline : std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now());
        if (i > 0 && left.count() <= 0) {
            break;
        }
        try {
            readings.push_back(ping(left));
        } catch (const engine::Error&) {
            if (readings.empty()) {
                throw;
            }
            break;
        }
    }
    return readings;
}

ClockOffset offsetOf(const std::vector<ClockReading>& readings) {
    const auto best = std::min_element(readings.begin(), readings.end(),
                                       [](const ClockReading& a, const ClockReading& b) { return a.round_trip < b.round_trip; });
    if (best == readings.end()) {
        return {};
    }
    // The other clock was read halfway, as far as anybody here can know.
    const std::int64_t halfway_unix_ns = best->sent_unix_ns + best->round_trip.count() / 2;
    return {.offset = std::chrono::nanoseconds(best->far_unix_ns - halfway_unix_ns), .round_trip = best->round_trip};
}

}  // namespace agent::client
