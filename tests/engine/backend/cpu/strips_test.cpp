// Threads that take their samples strip by strip leave the bytes that they leave without strips.
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cpu/schedule/schedule.h"
#include "engine/backend/cpu/schedule/scratch_places.h"
#include "engine/backend/executor.h"
#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"
#include "tests/support/piecewise.h"

namespace engine::backend::cpu {
namespace {

using ::testing::ElementsAre;
using tests::support::compileWith;
using tests::support::expectTrainsLikeReference;
using tests::support::FakeData;
using tests::support::makeStripwiseExecutor;
using tests::support::ModelCase;
using tests::support::modelCases;

TEST(Strips, TrainLikeTheReferenceOnEveryModelOfTheTable) {
    for (const ModelCase& c : modelCases()) {
        expectTrainsLikeReference(c, makeStripwiseExecutor, {.fuse = true, .fuse_updates_into_gradients = true, .threads = 2});
        expectTrainsLikeReference(c, makeStripwiseExecutor, {.fuse = false, .fuse_updates_into_gradients = false, .threads = 1});
    }
}

// The variables after four steps, of which the third has `few` samples.
std::vector<float> trained(const ModelCase& c, const ExecutorOptions& options, std::int64_t few) {
    const plan::Plan plan = plan::compile(tests::support::runOf(c), {.batch = c.batch});
    Variables variables(plan);
    initializeVariables(variables, c.model, 5);
    const auto executor = makeCpuExecutor(plan, variables, options);
    std::int64_t elements = 1;
    for (std::int64_t size : c.model.input_shape) elements *= size;
    const FakeData data(c.batch, elements, plan.tensors[static_cast<std::size_t>(plan.output)].shape.back(), 3);
    for (int step = 0; step < 4; ++step) {
        std::vector<std::uint32_t> indices(static_cast<std::size_t>(step == 2 ? few : c.batch));
        std::iota(indices.begin(), indices.end(), 0U);
        executor->trainStep(data.view(indices), {.learning_rate = c.learning_rate, .iteration = step, .seed = 11});
    }
    std::vector<float> values;
    for (const Variables::Entry& entry : variables.entries()) values.insert(values.end(), entry.values.begin(), entry.values.end());
    return values;
}

TEST(Strips, GiveTheSameBytesOnEveryModelOfTheTable) {
    for (const ModelCase& c : modelCases()) {
        const std::vector<float> whole = trained(c, {.threads = 1, .strips = 1}, c.samples);
        EXPECT_EQ(trained(c, {.threads = 2, .strips = 4}, c.samples), whole) << c.name;
    }
}

// Convolutions with strides and without, by Winograd's filtering and by panels, normalizations of the batch, shortcuts, dropout.
TEST(Strips, GiveTheSameBytesForAnyNumberOfStripsAndThreads) {
    ModelCase c = tests::support::rows::residualCases().front();
    for (const std::int64_t batch : {5, 32, 40}) {
        c.batch = batch;
        const std::vector<float> whole = trained(c, {.threads = 1, .strips = 1}, batch / 2);
        for (const int threads : {1, 2, 3, 4}) {
            for (const int strips : {0, 2, 3, 8, 32}) {
                EXPECT_EQ(trained(c, {.threads = threads, .strips = strips}, batch / 2), whole)
                    << "batch " << batch << ", " << threads << " threads, " << strips << " strips";
            }
        }
    }
}

TEST(Strips, TakeStepsWithoutSamples) {
    ModelCase c = tests::support::rows::residualCases().front();
    c.batch = 32;
    EXPECT_EQ(trained(c, {.threads = 2, .strips = 8}, 0), trained(c, {.threads = 2, .strips = 1}, 0));
}

// Stages of made-up ops on memory that nobody touches.
class Stages {
public:
    // The first access is to `bytes` bytes of each of 32 samples, the second to `bytes` bytes that no sample has for its own.
    static Access bySample(std::int64_t bytes, std::uintptr_t begin, bool writes) {
        return {reinterpret_cast<const void*>(begin), 32 * bytes, bytes, writes};
    }
    static Access shared(std::int64_t bytes, std::uintptr_t begin, bool writes) {
        return {reinterpret_cast<const void*>(begin), bytes, 0, writes};
    }
    static Schedule scheduleFor(const std::vector<std::vector<Stage>>& stages, bool moves = true) {
        plan::Plan plan;
        for (std::size_t i = 0; i < stages.size(); ++i) plan.ops.push_back({.kind = plan::OpKind::kActivation});
        return scheduleOf(plan, stages, PieceSums(), {.moves_stages = moves});
    }
    // "0.1" is the second stage of the first op, "|" a barrier.
    static std::string text(const Schedule& schedule) {
        std::string text;
        for (const Entry& entry : schedule) {
            if (!text.empty()) text += ' ';
            text += wordOf(entry);
        }
        return text;
    }

private:
    static std::string wordOf(const Entry& entry) {
        switch (entry.action) {
            case Action::kBarrier:
                return "|";
            case Action::kStartReduction:
                return "start";
            case Action::kAwaitReduction:
                return "await";
            case Action::kReadVariables:
                return "read";
            case Action::kAddPiece:
                return "add";
            case Action::kStage:
                break;
        }
        return std::to_string(entry.op) + "." + std::to_string(entry.stage);
    }
};

constexpr std::uintptr_t kA = 1 << 20, kB = 2 << 20, kC = 3 << 20, kKernel = 4 << 20, kSums = 6 << 20, kScratch = 8 << 20;

TEST(Schedule, HasWhatReadsVariablesAloneInFrontOfAnEarlierBarrier) {
    const Stage first{.accesses = {Stages::bySample(4, kA, true)}};
    const Stage pack{.accesses = {Stages::shared(64, kKernel, false), Stages::shared(64, kScratch, true)}, .when = When::kEarly};
    const Stage product{.accesses = {Stages::shared(64, kScratch, false), Stages::bySample(4, kA, false), Stages::bySample(8, kB, true)}};
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{first}, {pack, product}})), "1.0 | 0.0 1.1");
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{first}, {pack, product}}, false)), "0.0 1.0 | 1.1");
    Stage packs_much = pack, takes_much = product;
    packs_much.accesses.back().bytes = takes_much.accesses.front().bytes = kStripBytes + 64;
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{first}, {packs_much, takes_much}})), "0.0 1.0 | 1.1") << "next to what takes it";
    // A stage that is over by then does not matter, one that writes what is read does.
    const Stage sums{.accesses = {Stages::bySample(4, kA, false), Stages::shared(64, kSums, true)}};
    const Stage total{.accesses = {Stages::shared(64, kSums, false), Stages::shared(64, kC, true)}};
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{first}, {sums, total}, {pack, product}})), "0.0 1.0 2.0 | 1.1 2.1");
    const Stage writes_kernel{.accesses = {Stages::shared(64, kKernel, true)}};
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{writes_kernel}, {pack, product}})), "0.0 | 1.0 | 1.1");
}

