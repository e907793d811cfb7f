#include "agent/client/clock_offset.h"

#include <algorithm>

namespace agent::client {

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
