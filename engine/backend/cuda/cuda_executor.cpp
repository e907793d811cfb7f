#include "engine/backend/cuda/cuda_executor.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/backend/cuda/step_fault.h"
#include "engine/backend/cuda/update.h"
#include "engine/plan/memory.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr std::int64_t kMostSteps = 32;                      // of a packet
constexpr std::size_t kStagedBytes = std::size_t{64} << 20;  // of a packet's samples that the device does not hold
constexpr std::size_t kAlignment = 256;

std::size_t alignUp(std::size_t bytes) {
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

std::string megabytes(std::int64_t bytes) {
    const std::int64_t tenths = (bytes * 10 + (1 << 19)) >> 20;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

class Clock {
public:
    // Microseconds since the last call.
    float lap() {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<float, std::micro>(now - std::exchange(last_, now)).count();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

bool hasUpdate(const plan::Op& op) {
    using plan::OpKind;
    return op.apply_update || op.kind == OpKind::kUpdate || op.kind == OpKind::kFusedUpdate || op.kind == OpKind::kPrepareGradients ||
           op.kind == OpKind::kUnscaleGradients;
}

}  // namespace

CudaExecutor::CudaExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options, std::shared_ptr<Session> session)
    : plan_(plan.private_bytes > 0 ? plan : plan::planMemory(plan)),
      session_(std::move(session)),
      collective_(options.collective),
      on_streams_(collective_ == nullptr ? nullptr : collective_->onStreams()),
      loss_(options.loss) {
    if (!plan_.buckets.empty() && collective_ == nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "executor: expected a collective for a plan of " + std::to_string(plan_.replicas) + " replicas, got none");
    }
    if (!options.region.empty() && static_cast<std::int64_t>(options.region.size()) < plan_.shared_bytes) {
        throw Error(ErrorCode::kInvalidArgument, "executor: expected a shared region of " + std::to_string(plan_.shared_bytes) +
                                                     " bytes, got " + std::to_string(options.region.size()));
    }
    const DeviceGuard guard(session_->device());
    findRules();
    allocate(variables, options);
    bindAll();
    if (plan_.label != plan::kNoTensor) {
        for (const plan::Op& op : plan_.ops) {
            if (op.kind == plan::OpKind::kGather) labels_.emplace(plan_, op);
        }
    }
    if (plan_.training) train_ = capture(Way::kTrain);
    check(cudaStreamSynchronize(session_->stream()), "executor");
}

CudaExecutor::~CudaExecutor() {
    // Nothing of ours may be under way when the memory goes.
    cudaStreamSynchronize(session_->copies());
    cudaStreamSynchronize(session_->reductions());
    cudaStreamSynchronize(session_->stream());
    if (registered_) cudaHostUnregister(region_.data());
}

void CudaExecutor::findRules() {
    for (const plan::Op& op : plan_.ops) {
        if (!hasUpdate(op) || ruleOf(op) < rule_specs_.size()) continue;
        if (rule_specs_.size() == kMaxRules) {
            throw Error(ErrorCode::kUnimplemented, "executor: expected " + std::to_string(kMaxRules) + " different optimizers at most");
        }
        rule_specs_.push_back(op.optimizer.optimizer);
        rules_.push_back(plan::updateRule(op.optimizer.optimizer));
    }
}

std::size_t CudaExecutor::ruleOf(const plan::Op& op) const {
    const auto found = std::find(rule_specs_.begin(), rule_specs_.end(), op.optimizer.optimizer);
    return static_cast<std::size_t>(found - rule_specs_.begin());
}

std::int64_t CudaExecutor::headerElements() const {
    return plan_.header == plan::kNoTensor ? 0 : plan::elementCount(plan_.tensors[static_cast<std::size_t>(plan_.header)]);
}

// A sum or a loss on the host needs each step for itself.
bool CudaExecutor::mayQueue() const {
    return plan_.header != plan::kNoTensor && !mirrors_region_ && (collective_ == nullptr || on_streams_ != nullptr) && !loss_;
}

void CudaExecutor::allocate(Variables& variables, const ExecutorOptions& options) {
    const auto shared = static_cast<std::size_t>(std::max<std::int64_t>(plan_.shared_bytes, 0));
    const auto memory = [this](std::size_t bytes, const char* what) {
        DeviceMemory made(bytes, what);
        if (bytes > 0) check(cudaMemsetAsync(made.get(), 0, bytes, session_->stream()), what);
        return made;
    };
    try {
        variables_ = session_->variablesOf(variables);
        private_ = memory(alignUp(static_cast<std::size_t>(plan_.private_bytes)), "activations");
        shared_ = memory(alignUp(shared), "gradients");
        current_ = memory(sizeof(StepParameters), "step");
        feed_ = memory(sizeof(StepFeed), "step");
        mirrors_region_ = collective_ == nullptr && !options.region.empty();
        most_steps_ = mayQueue() ? kMostSteps : 1;
        const auto steps = static_cast<std::size_t>(most_steps_), batch = static_cast<std::size_t>(plan_.batch);
        const std::size_t headers = steps * static_cast<std::size_t>(std::max<std::int64_t>(headerElements(), 1)) * sizeof(float);
        for (Packet& packet : packets_) {
            packet.feed = PinnedMemory(sizeof(StepFeed), "step");
            packet.steps = PinnedMemory(steps * sizeof(StepParameters), "step");
            packet.indices = PinnedMemory(steps * batch * sizeof(std::uint32_t), "step");
            packet.results = PinnedMemory(faultBytes() + headers, "step");
            packet.device_steps = memory(steps * sizeof(StepParameters), "step");
            packet.device_indices = memory(steps * batch * sizeof(std::uint32_t), "step");
            packet.device_results = memory(faultBytes() + headers, "step");
        }
        region_ = options.region;
        if (region_.empty() && shared > 0 && collective_ != nullptr && on_streams_ == nullptr) {
            own_region_ = PinnedMemory(shared, "gradients");
            region_ = {own_region_.get(), shared};
        } else if (!region_.empty()) {
            // Copies go faster from and to pinned memory; where it can't be pinned they go as well.
            registered_ = cudaHostRegister(region_.data(), region_.size(), cudaHostAllocPortable) == cudaSuccess;
            if (!registered_) cudaGetLastError();
        }
    } catch (const Error& error) {
        if (error.code() != ErrorCode::kResourceExhausted) throw;
        std::size_t free = 0, total = 0;
        check(cudaMemGetInfo(&free, &total), "memory");
        const std::int64_t held = static_cast<std::int64_t>(private_.size() + shared_.size()) +
                                  static_cast<std::int64_t>(variables_ == nullptr ? 0 : variables_->bytes());
        const std::int64_t needed = plan_.private_bytes + plan_.shared_bytes +
                                    (variables_ == nullptr ? plan_.variable_bytes : static_cast<std::int64_t>(variables_->bytes()));
        throw Error(ErrorCode::kResourceExhausted,
                    "GPU out of memory: the plan of " + std::to_string(plan_.batch) + " samples needs " + megabytes(needed) +
                        " (activations " + megabytes(plan_.private_bytes) + ", gradients " + megabytes(plan_.shared_bytes) +
                        ", variables " + megabytes(needed - plan_.private_bytes - plan_.shared_bytes) + "), of the device's " +
                        megabytes(static_cast<std::int64_t>(total)) + " were free " + megabytes(static_cast<std::int64_t>(free) + held) +
                        "; a smaller batch_size needs less");
    }
    std::vector<std::byte*> addresses;
    for (const plan::TensorDesc& tensor : plan_.tensors) {
        std::byte* address = nullptr;
        if (tensor.region == plan::Region::kVariables) {
            const std::span<float> values = variables.values(tensor.name);
            if (static_cast<std::int64_t>(values.size()) != plan::elementCount(tensor)) {
                throw Error(ErrorCode::kInvalidArgument, tensor.name + ": expected " + std::to_string(plan::elementCount(tensor)) +
                                                             " values, got variables with " + std::to_string(values.size()));
            }
            address = variables_->onDevice(values.data());
        } else if (tensor.offset_bytes >= 0) {
            address = (tensor.region == plan::Region::kShared ? shared_ : private_).get() + tensor.offset_bytes;
        }
        addresses.push_back(address);
    }
    context_.emplace(plan_, std::move(addresses), reinterpret_cast<const StepParameters*>(current_.get()), session_->libraries());
}

BoundOp CudaExecutor::bind(const Context& context, const plan::Op& op) const {
    using plan::OpKind;
    switch (op.kind) {
        case OpKind::kGather:
            return bindGather(context, op);
        case OpKind::kConv2D:
        case OpKind::kConv2DBackInput:
        case OpKind::kConv2DBackKernel:
        case OpKind::kFusedConvBlock:
        case OpKind::kFusedConvBlockBack:
            return bindConvolution(context, op);
        case OpKind::kMatMul:
        case OpKind::kMatMulBackInput:
        case OpKind::kMatMulBackWeight:
        case OpKind::kFusedDense:
        case OpKind::kFusedDenseBack:
            return bindDense(context, op);
        case OpKind::kBiasAdd:
        case OpKind::kBiasAddBack:
            return bindBias(context, op);
        case OpKind::kActivation:
        case OpKind::kActivationBack:
        case OpKind::kPrelu:
        case OpKind::kPreluBack:
            return bindActivation(context, op);
        case OpKind::kMaxPool2D:
        case OpKind::kMaxPool2DBack:
        case OpKind::kAveragePool2D:
        case OpKind::kAveragePool2DBack:
            return bindPooling(context, op);
        case OpKind::kBatchNorm:
        case OpKind::kBatchNormBack:
        case OpKind::kBatchSums:
        case OpKind::kBatchBackSums:
        case OpKind::kMovingAverage:
            return bindBatchNorm(context, op);
        case OpKind::kGroupNorm:
        case OpKind::kGroupNormBack:
        case OpKind::kUnitNorm:
        case OpKind::kUnitNormBack:
            return bindGroupNorm(context, op);
        case OpKind::kEmbedding:
        case OpKind::kEmbeddingBack:
            return bindEmbedding(context, op);
        case OpKind::kRecurrent:
        case OpKind::kRecurrentBack:
            return bindRecurrent(context, op);
        case OpKind::kMerge:
        case OpKind::kMergeBack:
            return bindMerge(context, op);
        case OpKind::kMask:
        case OpKind::kApplyMask:
        case OpKind::kMaskedMean:
        case OpKind::kMaskedMeanBack:
            return bindMask(context, op);
        case OpKind::kCast:
        case OpKind::kAffine:
            return bindElementwise(context, op);
        case OpKind::kTranspose:
        case OpKind::kPad2D:
        case OpKind::kUpsample2D:
        case OpKind::kUpsample2DBack:
        case OpKind::kRandomImage:
        case OpKind::kRandomImageBack:
            return bindImage(context, op);
        case OpKind::kDropout:
        case OpKind::kDropoutBack:
        case OpKind::kGaussianNoise:
            return bindNoise(context, op);
        case OpKind::kSoftmaxCrossEntropy:
            return bindCrossEntropy(context, op);
        case OpKind::kLoss:
            return bindLoss(context, op);
        case OpKind::kPenalty:
        case OpKind::kPenaltyBack:
            return bindPenalty(context, op);
        case OpKind::kMetric:
            return bindMetric(context, op);
        case OpKind::kScaleGradient:
            return bindScaleGradient(context, op);
        case OpKind::kUnscaleGradients:
            return bindUnscaleGradients(context, op, ruleOf(op));
        case OpKind::kPrepareGradients:
            return bindPrepareGradients(context, op, ruleOf(op));
        case OpKind::kUpdate:
        case OpKind::kFusedUpdate:
            return bindUpdate(context, op, ruleOf(op));
        case OpKind::kConstrain:
            return bindConstrain(context, op);
        case OpKind::kReshape: {
            // The memory planner makes it the same memory, but for the ends of a plan.
            std::byte *from = context.bytes(op.inputs[0]), *to = context.bytes(op.outputs[0]);
            if (from == to) return {};
            const auto bytes = static_cast<std::size_t>(plan::byteCount(context.tensor(op.outputs[0])));
            return {.kernel = "a copy", .enqueue = [=](cudaStream_t stream, std::byte*) {
                        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "reshape");
                    }};
        }
        case OpKind::kCustomLoss:
        case OpKind::kAllReduce:
        case OpKind::kReadVariables:
            return {};
    }
    return {};
}

