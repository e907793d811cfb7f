#include "engine/data/sample_decoder.h"

namespace engine::data {

bool DecodedStates::claim(std::int64_t index) {
    std::atomic<State>& state = states_[static_cast<std::size_t>(index)];
    for (;;) {
        State seen = kMissing;
        if (state.compare_exchange_strong(seen, kDecoding, std::memory_order_acquire)) {
            return true;
        }
        if (seen != kDecoding) {
            return false;
        }
        state.wait(kDecoding, std::memory_order_acquire);
    }
}

void DecodedStates::finish(std::int64_t index, State state) {
    std::atomic<State>& kept = states_[static_cast<std::size_t>(index)];
    kept.store(state, std::memory_order_release);
    kept.notify_all();
}

}  // namespace engine::data
