// Dropout within recurrent layers: the same on both executors and any number of threads, one mask for all times, none in evaluation.
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/cpu_layer_rig.h"
#include "tests/support/model_builder.h"
#include "tests/support/near.h"

namespace engine::backend {
namespace {

using tests::support::CpuLayerRig;
using tests::support::Fusion;
using tests::support::layer;
using tests::support::LayerRig;
using tests::support::model;
using tests::support::randomValues;

struct Cell {
    const char* class_name;
    bool reset_after;
};

spec::ModelSpec modelOf(const Cell& cell, double dropout, double recurrent_dropout) {
    spec::Fields config{
        {"units", std::int64_t{5}}, {"dropout", dropout}, {"recurrent_dropout", recurrent_dropout}, {"return_sequences", true}};
    if (std::string(cell.class_name) == "GRU") config.set("reset_after", cell.reset_after);
    return model({4, 3}, {layer(cell.class_name, "rnn", config)});
}

template <typename Rig>
void setWeights(Rig& rig) {
    std::uint64_t stream = 20;
    for (const Variables::Entry& entry : rig.variables().entries()) {
        const std::vector<float> values = randomValues(entry.values.size(), stream++, 0.6F);
        std::copy(values.begin(), values.end(), entry.values.begin());
    }
}

TEST(RecurrentDropout, IsTheSameOnBothExecutors) {
    constexpr std::int64_t kSamples = 7;
    for (const Cell& cell : {Cell{"SimpleRNN", true}, Cell{"LSTM", true}, Cell{"GRU", true}, Cell{"GRU", false}}) {
        const spec::ModelSpec model = modelOf(cell, 0.25, 0.5);
        LayerRig reference(model, kSamples, Fusion::kOff);
        setWeights(reference);
        const std::vector<float> x = randomValues(reference.tensor("input").size(), 1);
        const std::vector<float> r = randomValues(reference.tensor("output:grad").size(), 2);
        const auto y = reference.forward(x);
        const std::vector<float> wanted(y.begin(), y.end());
        reference.backward(r);
        for (const int threads : {1, 3}) {
            SCOPED_TRACE(std::string(cell.class_name) + (cell.reset_after ? "" : ", reset before") + ", threads " +
                         std::to_string(threads));
            CpuLayerRig cpu(model, kSamples, Fusion::kOn, threads);
            setWeights(cpu);
            EXPECT_TRUE(tests::support::isNear(cpu.forward(x), wanted, 1e-5));
            cpu.backward(r);
            EXPECT_TRUE(tests::support::isNear(cpu.tensor("input:grad"), reference.tensor("input:grad"), 1e-4));
            for (const Variables::Entry& entry : cpu.variables().entries()) {
                EXPECT_TRUE(tests::support::isNear(cpu.tensor(entry.name + ":grad"), reference.tensor(entry.name + ":grad"), 1e-4))
                    << entry.name;
            }
        }
    }
}

// A SimpleRNN with the identity in place of tanh and of its kernels: the state is the sum of what was seen so far, so a dropped unit of the
// state holds the newest input alone, at all times, and a kept one grows by 1 / (1 - rate).
TEST(RecurrentDropout, DropsTheSameUnitsAtAllTimes) {
    const spec::ModelSpec model = tests::support::model({3, 4}, {layer("SimpleRNN", "rnn",
                                                                       {{"units", std::int64_t{4}},
                                                                        {"activation", std::string("linear")},
                                                                        {"recurrent_dropout", 0.5},
                                                                        {"return_sequences", true},
                                                                        {"use_bias", false}})});
    LayerRig rig(model, 8, Fusion::kOff);
    for (const char* name : {"rnn/kernel", "rnn/recurrent_kernel"}) {
        const std::span<float> kernel = rig.variables().values(name);
        for (std::size_t i = 0; i < 4; ++i) kernel[i * 5] = 1;
    }
    const std::span<const float> y = rig.forward(std::vector<float>(8 * 3 * 4, 1.0F));
    std::size_t dropped = 0;
    for (std::size_t sample = 0; sample < 8; ++sample) {
        for (std::size_t unit = 0; unit < 4; ++unit) {
            const auto at = [&](std::size_t time) { return y[(sample * 3 + time) * 4 + unit]; };
            EXPECT_EQ(at(0), 1);
            const bool is_dropped = at(1) == 1;
            EXPECT_EQ(at(1), is_dropped ? 1 : 3);
            EXPECT_EQ(at(2), is_dropped ? 1 : 7);
            dropped += is_dropped ? 1 : 0;
        }
    }
    EXPECT_GT(dropped, 4U);
    EXPECT_LT(dropped, 28U);
}

TEST(RecurrentDropout, IsOfTrainingAlone) {
    const plan::Plan plan = plan::lowerLayers(modelOf({"LSTM", true}, 0.5, 0.5), {.batch = 2, .training = false});
    for (const plan::Op& op : plan.ops) {
        EXPECT_NE(op.kind, plan::OpKind::kDropout);
        const auto* cell = std::get_if<plan::RecurrentAttributes>(&op.attributes);
        EXPECT_TRUE(cell == nullptr || cell->recurrent_dropout == 0) << op.name;
    }
}

}  // namespace
}  // namespace engine::backend
