#include "engine/plan/lower.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::support::compileWith;
using tests::support::layer;
using tests::support::model;
using tests::support::tutorialModel;

std::vector<std::string> opNames(const Plan& plan) {
    std::vector<std::string> names;
    for (const Op& op : plan.ops) names.push_back(op.name);
    return names;
}

const TensorDesc& tensorNamed(const Plan& plan, const std::string& name) {
    const TensorId id = findTensor(plan, name);
    if (id == kNoTensor) throw std::runtime_error("no tensor " + name);
    return plan.tensors[static_cast<std::size_t>(id)];
}

TEST(Lower, WritesForwardBackwardAndUpdatesOfADenseNet) {
    const Plan plan = lower(model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("relu")}}),
                                        layer("Dense", "dense_1", {{"units", std::int64_t{2}}})}),
                            compileWith({"SGD", {{"momentum", 0.9}}}), {.batch = 4});
    EXPECT_THAT(opNames(plan),
                ElementsAre("input/Gather", "dense/MatMul", "dense/BiasAdd", "dense/Activation", "dense_1/MatMul", "dense_1/BiasAdd",
                            "loss/SoftmaxCrossEntropy", "dense_1/BiasAddBack", "dense_1/MatMulBackInput", "dense_1/MatMulBackWeight",
                            "dense/ActivationBack", "dense/BiasAddBack", "dense/MatMulBackWeight", "dense_1/bias/Update",
                            "dense_1/kernel/Update", "dense/bias/Update", "dense/kernel/Update"));
    EXPECT_EQ(tensorNamed(plan, "dense/kernel").shape, (spec::Shape{6, 3}));
    EXPECT_EQ(tensorNamed(plan, "dense/kernel:grad").of, findTensor(plan, "dense/kernel"));
    EXPECT_EQ(tensorNamed(plan, "dense/kernel:momentum").slot_name, "momentum");
    EXPECT_EQ(plan.tensors[static_cast<std::size_t>(plan.output)].shape, (spec::Shape{4, 2}));
    EXPECT_THAT(slotsOf(plan, findTensor(plan, "dense/bias")), ElementsAre(findTensor(plan, "dense/bias:momentum")));
}

TEST(Lower, StartsWithParametersInModelOrder) {
    const Plan plan = lower(tutorialModel(), compileWith({"Adam", {}}), {});
    std::vector<std::string> names;
    for (TensorId id : parametersOf(plan)) names.push_back(plan.tensors[static_cast<std::size_t>(id)].name);
    EXPECT_THAT(names, ElementsAre("conv2d/kernel", "conv2d/bias", "dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"));
}

// The loss takes over the softmax at the end, whatever layer it is in; the kernel before it is trained all the same.
TEST(Lower, TrainsALayerInsideAnotherThatEndsInSoftmax) {
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{3}}, {"activation", std::string("softmax")}}};
    spec::CompileSpec compile = compileWith({"SGD", {}});
    compile.loss = {"CategoricalCrossentropy", {}};
    const Plan plan = lower(model({4, 2}, {layer("TimeDistributed", "each", {{"layer", dense}})}), compile, {.batch = 2});
    EXPECT_THAT(opNames(plan), ::testing::IsSupersetOf({"each/layer/MatMulBackWeight", "each/layer/BiasAddBack", "each/layer/kernel/Update",
                                                        "each/layer/bias/Update"}));
    EXPECT_THAT(opNames(plan), ::testing::Not(::testing::Contains("each/layer/ActivationBack")));
}

