// What may be done to one task of a run, and the words for it: in a script, on the command line and in the run's journal. The header to
// read first of this folder.
//
//   kill worker:1                        its process is killed (SIGKILL)
//   stop worker:0 for 5s                 its process stands still (SIGSTOP), then goes on
//   slow worker:1 for 10s by 20ms        each of its messages to other tasks leaves so much later
//   cut worker:1-worker:0 for 5s         the first task neither sends to the second one nor hears of it
//   fill-disk worker:0 for 10s           no file that it writes can grow, as on a full disk
//   skew worker:1 for 10s by -2s         its clock is so much ahead (behind, below zero) in all that it tells
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::chaos {

enum class FaultKind { kKill, kStop, kSlow, kCut, kFillDisk, kSkew };

// What a kind takes beside its task.
struct FaultTraits {
    FaultKind kind;
    std::string_view word;               // "fill-disk"
    bool has_peer;                       // it is between two tasks
    std::chrono::milliseconds lasting;   // where none is given; 0: it does not last
    std::chrono::milliseconds amount;    // where none is given; 0: it has none
    std::chrono::milliseconds smallest;  // amount
    std::chrono::milliseconds largest;
};
const std::vector<FaultTraits>& faultKinds();  // in the order of the enumeration
const FaultTraits& traits(FaultKind kind);

inline constexpr std::chrono::milliseconds kLongestFault = std::chrono::hours(1);

struct Fault {
    FaultKind kind = FaultKind::kKill;
    spec::TaskId task;
    std::optional<spec::TaskId> peer{};    // of a kind that has one
    std::chrono::milliseconds lasting{0};  // of a kind that lasts; as all of them above 0
    std::chrono::milliseconds amount{0};   // of a kind that has one; never 0 then
    friend bool operator==(const Fault&, const Fault&) = default;
};

// A fault of that kind with what is usual for it.
Fault usualFault(FaultKind kind, spec::TaskId task);
// Why there is no such fault, as one sentence: a peer that is missing or the task itself, numbers out of range. Empty: there is.
std::string faultProblem(const Fault& fault);

std::string toText(const spec::TaskId& task);            // "worker:1"
std::string toText(std::chrono::milliseconds duration);  // "5s", "-1500ms", "2m"
std::string toText(const Fault& fault);                  // "stop worker:0 for 5s": with everything that its kind takes

// nullopt for another text.
std::optional<spec::TaskId> parseTask(std::string_view text);
// "20s", "500ms", "2m", "1h", with "-" before it below zero; nullopt for another text and for more than a day.
std::optional<std::chrono::milliseconds> parseDuration(std::string_view text);

}  // namespace engine::chaos
