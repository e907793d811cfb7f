// Packets of steps: filled, started, awaited. Construction is in cuda_executor.cpp.
#include <algorithm>
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/backend/cuda/step_fault.h"
#include "engine/backend/lap_clock.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr std::size_t kStagedBytes = std::size_t{64} << 20;  // of a packet's samples that the device does not hold

}  // namespace

void CudaExecutor::requireSamples(const tensor::BatchView& batch) const {
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

// Of a step whose samples come from the host: each sample with its label and its weight.
std::int64_t CudaExecutor::stagedBytes(const tensor::BatchView& batch) const {
    const auto row = [&](std::int64_t elements, std::size_t size) {
        return static_cast<std::int64_t>(alignedBytes(static_cast<std::size_t>(plan_.batch * elements) * size));
    };
    return row(batch.sample_elements, tensor::sizeOf(batch.sample_dtype)) +
           (batch.labels == nullptr ? 0 : row(batch.label_elements, tensor::sizeOf(batch.label_dtype))) +
           (batch.sample_weights == nullptr ? 0 : row(1, sizeof(float)));
}

bool CudaExecutor::takes(const Packet& packet, const tensor::BatchView& batch) const {
    if (packet.count >= most_steps_) return false;
    if (batch.samples == nullptr || session_->dataOf(batch) != nullptr) return true;
    return packet.count == 0 || packet.staged_bytes + static_cast<std::size_t>(stagedBytes(batch)) <= packet.staged.size();
}

const float* CudaExecutor::onDevice(const float* values, std::size_t count, std::size_t which) {
    if (values == nullptr) return nullptr;
    Scales& known = scales_[which];
    if (known.host.size() == count && std::equal(known.host.begin(), known.host.end(), values))
        return reinterpret_cast<float*>(known.device.get());
    // Steps under way may read the old ones.
    check(cudaStreamSynchronize(session_->stream()), "step");
    known.host.assign(values, values + count);
    known.device = DeviceMemory(count * sizeof(float), "scales");
    check(cudaMemcpyAsync(known.device.get(), values, count * sizeof(float), cudaMemcpyHostToDevice, session_->stream()), "scales");
    return reinterpret_cast<float*>(known.device.get());
}

void CudaExecutor::stage(Packet& packet, const tensor::BatchView& batch, StepParameters& step) {
    const auto bytes = static_cast<std::size_t>(stagedBytes(batch));
    if (packet.count == 0 && packet.staged.size() < bytes) {
        const std::size_t steps =
            std::clamp<std::size_t>(kStagedBytes / std::max<std::size_t>(bytes, 1), 1, static_cast<std::size_t>(most_steps_));
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
                          session_->copies()),
          "samples");
}

