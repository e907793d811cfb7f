#include "engine/distribute/nccl/tell_gpus.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "engine/spec/error.h"

namespace engine::distribute::nccl {
namespace {

// One message of one size: texts with a zero behind them.
template <std::size_t kBytes>
using Text = std::array<char, kBytes>;

template <std::size_t kBytes>
void put(Text<kBytes>& place, const std::string& text) {
    std::memcpy(place.data(), text.data(), std::min(text.size(), kBytes - 1));
}

constexpr std::size_t kMostGpus = 64;

struct Message {
    Text<256> host{}, no_gpu_reason{}, no_nccl_reason{};
    Text<32> nccl_version{};
    std::array<Text<64>, kMostGpus> uuids{};
};

}  // namespace

std::vector<spec::TaskGpus> tellGpus(Collective& tasks, const spec::TaskGpus& mine) {
    ENGINE_CHECK(mine.uuids.size() <= kMostGpus);
    Message message;
    put(message.host, mine.host);
    put(message.no_gpu_reason, mine.no_gpu_reason);
    put(message.no_nccl_reason, mine.no_nccl_reason);
    put(message.nccl_version, mine.nccl_version);
    for (std::size_t i = 0; i < mine.uuids.size(); ++i) put(message.uuids[i], mine.uuids[i]);
    std::vector<Message> all(static_cast<std::size_t>(tasks.size()));
    tasks.allGather(std::as_bytes(std::span(&message, 1)), std::as_writable_bytes(std::span(all)));
    std::vector<spec::TaskGpus> told;
    for (const Message& one : all) {
        spec::TaskGpus gpus;
        gpus.host = one.host.data();
        gpus.no_gpu_reason = one.no_gpu_reason.data();
        gpus.no_nccl_reason = one.no_nccl_reason.data();
        gpus.nccl_version = one.nccl_version.data();
        for (const Text<64>& uuid : one.uuids) {
            if (uuid.front() != '\0') gpus.uuids.emplace_back(uuid.data());
        }
        told.push_back(std::move(gpus));
    }
    return told;
}

}  // namespace engine::distribute::nccl
