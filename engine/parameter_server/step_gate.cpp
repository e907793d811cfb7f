#include "engine/parameter_server/step_gate.h"

#include <algorithm>

namespace engine::parameter_server {

bool StepGate::begin(int worker, std::chrono::steady_clock::time_point deadline) {
    if (!bound_) return true;
    MutexLock lock(mutex_);
    if (under_way_.erase(worker) > 0) changed_.notify_all();
    if (!changed_.wait_until(lock, deadline, [this]() TANDEM_REQUIRES(mutex_) { return mayBegin(); })) return false;
    for (auto& [other, behind] : under_way_) ++behind;
    under_way_[worker] = static_cast<std::int64_t>(under_way_.size());
    return true;
}

void StepGate::end(int worker) {
    if (!bound_) return;
    const MutexLock lock(mutex_);
    if (under_way_.erase(worker) > 0) changed_.notify_all();
}

bool StepGate::mayBegin() const {
    return static_cast<std::int64_t>(under_way_.size()) <= *bound_ &&
           std::all_of(under_way_.begin(), under_way_.end(),
                       [this](const auto& other) TANDEM_REQUIRES(mutex_) { return other.second < *bound_; });
}

}  // namespace engine::parameter_server