// Its kernel changes before it is read, in training alone; what the layer is made of is trained all the same.
TEST(Lower, NormalizesAKernelBeforeItsLayer) {
    const spec::ObjectSpec dense{"Dense", {{"units", std::int64_t{3}}}};
    const spec::ModelSpec spectral = model({4}, {layer("SpectralNormalization", "spectral", {{"layer", dense}})});
    const Plan plan = lower(spectral, compileWith({"SGD", {}}), {.batch = 2});
    const std::vector<std::string> names = opNames(plan);
    ASSERT_GT(names.size(), 3U);
    EXPECT_THAT(std::vector<std::string>(names.begin() + 1, names.begin() + 4),
                ElementsAre("spectral/SpectralNorm", "spectral/layer/MatMul", "spectral/layer/BiasAdd"));
    EXPECT_THAT(names, ::testing::IsSupersetOf({"spectral/layer/kernel/Update", "spectral/layer/bias/Update"}));
    EXPECT_THAT(names, ::testing::Not(::testing::Contains("spectral/vector_u/Update")));
    const Plan forward = lower(spectral, compileWith({"SGD", {}}), {.batch = 2, .training = false});
    EXPECT_THAT(opNames(forward), ::testing::Not(::testing::Contains("spectral/SpectralNorm")));
}

TEST(Lower, TrainsBothDirections) {
    const spec::ObjectSpec cell{"GRU", {{"units", std::int64_t{2}}}};
    const Plan plan = lower(model({4, 3}, {layer("Bidirectional", "both", {{"layer", cell}, {"merge_mode", std::string("sum")}})}),
                            compileWith({"SGD", {}}), {.batch = 2});
    std::vector<std::string> names;
    for (TensorId id : parametersOf(plan)) names.push_back(plan.tensors[static_cast<std::size_t>(id)].name);
    EXPECT_THAT(names, ElementsAre("both/forward_layer/kernel", "both/forward_layer/recurrent_kernel", "both/forward_layer/bias",
                                   "both/backward_layer/kernel", "both/backward_layer/recurrent_kernel", "both/backward_layer/bias"));
    for (const std::string& name : names) EXPECT_THAT(opNames(plan), ::testing::Contains(name + "/Update"));
}

// The mask goes as far as Keras' does, and is made where something asks for it alone.
TEST(Lower, MakesAMaskWhereALayerOrTheLossTakesIt) {
    const auto plan_of = [](std::vector<spec::LayerSpec> layers) {
        layers.insert(layers.begin(), layer("Masking", "masking", {{"mask_value", 2.0}}));
        return lower(model({4, 3}, std::move(layers)), compileWith({"SGD", {}}), {.batch = 2});
    };
    const auto takers = [](const Plan& plan) {
        std::vector<std::string> names;
        for (const Op& op : plan.ops) {
            const bool takes = std::any_of(op.inputs.begin(), op.inputs.end(), [&plan](TensorId id) {
                return plan.tensors[static_cast<std::size_t>(id)].dtype == tensor::DType::kUInt8;
            });
            if (takes) names.push_back(op.name);
        }
        return names;
    };
    const spec::LayerSpec dense = layer("Dense", "dense", {{"units", std::int64_t{2}}});
    EXPECT_THAT(takers(plan_of({dense})), ElementsAre("masking/ApplyMask", "loss/Loss", "accuracy/Metric"));
    EXPECT_THAT(takers(plan_of({layer("Flatten", "flatten"), dense})), ElementsAre("masking/ApplyMask"));
    EXPECT_THAT(takers(plan_of({dense, layer("LSTM", "lstm", {{"units", std::int64_t{2}}})})),
                ElementsAre("masking/ApplyMask", "lstm/Recurrent", "lstm/RecurrentBack"));
    const Plan words = lower(
        model({4}, {layer("Embedding", "words", {{"input_dim", std::int64_t{9}}, {"output_dim", std::int64_t{2}}, {"mask_zero", true}}),
                    layer("Flatten", "flatten"), dense}),
        compileWith({"SGD", {}}), {.batch = 2});
    EXPECT_THAT(opNames(words), ::testing::Not(::testing::Contains("words/Mask")));
}

