// "Evaluation [1/10]": how far an evaluation of an estimator is, as TensorFlow's log tells it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace engine::train::estimator {

// Writes the lines of one evaluation of `steps` batches: one for each of them where there are fewer than 20, else ten. One thread.
class EvaluationLines {
public:
    // Nothing is said where `steps` is 0: the evaluation then ends with its samples.
    EvaluationLines(std::int64_t steps, std::int64_t batch, std::function<void(const std::string&)> log)
        : steps_(steps), batch_(batch), every_(steps < 20 ? 1 : steps / 10), log_(std::move(log)) {}

    // Told when `samples` are done from the beginning. The engine's own batches may be larger than an estimator's: all lines that are due
    // come at once.
    void looked(std::int64_t samples) {
        for (; told_ + every_ <= steps_ && (told_ + every_) * batch_ <= samples;) {
            told_ += every_;
            log_("Evaluation [" + std::to_string(told_) + "/" + std::to_string(steps_) + "]");
        }
    }

private:
    const std::int64_t steps_, batch_, every_;
    const std::function<void(const std::string&)> log_;
    std::int64_t told_ = 0;
};

}  // namespace engine::train::estimator
