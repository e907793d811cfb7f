#include "engine/spec/project/data_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/spec/cluster/cluster_repair.h"
#include "engine/spec/validate/validate.h"

namespace engine::spec {
namespace {

using enum DataStep;
using Order = std::vector<DataStep>;

// Every step does something.
DataSpec everyStep() {
    DataSpec data;
    data.take = 100;
    data.mean = {0.5};
    data.std = {2};
    data.one_hot = 10;
    return data;
}

DataSpec inOrder(const Order& order) {
    DataSpec data = everyStep();
    data.order = order;
    return data;
}

std::vector<std::string> linesOf(const Diagnostics& findings) {
    std::vector<std::string> lines;
    for (const Diagnostic& finding : findings) {
        EXPECT_TRUE(finding.severity == Severity::kInfo || !finding.fix.empty()) << finding.message;
        lines.push_back(toString(finding));
    }
    return lines;
}

TEST(DataOrder, SpellsTheUsualChainAsTfDataDoes) {
    RunSpec run;
    run.data = everyStep();
    run.fit.steps_per_epoch = 7;
    EXPECT_EQ(chainText(run, 128),
              "dataset.take(100).map(scale).map(normalize).map(one_hot).cache().shuffle(10000).repeat().batch(128).prefetch(2)");
    run.fit.steps_per_epoch = 0;
    run.data = DataSpec();
    run.data.drop_remainder = true;
    EXPECT_EQ(chainText(run, 64), "dataset.map(scale).cache().shuffle(10000).batch(64, drop_remainder=True).prefetch(2)");
    run.data.mix = {"MixUp", {}};
    EXPECT_EQ(chainText(run, 64), "dataset.map(scale).cache().shuffle(10000).batch(64, drop_remainder=True).map(MixUp).prefetch(2)");
    run.data.prefetch = 0;
    EXPECT_EQ(chainText(run, 64), "dataset.map(scale).cache().shuffle(10000).batch(64, drop_remainder=True).map(MixUp)");
    EXPECT_TRUE(orderFindings(everyStep(), Passes::kEndless).empty());
    EXPECT_EQ(meaningOf(everyStep(), Passes::kEndless), OrderMeaning());
}

struct Row {
    const char* name;
    Order order;
    Passes passes;
    std::vector<std::string> starts;  // of each finding, in order
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class Findings : public testing::TestWithParam<Row> {};

TEST_P(Findings, SayWhatTheOrderMeans) {
    const std::vector<std::string> lines = linesOf(orderFindings(inOrder(GetParam().order), GetParam().passes));
    ASSERT_EQ(lines.size(), GetParam().starts.size()) << testing::PrintToString(lines);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        EXPECT_THAT(lines[i], testing::StartsWith(GetParam().starts[i]));
    }
}

constexpr auto kOnce = Passes::kOneAnEpoch;
constexpr auto kEver = Passes::kEndless;

INSTANTIATE_TEST_SUITE_P(
    Orders, Findings,
    testing::Values(Row{"MapsAnywhere", {kTake, kCache, kOneHot, kShuffle, kScale, kRepeat, kBatch, kNormalize, kPrefetch}, kEver, {}},
                    Row{"ShuffleBehindBatch",
                        {kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kBatch, kShuffle, kPrefetch},
                        kOnce,
                        {"warning: data.order: shuffle: expected it before batch"}},
                    Row{"CacheBehindShuffle",
                        {kTake, kScale, kNormalize, kOneHot, kShuffle, kCache, kRepeat, kBatch, kPrefetch},
                        kEver,
                        {"warning: data.order: cache: expected it before shuffle"}},
                    Row{"TakeBehindCache",
                        {kScale, kNormalize, kOneHot, kCache, kTake, kShuffle, kRepeat, kBatch, kPrefetch},
                        kOnce,
                        {"warning: data.order: take: expected it before cache"}},
                    Row{"TakeBehindShuffle",
                        {kScale, kNormalize, kOneHot, kCache, kShuffle, kTake, kRepeat, kBatch, kPrefetch},
                        kOnce,
                        {"warning: data.order: take: expected it before cache",
                         "info: data.order: take behind shuffle: other samples in each epoch"}},
                    Row{"TakeDrawnOnce",
                        {kScale, kNormalize, kOneHot, kShuffle, kTake, kCache, kRepeat, kBatch, kPrefetch},
                        kOnce,
                        {"warning: data.order: cache: expected it before shuffle", "info: data.order: take behind shuffle, before cache"}},
                    Row{"TakeBehindBatch",
                        {kScale, kNormalize, kOneHot, kBatch, kTake, kCache, kShuffle, kRepeat, kPrefetch},
                        kEver,
                        {"warning: data.order: shuffle: expected it before batch", "info: data.order: take behind batch: it counts batches",
                         "info: data.order: repeat behind batch"}},
                    Row{"RepeatBeforeShuffle",
                        {kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kShuffle, kBatch, kPrefetch},
                        kEver,
                        {"info: data.order: repeat before shuffle: samples of two epochs"}},
                    Row{"RepeatIsOff", {kTake, kScale, kNormalize, kOneHot, kRepeat, kCache, kShuffle, kBatch, kPrefetch}, kOnce, {}},
                    Row{"RepeatBehindBatch",
                        {kTake, kScale, kNormalize, kOneHot, kCache, kShuffle, kBatch, kRepeat, kPrefetch},
                        kEver,
                        {"info: data.order: repeat behind batch: each epoch ends in its own smaller batch"}},
                    Row{"NormalizeFirst",
                        {kTake, kNormalize, kScale, kOneHot, kCache, kShuffle, kRepeat, kBatch, kPrefetch},
                        kOnce,
                        {"info: data.order: normalize before scale"}},
                    Row{"CacheBehindRepeat",
                        {kTake, kScale, kNormalize, kOneHot, kRepeat, kCache, kShuffle, kBatch, kPrefetch},
                        kEver,
                        {"error: data.order: cache: expected it before repeat", "info: data.order: repeat before shuffle"}},
                    Row{"TakeBehindRepeat",
                        {kScale, kNormalize, kOneHot, kRepeat, kTake, kCache, kShuffle, kBatch, kPrefetch},
                        kEver,
                        {"error: data.order: cache: expected it before repeat", "error: data.order: take: expected it before repeat",
                         "info: data.order: repeat before shuffle"}},
                    Row{"PrefetchInside",
                        {kTake, kScale, kNormalize, kOneHot, kCache, kShuffle, kRepeat, kPrefetch, kBatch},
                        kOnce,
                        {"error: data.order: prefetch: expected it behind all other steps"}},
                    Row{"Missing",
                        {kTake, kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kPrefetch},
                        kOnce,
                        {"error: data.order: expected each step once, got take twice, no shuffle and no batch"}},
                    Row{"None", {}, kOnce, {"error: data.order: expected each step once, got no take"}}),
    [](const auto& row) { return row.param.name; });

// What is off may stand anywhere.
TEST(DataOrder, MindsOnlyStepsThatAreOn) {
    DataSpec data = inOrder({kPrefetch, kRepeat, kTake, kShuffle, kCache, kOneHot, kNormalize, kScale, kBatch});
    data.prefetch = data.take = data.one_hot = 0;
    data.cache = false;
    data.mean = data.std = {};
    EXPECT_TRUE(orderFindings(data, kOnce).empty()) << testing::PrintToString(linesOf(orderFindings(data, kOnce)));
}

TEST(DataOrder, BoundsABufferThatAnEndlessSetWouldFill) {
    DataSpec data = inOrder({kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kShuffle, kBatch, kPrefetch});
    data.shuffle = 1 << 25;
    EXPECT_THAT(linesOf(orderFindings(data, kEver)).front(),
                testing::StartsWith("error: data.shuffle: expected a buffer of at most 16777216 samples"));
    EXPECT_FALSE(hasErrors(orderFindings(data, kOnce)));
    data.order = {kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kBatch, kShuffle, kPrefetch};
    data.shuffle = 1 << 20;
    EXPECT_THAT(linesOf(orderFindings(data, kEver)).front(),
                testing::StartsWith("error: data.shuffle: expected a buffer of at most 262144 batches"));
}

TEST(DataOrder, MovesAStepBesideAnother) {
    const Order order{kCache, kShuffle, kBatch};
    EXPECT_EQ(movedStep(order, kCache, Side::kBehind, kShuffle), (Order{kShuffle, kCache, kBatch}));
    EXPECT_EQ(movedStep(order, kBatch, Side::kBefore, kCache), (Order{kBatch, kCache, kShuffle}));
    EXPECT_EQ(movedStep(order, kCache, Side::kBehind, kBatch), (Order{kShuffle, kBatch, kCache}));
    EXPECT_EQ(movedStep(order, kCache, Side::kBefore, kCache), order);
}

TEST(DataOrder, SplitsBehindATakeThatComesFirst) {
    DataSpec data = everyStep();
    data.validation_split = 0.25;
    EXPECT_EQ(trainedSamples(data, 1000), 75);
    data.order = {kScale, kNormalize, kOneHot, kCache, kShuffle, kTake, kRepeat, kBatch, kPrefetch};
    EXPECT_EQ(trainedSamples(data, 1000), 750);
}

// Of all 362,880 orders: no error stays without a repair that mends it.
TEST(DataOrder, EveryOrderThatIsNotPossibleHasARepair) {
    RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    run.compile.loss = {"CategoricalCrossentropy", {}};
    run.data = everyStep();
    run.fit.steps_per_epoch = 5;
    ASSERT_FALSE(hasErrors(validate(run)));
    int refused = 0;
    std::sort(run.data.order.begin(), run.data.order.end());
    for (int i = 0; std::next_permutation(run.data.order.begin(), run.data.order.end()); ++i) {
        if (i % 997 != 0) {
            continue;  // a prime: all places are met
        }
        RunSpec mended = run;
        for (int round = 0; round < 8 && hasErrors(validate(mended)); ++round) {
            refused += round == 0 ? 1 : 0;
            const auto repair = repairRun(mended, validate(mended).front());
            ASSERT_TRUE(repair) << chainText(mended, 64) << "\n" << toString(validate(mended).front());
            EXPECT_THAT(repair->text, testing::AnyOf(testing::StartsWith("Move "), "Use the usual order"));
            mended = repair->run;
        }
        EXPECT_FALSE(hasErrors(validate(mended))) << chainText(run, 64);
    }
    EXPECT_GT(refused, 100);
}

TEST(DataOrder, RepairsMoveTheStepAtFaultToTheNearestPlace) {
    RunSpec run;
    run.model.input_shape = {28, 28, 1};
    run.model.layers = {{"Flatten", "flatten", {}}, {"Dense", "dense", {{"units", std::int64_t{10}}}}};
    run.fit.steps_per_epoch = 5;
    run.data.order = {kTake, kScale, kNormalize, kOneHot, kShuffle, kRepeat, kCache, kBatch, kPrefetch};
    const auto repair = repairRun(run, validate(run).front());
    ASSERT_TRUE(repair);
    EXPECT_EQ(repair->text, "Move cache before repeat");
    EXPECT_EQ(repair->run.data.order, (Order{kTake, kScale, kNormalize, kOneHot, kShuffle, kCache, kRepeat, kBatch, kPrefetch}));
    run.data.order.pop_back();
    EXPECT_EQ(repairRun(run, validate(run).front())->text, "Use the usual order");
}

TEST(DataOrder, IsWrittenOnlyWhereItIsNotTheUsualOne) {
    RunSpec run;
    EXPECT_EQ(toProjectJson(run).find("\"order\""), std::string::npos);
    EXPECT_TRUE(
        applySetting(run, R"(data.order=["batch","take","scale","normalize","one_hot","cache","shuffle","repeat","prefetch"])").empty());
    EXPECT_EQ(run.data.order, (Order{kBatch, kTake, kScale, kNormalize, kOneHot, kCache, kShuffle, kRepeat, kPrefetch}));
    EXPECT_EQ(parseProject(toProjectJson(run)).run, run);
    const Diagnostics wrong = applySetting(run, R"(data.order=["batch","sort"])");
    ASSERT_EQ(wrong.size(), 1U);
    EXPECT_EQ(toString(wrong[0]),
              "error: data.order[1]: expected take, scale, normalize, one_hot, cache, shuffle, repeat, batch or prefetch, got \"sort\"");
}

}  // namespace
}  // namespace engine::spec
