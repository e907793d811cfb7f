#include "engine/backend/cpu/cpu_executor.h"

#include <algorithm>
#include <utility>

#include "engine/backend/cpu/around/folded_op.h"
#include "engine/backend/cpu/around/gated_op.h"
#include "engine/backend/cpu/around/mixed_op.h"
#include "engine/backend/cpu/around/over_rows.h"
#include "engine/backend/cpu/convolution/pair_operands.h"
#include "engine/backend/cpu/schedule/scratch_places.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

int checkedThreads(int threads) {
    if (threads < 1) throw Error(ErrorCode::kInvalidArgument, "executor: expected 1 thread or more, got " + std::to_string(threads));
    return threads;
}

int checkedStrips(int strips) {
    if (strips < 0) throw Error(ErrorCode::kInvalidArgument, "executor: expected 0 strips or more, got " + std::to_string(strips));
    return strips;
}

// Outputs whose kernel reads an input element by element, each before it writes the output's, with that input.
std::vector<plan::InPlacePair> inPlacePairs(const plan::Op& op) {
    if (op.gate) return {};  // it copies the input of closed samples behind the kernel
    const auto firstOutputOver = [&op](plan::TensorId input) -> std::vector<plan::InPlacePair> { return {{op.outputs.front(), input}}; };
    switch (op.kind) {
        case plan::OpKind::kActivation:
        case plan::OpKind::kActivationBack:
            if (plan::runsAlongRows(std::get<plan::ActivationAttributes>(op.attributes).function)) return {};
            return firstOutputOver(op.inputs.back());
        case plan::OpKind::kMerge: {
            const auto& merge = std::get<plan::MergeAttributes>(op.attributes);
            std::vector<plan::InPlacePair> pairs;
            if (merge.mode != plan::MergeMode::kSum || merge.turned) return pairs;
            for (const plan::TensorId input : op.inputs) pairs.push_back({op.outputs.front(), input});
            return pairs;
        }
        case plan::OpKind::kBatchNorm:
            return firstOutputOver(op.inputs.front());
        case plan::OpKind::kBatchNormBack:
            return firstOutputOver(op.inputs[std::get<plan::BatchNormAttributes>(op.attributes).scale ? 4 : 3]);
        case plan::OpKind::kRecurrent:
        case plan::OpKind::kRecurrentBack:
            return inPlacePairsOfCell(op);
        default:
            return {};
    }
}

plan::Plan plannedPiece(const plan::Plan& plan, const ExecutorOptions& options) {
    plan::Plan planned = plan.private_bytes > 0 ? plan : plan::planMemory(plan);
    if (options.parameters == nullptr) planned = plan::multiplyTables(std::move(planned));
    const std::int64_t samples = options.piece > 0 ? options.piece : plan::bestPiece(planned);
    if (samples < planned.batch && plan::comesInPieces(planned)) planned = plan::pieceOf(std::move(planned), samples);
    return plan::placeInPlace(std::move(planned), inPlacePairs);
}

}  // namespace

CpuExecutor::CpuExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options)
    : batch_(plan.batch),
      plan_(plannedPiece(plan, options)),
      kernels_(kernelTable(chooseIsa())),
      collective_(options.collective),
      parameters_(options.parameters),
      loss_(options.loss),
      private_(plan_.private_bytes),
      shared_(options.region.data()),
      memory_(plan_, {}, options.threads),
      pieces_(static_cast<std::size_t>(std::max<std::int64_t>(1, plan_.batch == 0 ? 1 : divideUp(batch_, plan_.batch)))),
      pool_(checkedThreads(options.threads)) {
    if (std::any_of(plan_.tensors.begin(), plan_.tensors.end(),
                    [](const plan::TensorDesc& tensor) { return tensor.dtype == tensor::DType::kFloat16; })) {
        throw Error(ErrorCode::kUnimplemented,
                    "model: expected float32 or mixed_bfloat16 on a processor, got mixed_float16, which is for GPUs alone; mixed_bfloat16 "
                    "runs on both");
    }
    if (std::any_of(plan_.ops.begin(), plan_.ops.end(), [](const plan::Op& op) { return op.kind == plan::OpKind::kUnscaleGradients; })) {
        throw Error(ErrorCode::kUnimplemented,
                    "compile.loss_scale: expected none on a processor, got a LossScaleOptimizer, which is for GPUs alone");
    }
    requirePeers(plan_, options);
    if (parameters_ != nullptr) {
        for (const plan::RowTable& table : plan::rowTables(plan_)) tables_.push_back({table, distribute::NamedRows(table.rows)});
        pulled_rows_.resize(tables_.size());
    }
    if (options.region.empty() && plan_.shared_bytes > 0) {
        own_shared_ = tensor::TensorMemory(plan_.shared_bytes);
        shared_ = own_shared_.data();
    } else if (static_cast<std::int64_t>(options.region.size()) < plan_.shared_bytes) {
        throw Error(ErrorCode::kInvalidArgument, "executor: expected a shared region of " + std::to_string(plan_.shared_bytes) +
                                                     " bytes, got " + std::to_string(options.region.size()));
    }
    memory_ = Memory(plan_, addressesOf(variables), pool_.size());
    if (pieces_.size() > 1) sums_ = PieceSums(plan_, memory_);
    bindAll(checkedStrips(options.strips));
}

