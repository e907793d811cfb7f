#include "engine/plan/strategies/parameter_server.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/passes/passes.h"
#include "engine/plan/strategies/row_tables.h"
#include "engine/plan/strategies/strategy.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

Op push(const Plan& plan, std::size_t index, Phase phase) {
    Op op{.kind = OpKind::kPush, .phase = phase, .name = "bucket" + std::to_string(index) + "/Push", .bucket = static_cast<int>(index)};
    if (index == 0 && plan.header != kNoTensor) op.inputs.push_back(plan.header);
    const Bucket& bucket = plan.buckets[index];
    op.inputs.insert(op.inputs.end(), bucket.gradients.begin(), bucket.gradients.end());
    op.outputs = op.inputs;
    return op;
}

Op pull(const Plan& plan) {
    Op op{.kind = OpKind::kPull, .phase = Phase::kForward, .name = "variables/Pull"};
    for (const RowTable& table : rowTables(plan)) {
        for (const TensorId id : table.ids) {
            if (std::find(op.inputs.begin(), op.inputs.end(), id) == op.inputs.end()) op.inputs.push_back(id);
        }
    }
    op.outputs = parametersOf(plan);
    const std::vector<TensorId> states = statesOf(plan);
    op.outputs.insert(op.outputs.end(), states.begin(), states.end());
    return op;
}

// Clipping reads and changes all gradients: none may go before it.
int lastPreparation(const Plan& plan) {
    int last = -1;
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        if (plan.ops[i].kind == OpKind::kPrepareGradients) last = static_cast<int>(i);
    }
    return last;
}

class ParameterServer final : public Strategy {
public:
    // The worker's half.
    Plan distribute(Plan plan, const StrategyTarget& target) const override {
        plan = withBuckets(std::move(plan), target.settings);
        const Op variables = pull(plan);
        // The pull comes first, or, where the batch says which rows are wanted, before the first reader of a variable: the batch is there
        // by then.
        const std::size_t first = variables.inputs.empty() ? 0 : firstReader(plan);
        std::vector<std::vector<std::size_t>> ready_after(plan.ops.size());  // buckets in their order
        for (std::size_t b = 0; b < plan.buckets.size(); ++b) {
            ENGINE_CHECK(plan.buckets[b].ready_after_op >= 0);
            ready_after[static_cast<std::size_t>(plan.buckets[b].ready_after_op)].push_back(b);
        }
        std::size_t pushed = 0;
        std::vector<Op> ops;
        for (std::size_t i = 0; i < plan.ops.size(); ++i) {
            if (i == first) ops.push_back(variables);
            if (isServersWork(plan.ops[i])) continue;
            const Phase phase = plan.ops[i].phase;
            ops.push_back(std::move(plan.ops[i]));
            for (const std::size_t b : ready_after[i]) {
                ops.push_back(push(plan, b, phase));
                plan.buckets[b].ready_after_op = static_cast<int>(ops.size()) - 2;
                ++pushed;
            }
        }
        ENGINE_CHECK(pushed == plan.buckets.size());
        plan.ops = std::move(ops);
        return withoutSlots(std::move(plan));
    }

    // A worker's variables are copies; a variable in shards lives on several servers, and has no one device.
    Plan place(Plan plan, const StrategyTarget& target) const override {
        plan = plan::place(std::move(plan), deviceName(target.task, target.devices[static_cast<std::size_t>(target.device)]));
        for (TensorDesc& tensor : plan.tensors) {
            if (isVariable(tensor)) tensor.device.clear();
        }
        for (const VariablePart& part : variableParts(plan, target.settings, target.servers)) {
            if (part.is_shard) continue;
            const spec::TaskId server{"ps", part.server};
            plan.tensors[static_cast<std::size_t>(part.variable)].device = deviceName(&server, "CPU:0");
        }
        return plan;
    }
};

// The variables of one server with the updates of some of them.
class ServerPlanBuilder {
public:
    ServerPlanBuilder(const Plan& whole, const std::vector<VariablePart>& parts, int server, std::string device)
        : whole_(whole),
          tables_(rowTables(whole)),
          slots_(whole),
          buckets_(whole),
          work_(whole.tensors.size()),
          averages_(whole.tensors.size()),
          device_(std::move(device)) {
        for (const Op& op : whole.ops) {
            if (isServersWork(op)) work_[static_cast<std::size_t>(op.inputs.front())].push_back(&op);
            if (op.kind == OpKind::kMovingAverage) averages_[static_cast<std::size_t>(op.inputs[1])].push_back(&op);
        }
        for (const VariablePart& part : parts) {
            if (part.server == server) addVariable(part);
        }
    }

