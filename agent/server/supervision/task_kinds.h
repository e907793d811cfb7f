// What the tasks of a run are there for, by their jobs.
#pragma once

#include <chrono>
#include <string>

#include "engine/spec/project/cluster_spec.h"

namespace agent::server {

inline bool isEvaluator(const engine::spec::TaskId& task) {
    return task.type == engine::spec::kEvaluator;
}

// Neither parameter servers nor evaluators do.
inline bool trains(const engine::spec::TaskId& task) {
    return task.type != "ps" && !isEvaluator(task);
}

// "9 s", as sentences about tasks have it.
inline std::string secondsText(std::chrono::milliseconds duration) {
    return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(duration).count()) + " s";
}

}  // namespace agent::server
