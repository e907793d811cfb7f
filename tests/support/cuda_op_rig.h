// Ops of a plan one by one on a CUDA device (or the emulator, tests/support/cuda_emulator) and on the reference interpreter, each from the
// same memory: what an op makes must agree, and what it makes of samples that the step lacks must be as engine/backend/cuda/bound_op.h
// says. Every tensor has memory of its own, so that nothing is read or written beyond it unseen. Ops that `bind` does not know are the
// interpreter's.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <gtest/gtest.h>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/status.h"
#include "engine/backend/cuda/step_fault.h"
#include "engine/backend/executor.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/tensor/bfloat16.h"
#include "engine/tensor/float16.h"

namespace tests::support {

class CudaMemory {
public:
    explicit CudaMemory(std::int64_t bytes) : bytes_(static_cast<std::size_t>(bytes > 0 ? bytes : 1)) {
        void* memory = nullptr;
        engine::backend::cuda::check(cudaMalloc(&memory, bytes_), "memory of a test");
        memory_ = std::unique_ptr<std::byte, void (*)(std::byte*)>(static_cast<std::byte*>(memory), [](std::byte* at) { cudaFree(at); });
    }
    std::byte* get() const { return memory_.get(); }
    std::size_t size() const { return bytes_; }
    void set(const void* from, std::size_t bytes) const {
        engine::backend::cuda::check(cudaMemcpy(get(), from, bytes, cudaMemcpyHostToDevice), "copy to the device");
    }
    void read(void* to, std::size_t bytes) const {
        engine::backend::cuda::check(cudaMemcpy(to, get(), bytes, cudaMemcpyDeviceToHost), "copy from the device");
    }

private:
    std::size_t bytes_;
    std::unique_ptr<std::byte, void (*)(std::byte*)> memory_{nullptr, nullptr};
};

struct CudaOpTolerance {
    double values = 1e-5, sums = 1e-4;  // sums: of gradients and statistics over the batch
};

class CudaOpRig {
public:
    using Context = engine::backend::cuda::Context;
    using Bind = std::function<std::optional<engine::backend::cuda::BoundOp>(const Context&, const engine::plan::Op&)>;
    using Step = engine::backend::reference::Interpreter::Step;

    CudaOpRig(engine::plan::Plan plan, Bind bind, const CudaOpTolerance& tolerance = {})
        : plan_(layOut(std::move(plan))),
          bind_(std::move(bind)),
          tolerance_(tolerance),
          host_(static_cast<std::size_t>(plan_.shared_bytes)),
          variables_(plan_),
          interpreter_(plan_, variables_, host_),
          parameters_(sizeof(engine::backend::cuda::StepParameters)),
          fault_(sizeof(engine::backend::cuda::StepFault)),
          indices_(plan_.batch * static_cast<std::int64_t>(sizeof(std::uint32_t))) {
        std::vector<std::byte*> addresses;
        for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
            const auto id = static_cast<engine::plan::TensorId>(i), root = rootOf(id);
            device_.push_back(root == id ? std::make_unique<CudaMemory>(byteCount(plan_.tensors[i])) : nullptr);
            addresses.push_back(root == id ? device_.back()->get() : addresses[static_cast<std::size_t>(root)]);
        }
        context_.emplace(plan_, std::move(addresses), reinterpret_cast<const engine::backend::cuda::StepParameters*>(parameters_.get()));
    }

    const engine::plan::Plan& plan() const { return plan_; }
    engine::backend::Variables& variables() { return variables_; }
    // Names of the ops that `bind` knew so far.
    const std::set<std::string>& seen() const { return seen_; }

    // Fills a tensor before the step: all of it.
    void set(engine::plan::TensorId id, std::span<const float> values) {
        const std::span<std::byte> memory = hostOf(id);
        const bool is_low = engine::tensor::isLow(desc(id).dtype);
        if (values.size() * (is_low ? 2 : 4) != memory.size()) throw std::runtime_error(desc(id).name + ": wrong size");
        for (std::size_t i = 0; i < values.size(); ++i) store(id, i, values[i]);
        toDevice(id);
    }
    // Returns what the device has.
    std::vector<float> values(engine::plan::TensorId id) {
        toHost(id);
        return floatsOf(id);
    }
    std::vector<std::byte> bytes(engine::plan::TensorId id) {
        toHost(id);
        const std::span<std::byte> memory = hostOf(id);
        return {memory.begin(), memory.end()};
    }

    // All ops of the plan in order.
    void run(const Step& step) {
        setParameters(step);
        for (const engine::plan::Op& op : plan_.ops) runOp(op, step);
    }
    // Called after run(): throws what kernels found.
    void throwFaults() const {
        engine::backend::cuda::StepFault fault;
        fault_.read(&fault, sizeof fault);
        engine::backend::cuda::throwIfSet(plan_, fault);
    }

private:
    using TensorId = engine::plan::TensorId;