std::vector<std::byte*> CpuExecutor::addressesOf(Variables& variables) {
    std::vector<std::byte*> addresses;
    for (const plan::TensorDesc& tensor : plan_.tensors) {
        std::byte* address = nullptr;
        if (tensor.region == plan::Region::kVariables) {
            const std::span<float> values = variables.values(tensor.name);
            if (static_cast<std::int64_t>(values.size()) != plan::elementCount(tensor)) {
                throw Error(ErrorCode::kInvalidArgument, tensor.name + ": expected " + std::to_string(plan::elementCount(tensor)) +
                                                             " values, got variables with " + std::to_string(values.size()));
            }
            address = reinterpret_cast<std::byte*>(values.data());
        } else if (tensor.offset_bytes >= 0) {
            address = (tensor.region == plan::Region::kShared ? shared_ : private_.data()) + tensor.offset_bytes;
        }
        addresses.push_back(address);
    }
    return addresses;
}

std::unique_ptr<BoundOp> CpuExecutor::bind(const Memory& memory, const plan::Op& op) const {
    using plan::OpFamily;
    switch (plan::rowOf(op.kind).family) {
        case OpFamily::kGather:
            return bindGather(memory, op, kernels_);
        case OpFamily::kConvolution:
            return bindConvolution(memory, op, kernels_);
        case OpFamily::kConvolutionBack:
            return bindConvolutionBack(memory, op, kernels_);
        case OpFamily::kDense:
            return bindDense(memory, op, kernels_);
        case OpFamily::kDenseBack:
            return bindDenseBack(memory, op, kernels_);
        case OpFamily::kPooling:
            return bindPooling(memory, op, kernels_);
        case OpFamily::kBias:
        case OpFamily::kReshape:
        case OpFamily::kAffine:
        case OpFamily::kStandardize:
            return bindElementwise(memory, op, kernels_);
        case OpFamily::kActivation:
        case OpFamily::kPrelu:
            return bindActivation(memory, op, kernels_);
        case OpFamily::kBatchNorm:
            return bindBatchNorm(memory, op, kernels_);
        case OpFamily::kGroupNorm:
            return bindGroupNorm(memory, op, kernels_);
        case OpFamily::kSpectralNorm:
            return bindSpectralNorm(memory, op);
        case OpFamily::kIds:
        case OpFamily::kEmbedding:
            return bindEmbedding(memory, op, kernels_);
        case OpFamily::kRecurrent:
            return bindRecurrent(memory, op, kernels_);
        case OpFamily::kAttention:
            return bindAttention(memory, op, kernels_);
        case OpFamily::kMerge:
            return bindMerge(memory, op, kernels_);
        case OpFamily::kNoise:
            return bindNoise(memory, op, kernels_);
        case OpFamily::kMask:
            return bindMask(memory, op, kernels_);
        case OpFamily::kCast:
            return bindCast(memory, op, kernels_);
        case OpFamily::kImage:
            if (std::holds_alternative<plan::RandomBlur>(op.attributes)) return bindBlur(memory, op);
            if (std::holds_alternative<plan::RandomElastic>(op.attributes)) return bindElastic(memory, op);
            if (std::holds_alternative<plan::ImageLevels>(op.attributes)) return bindLevels(memory, op);
            if (std::holds_alternative<plan::RandomMix>(op.attributes)) return bindMix(memory, op);
            return bindImage(memory, op, kernels_);
        case OpFamily::kSignal:
            return bindSignal(memory, op);
        case OpFamily::kCrossEntropy:
            return bindLoss(memory, op, kernels_);
        case OpFamily::kLoss:
            return bindGeneralLoss(memory, op);
        case OpFamily::kPenalty:
            return bindPenalty(memory, op);
        case OpFamily::kMetric:
            return bindMetric(memory, op);
        case OpFamily::kPrepareGradients:
            return bindPrepareGradients(memory, op);
        case OpFamily::kCustomLoss:
            return bindCustomLoss(memory, op, loss_);
        case OpFamily::kUpdate:
            return bindUpdate(memory, op, kernels_);
        case OpFamily::kConstrain:
            return bindConstrain(memory, op);
        case OpFamily::kLossScale:
            throw Error(ErrorCode::kUnimplemented, "executor: loss scaling is for float16, which the processor has no kernels for");
        case OpFamily::kCollective:
            return nullptr;
    }
    return nullptr;
}

