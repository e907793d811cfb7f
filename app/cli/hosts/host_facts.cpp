#include "app/cli/hosts/host_facts.h"

#include <nlohmann/json.hpp>

#include "engine/spec/cluster/gpu.h"

namespace app::cli {

namespace spec = engine::spec;
using Json = nlohmann::ordered_json;

Json asJson(const engine::run::HostInfo& host) {
    Json gpus = Json::array();
    for (const spec::Gpu& gpu : host.gpus.gpus) {
        gpus.push_back({{"name", gpu.name},
                        {"uuid", gpu.uuid},
                        {"memory_bytes", gpu.memory_bytes},
                        {"memory_free_bytes", gpu.memory_free_bytes},
                        {"compute_capability", spec::capabilityText(gpu)}});
    }
    return {{"host_name", host.host_name},
            {"agent_version", host.agent_version},
            {"cpu_model", host.cpu_model},
            {"vector_units", host.vector_units},
            {"cores", host.cores},
            {"memory_bytes", host.memory_bytes},
            {"memory_available_bytes", host.memory_available_bytes},
            {"disk_available_bytes", host.disk_available_bytes},
            {"runs_dir", host.runs_dir},
            {"gpus", std::move(gpus)},
            {"no_gpu_reason", host.gpus.no_gpu_reason},
            {"driver_version", host.gpus.driver_version},
            {"cuda_version", host.gpus.cuda_version == 0 ? "" : spec::cudaVersionText(host.gpus.cuda_version)},
            {"nccl_version", host.gpus.nccl_version},
            {"datasets", host.datasets},
            {"addresses", host.addresses}};
}

}  // namespace app::cli
