#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/distribute/named_rows.h"
#include "engine/plan/op_table.h"
#include "engine/plan/strategies/row_tables.h"
#include "engine/spec/error.h"

namespace engine::backend {
namespace {

using reference::Interpreter;

class Stopwatch {
public:
    // Microseconds since the last call.
    float lap() {
        const auto now = std::chrono::steady_clock::now();
        const float us = std::chrono::duration<float, std::micro>(now - last_).count();
        last_ = now;
        return us;
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

class ReferenceExecutor final : public Executor {
public:
    ReferenceExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options)
        : collective_(options.collective),
          parameters_(options.parameters),
          loss_(options.loss),
          interpreter_(plan, variables, options.region) {
        requirePeers(plan, options);
        if (parameters_ == nullptr) return;
        tables_ = plan::rowTables(plan);
        for (const plan::RowTable& table : tables_) named_.emplace_back(table.rows);
    }

    StepResult trainStep(const tensor::BatchView& batch, const StepControl& control) override {
        if (!plan().training)
            throw Error(ErrorCode::kFailedPrecondition, "executor: expected a training plan, got one that runs forward only");
        const Interpreter::Step step{.batch = &batch, .control = control, .samples = samplesOf(batch)};
        StepResult result;
        writeControl(control);
        for (const plan::Op& op : plan().ops) {
            Stopwatch watch;
            if (plan::rowOf(op.kind).family == plan::OpFamily::kCollective) {
                exchange(op, step.samples);
                result.timing.reduce_us += watch.lap();
                continue;
            }
            op.kind == plan::OpKind::kCustomLoss ? customLoss(op, step) : interpreter_.run(op, step);
            float& spent = op.kind == plan::OpKind::kGather   ? result.timing.input_us
                           : op.phase == plan::Phase::kUpdate ? result.timing.apply_us
                                                              : result.timing.compute_us;
            spent += watch.lap();
        }
        readHeader(result);
        return result;
    }

    StepResult evaluateStep(const tensor::BatchView& batch) override {
        const Interpreter::Step step{.batch = &batch, .control = {}, .samples = samplesOf(batch)};
        requireForwardPlan();
        if (batch.labels == nullptr) throw Error(ErrorCode::kInvalidArgument, "batch: expected labels for an evaluation, got none");
        StepResult result;
        writeControl({});
        for (const plan::Op& op : plan().ops) interpreter_.run(op, step);
        readHeader(result);
        return result;
    }

    void predictStep(const tensor::BatchView& batch, std::span<float> output) override {
        requireForwardPlan();
        const std::int64_t samples = samplesOf(batch);
        const Interpreter::Step step{.batch = &batch, .control = {}, .samples = samples};
        const std::size_t expected = interpreter_.floats(plan().output, samples).size();
        if (output.size() != expected) {
            throw Error(ErrorCode::kInvalidArgument,
                        "prediction: expected room for " + std::to_string(expected) + " values, got " + std::to_string(output.size()));
        }
        for (const plan::Op& op : plan().ops) {
            if (!plan::rowOf(op.kind).belongs_to_loss) interpreter_.run(op, step);
        }
        const std::span<const float> values = interpreter_.floats(plan().output, samples);
        std::copy(values.begin(), values.end(), output.begin());
    }

    // It works on the store itself.
    void syncVariables() override {}
    void reloadVariables() override {}

    std::string describe() const override { return "reference"; }
    std::string planText() const override { return plan::toString(plan()); }

private:
    const plan::Plan& plan() const { return interpreter_.plan(); }

    std::int64_t samplesOf(const tensor::BatchView& batch) const {
        const auto samples = static_cast<std::int64_t>(batch.indices.size());
        if (samples > plan().batch) {
            throw Error(ErrorCode::kInvalidArgument,
                        "batch: expected " + std::to_string(plan().batch) + " samples at most, got " + std::to_string(samples));
        }
        return samples;
    }

    void requireForwardPlan() const {
        if (plan().training)
            throw Error(ErrorCode::kFailedPrecondition, "executor: expected a plan that runs forward only, got a training plan");
    }

    void writeControl(const StepControl& control) {
        const std::span<float> header = interpreter_.floats(plan().header);
        std::fill(header.begin(), header.end(), 0.0F);
        header[plan::StepHeader::kControl] = control.control;
        header[plan::StepHeader::kControlValue] = control.control_value;
    }

    void readHeader(StepResult& result) {
        const std::span<const float> header = interpreter_.floats(plan().header);
        result.loss_sum = header[plan::StepHeader::kLossSum];
        result.correct = header[plan::StepHeader::kCorrect];
        result.count = header[plan::StepHeader::kCount];
        result.control = header[plan::StepHeader::kControl];
        result.control_value = header[plan::StepHeader::kControlValue];
        result.header = header;
    }

    void pull(std::int64_t samples) {
        pulled_rows_.clear();
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            named_[i].clear();
            for (const plan::TensorId id : tables_[i].ids) named_[i].add(interpreter_.floats(id, samples));
            pulled_rows_.push_back(named_[i].take());
        }
        parameters_->pull(pulled_rows_);
    }

    // Exchanges with the other replicas or the parameter servers.
    void exchange(const plan::Op& op, std::int64_t samples) {
        switch (op.kind) {
            case plan::OpKind::kPull:
                return pull(samples);
            case plan::OpKind::kPush:
                parameters_->startPush(op.bucket);
                return parameters_->awaitPush(op.bucket);
            case plan::OpKind::kReadVariables:
                return readVariables(op);
            default:
                return reduce(op);
        }
    }

    void reduce(const plan::Op& op) {
        const std::span<float> bucket = interpreter_.bucketMemory(plan().buckets[static_cast<std::size_t>(op.bucket)]);
        const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
        collective_->wait(route == nullptr ? collective_->startAllReduceSum(bucket) : collective_->startReduceSum(bucket, *route));
    }

    void customLoss(const plan::Op& op, const Interpreter::Step& step) {
        const std::span<float> gradient = interpreter_.floats(op.outputs.front(), step.samples);
        std::fill(gradient.begin(), gradient.end(), 0.0F);
        const CustomLossCall call{
            .batch = *step.batch, .outputs = interpreter_.floats(op.inputs.front(), step.samples), .gradient = gradient};
        const std::span<float> header = interpreter_.floats(plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(loss_(call));
        header[plan::StepHeader::kCount] = static_cast<float>(step.samples);
    }

    void readVariables(const plan::Op& op) {
        for (plan::TensorId id : op.outputs) {
            collective_->broadcast(std::as_writable_bytes(interpreter_.floats(id)), std::get<spec::ReduceRoute>(op.attributes).main);
        }
    }

    distribute::Collective* collective_;
    distribute::ParameterExchange* parameters_;
    std::vector<plan::RowTable> tables_;
    std::vector<distribute::NamedRows> named_;                // by table
    std::vector<std::span<const std::int64_t>> pulled_rows_;  // in named_
    const CustomLoss loss_;
    Interpreter interpreter_;
};

}  // namespace

std::unique_ptr<Executor> makeReferenceExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
    return std::make_unique<ReferenceExecutor>(plan, variables, options);
}

}  // namespace engine::backend
