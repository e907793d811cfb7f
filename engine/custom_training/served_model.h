// A model's variables on parameter servers: what its coordinator and its workers do with them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "engine/backend/executor.h"
#include "engine/custom_training/peers.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/plan/plan.h"

namespace engine::custom_training {

// Owned by its model; one thread.
class ServedModel {
public:
    using MakePlans = std::function<parameter_server::ParameterPlans(std::int64_t batch)>;

    // Declares the model to the servers. What they hold does not depend on the batch, of which `make_plans` makes a worker's plan.
    ServedModel(std::shared_ptr<ParameterServers> servers, MakePlans make_plans, std::uint64_t model);
    ~ServedModel();

    // The plan with updates and slots, which says what the model's variables are.
    const plan::Plan& wholePlan() const { return declared_->whole; }
    ParameterServers::Role role() const { return servers_->role(); }

    // Calls the servers, once. The coordinator gives them `all`, unless they have values already; a worker waits until they have.
    void connect(backend::Variables& all);
    // The servers' values, slots too.
    void read(backend::Variables& all);
    // The steps of all workers, as server 0 has counted them.
    std::int64_t globalStep();

    struct StepOptions {
        std::int64_t largest_part = 1;  // samples of the largest batch that this one is like
        int threads = 1;
        const backend::CustomLoss& loss;
    };
    // Pulls into `all`, computes, pushes, and does so again when the servers were given other values meanwhile. Returns globalStep().
    std::int64_t train(backend::Variables& all, const tensor::BatchView& batch, const backend::StepControl& control,
                       const StepOptions& options);
    // The text of the plan that train() runs; empty before the first step.
    std::string planText() const;

private:
    struct Training;

    void prepare(backend::Variables& all, const StepOptions& options);

    const std::shared_ptr<ParameterServers> servers_;
    const MakePlans make_plans_;
    const std::shared_ptr<const parameter_server::ParameterPlans> declared_;
    bool connected_ = false;
    ParameterServers::Connection connection_;
    std::unique_ptr<parameter_server::ParameterClient> client_;  // over the declared plans: gives and reads
    std::unique_ptr<Training> training_;
};

}  // namespace engine::custom_training
