// What a computer has, as the verbs print it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/run/host_info.h"

namespace app::cli {

// The object that `agent --json` and `host check --json` print.
nlohmann::ordered_json asJson(const engine::run::HostInfo& host);

}  // namespace app::cli