    // All but the variables lie in the region that the interpreter takes from outside, one after another.
    static engine::plan::Plan layOut(engine::plan::Plan plan) {
        plan = engine::plan::planMemory(std::move(plan));
        plan.private_bytes = engine::plan::kAlignmentBytes;
        plan.shared_bytes = 0;
        for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
            engine::plan::TensorDesc& tensor = plan.tensors[i];
            if (tensor.region == engine::plan::Region::kVariables) continue;
            tensor.region = engine::plan::Region::kShared;
            tensor.offset_bytes = plan.shared_bytes;
            plan.shared_bytes += engine::plan::alignUp(byteCount(tensor));
        }
        for (const engine::plan::Op& op : plan.ops) {
            if (op.kind != engine::plan::OpKind::kReshape) continue;
            plan.tensors[static_cast<std::size_t>(op.outputs[0])].offset_bytes =
                plan.tensors[static_cast<std::size_t>(op.inputs[0])].offset_bytes;
        }
        return plan;
    }

    const engine::plan::TensorDesc& desc(TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)]; }
    bool isVariable(TensorId id) const { return desc(id).region == engine::plan::Region::kVariables; }
    TensorId rootOf(TensorId id) const {
        for (const engine::plan::Op& op : plan_.ops) {
            if (op.kind == engine::plan::OpKind::kReshape && op.outputs[0] == id) return rootOf(op.inputs[0]);
        }
        return id;
    }
    const CudaMemory& deviceOf(TensorId id) const { return *device_[static_cast<std::size_t>(rootOf(id))]; }
    std::span<std::byte> hostOf(TensorId id) {
        const auto size = static_cast<std::size_t>(engine::plan::byteCount(desc(id)));
        if (isVariable(id)) return {reinterpret_cast<std::byte*>(variables_.values(desc(id).name).data()), size};
        return {host_.data() + desc(id).offset_bytes, size};
    }
    void toDevice(TensorId id) { deviceOf(id).set(hostOf(id).data(), hostOf(id).size()); }
    void toHost(TensorId id) { deviceOf(id).read(hostOf(id).data(), hostOf(id).size()); }

    bool isFloat(TensorId id) const { return desc(id).dtype == engine::tensor::DType::kFloat32 || engine::tensor::isLow(desc(id).dtype); }
    void store(TensorId id, std::size_t i, float value) {
        std::byte* memory = hostOf(id).data();
        if (engine::tensor::isLow(desc(id).dtype)) {
            const bool is_float16 = desc(id).dtype == engine::tensor::DType::kFloat16;
            const std::uint16_t bits = is_float16 ? engine::tensor::toFloat16(value) : engine::tensor::toBfloat16(value);
            std::memcpy(memory + 2 * i, &bits, sizeof bits);
        } else {
            std::memcpy(memory + 4 * i, &value, sizeof value);
        }
    }
    std::vector<float> floatsOf(TensorId id) {
        const std::span<std::byte> memory = hostOf(id);
        const engine::tensor::DType dtype = desc(id).dtype;
        std::vector<float> values(memory.size() / engine::tensor::sizeOf(dtype));
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::uint16_t bits = 0;
            if (engine::tensor::isLow(dtype)) {
                std::memcpy(&bits, memory.data() + 2 * i, sizeof bits);
                values[i] =
                    dtype == engine::tensor::DType::kFloat16 ? engine::tensor::fromFloat16(bits) : engine::tensor::fromBfloat16(bits);
            } else {
                std::memcpy(&values[i], memory.data() + 4 * i, sizeof values[i]);
            }
        }
        return values;
    }

    // True for the gradient of an activation, also where it is cast: a loss makes one on the way forward.
    bool isGradient(TensorId id) const { return desc(id).name.find(":grad") != std::string::npos; }

    // Elements of the samples that a step has.
    std::size_t presentOf(TensorId id, const Step& step) const {
        const std::int64_t elements = engine::plan::elementCount(desc(id));
        if (!engine::plan::hasBatchAxis(desc(id)) || plan_.batch == 0) return static_cast<std::size_t>(elements);
        return static_cast<std::size_t>(elements / plan_.batch * step.samples);
    }

    void setParameters(const Step& step) {
        engine::backend::cuda::StepParameters parameters;
        parameters.seed = step.control.seed;
        parameters.epoch = step.control.epoch;
        parameters.iteration = step.control.iteration;
        parameters.samples = step.samples;
        parameters.fault = reinterpret_cast<engine::backend::cuda::StepFault*>(fault_.get());
        const engine::backend::cuda::StepFault none;
        fault_.set(&none, sizeof none);
        if (step.batch != nullptr && !step.batch->indices.empty()) {
            indices_.set(step.batch->indices.data(), step.batch->indices.size_bytes());
            parameters.indices = reinterpret_cast<const std::uint32_t*>(indices_.get());
        }
        parameters_.set(&parameters, sizeof parameters);
    }

    void runOp(const engine::plan::Op& op, const Step& step) {
        using engine::plan::OpKind;
        if (op.kind == OpKind::kReshape) return;  // the same memory
        SCOPED_TRACE(op.name);
        for (const auto* ids : {&op.inputs, &op.outputs}) {
            for (TensorId id : *ids) {
                if (isVariable(id)) {
                    toDevice(id);
                } else {
                    toHost(id);
                }
            }
        }
        const std::optional<engine::backend::cuda::BoundOp> bound = bind_(*context_, op);
        if (bound) {
            seen_.insert(std::string(engine::plan::toString(op.kind)));
            const CudaMemory scratch(bound->scratch_bytes);
            if (bound->enqueue) bound->enqueue(nullptr, scratch.get());
            engine::backend::cuda::check(cudaDeviceSynchronize(), op.name);
        }
        interpreter_.run(op, step);
        for (TensorId id : op.outputs) {
            if (!bound) {
                fillAbsent(id, step);
                toDevice(id);
                continue;
            }
            compare(id, step);
        }
    }

    // Fills the samples that the step lacks as another op's kernel would leave them.
    void fillAbsent(TensorId id, const Step& step) {
        const std::size_t present = presentOf(id, step), all = static_cast<std::size_t>(engine::plan::elementCount(desc(id)));
        constexpr float kAnything = 0.25F;
        for (std::size_t i = present; i < all; ++i) {
            if (isFloat(id)) {
                store(id, i, isGradient(id) ? 0.0F : kAnything);
            } else {
                const std::size_t size = engine::tensor::sizeOf(desc(id).dtype);
                std::memset(hostOf(id).data() + i * size, 0, size);
            }
        }
    }

    void compare(TensorId id, const Step& step) {
        const std::size_t present = presentOf(id, step);
        if (!isFloat(id)) {
            const std::size_t size = engine::tensor::sizeOf(desc(id).dtype);
            const std::span<std::byte> memory = hostOf(id);
            const std::vector<std::byte> expected(memory.begin(), memory.end());
            toHost(id);
            EXPECT_EQ(std::memcmp(expected.data(), memory.data(), present * size), 0) << desc(id).name;
            return;
        }
        const std::vector<float> expected = floatsOf(id);
        toHost(id);
        const std::vector<float> actual = floatsOf(id);
        const bool is_sum = !engine::plan::hasBatchAxis(desc(id));
        const bool is_low = engine::tensor::isLow(desc(id).dtype);
        const double tolerance = is_sum || isGradient(id) ? tolerance_.sums : tolerance_.values;
        const double neighbour = desc(id).dtype == engine::tensor::DType::kFloat16 ? 0x1.02p-10 : 0x1.02p-7;  // where a value is low
        for (std::size_t i = 0; i < actual.size(); ++i) {
            const std::string where = desc(id).name + "[" + std::to_string(i) + " of " + std::to_string(actual.size()) + "]";
            if (i >= present) {
                const bool is_gradient = isGradient(id) && desc(id).role == engine::plan::TensorRole::kActivation;
                if (is_gradient ? actual[i] != 0 : !std::isfinite(actual[i])) {
                    ADD_FAILURE() << where << ", of a sample that the step lacks: " << actual[i];
                    return;
                }
                continue;
            }
            if (std::isnan(expected[i]) && std::isnan(actual[i])) continue;
            const double size = std::abs(static_cast<double>(expected[i])),
                         difference = std::abs(static_cast<double>(actual[i]) - expected[i]);
            if (actual[i] == expected[i] || difference <= tolerance * std::max(1.0, size) + (is_low ? neighbour * size : 0)) continue;
            ADD_FAILURE() << where << ": expected " << expected[i] << ", got " << actual[i];
            return;
        }
    }

    engine::plan::Plan plan_;
    Bind bind_;
    CudaOpTolerance tolerance_;
    std::vector<std::byte> host_;
    engine::backend::Variables variables_;
    engine::backend::reference::Interpreter interpreter_;
    CudaMemory parameters_, fault_, indices_;
    std::vector<std::unique_ptr<CudaMemory>> device_;  // by tensor; null: that of another
    std::optional<Context> context_;
    std::set<std::string> seen_;
};

}  // namespace tests::support