    std::vector<ServerPlan> build() {
        std::vector<ServerPlan> plans;
        for (std::size_t b = 0; b < whole_.buckets.size(); ++b) {
            ServerPlan made = planOf(static_cast<int>(b));
            if (!made.plan.ops.empty()) plans.push_back(std::move(made));
        }
        if (plans.empty()) plans.push_back({.bucket = 0, .plan = laidOut({}), .reads = {}});
        return plans;
    }

private:
    struct Member {
        VariablePart part;
        TensorId variable = kNoTensor, gradient = kNoTensor;  // in the server's plan; none of a state that no step changes
        TensorId whole_gradient = kNoTensor;
        std::vector<TensorId> slots{};
    };

    TensorId add(TensorDesc tensor) {
        if (isVariable(tensor)) tensor.device = device_;
        variables_.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(variables_.tensors.size()) - 1;
    }

    // The gradient, or the step of a state, that an update of the whole plan reads for the variable.
    TensorId gradientOf(TensorId variable) const {
        for (const Op* op : work_[static_cast<std::size_t>(variable)]) {
            if (op->kind == OpKind::kUpdate || op->kind == OpKind::kMovingAverage) return op->inputs[1];
        }
        return kNoTensor;
    }

    // A shard by itself has not what these rules make of the whole variable.
    void refuseParts(TensorId variable) const {
        for (const Op* op : work_[static_cast<std::size_t>(variable)]) {
            if (op->kind != OpKind::kUpdate) continue;
            const spec::ObjectSpec& optimizer = *optimizerOf(*op);
            const UpdateKind kind = updateRule(optimizer).kind;
            if (kind != UpdateKind::kAdafactor && kind != UpdateKind::kMuon) continue;
            throw Error(ErrorCode::kUnimplemented,
                        "compile.optimizer: expected an optimizer that updates variables in parts with strategy.variable_partitioner, "
                        "which cuts " +
                            whole_.tensors[static_cast<std::size_t>(variable)].name + ", got " + optimizer.class_name);
        }
    }

    void addVariable(const VariablePart& part) {
        const TensorDesc& whole = whole_.tensors[static_cast<std::size_t>(part.variable)];
        if (part.is_shard) refuseParts(part.variable);
        Member member{.part = part, .whole_gradient = gradientOf(part.variable)};
        TensorDesc variable = whole;
        variable.name = part.name;
        variable.shape = part.shape;
        member.variable = add(std::move(variable));
        for (TensorId id : slots_.of(part.variable)) {
            TensorDesc slot = whole_.tensors[static_cast<std::size_t>(id)];
            slot.name = part.name + ":" + slot.slot_name;
            if (part.is_shard) slot.shape = part.shape;
            slot.of = member.variable;
            member.slots.push_back(add(std::move(slot)));
        }
        if (member.whole_gradient != kNoTensor) {
            TensorDesc gradient = whole_.tensors[static_cast<std::size_t>(member.whole_gradient)];
            gradient.name = part.name + ":grad";
            gradient.shape = part.shape;
            gradient.of = member.variable;
            gradient.region = Region::kShared;
            member.gradient = add(std::move(gradient));
        }
        members_.push_back(std::move(member));
    }

    // Adds what makes the moving average of a weight without a gradient: the weight itself.
    void addAverage(const Member& member, std::vector<Op>& ops) const {
        const std::vector<TensorId>& slots = slots_.of(member.part.variable);
        for (const Op* op : averages_[static_cast<std::size_t>(member.part.variable)]) {
            const auto place = static_cast<std::size_t>(std::find(slots.begin(), slots.end(), op->inputs[0]) - slots.begin());
            ENGINE_CHECK(place < slots.size());
            Op own = *op;
            own.bucket = 0;
            own.device = device_;
            own.inputs = {member.slots[place], member.variable};
            own.outputs = {member.slots[place]};
            ops.push_back(std::move(own));
        }
    }

