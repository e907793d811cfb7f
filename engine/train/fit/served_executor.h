// The executor of a worker whose variables live on parameter servers: a step pulls, computes and pushes; a server that is lost is found
// again.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/backend/executor.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/train/executor_factory.h"
#include "engine/train/fit/parameter_servers.h"

namespace engine::train {

struct ServedOptions {
    bool is_chief = true;  // it gives the servers their values; others wait for that
    ExecutorFactory make_executor = nullptr;
    int threads = 1;
    // Called on the chief when servers that had values have none any more: fills the variables with what the run saved last, slots too, and
    // returns the number of steps that they have had.
    std::function<std::int64_t()> restore{};
    std::function<void(const std::string&)> waits{};  // for what, now and then; nothing to say is not told
    std::function<void(const std::string&)> warns{};  // what was lost
    std::function<bool()> is_cancelled{};
    std::chrono::milliseconds waiting_report{5000};
    // How long a chief that is waited for may be away from the servers. One that is started again by then is taken.
    std::chrono::milliseconds chief_away_at_most{600000};
};

// Owned by the trainer; one thread. `all` are the variables of plans().whole; they and `servers` outlive it. Every call throws Error as
// ParameterServers::connect() when servers that were lost are not found again, and distribute::PeerLost, which names the chief, when the
// call waits for the chief and that is away for longer than it may be.
class ServedExecutor final : public backend::Executor {
public:
    ServedExecutor(ParameterServers& servers, backend::Variables& all, ServedOptions options);
    ~ServedExecutor() override;

    // Called before the first step. The chief gives servers without values its own, of which `steps` were done, and its `origin`; servers
    // that have values keep them. Afterwards globalStep() is where the run is, and origin() where its epochs begin.
    void begin(std::int64_t steps, const parameter_server::EpochOrigin& origin);

    backend::StepResult trainStep(const tensor::BatchView& batch, const backend::StepControl& control) override;
    backend::StepResult evaluateStep(const tensor::BatchView& batch) override;
    void predictStep(const tensor::BatchView& batch, std::span<float> output) override;
    void syncVariables() override;    // servers -> variables, slots too; of a worker that holds the last values nothing
    void reloadVariables() override;  // of the chief: variables -> servers
    std::string describe() const override;
    std::string planText() const override;

    // A coordinator calls it in place of a step: looks where the workers are. It waits `look` where they are as they were.
    void watch(std::chrono::milliseconds look);
    // A coordinated worker tells what its steps of an epoch add up to so far, or altogether.
    void tellEpoch(std::int64_t epoch, std::span<const double> sums, bool is_whole);
    // A coordinator sets `sums` to what the workers have told of the epoch. Returns how many of them have told all of it.
    std::int64_t collectEpoch(std::int64_t epoch, std::span<double> sums);
    // A coordinator lets workers begin this epoch, counted from 0. Servers that are restored are told again.
    void openEpoch(std::int64_t epoch);
    // A coordinated worker waits here until it may begin the epoch, or the run is over, or servers that were restored have fewer steps than
    // this worker knows of: nobody else would take those again. Throws Error(kCancelled) for a stop. A chief that is there may validate,
    // save or pause for as long as it likes.
    void waitForEpoch(std::int64_t epoch);
    // A coordinated worker that knows of no step to take waits here while its chief is there, until that has opened the epoch behind the
    // last of `epochs`, which it does when it holds the last values, or the run is over, or steps were lost as above. Throws as above.
    void waitForEnd(std::int64_t epochs);
    // No step is left to take, and the variables hold what the servers held behind `steps`. From now on a worker asks the servers for
    // nothing more, and waits for none that is lost; a chief gives these values to one that is, in place of what was saved before.
    void hold(std::int64_t steps) { held_ = steps; }
    bool holds() const { return held_.has_value(); }
    // A coordinator tells the workers its rate; servers that are restored are told again.
    void tellLearningRate(float rate);
    // The rate that a coordinator has set since this was asked last.
    std::optional<float> takeToldRate();

    // Steps of all workers together, as of this worker's last one.
    std::int64_t globalStep() const { return global_step_; }
    // As the servers have it, whoever gave it.
    const parameter_server::EpochOrigin& origin() const { return origin_; }
    std::int64_t staleness() const { return staleness_; }  // of its last step
    // Another worker has said that the run has all its steps.
    bool isOver() const { return is_over_; }
    // The summary of all workers so far; none when a server is lost: after the last step nobody looks for it again.
    struct Summary {
        parameter_server::ParameterClient::Staleness staleness;
        std::int64_t global_step = 0;
    };
    std::optional<Summary> summary();
    // Bytes of a step of one worker, pulled and pushed, as the plan has them.
    std::int64_t plannedBytes() const { return client_->pulledBytes() + client_->pushedBytes(); }
    const std::string& description() const { return description_; }

private:
    void connect();
    void waitUntilReady();
    void takePlace();
    void hearRate(std::uint32_t changes, float rate);
    // `look` returns the servers' state, `isDone` whether the chief has done in it what is waited for.
    template <typename Look, typename Fact>
    void waitForChief(const std::string& to_do, Look look, Fact isDone);
    std::string chiefName() const { return chief_.empty() ? "the chief" : chief_; }
    void recover(const std::string& why);
    template <typename Call>
    auto withServers(Call call);

    ParameterServers& servers_;
    backend::Variables& all_;
    const ServedOptions options_;
    std::unique_ptr<parameter_server::ParameterClient> client_;
    std::unique_ptr<backend::Executor> executor_;
    std::string description_, chief_;  // as Connection has them
    bool saw_chief_ = false;           // at the present servers
    std::int64_t global_step_ = 0;
    parameter_server::EpochOrigin origin_;
    std::int64_t staleness_ = 0;
    bool is_over_ = false;
    std::uint32_t rate_changes_ = 0;  // heard of
    std::optional<float> told_rate_;
    std::optional<float> own_rate_;     // that this coordinator has told
    std::int64_t open_epochs_ = 0;      // that it has begun
    std::optional<std::int64_t> held_;  // steps behind the values that the variables keep to the end
};

}  // namespace engine::train
