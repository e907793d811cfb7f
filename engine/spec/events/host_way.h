// The way from one computer of a cluster to another, as it was measured before a run, and what the engine is asked for that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine::spec {

enum class WayOutcome { kReached, kRefused, kNoRoute, kTimedOut, kNotProven, kNotTried };
std::string_view toString(WayOutcome outcome);  // "reached", "refused", "no_route", "timed_out", "not_proven", "not_tried"

struct HostWay {
    std::string from, to;  // computers, as the cluster names them
    int port = 0;          // of `to`, at which a task of the run will listen; 0: none is known
    WayOutcome outcome = WayOutcome::kNotTried;
    double round_trip_us = 0;  // of 64 bytes, median; 0: not measured
    double bytes_per_s = 0;    // from `from` to `to`; 0: not measured
    std::string detail;        // why it was not reached, tried or measured; may be empty
    bool is_slow = false;      // far slower than the others: a row of the report's says so
    friend bool operator==(const HostWay&, const HostWay&) = default;
};

// A task of the run as its certificate names it ("worker 1"), and where it listens, in numbers ("10.77.0.2:23456").
struct WayTask {
    std::string task, address;
    friend bool operator==(const WayTask&, const WayTask&) = default;
};

// The proof of a task to the others that it belongs to the measurement.
struct WayIdentity {
    int rank = 0;  // of the task, in WayGroup::tasks
    std::string certificate_pem, key_pem;
    friend bool operator==(const WayIdentity&, const WayIdentity&) = default;
};

// What all ends of one measurement have in common. It is made for this measurement alone, and kept nowhere.
struct WayGroup {
    std::string secret;  // 32 bytes
    std::string authority_pem;
    std::vector<WayTask> tasks;  // by rank
    friend bool operator==(const WayGroup&, const WayGroup&) = default;
};

struct ServedWays {
    std::int64_t calls = 0;  // of others that proved to belong to the measurement
    friend bool operator==(const ServedWays&, const ServedWays&) = default;
};

// Listens where these tasks will, for as long as the question is asked or until the time is over, and sends back what the measurement's
// other ends send. Tells a progress of the stage kListen once every port is open. Asked without a project.
struct ServeWaysQuestion {
    using Answer = ServedWays;
    WayGroup group;
    std::vector<WayIdentity> own;
    int within_s = 60;
    friend bool operator==(const ServeWaysQuestion&, const ServeWaysQuestion&) = default;
};

struct CalledWay {
    int rank = 0;
    WayOutcome outcome = WayOutcome::kNotTried;
    std::string detail;                         // as of HostWay, as are the next two
    double round_trip_us = 0, bytes_per_s = 0;  // 0 where the question does not ask for them
    friend bool operator==(const CalledWay&, const CalledWay&) = default;
};

struct CalledWays {
    std::vector<CalledWay> ways;  // of the tasks that were to be called, in that order
    friend bool operator==(const CalledWays&, const CalledWays&) = default;
};

// Calls these tasks, all at once, each once. Asked without a project.
struct CallWaysQuestion {
    using Answer = CalledWays;
    WayGroup group;
    WayIdentity own;
    std::vector<int> called;  // ranks
    bool measures = false;    // round trips and bandwidth, one task after the other; else only whether each is reached
    friend bool operator==(const CallWaysQuestion&, const CallWaysQuestion&) = default;
};

}  // namespace engine::spec
