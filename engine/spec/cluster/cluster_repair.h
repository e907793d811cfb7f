// What mends a finding about strategy, cluster or the pipeline's order, worked out and tried: a repair is offered when the finding is gone
// after it and no new error came.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct RepairFacts {
    std::string host_name{};        // of this computer, as others know it; empty: unknown
    std::vector<int> free_ports{};  // of this computer, in order of preference
};

struct TfConfigRepair {
    std::string text;       // what it does: "Rename the job to worker"
    std::string tf_config;  // the mended JSON, in json.dumps' layout where it was read
    friend bool operator==(const TfConfigRepair&, const TfConfigRepair&) = default;
};
// `finding` is one of checkTfConfig(text, use); nullopt when no change that is known helps.
std::optional<TfConfigRepair> repairTfConfig(std::string_view text, TfConfigUse use, const Diagnostic& finding,
                                             const RepairFacts& facts = {});

struct Repair {
    std::string text;
    RunSpec run;  // mended
};
// `finding` is one of validate(run), or one about an address that a host made of what it knows: a port that another program holds, a
// task that cannot be started there. Other paths: nullopt.
std::optional<Repair> repairRun(const RunSpec& run, const Diagnostic& finding, const RepairFacts& facts = {});

}  // namespace engine::spec
