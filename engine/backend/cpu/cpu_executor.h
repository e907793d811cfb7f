// The executor of this folder. Others use makeCpuExecutor() of engine/backend/executor.h; benchmarks look at single ops here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/schedule/piece_sums.h"
#include "engine/backend/cpu/schedule/schedule.h"
#include "engine/backend/cpu/thread_pool.h"
#include "engine/backend/executor.h"
#include "engine/backend/lap_clock.h"
#include "engine/distribute/named_rows.h"
#include "engine/plan/strategies/row_tables.h"
#include "engine/tensor/tensor_memory.h"

namespace engine::backend::cpu {

// One schedule for all threads: stages of ops, and barriers where one stage touches what another has made. Reductions are started and
// awaited by thread 0, between barriers. A step in pieces runs the forward and the backward pass once a piece, and all else behind the
// last.
class CpuExecutor final : public Executor, private ThreadPool::Work {
public:
    CpuExecutor(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options);

    StepResult trainStep(const tensor::BatchView& batch, const StepControl& control) override;
    StepResult evaluateStep(const tensor::BatchView& batch) override;
    void predictStep(const tensor::BatchView& batch, std::span<float> output) override;
    // It works on the store itself.
    void syncVariables() override {}
    void reloadVariables() override {}
    std::string describe() const override;
    std::string planText() const override;

    // The time of one op in the latest step, measured on thread 0, with the barriers before the op, in microseconds.
    struct OpTime {
        std::string_view name;
        float us = 0;
    };
    std::vector<OpTime> opTimes() const;
    int barriers() const;
    // What it runs: of a step in pieces the plan of one, see pieces().
    const plan::Plan& plan() const { return plan_; }
    // Of a full batch.
    std::int64_t pieces() const { return static_cast<std::int64_t>(pieces_.size()); }
    // A tensor's memory: for tests of single layers, which set the input before a step and look at gradients after it.
    std::span<float> values(plan::TensorId id) const;

private:
    struct Piece {  // of the step that runs
        tensor::BatchView batch;
        StepState state;
    };
    std::vector<std::byte*> addressesOf(Variables& variables);
    std::unique_ptr<BoundOp> bind(const Memory& memory, const plan::Op& op) const;
    void bindAll(int strips);
    void begin(const tensor::BatchView& batch, const StepControl& control);
    void cut(const tensor::BatchView& batch, const StepControl& control);
    StepResult finish();
    void runThread(int thread) override;
    bool runPiece(std::size_t piece, int thread, LapClock& clock);
    void runEntry(const Entry& entry, std::size_t piece, int thread);
    void runStrips(std::span<const Entry> group, std::size_t piece, int thread, LapClock& clock);
    bool isWanted(const Entry& entry) const;
    void keepTime(const Entry& entry, float us);
    void startReduction(const Entry& entry);
    void awaitReduction(const Entry& entry);
    void readVariables(const plan::Op& op);
    void pull();
    std::string precisionText() const;
    std::span<float> bucketMemory(int bucket) const;
    std::span<std::byte> variableMemory(const plan::Op& op) const;

    const std::int64_t batch_;  // samples of a step
    const plan::Plan plan_;
    const KernelTable& kernels_;
    distribute::Collective* const collective_;
    distribute::ParameterExchange* const parameters_;
    struct Table {
        plan::RowTable plan;
        distribute::NamedRows named;
    };
    std::vector<Table> tables_;                               // of a plan that pulls
    std::vector<std::span<const std::int64_t>> pulled_rows_;  // by table, in its `named`
    const CustomLoss loss_;
    tensor::TensorMemory private_, own_shared_, shared_scratch_, thread_scratch_, copies_;
    std::byte* shared_ = nullptr;
    Memory memory_;
    std::vector<std::unique_ptr<BoundOp>> ops_;  // by index in the plan; null without work
    struct Schedules {
        Schedule last_piece;   // of a step; of a whole batch all there is
        Schedule before_last;  // each piece before it
    };
    Schedules schedules_;
    std::vector<std::uint64_t> tickets_;  // by bucket
    std::vector<Piece> pieces_;
    std::size_t used_pieces_ = 1;  // by the step that runs
    PieceSums sums_;
    bool runs_loss_ = true;
    StepTiming timing_;
    std::vector<float> op_us_;
    ThreadPool pool_;
};

}  // namespace engine::backend::cpu