void CpuExecutor::bindAll(int strips) {
    std::int64_t most_of_thread = 0;
    std::vector<std::int64_t> shared_bytes(plan_.ops.size());
    std::int64_t copies_bytes = 0;
    for (const plan::Op& op : plan_.ops) {
        if (isMixed(plan_, op)) copies_bytes = std::max(copies_bytes, copiesBytes(plan_, op));
    }
    copies_ = tensor::TensorMemory(copies_bytes);
    for (const plan::Op& op : plan_.ops) {
        const auto bind_plain = [&](const Memory& memory) { return bind(memory, op); };
        const auto bind_to = [&](const Memory& memory) {
            return isMixed(plan_, op) ? bindMixed(memory, op, kernels_, copies_.data(), bind_plain) : bind_plain(memory);
        };
        const std::int64_t items = plan::itemsPerSample(plan_, op);
        std::unique_ptr<BoundOp> bound = plan::takesTable(plan_, op) ? bindOverRows(memory_, op, bind_plain)
                                         : items > 1                 ? bindFolded(memory_, items, bind_to)
                                                                     : bind_to(memory_);
        ops_.push_back(op.gate ? bindGated(memory_, op, items, std::move(bound)) : std::move(bound));
        if (!ops_.back()) continue;
        sums_.offerTo(*ops_.back(), static_cast<int>(ops_.size()) - 1);
        const ScratchBytes needed = ops_.back()->scratch();
        shared_bytes[ops_.size() - 1] = needed.shared;
        most_of_thread = std::max(most_of_thread, needed.per_thread);
    }
    // A page between the threads' memory: no line in common, and not the same cache sets.
    constexpr std::int64_t kPage = 4096;
    const std::int64_t thread_bytes = plan::alignUp(most_of_thread) + kPage + plan::kAlignmentBytes;
    const bool in_strips = mayComeInStrips(plan_, pool_.size(), strips);
    const ScratchPlaces places = placeScratch(shared_bytes, in_strips ? ScratchLayout::kSideBySide : ScratchLayout::kOnePlace);
    shared_scratch_ = tensor::TensorMemory(places.bytes);
    thread_scratch_ = tensor::TensorMemory(thread_bytes * pool_.size());
    for (Piece& piece : pieces_) {
        piece.state.batch = &piece.batch;
        piece.state.threads = pool_.size();
        piece.state.thread_scratch = thread_scratch_.data();
        piece.state.thread_scratch_bytes = thread_bytes;
    }
    std::vector<std::vector<Stage>> stages;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
        stages.push_back(ops_[i] ? ops_[i]->stages(shared_scratch_.data() + places.offsets[i]) : std::vector<Stage>{});
    }
    schedules_.last_piece = scheduleOf(plan_, stages, sums_, {.moves_stages = in_strips, .is_last_piece = true});
    formStrips(schedules_.last_piece, stages, pool_.size(), strips);
    if (pieces_.size() > 1) {
        schedules_.before_last = scheduleOf(plan_, stages, sums_, {.moves_stages = in_strips, .is_last_piece = false});
        formStrips(schedules_.before_last, stages, pool_.size(), strips);
    }
    tickets_.resize(plan_.buckets.size());
    op_us_.resize(plan_.ops.size());
}

