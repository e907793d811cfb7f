// How each layer learns: measured in a few steps of a run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/dead_units.h"
#include "engine/train/executor_factory.h"
#include "engine/train/fit/task_executors.h"

namespace engine::train {

struct LayerWatchOptions {
    ExecutorFactory make_executor = nullptr;
    int threads = 1;
    // See TaskExecutorsOptions::connect_devices.
    std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)> connect_devices{};
};

// Executors keep no gradients: the update is often part of the op that makes them. So a measured step is done twice. First a twin of the
// executor of training, with the same strategy, devices, collective and batch, but copies of the weights and momentum from 0 in place of
// the optimizer, leaves the gradient in its slots, as the run's strategy sums it over the replicas: before clipping, accumulation and
// weight decay. Then the run does its step, and what that changed is the update. The run itself is not touched: it trains bit for bit what
// it trains without.
//
// It works in runs with fit.histogram_freq above 0, after steps 1, 2, 5, 10, 20, 50, 100, then every hundredth up to 1000, and every five
// hundredth from there on (where gradients are accumulated, the next one that updates the weights). A measured step costs the task that
// tells about six steps more (the convolutional net of mnist_mirrored on one thread, processor time of runs with and without): the
// gradient, a prediction of the batch, layer by layer, and norms of all weights; so beyond step 1000 a run takes about one part in a
// hundred longer. It also needs memory for a second set of activations.
//
// All replicas measure at the same steps, the chief tells. With parameter servers nothing is summed: one worker (the chief, or worker 0 of
// those that a coordinator lets train) measures its own batch, at weights that it pulls just before; its updates are what all workers
// together changed on the servers meanwhile.
//
// Owned by the trainer; one thread.
class LayerWatch {
public:
    // `batch`: samples of this task's largest one. `run` and `task` are copied, `collective` (null for a task alone) outlives it.
    LayerWatch(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, LayerWatchOptions options,
               std::int64_t batch);
    ~LayerWatch();

    // Called before the first step of this start, of which `done` lie behind. `region` is what the collective reduces in, as the executor
    // of training has it; both never reduce at once.
    void begin(std::int64_t done, std::span<std::byte> region);
    // True when the step that ends as number `step`, from 1, is to be measured. Always false in a run that is not watched.
    bool isDue(std::int64_t step) const { return next_ > 0 && step >= next_; }
    // How many steps may follow `done` until one is due; the largest number where none is.
    std::int64_t stepsUntilDue(std::int64_t done) const;

    // Called before that step, on every replica: `now` are the weights as they are. Throws Error as plan::lower, the factory, and the
    // collective.
    void look(const backend::Variables& now, const tensor::BatchView& batch, const backend::StepControl& control);
    // Called after it, number `step`, with the weights as they are then. nullopt on a task that does not tell.
    std::optional<spec::LayerReport> report(std::int64_t step, std::int32_t epoch, const backend::Variables& now);

private:
    struct Variable {
        std::string name;
        std::size_t layer = 0;      // index of layers_
        std::vector<float> before;  // the step that is measured
    };
    void findVariables();
    // The index in layers_, where the layer is added when it is not there.
    std::size_t placeOf(const std::string& layer);

    const spec::RunSpec run_;  // with the twin's optimizer
    const spec::TaskPlan task_;
    distribute::Collective* const collective_;
    const LayerWatchOptions options_;
    const std::int64_t batch_;
    const std::int64_t update_every_;  // steps
    const bool measures_, tells_;

    std::span<std::byte> region_;
    std::int64_t next_ = 0;                                // step that is due; 0: none
    std::unique_ptr<TaskExecutors> twin_;                  // made for the first one
    std::unique_ptr<DeadUnits> dead_;                      // the same, where it tells
    std::vector<Variable> variables_;                      // that are trained
    std::vector<spec::LayerMeasure> layers_;               // of the last look, in the model's order
    std::unordered_map<std::string, std::size_t> places_;  // in layers_, by name
    std::int64_t samples_ = 0;                             // that dead units were counted over
};

// The first step behind `done` that is measured, where every `update_every`-th changes the weights.
std::int64_t nextMeasuredStep(std::int64_t done, std::int64_t update_every);

}  // namespace engine::train
