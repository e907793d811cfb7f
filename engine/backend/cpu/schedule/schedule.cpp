#include "engine/backend/cpu/schedule/schedule.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/backend/cpu/schedule/access_set.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/passes/passes.h"

namespace engine::backend::cpu {
namespace {

// True where what a stage makes of weights outgrows what strips are for: the stage that takes it finds most of it in a cache if it comes
// next, and comes in no strips itself.
bool outgrowsStrips(const Stage& stage) {
    return std::ranges::any_of(stage.accesses, [](const Access& access) { return access.writes && access.bytes > kStripBytes; });
}

class Scheduler {
public:
    Scheduler(const plan::Plan& plan, const std::vector<std::vector<Stage>>& stages, const PieceSums& sums, const ScheduleOptions& options)
        : plan_(plan), stages_(stages), sums_(sums), buckets_(plan), options_(options) {}

    Schedule run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (options_.is_last_piece || plan::turnOf(plan_, plan_.ops[i]) != plan::Turn::kLastPiece) addOp(static_cast<int>(i));
        }
        const int last = static_cast<int>(plan_.ops.size()) - 1;
        if (last < 0) return std::move(schedule_);
        await(last, [](int) { return true; });
        if (!solos_.empty() || !late_.empty()) meet(last);
        if (!options_.is_last_piece) meet(last);  // the next piece deals its samples to the threads anew
        return std::move(schedule_);
    }

private:
    struct Late {
        Entry entry;
        const Stage* stage;
    };

    void addOp(int index) {
        const plan::Op& op = plan_.ops[static_cast<std::size_t>(index)];
        if (op.kind == plan::OpKind::kAllReduce || op.kind == plan::OpKind::kPush) {
            meetBehindLate(index);
            schedule_.push_back({.action = Action::kStartReduction, .op = index, .stage = op.bucket});
            in_flight_.push_back(op.bucket);
            return;
        }
        if (op.kind == plan::OpKind::kReadVariables || op.kind == plan::OpKind::kPull) {
            if (!op.inputs.empty()) meetBehindLate(index);
            schedule_.push_back({.action = Action::kReadVariables, .op = index});
            meet(index);
            is_open_before_ = false;
            return;
        }
        const auto reads = [&](int bucket) {
            return std::ranges::any_of(op.inputs, [&](plan::TensorId id) { return buckets_.of(id) == bucket; });
        };
        if (await(index, reads)) {
            meet(index);
            is_open_before_ = false;
        }
        const std::vector<Stage>& stages = stages_[static_cast<std::size_t>(index)];
        for (std::size_t s = 0; s < stages.size(); ++s) addStage({.op = index, .stage = static_cast<int>(s)}, stages[s]);
        for (const Stage& adds : sums_.stagesBehind(index, options_.is_last_piece))
            addInOrder({.action = Action::kAddPiece, .op = index}, adds);
    }

    void addStage(Entry entry, const Stage& stage) {
        const bool is_movable = (stage.when == When::kEarly && !outgrowsStrips(stage)) || stage.when == When::kLate;
        const bool moves = is_movable && options_.moves_stages;
        switch (stage.when == When::kSolo || moves ? stage.when : When::kInOrder) {
            case When::kSolo:
                entry.solo = true;
                solos_.push_back(entry);
                return;
            case When::kLate:
                if (late_accesses_.clashesWith(stage.accesses)) meet(entry.op);
                late_.push_back({entry, &stage});
                late_accesses_.add(stage.accesses);
                return;
            case When::kEarly:
                if (addBeforeBarrier(entry, stage)) return;
                break;
            case When::kInOrder:
                break;
        }
        addInOrder(entry, stage);
    }

    void addInOrder(const Entry& entry, const Stage& stage) {
        if (late_accesses_.clashesWith(stage.accesses)) meet(entry.op);
        if (since_barrier_.clashesWith(stage.accesses)) meet(entry.op);
        schedule_.push_back(entry);
        since_barrier_.add(stage.accesses);
    }

    // False where what runs since the barrier before the last one touches what the stage does.
    bool addBeforeBarrier(const Entry& entry, const Stage& stage) {
        if (!is_open_before_) return false;
        for (const AccessSet* others : {&since_barrier_, &before_barrier_, &late_accesses_}) {
            if (others->clashesWith(stage.accesses)) return false;
        }
        if (!has_barrier_) {  // the first stages of all get a barrier behind them
            barrier_ = 0;
            schedule_.insert(schedule_.begin(), {.action = Action::kBarrier, .op = entry.op});
            has_barrier_ = true;
        }
        schedule_.insert(schedule_.begin() + barrier_, entry);
        ++barrier_;
        before_barrier_.add(stage.accesses);
        return true;
    }

    void meet(int op) {
        barrier_ = static_cast<std::ptrdiff_t>(schedule_.size());
        has_barrier_ = is_open_before_ = true;
        schedule_.push_back({.action = Action::kBarrier, .op = op});
        std::swap(before_barrier_, since_barrier_);
        since_barrier_.clear();
        schedule_.insert(schedule_.end(), solos_.begin(), solos_.end());
        solos_.clear();
        for (const Late& late : late_) {
            schedule_.push_back(late.entry);
            since_barrier_.add(late.stage->accesses);
        }
        late_.clear();
        late_accesses_.clear();
    }

    // All that stands before in the plan is over then.
    void meetBehindLate(int op) {
        const bool any = !late_.empty();
        meet(op);
        if (any) meet(op);
    }

    template <typename Needed>
    bool await(int op, const Needed& needed) {
        const auto waits = std::stable_partition(in_flight_.begin(), in_flight_.end(), [&](int bucket) { return !needed(bucket); });
        const bool any = waits != in_flight_.end();
        for (auto bucket = waits; bucket != in_flight_.end(); ++bucket) {
            schedule_.push_back({.action = Action::kAwaitReduction, .op = op, .stage = *bucket});
        }
        in_flight_.erase(waits, in_flight_.end());
        return any;
    }

    const plan::Plan& plan_;
    const std::vector<std::vector<Stage>>& stages_;
    const PieceSums& sums_;
    plan::BucketIndex buckets_;
    ScheduleOptions options_;
    Schedule schedule_;
    AccessSet since_barrier_, before_barrier_;  // the second: between the last barrier but one and the last
    std::ptrdiff_t barrier_ = 0;                // the place of the last barrier
    bool has_barrier_ = false;
    bool is_open_before_ = true;  // false: what stands before the last barrier is no stage
    std::vector<Entry> solos_;    // wait for the next barrier, as do these:
    std::vector<Late> late_;
    AccessSet late_accesses_;
    std::vector<int> in_flight_;
};

}  // namespace

Schedule scheduleOf(const plan::Plan& plan, const std::vector<std::vector<Stage>>& stages, const PieceSums& sums,
                    const ScheduleOptions& options) {
    return Scheduler(plan, stages, sums, options).run();
}

}  // namespace engine::backend::cpu
