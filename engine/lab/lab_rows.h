// The rows of the equivalence lab: each is a strategy with as many replicas as show what it does. Static data, safe from any thread. The
// header to read first of this folder; lab_project.h makes each row's project, lab_result.h judges what came of it.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/strategy_table.h"

namespace engine::lab {

struct LabRow {
    std::string_view name;  // as it is chosen: "MultiWorkerMirrored:3"
    spec::StrategyKind kind = spec::StrategyKind::kDefault;
    std::string_view cross_device_ops{};  // of Mirrored
    int devices = 1;                      // of each task
    int workers = 1;
    int servers = 0;  // ps tasks
};

// The rows in the order in which they are trained; Default, which all are compared with, is the first.
std::span<const LabRow> labRows();

// "MirroredStrategy, NcclAllReduce", "MultiWorkerMirroredStrategy, 3 workers", "ParameterServerStrategy, 1 ps, 3 workers"; each row has
// its own.
std::string labelOf(const LabRow& row);
// The number of parts of a global batch. With parameter servers it is 1: each worker takes whole batches.
int replicasOf(const LabRow& row);
// No step works with weights that another one changes meanwhile, so that the result is that of one replica. A lone worker of a parameter
// server is as synchronous as that.
bool isSynchronous(const LabRow& row);

// Rows by their names, in the lab's order, each once and Default always; a name without ':' ("Mirrored", "MirroredStrategy") means all rows
// of that strategy. Empty: all of them. Throws Error(kInvalidArgument) naming what there is for a name that is none.
std::vector<LabRow> chosenRows(const std::vector<std::string>& names);

}  // namespace engine::lab
