// Convolutions, dense and large recurrent layers at the sizes that the kernels tell apart, fused or not, against the reference.
#include <string>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gtest/gtest.h>

#include "tests/support/cuda_layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend::cuda {
namespace {

using tests::support::CudaLayerRig;
using tests::support::Fusion;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::randomValues;

struct Case {
    std::string name;
    spec::ModelSpec model;
    std::int64_t batch = 3;
    std::string kernel{};  // what the plan's text says of the way that is meant, where layers are fused
};
void PrintTo(const Case& c, std::ostream* out) {
    *out << c.name;
}

spec::LayerSpec conv(std::int64_t filters, std::int64_t size, spec::Fields more = {}) {
    spec::Fields config{{"filters", filters}, {"kernel_size", size}};
    for (const auto& [key, value] : more.entries()) config.set(key, value);
    return layer("Conv2D", "conv2d", config);
}

std::vector<Case> cases() {
    const std::string relu = "relu", same = "same";
    const auto pool = layer("MaxPooling2D", "pool");
    const auto number = [](std::int64_t value) { return value; };
    return {
        {"DirectOneChannelPools", model({10, 11, 1}, {conv(8, 3, {{"activation", relu}}), pool}), 5, "direct 3x3 of 1, pools"},
        {"DirectOneChannelSame", model({9, 8, 1}, {conv(32, 3, {{"activation", relu}, {"padding", same}}), pool}), 3,
         "direct 3x3 of 1, pools"},
        {"DirectThreeChannels", model({8, 9, 3}, {conv(16, 3, {{"padding", same}})}), 3, "direct 3x3 of 3"},
        {"DirectFiveByFive", model({12, 12, 1}, {conv(8, 5, {{"activation", relu}}), pool}), 2, "direct 5x5 of 1, pools"},
        {"DirectManyImages", model({6, 6, 1}, {conv(8, 3, {{"activation", relu}}), pool}), 300, "direct 3x3 of 1, pools"},
        {"DirectFiveByFiveOfThree", model({9, 8, 3}, {conv(6, 5, {{"activation", relu}, {"padding", same}}), pool}), 3,
         "direct 5x5 of 3, pools"},
        {"DirectFiltersThatDivideNothing", model({8, 9, 1}, {conv(20, 3, {{"activation", relu}}), pool}), 3, "direct 3x3 of 1, pools"},
        {"DirectManyFilters", model({5, 5, 1}, {conv(200, 3)}), 2, "direct 3x3 of 1"},
        {"FusedOddImage", model({9, 8, 4}, {conv(6, 3, {{"activation", relu}}), pool}), 3, "a pass that pools"},
        {"FusedOddBoth", model({7, 7, 2}, {conv(8, 3), pool}), 3, "a pass that pools"},
        {"FusedWithoutPooling", model({7, 6, 5}, {conv(8, 3, {{"activation", relu}, {"strides", number(2)}})}), 3, "a pass over values"},
        {"FusedStrideSamePools", model({11, 10, 2}, {conv(5, 3, {{"strides", number(2)}, {"padding", same}, {"activation", relu}}), pool}),
         3, ""},
        {"Groups", model({6, 5, 6}, {conv(4, 3, {{"groups", number(2)}, {"padding", same}})}), 3, ""},
        {"Dilation", model({9, 8, 3}, {conv(4, 3, {{"dilation_rate", number(2)}})}), 2, ""},
        {"OneByOne", model({5, 4, 7}, {conv(9, 1, {{"activation", relu}})}), 3, ""},
        {"Dense", model({19}, {layer("Dense", "dense", {{"units", number(13)}, {"activation", relu}})}), 7, "all gradients in one pass"},
        {"DenseLinear", model({16}, {layer("Dense", "dense", {{"units", number(12)}})}), 40, "all gradients in one pass"},
        {"DenseOnRows", model({5, 8}, {layer("Dense", "dense", {{"units", number(4)}, {"activation", relu}})}), 3,
         "all gradients in one pass"},
        {"DenseOfManyColumns", model({19}, {layer("Dense", "dense", {{"units", number(21)}, {"activation", relu}})}), 7, "plain loops"},
        {"DenseOfManyRows", model({600, 3}, {layer("Dense", "dense", {{"units", number(2)}})}), 6, "plain loops"},
        // One kernel, two sizes of its shared memory: the smaller one comes last.
        {"TwoLstms",
         model({3, 2}, {layer("LSTM", "lstm", {{"units", number(100)}, {"return_sequences", true}}),
                        layer("LSTM", "lstm_1", {{"units", number(9)}})}),
         2, "U in shared memory"},
        {"LargeSimple", model({3, 2}, {layer("SimpleRNN", "rnn", {{"units", number(520)}})}), 2, "time by time"},
        {"LargeLstm", model({3, 2}, {layer("LSTM", "lstm", {{"units", number(260)}, {"return_sequences", true}})}), 2, "time by time"},
        {"LargeLstmBackwards", model({2, 3}, {layer("LSTM", "lstm", {{"units", number(260)}, {"go_backwards", true}})}), 2, "time by time"},
        {"LargeGru", model({3, 2}, {layer("GRU", "gru", {{"units", number(300)}})}), 2, "time by time"},
        {"LargeGruResetBefore", model({3, 2}, {layer("GRU", "gru", {{"units", number(300)}, {"reset_after", false}})}), 2,
         "U in global memory"},
    };
}

class CudaProducts : public ::testing::TestWithParam<std::tuple<Case, Fusion>> {};

TEST_P(CudaProducts, AgreeWithTheReferenceInEveryOrder) {
    const auto& [c, fusion] = GetParam();
    LayerRig oracle(c.model, c.batch, fusion);
    CudaLayerRig tested(c.model, c.batch, fusion);
    if (fusion == Fusion::kOn) {
        EXPECT_NE(tested.planText().find(c.kernel), std::string::npos) << tested.planText();
    }
    std::uint64_t stream = 10;
    for (const Variables::Entry& entry : oracle.variables().entries()) {
        const std::vector<float> values = randomValues(entry.values.size(), stream++, 0.7F);
        std::copy(values.begin(), values.end(), entry.values.begin());
        std::copy(values.begin(), values.end(), tested.variables().values(entry.name).begin());
    }
    const std::vector<float> input = randomValues(oracle.tensor("input").size(), 1),
                             r = randomValues(oracle.tensor("output:grad").size(), 2);
    const std::span<const float> output = oracle.forward(input);
    const std::vector<float> wanted(output.begin(), output.end());
    oracle.backward(r);
    tests::support::forEachOrder([&] {
        EXPECT_TRUE(tests::support::isNear(tested.forward(input), wanted, 1e-5));
        tested.backward(r);
        for (const plan::TensorDesc& tensor : oracle.plan().tensors) {
            if (tensor.name != "input:grad" && tensor.role != plan::TensorRole::kGradient) continue;
            EXPECT_TRUE(tests::support::isNear(tested.tensor(tensor.name), oracle.tensor(tensor.name), 1e-4)) << tensor.name;
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Sizes, CudaProducts,
                         ::testing::Combine(::testing::ValuesIn(cases()), ::testing::Values(Fusion::kOff, Fusion::kOn)),
                         [](const auto& param) {
                             return std::get<0>(param.param).name + (std::get<1>(param.param) == Fusion::kOn ? "Fused" : "Plain");
                         });

}  // namespace
}  // namespace engine::backend::cuda
