#include "engine/plan/passes/passes.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "engine/plan/cost.h"
#include "engine/plan/lower.h"
#include "engine/plan/strategies/strategy.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using tests::support::compileWith;
using tests::support::layer;
using tests::support::model;
using tests::support::tutorialModel;

std::vector<std::string> opNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const Op& op : plan.ops) names.push_back(op.name);
    return names;
}

Plan tutorialPlan(LowerOptions options = {}) {
    return lower(tutorialModel(), compileWith({"Adam", {}}), options);
}

const Op& opNamed(const Plan& plan, const std::string& name) {
    const auto op = std::find_if(plan.ops.begin(), plan.ops.end(), [&](const Op& o) { return o.name == name; });
    if (op == plan.ops.end()) throw std::runtime_error("no op " + name);
    return *op;
}

std::vector<std::string> tensorNames(const Plan& plan, const std::vector<TensorId>& ids) {
    std::vector<std::string> names;
    for (TensorId id : ids) names.push_back(plan.tensors[static_cast<std::size_t>(id)].name);
    return names;
}

TEST(FuseLayers, MakesBlocksOfTheTutorialNet) {
    const Plan plan = fuseUpdates(fuseLayers(tutorialPlan()));
    EXPECT_THAT(opNames(plan), ElementsAre("input/Gather", "conv2d/FusedConvBlock", "flatten/Reshape", "dense/FusedDense",
                                           "dense_1/FusedDense", "loss/SoftmaxCrossEntropy", "dense_1/FusedDenseBack",
                                           "dense/FusedDenseBack", "flatten/Reshape", "conv2d/FusedConvBlockBack", "update"));
    const Op& block = opNamed(plan, "conv2d/FusedConvBlock");
    EXPECT_TRUE(hasPool(block));
    EXPECT_EQ(convolutionAttributes(block).activation, Activation::kRelu);
    EXPECT_THAT(tensorNames(plan, block.inputs), ElementsAre("input", "conv2d/kernel", "conv2d/bias"));
    EXPECT_THAT(tensorNames(plan, block.outputs), ElementsAre("max_pooling2d:pool", "max_pooling2d:argmax"));
    const Op& back = opNamed(plan, "conv2d/FusedConvBlockBack");
    EXPECT_THAT(tensorNames(plan, back.inputs),
                ElementsAre("input", "conv2d/kernel", "max_pooling2d:pool", "max_pooling2d:argmax", "max_pooling2d:pool:grad"));
    EXPECT_THAT(tensorNames(plan, back.outputs), ElementsAre("conv2d/kernel:grad", "conv2d/bias:grad"));
    EXPECT_THAT(tensorNames(plan, opNamed(plan, "dense/FusedDenseBack").outputs),
                ElementsAre("dense/kernel:grad", "dense/bias:grad", "flatten:reshaped:grad"));
}

TEST(FuseLayers, MakesBlocksOfAForwardPlan) {
    const Plan plan = fuseLayers(tutorialPlan({.training = false}));
    EXPECT_THAT(opNames(plan), ElementsAre("input/Gather", "conv2d/FusedConvBlock", "flatten/Reshape", "dense/FusedDense",
                                           "dense_1/FusedDense", "loss/SoftmaxCrossEntropy"));
    EXPECT_THAT(tensorNames(plan, opNamed(plan, "conv2d/FusedConvBlock").outputs), ElementsAre("max_pooling2d:pool"));
}

TEST(FuseLayers, KeepsSingleOpsWhereNoFusedKernelExists) {
    auto conv = [](spec::Fields more) {
        spec::Fields config{{"filters", std::int64_t{4}}, {"kernel_size", std::int64_t{3}}};
        for (const auto& [name, value] : more.entries()) config.set(name, value);
        return layer("Conv2D", "conv2d", config);
    };
    auto fused = [](std::vector<spec::LayerSpec> layers) {
        return opNames(fuseLayers(lowerLayers(model({12, 12, 4}, std::move(layers)), {.batch = 2})));
    };
    EXPECT_THAT(fused({conv({{"groups", std::int64_t{2}}})}), Contains("conv2d/Conv2D"));
    EXPECT_THAT(fused({conv({{"dilation_rate", std::int64_t{2}}})}), Contains("conv2d/Conv2D"));
    EXPECT_THAT(fused({conv({{"use_bias", false}})}), Contains("conv2d/Conv2D"));
    const auto with_other_pool = fused({conv({}), layer("MaxPooling2D", "pool", {{"pool_size", std::int64_t{3}}})});
    EXPECT_THAT(with_other_pool, Contains("conv2d/FusedConvBlock"));
    EXPECT_THAT(with_other_pool, Contains("pool/MaxPool2D"));
    const auto with_softmax = fused({conv({{"activation", std::string("softmax")}})});
    EXPECT_THAT(with_softmax, Contains("conv2d/FusedConvBlock"));
    EXPECT_THAT(with_softmax, Contains("conv2d/Activation"));
}

