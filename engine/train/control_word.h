// How a control travels in two floats of the step header, which is summed over the replicas. The chief adds verb + 1 and the verb's value;
// any other replica that has to leave adds kLeave. The sum says both: all replicas read the same words after the same step.
#pragma once

#include <cmath>
#include <optional>

#include "engine/spec/events/task_event.h"

namespace engine::train {

struct ControlWord {
    float verb = 0;
    float value = 0;
    friend bool operator==(const ControlWord&, const ControlWord&) = default;
};

inline constexpr float kLeave = 1024;

inline ControlWord encodeControl(const spec::Control& control) {
    return {static_cast<float>(static_cast<int>(control.verb) + 1), static_cast<float>(control.value)};
}

// nullopt when nobody asked for anything. A replica that leaves makes all of them stop.
inline std::optional<spec::Control> decodeControl(const ControlWord& sum) {
    if (sum.verb >= kLeave) {
        return spec::Control{spec::ControlVerb::kStop, 0};
    }
    const int verb = static_cast<int>(std::lround(sum.verb));
    if (verb <= 0 || verb > static_cast<int>(spec::ControlVerb::kSetLearningRate) + 1) {
        return std::nullopt;
    }
    return spec::Control{static_cast<spec::ControlVerb>(verb - 1), static_cast<double>(sum.value)};
}

}  // namespace engine::train
