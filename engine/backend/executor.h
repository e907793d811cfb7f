// Compiles a plan once, then runs it: one object per plan and back-end. Variables live in a Variables store that all plans of a run share
// (training, the smaller last batch, evaluation).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/distribute/collective.h"
#include "engine/distribute/parameter_exchange.h"
#include "engine/plan/plan.h"
#include "engine/tensor/batch_view.h"
#include "engine/tensor/tensor_memory.h"

namespace engine::backend {

// Weights, moving statistics and optimizer slots of a run, by name, in plan order; outlives every executor that uses it. Layout is always
// Keras' (C order); an executor that wants another layout keeps its own copy and refreshes this one in syncVariables().
class Variables {
public:
    // Allocates (64-byte aligned, zeroed) what the plan's parameters, states and slots need. Plans given to executors later must name the
    // same ones.
    explicit Variables(const plan::Plan& plan);
    // The same in memory of the caller's that outlives it: zeroed, 64-byte aligned, of plan.variable_bytes of a plan with a layout.
    Variables(const plan::Plan& plan, std::span<std::byte> memory);

    struct Entry {
        std::string name;  // "conv2d/kernel", "conv2d/kernel:m"
        spec::Shape shape;
        bool is_slot = false;
        bool is_state = false;  // no optimizer changes it: moving statistics, weights of a frozen layer
        float initial = 0;      // of a slot: before the first step
        std::span<float> values;
    };
    // Keras' weights in model order (parameters and states of a layer as Keras orders them), then slots.
    std::span<const Entry> entries() const { return entries_; }
    // Throws Error(kNotFound) for a name that the plan lacks.
    std::span<float> values(std::string_view name) const;

private:
    std::vector<Entry> entries_;
    std::unordered_map<std::string, std::size_t> by_name_;  // the place in entries_
    tensor::TensorMemory memory_;
};

struct StepControl {
    float learning_rate = 0.001F;
    std::int64_t iteration = 0;  // updates done before this one, from 0
    std::uint64_t seed = 0;
    std::uint64_t epoch = 0;  // keys of dropout's random numbers, with iteration
    float control = 0;        // chief: StepHeader::kControl
    float control_value = 0;
};

struct StepTiming {  // microseconds of this step on the calling thread
    float input_us = 0, compute_us = 0, wait_us = 0, reduce_us = 0, apply_us = 0;
};

struct StepResult {  // over all replicas
    double loss_sum = 0;
    double correct = 0;
    double count = 0;
    float control = 0;
    float control_value = 0;
    std::span<const float> header;  // all sums (plan::StepHeader, then those of metrics); until the executor's next step
    StepTiming timing;
};

// What a program's own loss (plan::withCustomLoss) is asked in the middle of a step, on the thread that called it.
struct CustomLossCall {
    const tensor::BatchView& batch;
    std::span<const float> outputs;  // (samples, elements of an output)
    // The same shape, zero at first: receives the derivatives of what is minimised. The replicas' gradients are added up, not averaged.
    std::span<float> gradient;
};
// Returns the sum of the examples' losses, for StepResult.
using CustomLoss = std::function<double(const CustomLossCall&)>;

struct ExecutorOptions {
    int threads = 1;
    // Must outlive the executor; null when nothing is reduced. The executor takes its shared region from `region` (of plan.shared_bytes at
    // least).
    distribute::Collective* collective = nullptr;
    std::span<std::byte> region;
    CustomLoss loss;  // of a plan with kCustomLoss
    // Samples that a processor takes through a training step at once, adding up the gradients (plan::pieceOf()); 0: plan::bestPiece(). The
    // batch of a plan that does not come in pieces stays whole.
    std::int64_t piece = 0;
    // Strips that a thread of a processor takes its samples in, one after the other, through neighbouring ops where these allow it. The
    // number is rounded down to a power of two, and to 32 strips of all threads together; where the number of threads does not divide 32
    // there are none. 0: what suits the caches. Results do not depend on it.
    int strips = 0;
    // Pulls and pushes the variables of a plan with kPull and kPush; must outlive the executor, and knows `region`.
    distribute::ParameterExchange* parameters = nullptr;
};

// A step that is asked for; false: there is none left.
using NextStep = std::function<bool(tensor::BatchView& batch, StepControl& control)>;
using StepDone = std::function<void(const StepResult& result)>;

// Throws Error(kInvalidArgument) when the plan has gradients for others and the options name nobody who takes them.
void requirePeers(const plan::Plan& plan, const ExecutorOptions& options);

// Calls come from one thread. Everything is allocated at construction; a step allocates nothing.
class Executor {
public:
    virtual ~Executor() = default;

    // One step of a training plan. batch.indices may hold fewer samples than plan.batch (also none): the step then takes part with what it
    // has.
    virtual StepResult trainStep(const tensor::BatchView& batch, const StepControl& control) = 0;
    // True when trainSteps() asks for steps ahead; otherwise calls of trainStep() cost no more than it.
    virtual bool queuesSteps() const { return false; }
    // The same as trainStep() for each batch that `next` gives, in order; `done` gets the results in the same order. Steps may be asked
    // for, and run, before the results of earlier ones are told: nothing waits for the host in between. A batch is read before the next one
    // is asked for.
    virtual void trainSteps(const NextStep& next, const StepDone& done) {
        tensor::BatchView batch;
        StepControl control;
        while (next(batch, control)) done(trainStep(batch, control));
    }
    // Loss and metrics of this replica's batch under a plan with training = false.
    virtual StepResult evaluateStep(const tensor::BatchView& batch) = 0;
    // `output` receives indices.size() * output elements floats, (B, classes).
    virtual void predictStep(const tensor::BatchView& batch, std::span<float> output) = 0;

    // The first call comes before anyone else reads the Variables, the second after anyone else wrote them.
    virtual void syncVariables() = 0;    // executor -> store
    virtual void reloadVariables() = 0;  // store -> executor

    // "cpu (AVX-512, 2 threads)".
    virtual std::string describe() const = 0;
    // The plan with the kernel chosen for each op at the end of its line.
    virtual std::string planText() const = 0;
};

// Slow, obvious loops: the oracle of every other back-end. Its steps do allocate.
std::unique_ptr<Executor> makeReferenceExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options);
// Own vectorised kernels (AVX-512, AVX2, portable; chosen at run time, TANDEM_CPU=avx512|avx2|portable forces one).
std::unique_ptr<Executor> makeCpuExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options);

}  // namespace engine::backend
