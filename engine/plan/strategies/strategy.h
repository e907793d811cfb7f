// What a distribution strategy makes of a training plan: a file each, and a row of the table in strategy.cpp.
#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::plan {

// The replica whose plan a strategy rewrites, and what the project says of the strategy. Lives as long as the call.
struct StrategyTarget {
    const spec::StrategySpec& settings;
    const std::vector<std::string>& devices;  // of this task, one a replica: "CPU:0"
    int device = 0;                           // this replica's, an index of `devices`
    const spec::TaskId* task = nullptr;       // for device names; null: there is no cluster
    int servers = 0;                          // ps tasks
};

// Stateless; any thread. Errors are engine::Error: kUnimplemented and kInvalidArgument for settings that the strategy can't follow, with
// the field's path.
class Strategy {
public:
    virtual ~Strategy() = default;
    // `plan` is that of one replica of several, after fusion of its layers and before fusion of its updates. The result says which op sums
    // which gradients over the replicas, and which replica applies them.
    virtual Plan distribute(Plan plan, const StrategyTarget& target) const = 0;
    // Names the device of each op and variable of a plan that came from distribute(). Here: all are the replica's own.
    virtual Plan place(Plan plan, const StrategyTarget& target) const;
};

// Each device of each task has a replica, which holds all variables. With one device a task the collective between the tasks chooses the
// way; with several, only the first one's sum goes between the tasks. Reads bytes_per_pack.
const Strategy& multiWorkerMirrored();
// Each device of the one task has a replica, which holds all variables. cross_device_ops chooses packs and route. On CPUs NcclAllReduce is
// a ring over the devices' memory, as the RING that TensorFlow takes there.
const Strategy& mirrored();
// The first device's replica holds variables and slots, on the processor. Each replica copies the variables in, gradients are summed on the
// first device and applied there once. The other replicas' plans have no slots and no updates.
const Strategy& centralStorage();

// A worker's half of a step: variables are pulled from the ps tasks, gradients pushed to them bucket by bucket as each is complete. No
// updates, no slots. What the servers do: engine/plan/strategies/parameter_server.h. Reads bytes_per_pack and variable_partitioner.
const Strategy& parameterServer();

// The strategy that rewrites plans for that kind. Kinds of one replica (OneDevice, Default) are mirrored() where they are given several;
// kinds that spec::StrategyRow::runs leaves out are, too.
const Strategy& strategyOf(spec::StrategyKind kind);

}  // namespace engine::plan
