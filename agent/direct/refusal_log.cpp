#include "agent/direct/refusal_log.h"

#include <utility>

namespace agent::direct {

namespace {

constexpr std::chrono::seconds kPeriod{10};
constexpr int kMostLines = 5;

}  // namespace

void RefusalLog::refused(const std::string& where, const std::string& why, Clock::time_point now) {
    if (now >= period_end_) {
        period_end_ = now + kPeriod;
        lines_ = 0;
    }
    if (lines_ == kMostLines) {
        ++silent_;
        return;
    }
    ++lines_;
    const std::int64_t before = std::exchange(silent_, 0);
    log_("refused " + where + ": " + why + (before > 0 ? " (and " + std::to_string(before) + " others before)" : ""));
}

}  // namespace agent::direct