TEST(FuseLayers, LeavesATensorThatSomeoneElseReads) {
    Plan plan = lowerLayers(model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("relu")}})}),
                            {.batch = 2, .training = false});
    const TensorId inner = findTensor(plan, "dense:bias_add");
    plan.tensors.push_back({.name = "copy", .shape = {2, 3}});
    plan.ops.push_back(
        {.kind = OpKind::kReshape, .name = "copy", .inputs = {inner}, .outputs = {static_cast<TensorId>(plan.tensors.size() - 1)}});
    EXPECT_THAT(opNames(fuseLayers(plan)), ElementsAre("dense/FusedDense", "dense/Activation", "copy"));
}

TEST(FuseUpdates, MakesOneUpdateInMemoryOrder) {
    const Plan plan = fuseUpdates(tutorialPlan());
    const Op& update = plan.ops.back();
    EXPECT_EQ(update.kind, OpKind::kFusedUpdate);
    EXPECT_EQ(update.bucket, -1);
    EXPECT_EQ(update.inputs.size(), 6U * 4U);
    EXPECT_THAT(tensorNames(plan, {update.inputs.begin(), update.inputs.begin() + 5}),
                ElementsAre("dense_1/bias", "dense_1/bias:grad", "dense_1/bias:m", "dense_1/bias:v", "dense_1/kernel"));
    EXPECT_EQ(std::count_if(plan.ops.begin(), plan.ops.end(), [](const Op& op) { return op.phase == Phase::kUpdate; }), 1);
}

TEST(FuseUpdatesIntoGradients, LeavesNoUpdateOfAFusedNet) {
    const Plan plan = fuseUpdatesIntoGradients(fuseLayers(tutorialPlan()));
    EXPECT_TRUE(std::none_of(plan.ops.begin(), plan.ops.end(), [](const Op& op) { return op.phase == Phase::kUpdate; }));
    EXPECT_TRUE(opNamed(plan, "dense/FusedDenseBack").fused_update.has_value());
    EXPECT_EQ(optimizerOf(opNamed(plan, "dense/FusedDenseBack"))->class_name, "Adam");
}

TEST(FuseUpdatesIntoGradients, KeepsUpdatesOfWhatALaterOpReads) {
    Plan plan = fuseLayers(tutorialPlan());
    // Someone reads the second kernel at the very end.
    plan.tensors.push_back({.name = "copy", .shape = {64, 10}});
    plan.ops.push_back({.kind = OpKind::kReshape,
                        .name = "copy",
                        .inputs = {findTensor(plan, "dense_1/kernel")},
                        .outputs = {static_cast<TensorId>(plan.tensors.size() - 1)}});
    plan = fuseUpdatesIntoGradients(std::move(plan));
    EXPECT_FALSE(opNamed(plan, "dense_1/FusedDenseBack").fused_update.has_value());
    EXPECT_THAT(opNames(plan), Contains("dense_1/kernel/Update"));
    EXPECT_TRUE(opNamed(plan, "dense/FusedDenseBack").fused_update.has_value());
}

TEST(FuseUpdatesIntoGradients, LeavesReducedPlansAlone) {
    const Plan plan = insertAllReduce(bucketGradients(fuseLayers(tutorialPlan({.replicas = 2}))));
    EXPECT_EQ(fuseUpdatesIntoGradients(plan), plan);
}

Plan compiledTutorial(std::int64_t batch) {
    spec::RunSpec run;
    run.model = tutorialModel();
    run.compile = compileWith({"Adam", {}});
    return compile(run, {.batch = batch});
}

