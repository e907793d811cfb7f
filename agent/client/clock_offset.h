// How far the clock of another computer is from this one's, out of round trips between them.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

namespace agent::client {

// One round trip: what the other clock said between the question and the answer.
struct ClockReading {
    std::int64_t sent_unix_ns = 0;  // of this computer's clock, when the question left
    std::int64_t far_unix_ns = 0;   // 0: the other side did not say
    std::chrono::nanoseconds round_trip{0};
    friend bool operator==(const ClockReading&, const ClockReading&) = default;
};

struct ClockOffset {
    std::chrono::nanoseconds offset{0};      // what is added to this clock to get the other one
    std::chrono::nanoseconds round_trip{0};  // the offset is off by at most half of it
    friend bool operator==(const ClockOffset&, const ClockOffset&) = default;
};

// Takes up to `rounds` readings by a ping that is told how long it may take. The first may take as long as all; a later one that has less
// time than it needs ends the measurement. Throws what the first one throws.
std::vector<ClockReading> takeReadings(int rounds, std::chrono::milliseconds deadline,
                                       const std::function<ClockReading(std::chrono::milliseconds deadline)>& ping);

// The offset that the reading with the smallest round trip gives; zeros when there is no reading. A pure function.
ClockOffset offsetOf(const std::vector<ClockReading>& readings);

}  // namespace agent::client
