#include "engine/backend/cuda/packet_writer.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr std::size_t kStagedBytes = std::size_t{64} << 20;  // of a packet's samples that the device does not hold

}  // namespace

PacketWriter::PacketWriter(const plan::Plan& plan, Session& session, const UpdateRules& rules)
    : plan_(plan), session_(session), rules_(rules) {
    if (plan_.label == plan::kNoTensor) return;
    for (const plan::Op& op : plan_.ops) {
        if (op.kind == plan::OpKind::kGather) labels_.emplace(plan_, op);
    }
}

void PacketWriter::requireSamples(const tensor::BatchView& batch) const {
    if (static_cast<std::int64_t>(batch.indices.size()) > plan_.batch) {
        throw Error(ErrorCode::kInvalidArgument,
                    "batch: expected " + std::to_string(plan_.batch) + " samples at most, got " + std::to_string(batch.indices.size()));
    }
    if (plan_.input == plan::kNoTensor || batch.samples == nullptr) return;
    const bool gathers =
        std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const plan::Op& op) { return op.kind == plan::OpKind::kGather; });
    if (!gathers) return;
    const std::int64_t elements = plan::elementCount(plan_.tensors[static_cast<std::size_t>(plan_.input)]) / plan_.batch;
    if (batch.sample_elements != elements) {
        throw Error(ErrorCode::kInvalidArgument,
                    "batch: expected samples of " + std::to_string(elements) + " elements, got " + std::to_string(batch.sample_elements));
    }
    if (labels_ && batch.labels != nullptr) labels_->check(batch);
}

// The bytes of a step whose samples come from the host: each sample with its label and its weight.
std::int64_t PacketWriter::stagedBytes(const tensor::BatchView& batch) const {
    const auto row = [&](std::int64_t elements, std::size_t size) {
        return static_cast<std::int64_t>(alignedBytes(static_cast<std::size_t>(plan_.batch * elements) * size));
    };
    return row(batch.sample_elements, tensor::sizeOf(batch.sample_dtype)) +
           (batch.labels == nullptr ? 0 : row(batch.label_elements, tensor::sizeOf(batch.label_dtype))) +
           (batch.sample_weights == nullptr ? 0 : row(1, sizeof(float)));
}

bool PacketWriter::takes(const StepPacket& packet, const tensor::BatchView& batch) const {
    if (packet.count >= packet.size.steps) return false;
    if (batch.samples == nullptr || session_.dataOf(batch) != nullptr) return true;
    return packet.count == 0 || packet.staged_bytes + static_cast<std::size_t>(stagedBytes(batch)) <= packet.staged.size();
}

const float* PacketWriter::onDevice(const float* values, std::size_t count, std::size_t which) {
    if (values == nullptr) return nullptr;
    Scales& known = scales_[which];
    if (known.host.size() == count && std::equal(known.host.begin(), known.host.end(), values))
        return reinterpret_cast<float*>(known.device.get());
    // Steps under way may read the old ones.
    check(cudaStreamSynchronize(session_.stream()), "step");
    known.host.assign(values, values + count);
    known.device = DeviceMemory(count * sizeof(float), "scales");
    check(cudaMemcpyAsync(known.device.get(), values, count * sizeof(float), cudaMemcpyHostToDevice, session_.stream()), "scales");
    return reinterpret_cast<float*>(known.device.get());
}

void PacketWriter::stage(StepPacket& packet, const tensor::BatchView& batch, StepParameters& step) {
    const auto bytes = static_cast<std::size_t>(stagedBytes(batch));
    if (packet.count == 0 && packet.staged.size() < bytes) {
        const std::size_t steps =
            std::clamp<std::size_t>(kStagedBytes / std::max<std::size_t>(bytes, 1), 1, static_cast<std::size_t>(packet.size.steps));
        packet.staged = PinnedMemory(steps * bytes, "staging");
        packet.device_staged = DeviceMemory(steps * bytes, "staging");
    }
    const std::size_t begin = packet.staged_bytes;
    std::size_t at = begin;
    const auto rows = [&](const std::byte* from, std::size_t row_bytes) -> const void* {
        const std::size_t place = at;
        std::byte* to = packet.staged.get() + at;
        for (std::uint32_t index : batch.indices) {
            std::memcpy(to, from + index * row_bytes, row_bytes);
            to += row_bytes;
        }
        at += alignedBytes(static_cast<std::size_t>(plan_.batch) * row_bytes);
        return packet.device_staged.get() + place;
    };
    step.data = rows(batch.samples, static_cast<std::size_t>(batch.sample_elements) * tensor::sizeOf(batch.sample_dtype));
    if (batch.labels != nullptr) {
        step.labels = rows(batch.labels, static_cast<std::size_t>(batch.label_elements) * tensor::sizeOf(batch.label_dtype));
    }
    if (batch.sample_weights != nullptr) {
        step.sample_weights = static_cast<const float*>(rows(reinterpret_cast<const std::byte*>(batch.sample_weights), sizeof(float)));
    }
    packet.staged_bytes = at;
    if (at == begin) return;
    check(cudaMemcpyAsync(packet.device_staged.get() + begin, packet.staged.get() + begin, at - begin, cudaMemcpyHostToDevice,
                          session_.copies()),
          "samples");
}

void PacketWriter::add(StepPacket& packet, const tensor::BatchView& batch, const StepControl& control) {
    requireSamples(batch);
    StepParameters step;
    step.seed = control.seed;
    step.epoch = control.epoch;
    step.iteration = control.iteration;
    step.samples = static_cast<std::int64_t>(batch.indices.size());
    step.learning_rate = control.learning_rate;
    step.control = control.control;
    step.control_value = control.control_value;
    step.factors = rules_.factorsOf(control.learning_rate, control.iteration);
    step.scale = batch.scale;
    step.offset = batch.offset;
    step.data_type = batch.sample_dtype;
    step.label_type = batch.label_dtype;
    step.label_elements = batch.label_elements;
    auto* indices = reinterpret_cast<std::uint32_t*>(packet.indices.get()) + packet.count * plan_.batch;
    step.fault = reinterpret_cast<StepFault*>(packet.device_results.get()) + packet.count;
    step.indices = reinterpret_cast<const std::uint32_t*>(packet.device_indices.get()) + packet.count * plan_.batch;
    // The gather of staged samples goes by their places there.
    std::ranges::copy(batch.numbersInSet(), indices);
    if (batch.samples != nullptr) {
        const auto elements = static_cast<std::size_t>(batch.sample_elements);
        step.scales = onDevice(batch.scales, elements, 0);
        step.offsets = onDevice(batch.offsets, elements, 1);
        if (const DeviceData* data = session_.dataOf(batch)) {
            step.data = data->samples.get();
            step.labels = batch.labels == nullptr ? nullptr : data->labels.get();
            if (batch.sample_weights != nullptr) step.sample_weights = reinterpret_cast<const float*>(data->sample_weights.get());
        } else {
            step.is_staged = true;
            stage(packet, batch, step);
        }
    }
    std::memcpy(packet.steps.get() + static_cast<std::size_t>(packet.count) * sizeof step, &step, sizeof step);
    ++packet.count;
}

}  // namespace engine::backend::cuda