TEST(Pieces, AreThePlanOfFewerSamplesWithUpdatesOfTheirOwn) {
    const Plan whole = compiledTutorial(64), piece = pieceOf(whole, 16);
    EXPECT_EQ(piece.batch, 16);
    EXPECT_LT(piece.private_bytes, whole.private_bytes);
    EXPECT_EQ(piece.variable_bytes, whole.variable_bytes);
    std::vector<std::string> once;
    for (const Op& op : piece.ops) {
        EXPECT_FALSE(op.fused_update) << op.name;
        if (turnOf(piece, op) == Turn::kLastPiece) once.push_back(op.name);
    }
    EXPECT_THAT(once, ::testing::UnorderedElementsAre("conv2d/kernel/Update", "conv2d/bias/Update", "dense/kernel/Update",
                                                      "dense/bias/Update", "dense_1/kernel/Update", "dense_1/bias/Update"));
    for (std::size_t i = 0; i < whole.tensors.size(); ++i) {
        const std::int64_t times = hasBatchAxis(whole.tensors[i]) ? 4 : 1;
        EXPECT_EQ(elementCount(whole.tensors[i]), times * elementCount(piece.tensors[i])) << whole.tensors[i].name;
    }
}

TEST(Pieces, AreTakenWhereActivationsLeaveTheCaches) {
    EXPECT_EQ(bestPiece(compiledTutorial(64)), 64);
    const std::int64_t best = bestPiece(compiledTutorial(1024));
    EXPECT_GE(best, 64);
    EXPECT_LE(best, 256);
    EXPECT_EQ(best % 16, 0);
}

TEST(Pieces, AreNotTakenOfALossOfAllSamples) {
    spec::RunSpec run;
    run.model = tutorialModel();
    run.compile = compileWith({"Adam", {}});
    for (const char* loss : {"MeanSquaredError", "Hinge", "Tversky"}) {
        run.compile.loss = {loss, {}};
        run.compile.metrics.clear();
        EXPECT_EQ(comesInPieces(compile(run, {.batch = 8})), std::string(loss) == "MeanSquaredError") << loss;
    }
    run.compile.loss = {"MeanSquaredError", {{"reduction", std::string("sum")}}};
    EXPECT_FALSE(comesInPieces(compile(run, {.batch = 8})));
    run.compile.loss = {"MeanSquaredError", {}};
    EXPECT_FALSE(comesInPieces(compile(run, {.batch = 8, .training = false})));
}

// `ids` whole numbers a sample, rows of `width` values of a table, and a product of them.
spec::RunSpec wordsRun(std::int64_t ids, std::int64_t width, std::vector<spec::LayerSpec> product, std::int64_t table = 100) {
    std::vector<spec::LayerSpec> layers{layer("Embedding", "words", {{"input_dim", table}, {"output_dim", width}})};
    layers.insert(layers.end(), product.begin(), product.end());
    layers.push_back(layer("Flatten", "flatten"));
    layers.push_back(layer("Dense", "scores", {{"units", std::int64_t{4}}}));
    spec::RunSpec run;
    run.model = model({ids}, layers);
    run.model.input_dtype = "int32";
    run.compile = compileWith({"Adam", {}});
    run.compile.metrics.clear();
    return run;
}

spec::LayerSpec dense(const std::string& name) {
    return layer("Dense", name, {{"units", std::int64_t{7}}});
}