    ServerPlan planOf(int bucket) const {
        ServerPlan made{.bucket = bucket, .plan = {}, .reads = {}};
        std::vector<Op> ops;
        for (const Member& member : members_) {
            if (member.gradient == kNoTensor || buckets_.of(member.whole_gradient) != bucket) continue;
            for (const Op* op : work_[static_cast<std::size_t>(member.part.variable)]) {
                Op own = *op;
                own.bucket = bucket;
                own.device = device_;
                own.inputs = {member.variable};
                if (op->kind != OpKind::kConstrain) own.inputs.push_back(member.gradient);
                own.outputs = {member.variable};
                if (op->kind == OpKind::kUpdate) {
                    own.inputs.insert(own.inputs.end(), member.slots.begin(), member.slots.end());
                    own.outputs.insert(own.outputs.end(), member.slots.begin(), member.slots.end());
                }
                ops.push_back(std::move(own));
            }
            made.reads.push_back(readOf(member));
        }
        // Every step pushes the first bucket.
        for (const Member& member : members_) {
            if (bucket == 0 && member.gradient == kNoTensor) addAverage(member, ops);
        }
        made.plan = laidOut(std::move(ops));
        std::sort(made.reads.begin(), made.reads.end(), [](const auto& a, const auto& b) { return a.offset_bytes < b.offset_bytes; });
        return made;
    }

    std::int64_t offsetOf(const Member& member) const {
        const TensorDesc& gradient = whole_.tensors[static_cast<std::size_t>(member.whole_gradient)];
        return gradient.offset_bytes + member.part.first_element * kFloatBytes;
    }

    ServerPlan::Range readOf(const Member& member) const {
        ServerPlan::Range range{.offset_bytes = offsetOf(member), .bytes = elementCount(member.part) * kFloatBytes};
        for (std::size_t i = 0; i < tables_.size(); ++i) {
            if (tables_[i].gradient != member.whole_gradient) continue;
            range.table = static_cast<int>(i);
            range.first_row = member.part.first_element / tables_[i].width;
        }
        return range;
    }

    // The worker's offsets stay, so planMemory() is not asked.
    Plan laidOut(std::vector<Op> ops) const {
        Plan plan = variables_;
        plan.ops = std::move(ops);
        plan = layoutVariables(fuseUpdates(std::move(plan)));
        for (const Member& member : members_) {
            if (member.gradient != kNoTensor) plan.tensors[static_cast<std::size_t>(member.gradient)].offset_bytes = offsetOf(member);
        }
        plan.shared_bytes = whole_.shared_bytes;
        plan.private_bytes = kAlignmentBytes;
        return plan;
    }

    static constexpr std::int64_t kFloatBytes = sizeof(float);

    const Plan& whole_;
    const std::vector<RowTable> tables_;
    const SlotIndex slots_;
    const BucketIndex buckets_;
    std::vector<std::vector<const Op*>> work_;      // of the servers, by variable
    std::vector<std::vector<const Op*>> averages_;  // by what is averaged
    const std::string device_;
    Plan variables_;
    std::vector<Member> members_;
};

}  // namespace

Plan withBuckets(Plan plan, const spec::StrategySpec& settings) {
    for (const Op& op : plan.ops) {
        const bool accumulates = op.kind == OpKind::kPrepareGradients && !op.outputs.empty();
        if (accumulates) {
            throw Error(ErrorCode::kUnimplemented,
                        "compile.optimizer.gradient_accumulation_steps: expected none with ParameterServerStrategy, whose workers keep "
                        "nothing from step to step");
        }
        if (op.kind == OpKind::kUnscaleGradients) {
            throw Error(
                ErrorCode::kUnimplemented,
                "compile.loss_scale: expected none with ParameterServerStrategy, got a LossScaleOptimizer; mixed_bfloat16 needs none");
        }
        if (op.kind == OpKind::kSpectralNorm) {
            throw Error(ErrorCode::kUnimplemented, "model, layer " + op.layer +
                                                       ": expected no SpectralNormalization with ParameterServerStrategy, whose servers "
                                                       "hold the kernel that a worker would change");
        }
        if (rowOf(op.kind).sums_within_step) {
            throw Error(ErrorCode::kUnimplemented, "model, layer " + op.layer +
                                                       ": expected no synchronized statistics with ParameterServerStrategy, whose workers "
                                                       "do not wait for each other");
        }
    }
    plan = bucketGradients(std::move(plan), settings.bytes_per_pack);
    const int prepared = lastPreparation(plan);
    for (Bucket& bucket : plan.buckets) bucket.ready_after_op = std::max(bucket.ready_after_op, prepared);
    return plan;
}

std::vector<ServerPlan> serverPlans(const Plan& whole, const std::vector<VariablePart>& parts, int server, const std::string& device) {
    return ServerPlanBuilder(whole, parts, server, device).build();
}

const Strategy& parameterServer() {
    static const ParameterServer strategy;
    return strategy;
}

}  // namespace engine::plan
