// 300 models of layers drawn from the whole catalogue, with three optimizers: the kernels train each of them for five steps as the
// reference does, with the whole batch and in pieces. TANDEM_CHAINS=FIRST:COUNT draws others.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/project/project_json.h"
#include "tests/support/random_chains.h"

namespace engine::backend {
namespace {

using ::tests::support::apart;
using ::tests::support::ChainBatch;
using ::tests::support::ChainTraining;
using ::tests::support::RandomChain;
using ::tests::support::RandomNumbers;
using ::tests::support::trainChain;

constexpr int kChains = 300, kParts = 10;
constexpr double kTolerance = 1e-4;

// False for a chain whose numbers tell nothing: rounding alone makes others of them (the sign of a sum that cancels, a value at a step of
// its function), or they run away.
bool expectSameTraining(std::uint64_t seed) {
    const spec::RunSpec run = RandomChain(seed, RandomNumbers::kAllowed).draw();
    SCOPED_TRACE("chain " + std::to_string(seed) + ": " + spec::toJson(run).at("model").dump());
    plan::CompileTarget target{.batch = static_cast<std::int64_t>(ChainBatch::kSamples), .fuse = false};
    const plan::Plan plain = plan::compile(run, target);
    target.fuse = target.fuse_updates_into_gradients = true;
    const plan::Plan fused = plan::compile(run, target);
    Variables expected(plain), actual(fused);
    const auto oracle = makeReferenceExecutor(plain, expected, {});
    const auto executor = makeCpuExecutor(fused, actual, {.threads = 2});
    const ChainTraining got = trainChain(run, seed, *executor, actual);
    // The last one is for values around 255, which swallow the others and still round.
    for (const auto& [nudge, most] : {std::pair{1e-6F, kTolerance / 3}, {-3e-7F, kTolerance / 3}, {2e-5F, 3 * kTolerance}}) {
        if (!(apart(trainChain(run, seed, *executor, actual, nudge), got) < most)) return false;
    }
    const ChainTraining want = trainChain(run, seed, *oracle, expected);
    EXPECT_LT(apart(got, want), kTolerance);
    const auto piecewise = makeCpuExecutor(fused, actual, {.threads = 2, .piece = 4});
    EXPECT_LT(apart(trainChain(run, seed, *piecewise, actual), want), kTolerance) << "in pieces";
    return true;
}

class RandomChains : public ::testing::TestWithParam<int> {};

TEST_P(RandomChains, TrainAsTheReferenceDoes) {
    const char* chosen = std::getenv("TANDEM_CHAINS");
    int first = GetParam() * (kChains / kParts) * 3, count = kChains / kParts;
    if (chosen != nullptr) {
        if (GetParam() > 0) GTEST_SKIP() << "TANDEM_CHAINS is for the first part alone";
        const std::string text = chosen;
        first = std::atoi(text.c_str());
        count = std::atoi(text.substr(text.find(':') + 1).c_str());
    }
    int done = 0;
    for (int seed = first; done < count && seed < first + 3 * count; ++seed) {
        if (expectSameTraining(static_cast<std::uint64_t>(seed))) ++done;
        if (HasFailure()) return;
    }
    EXPECT_EQ(done, count) << "most chains must tell something";
}

// Or the chains above would tell little of pieces.
TEST(RandomChainsOfAll, OftenComeInPieces) {
    int in_pieces = 0;
    for (int seed = 0; seed < kChains; ++seed) {
        const spec::RunSpec run = RandomChain(static_cast<std::uint64_t>(seed), RandomNumbers::kAllowed).draw();
        if (plan::comesInPieces(plan::compile(run, {.batch = static_cast<std::int64_t>(ChainBatch::kSamples)}))) ++in_pieces;
    }
    EXPECT_GT(in_pieces, kChains / 4) << "of " << kChains;
}

// The chains above hold every layer of the catalogue but those that take texts.
TEST(RandomChainsOfAll, HoldEveryClass) {
    std::map<std::string, int> chains_with;
    for (int part = 0; part < kParts; ++part) {
        for (int i = 0; i < kChains / kParts; ++i) {
            const int seed = part * (kChains / kParts) * 3 + i;
            const spec::RunSpec run = RandomChain(static_cast<std::uint64_t>(seed), RandomNumbers::kAllowed).draw();
            EXPECT_LE(run.model.layers.size(), 12U) << seed;
            std::set<std::string> classes;
            for (const spec::LayerSpec& layer : run.model.layers) classes.insert(layer.class_name);
            for (const std::string& name : classes) ++chains_with[name];
        }
    }
    for (const spec::LayerSchema& schema : spec::layerSchemas()) {
        const bool takes_texts = schema.class_name == "TextVectorization" || schema.class_name == "StringLookup";
        EXPECT_EQ(chains_with[schema.class_name] == 0, takes_texts) << schema.class_name;
    }
}

INSTANTIATE_TEST_SUITE_P(Parts, RandomChains, ::testing::Range(0, kParts));

}  // namespace
}  // namespace engine::backend