TEST(MultiplyTables, MultipliesATableBeforeItIsLookedUpAndSumsItsGradientsBeforeTheWayBack) {
    const Plan plan = compile(wordsRun(50, 64, {dense("dense")}), {.batch = 8}), multiplied = multiplyTables(plan);
    EXPECT_THAT(opNames(multiplied),
                ElementsAre("input/Gather", "dense/FusedDense", "words/Embedding", "flatten/Reshape", "scores/FusedDense",
                            "loss/SoftmaxCrossEntropy", "scores/FusedDenseBack", "flatten/Reshape", "words/EmbeddingBack",
                            "dense/FusedDenseBack", "update", "dense/kernel/Update", "dense/bias/Update"));
    const Op &product = opNamed(multiplied, "dense/FusedDense"), &look_up = opNamed(multiplied, "words/Embedding");
    EXPECT_THAT(tensorNames(multiplied, product.inputs), ElementsAre("words/embeddings", "dense/kernel", "dense/bias"));
    EXPECT_EQ(look_up.inputs[1], product.outputs[0]);
    EXPECT_EQ(multiplied.tensors[static_cast<std::size_t>(look_up.outputs[0])].name, "dense:bias_add");
    EXPECT_EQ(multiplied.tensors[static_cast<std::size_t>(look_up.inputs[1])].shape, (spec::Shape{100, 7}));
    const Op &sum = opNamed(multiplied, "words/EmbeddingBack"), &back = opNamed(multiplied, "dense/FusedDenseBack");
    EXPECT_EQ(sum.outputs[0], back.inputs[3]);
    EXPECT_EQ(multiplied.tensors[static_cast<std::size_t>(sum.outputs[0])].shape, (spec::Shape{100, 7}));
    EXPECT_THAT(tensorNames(multiplied, back.outputs), ElementsAre("dense/kernel:grad", "dense/bias:grad", "words/embeddings:grad"));
    EXPECT_FALSE(back.fused_update) << "the update of the table is another op's";
    EXPECT_LT(cost(multiplied).multiply_adds, cost(plan).multiply_adds);
    EXPECT_EQ(turnOf(multiplied, product), Turn::kFirstPiece);
    EXPECT_EQ(turnOf(multiplied, look_up), Turn::kEveryPiece);
    EXPECT_EQ(turnOf(multiplied, sum), Turn::kEveryPiece);
    EXPECT_EQ(turnOf(multiplied, back), Turn::kLastPiece);
}

TEST(MultiplyTables, MultipliesFrozenTablesAndThoseOfAForwardPass) {
    spec::RunSpec run = wordsRun(50, 64, {dense("dense")});
    const Plan forward = multiplyTables(compile(run, {.batch = 8, .training = false}));
    EXPECT_TRUE(takesTable(forward, opNamed(forward, "dense/FusedDense")));
    EXPECT_FALSE(takesTable(forward, opNamed(forward, "scores/FusedDense")));
    run.model.layers[0].config = {{"input_dim", std::int64_t{100}}, {"output_dim", std::int64_t{64}}, {"trainable", false}};
    const Plan frozen = multiplyTables(compile(run, {.batch = 8}));
    EXPECT_THAT(tensorNames(frozen, opNamed(frozen, "words/EmbeddingBack").outputs), ElementsAre("dense:bias_add:table:grad"));
    EXPECT_THAT(tensorNames(frozen, opNamed(frozen, "dense/FusedDenseBack").outputs), ElementsAre("dense/kernel:grad", "dense/bias:grad"));
}

TEST(MultiplyTables, MultipliesByAWeightWithoutABias) {
    const spec::LayerSpec product = layer("Dense", "dense", {{"units", std::int64_t{7}}, {"use_bias", false}});
    const Plan multiplied = multiplyTables(compile(wordsRun(50, 64, {product}), {.batch = 8}));
    EXPECT_THAT(opNames(multiplied),
                ElementsAre("input/Gather", "dense/MatMul", "words/Embedding", "flatten/Reshape", "scores/FusedDense",
                            "loss/SoftmaxCrossEntropy", "scores/FusedDenseBack", "flatten/Reshape", "words/EmbeddingBack",
                            "dense/MatMulBackInput", "dense/MatMulBackWeight", "update", "dense/kernel/Update"));
    const Op &input = opNamed(multiplied, "dense/MatMulBackInput"), &weight = opNamed(multiplied, "dense/MatMulBackWeight");
    EXPECT_THAT(tensorNames(multiplied, input.inputs), ElementsAre("dense:matmul:table:grad", "dense/kernel"));
    EXPECT_THAT(tensorNames(multiplied, input.outputs), ElementsAre("words/embeddings:grad"));
    EXPECT_THAT(tensorNames(multiplied, weight.inputs), ElementsAre("words/embeddings", "dense:matmul:table:grad"));
    for (const Op* op : {&input, &weight}) EXPECT_EQ(turnOf(multiplied, *op), Turn::kLastPiece) << op->name;
}