void CudaExecutor::bindAll() {
    std::int64_t most = 0;
    for (const plan::Op& op : plan_.ops) {
        BoundOp bound = bind(*context_, op);
        if (op.apply_update) bound = withUpdate(std::move(bound), *context_, op, ruleOf(op));
        most = std::max(most, bound.scratch_bytes);
        ops_.push_back(std::move(bound));
    }
    scratch_ = DeviceMemory(static_cast<std::size_t>(most), "work memory of the kernels");
    check(cudaStreamSynchronize(nullptr), "executor");  // what ops have copied while they were bound
    tickets_.resize(plan_.buckets.size());
}

// --- Capture ---

CudaExecutor::Schedule CudaExecutor::capture(Way way) {
    Schedule schedule;
    const cudaStream_t stream = session_->stream(), reductions = session_->reductions();
    auto* feed = reinterpret_cast<StepFeed*>(feed_.get());
    float* header = plan_.header == plan::kNoTensor ? nullptr : context_->floats(plan_.header);
    // Threads of other devices go on with theirs meanwhile.
    const auto beginPiece = [&] { check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture of a step"); };
    const auto endPiece = [&] {
        Entry entry;
        entry.graph = RunnableGraph::endCapture(stream);
        schedule.push_back(std::move(entry));
    };
    const auto between = [&](Action action, int op) {
        endPiece();
        Entry entry;
        entry.action = action;
        entry.op = op;
        schedule.push_back(std::move(entry));
        beginPiece();
    };
    std::vector<int> in_flight;
    std::vector<Event> forks(plan_.buckets.size()), joins(plan_.buckets.size());
    const auto await = [&](const auto& needed) {
        for (auto it = in_flight.begin(); it != in_flight.end();) {
            if (!needed(*it)) {
                ++it;
                continue;
            }
            if (on_streams_ != nullptr) {
                joins[static_cast<std::size_t>(*it)].awaitOn(stream);
            } else {
                between(Action::kAwaitReduction, *it);
            }
            it = in_flight.erase(it);
        }
    };
    beginPiece();
    try {
        enqueueBeginStep(stream, feed, reinterpret_cast<StepParameters*>(current_.get()), header, headerElements());
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const plan::Op& op = plan_.ops[i];
            if (way == Way::kPredict && plan::belongsToLoss(op.kind)) continue;
            if (op.kind == plan::OpKind::kAllReduce) {
                const auto bucket = static_cast<std::size_t>(op.bucket);
                if (on_streams_ == nullptr) {
                    between(Action::kStartReduction, static_cast<int>(i));
                } else {
                    forks[bucket].record(stream);
                    forks[bucket].awaitOn(reductions);
                    on_streams_->enqueueAllReduceSum(reinterpret_cast<float*>(deviceBucket(op.bucket)),
                                                     static_cast<std::size_t>(plan_.buckets[bucket].bytes) / sizeof(float), reductions);
                    joins[bucket].record(reductions);
                }
                in_flight.push_back(op.bucket);
                continue;
            }
            if (op.kind == plan::OpKind::kReadVariables || op.kind == plan::OpKind::kCustomLoss) {
                between(op.kind == plan::OpKind::kReadVariables ? Action::kReadVariables : Action::kCustomLoss, static_cast<int>(i));
                continue;
            }
            await([&](int bucket) {
                const std::vector<plan::TensorId>& gradients = plan_.buckets[static_cast<std::size_t>(bucket)].gradients;
                return std::any_of(op.inputs.begin(), op.inputs.end(),
                                   [&](plan::TensorId id) { return std::find(gradients.begin(), gradients.end(), id) != gradients.end(); });
            });
            if (ops_[i].enqueue) ops_[i].enqueue(stream, scratch_.get());
        }
        await([](int) { return true; });
        enqueueEndStep(stream, feed, header, headerElements());
    } catch (...) {
        cudaGraph_t graph = nullptr;
        if (cudaStreamEndCapture(stream, &graph) == cudaSuccess && graph != nullptr) cudaGraphDestroy(graph);
        cudaGetLastError();
        throw;
    }
    endPiece();
    return schedule;
}

