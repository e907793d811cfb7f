// An agent that trains what the equivalence lab asks for at once: every submitted run tells its losses and is done. A test says how far a
// row's weights end from the reference's, and what can't be trained.
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/run/run_state.h"
#include "tests/support/fake_agent_client.h"

namespace tests {

struct LabWorld : FakeAgentWorld {
    // Returns the difference of a run, by the project that was submitted; empty: nothing differs.
    std::function<engine::spec::WeightDifference(const engine::spec::RunSpec& run)> difference;
    // Why a project's plan can't be made; empty text: it can.
    std::function<std::string(const engine::spec::RunSpec& run)> obstacle;
    // Runs end as that; the text is the reason of a failure.
    std::function<std::string(const engine::spec::RunSpec& run)> failure;
    bool is_held = false;  // runs begin and go on until they are stopped

    LabWorld() {
        engine = [this](const engine::spec::EngineQuestion& question, const agent::client::AskOptions&) { return answer(question); };
    }

    engine::spec::EngineAnswer answer(const engine::spec::EngineQuestion& question) {
        namespace spec = engine::spec;
        if (std::holds_alternative<spec::TrafficQuestion>(question.asked)) {
            const std::string why = obstacle ? obstacle(question.run) : "";
            if (!why.empty()) throw engine::Error(engine::ErrorCode::kUnimplemented, why);
            return spec::StepTraffic{question.run.cluster.spec.empty() && question.run.strategy.devices.size() < 2 ? 0 : 2'800'000};
        }
        const std::string& checkpoint = std::get<spec::WeightsQuestion>(question.asked).checkpoint;
        const std::lock_guard lock(mutex);
        const auto of = [&](const engine::run::RunInfo& run) { return checkpoint.starts_with(run.run_dir + "/"); };
        const auto run = std::find_if(runs.begin(), runs.end(), of);
        if (run == runs.end()) throw engine::Error(engine::ErrorCode::kNotFound, checkpoint + ": expected a checkpoint, found none");
        return difference ? difference(spec::parseProject(run->project_json).run) : spec::WeightDifference{.values = 1000};
    }
};

// Losses that fall, a hundred steps a second.
inline engine::spec::StepPoints lossesOf(std::int64_t steps, std::int64_t from_unix_ns, double floor) {
    engine::spec::StepPoints points;
    engine::spec::Column loss{"loss", {}};
    for (std::int64_t step = 1; step <= steps; ++step) {
        points.step.push_back(step);
        points.epoch.push_back(0);
        points.time_unix_ns.push_back(from_unix_ns + step * 10'000'000);
        loss.values.push_back(
            static_cast<float>(floor + 2 * std::exp(-static_cast<double>(step) / 30) + 0.05 * std::sin(static_cast<double>(step))));
    }
    points.columns = {std::move(loss)};
    return points;
}

class LabAgent : public FakeAgentClient {
public:
    explicit LabAgent(std::shared_ptr<LabWorld> world) : FakeAgentClient(world), lab_(std::move(world)) {}

    engine::run::RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds deadline) override {
        engine::run::RunInfo run = FakeAgentClient::submit(request, deadline);
        const std::string why = lab_->failure ? lab_->failure(request.run) : "";
        const engine::spec::TaskId chief{"worker", 0};
        const bool is_served = request.local_servers > 0;
        const std::int64_t steps = is_served ? request.run.fit.steps : request.run.fit.steps_per_epoch;
        const auto told = [&](engine::spec::EventBody body) {
            return engine::spec::TaskEvent{.time_unix_ns = run.created_unix_ns, .task = chief, .body = std::move(body)};
        };
        const bool is_apart = request.local_workers > 1 && is_served;
        lab_->addEvents(run.id, {told(lossesOf(steps, run.created_unix_ns, is_apart ? 0.3 : 0.2))});
        if (lab_->is_held) return run;
        engine::spec::TaskFinished finished{.results = {}, .checkpoint = "checkpoints/ckpt_1", .weights_sha256 = {}};
        if (is_served) finished.results = {{"mean_staleness", is_apart ? 1.4 : 0.0}, {"largest_staleness", is_apart ? 3.0 : 0.0}};
        if (why.empty()) lab_->addEvents(run.id, {told(std::move(finished))});
        lab_->setState(run.id, why.empty() ? engine::run::RunState::kDone : engine::run::RunState::kFailed, why);
        return run;
    }

    void control(const std::string& run_id, const engine::spec::Control& control, std::chrono::milliseconds deadline) override {
        FakeAgentClient::control(run_id, control, deadline);
        if (control.verb == engine::spec::ControlVerb::kStopNow) lab_->setState(run_id, engine::run::RunState::kStopped);
    }

private:
    const std::shared_ptr<LabWorld> lab_;
};

}  // namespace tests