TEST(Schedule, HasWhatMayWaitBehindTheNextBarrierAndItsReadersBehindThat) {
    const Stage runs{.accesses = {Stages::bySample(4, kA, false), Stages::shared(64, kSums, true)}};
    const Stage finish{.accesses = {Stages::shared(64, kSums, false), Stages::shared(64, kKernel, true)}, .when = When::kLate};
    const Stage other{.accesses = {Stages::bySample(4, kA, false), Stages::bySample(4, kB, true)}};
    const Stage update{.accesses = {Stages::shared(64, kKernel, true)}};
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{runs, finish}, {other}})), "0.0 1.0 | 0.1");
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{runs, finish}, {other}, {update}})), "0.0 1.0 | 0.1 | 2.0");
    const Stage reads_all{.accesses = {Stages::shared(128, kB, false), Stages::shared(64, kC, true)}};
    EXPECT_EQ(Stages::text(Stages::scheduleFor({{runs, finish}, {other}, {reads_all}})), "0.0 1.0 | 0.1 2.0");
}

// A plan's ops beside those that compute: the reduction of its only bucket, which has tensor 0, an update by that tensor, and a read of
// variables by what it holds.
const plan::Op kComputes{.kind = plan::OpKind::kActivation}, kReduces{.kind = plan::OpKind::kAllReduce, .bucket = 0};
const plan::Op kUpdates{.kind = plan::OpKind::kUpdate, .inputs = {0}}, kReads{.kind = plan::OpKind::kReadVariables, .inputs = {0}};

std::string scheduleText(const std::vector<std::pair<plan::Op, std::vector<Stage>>>& ops, bool moves = true) {
    plan::Plan plan;
    plan.tensors.push_back({.name = "kernel:grad", .role = plan::TensorRole::kGradient});
    plan.buckets.push_back({.gradients = {0}});
    std::vector<std::vector<Stage>> stages;
    for (const auto& [op, of_op] : ops) {
        plan.ops.push_back(op);
        stages.push_back(of_op);
    }
    return Stages::text(scheduleOf(plan, stages, PieceSums(), {.moves_stages = moves}));
}