TEST(Lower, GivesAFrozenLayerNoGradientSlotOrUpdate) {
    const spec::Fields frozen{{"units", std::int64_t{3}}, {"trainable", false}};
    const spec::Fields free{{"units", std::int64_t{3}}};
    const Plan plan = lower(model({6}, {layer("Dense", "first", frozen), layer("Dense", "second", free), layer("Dense", "third", frozen),
                                        layer("Dense", "fourth", free)}),
                            compileWith({"SGD", {{"momentum", 0.9}}}), {.batch = 4});
    EXPECT_THAT(opNames(plan), ElementsAre("input/Gather", "first/MatMul", "first/BiasAdd", "second/MatMul", "second/BiasAdd",
                                           "third/MatMul", "third/BiasAdd", "fourth/MatMul", "fourth/BiasAdd", "loss/SoftmaxCrossEntropy",
                                           "fourth/BiasAddBack", "fourth/MatMulBackInput", "fourth/MatMulBackWeight",
                                           "third/MatMulBackInput", "second/BiasAddBack", "second/MatMulBackWeight", "fourth/bias/Update",
                                           "fourth/kernel/Update", "second/bias/Update", "second/kernel/Update"));
    EXPECT_EQ(tensorNamed(plan, "third/kernel").role, TensorRole::kState);
    EXPECT_EQ(findTensor(plan, "third/kernel:momentum"), kNoTensor);
    EXPECT_THAT(statesOf(plan), ElementsAre(findTensor(plan, "first/kernel"), findTensor(plan, "first/bias"),
                                            findTensor(plan, "third/kernel"), findTensor(plan, "third/bias")));
}

TEST(Lower, GivesAWeightThatNothingReadsItsSlotsAndNoUpdate) {
    const spec::ModelSpec net = model(
        {4},
        {layer("ReversibleEmbedding", "words", {{"input_dim", std::int64_t{9}}, {"output_dim", std::int64_t{2}}, {"tie_weights", false}}),
         layer("Flatten", "flatten"), layer("Dense", "dense", {{"units", std::int64_t{2}}})});
    const Plan plan = lower(net, compileWith({"SGD", {{"momentum", 0.9}}}), {.batch = 2});
    EXPECT_EQ(tensorNamed(plan, "words/reverse_embeddings").role, TensorRole::kParameter);
    EXPECT_EQ(tensorNamed(plan, "words/reverse_embeddings").shape, (spec::Shape{2, 9}));
    EXPECT_NE(findTensor(plan, "words/reverse_embeddings:momentum"), kNoTensor);
    EXPECT_EQ(findTensor(plan, "words/reverse_embeddings:grad"), kNoTensor);
    EXPECT_THAT(opNames(plan), ::testing::Not(::testing::Contains(HasSubstr("words/reverse_embeddings"))));
    // Its moving average is the weight.
    const Plan averaged = lower(net, compileWith({"SGD", {{"use_ema", true}}}), {.batch = 2});
    const TensorId weight = findTensor(averaged, "words/reverse_embeddings"),
                   average = findTensor(averaged, "words/reverse_embeddings:average");
    const auto op =
        std::find_if(averaged.ops.begin(), averaged.ops.end(), [](const Op& one) { return one.kind == OpKind::kMovingAverage; });
    ASSERT_NE(op, averaged.ops.end());
    EXPECT_THAT(op->inputs, ElementsAre(average, weight));
    EXPECT_THAT(op->outputs, ElementsAre(average));
    EXPECT_EQ(op->phase, Phase::kUpdate);
    EXPECT_EQ(std::get<BatchNormAttributes>(op->attributes).momentum, 0);
}

TEST(Lower, RefusesAModelOfFrozenLayers) {
    const spec::ModelSpec frozen = model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}, {"trainable", false}})});
    EXPECT_THROW(lower(frozen, compileWith({"SGD", {}}), {.batch = 4}), Error);
    EXPECT_NO_THROW(lower(frozen, compileWith({"SGD", {}}), {.batch = 4, .training = false}));
}

TEST(Lower, TrainsOnTheInputOfAFinalSoftmax) {
    const Plan plain = lower(tutorialModel("linear"), compileWith({"Adam", {}}, true), {});
    const Plan softmax = lower(tutorialModel("softmax"), compileWith({"Adam", {}}, false), {});
    EXPECT_EQ(plain, softmax);
}