void CpuExecutor::begin(const tensor::BatchView& batch, const StepControl& control) {
    cut(batch, control);
    for (const std::unique_ptr<BoundOp>& op : ops_) {
        for (std::size_t piece = 0; op && piece < used_pieces_; ++piece) op->check(pieces_[piece].state);
    }
    if (plan_.header != plan::kNoTensor) {
        float* header = memory_.floats(plan_.header);
        std::fill_n(header, memory_.elements(plan_.header), 0.0F);
        header[plan::StepHeader::kControl] = control.control;
        header[plan::StepHeader::kControlValue] = control.control_value;
        sums_.clearHeader();
    }
    timing_ = {};
    std::fill(op_us_.begin(), op_us_.end(), 0.0F);
}

// Full pieces, then the rest of the samples. A step without any is one piece.
void CpuExecutor::cut(const tensor::BatchView& batch, const StepControl& control) {
    const auto samples = static_cast<std::int64_t>(batch.indices.size());
    if (samples > batch_) {
        throw Error(ErrorCode::kInvalidArgument,
                    "batch: expected " + std::to_string(batch_) + " samples at most, got " + std::to_string(samples));
    }
    used_pieces_ = samples == 0 ? 1 : static_cast<std::size_t>(divideUp(samples, plan_.batch));
    for (std::size_t i = 0; i < used_pieces_; ++i) {
        const std::size_t begin = i * static_cast<std::size_t>(plan_.batch);
        const std::size_t count = std::min(batch.indices.size() - begin, static_cast<std::size_t>(plan_.batch));
        Piece& piece = pieces_[i];
        piece.batch = batch;
        piece.batch.indices = batch.indices.subspan(begin, count);
        if (!batch.numbers.empty()) piece.batch.numbers = batch.numbers.subspan(begin, count);
        piece.state.control = control;
        piece.state.samples = static_cast<std::int64_t>(count);
        piece.state.is_first_piece = i == 0;
        piece.state.of_step = used_pieces_ == 1 ? 1 : static_cast<double>(count) / static_cast<double>(samples);
    }
}

StepResult CpuExecutor::finish() {
    StepResult result;
    result.timing = timing_;
    if (plan_.header == plan::kNoTensor) return result;
    if (used_pieces_ > 1 && plan_.buckets.empty()) sums_.addHeader(true);
    const float* header = memory_.floats(plan_.header);
    result.loss_sum = header[plan::StepHeader::kLossSum];
    result.correct = header[plan::StepHeader::kCorrect];
    result.count = header[plan::StepHeader::kCount];
    result.control = header[plan::StepHeader::kControl];
    result.control_value = header[plan::StepHeader::kControlValue];
    result.header = {header, static_cast<std::size_t>(memory_.elements(plan_.header))};
    return result;
}

StepResult CpuExecutor::trainStep(const tensor::BatchView& batch, const StepControl& control) {
    if (!plan_.training) throw Error(ErrorCode::kFailedPrecondition, "executor: expected a training plan, got one that runs forward only");
    begin(batch, control);
    runs_loss_ = true;
    pool_.run(*this);
    return finish();
}

StepResult CpuExecutor::evaluateStep(const tensor::BatchView& batch) {
    if (plan_.training)
        throw Error(ErrorCode::kFailedPrecondition, "executor: expected a plan that runs forward only, got a training plan");
    if (batch.labels == nullptr) throw Error(ErrorCode::kInvalidArgument, "batch: expected labels for an evaluation, got none");
    begin(batch, {});
    runs_loss_ = true;
    pool_.run(*this);
    return finish();
}

void CpuExecutor::predictStep(const tensor::BatchView& batch, std::span<float> output) {
    if (plan_.training)
        throw Error(ErrorCode::kFailedPrecondition, "executor: expected a plan that runs forward only, got a training plan");
    const std::int64_t expected = static_cast<std::int64_t>(batch.indices.size()) * memory_.sampleElements(plan_.output);
    if (static_cast<std::int64_t>(output.size()) != expected) {
        throw Error(ErrorCode::kInvalidArgument,
                    "prediction: expected room for " + std::to_string(expected) + " values, got " + std::to_string(output.size()));
    }
    begin(batch, {});
    runs_loss_ = false;
    pool_.run(*this);
    std::copy_n(memory_.floats(plan_.output), expected, output.data());
}

