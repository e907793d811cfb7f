// The executor of this folder. Others use makeExecutor() of engine/backend/cuda_backend.h; tests look at single tensors here.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/handles.h"
#include "engine/backend/cuda/session.h"
#include "engine/backend/cuda/training/step_kernels.h"
#include "engine/backend/executor.h"
#include "engine/backend/label_reader.h"

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

    // What a packet of steps brings and gives back, on both sides. Two of them take turns.
    struct Packet {
        PinnedMemory feed, steps, indices, results, staged;
        DeviceMemory device_steps, device_indices, device_results, device_staged;  // results: faults, then headers
        Event uploaded, done;
        std::int64_t count = 0;
        std::size_t staged_bytes = 0;  // of `staged`, by the steps so far
        bool is_under_way = false;
        std::chrono::steady_clock::time_point begin{};
    };

    void prepareInRoom(Variables& variables, const ExecutorOptions& options);
    void prepare(Variables& variables, const ExecutorOptions& options);
    void release();  // what prepare() has made
    std::string outOfMemoryText(const Variables& variables) const;
    void allocate(Variables& variables, const ExecutorOptions& options);
    void placeTensors(Variables& variables);
    void bindAll();
    std::size_t ruleOf(const plan::Op& op) const;
    void findRules();
    Schedule capture(Way way);
    const Schedule& scheduleOf(Way way);

    void requireSamples(const tensor::BatchView& batch) const;
    bool mayQueue() const;
    std::int64_t stagedBytes(const tensor::BatchView& batch) const;
    // Room for one more step with such a batch.
    bool takes(const Packet& packet, const tensor::BatchView& batch) const;
    void add(Packet& packet, const tensor::BatchView& batch, const StepControl& control);
    void stage(Packet& packet, const tensor::BatchView& batch, StepParameters& step);
    const float* onDevice(const float* values, std::size_t count, std::size_t which);
    void start(Packet& packet, Way way);
    void runPieces(const Schedule& schedule);
    void finish(Packet& packet, const StepDone& done);
    void abandon() noexcept;  // what is under way, after an error: until none of it touches memory
    void await(const Packet& packet) const;
    StepResult runOne(const tensor::BatchView& batch, const StepControl& control, Way way);
    StepResult resultOf(const Packet& packet, std::int64_t step) const;
    std::size_t faultBytes() const;  // of a packet's results; the headers follow

    void startReduction(int bucket);
    void awaitReduction(int bucket);
    void readVariables(const plan::Op& op);
    void callCustomLoss(const plan::Op& op);
    std::span<float> hostBucket(int bucket) const;
    std::byte* deviceBucket(int bucket) const;
    std::int64_t headerElements() const;
    std::string precisionText() const;

    const plan::Plan plan_;
    const std::shared_ptr<Session> session_;
    distribute::Collective* const collective_;
    distribute::StreamCollective* const on_streams_;  // null: sums go by the host's memory
    const CustomLoss loss_;
    std::optional<LabelReader> labels_;

    std::shared_ptr<DeviceVariables> variables_;
    DeviceMemory private_, shared_, scratch_, current_, feed_;
    std::int64_t scratch_bytes_ = 0;  // what scratch_ is to have
    std::span<std::byte> region_;     // the host's, of what is reduced there; or mirrored around each step (tests, probes)
    PinnedMemory own_region_;
    RegisteredMemory registered_region_;
    bool mirrors_region_ = false;
    std::optional<Context> context_;
    std::vector<BoundOp> ops_;  // by index in the plan
    std::vector<spec::ObjectSpec> rule_specs_;
    std::vector<plan::UpdateRule> rules_;
    std::optional<Schedule> train_, evaluate_, predict_;

    std::array<Packet, 2> packets_;
    std::size_t next_packet_ = 0;
    std::int64_t most_steps_ = 1;  // of a packet
    struct Scales {
        std::vector<float> host;
        DeviceMemory device;
    };
    std::array<Scales, 2> scales_;  // scales and offsets by element
    std::vector<std::uint64_t> tickets_;
    const tensor::BatchView* batch_ = nullptr;  // of a step with a loss of the program's own
    StepTiming timing_;
};

}  // namespace engine::backend::cuda