TEST(Lower, PredictsAfterTheFinalSoftmaxAndEvaluatesBeforeIt) {
    const Plan plan = lower(tutorialModel("softmax"), compileWith({"Adam", {}}, false), {.training = false});
    EXPECT_EQ(plan.tensors[static_cast<std::size_t>(plan.output)].name, "dense_1:softmax");
    const Op& loss = plan.ops.back();
    EXPECT_EQ(loss.kind, OpKind::kSoftmaxCrossEntropy);
    EXPECT_TRUE(std::get<CrossEntropyAttributes>(loss.attributes).from_logits);
    EXPECT_EQ(plan.tensors[static_cast<std::size_t>(loss.inputs[0])].name, "dense_1:bias_add");
    EXPECT_THAT(loss.outputs, ElementsAre(plan.header));
    EXPECT_EQ(findTensor(plan, "dense/kernel:m"), kNoTensor);
}

TEST(Lower, ReadsProbabilitiesWhenNoSoftmaxIsThere) {
    const Plan plan = lower(model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("relu")}})}),
                            compileWith({"SGD", {}}, false), {.batch = 4});
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kSoftmaxCrossEntropy) {
            EXPECT_FALSE(std::get<CrossEntropyAttributes>(op.attributes).from_logits);
        }
    }
}

TEST(Lower, ResolvesSamePaddingWithTheExtraCellAtTheEnd) {
    const Plan plan = lowerLayers(model({7, 8, 1}, {layer("Conv2D", "conv2d",
                                                          {{"filters", std::int64_t{2}},
                                                           {"kernel_size", std::vector<std::int64_t>{3, 4}},
                                                           {"strides", std::int64_t{2}},
                                                           {"padding", std::string("same")}})}),
                                  {.batch = 2});
    const Window2D& window = windowOf(plan.ops.front());
    EXPECT_EQ(std::make_pair(window.pad_top, window.pad_bottom), std::make_pair(1, 1));  // 4 rows of output: (4-1)*2+3-7 = 2
    EXPECT_EQ(std::make_pair(window.pad_left, window.pad_right), std::make_pair(1, 1));  // 4 columns: (4-1)*2+4-8 = 2
    EXPECT_EQ(tensorNamed(plan, "conv2d:conv").shape, (spec::Shape{2, 4, 4, 2}));
    EXPECT_EQ(windowOutput({2, 7, 8, 1}, window, 2), (spec::Shape{2, 4, 4, 2}));
    const Plan pooled = lowerLayers(model({5, 5, 1}, {layer("MaxPooling2D", "pool", {{"padding", std::string("same")}})}), {.batch = 1});
    const auto& pool = std::get<Window2D>(pooled.ops.front().attributes);
    EXPECT_EQ(pool.pad_top, 0);
    EXPECT_EQ(pool.pad_bottom, 1);
}

TEST(Lower, LeavesDropoutOutWhereNothingIsTrained) {
    const spec::ModelSpec net =
        model({6}, {layer("Dropout", "dropout", {{"rate", 0.5}}), layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    EXPECT_THAT(opNames(lower(net, compileWith({"SGD", {}}), {.training = false})), ::testing::Not(::testing::Contains("dropout/Dropout")));
    EXPECT_THAT(opNames(lower(net, compileWith({"SGD", {}}), {})), ::testing::Contains("dropout/Dropout"));
}

TEST(Lower, GivesDropoutLayersDifferentStreams) {
    const Plan plan = lower(model({6}, {layer("Dropout", "dropout", {{"rate", 0.5}}), layer("Dropout", "dropout_1", {{"rate", 0.5}}),
                                        layer("Dropout", "dropout_2", {{"rate", 0.5}, {"seed", std::int64_t{42}}}),
                                        layer("Dense", "dense", {{"units", std::int64_t{3}}})}),
                            compileWith({"SGD", {}}), {});
    std::vector<std::int64_t> seeds;
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kDropout) seeds.push_back(std::get<DropoutAttributes>(op.attributes).seed);
    }
    EXPECT_THAT(seeds, ElementsAre(0, 1, 42));
}