const CudaExecutor::Schedule& CudaExecutor::scheduleOf(Way way) {
    std::optional<Schedule>& schedule = way == Way::kTrain ? train_ : way == Way::kEvaluate ? evaluate_ : predict_;
    if (!schedule) schedule = capture(way);
    return *schedule;
}

// --- Packets ---

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
        return static_cast<std::int64_t>(alignUp(static_cast<std::size_t>(plan_.batch * elements) * size));
    };
    return row(batch.sample_elements, tensor::sizeOf(batch.sample_dtype)) +
           (batch.labels == nullptr ? 0 : row(batch.label_elements, tensor::sizeOf(batch.label_dtype))) +
           (batch.sample_weights == nullptr ? 0 : row(1, sizeof(float)));
}

bool CudaExecutor::takes(const Packet& packet, const tensor::BatchView& batch) const {
    if (packet.count >= most_steps_) return false;
    if (batch.samples == nullptr || session_->dataOf(batch) != nullptr) return true;
    return packet.count == 0 || static_cast<std::size_t>((packet.count + 1) * stagedBytes(batch)) <= packet.staged.size();
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
    const std::size_t begin = static_cast<std::size_t>(packet.count) * bytes;
    std::size_t at = begin;
    const auto rows = [&](const std::byte* from, std::size_t row_bytes) -> const void* {
        const std::size_t place = at;
        std::byte* to = packet.staged.get() + at;
        for (std::uint32_t index : batch.indices) {
            std::memcpy(to, from + index * row_bytes, row_bytes);
            to += row_bytes;
        }
        at += alignUp(static_cast<std::size_t>(plan_.batch) * row_bytes);
        return packet.device_staged.get() + place;
    };
    step.data = rows(batch.samples, static_cast<std::size_t>(batch.sample_elements) * tensor::sizeOf(batch.sample_dtype));
    if (batch.labels != nullptr) {
        step.labels = rows(batch.labels, static_cast<std::size_t>(batch.label_elements) * tensor::sizeOf(batch.label_dtype));
    }
    if (batch.sample_weights != nullptr) {
        step.sample_weights = static_cast<const float*>(rows(reinterpret_cast<const std::byte*>(batch.sample_weights), sizeof(float)));
    }
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
    for (std::int64_t i = 0; i < packet.count; ++i) runPieces(schedule, packet);
    if (mirrors_region_)
        check(cudaMemcpyAsync(region_.data(), shared_.get(), static_cast<std::size_t>(plan_.shared_bytes), cudaMemcpyDeviceToHost, stream),
              "region");
    const std::size_t bytes = faultBytes() + count * static_cast<std::size_t>(headerElements()) * sizeof(float);
    check(cudaMemcpyAsync(packet.results.get(), packet.device_results.get(), bytes, cudaMemcpyDeviceToHost, stream), "results");
    packet.done.record(stream);
    packet.is_under_way = true;
}