TEST(Schedule, HasNoReductionInFrontOfWhatMayWait) {
    const Stage runs{.accesses = {Stages::bySample(4, kA, false), Stages::shared(64, kSums, true)}};
    const Stage finish{.accesses = {Stages::shared(64, kSums, false), Stages::shared(64, kKernel, true)}, .when = When::kLate};
    const Stage other{.accesses = {Stages::bySample(4, kA, false), Stages::bySample(4, kB, true)}};
    const Stage takes_all{.accesses = {Stages::shared(128, kA, true)}};
    const Stage update{.accesses = {Stages::shared(64, kKernel, true)}};
    for (const bool moves : {true, false}) {
        EXPECT_EQ(scheduleText({{kComputes, {runs, finish}}, {kReduces, {}}, {kComputes, {other}}, {kUpdates, {update}}}, moves),
                  "0.0 | 0.1 | start 2.0 await | 3.0");
    }
    EXPECT_EQ(scheduleText({{kComputes, {runs, finish}}, {kComputes, {takes_all}}, {kReduces, {}}}), "0.0 | 0.1 1.0 | start await")
        << "one barrier where it waits no more";
}

TEST(Schedule, HasWhatMayWaitBehindTheReductionThatIsAwaited) {
    const Stage other{.accesses = {Stages::bySample(4, kA, false), Stages::bySample(4, kB, true)}};
    const Stage runs{.accesses = {Stages::bySample(4, kA, false), Stages::shared(64, kSums, true)}};
    const Stage finish{.accesses = {Stages::shared(64, kSums, false), Stages::shared(64, kKernel, true)}, .when = When::kLate};
    const Stage update{.accesses = {Stages::shared(64, kKernel, true)}};
    EXPECT_EQ(scheduleText({{kComputes, {other}}, {kReduces, {}}, {kComputes, {runs, finish}}}), "0.0 | start 2.0 await | 2.1")
        << "awaited at the end of a step";
    EXPECT_EQ(scheduleText({{kComputes, {other}}, {kReduces, {}}, {kComputes, {runs, finish}}, {kUpdates, {update}}}),
              "0.0 | start 2.0 await | 2.1 | 3.0");
}

TEST(Schedule, HasVariablesReadBehindWhatMayWaitAndInFrontOfWhatReadsThem) {
    const Stage runs{.accesses = {Stages::bySample(4, kA, false), Stages::shared(64, kSums, true)}};
    const Stage finish{.accesses = {Stages::shared(64, kSums, false), Stages::shared(64, kKernel, true)}, .when = When::kLate};
    EXPECT_EQ(scheduleText({{kComputes, {runs, finish}}, {kReads, {}}}), "0.0 | 0.1 | read |");
    const Stage first{.accesses = {Stages::bySample(4, kA, true)}};
    const Stage pack{.accesses = {Stages::shared(64, kKernel, false), Stages::shared(64, kScratch, true)}, .when = When::kEarly};
    EXPECT_EQ(scheduleText({{kComputes, {first}}, {kReads, {}}, {kComputes, {pack}}}), "0.0 | read | 2.0");
}

// Strips of the first entries of groups, and how many entries those have.
std::vector<std::pair<int, int>> stripsOf(const std::vector<Stage>& stages, int threads, int strips = 0) {
    std::vector<std::vector<Stage>> of_ops;
    for (const Stage& stage : stages) of_ops.push_back({stage});
    Schedule schedule = Stages::scheduleFor(of_ops);
    formStrips(schedule, of_ops, threads, strips);
    std::vector<std::pair<int, int>> found;
    for (std::size_t i = 0; i < schedule.size(); i += static_cast<std::size_t>(schedule[i].group)) {
        found.emplace_back(schedule[i].group, schedule[i].strips);
    }
    return found;
}