TEST(Lower, ComputesNoGradientInFrontOfTheFirstWeights) {
    const Plan plan =
        lower(model({6}, {layer("Dropout", "dropout", {{"rate", 0.5}}), layer("Dense", "dense", {{"units", std::int64_t{3}}})}),
              compileWith({"SGD", {}}), {});
    EXPECT_THAT(opNames(plan), ::testing::Not(::testing::Contains("dropout/DropoutBack")));
    EXPECT_THAT(opNames(plan), ::testing::Not(::testing::Contains("dense/MatMulBackInput")));
}

struct BadRow {
    std::string name;
    spec::ModelSpec model;
    spec::CompileSpec compile;
    std::string message;
};
void PrintTo(const BadRow& row, std::ostream* out) {
    *out << row.name;
}
class LowerRefuses : public ::testing::TestWithParam<BadRow> {};

TEST_P(LowerRefuses, WithOneClearMessage) {
    try {
        lower(GetParam().model, GetParam().compile, {});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr(GetParam().message));
    }
}

std::vector<BadRow> badRows() {
    const spec::ModelSpec good = model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    const spec::CompileSpec sgd = compileWith({"SGD", {}});
    const spec::ModelSpec of_times = model({6, 2}, {layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    const spec::ModelSpec masked = model({6, 2}, {layer("Masking", "masking"), layer("Dense", "dense", {{"units", std::int64_t{3}}})});
    spec::CompileSpec metric = sgd, unknown = sgd, ctc = sgd, measured = sgd, none = sgd;
    metric.metrics = {"auc"};
    unknown.loss = {"Ctc", {}};
    ctc.loss = measured.loss = {"CTC", {}};
    ctc.metrics.clear();
    measured.metrics = {"accuracy"};
    none.loss.config.set("reduction", std::string("none"));
    return {
        {"NoLayers", model({6}, {}), sgd, "expected a layer at least"},
        {"InputShape", model({-1}, {layer("Dense", "dense", {{"units", std::int64_t{3}}})}), sgd,
         "expected sizes of 1 at least in input_shape"},
        {"SameName",
         model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}}), layer("Dense", "dense", {{"units", std::int64_t{3}}})}), sgd,
         "dense: expected a layer name of its own"},
        {"UnknownLayer", model({6}, {layer("Conv7D", "conv7d")}), sgd, "conv7d: "},
        {"WrongRank", model({6}, {layer("Conv2D", "conv2d", {{"filters", std::int64_t{2}}, {"kernel_size", std::int64_t{3}}})}), sgd,
         "conv2d: expected input rank 4"},
        {"NothingToTrain", model({6}, {layer("Flatten", "flatten")}), sgd, "expected a layer with trainable weights"},
        {"Activation", model({6}, {layer("Dense", "dense", {{"units", std::int64_t{3}}, {"activation", std::string("gleu")}})}), sgd,
         "got \"gleu\""},
        {"Optimizer", good, compileWith({"Rprop", {}}), "optimizer Rprop: expected an optimizer of Keras"},
        {"OptimizerSetting", good, compileWith({"Adam", {{"clipnorm", 1.0}, {"clipvalue", 1.0}}}),
         "optimizer Adam: expected one of clipnorm, global_clipnorm and clipvalue"},
        {"Loss", good, unknown, "compile.loss: expected a loss of Keras such as SparseCategoricalCrossentropy, got Ctc"},
        {"LossOfSequencesWithoutTimes", good, ctc,
         "compile.loss: CTC: expected a model output of rank 3 (batch, time and classes), got rank 2"},
        {"LossOfSequencesBesideAMetric", of_times, measured,
         "compile.metrics: expected none beside CTC, whose labels are sequences, got accuracy"},
        {"LossOfSequencesWithAMask", masked, ctc, "compile.loss: CTC: expected an output without a mask, got one from dense"},
        {"Reduction", good, none, "compile.loss.reduction: expected sum_over_batch_size, mean, mean_with_sample_weight or sum, got none"},
        {"Metric", good, metric, "compile.metrics: expected a metric of class labels beside SparseCategoricalCrossentropy, got auc"},
    };
}
INSTANTIATE_TEST_SUITE_P(Rows, LowerRefuses, ::testing::ValuesIn(badRows()), [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::plan
