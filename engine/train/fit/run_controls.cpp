#include "engine/train/fit/run_controls.h"

#include <array>

namespace engine::train {

ControlWord RunControls::ask(std::chrono::milliseconds wait) {
    const auto asked = observer_.takeControl(wait);
    if (!asked) {
        return {};
    }
    if (task_.is_chief || task_.servers > 0) {
        return encodeControl(*asked);
    }
    const bool leaves = asked->verb == spec::ControlVerb::kStop || asked->verb == spec::ControlVerb::kStopNow;
    return leaves ? ControlWord{kLeave, 0} : ControlWord{};
}

void RunControls::hear(const spec::Control& control) {
    switch (control.verb) {
        case spec::ControlVerb::kPause:
            paused_ = true;
            break;
        case spec::ControlVerb::kResume:
            paused_ = false;
            break;
        case spec::ControlVerb::kStep:
            single_step_ = true;
            paused_ = false;
            break;
        case spec::ControlVerb::kStop:
            flow_ = Flow::kStop;
            break;
        case spec::ControlVerb::kStopNow:
            flow_ = Flow::kStopNow;
            break;
        case spec::ControlVerb::kCheckpointNow:
        case spec::ControlVerb::kSetLearningRate:
            break;
    }
}

void RunControls::waitWhilePaused(distribute::Collective* collective, std::chrono::milliseconds poll,
                                  const std::function<void(const spec::Control&)>& apply) {
    while (paused_ && flow_ == Flow::kContinue) {
        ControlWord word = ask(task_.is_chief || task_.servers > 0 ? poll : std::chrono::milliseconds(0));
        if (collective != nullptr) {
            std::array<float, 2> words{word.verb, word.value};
            collective->allReduceSum(words);
            word = {words[0], words[1]};
        }
        if (const auto asked = decodeControl(word)) {
            apply(*asked);
        }
    }
}

void RunControls::stepsDone() {
    if (single_step_ && flow_ == Flow::kContinue) {
        single_step_ = false;
        paused_ = true;
    }
}

}  // namespace engine::train
