// agent_worker_test_peer PORT0,PORT1 shm|grpc region|outside: worker 1 of a cluster of two, which reduces until it is killed or worker 0
// goes. It never misses a heartbeat of worker 0's.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "local_cluster.h"

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    const std::string ports = argv[1];
    const std::size_t comma = ports.find(',');
    engine::spec::TfConfig config;
    config.cluster.jobs = {{"worker", {{0, "localhost:" + ports.substr(0, comma)}, {1, "localhost:" + ports.substr(comma + 1)}}}};
    config.task = engine::spec::TaskId{"worker", 1};
    engine::spec::TaskPlan plan;
    plan.task = *config.task;
    plan.is_chief = false;
    plan.rank = 1;
    plan.replicas = 2;
    const bool shm = std::strcmp(argv[2], "shm") == 0;
    try {
        using namespace std::chrono_literals;
        const auto collective = agent::worker::connectCollective(
            plan, config, shm ? engine::spec::TransportChoice::kShm : engine::spec::TransportChoice::kGrpc, tests::support::testSecret(),
            {.start_timeout = 180s, .operation_deadline = 180s, .heartbeat = 100ms, .lost_after = 180s});
        const auto region = collective->allocateRegion(1 << 20);
        std::vector<float> outside(1 << 18, 1.0f);
        const bool in_region = std::strcmp(argv[3], "region") == 0;
        const std::span<float> data =
            in_region ? std::span<float>{reinterpret_cast<float*>(region.data()), 1 << 18} : std::span<float>(outside);
        while (true) collective->allReduceSum(data);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "peer: %s\n", error.what());
        return 0;
    }
}
