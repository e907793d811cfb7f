#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/plan/passes/passes.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using tensor::DType;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::support::compileWith;
using tests::support::layer;
using tests::support::model;
using tests::support::tutorialModel;

spec::ModelSpec mixed(spec::ModelSpec model) {
    model.dtype_policy = "mixed_bfloat16";
    return model;
}

Plan mixedPlan(const spec::ModelSpec& model, const LowerOptions& options = {}) {
    return withMixedPrecision(lower(model, compileWith({"Adam", {}}), options), model);
}

std::vector<std::string> opNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const Op& op : plan.ops) names.push_back(op.name);
    return names;
}

DType typeOf(const Plan& plan, const std::string& name) {
    const TensorId id = findTensor(plan, name);
    EXPECT_NE(id, kNoTensor) << name;
    return id == kNoTensor ? DType::kInt64 : plan.tensors[static_cast<std::size_t>(id)].dtype;
}

// Every op reads and makes activations of one type alone, but for casts and what a table is asked for.
void expectOneTypeAnOp(const Plan& plan) {
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kCast || op.kind == OpKind::kEmbedding || op.kind == OpKind::kEmbeddingBack) continue;
        std::vector<DType> types;
        for (const auto& ids : {op.inputs, op.outputs}) {
            for (TensorId id : ids) {
                const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
                if (tensor.role == TensorRole::kActivation || tensor.role == TensorRole::kInput) types.push_back(tensor.dtype);
            }
        }
        EXPECT_TRUE(std::adjacent_find(types.begin(), types.end(), std::not_equal_to<>()) == types.end()) << op.name;
    }
}

TEST(MixedPrecision, CastsVariablesOnceAndActivationsWhereTypesChange) {
    const Plan plan = fuseUpdates(fuseLayers(mixedPlan(mixed(tutorialModel()))));
    EXPECT_THAT(opNames(plan),
                ElementsAre("variables/Cast", "input/Gather", "conv2d/Cast", "conv2d/FusedConvBlock", "flatten/Reshape", "dense/FusedDense",
                            "dense_1/FusedDense", "loss/Cast", "loss/SoftmaxCrossEntropy", "dense_1/Cast", "dense_1/FusedDenseBack",
                            "dense/FusedDenseBack", "flatten/Reshape", "conv2d/FusedConvBlockBack", "update"));
    EXPECT_EQ(typeOf(plan, "input"), DType::kFloat32);
    EXPECT_EQ(typeOf(plan, "input:bfloat16"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "max_pooling2d:pool"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "max_pooling2d:pool:grad"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "max_pooling2d:argmax"), DType::kUInt8);
    EXPECT_EQ(typeOf(plan, "dense/kernel:bfloat16"), DType::kBFloat16);
    for (const char* name : {"dense/kernel", "dense/kernel:grad", "dense/kernel:m", "dense/bias:grad"}) {
        EXPECT_EQ(typeOf(plan, name), DType::kFloat32) << name;
    }
    expectOneTypeAnOp(plan);
    EXPECT_THAT(toString(plan), HasSubstr("dtype policy: mixed_bfloat16\n"));
}

TEST(MixedPrecision, TakesHalfTheMemoryForActivations) {
    const spec::ModelSpec model = tutorialModel();
    const auto bytes = [](const Plan& plan) { return planMemory(fuseLayers(plan)).private_bytes; };
    const std::int64_t wide = bytes(mixedPlan(model, {.batch = 512, .training = false}));
    const std::int64_t low = bytes(mixedPlan(mixed(model), {.batch = 512, .training = false}));
    EXPECT_LT(low, wide * 2 / 3);
    const Plan plan = planMemory(mixedPlan(mixed(model)));
    EXPECT_EQ(byteCount(plan.tensors[static_cast<std::size_t>(findTensor(plan, "dense:relu"))]), 64 * 64 * 2);
}

TEST(MixedPrecision, LeavesAModelInFloat32AsItIs) {
    const spec::ModelSpec model = tutorialModel();
    EXPECT_EQ(mixedPlan(model), lower(model, compileWith({"Adam", {}}), {}));
}

TEST(MixedPrecision, HonoursTheTypeOfOneLayer) {
    spec::ModelSpec model = mixed(tutorialModel());
    model.layers.back().config.set("dtype", std::string("float32"));
    const Plan plan = mixedPlan(model);
    EXPECT_EQ(typeOf(plan, "dense:relu"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "dense:relu:float32"), DType::kFloat32);
    EXPECT_EQ(typeOf(plan, "dense_1:bias_add"), DType::kFloat32);
    EXPECT_EQ(findTensor(plan, "dense_1/kernel:bfloat16"), kNoTensor);
    expectOneTypeAnOp(plan);
}

TEST(MixedPrecision, TakesTheTypeOfOneLayerInAModelOfFloat32) {
    spec::ModelSpec model = tutorialModel();
    model.layers[3].config.set("dtype", spec::ObjectBox({"DTypePolicy", {{"name", std::string("mixed_bfloat16")}}}));
    const Plan plan = mixedPlan(model);
    EXPECT_EQ(typeOf(plan, "max_pooling2d:pool"), DType::kFloat32);
    EXPECT_EQ(typeOf(plan, "dense:relu"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "dense_1:bias_add"), DType::kFloat32);
    expectOneTypeAnOp(plan);
}

TEST(MixedPrecision, PredictsFloat32) {
    const Plan plan = mixedPlan(mixed(tutorialModel("softmax")), {.training = false});
    EXPECT_EQ(plan.tensors[static_cast<std::size_t>(plan.output)].dtype, DType::kFloat32);
}

