// The time that events and records carry.
#pragma once

#include <chrono>
#include <cstdint>

namespace agent::server {

// Nanoseconds since 1970, UTC.
inline std::int64_t nowUnixNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace agent::server
