// How far a run is: one enumeration for the index of runs, the wire, the studio and the command line.
#pragma once

#include <optional>
#include <string_view>

namespace engine::run {

// The index of runs and the wire hold these numbers. kNone stands for a run that nobody has told of yet; no run is stored with it.
enum class RunState { kNone = 0, kStarting = 1, kTraining = 2, kPaused = 3, kDone = 4, kStopped = 5, kFailed = 6 };

constexpr bool isFinal(RunState state) {
    return state >= RunState::kDone;
}
constexpr bool isActive(RunState state) {
    return state != RunState::kNone && !isFinal(state);
}

// "Training", in English as the command line and data files have it; empty for kNone.
std::string_view toString(RunState state);
// nullopt for a number that is no state of a run, kNone's included.
std::optional<RunState> runStateOf(int number);

}  // namespace engine::run
