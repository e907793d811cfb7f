// Fills a packet: what each step brings, in the device's words.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/backend/cuda/session.h"
#include "engine/backend/cuda/step_packet.h"
#include "engine/backend/cuda/update_rules.h"
#include "engine/backend/executor.h"
#include "engine/backend/label_reader.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// Samples of a set that the device holds are named by their numbers; others are copied to the packet and set out for the device at once.
// Owned by an executor, one thread, whose device is current in every call.
class PacketWriter {
public:
    // All of them outlive it.
    PacketWriter(const plan::Plan& plan, Session& session, const UpdateRules& rules);

    // True when there is room for one more step with such a batch.
    bool takes(const StepPacket& packet, const tensor::BatchView& batch) const;
    // Requires takes(). What `batch` points at is not needed afterwards. Throws Error(kInvalidArgument) for samples or labels that are not
    // the plan's, kOutOfRange for a class that the model lacks; the packet's steps so far stay whole.
    void add(StepPacket& packet, const tensor::BatchView& batch, const StepControl& control);

private:
    void requireSamples(const tensor::BatchView& batch) const;
    std::int64_t stagedBytes(const tensor::BatchView& batch) const;
    void stage(StepPacket& packet, const tensor::BatchView& batch, StepParameters& step);
    const float* onDevice(const float* values, std::size_t count, std::size_t which);

    const plan::Plan& plan_;
    Session& session_;
    const UpdateRules& rules_;
    std::optional<LabelReader> labels_;  // empty for a plan that takes none
    struct Scales {
        std::vector<float> host;
        DeviceMemory device;
    };
    std::array<Scales, 2> scales_;  // scales and offsets by element, as of the last step that had some
};

}  // namespace engine::backend::cuda
