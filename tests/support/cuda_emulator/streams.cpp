// Streams, events and graphs of the emulator.
#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include <cuda_runtime.h>

#include "tests/support/cuda_emulator/state.h"

using cuda_emulator::Event;
using cuda_emulator::failed;
using cuda_emulator::Graph;
using cuda_emulator::issue;
using cuda_emulator::Lock;
using cuda_emulator::Reach;
using cuda_emulator::state;
using cuda_emulator::Stream;
using cuda_emulator::streamOf;

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    const Lock lock(state().mutex);
    state().streams.push_back(std::make_unique<Stream>());
    *stream = state().streams.back().get();
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
    return cudaStreamCreate(stream);
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return cudaStreamCreate(stream);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    auto& streams = state().streams;
    const auto found = std::find_if(streams.begin(), streams.end(), [&](const auto& one) { return one.get() == stream; });
    if (found == streams.end()) return failed(cudaErrorInvalidResourceHandle);
    streams.erase(found);
    return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const Lock lock(state().mutex);
    if (streamOf(stream).capture != nullptr) return cuda_emulator::refuseWhileCapturing();
    ++state().waits;
    const cudaError_t error = cuda_emulator::drain(streamOf(stream), streamOf(stream).issued);
    return error == cudaSuccess ? error : failed(error);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
    return cudaStreamSynchronize(stream);  // time passes while one asks
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
    const Lock lock(state().mutex);
    Stream& waiting = streamOf(stream);
    if (event->capture != nullptr) {
        if (waiting.capture == nullptr) {
            waiting.capture = event->capture;
            waiting.joined_back = true;
        }
        if (event->captured_on != event->capture->origin && &waiting != event->captured_on && !event->captured_on->joined_back) {
            event->captured_on->joined_back = true;
            --event->capture->open;
        }
        return cudaSuccess;
    }
    if (event->stream == nullptr) return cudaSuccess;
    Stream* recorded = event->stream;
    const std::uint64_t ticket = event->ticket;
    return issue(stream, [recorded, ticket] { return cuda_emulator::drain(*recorded, ticket); });
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
    const Lock lock(state().mutex);
    if (stream == nullptr || stream->capture != nullptr) return failed(cudaErrorStreamCaptureUnsupported);
    stream->capture = std::make_shared<cuda_emulator::Capture>();
    stream->capture->origin = stream;
    if (mode == cudaStreamCaptureModeThreadLocal) stream->capture->thread = std::this_thread::get_id();
    return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
    const Lock lock(state().mutex);
    *graph = nullptr;
    const auto capture = stream->capture;
    if (capture == nullptr || capture->origin != stream) return failed(cudaErrorInvalidValue);
    for (const auto& one : state().streams) {
        if (one->capture == capture) one->capture = nullptr;
    }
    if (capture->broken) return failed(cudaErrorStreamCaptureInvalidated);
    if (capture->open > 0) return failed(cudaErrorStreamCaptureUnjoined);
    *graph = new Graph(std::move(capture->graph));
    return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
    const Lock lock(state().mutex);
    const auto& capture = streamOf(stream).capture;
    *status = capture == nullptr ? cudaStreamCaptureStatusNone
              : capture->broken  ? cudaStreamCaptureStatusInvalidated
                                 : cudaStreamCaptureStatusActive;
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    *event = new Event();
    return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) {
    return cudaEventCreate(event);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    delete event;
    return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const Lock lock(state().mutex);
    Stream& recorded = streamOf(stream);
    if (recorded.capture != nullptr) {
        event->capture = recorded.capture;
        event->captured_on = &recorded;
        return cudaSuccess;
    }
    event->capture = nullptr;
    event->stream = &recorded;
    event->ticket = recorded.issued + 1;
    return issue(stream, [event] {
        event->time = std::chrono::steady_clock::now();
        return cudaSuccess;
    });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
    return cudaEventSynchronize(event);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Lock lock(state().mutex);
    ++state().waits;
    if (event->stream == nullptr) return cudaSuccess;
    const cudaError_t error = cuda_emulator::drain(*event->stream, event->ticket);
    return error == cudaSuccess ? error : failed(error);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
    const Lock lock(state().mutex);
    *milliseconds = std::chrono::duration<float, std::milli>(end->time - begin->time).count();
    return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* runnable, cudaGraph_t graph, unsigned long long) {
    *runnable = new Graph(*graph);
    return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
    return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t runnable, cudaStream_t stream) {
    const Lock lock(state().mutex);
    const std::vector<cuda_emulator::Work>* work = &runnable->work;
    return issue(stream, [work] {
        const Reach reach;
        for (const cuda_emulator::Work& one : *work) {
            if (const cudaError_t error = one(); error != cudaSuccess) return error;
        }
        return cudaSuccess;
    });
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t*, std::size_t* count) {
    *count = graph->work.size();
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
    delete graph;
    return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t runnable) {
    const Lock lock(state().mutex);
    cuda_emulator::drainAll();
    delete runnable;
    return cudaSuccess;
}
