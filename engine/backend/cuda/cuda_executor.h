// The executor of this folder. Others use makeExecutor() of engine/backend/cuda_backend.h; tests look at single tensors here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/gradient_region.h"
#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/packet_writer.h"
#include "engine/backend/cuda/session.h"
#include "engine/backend/cuda/step_packet.h"
#include "engine/backend/cuda/training/step_kernels.h"
#include "engine/backend/cuda/update_rules.h"
#include "engine/backend/executor.h"

namespace engine::backend::cuda {

// A step is one graph, or, where the host takes part (sums over its memory, a loss of the program's own), pieces with the host's work
// between them. Steps go in packets: what they bring is copied to the device at once, they run one after the other, their headers come back
// at once. While one packet runs the next one is made.
class CudaExecutor final : public Executor {
public:
    // Errors: kResourceExhausted with what the plan needs and what is free.
    CudaExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options, std::shared_ptr<Session> session);
    ~CudaExecutor() override;

    StepResult trainStep(const tensor::BatchView& batch, const StepControl& control) override;
    bool queuesSteps() const override { return mayQueue(); }
    void trainSteps(const NextStep& next, const StepDone& done) override;
    StepResult evaluateStep(const tensor::BatchView& batch) override;
    void predictStep(const tensor::BatchView& batch, std::span<float> output) override;
    void syncVariables() override;
    void reloadVariables() override;
    std::string describe() const override;
    std::string planText() const override;

    // A float32 tensor between two steps: for tests of single layers.
    std::vector<float> read(plan::TensorId id) const;
    void write(plan::TensorId id, std::span<const float> values);

private:
    enum class Way { kTrain, kEvaluate, kPredict };
    enum class Action { kGraph, kStartReduction, kAwaitReduction, kReadVariables, kCustomLoss };
    struct Entry {
        Action action = Action::kGraph;
        int op = 0;  // in the plan; of reductions the bucket
        RunnableGraph graph{};
    };
    using Schedule = std::vector<Entry>;

    void prepareInRoom(Variables& variables, const ExecutorOptions& options);
    void prepare(Variables& variables, const ExecutorOptions& options);
    void release();  // what prepare() has made
    std::string outOfMemoryText(const Variables& variables) const;
    void allocate(Variables& variables, const ExecutorOptions& options);
    void placeTensors(Variables& variables);
    void bindAll();
    Schedule capture(Way way);
    const Schedule& scheduleOf(Way way);

    bool mayQueue() const;
    void start(StepPacket& packet, Way way);
    void runPieces(const Schedule& schedule);
    void finish(StepPacket& packet, const StepDone& done);
    void abandon() noexcept;  // what is under way, after an error: until none of it touches memory
    void await(const StepPacket& packet) const;
    StepResult runOne(const tensor::BatchView& batch, const StepControl& control, Way way);
    StepResult resultOf(const StepPacket& packet, std::int64_t step) const;

    void readVariables(const plan::Op& op);
    void callCustomLoss(const plan::Op& op);
    std::int64_t headerElements() const;
    std::string precisionText() const;

    const plan::Plan plan_;
    const std::shared_ptr<Session> session_;
    distribute::Collective* const collective_;
    distribute::StreamCollective* const on_streams_;  // null: sums go by the host's memory
    const CustomLoss loss_;
    const UpdateRules rules_;
    PacketWriter writer_;

    std::shared_ptr<DeviceVariables> variables_;
    DeviceMemory private_, scratch_, current_, feed_;
    std::int64_t scratch_bytes_ = 0;  // what scratch_ is to have
    std::optional<GradientRegion> region_;
    std::optional<Context> context_;
    std::vector<BoundOp> ops_;  // by index in the plan
    std::optional<Schedule> train_, evaluate_, predict_;

    std::array<StepPacket, 2> packets_;  // they take turns
    std::size_t next_packet_ = 0;
    const tensor::BatchView* batch_ = nullptr;  // of a step with a loss of the program's own
    StepTiming timing_;
};

}  // namespace engine::backend::cuda