void CudaExecutor::add(Packet& packet, const tensor::BatchView& batch, const StepControl& control) {
    requireSamples(batch);
    StepParameters step;
    step.seed = control.seed;
    step.epoch = control.epoch;
    step.iteration = control.iteration;
    step.samples = static_cast<std::int64_t>(batch.indices.size());
    step.learning_rate = control.learning_rate;
    step.control = control.control;
    step.control_value = control.control_value;
    for (std::size_t i = 0; i < rules_.size(); ++i)
        step.factors[i] = plan::stepFactors(rules_[i], control.learning_rate, control.iteration);
    step.scale = batch.scale;
    step.offset = batch.offset;
    step.data_type = batch.sample_dtype;
    step.label_type = batch.label_dtype;
    auto* indices = reinterpret_cast<std::uint32_t*>(packet.indices.get()) + packet.count * plan_.batch;
    step.fault = reinterpret_cast<StepFault*>(packet.device_results.get()) + packet.count;
    step.indices = reinterpret_cast<const std::uint32_t*>(packet.device_indices.get()) + packet.count * plan_.batch;
    std::copy(batch.indices.begin(), batch.indices.end(), indices);
    if (batch.samples != nullptr) {
        const auto elements = static_cast<std::size_t>(batch.sample_elements);
        step.scales = onDevice(batch.scales, elements, 0);
        step.offsets = onDevice(batch.offsets, elements, 1);
        if (const DeviceData* data = session_->dataOf(batch)) {
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

void CudaExecutor::start(Packet& packet, Way way) {
    const cudaStream_t stream = session_->stream(), copies = session_->copies();
    packet.begin = std::chrono::steady_clock::now();
    const auto upload = [](const PinnedMemory& from, const DeviceMemory& to, std::size_t bytes, cudaStream_t on) {
        if (bytes > 0) check(cudaMemcpyAsync(to.get(), from.get(), bytes, cudaMemcpyHostToDevice, on), "step");
    };
    const auto count = static_cast<std::size_t>(packet.count);
    upload(packet.steps, packet.device_steps, count * sizeof(StepParameters), copies);
    upload(packet.indices, packet.device_indices, count * static_cast<std::size_t>(plan_.batch) * sizeof(std::uint32_t), copies);
    packet.uploaded.record(copies);
    packet.uploaded.awaitOn(stream);
    const StepFeed feed{.steps = reinterpret_cast<const StepParameters*>(packet.device_steps.get()),
                        .headers = reinterpret_cast<float*>(packet.device_results.get() + faultBytes()),
                        .next = 0};
    std::memcpy(packet.feed.get(), &feed, sizeof feed);
    upload(packet.feed, feed_, sizeof feed, stream);
    check(cudaMemsetAsync(packet.device_results.get(), 0, faultBytes(), stream), "step");
    if (mirrors_region_)
        check(cudaMemcpyAsync(shared_.get(), region_.data(), static_cast<std::size_t>(plan_.shared_bytes), cudaMemcpyHostToDevice, stream),
              "region");
    const Schedule& schedule = scheduleOf(way);
    for (std::int64_t i = 0; i < packet.count; ++i) runPieces(schedule);
    if (mirrors_region_)
        check(cudaMemcpyAsync(region_.data(), shared_.get(), static_cast<std::size_t>(plan_.shared_bytes), cudaMemcpyDeviceToHost, stream),
              "region");
    const std::size_t bytes = faultBytes() + count * static_cast<std::size_t>(headerElements()) * sizeof(float);
    check(cudaMemcpyAsync(packet.results.get(), packet.device_results.get(), bytes, cudaMemcpyDeviceToHost, stream), "results");
    packet.done.record(stream);
    packet.is_under_way = true;
}

void CudaExecutor::runPieces(const Schedule& schedule) {
    LapClock clock;
    for (const Entry& entry : schedule) {
        switch (entry.action) {
            case Action::kGraph:
                entry.graph.launch(session_->stream());
                timing_.compute_us += clock.lap();
                break;
            case Action::kStartReduction:
                startReduction(entry.op);
                timing_.reduce_us += clock.lap();
                break;
            case Action::kAwaitReduction:
                awaitReduction(entry.op);
                timing_.wait_us += clock.lap();
                break;
            case Action::kReadVariables:
                readVariables(plan_.ops[static_cast<std::size_t>(entry.op)]);
                timing_.wait_us += clock.lap();
                break;
            case Action::kCustomLoss:
                callCustomLoss(plan_.ops[static_cast<std::size_t>(entry.op)]);
                timing_.compute_us += clock.lap();
                break;
        }
    }
}

// A member of the group that is lost leaves its sums, and so this packet, waiting: somebody has to look.
void CudaExecutor::await(const Packet& packet) const {
    if (on_streams_ == nullptr) return packet.done.synchronize();
    const auto since = std::chrono::steady_clock::now();
    for (;;) {
        const cudaError_t status = cudaEventQuery(packet.done.get());
        if (status == cudaSuccess) return;
        if (status != cudaErrorNotReady) check(status, "step");
        on_streams_->check(since);
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
}

std::size_t CudaExecutor::faultBytes() const {
    return alignedBytes(static_cast<std::size_t>(most_steps_) * sizeof(StepFault));
}

StepResult CudaExecutor::resultOf(const Packet& packet, std::int64_t step) const {
    throwIfSet(plan_, reinterpret_cast<const StepFault*>(packet.results.get())[step]);
    StepResult result;
    result.timing = timing_;
    if (plan_.header == plan::kNoTensor) return result;
    const auto elements = static_cast<std::size_t>(headerElements());
    const float* header = reinterpret_cast<const float*>(packet.results.get() + faultBytes()) + static_cast<std::size_t>(step) * elements;
    result.loss_sum = header[plan::StepHeader::kLossSum];
    result.correct = header[plan::StepHeader::kCorrect];
    result.count = header[plan::StepHeader::kCount];
    result.control = header[plan::StepHeader::kControl];
    result.control_value = header[plan::StepHeader::kControlValue];
    result.header = {header, elements};
    return result;
}

void CudaExecutor::finish(Packet& packet, const StepDone& done) {
    if (!packet.is_under_way) return;
    await(packet);
    packet.is_under_way = false;
    const std::chrono::duration<float, std::micro> spent = std::chrono::steady_clock::now() - packet.begin;
    const auto count = static_cast<float>(packet.count);
    timing_ = {.compute_us = spent.count() / count};
    for (std::int64_t i = 0; i < packet.count; ++i) done(resultOf(packet, i));
}

StepResult CudaExecutor::runOne(const tensor::BatchView& batch, const StepControl& control, Way way) {
    const DeviceGuard guard(session_->device());
    Packet& packet = packets_[next_packet_];
    next_packet_ = 1 - next_packet_;
    packet.count = 0;
    packet.staged_bytes = 0;
    batch_ = &batch;
    timing_ = {};
    LapClock clock;
    try {
        add(packet, batch, control);
        timing_.input_us = clock.lap();
        start(packet, way);
        clock.lap();
        await(packet);
    } catch (...) {
        abandon();
        throw;
    }
    timing_.compute_us += clock.lap();
    packet.is_under_way = false;
    return resultOf(packet, 0);
}

StepResult CudaExecutor::trainStep(const tensor::BatchView& batch, const StepControl& control) {
    if (!plan_.training) throw Error(ErrorCode::kFailedPrecondition, "executor: expected a training plan, got one that runs forward only");
    return runOne(batch, control, Way::kTrain);
}

void CudaExecutor::trainSteps(const NextStep& next, const StepDone& done) {
    if (!mayQueue()) return Executor::trainSteps(next, done);
    if (!plan_.training) throw Error(ErrorCode::kFailedPrecondition, "executor: expected a training plan, got one that runs forward only");
    const DeviceGuard guard(session_->device());
    tensor::BatchView batch;
    StepControl control;
    bool more = next(batch, control);
    std::size_t filling = next_packet_;
    try {
        while (more) {
            Packet& packet = packets_[filling];
            packet.count = 0;
            packet.staged_bytes = 0;
            while (more && takes(packet, batch)) {
                add(packet, batch, control);
                more = next(batch, control);
            }
            start(packet, Way::kTrain);
            filling = 1 - filling;
            finish(packets_[filling], done);  // the one before, while this one runs
        }
        finish(packets_[1 - filling], done);
    } catch (...) {
        abandon();
        throw;
    }
    next_packet_ = filling;
}

// Sums that a lost member keeps waiting are ended first: await() does that.
void CudaExecutor::abandon() noexcept {
    for (Packet& packet : packets_) {
        if (!std::exchange(packet.is_under_way, false)) continue;
        try {
            await(packet);
        } catch (const std::exception&) {  // the error that brought us here is the one to tell
        }
    }
    cudaStreamSynchronize(session_->copies());
    cudaStreamSynchronize(session_->stream());
}

StepResult CudaExecutor::evaluateStep(const tensor::BatchView& batch) {
    if (plan_.training)
        throw Error(ErrorCode::kFailedPrecondition, "executor: expected a plan that runs forward only, got a training plan");
    if (batch.labels == nullptr) throw Error(ErrorCode::kInvalidArgument, "batch: expected labels for an evaluation, got none");
    return runOne(batch, {}, Way::kEvaluate);
}

void CudaExecutor::predictStep(const tensor::BatchView& batch, std::span<float> output) {
    if (plan_.training)
        throw Error(ErrorCode::kFailedPrecondition, "executor: expected a plan that runs forward only, got a training plan");
    const std::int64_t expected = static_cast<std::int64_t>(batch.indices.size()) * (context_->elements(plan_.output) / plan_.batch);
    if (static_cast<std::int64_t>(output.size()) != expected) {
        throw Error(ErrorCode::kInvalidArgument,
                    "prediction: expected room for " + std::to_string(expected) + " values, got " + std::to_string(output.size()));
    }
    runOne(batch, {}, Way::kPredict);
    const DeviceGuard guard(session_->device());
    if (output.empty()) return;
    check(cudaMemcpyAsync(output.data(), context_->bytes(plan_.output), output.size_bytes(), cudaMemcpyDeviceToHost, session_->stream()),
          "prediction");
    check(cudaStreamSynchronize(session_->stream()), "prediction");
}

}  // namespace engine::backend::cuda
