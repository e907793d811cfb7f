// How a library's algorithm is chosen: of ways that are told what they are to do.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/backend/cuda/nvidia/trial.h"
#include "engine/backend/cuda/status.h"
#include "engine/spec/error.h"
#ifdef TANDEM_CUDA_EMULATED
#include "tests/support/cuda_emulator/emulator.h"
#endif

namespace engine::backend::cuda::nvidia {
namespace {

// Ways that take their time by how much memory they clear.
class FakeLibrary {
public:
    std::vector<std::size_t> cleared_bytes{std::size_t{1} << 24, 1, std::size_t{1} << 24};
    std::vector<std::size_t> scratch{0, 64, 0};
    std::set<std::size_t> refuses{}, throws{};
    std::vector<std::size_t> calls{};

    std::optional<std::size_t> choose(const LibraryOptions& options, Choices& choices) {
        Ways ways;
        ways.name = "work";
        ways.count = cleared_bytes.size();
        ways.bytes = {.a = std::size_t{1} << 24, .b = 16, .c = 16, .bias = 0};
        ways.scratch_bytes = [this](std::size_t way) { return scratch[way]; };
        ways.run = [this](std::size_t way, cudaStream_t stream, const Operands& operands, std::byte*) {
            calls.push_back(way);
            if (throws.contains(way)) throw Error(ErrorCode::kInternal, "not this one");
            if (refuses.contains(way)) return false;
            check(cudaMemsetAsync(const_cast<void*>(operands.a), 0, cleared_bytes[way], stream), "way");
            return true;
        };
        return chooseWay(options, choices, ways);
    }
    bool hasRun(std::size_t way) const { return std::find(calls.begin(), calls.end(), way) != calls.end(); }
};

TEST(ChooseWay, MeasuresAndRemembers) {
    FakeLibrary library;
    Choices choices;
    const auto chosen = library.choose({}, choices);
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(choices.find("work"), std::to_string(*chosen));
    for (std::size_t way = 0; way < 3; ++way) EXPECT_TRUE(library.hasRun(way));
}

TEST(ChooseWay, RunsWhatIsRememberedOnceAndNothingElse) {
    FakeLibrary library;
    Choices choices;
    choices.remember("work", "2");
    EXPECT_EQ(library.choose({}, choices), 2U);
    EXPECT_EQ(library.calls, std::vector<std::size_t>{2});
}

TEST(ChooseWay, TriesAnewWhatIsRememberedAndRunsNoMore) {
    for (const char* remembered : {"2", "7", "", "first", "99999999999999999999"}) {
        FakeLibrary library;
        library.refuses = {0, 2};
        Choices choices;
        choices.remember("work", remembered);
        EXPECT_EQ(library.choose({}, choices), 1U) << remembered;
        EXPECT_EQ(choices.find("work"), "1");
    }
}

TEST(ChooseWay, TakesTheFirstThatRunsWhereNothingIsTried) {
    FakeLibrary library;
    library.throws = {0};
    Choices choices;
    choices.remember("work", "2");
    EXPECT_EQ(library.choose({.device = "", .tensor_float_32 = false, .tries = false}, choices), 1U);
    EXPECT_EQ(library.calls, (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(choices.find("work"), "2");
}

TEST(ChooseWay, ChoosesNothingWhereNoneRuns) {
    FakeLibrary library;
    library.refuses = {0, 1};
    library.throws = {2};
    Choices choices;
    EXPECT_EQ(library.choose({}, choices), std::nullopt);
    EXPECT_EQ(choices.find("work"), std::nullopt);
}

#ifdef TANDEM_CUDA_EMULATED
TEST(ChooseWay, TakesTheLeastWorkMemoryWithoutRoomForATrial) {
    const cuda_emulator::Settings restore;
    cuda_emulator::setDeviceMemory(cuda_emulator::allocatedBytes() + (1 << 20));
    FakeLibrary library;
    library.scratch = {512, 64, 256};
    Choices choices;
    EXPECT_EQ(library.choose({}, choices), 1U);
    EXPECT_TRUE(library.calls.empty());
    EXPECT_EQ(choices.find("work"), std::nullopt);
}
#endif

}  // namespace
}  // namespace engine::backend::cuda::nvidia
