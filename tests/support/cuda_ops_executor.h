// An executor whose ops run by the reference interpreter, but for those that a function binds: they run as kernels on the emulated device,
// on copies of their tensors. So the kernels of one family meet every case that the executors are tested with. Samples that a step lacks
// hold what bound_op.h promises, and are looked at afterwards.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/status.h"
#include "engine/backend/executor.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/plan/op_table.h"
#include "engine/plan/optimizer.h"

namespace tests::support {

class CudaOpsExecutor final : public engine::backend::Executor {
public:
    using Step = engine::backend::reference::Interpreter::Step;
    // Nothing for ops that are not to run as kernels.
    using Bind = std::function<std::optional<engine::backend::cuda::BoundOp>(const engine::backend::cuda::Context&, const engine::plan::Op&,
                                                                             std::size_t rule)>;

    CudaOpsExecutor(const engine::plan::Plan& plan, engine::backend::Variables& variables, const engine::backend::ExecutorOptions& options,
                    Bind bind)
        : interpreter_(plan, variables, options.region), bind_(std::move(bind)) {}

    engine::backend::StepResult trainStep(const engine::tensor::BatchView& batch, const engine::backend::StepControl& control) override {
        return runStep(batch, control);
    }
    engine::backend::StepResult evaluateStep(const engine::tensor::BatchView& batch) override { return runStep(batch, {}); }
    void predictStep(const engine::tensor::BatchView& batch, std::span<float> output) override {
        runOps({.batch = &batch, .control = {}, .samples = static_cast<std::int64_t>(batch.indices.size())}, false);
        const std::span<const float> values = interpreter_.floats(plan().output, static_cast<std::int64_t>(batch.indices.size()));
        std::copy(values.begin(), values.end(), output.begin());
    }
    void syncVariables() override {}
    void reloadVariables() override {}
    std::string describe() const override { return "reference with kernels"; }
    std::string planText() const override { return engine::plan::toString(plan()); }

    // Ops that ran as kernels in the last step.
    int kernels() const { return kernels_; }
    engine::backend::reference::Interpreter& interpreter() { return interpreter_; }
    void runOps(const Step& step, bool with_loss) {
        kernels_ = 0;
        begin(step);
        for (const engine::plan::Op& op : plan().ops) {
            if (with_loss || !engine::plan::rowOf(op.kind).belongs_to_loss) runOp(op, step);
        }
    }

private:
    using TensorId = engine::plan::TensorId;
    using TensorDesc = engine::plan::TensorDesc;

    class Memory {
    public:
        explicit Memory(std::int64_t bytes) {
            engine::backend::cuda::check(cudaMalloc(&address_, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1))), "memory");
        }
        ~Memory() { cudaFree(address_); }
        Memory(const Memory&) = delete;
        Memory& operator=(const Memory&) = delete;
        std::byte* get() const { return address_; }