void CudaExecutor::runPieces(const Schedule& schedule, Packet&) {
    Clock clock;
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
    return alignUp(static_cast<std::size_t>(most_steps_) * sizeof(StepFault));
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
    batch_ = &batch;
    timing_ = {};
    Clock clock;
    add(packet, batch, control);
    timing_.input_us = clock.lap();
    start(packet, way);
    clock.lap();
    await(packet);
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
    for (Packet& packet : packets_) packet.count = 0;
    bool more = next(batch, control);
    std::size_t filling = next_packet_;
    try {
        while (more) {
            Packet& packet = packets_[filling];
            packet.count = 0;
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
        for (Packet& packet : packets_) packet.is_under_way = false;
        cudaStreamSynchronize(session_->stream());
        throw;
    }
    next_packet_ = filling;
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

// --- What the host does between two pieces ---

std::span<float> CudaExecutor::hostBucket(int bucket) const {
    const plan::Bucket& of = plan_.buckets[static_cast<std::size_t>(bucket)];
    return {reinterpret_cast<float*>(region_.data() + of.offset_bytes), static_cast<std::size_t>(of.bytes) / sizeof(float)};
}

std::byte* CudaExecutor::deviceBucket(int bucket) const {
    return shared_.get() + plan_.buckets[static_cast<std::size_t>(bucket)].offset_bytes;
}

void CudaExecutor::startReduction(int op) {
    const plan::Op& of = plan_.ops[static_cast<std::size_t>(op)];
    const std::span<float> bucket = hostBucket(of.bucket);
    const cudaStream_t stream = session_->stream();
    check(cudaMemcpyAsync(bucket.data(), deviceBucket(of.bucket), bucket.size_bytes(), cudaMemcpyDeviceToHost, stream), "gradients");
    check(cudaStreamSynchronize(stream), "gradients");
    const auto* route = std::get_if<spec::ReduceRoute>(&of.attributes);
    tickets_[static_cast<std::size_t>(of.bucket)] =
        route == nullptr ? collective_->startAllReduceSum(bucket) : collective_->startReduceSum(bucket, *route);
}

void CudaExecutor::awaitReduction(int bucket) {
    collective_->wait(tickets_[static_cast<std::size_t>(bucket)]);
    const std::span<float> values = hostBucket(bucket);
    check(cudaMemcpyAsync(deviceBucket(bucket), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, session_->stream()),
          "gradients");
}

// Parameters and states come first among the variables (engine/plan/memory.h): one piece of memory.
void CudaExecutor::readVariables(const plan::Op& op) {
    const auto before = [this](plan::TensorId a, plan::TensorId b) { return context_->bytes(a) < context_->bytes(b); };
    const auto [first, last] = std::minmax_element(op.outputs.begin(), op.outputs.end(), before);
    std::byte* begin = context_->bytes(*first);
    std::vector<std::byte> values(static_cast<std::size_t>(context_->bytes(*last) + plan::byteCount(context_->tensor(*last)) - begin));
    const cudaStream_t stream = session_->stream();
    check(cudaMemcpyAsync(values.data(), begin, values.size(), cudaMemcpyDeviceToHost, stream), "variables");
    check(cudaStreamSynchronize(stream), "variables");
    collective_->broadcast(values, std::get<spec::ReduceRoute>(op.attributes).main);
    check(cudaMemcpyAsync(begin, values.data(), values.size(), cudaMemcpyHostToDevice, stream), "variables");
    check(cudaStreamSynchronize(stream), "variables");
}

void CudaExecutor::callCustomLoss(const plan::Op& op) {
    const cudaStream_t stream = session_->stream();
    const auto samples = static_cast<std::int64_t>(batch_->indices.size());
    const plan::TensorId scores = op.inputs.front(), gradient = op.outputs.front();
    const auto present = static_cast<std::size_t>(context_->elements(scores) / plan_.batch * samples);
    std::vector<float> outputs(present), slopes(static_cast<std::size_t>(context_->elements(gradient)), 0.0F);
    if (present > 0)
        check(cudaMemcpyAsync(outputs.data(), context_->bytes(scores), present * sizeof(float), cudaMemcpyDeviceToHost, stream), "loss");
    check(cudaStreamSynchronize(stream), "loss");
    const float sums[] = {static_cast<float>(loss_({.batch = *batch_, .outputs = outputs, .gradient = std::span(slopes).first(present)})),
                          static_cast<float>(samples)};
    float* header = context_->floats(plan_.header);
    check(cudaMemcpyAsync(context_->bytes(gradient), slopes.data(), slopes.size() * sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaMemcpyAsync(header + plan::StepHeader::kLossSum, &sums[0], sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaMemcpyAsync(header + plan::StepHeader::kCount, &sums[1], sizeof(float), cudaMemcpyHostToDevice, stream), "loss");
    check(cudaStreamSynchronize(stream), "loss");
}

// --- Variables ---

void CudaExecutor::syncVariables() {
    const DeviceGuard guard(session_->device());
    variables_->write(session_->stream());
    check(cudaStreamSynchronize(session_->stream()), "variables");
}

void CudaExecutor::reloadVariables() {
    const DeviceGuard guard(session_->device());
    variables_->read(session_->stream());
    check(cudaStreamSynchronize(session_->stream()), "variables");
}

std::vector<float> CudaExecutor::read(plan::TensorId id) const {
    std::vector<float> values(static_cast<std::size_t>(context_->elements(id)));
    check(cudaMemcpyAsync(values.data(), context_->bytes(id), values.size() * sizeof(float), cudaMemcpyDeviceToHost, session_->stream()),
          "tensor");
    check(cudaStreamSynchronize(session_->stream()), "tensor");
    return values;
}

void CudaExecutor::write(plan::TensorId id, std::span<const float> values) {
    ENGINE_CHECK(static_cast<std::int64_t>(values.size()) == context_->elements(id));
    check(cudaMemcpyAsync(context_->bytes(id), values.data(), values.size_bytes(), cudaMemcpyHostToDevice, session_->stream()), "tensor");
    check(cudaStreamSynchronize(session_->stream()), "tensor");
}

// --- Words ---

std::string CudaExecutor::describe() const {
    const Libraries* libraries = session_->libraries();
    return "cuda (" + session_->name() + (libraries == nullptr ? "" : ", " + libraries->describe()) + ")" + precisionText();
}

std::string CudaExecutor::precisionText() const {
    if (plan_.dtype_policy.empty()) return {};
    std::string text = ", " + plan_.dtype_policy;
    for (std::size_t i = 0; i < plan_.float32_layers.size(); ++i) text += (i == 0 ? "; in float32: " : ", ") + plan_.float32_layers[i];
    return text;
}

std::string CudaExecutor::planText() const {
    const std::string plain = plan::toString(plan_);
    // A line of the section "ops" belongs to each op, in order.
    std::size_t at = plain.find("\nops\n") + 5;
    std::string text = plain.substr(0, at);
    for (const BoundOp& op : ops_) {
        const std::size_t end = plain.find('\n', at);
        text += plain.substr(at, end - at) + (op.kernel.empty() ? "" : "  {" + op.kernel + "}") + "\n";
        at = end + 1;
    }
    return text + plain.substr(at);
}

}  // namespace engine::backend::cuda
