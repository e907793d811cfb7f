#include "agent/wire/gpu_convert.h"

#include "agent/proto/agent.pb.h"
#include "agent/wire/task_event_convert.h"

namespace agent::convert {

void toProto(const engine::spec::GpuInventory& inventory, proto::GpuInventory& message) {
    for (const engine::spec::Gpu& gpu : inventory.gpus) {
        proto::Gpu& out = *message.add_gpus();
        out.set_name(validUtf8(gpu.name));
        out.set_uuid(validUtf8(gpu.uuid));
        out.set_memory_bytes(gpu.memory_bytes);
        out.set_memory_free_bytes(gpu.memory_free_bytes);
        out.set_capability_major(gpu.capability_major);
        out.set_capability_minor(gpu.capability_minor);
    }
    message.set_no_gpu_reason(validUtf8(inventory.no_gpu_reason));
    message.set_driver_version(validUtf8(inventory.driver_version));
    message.set_cuda_version(inventory.cuda_version);
    message.set_nccl_version(inventory.nccl_version);
    message.set_no_nccl_reason(validUtf8(inventory.no_nccl_reason));
    message.set_no_backend_reason(validUtf8(inventory.no_backend_reason));
}

engine::spec::GpuInventory fromProto(const proto::GpuInventory& message) {
    engine::spec::GpuInventory inventory;
    for (const proto::Gpu& gpu : message.gpus()) {
        inventory.gpus.push_back(
            {gpu.name(), gpu.uuid(), gpu.memory_bytes(), gpu.memory_free_bytes(), gpu.capability_major(), gpu.capability_minor()});
    }
    inventory.no_gpu_reason = message.no_gpu_reason();
    inventory.driver_version = message.driver_version();
    inventory.cuda_version = message.cuda_version();
    inventory.nccl_version = message.nccl_version();
    inventory.no_nccl_reason = message.no_nccl_reason();
    inventory.no_backend_reason = message.no_backend_reason();
    return inventory;
}

}  // namespace agent::convert