TEST(MultiplyTables, MovesTheOpsThatCompleteBuckets) {
    spec::RunSpec run = wordsRun(50, 64, {dense("dense")});
    run.strategy.bytes_per_pack = 1;
    const Plan plan = compile(run, {.batch = 8, .replicas = 2}), multiplied = multiplyTables(plan);
    ASSERT_EQ(multiplied.buckets.size(), plan.buckets.size());
    EXPECT_TRUE(takesTable(multiplied, opNamed(multiplied, "dense/FusedDenseBack")));
    const auto completes = [](const Plan& of, const Bucket& bucket) {
        return of.ops[static_cast<std::size_t>(bucket.ready_after_op)].name;
    };
    for (std::size_t i = 0; i < plan.buckets.size(); ++i) {
        const std::string before = completes(plan, plan.buckets[i]), after = completes(multiplied, multiplied.buckets[i]);
        EXPECT_EQ(after, before == "words/EmbeddingBack" ? "dense/FusedDenseBack" : before);
    }
}

TEST(MultiplyTables, LeavesWhatDoesNotPayOrHasOtherReaders) {
    const auto is_same = [](const spec::RunSpec& run, std::int64_t batch) {
        const Plan plan = compile(run, {.batch = batch});
        return multiplyTables(plan) == plan;
    };
    EXPECT_FALSE(is_same(wordsRun(50, 64, {dense("dense")}), 4)) << "200 rows of 64 values beside a table of 100";
    EXPECT_TRUE(is_same(wordsRun(50, 64, {dense("dense")}), 3)) << "150 rows";
    EXPECT_TRUE(is_same(wordsRun(50, 32, {dense("dense")}), 64)) << "32 values are looked up as fast as they are multiplied";
    EXPECT_TRUE(is_same(wordsRun(50, 64, {}), 8)) << "the product takes all rows of a sample at once";
    EXPECT_TRUE(is_same(wordsRun(50, 64, {layer("Dropout", "dropout", {{"rate", 0.5}}), dense("dense")}), 8));
    spec::RunSpec mixed = wordsRun(50, 64, {dense("dense")});
    mixed.model.dtype_policy = "mixed_bfloat16";
    EXPECT_TRUE(is_same(mixed, 8));
}

TEST(Pieces, AreSmallBesideTablesThatAreMultiplied) {
    const auto piece = [](std::int64_t table) {
        const spec::LayerSpec lstm = layer("LSTM", "lstm", {{"units", std::int64_t{64}}, {"return_sequences", true}});
        return bestPiece(multiplyTables(compile(wordsRun(80, 64, {lstm}, table), {.batch = 1024})));
    };
    EXPECT_EQ(piece(10000), 16) << "products of the table and their sums have the caches to themselves";
    EXPECT_GE(piece(100), 16);
}

TEST(BucketGradients, GoesFromTheLastLayerAndStartsANewOneWhenFull) {
    const Plan plan = bucketGradients(fuseLayers(tutorialPlan({.replicas = 2})));
    ASSERT_EQ(plan.buckets.size(), 2U);
    EXPECT_THAT(tensorNames(plan, plan.buckets[0].gradients),
                ElementsAre("dense_1/bias:grad", "dense_1/kernel:grad", "dense/bias:grad", "dense/kernel:grad"));
    EXPECT_THAT(tensorNames(plan, plan.buckets[1].gradients), ElementsAre("conv2d/bias:grad", "conv2d/kernel:grad"));
    EXPECT_EQ(plan.buckets[0].offset_bytes, 0);
    EXPECT_EQ(plan.buckets[0].bytes, 64 + 64 + 2560 + 256 + 5408 * 64 * 4);  // header first
    EXPECT_EQ(plan.buckets[1].offset_bytes, plan.buckets[0].bytes);
    EXPECT_EQ(plan.ops[static_cast<std::size_t>(plan.buckets[0].ready_after_op)].name, "dense/FusedDenseBack");
}

TEST(BucketGradients, FollowsBytesPerPack) {
    EXPECT_EQ(bucketGradients(tutorialPlan(), std::int64_t{64} << 20).buckets.size(), 1U);
    const Plan smallest = bucketGradients(tutorialPlan(), 1);
    EXPECT_EQ(smallest.buckets.size(), 6U);
    std::int64_t end = 0;
    for (const Bucket& bucket : smallest.buckets) {
        EXPECT_EQ(bucket.offset_bytes, end);
        EXPECT_EQ(bucket.bytes % 64, 0);
        end += bucket.bytes;
    }
    EXPECT_THROW(bucketGradients(tutorialPlan(), -1), Error);
}