void CpuExecutor::runThread(int thread) {
    LapClock clock;
    for (std::size_t piece = 0; piece < used_pieces_; ++piece) {
        if (!runPiece(piece, thread, clock)) return;
    }
}

bool CpuExecutor::runPiece(std::size_t piece, int thread, LapClock& clock) {
    const bool is_last = piece + 1 == used_pieces_;
    const Schedule& schedule = is_last ? schedules_.last_piece : schedules_.before_last;
    for (auto entry = schedule.begin(); entry != schedule.end(); entry += entry->group) {
        if (entry->group > 1) {
            runStrips({entry, entry + entry->group}, piece, thread, clock);
            continue;
        }
        if (!isWanted(*entry)) continue;
        if (entry->action == Action::kBarrier) {
            if (!pool_.barrier()) return false;
        } else {
            runEntry(*entry, piece, thread);
        }
        if (thread == 0) keepTime(*entry, clock.lap());
    }
    if (!is_last && thread == 0) sums_.addHeader(false);  // no other thread looks at the header
    return true;
}

void CpuExecutor::runStrips(std::span<const Entry> group, std::size_t piece, int thread, LapClock& clock) {
    StepState state = pieces_[piece].state;
    state.strips = group.front().strips;
    for (state.strip = 0; state.strip < state.strips; ++state.strip) {
        for (const Entry& entry : group) {
            if (!isWanted(entry)) continue;
            ops_[static_cast<std::size_t>(entry.op)]->run(entry.stage, state, thread);
            if (thread == 0) keepTime(entry, clock.lap());
        }
    }
}

bool CpuExecutor::isWanted(const Entry& entry) const {
    return runs_loss_ || !plan::rowOf(plan_.ops[static_cast<std::size_t>(entry.op)].kind).belongs_to_loss;
}

void CpuExecutor::keepTime(const Entry& entry, float us) {
    const plan::Op& op = plan_.ops[static_cast<std::size_t>(entry.op)];
    op_us_[static_cast<std::size_t>(entry.op)] += us;
    float& spent = entry.action == Action::kStartReduction   ? timing_.reduce_us
                   : entry.action == Action::kAwaitReduction ? timing_.wait_us
                   : entry.action == Action::kReadVariables  ? timing_.wait_us
                   : op.kind == plan::OpKind::kGather        ? timing_.input_us
                   : op.phase == plan::Phase::kUpdate        ? timing_.apply_us
                                                             : timing_.compute_us;
    spent += us;
}

void CpuExecutor::runEntry(const Entry& entry, std::size_t piece, int thread) {
    switch (entry.action) {
        case Action::kStage:
            if (!entry.solo || thread == 0) ops_[static_cast<std::size_t>(entry.op)]->run(entry.stage, pieces_[piece].state, thread);
            return;
        case Action::kAddPiece:
            sums_.add(entry.op, static_cast<std::int64_t>(piece), piece + 1 == used_pieces_, thread, pool_.size());
            return;
        case Action::kStartReduction:
            if (thread == 0) startReduction(entry);
            return;
        case Action::kReadVariables:
            if (thread == 0) readVariables(plan_.ops[static_cast<std::size_t>(entry.op)]);
            return;
        case Action::kAwaitReduction:
            if (thread == 0) awaitReduction(entry);
            return;
        case Action::kBarrier:
            return;
    }
}

void CpuExecutor::readVariables(const plan::Op& op) {
    if (op.kind == plan::OpKind::kPull) return pull();
    collective_->broadcast(variableMemory(op), std::get<spec::ReduceRoute>(op.attributes).main);
}

void CpuExecutor::pull() {
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        Table& table = tables_[i];
        table.named.clear();
        for (const plan::TensorId id : table.plan.ids) {
            table.named.add({memory_.floats(id), static_cast<std::size_t>(pieces_.front().state.samples * memory_.sampleElements(id))});
        }
        pulled_rows_[i] = table.named.take();
    }
    parameters_->pull(pulled_rows_);
}

void CpuExecutor::awaitReduction(const Entry& entry) {
    if (parameters_ != nullptr) return parameters_->awaitPush(entry.stage);
    collective_->wait(tickets_[static_cast<std::size_t>(entry.stage)]);
}

