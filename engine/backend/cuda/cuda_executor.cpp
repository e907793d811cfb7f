// Memory, binding and capture. Steps are in cuda_executor_steps.cpp, the host's part in them in cuda_executor_host.cpp.
#include "engine/backend/cuda/cuda_executor.h"

#include <algorithm>
#include <utility>

#include "engine/backend/cuda/bind_op.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr std::int64_t kMostSteps = 32;  // of a packet

std::string megabytes(std::int64_t bytes) {
    const std::int64_t tenths = (bytes * 10 + (1 << 19)) >> 20;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB";
}

plan::Plan accepted(plan::Plan plan, const ExecutorOptions& options) {
    if (!plan.buckets.empty() && options.collective == nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "executor: expected a collective for a plan of " + std::to_string(plan.replicas) + " replicas, got none");
    }
    if (!options.region.empty() && static_cast<std::int64_t>(options.region.size()) < plan.shared_bytes) {
        throw Error(ErrorCode::kInvalidArgument, "executor: expected a shared region of " + std::to_string(plan.shared_bytes) +
                                                     " bytes, got " + std::to_string(options.region.size()));
    }
    return plan;
}

}  // namespace

CudaExecutor::CudaExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options, std::shared_ptr<Session> session)
    : plan_(accepted(plan.private_bytes > 0 ? plan : plan::planMemory(plan), options)),
      session_(std::move(session)),
      collective_(options.collective),
      on_streams_(collective_ == nullptr ? nullptr : collective_->onStreams()),
      loss_(options.loss),
      rules_(plan_),
      writer_(plan_, *session_, rules_) {
    const DeviceGuard guard(session_->device());
    prepareInRoom(variables, options);
}

void CudaExecutor::prepareInRoom(Variables& variables, const ExecutorOptions& options) {
    for (;;) {
        try {
            return prepare(variables, options);
        } catch (const Error& error) {
            if (error.code() != ErrorCode::kResourceExhausted) throw;
        }
        release();
        // Data sets only save time: they make room.
        if (!session_->dropData()) throw Error(ErrorCode::kResourceExhausted, outOfMemoryText(variables));
    }
}

void CudaExecutor::prepare(Variables& variables, const ExecutorOptions& options) {
    allocate(variables, options);
    placeTensors(variables);
    bindAll();
    if (plan_.training) train_ = capture(Way::kTrain);
    check(cudaStreamSynchronize(session_->stream()), "executor");
}

void CudaExecutor::release() {
    check(cudaStreamSynchronize(session_->stream()), "executor");
    train_.reset();
    ops_.clear();
    context_.reset();
    variables_.reset();
    for (DeviceMemory* memory : {&private_, &scratch_, &current_, &feed_}) *memory = {};
    for (StepPacket& packet : packets_) packet = {};
    region_.reset();
}

// Called after release(): the memory that the device then has free includes what the plan held.
std::string CudaExecutor::outOfMemoryText(const Variables& variables) const {
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "memory");
    const std::int64_t of_variables = session_->holds(variables) ? 0 : plan_.variable_bytes;
    const std::int64_t needed = plan_.private_bytes + plan_.shared_bytes + of_variables + scratch_bytes_;
    return "GPU out of memory: the plan of " + std::to_string(plan_.batch) + " samples needs " + megabytes(needed) + " (activations " +
           megabytes(plan_.private_bytes) + ", gradients " + megabytes(plan_.shared_bytes) + ", variables " + megabytes(of_variables) +
           (scratch_bytes_ == 0 ? "" : ", work memory of the kernels " + megabytes(scratch_bytes_)) + "), of the device's " +
           megabytes(static_cast<std::int64_t>(total)) + " were free " + megabytes(static_cast<std::int64_t>(free)) +
           "; a smaller batch_size needs less";
}

CudaExecutor::~CudaExecutor() {
    // Nothing of ours may be under way when the memory goes.
    for (const cudaStream_t stream : {session_->copies(), session_->reductions(), session_->stream()}) cudaStreamSynchronize(stream);
}

std::int64_t CudaExecutor::headerElements() const {
    return plan_.header == plan::kNoTensor ? 0 : plan::elementCount(plan_.tensors[static_cast<std::size_t>(plan_.header)]);
}

// A sum or a loss on the host needs each step for itself.
bool CudaExecutor::mayQueue() const {
    return plan_.header != plan::kNoTensor && !region_->isMirrored() && (collective_ == nullptr || on_streams_ != nullptr) && !loss_;
}

void CudaExecutor::allocate(Variables& variables, const ExecutorOptions& options) {
    const auto memory = [this](std::size_t bytes, const char* what) {
        DeviceMemory made(bytes, what);
        if (bytes > 0) check(cudaMemsetAsync(made.get(), 0, bytes, session_->stream()), what);
        return made;
    };
    variables_ = session_->variablesOf(variables);
    private_ = memory(alignedBytes(static_cast<std::size_t>(plan_.private_bytes)), "activations");
    region_.emplace(plan_, options, session_->stream());
    current_ = memory(sizeof(StepParameters), "step");
    feed_ = memory(sizeof(StepFeed), "step");
    const PacketSize size{.steps = mayQueue() ? kMostSteps : 1, .batch = plan_.batch, .header = headerElements()};
    for (StepPacket& packet : packets_) packet = StepPacket(size, session_->stream());
}

void CudaExecutor::placeTensors(Variables& variables) {
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
            address = (tensor.region == plan::Region::kShared ? region_->onDevice() : private_.get()) + tensor.offset_bytes;
        }
        addresses.push_back(address);
    }
    context_.emplace(plan_, std::move(addresses), reinterpret_cast<const StepParameters*>(current_.get()), session_->libraries());
}

void CudaExecutor::bindAll() {
    std::int64_t most = 0;
    for (const plan::Op& op : plan_.ops) {
        ops_.push_back(bindOp(*context_, op, rules_.numberOf(op)));
        most = std::max(most, ops_.back().scratch_bytes);
    }
    scratch_bytes_ = most;
    scratch_ = DeviceMemory(static_cast<std::size_t>(most), "work memory of the kernels");
    check(cudaStreamSynchronize(nullptr), "executor");  // what ops have copied while they were bound
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
            if (way == Way::kPredict && plan::rowOf(op.kind).belongs_to_loss) continue;
            if (op.kind == plan::OpKind::kAllReduce) {
                const auto bucket = static_cast<std::size_t>(op.bucket);
                if (on_streams_ == nullptr) {
                    between(Action::kStartReduction, static_cast<int>(i));
                } else {
                    forks[bucket].record(stream);
                    forks[bucket].awaitOn(reductions);
                    on_streams_->enqueueAllReduceSum(reinterpret_cast<float*>(region_->onDevice(op.bucket)),
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
