#include "engine/parameter_server/local_link.h"

#include <cstring>

#include "engine/spec/error.h"

namespace engine::parameter_server {

void LocalLink::begin(std::chrono::steady_clock::time_point deadline) {
    if (!store_.gate().begin(worker_, deadline)) {
        throw Error(ErrorCode::kDeadlineExceeded, "parameter server: the steps of other workers did not end in time");
    }
}

LocalLink::State LocalLink::pull(std::span<const ByteRange> ranges, std::span<std::byte> values, std::span<std::int64_t> versions) {
    State state = stateIn(store_.state());
    state.generation = copyOut(store_.memory(), store_.layout(), ranges, values, versions);
    return state;
}

PushReply LocalLink::awaitPush() {
    ENGINE_CHECK(!replies_.empty());
    const PushReply reply = replies_.front();
    replies_.pop_front();
    return reply;
}

void LocalLink::read(std::span<std::byte> variables) {
    std::memcpy(variables.data(), store_.memory().data() + store_.layout().variables, variables.size());
}

}  // namespace engine::parameter_server
