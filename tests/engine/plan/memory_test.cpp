#include "engine/plan/memory.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/plan/lower.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/model_cases.h"

namespace engine::plan {
namespace {

using tests::support::ModelCase;
using tests::support::modelCases;

const TensorDesc& tensorOf(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

bool overlap(const TensorDesc& a, const TensorDesc& b) {
    return a.region == b.region && a.offset_bytes < b.offset_bytes + byteCount(b) && b.offset_bytes < a.offset_bytes + byteCount(a);
}

// Follows the plan as a machine would: every tensor that an op reads must still hold what was written last, that is, no op since then (nor
// the reading op itself) wrote another tensor into its memory. A reshape's output is the same bytes; an output of an op may take the place
// of an input that `in_place` pairs with it.
class OverwriteChecker {
public:
    explicit OverwriteChecker(
        const Plan& plan, InPlace in_place = [](const Op&) { return std::vector<InPlacePair>{}; })
        : plan_(plan), in_place_(std::move(in_place)), holds_(plan.tensors.size(), false), root_(plan.tensors.size()) {
        for (std::size_t i = 0; i < root_.size(); ++i) root_[i] = static_cast<TensorId>(i);
        for (const Op& op : plan.ops) {
            if (op.kind == OpKind::kReshape) root_[index(op.outputs[0])] = root_[index(op.inputs[0])];
        }
    }

    void run() {
        for (std::size_t i = 0; i < plan_.tensors.size(); ++i) {
            if (plan_.tensors[i].region == Region::kVariables || static_cast<TensorId>(i) == plan_.header) holds_[i] = true;
        }
        for (const Op& op : plan_.ops) {
            for (TensorId id : op.inputs) EXPECT_TRUE(holds_[index(id)]) << op.name << " reads " << tensorOf(plan_, id).name;
            for (TensorId id : op.outputs) write(op, id);
        }
        EXPECT_TRUE(holds_[index(plan_.output)]);
        EXPECT_TRUE(holds_[index(plan_.header)]);
    }

private:
    static std::size_t index(TensorId id) { return static_cast<std::size_t>(id); }

    void write(const Op& op, TensorId id) {
        for (std::size_t other = 0; other < holds_.size(); ++other) {
            if (root_[other] == root_[index(id)] || plan_.tensors[other].offset_bytes < 0) continue;
            if (!overlap(plan_.tensors[other], tensorOf(plan_, id))) continue;
            holds_[other] = false;
            const std::vector<InPlacePair> pairs = in_place_(op);
            for (TensorId input : op.inputs) {
                const bool is_pair =
                    std::ranges::any_of(pairs, [&](const InPlacePair& pair) { return pair.output == id && pair.input == input; });
                if (is_pair && tensorOf(plan_, input).offset_bytes == tensorOf(plan_, id).offset_bytes) continue;
                EXPECT_NE(static_cast<std::size_t>(input), other)
                    << op.name << " overwrites " << plan_.tensors[other].name << " while reading it";
            }
            for (TensorId output : op.outputs) {
                EXPECT_NE(static_cast<std::size_t>(output), other)
                    << op.name << ": two outputs in one place: " << plan_.tensors[other].name;
            }
        }
        holds_[index(id)] = true;
    }

    const Plan& plan_;
    InPlace in_place_;
    std::vector<bool> holds_;
    std::vector<TensorId> root_;
};

std::vector<Plan> plansOf(const ModelCase& c) {
    spec::RunSpec run = tests::support::runOf(c);
    run.strategy.bytes_per_pack = 512;
    std::vector<Plan> plans;
    plans.push_back(multiplyTables(compile(run, {.batch = c.batch})));
    for (bool fuse : {false, true}) {
        plans.push_back(compile(run, {.batch = c.batch, .fuse = fuse}));
        plans.push_back(compile(run, {.batch = c.batch, .fuse = fuse, .fuse_updates_into_gradients = false}));
        plans.push_back(compile(run, {.batch = c.batch, .replicas = 3, .fuse = fuse}));
        plans.push_back(compile(run, {.batch = c.batch, .training = false, .fuse = fuse}));
    }
    return plans;
}

class MemoryOfModel : public ::testing::TestWithParam<ModelCase> {};

TEST_P(MemoryOfModel, NoTensorIsOverwrittenWhileItIsNeeded) {
    for (const Plan& plan : plansOf(GetParam())) {
        SCOPED_TRACE(toString(plan));
        OverwriteChecker(plan).run();
        if (HasFailure()) return;
    }
}

// Any output over any input, of the kinds that have kernels for it and of some that have none.
std::vector<InPlacePair> everyPair(const Op& op) {
    std::vector<InPlacePair> pairs;
    switch (op.kind) {
        case OpKind::kActivation:
        case OpKind::kActivationBack:
        case OpKind::kBatchNorm:
        case OpKind::kBatchNormBack:
        case OpKind::kMerge:
        case OpKind::kBiasAdd:
        case OpKind::kRecurrent:
        case OpKind::kRecurrentBack:
            for (TensorId output : op.outputs) {
                for (TensorId input : op.inputs) pairs.push_back({output, input});
            }
            return pairs;
        default:
            return {};
    }
}

TEST_P(MemoryOfModel, NoTensorIsOverwrittenInPlaceThatIsNeededLater) {
    for (const Plan& plan : plansOf(GetParam())) {
        const Plan placed = placeInPlace(plan, everyPair);
        SCOPED_TRACE(toString(placed));
        OverwriteChecker(placed, everyPair).run();
        for (std::size_t i = 0; i < plan.tensors.size(); ++i) {
            if (plan.tensors[i].region == Region::kPrivate) continue;
            EXPECT_EQ(placed.tensors[i].offset_bytes, plan.tensors[i].offset_bytes);
        }
        if (HasFailure()) return;
    }
}

TEST_P(MemoryOfModel, EverythingUsedLiesAlignedWithinItsRegion) {
    for (const Plan& plan : plansOf(GetParam())) {
        for (const Op& op : plan.ops) {
            for (const std::vector<TensorId>* ids : {&op.inputs, &op.outputs}) {
                for (TensorId id : *ids) {
                    const TensorDesc& tensor = tensorOf(plan, id);
                    const std::int64_t size = tensor.region == Region::kShared    ? plan.shared_bytes
                                              : tensor.region == Region::kPrivate ? plan.private_bytes
                                                                                  : plan.variable_bytes;
                    EXPECT_GE(tensor.offset_bytes, 0) << tensor.name;
                    EXPECT_EQ(tensor.offset_bytes % kAlignmentBytes, 0) << tensor.name;
                    EXPECT_LE(tensor.offset_bytes + byteCount(tensor), size) << tensor.name;
                }
            }
        }
    }
}

bool hasParameterWithoutGradient(const Plan& plan) {
    return std::any_of(plan.tensors.begin(), plan.tensors.end(), [&](const TensorDesc& parameter) {
        if (parameter.role != TensorRole::kParameter) return false;
        return std::none_of(plan.tensors.begin(), plan.tensors.end(), [&](const TensorDesc& tensor) {
            return tensor.role == TensorRole::kGradient && tensorOf(plan, tensor.of).name == parameter.name;
        });
    });
}

TEST_P(MemoryOfModel, GradientsThatAreUpdatedTogetherLieLikeTheirParameters) {
    for (const Plan& plan : plansOf(GetParam())) {
        // Where some gradients apply their update themselves, the others lie closer together than their parameters.
        if (std::any_of(plan.ops.begin(), plan.ops.end(), [](const Op& op) { return op.fused_update.has_value(); })) continue;
        for (const Op& op : plan.ops) {
            if (op.kind != OpKind::kFusedUpdate) continue;
            if (hasParameterWithoutGradient(plan)) continue;  // it lies between the others
            const TensorDesc& first_parameter = tensorOf(plan, op.inputs[0]);
            const TensorDesc& first_gradient = tensorOf(plan, op.inputs[1]);
            for (TensorId id : op.inputs) {
                const TensorDesc& gradient = tensorOf(plan, id);
                if (gradient.role != TensorRole::kGradient) continue;
                const std::int64_t distance = tensorOf(plan, gradient.of).offset_bytes - first_parameter.offset_bytes;
                EXPECT_EQ(gradient.offset_bytes - first_gradient.offset_bytes, distance) << gradient.name;
            }
        }
    }
}

TEST_P(MemoryOfModel, ParametersLieAlikeInEveryPlanOfARun) {
    const std::vector<Plan> plans = plansOf(GetParam());
    for (const Plan& plan : plans) {
        for (TensorId id : parametersOf(plan)) {
            const TensorDesc& tensor = tensorOf(plan, id);
            EXPECT_EQ(tensor.offset_bytes, tensorOf(plans[0], findTensor(plans[0], tensor.name)).offset_bytes) << tensor.name;
        }
    }
}

TEST(PlaceInPlace, LetsAnOutputTakeTheInputThatNobodyReadsAnyMore) {
    const std::vector<ModelCase> cases = tests::support::rows::residualCases();
    const Plan plan = compile(tests::support::runOf(cases.front()), {.batch = 4});
    const Plan placed = placeInPlace(plan, everyPair);
    int in_place = 0, kept = 0;
    for (const Op& op : placed.ops) {
        if (op.kind == OpKind::kActivation) {  // its gradient is taken from what it has written
            in_place += tensorOf(placed, op.inputs[0]).offset_bytes == tensorOf(placed, op.outputs[0]).offset_bytes ? 1 : 0;
        } else if (op.kind == OpKind::kBatchNorm) {  // its gradient reads the input
            kept += tensorOf(placed, op.inputs[0]).offset_bytes != tensorOf(placed, op.outputs[0]).offset_bytes ? 1 : 0;
        }
    }
    EXPECT_EQ(in_place, std::ranges::count(placed.ops, OpKind::kActivation, &Op::kind));
    EXPECT_EQ(kept, std::ranges::count(placed.ops, OpKind::kBatchNorm, &Op::kind));
    EXPECT_GT(in_place, 0);
    EXPECT_GT(kept, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, MemoryOfModel, ::testing::ValuesIn(modelCases()), [](const auto& model) { return model.param.name; });

TEST(PlanMemory, ReusesTheMemoryOfWhatIsDone) {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"SGD", {}});
    const Plan plan = compile(run, {.training = false, .fuse = false});
    std::int64_t all = 0;
    for (const TensorDesc& tensor : plan.tensors) all += tensor.region == Region::kPrivate ? byteCount(tensor) : 0;
    EXPECT_LT(plan.private_bytes, all * 2 / 3);
}

TEST(PlanMemory, AReshapeIsTheSameBytes) {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"SGD", {}});
    const Plan plan = compile(run, {});
    int reshapes = 0;
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::kReshape) continue;
        EXPECT_EQ(tensorOf(plan, op.inputs[0]).offset_bytes, tensorOf(plan, op.outputs[0]).offset_bytes);
        ++reshapes;
    }
    EXPECT_EQ(reshapes, 2);
}

TEST(PlanMemory, GivesNothingToTensorsThatFusionRemoved) {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"SGD", {}});
    const Plan plan = compile(run, {});
    EXPECT_EQ(tensorOf(plan, findTensor(plan, "conv2d:conv")).offset_bytes, -1);
    EXPECT_EQ(tensorOf(plan, findTensor(plan, "conv2d:relu")).offset_bytes, -1);
}

}  // namespace
}  // namespace engine::plan
