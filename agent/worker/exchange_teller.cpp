#include "agent/worker/exchange_teller.h"

namespace agent::worker {

std::optional<engine::spec::ExchangeState> ExchangeTeller::tell(engine::distribute::ExchangeProgress::Clock::time_point now) {
    const engine::distribute::ExchangeProgress::Reading reading = progress_.read(now);
    if (reading.sequence == 0) return std::nullopt;
    engine::spec::ExchangeState state{.sequence = reading.sequence,
                                      .bucket = reading.bucket + 1,
                                      .buckets = reading.buckets,
                                      .bytes = static_cast<std::int64_t>(reading.bytes),
                                      .wait_s = std::chrono::duration<double>(reading.wait).count(),
                                      .awaited = {},
                                      .step_wait_s = {}};
    if (reading.waits && reading.awaited >= 0 && static_cast<std::size_t>(reading.awaited) < members_.size()) {
        state.awaited = members_[static_cast<std::size_t>(reading.awaited)];
    }
    if (const std::int64_t steps = reading.steps - told_.steps; steps > 0) {
        state.step_wait_s = std::chrono::duration<double>(reading.waited - told_.waited).count() / static_cast<double>(steps);
    }
    told_ = reading;
    return state;
}

}  // namespace agent::worker