    private:
        std::byte* address_ = nullptr;
    };

    const engine::plan::Plan& plan() const { return interpreter_.plan(); }
    const TensorDesc& tensorOf(TensorId id) const { return plan().tensors[static_cast<std::size_t>(id)]; }

    engine::backend::StepResult runStep(const engine::tensor::BatchView& batch, const engine::backend::StepControl& control) {
        std::span<float> header;
        if (plan().header != engine::plan::kNoTensor) {
            header = interpreter_.floats(plan().header);
            std::fill(header.begin(), header.end(), 0.0F);
        }
        runOps({.batch = &batch, .control = control, .samples = static_cast<std::int64_t>(batch.indices.size())}, true);
        engine::backend::StepResult result;
        if (header.empty()) return result;
        result.loss_sum = header[engine::plan::StepHeader::kLossSum];
        result.correct = header[engine::plan::StepHeader::kCorrect];
        result.count = header[engine::plan::StepHeader::kCount];
        result.header = header;
        return result;
    }

    void runOp(const engine::plan::Op& op, const Step& step) {
        if (op.fused_update) {
            engine::plan::Op gradients = op;
            gradients.fused_update.reset();
            interpreter_.run(gradients, step);
        }
        std::vector<TensorId> ids = op.inputs;
        ids.insert(ids.end(), op.outputs.begin(), op.outputs.end());
        for (TensorId id : op.outputs) {  // of an update within a gradient
            if (!op.fused_update || tensorOf(id).role != engine::plan::TensorRole::kGradient) continue;
            ids.push_back(tensorOf(id).of);
            for (TensorId slot : engine::plan::slotsOf(plan(), tensorOf(id).of)) ids.push_back(slot);
        }
        std::map<TensorId, std::unique_ptr<Memory>> memory;
        std::vector<std::byte*> addresses(plan().tensors.size(), nullptr);
        for (TensorId id : ids) {
            if (memory.contains(id)) continue;
            memory[id] = std::make_unique<Memory>(engine::plan::byteCount(tensorOf(id)));
            addresses[static_cast<std::size_t>(id)] = memory[id]->get();
        }
        const engine::backend::cuda::Context context(plan(), addresses,
                                                     reinterpret_cast<const engine::backend::cuda::StepParameters*>(parameters_.get()));
        const std::optional<engine::backend::cuda::BoundOp> bound = bind_(context, op, kRule);
        if (!bound) {
            if (!op.fused_update) interpreter_.run(op, step);
            return;
        }
        ++kernels_;
        for (const auto& [id, of] : memory) upload(id, of->get(), step.samples);
        run(*bound, op);
        for (const auto& [id, of] : memory) download(op, id, of->get(), step.samples);
    }

    // The plan's rule, whose number is any.
    void begin(const Step& step) {
        using engine::backend::cuda::check;
        std::vector<std::uint32_t> indices(step.batch == nullptr ? 0 : step.batch->indices.size());
        if (step.batch != nullptr) std::copy(step.batch->indices.begin(), step.batch->indices.end(), indices.begin());
        while (static_cast<std::int64_t>(indices.size()) < step.samples) indices.push_back(static_cast<std::uint32_t>(indices.size()));
        numbers_ = std::make_unique<Memory>(static_cast<std::int64_t>(indices.size() * sizeof(std::uint32_t)));
        check(cudaMemcpy(numbers_->get(), indices.data(), indices.size() * sizeof(std::uint32_t), cudaMemcpyHostToDevice), "indices");
        engine::backend::cuda::StepParameters values;
        values.seed = step.control.seed;
        values.epoch = step.control.epoch;
        values.iteration = step.control.iteration;
        values.learning_rate = step.control.learning_rate;
        values.samples = step.samples;
        values.indices = reinterpret_cast<const std::uint32_t*>(numbers_->get());
        for (const engine::plan::Op& op : plan().ops) {
            const engine::spec::ObjectSpec* optimizer = engine::plan::optimizerOf(op);
            if (optimizer == nullptr) continue;
            values.factors[kRule] =
                engine::plan::stepFactors(engine::plan::updateRule(*optimizer), step.control.learning_rate, step.control.iteration);
        }
        check(cudaMemcpy(parameters_.get(), &values, sizeof values, cudaMemcpyHostToDevice), "step");
    }

    static void run(const engine::backend::cuda::BoundOp& bound, const engine::plan::Op& op) {
        using engine::backend::cuda::check;
        const Memory scratch(bound.scratch_bytes);
        cudaStream_t stream = nullptr;
        check(cudaStreamCreate(&stream), "stream");
        bound.enqueue(stream, scratch.get());
        check(cudaStreamSynchronize(stream), op.name);
        check(cudaStreamDestroy(stream), "stream");
    }

    // The items of samples that a step lacks; nothing for other tensors.
    std::pair<std::int64_t, std::int64_t> absent(const TensorDesc& tensor, std::int64_t samples) const {
        const std::int64_t count = engine::plan::elementCount(tensor);
        const bool is_gradient_of_weight = tensor.role == engine::plan::TensorRole::kGradient;
        if (is_gradient_of_weight || !engine::plan::hasBatchAxis(tensor)) return {count, count};
        return {count / plan().batch * samples, count};
    }
    static bool isGradient(const TensorDesc& tensor) { return tensor.name.ends_with(":grad"); }

    void upload(TensorId id, std::byte* to, std::int64_t samples) {
        const TensorDesc& tensor = tensorOf(id);
        const auto* from = interpreter_.bytes(id);
        std::vector<std::byte> values(from, from + engine::plan::byteCount(tensor));
        const auto [begin, end] = absent(tensor, samples);
        for (std::int64_t i = begin; i < end; ++i) {
            const auto size = static_cast<std::int64_t>(engine::tensor::sizeOf(tensor.dtype));
            if (tensor.dtype == engine::tensor::DType::kFloat32) {
                const float value = isGradient(tensor) ? 0.0F : 0.25F;
                std::memcpy(values.data() + i * size, &value, sizeof value);
            } else {  // labels: no class; masks: 1
                std::memset(values.data() + i * size,
                            tensor.dtype == engine::tensor::DType::kInt32 ? 0x7F
                            : size == 1                                   ? 1
                                                                          : 0,
                            static_cast<std::size_t>(size));
            }
        }
        engine::backend::cuda::check(cudaMemcpy(to, values.data(), values.size(), cudaMemcpyHostToDevice), "upload");
    }

    void download(const engine::plan::Op& op, TensorId id, const std::byte* from, std::int64_t samples) {
        const TensorDesc& tensor = tensorOf(id);
        std::vector<std::byte> values(static_cast<std::size_t>(engine::plan::byteCount(tensor)));
        engine::backend::cuda::check(cudaMemcpy(values.data(), from, values.size(), cudaMemcpyDeviceToHost), "download");
        const bool is_output = std::find(op.outputs.begin(), op.outputs.end(), id) != op.outputs.end();
        const auto [begin, end] = absent(tensor, samples);
        for (std::int64_t i = begin; is_output && tensor.dtype == engine::tensor::DType::kFloat32 && i < end; ++i) {
            float value = 0;
            std::memcpy(&value, values.data() + i * 4, sizeof value);
            const bool is_kept =
                isGradient(tensor) || (op.phase == engine::plan::Phase::kBackward && tensor.role != engine::plan::TensorRole::kScratch)
                    ? value == 0
                    : isKeptFinite(tensor, value);
            if (!is_kept)
                throw std::runtime_error(op.name + ": " + tensor.name + " of a sample that the step lacks is " + std::to_string(value));
        }
        std::copy(values.begin(), values.end(), interpreter_.bytes(id));
    }
    // Scratch of one op for another is their own affair.
    static bool isKeptFinite(const TensorDesc& tensor, float value) {
        return tensor.role == engine::plan::TensorRole::kScratch || std::isfinite(value);
    }

    static constexpr std::size_t kRule = 3;
    engine::backend::reference::Interpreter interpreter_;
    Bind bind_;
    Memory parameters_{sizeof(engine::backend::cuda::StepParameters)};
    std::unique_ptr<Memory> numbers_;  // the samples' indices
    int kernels_ = 0;
};

}  // namespace tests::support
