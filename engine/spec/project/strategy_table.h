// What validate() knows of each strategy. For .cpp files of this folder only.
#pragma once

#include <string_view>

namespace engine::spec {

struct StrategyRow {
    std::string_view name;
    bool runs;
    bool clustered;  // uses the cluster's workers
    bool mirrors;    // may have several devices in one task
};

// nullptr for an unknown name.
const StrategyRow* findStrategy(std::string_view name);

}  // namespace engine::spec
