// A task whose process runs on this computer, as the one who knows of it, a supervisor or a follower, names it to those who measure it.
#pragma once

#include <optional>
#include <string>

#include "engine/spec/events/exchange_state.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::load {

struct LiveTask {
    std::string run_id;
    engine::spec::TaskId task;
    int pid = 0;
    std::optional<engine::spec::ExchangeState> exchange{};  // as it told last, with the age of its word
    friend bool operator==(const LiveTask&, const LiveTask&) = default;
};

}  // namespace agent::load
