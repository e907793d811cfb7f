// What an agent knows of a run as a whole: a row of its index, the answer of its calls, a line of `tandem-cli runs`.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/run_state.h"

namespace engine::run {

struct RunInfo {
    std::string id;  // "20261121-143205-7f3a"
    std::string name;
    RunState state = RunState::kStarting;
    std::string detail;                                      // reason of a failure
    std::int64_t created_unix_ns = 0, finished_unix_ns = 0;  // finished 0 while it runs
    std::string run_dir;
    int tasks = 1;
    std::string project_json;                             // as resolved
    std::vector<std::pair<std::string, double>> results;  // of TaskFinished, once done
    std::string checkpoint, weights_sha256;
    int attempts = 1;           // how often its tasks were started: by its launch, after a task was lost, by hand
    std::int64_t idle_ns = 0;   // between the end of an attempt and one that was started by hand: no time of the run's own
    std::string imported_from;  // the computer where the archive was written that it came from; empty: it trained here
    std::string branch_of;      // the run that wrote the checkpoint or backup it began from (fit.initial_state); empty: none that is known
    bool followed = false;      // its tasks are no agent's: a scheduler or a shell started them, here or elsewhere; it is watched alone
    friend bool operator==(const RunInfo&, const RunInfo&) = default;
};

}  // namespace engine::run
