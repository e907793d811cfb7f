// Which task the others of a run wait for, from what each of them says of itself.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/spec/events/exchange_state.h"
#include "engine/spec/events/host_load.h"

namespace engine::run {

// A task as one reading of its host has it.
struct ExchangeRank {
    spec::TaskId task;
    std::string host;                          // its name; empty: not known
    std::optional<spec::ExchangeState> state;  // empty: it has told nothing yet
    friend bool operator==(const ExchangeRank&, const ExchangeRank&) = default;
};

// Waits up to this are of every run: a heartbeat comes once a second, and steps differ.
inline constexpr double kExchangeNoiseS = 0.5;
// A task tells once a second. One that has not for so long does not run, or its computer does not.
inline constexpr double kExchangeSilentS = 2.5;

// True for a task that says that it waits, lately enough to be believed.
bool waitsLong(const spec::ExchangeState& state);
bool isSilent(const spec::ExchangeState& state);

struct ExchangeCulprit {
    enum class Why {
        kSilent,  // it has told nothing for kExchangeSilentS
        kBehind,  // it goes on, at an operation that the others have begun to wait in
    };
    std::size_t rank = 0;  // its place in what was asked about
    Why why = Why::kBehind;
    std::size_t waiting = 0;  // tasks that wait for it, directly or through others
    double longest_s = 0;     // how long the one that has waited most has
    friend bool operator==(const ExchangeCulprit&, const ExchangeCulprit&) = default;
};

// Who waits names whom it waits for; that one may itself wait for another, as round a ring. The task at the end of most such chains is the
// culprit: it is silent, or does not wait. Empty when no wait is longer than kExchangeNoiseS, or when nothing tells the tasks apart (all
// wait for each other, at one operation). Linear in the number of tasks and chains' ends.
std::optional<ExchangeCulprit> findCulprit(std::span<const ExchangeRank> ranks);

// A reading of one host.
struct HostReading {
    std::string host;
    const spec::HostLoad* load = nullptr;  // not owned; may be null
};
// The tasks of a run over all of its hosts, in the order of `tasks`, then those that it does not name. A task that is told of twice counts
// where its word is younger.
std::vector<ExchangeRank> exchangeRanks(std::span<const HostReading> readings, const std::string& run_id,
                                        std::span<const spec::TaskId> tasks);

}  // namespace engine::run
