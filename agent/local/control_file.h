// What users ask of a run whose tasks have no agent: RUN/control.json, which the tasks look for once a second.
//
//   {"controls": [{"number": 1, "verb": "pause"}, {"number": 2, "verb": "learning_rate", "value": 0.001}]}
//
// Verbs: pause, resume, step, stop, stop_now, checkpoint, learning_rate. Numbers grow; a task obeys those that are above every number that
// it saw before, and none that was there when it started. The last 16 are kept.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/files/safe_folder.h"
#include "engine/spec/events/task_event.h"

namespace agent::convert {

inline constexpr const char* kControlFile = "control.json";

struct NumberedControl {
    std::int64_t number = 0;
    engine::spec::Control control;
    friend bool operator==(const NumberedControl&, const NumberedControl&) = default;
};

// Returns the controls in their order. Throws Error(kInvalidArgument) naming the file, what is expected and what is there: all are read or
// none.
std::vector<NumberedControl> parseControls(std::string_view text, const std::string& file);
// Reads the controls of a run's folder; none without the file. Throws as parseControls(), and Error when the file can't be read.
std::vector<NumberedControl> readControls(const engine::files::SafeFolder& folder);
// Writes one more control. Its number is above all that are there and above the microseconds since 1970, so that it counts whatever became
// of the file. A file that can't be read is replaced. Throws Error naming the file.
void addControl(const engine::files::SafeFolder& folder, const engine::spec::Control& control);

}  // namespace agent::convert
