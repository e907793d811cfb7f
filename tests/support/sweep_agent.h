// An agent that trains what a sweep asks for at once: every submitted run tells the ends of its epochs, up to fit.epochs, and is done. A
// run whose folder had one goes on behind the epochs of that. A test says what each run reaches.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/run_state.h"
#include "tests/support/fake_agent_client.h"

namespace tests {

struct SweepWorld : FakeAgentWorld {
    // val_accuracy at the end of an epoch, from 1.
    std::function<double(const engine::spec::RunSpec& run, std::int64_t epoch)> value;
    // Runs end as that; the text is the reason of a failure.
    std::function<std::string(const engine::spec::RunSpec& run)> failure;
    std::function<void(const agent::client::SubmitRequest& request)> refusal;  // throws what the agent answers in place of beginning a run
    std::function<bool(const engine::spec::RunSpec& run)> is_held;             // such runs train one epoch and go on until they are stopped
    std::map<std::string, std::int64_t> epochs;                                // done, by run
    std::int64_t epochs_trained = 0;                                           // by all of them

    SweepWorld() { host.cores = 8; }

    // All of that under no lock: one thread submits.
    void train(const engine::run::RunInfo& run, const engine::spec::RunSpec& project, std::int64_t until) {
        std::vector<engine::spec::TaskEvent> told;
        for (std::int64_t& done = epochs[run.id]; done < until;) {
            ++done;
            ++epochs_trained;
            engine::spec::EpochEnd end{.epoch = static_cast<std::int32_t>(done - 1), .step = done * 10, .seconds = 0.5, .logs = {}};
            end.logs = {{"accuracy", 0.5}, {"loss", 1.0}, {"val_accuracy", value ? value(project, done) : 0.9}, {"val_loss", 0.3}};
            told.push_back({.time_unix_ns = run.created_unix_ns + done, .task = {"worker", 0}, .body = std::move(end)});
        }
        addEvents(run.id, std::move(told));
    }
};

class SweepAgent : public FakeAgentClient {
public:
    explicit SweepAgent(std::shared_ptr<SweepWorld> world) : FakeAgentClient(world), world_(std::move(world)) {}

    engine::run::RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds deadline) override {
        if (world_->refusal) world_->refusal(request);
        engine::run::RunInfo run = FakeAgentClient::submit(request, deadline);
        const std::string why = world_->failure ? world_->failure(request.run) : "";
        const bool is_held = world_->is_held && world_->is_held(request.run);
        world_->train(run, request.run, is_held ? 1 : request.run.fit.epochs);
        if (is_held) return run;
        world_->setState(run.id, why.empty() ? engine::run::RunState::kDone : engine::run::RunState::kFailed, why);
        return run;
    }

    // Trains behind the epochs of the run whose backup it begins with.
    agent::client::SubmittedJob submitJob(const agent::client::JobRequest& request, std::chrono::milliseconds deadline) override {
        agent::client::SubmittedJob job = FakeAgentClient::submitJob(request, deadline);
        const engine::run::RunInfo& run = job.runs.front();
        for (const engine::run::RunInfo& one : world_->runs) {
            const bool wrote = request.run.fit.initial_state && request.run.fit.initial_weights.starts_with(one.run_dir + "/");
            if (wrote && one.id != run.id) world_->epochs[run.id] = world_->epochs[one.id];
        }
        world_->train(run, request.run, request.run.fit.epochs);
        world_->setState(run.id, engine::run::RunState::kDone);
        return job;
    }

    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) override {
        FakeAgentClient::control(run_id, control, deadline);
        world_->setState(run_id, engine::run::RunState::kStopped);
    }

private:
    const std::shared_ptr<SweepWorld> world_;
};

}  // namespace tests
