// The way of a sum between the devices of a run: chosen by the strategy, printed in the plan, gone by the devices' collective.
#pragma once

#include <string>

namespace engine::spec {

// Devices are counted from 0 in the strategy's order.
struct ReduceRoute {
    enum class Way {
        kRing,    // NcclAllReduce: each device sums its segment of all the others' and gives it to all
        kHalves,  // HierarchicalCopyAllReduce: `main` and `second` sum a half of the devices each, main adds both, then back the same way
        kOneDevice,  // ReductionToOneDevice: `main` adds all in the devices' order, the others copy the sum
        kKeep,       // CentralStorageStrategy: `main` adds all; nobody else gets the sum
        kWorkers,    // MultiWorkerMirroredStrategy: a worker's devices add up on `main`, which adds the other workers' sums, then back
    } way = Way::kRing;
    int main = 0;
    int second = 0;
    friend bool operator==(const ReduceRoute&, const ReduceRoute&) = default;
};

// "ring", "halves on 0 and 2", "sum on 1", "sum stays on 0", "sum on 0, then between workers"
std::string toString(const ReduceRoute& route);

}  // namespace engine::spec
