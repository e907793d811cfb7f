// tf.distribute.coordinator.ClusterCoordinator for a program of one's own: the chief schedules functions, any free worker runs each, the
// model's variables live on ps tasks. For parameter servers read this header first.
//
// A native program can't send a function to another process. So the same program runs on every task of the cluster, each with its
// TF_CONFIG; all of them make the model, the data sets and the functions, by name; then workers and ps serve, and the chief goes on:
//
//   int main() {
//       const ParameterServerStrategy strategy;
//       Model model = strategy.scope().model(model_spec, {"SGD", {{"learning_rate", 0.1}}});
//       ClusterCoordinator coordinator(strategy);
//       PerWorkerDataset dataset = coordinator.createPerWorkerDataset([&](int worker) {
//           return strategy.distribute(samples, {.global_batch = 16, .repeat = 1000, .shuffle = 64, .seed = std::uint64_t(worker)});
//       });
//       coordinator.define("train step", [&](const WorkerCall&) -> Values {
//           const DistributedBatch inputs = dataset.next();
//           const auto losses = strategy.run(model, inputs, [&](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / 16); });
//           return {.numbers = {strategy.reduceFirstAxis(ReduceOp::kMean, losses)}};
//       });
//       if (coordinator.isServer()) return coordinator.serve();
//
//       RemoteValue loss;
//       for (int step = 0; step < 100; ++step) loss = coordinator.schedule("train step");
//       coordinator.join();
//       std::cout << coordinator.fetch(loss).numbers[0] << ", kernel " << model.values("dense/kernel")[0] << '\n';
//   }
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "agent/distributed/parameter_server_strategy.h"
#include "agent/transport/function_values.h"
#include "engine/custom_training/distributed_dataset.h"

namespace agent::distributed {

// The values that go with a function and come back from it: `numbers` and `bytes`, 256 KiB together at the most.
using Values = worker::FunctionValues;

// A function as a worker runs it. Lives as long as the call.
struct WorkerCall {
    int worker = 0;  // whose call this is: "worker 0" of the cluster
    const Values& arguments;
};
using Function = std::function<Values(const WorkerCall&)>;

// The result of a scheduled function, once it has run: ClusterCoordinator::fetch() gives it. Copies mean the same result.
class RemoteValue {
public:
    RemoteValue() = default;

private:
    friend class ClusterCoordinator;
    explicit RemoteValue(std::shared_ptr<const void> result) : result_(std::move(result)) {}

    std::shared_ptr<const void> result_;
};

// A data set of each worker's own. Copies draw from the same one. A worker that was lost and comes back begins at its start.
class PerWorkerDataset {
public:
    // Within a function on a worker: its next batch. Throws Error(kOutOfRange) at the end of the data, kFailedPrecondition on other tasks.
    engine::custom_training::DistributedBatch next();
    // Begins the data anew, in the same order.
    void restart();

private:
    friend class ClusterCoordinator;
    struct State;
    explicit PerWorkerDataset(std::shared_ptr<State> state) : state_(std::move(state)) {}

    std::shared_ptr<State> state_;
};

struct CoordinatorOptions {
    std::size_t queue_limit = 262144;                                    // functions that wait: schedule() waits for room
    std::chrono::milliseconds function_deadline{std::chrono::hours(1)};  // of one function on a worker that is alive
};

// Owned by the program, one for a strategy; used by one thread. On the chief a thread for each worker hands functions to that worker.
//
// Each function runs at least once: one whose worker is lost goes back to the queue and is run by another, or by that worker when its
// process was started again. What the lost one had pushed to the servers stays, so a function may have had an effect twice.
// A lost ps is an error of the functions that needed it (kUnavailable, naming it): the program is started again on all tasks.
class ClusterCoordinator {
public:
    explicit ClusterCoordinator(const ParameterServerStrategy& strategy, const CoordinatorOptions& options = {});
    // On the chief the destructor ends the cluster: functions that wait are dropped, one under way gets two seconds, workers and ps are
    // told that they may end, and a worker that is not there is waited for up to five seconds.
    ~ClusterCoordinator();

    // Names a function. Every task calls it alike, before serve() and the first schedule(). Throws Error(kInvalidArgument) for a name that
    // is empty or taken, kFailedPrecondition when it is too late.
    void define(const std::string& name, Function function);
    // `make` runs on each worker, with its index, when it draws the first batch.
    PerWorkerDataset createPerWorkerDataset(std::function<engine::custom_training::DistributedDataset(int worker)> make);

    // True when this task is a worker or a ps.
    bool isServer() const;
    // A worker runs functions on this thread here, a ps serves the variables. Returns 0, for main(), when the coordinator has ended the
    // cluster. When the coordinator is lost, the task waits for it, so that it may be started again: the variables are still there. Throws
    // Error: kAlreadyExists (the task's port is in use), kDeadlineExceeded (naming what did not come within start_timeout), kUnavailable
    // (naming the coordinator, when it was lost and did not come back within start_timeout), kFailedPrecondition (on the chief; another
    // program's task), kCancelled.
    int serve();

    // Called on the chief: hands a function to the next free worker. Returns at once, or when the queue has room. Throws Error: that of a
    // function which has failed since the last call of schedule(), join() or done(), once; kNotFound for a name that was not defined;
    // kInvalidArgument for arguments that are too large; kDeadlineExceeded or kUnavailable when every worker has been away for
    // start_timeout.
    RemoteValue schedule(std::string_view function, Values arguments = {});
    // Waits until every function has run; throws as schedule(). After a function's error those that waited are dropped, and the coordinator
    // can be used as before.
    void join();
    // True when join() would return at once; throws as schedule().
    bool done();
    // Waits until that function has run and returns its values. Throws what it threw, kCancelled when it was not run.
    Values fetch(const RemoteValue& value);

private:
    class Impl;
    const std::unique_ptr<Impl> impl_;
};

}  // namespace agent::distributed
