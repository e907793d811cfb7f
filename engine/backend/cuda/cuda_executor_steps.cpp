// Packets of steps: filled, started, awaited. Construction is in cuda_executor.cpp.
#include <cstring>
#include <exception>
#include <thread>
#include <utility>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/backend/cuda/step_fault.h"
#include "engine/backend/lap_clock.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
void CudaExecutor::start(StepPacket& packet, Way way) {
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
                        .headers = reinterpret_cast<float*>(packet.device_results.get() + packet.size.faultBytes()),
                        .next = 0};
    std::memcpy(packet.feed.get(), &feed, sizeof feed);
    upload(packet.feed, feed_, sizeof feed, stream);
    check(cudaMemsetAsync(packet.device_results.get(), 0, packet.size.faultBytes(), stream), "step");
    region_->copyToDevice(stream);
    const Schedule& schedule = scheduleOf(way);
    for (std::int64_t i = 0; i < packet.count; ++i) runPieces(schedule);
    region_->copyToHost(stream);
    const std::size_t bytes = packet.size.faultBytes() + packet.size.headerBytes(packet.count);
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
                region_->startReduction(plan_.ops[static_cast<std::size_t>(entry.op)], session_->stream());
                timing_.reduce_us += clock.lap();
                break;
            case Action::kAwaitReduction:
                region_->awaitReduction(entry.op, session_->stream());
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
void CudaExecutor::await(const StepPacket& packet) const {
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

StepResult CudaExecutor::resultOf(const StepPacket& packet, std::int64_t step) const {
    throwIfSet(plan_, packet.fault(step));
    StepResult result;
    result.timing = timing_;
    if (plan_.header == plan::kNoTensor) return result;
    const std::span<const float> header = packet.header(step);
    result.loss_sum = header[plan::StepHeader::kLossSum];
    result.correct = header[plan::StepHeader::kCorrect];
    result.count = header[plan::StepHeader::kCount];
    result.control = header[plan::StepHeader::kControl];
    result.control_value = header[plan::StepHeader::kControlValue];
    result.header = header;
    return result;
}

void CudaExecutor::finish(StepPacket& packet, const StepDone& done) {
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
    StepPacket& packet = packets_[next_packet_];
    next_packet_ = 1 - next_packet_;
    packet.clear();
    batch_ = &batch;
    timing_ = {};
    LapClock clock;
    try {
        writer_.add(packet, batch, control);
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
            StepPacket& packet = packets_[filling];
            packet.clear();
            while (more && writer_.takes(packet, batch)) {
                writer_.add(packet, batch, control);
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
    for (StepPacket& packet : packets_) {
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