TEST(FormStrips, GroupsNeighboursWhoseSamplesAreMoreThanACacheHolds) {
    constexpr std::int64_t kLarge = 256 << 10;  // 8 MiB of 32 samples
    const auto stage = [](std::int64_t bytes, std::uintptr_t from, std::uintptr_t to) {
        return Stage{.accesses = {Stages::bySample(bytes, from << 32, false), Stages::bySample(bytes, to << 32, true)}};
    };
    using Found = std::vector<std::pair<int, int>>;
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, 2), (Found{{2, 8}}));
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, 1), (Found{{2, 16}}));
    EXPECT_EQ(stripsOf({stage(1 << 10, 1, 2), stage(1 << 10, 2, 3)}, 2), (Found{{1, 1}, {1, 1}})) << "all of it stays in a cache";
    for (const int threads : {3, 6, 12, 24, 32}) {
        EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, threads), (Found{{1, 1}, {1, 1}})) << "no parts of equal samples";
        EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, threads, 4), (Found{{1, 1}, {1, 1}})) << "even where asked for";
    }
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, 2, 7), (Found{{2, 4}})) << "a power of two";
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge, 2, 3)}, 16, 8), (Found{{2, 2}})) << "32 of all threads";
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), stage(kLarge / 16, 2, 3)}, 2, 4).front().first, 1) << "strips of another size";
    Stage wants_eight = stage(kLarge, 2, 3), wants_all = wants_eight;
    wants_eight.fewest_samples = 8;
    wants_all.fewest_samples = kAllSamples;
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), wants_eight}, 2), (Found{{2, 2}}));
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), wants_all, stage(kLarge, 3, 4)}, 2), (Found{{1, 1}, {1, 1}, {1, 1}}));
    Stage sums = stage(kLarge, 2, 3);
    sums.accesses.push_back(Stages::shared(64, kSums, true));
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), sums}, 2), (Found{{1, 1}, {1, 1}})) << "it writes what is not of its samples";
    sums.writes_by_samples = true;
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), sums}, 2), (Found{{2, 8}}));
    Stage weights = stage(kLarge, 2, 3);
    weights.accesses.push_back(Stages::shared(kStripBytes, kKernel, false));
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), weights}, 2), (Found{{2, 8}}));
    weights.accesses.push_back(Stages::shared(64, kC, false));
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), weights}, 2), (Found{{1, 1}, {1, 1}})) << "each strip would read too many weights again";
    weights.writes_by_samples = true;
    EXPECT_EQ(stripsOf({stage(kLarge, 1, 2), weights}, 2), (Found{{2, 8}})) << "gradients of samples";
}

TEST(MayComeInStrips, WantsLargeTensorsAndThreadsThatDivide32) {
    const auto planOf = [](std::int64_t floats) {
        plan::Plan plan;
        plan.tensors.push_back({.name = "dense:out", .shape = {floats}});
        return plan;
    };
    const plan::Plan large = planOf(16 << 20), small = planOf(16 << 10);
    for (const int threads : {1, 2, 4, 8, 16}) {
        EXPECT_TRUE(mayComeInStrips(large, threads, 0)) << threads;
        EXPECT_FALSE(mayComeInStrips(large, threads, 1)) << threads;
        EXPECT_FALSE(mayComeInStrips(small, threads, 0)) << threads;
        EXPECT_TRUE(mayComeInStrips(small, threads, 4)) << threads;
    }
    for (const int threads : {3, 6, 12, 24, 32, 64}) {
        EXPECT_FALSE(mayComeInStrips(large, threads, 0)) << threads;
        EXPECT_FALSE(mayComeInStrips(large, threads, 4)) << threads;
    }
}

TEST(ScratchPlaces, HaveNeighboursSideBySideAndFarOnesInTurns) {
    const ScratchPlaces few = placeScratch({100, 0, 64, 1}, ScratchLayout::kSideBySide);
    EXPECT_THAT(few.offsets, ElementsAre(0, 128, 128, 192));
    EXPECT_EQ(few.bytes, 256);
    const ScratchPlaces many = placeScratch(std::vector<std::int64_t>(100, 1 << 20), ScratchLayout::kSideBySide);
    EXPECT_EQ(many.bytes, 4 << 20);
    EXPECT_EQ(many.offsets[3], 3 << 20);
    EXPECT_EQ(many.offsets[4], 0);
    const std::int64_t huge = std::int64_t{60} << 20;
    const ScratchPlaces large = placeScratch({huge, huge, 64}, ScratchLayout::kSideBySide);
    EXPECT_EQ(large.bytes, huge + 64) << "one place for those that need much";
    EXPECT_THAT(large.offsets, ElementsAre(0, 0, huge));
    EXPECT_THAT(placeScratch({64, huge, 64, 0}, ScratchLayout::kSideBySide).offsets, ElementsAre(huge, 0, huge + 64, huge + 128));
    const ScratchPlaces one = placeScratch({100, 0, 64, 1}, ScratchLayout::kOnePlace);
    EXPECT_THAT(one.offsets, ElementsAre(0, 0, 0, 0));
    EXPECT_EQ(one.bytes, 128);
}

}  // namespace
}  // namespace engine::backend::cpu
