#include "engine/spec/events/task_event.h"

#include <cstdio>

namespace engine::spec {

bool isFinal(TaskState state) {
    return state == TaskState::kDone || state == TaskState::kStopped || state == TaskState::kFailed;
}

std::string_view toString(TaskState state) {
    switch (state) {
        case TaskState::kNotStarted:
            return "Not started";
        case TaskState::kConnecting:
            return "Connecting";
        case TaskState::kReady:
            return "Ready";
        case TaskState::kTraining:
            return "Training";
        case TaskState::kWaiting:
            return "Waiting";
        case TaskState::kPaused:
            return "Paused";
        case TaskState::kDone:
            return "Done";
        case TaskState::kStopped:
            return "Stopped";
        case TaskState::kFailed:
            return "Failed";
    }
    return "Unknown";
}

std::string evaluationText(const EpochEnd& end) {
    std::string text = "evaluation after step " + std::to_string(end.step) + ":";
    for (const auto& [name, value] : end.logs) {
        char number[32];
        std::snprintf(number, sizeof number, " %.4f", value);
        text += (text.back() == ':' ? " " : ", ") + name + number;
    }
    return text;
}

}  // namespace engine::spec