TEST(InsertAllReduce, StartsEachBucketWhenItIsCompleteAndUpdatesLast) {
    const Plan plan = insertAllReduce(bucketGradients(fuseLayers(tutorialPlan({.replicas = 2}))));
    EXPECT_THAT(opNames(plan), ElementsAre("input/Gather", "conv2d/FusedConvBlock", "flatten/Reshape", "dense/FusedDense",
                                           "dense_1/FusedDense", "loss/SoftmaxCrossEntropy", "dense_1/FusedDenseBack",
                                           "dense/FusedDenseBack", "bucket0/AllReduce", "flatten/Reshape", "conv2d/FusedConvBlockBack",
                                           "bucket1/AllReduce", "dense_1/bias/Update", "dense_1/kernel/Update", "dense/bias/Update",
                                           "dense/kernel/Update", "conv2d/bias/Update", "conv2d/kernel/Update"));
    EXPECT_EQ(plan.ops[static_cast<std::size_t>(plan.buckets[1].ready_after_op)].name, "conv2d/FusedConvBlockBack");
    EXPECT_EQ(opNamed(plan, "bucket0/AllReduce").inputs.front(), plan.header);
    EXPECT_EQ(opNamed(plan, "dense/kernel/Update").bucket, 0);
    EXPECT_EQ(opNamed(plan, "conv2d/kernel/Update").bucket, 1);
    const Plan fused = fuseUpdates(plan);
    EXPECT_THAT(opNames(fused), Contains("update/bucket0"));
    EXPECT_THAT(opNames(fused), Contains("update/bucket1"));
}

TEST(Place, NamesTheDeviceOfEveryOpAndVariable) {
    const spec::TaskId task{"worker", 1};
    const Plan plan = place(tutorialPlan(), deviceName(&task, "CPU:0"));
    const std::string device = "/job:worker/replica:0/task:1/device:CPU:0";
    for (const Op& op : plan.ops) EXPECT_EQ(op.device, device) << op.name;
    const std::string log = placementLog(plan);
    EXPECT_THAT(log, ::testing::StartsWith("conv2d/kernel: (Variable): " + device + "\n"));
    EXPECT_THAT(log, ::testing::HasSubstr("\nconv2d/Conv2D: (Conv2D): " + device + "\n"));
    EXPECT_EQ(deviceName(nullptr, "CPU:0"), "/job:localhost/replica:0/task:0/device:CPU:0");
}

TEST(Cost, CountsMultiplyAddsOfEveryProduct) {
    const std::int64_t conv = std::int64_t{64} * 26 * 26 * 9 * 32, dense = std::int64_t{64} * 5408 * 64, last = std::int64_t{64} * 64 * 10;
    // Forward, weight gradient, and input gradient of all but the first layer.
    EXPECT_EQ(cost(tutorialPlan()).multiply_adds, 2 * conv + 3 * dense + 3 * last);
    EXPECT_EQ(cost(fuseLayers(tutorialPlan())).multiply_adds, 2 * conv + 3 * dense + 3 * last);
    EXPECT_EQ(cost(tutorialPlan({.training = false})).multiply_adds, conv + dense + last);
}

TEST(Cost, FusionMovesFewerBytes) {
    const Plan plain = tutorialPlan();
    const Plan fused = fuseLayers(plain);
    const Plan applied = fuseUpdatesIntoGradients(fused);
    EXPECT_LT(cost(fused).bytes, cost(plain).bytes / 2);
    EXPECT_LT(cost(applied).bytes, cost(fused).bytes);
}

TEST(Cost, CountsWhatIsReduced) {
    const Plan plan = bucketGradients(tutorialPlan({.replicas = 2}));
    EXPECT_EQ(cost(plan).reduced_bytes, 64 + 64 + 2560 + 256 + 5408 * 64 * 4 + 128 + 1152);
    EXPECT_EQ(cost(tutorialPlan()).reduced_bytes, 0);
}

}  // namespace
}  // namespace engine::plan
