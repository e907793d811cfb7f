// What a ps task holds: its variables with their slots, and the updates that it makes of what workers push. The header to read first of
// this folder.
//
//   worker:  pull variables -> gradients -> push each bucket as it is complete -> pull ...
//   server:  give() once, by the chief; then each push is an update at once, whoever else is computing
//
// Nothing here knows how bytes travel: a worker's gradients lie in a region that the server can read (shared memory, or where a message was
// written to), and what workers pull is copied out of memory().
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/parameter_server/push.h"
#include "engine/parameter_server/step_gate.h"
#include "engine/parameter_server/store_layout.h"
#include "engine/plan/strategies/parameter_server.h"
#include "engine/spec/events/task_event.h"
#include "engine/tensor/tensor_memory.h"
#include "engine/thread/mutex.h"

namespace engine::parameter_server {

using ExecutorFactory = std::unique_ptr<backend::Executor> (*)(const plan::Plan&, backend::Variables&, const backend::ExecutorOptions&);

struct StoreOptions {
    ExecutorFactory make_executor = nullptr;    // of the processor: it works on the variables themselves
    std::span<std::byte> memory;                // zeroed, 64-byte aligned, layout().bytes at least; outlives the store. Empty: its own
    std::optional<std::int64_t> max_staleness;  // of server 0
};

// Where the epochs of a run begin: epoch `epoch`, from 0, behind `step` steps of all workers, and the others at the distance of its length.
// The chief says it once, with the values; every task asks the servers, so that no two ever disagree about an epoch's end.
struct EpochOrigin {
    std::int64_t epoch = 0;
    std::int64_t step = 0;  // below 0 where a branch counts on in longer epochs than those of its file
    friend bool operator==(const EpochOrigin&, const EpochOrigin&) = default;
};

// All values that a server begins with: parameters, states and slots as plan::layoutVariables() has them.
struct GivenValues {
    std::span<const std::byte> variables;
    std::int64_t updates = 0;  // that they have had: where formulas that count steps go on
    std::int64_t global_step = 0;
    EpochOrigin origin{};
};

// Owned by the ps task. give() and the sessions' calls may come from different threads: a variable's update is never mixed with another one
// of the same bucket, buckets are updated at the same time. Reading memory() is not kept from going on beside updates, as TensorFlow's
// reads are not: a float is old or new, never torn.
class ParameterStore {
public:
    // `plans` is what plan::serverPlans() made for this server, of a worker's plan with so many buckets.
    ParameterStore(std::vector<plan::ServerPlan> plans, std::size_t buckets, const StoreOptions& options);
    ~ParameterStore();

    const StoreLayout& layout() const { return layout_; }
    std::span<const std::byte> memory() const { return memory_; }
    std::size_t variableBytes() const;                            // of GivenValues
    std::size_t bucketCount() const { return versions_.size(); }  // of the worker's plan
    std::uint64_t generation() const { return state().generation.load(std::memory_order_acquire); }
    std::int64_t globalStep() const { return state().global_step.load(std::memory_order_acquire); }
    // Variables with slots, as memory().
    const backend::Variables& variables() const { return *variables_; }
    StepGate& gate() { return gate_; }
    void end() { state_->is_over.store(1, std::memory_order_release); }
    const StoreState& state() const { return *state_; }
    // What was done since the store was made; any thread.
    struct Load {
        std::int64_t updates = 0, steps = 0;  // pushes that were applied, and those of them that ended a step
        std::int64_t pulled_bytes = 0, pushed_bytes = 0;
        std::array<std::int64_t, spec::kStalenessPlaces> staleness{};  // updates by their staleness, as spec::ServerLoad has them
    };
    Load load() const;

    // Throws Error(kInvalidArgument) for another number of bytes. Waits for updates that are being made; what was computed from earlier
    // values is void from then on.
    void give(const GivenValues& values);

    // What the worker's steps of an epoch add up to, and what those of all workers do. The last 256 epochs are kept: of one before them
    // there are no sums, and nobody is waited for. Any thread; throws Error(kInvalidArgument) for another number of sums than other workers
    // have told.
    void tellEpoch(int worker, const EpochSums& told);
    EpochSums epochSums(std::int64_t epoch) const;
    void setLearningRate(float rate);
    void openEpochs(std::int64_t epochs) { state_->open_epochs.store(epochs, std::memory_order_release); }
    // Whoever knows connections says it: workers that wait for the chief see it in state(). Any thread.
    void setChiefHere(bool is_here) { state_->chief_is_here.store(is_here ? 1 : 0, std::memory_order_release); }

    // The store's end of one worker's connection; one thread at a time. It must be destroyed before the store.
    class Session {
    public:
        // `region` has the layout of the worker's gradients (plan::Plan::shared_bytes) and outlives the session.
        Session(ParameterStore& store, int worker, std::span<std::byte> region);
        ~Session();
        // The bucket's gradients lie in the region, whole. Throws Error(kInvalidArgument) for a bucket of which the server holds nothing.
        PushReply push(const PushRequest& request);

    private:
        ParameterStore& store_;
        const int worker_;
        std::vector<std::unique_ptr<backend::Executor>> executors_;  // by the store's plans
    };

private:
    struct Bucket {
        Mutex mutex;  // of the variables whose gradients it has
    };

    void countStaleness(std::int64_t updates);
    std::atomic<std::int64_t>& version(std::size_t bucket) const { return versions_[bucket]; }

    const std::vector<plan::ServerPlan> plans_;
    const StoreLayout layout_;
    const ExecutorFactory make_executor_;
    tensor::TensorMemory own_memory_;
    std::span<std::byte> memory_;
    StoreState* state_ = nullptr;                    // in memory_
    std::span<std::atomic<std::int64_t>> versions_;  // in memory_
    std::unique_ptr<backend::Variables> variables_;  // in memory_
    std::vector<std::unique_ptr<Bucket>> buckets_;   // by plan
    std::atomic<std::int64_t> steps_{0}, pulled_bytes_{0}, pushed_bytes_{0};
    std::array<std::atomic<std::int64_t>, spec::kStalenessPlaces> by_staleness_{};
    StepGate gate_;
    mutable Mutex epochs_mutex_;
    std::map<std::int64_t, std::map<int, EpochSums>> epochs_ TANDEM_GUARDED_BY(epochs_mutex_);  // by epoch, by worker
};

}  // namespace engine::parameter_server