TEST(MixedPrecision, KeepsIdsAndRecurrentLayersInFloat32AndSaysSo) {
    spec::ModelSpec words =
        mixed(model({9}, {layer("Embedding", "embedding", {{"input_dim", std::int64_t{1000}}, {"output_dim", std::int64_t{8}}}),
                          layer("LSTM", "lstm", {{"units", std::int64_t{4}}}), layer("Dense", "dense", {{"units", std::int64_t{2}}})}));
    words.input_dtype = "int32";
    const Plan plan = mixedPlan(words);
    EXPECT_EQ(findTensor(plan, "input:bfloat16"), kNoTensor);
    EXPECT_THAT(plan.float32_layers, ElementsAre("lstm"));
    EXPECT_THAT(toString(plan), HasSubstr("dtype policy: mixed_bfloat16; in float32: lstm\n"));
    EXPECT_EQ(typeOf(plan, "dense:bias_add"), DType::kBFloat16);
    expectOneTypeAnOp(plan);
}

// Numbers are rounded as Keras casts them, ids are not: a low type cannot hold them.
TEST(MixedPrecision, RoundsWhatIsCutIntoBuckets) {
    const spec::ModelSpec numbers =
        mixed(model({9}, {layer("Discretization", "buckets", {{"bin_boundaries", std::vector<double>{0, 1}}}),
                          layer("Embedding", "embedding", {{"input_dim", std::int64_t{3}}, {"output_dim", std::int64_t{8}}}),
                          layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{2}}})}));
    const Plan plan = mixedPlan(numbers);
    EXPECT_EQ(typeOf(plan, "input:bfloat16"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "input:bfloat16:float32"), DType::kFloat32);
    EXPECT_THAT(plan.float32_layers, ElementsAre("buckets"));
    const auto index = std::find_if(plan.ops.begin(), plan.ops.end(), [](const Op& op) { return op.kind == OpKind::kIndex; });
    ASSERT_NE(index, plan.ops.end());
    EXPECT_EQ(index->inputs.front(), findTensor(plan, "input:bfloat16:float32"));
    expectOneTypeAnOp(plan);

    spec::ModelSpec alone = numbers;
    alone.layers.front().config.set("dtype", std::string("float32"));
    EXPECT_EQ(findTensor(mixedPlan(alone), "input:bfloat16:float32"), kNoTensor);
    spec::ModelSpec ids = numbers;
    ids.input_dtype = "int32";
    EXPECT_EQ(findTensor(mixedPlan(ids), "input:bfloat16"), kNoTensor);
}

TEST(MixedPrecision, ReachesTheLayersOfAChain) {
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{6}}}};
    const spec::ModelSpec blocks = mixed(model({9}, {layer("Dense", "dense", {{"units", std::int64_t{6}}}),
                                                     layer("Residual", "block", {{"layers", std::vector<spec::ObjectBox>{dense, dense}}}),
                                                     layer("Dense", "dense_1", {{"units", std::int64_t{4}}})}));
    const Plan plan = mixedPlan(blocks);
    EXPECT_EQ(typeOf(plan, "block/layers/dense_1:bias_add"), DType::kBFloat16);
    EXPECT_EQ(typeOf(plan, "block/layers/dense/kernel:bfloat16"), DType::kBFloat16);
    EXPECT_THAT(plan.float32_layers, ElementsAre("block"));  // the sum
    expectOneTypeAnOp(plan);
}

// A kernel that the step changes before its layer is rounded behind that.
TEST(MixedPrecision, RoundsAKernelAfterItWasNormalized) {
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{6}}}};
    const spec::ObjectSpec spectral{"SpectralNormalization", {{"layer", dense}}};
    const spec::ModelSpec blocks = mixed(model({6}, {layer("Residual", "block", {{"layers", std::vector<spec::ObjectBox>{spectral}}}),
                                                     layer("Dense", "dense", {{"units", std::int64_t{4}}})}));
    const Plan plan = mixedPlan(blocks);
    const std::vector<std::string> names = opNames(plan);
    const auto place = [&names](const char* name) { return std::find(names.begin(), names.end(), name) - names.begin(); };
    const std::string inner = "block/layers/spectral_normalization";
    EXPECT_EQ(typeOf(plan, inner + "/layer/kernel:bfloat16"), DType::kBFloat16);
    EXPECT_EQ(place("variables/Cast"), 0);
    EXPECT_LT(place("block/layers/spectral_normalization/SpectralNorm"), place("block/layers/spectral_normalization/layer/kernel/Cast"));
    EXPECT_LT(place("block/layers/spectral_normalization/layer/kernel/Cast"), place("block/layers/spectral_normalization/layer/MatMul"));
    expectOneTypeAnOp(plan);
}

TEST(MixedPrecision, AddsPenaltiesOfOutputsInPlace) {
    const spec::FieldValue l2 = spec::ObjectBox({"L2", {{"l2", 0.02}}});
    spec::ModelSpec penalised =
        mixed(model({9}, {layer("Dense", "dense", {{"units", std::int64_t{6}}, {"activity_regularizer", l2}, {"kernel_regularizer", l2}}),
                          layer("Dense", "dense_1", {{"units", std::int64_t{4}}, {"dtype", std::string("float32")}})}));
    const Plan plan = mixedPlan(penalised);
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::kPenaltyBack) continue;
        EXPECT_EQ(op.inputs.back(), op.outputs.front()) << op.name;
    }
    expectOneTypeAnOp(plan);
}

}  // namespace
}  // namespace engine::plan
