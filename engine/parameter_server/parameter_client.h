// A worker's side of parameter servers: which bytes of which variable lie where, and the steps in between.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/distribute/exchange_progress.h"
#include "engine/distribute/parameter_exchange.h"
#include "engine/parameter_server/server_link.h"
#include "engine/parameter_server/store_layout.h"
#include "engine/plan/compile.h"
#include "engine/plan/strategies/parameter_server.h"
#include "engine/plan/strategies/row_tables.h"
#include "engine/plan/variable_parts.h"

namespace engine::parameter_server {

// All that worker and servers compute alike from one project: a step in whole, its worker's half, and each server's. Plain values.
struct ParameterPlans {
    plan::Plan whole;   // with updates and slots: what the variables of checkpoints are
    plan::Plan worker;  // kPull, gradients, kPush
    std::vector<plan::VariablePart> parts;
    std::vector<std::vector<plan::ServerPlan>> servers;  // by server, by bucket
    bool is_bounded = false;                             // strategy.max_staleness: a step is over when every server has applied it
};

// The plans of a task in a cluster with `target.servers` ps tasks. Errors as plan::compile().
ParameterPlans parameterPlans(const spec::RunSpec& run, const plan::CompileTarget& target);

// Owned by the task; one compute thread. The variables and the region that its executors use, and the links, outlive it.
class ParameterClient final : public distribute::ParameterExchange {
public:
    // `links` by server, of `plans.servers`' number; `variables` those of the worker's plan. `progress` is told of every pull and push,
    // with servers for members; it outlives the client. Null: nobody asks.
    ParameterClient(const ParameterPlans& plans, std::vector<ServerLink*> links, backend::Variables& variables,
                    distribute::ExchangeProgress* progress = nullptr);
    ~ParameterClient() override;

    // The learning rate of the next step, which goes to the servers with its gradients.
    void setLearningRate(float rate) { learning_rate_ = rate; }

    void pull(std::span<const std::span<const std::int64_t>> tables) override;
    void startPush(int bucket) override;
    void awaitPush(int bucket) override;

    // What became of the step whose pushes have all been awaited.
    struct Step {
        bool is_over = false;          // another worker has said that the run has all its steps
        bool is_void = false;          // a server was given new values meanwhile: take it again
        std::int64_t global_step = 0;  // its number among the steps of all workers, from 1
        std::int64_t staleness = 0;    // the most updates of a bucket that its gradients did not know of
        // The learning rate that a coordinator had set when the variables were pulled, and how often it had set one.
        std::uint32_t rate_changes = 0;
        float told_rate = 0;
    };
    const Step& lastStep() const { return step_; }

    // True when every server has values.
    bool isReady();
    std::int64_t globalStep() { return links_.front()->state().global_step; }
    // Server 0's, after a look at every server: one that is lost is noticed, and without values on any the generation is 0.
    ServerLink::State state();
    // These four go to server 0, as ServerLink has them.
    void tellEpoch(const EpochSums& sums) { links_.front()->tellEpoch(sums); }
    EpochSums epochSums(std::int64_t epoch) { return links_.front()->epochSums(epoch); }
    void tellLearningRate(float rate) { links_.front()->setLearningRate(rate); }
    void openEpochs(std::int64_t epochs) { links_.front()->openEpochs(epochs); }
    // The staleness over all workers and over the pushes of all servers so far.
    struct Staleness {
        double mean = 0;
        std::int64_t largest = 0;
    };
    Staleness staleness();
    // The servers' values from, and into, variables of the whole plan: shards become one tensor, slots included.
    void give(const backend::Variables& all, std::int64_t updates, std::int64_t global_step, const EpochOrigin& origin = {});
    void read(backend::Variables& all);

    // Bytes of a step: pulled, and pushed, over all servers. Tables that go by rows (plan::rowTables()) count with as many rows as a batch
    // can name.
    std::int64_t pulledBytes() const;
    std::int64_t pushedBytes() const;

private:
    // A run of floats that lies in a server's memory and in the task's.
    struct Piece {
        std::size_t server_offset = 0;  // from the start of the server's variables, bytes
        float* values = nullptr;
        std::size_t count = 0;
        int table = -1;              // of tables_: the rows of a batch alone are pulled
        std::int64_t first_row = 0;  // of the table
    };
    // Rows of a batch that lie in a part of their table.
    struct PartRows {
        std::span<const std::int64_t> rows;
        std::int64_t first_row = 0;
        std::size_t row_bytes = 0;
    };
    struct Server {
        ServerLink* link = nullptr;
        std::vector<Piece> pulled;
        std::vector<std::byte> block;  // as the server's memory has parameters and states
        std::vector<ByteRange> asked;  // of the block, in this step
        bool has_tables = false;
        std::vector<std::int64_t> versions;
        std::uint64_t generation = 0;
        std::vector<int> buckets;       // of which it holds something
        std::vector<int> pushed;        // awaited, in order
        std::int64_t pulled_bytes = 0;  // that no push has told of yet
    };

    std::vector<Piece> piecesOf(std::size_t server, const backend::Variables& variables, bool with_slots) const;
    PartRows rowsOf(int table, std::int64_t first_row, std::size_t bytes) const;
    void ask(Server& server) const;
    void takeAnswer(Server& server) const;
    std::int64_t findPushed(const Server& server, int bucket);
    void awaitOne(Server& server);
    int numberOf(const Server& server) const { return static_cast<int>(&server - servers_.data()); }
    void endStep();
    bool holds(const Server& server, int bucket) const;

    const ParameterPlans& plans_;
    const std::vector<plan::RowTable> tables_;  // of the worker's plan
    std::vector<ServerLink*> links_;
    std::vector<Server> servers_;
    std::span<const std::span<const std::int64_t>> batch_rows_;  // by table, of the step
    std::vector<ByteRange> whole_ranges_, row_ranges_;           // of the push that is being started
    std::vector<std::int64_t> bucket_bytes_;                     // pushed of each bucket in this step
    int last_pushed_ = -1;                                       // the last bucket of a step in the worker's plan
    int ends_step_ = -1;  // the bucket whose push tells server 0 that the step is over; -1: a message of its own does
    float learning_rate_ = 0;
    Step step_;
    distribute::ExchangeProgress* const progress_;
    std::uint64_t exchanges_ = 0;  // steps that began with a pull, of earlier clients too
};

}  // namespace engine::parameter_server
