// How long a message takes from one task's place to another's, and how many bytes a second go there: over a connection of which both ends
// have proven what they are (connection_gate.h), TLS included where the run's own bytes would have it.
//
//   caller -> called   echo   u32 1 | u32 bytes | bytes        called -> caller   the same message again
//   caller -> called   data   u32 2 | u32 bytes | bytes        called -> caller   u32 2 | u32 bytes
//
// Integers are little-endian. The caller has no more data on its way than the connection took in half a second, and waits for the end of
// it: what comes next finds the way free.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace agent::worker {

struct WayLimits {
    int round_trips = 51;
    std::chrono::milliseconds round_trip_time{500};  // no further one is begun after that
    std::chrono::milliseconds data_time{1000};       // nor is data sent
    std::int64_t data_bytes = std::int64_t{64} << 20;
    std::chrono::milliseconds quiet{2000};  // for which the other end may say nothing while its word is waited for
};

struct WayNumbers {
    double round_trip_us = 0;  // median
    double bytes_per_s = 0;    // of the later half of the data, so that the start of a connection does not count
};

// The calling end. `socket` is non-blocking. Takes round_trip_time and data_time and little more. Throws Error: kDeadlineExceeded when the
// other end says nothing, kUnavailable when it has closed, kDataLoss for an answer of something else; the message is the reason alone.
WayNumbers measureWay(int socket, const WayLimits& limits);

enum class WayEnd { kClosed, kNotUnderstood, kTooMuch, kTooLong, kCancelled };
// The called end: answers until the caller closes, sends something else, sends more than it may in the time or the bytes of a measurement,
// or until it is cancelled, which is asked some 20 times a second. `socket` is non-blocking.
WayEnd echoWay(int socket, const WayLimits& limits, const std::function<bool()>& is_cancelled);

}  // namespace agent::worker