void CpuExecutor::startReduction(const Entry& entry) {
    if (entry.stage == 0 && used_pieces_ > 1) sums_.addHeader(true);
    if (parameters_ != nullptr) return parameters_->startPush(entry.stage);
    const auto* route = std::get_if<spec::ReduceRoute>(&plan_.ops[static_cast<std::size_t>(entry.op)].attributes);
    const std::span<float> bucket = bucketMemory(entry.stage);
    tickets_[static_cast<std::size_t>(entry.stage)] =
        route == nullptr ? collective_->startAllReduceSum(bucket) : collective_->startReduceSum(bucket, *route);
}

// Parameters and states come first among the variables (engine/plan/memory.h): one piece of memory.
std::span<std::byte> CpuExecutor::variableMemory(const plan::Op& op) const {
    const auto before = [this](plan::TensorId a, plan::TensorId b) { return memory_.bytes(a) < memory_.bytes(b); };
    const auto [first, last] = std::minmax_element(op.outputs.begin(), op.outputs.end(), before);
    std::byte* begin = memory_.bytes(*first);
    return {begin, memory_.bytes(*last) + plan::byteCount(memory_.tensor(*last))};
}

std::span<float> CpuExecutor::bucketMemory(int bucket) const {
    const plan::Bucket& of = plan_.buckets[static_cast<std::size_t>(bucket)];
    return {reinterpret_cast<float*>(shared_ + of.offset_bytes), static_cast<std::size_t>(of.bytes) / sizeof(float)};
}

std::span<float> CpuExecutor::values(plan::TensorId id) const {
    return {memory_.floats(id), static_cast<std::size_t>(memory_.elements(id))};
}

std::string CpuExecutor::describe() const {
    return "cpu (" + std::string(toString(kernels_.isa)) + ", " + std::to_string(pool_.size()) +
           (pool_.size() == 1 ? " thread)" : " threads)") +
           (pieces_.size() > 1 ? ", " + std::to_string(plan_.batch) + " samples at once" : "") + precisionText();
}

// Which products the processor multiplies in bfloat16, and what it does not.
std::string CpuExecutor::precisionText() const {
    if (plan_.dtype_policy.empty()) return {};
    std::int64_t products = 0, in_pairs = 0;
    for (const plan::Op& op : plan_.ops) {
        if (!isProduct(op) || !isMixed(plan_, op)) continue;
        ++products;
        if (takesPairs(memory_, op, kernels_)) ++in_pairs;
    }
    std::string text =
        ", " + plan_.dtype_policy + ": " + std::to_string(in_pairs) + " of " + std::to_string(products) + " products in bfloat16";
    if (in_pairs < products) text += ", the others in float32 on rounded values";
    for (std::size_t i = 0; i < plan_.float32_layers.size(); ++i) text += (i == 0 ? "; in float32: " : ", ") + plan_.float32_layers[i];
    return text;
}

std::string CpuExecutor::planText() const {
    std::string text;
    const std::string plain = plan::toString(plan_);
    // A line of the section "ops" belongs to each op, in order.
    std::size_t at = plain.find("\nops\n") + 5;
    text = plain.substr(0, at);
    for (const std::unique_ptr<BoundOp>& op : ops_) {
        const std::size_t end = plain.find('\n', at);
        text += plain.substr(at, end - at) + (op ? "  {" + op->kernel() + "}" : "") + "\n";
        at = end + 1;
    }
    return text + plain.substr(at);
}

std::vector<CpuExecutor::OpTime> CpuExecutor::opTimes() const {
    std::vector<OpTime> times;
    for (std::size_t i = 0; i < plan_.ops.size(); ++i) times.push_back({plan_.ops[i].name, op_us_[i]});
    return times;
}

int CpuExecutor::barriers() const {
    return static_cast<int>(std::count_if(schedules_.last_piece.begin(), schedules_.last_piece.end(),
                                          [](const Entry& entry) { return entry.action == Action::kBarrier; }));
}

}  // namespace engine::backend::cpu

namespace engine::backend {

std::unique_ptr<Executor> makeCpuExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
    return std::make_unique<cpu::CpuExecutor>(plan, variables, options);
}

}  // namespace engine::backend
