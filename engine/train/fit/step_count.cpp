#include "engine/train/fit/step_count.h"

#include <utility>

#include "engine/spec/catalog/dtype_policy.h"

namespace engine::train {

void StepCount::goOnAfter(std::int64_t done) {
    done_ = done;
    left_out_ = 0;
}

void StepCount::lookAt(const backend::Variables& variables) {
    for (const backend::Variables::Entry& entry : variables.entries()) {
        if (entry.name != spec::kStepsLeftOut) continue;
        const auto counted = static_cast<std::int64_t>(entry.values[0]);
        if (std::exchange(left_out_, counted) != counted) last_left_out_ = done_;
        followed_ = rate_.hasSchedule();
    }
}

bool StepCount::hasToBeFollowedClosely() const {
    constexpr std::int64_t kStepsBeforeTrust = 32;  // finite ones, before nobody counts each
    return followed_ && done_ - last_left_out_ < kStepsBeforeTrust;
}

}  // namespace engine::train
