#include "engine/sweep/sweep_draws.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::sweep {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAreArray;

SweepSettings settingsWith(Method method, std::initializer_list<const char*> fields, int trials = 0) {
    SweepSettings settings{.method = method, .fields = {}, .objective = {}, .trials = trials};
    for (const char* field : fields) settings.fields.push_back(parseField(field));
    return settings;
}

TEST(SweepDraws, AGridHasEveryCombinationOnce) {
    EXPECT_THAT(configurationsOf(settingsWith(Method::kGrid, {"a=1,2", "b=x,y"})),
                ElementsAre(Configuration{"1", "x"}, Configuration{"1", "y"}, Configuration{"2", "x"}, Configuration{"2", "y"}));
}

TEST(SweepDraws, AllOfTheGridComesInARandomOrderThatTheSeedFixes) {
    SweepSettings settings = settingsWith(Method::kAsha, {"a=1,2,3", "b=log:1..100:3", "c=x,y,z"});
    const std::vector<Configuration> grid = configurationsOf(settingsWith(Method::kGrid, {"a=1,2,3", "b=log:1..100:3", "c=x,y,z"}));
    const std::vector<Configuration> drawn = configurationsOf(settings);
    EXPECT_THAT(drawn, UnorderedElementsAreArray(grid));
    EXPECT_NE(drawn, grid);
    EXPECT_EQ(configurationsOf(settings), drawn);
    settings.seed = 1;
    EXPECT_NE(configurationsOf(settings), drawn);
    settings.seed = 0;
    settings.trials = 5;
    settings.fields[1] = parseField("b=1,10,100");
    EXPECT_EQ(configurationsOf(settings), std::vector<Configuration>(drawn.begin(), drawn.begin() + 5));
}

TEST(SweepDraws, RangesAreDrawnFromAllTheyHave) {
    const std::vector<Configuration> drawn = configurationsOf(settingsWith(Method::kRandom, {"a=log:1e-4..1:3", "b=x,y"}, 400));
    ASSERT_EQ(drawn.size(), 400U);
    const auto below = [](double bound) { return [bound](const Configuration& one) { return std::atof(one[0].c_str()) < bound; }; };
    EXPECT_NEAR(std::count_if(drawn.begin(), drawn.end(), below(1e-2)), 200, 40) << "half of the powers of ten";
    EXPECT_NEAR(std::count_if(drawn.begin(), drawn.end(), [](const Configuration& one) { return one[1] == "x"; }), 200, 40);
    EXPECT_EQ(std::set<Configuration>(drawn.begin(), drawn.end()).size(), 400U);
}

TEST(SweepDraws, EndsWhereThereAreNoMore) {
    EXPECT_EQ(configurationsOf(settingsWith(Method::kRandom, {"a=int:1..4"}, 10)).size(), 4U);
    EXPECT_EQ(configurationsOf(settingsWith(Method::kRandom, {"a=1,2"}, 10)).size(), 2U);
}

// The generator is the same on every computer and in every version: a sweep's file may move.
TEST(SweepDraws, DrawsTheSameEverywhere) {
    EXPECT_THAT(configurationsOf(settingsWith(Method::kRandom, {"a=linear:0..1"}, 2)),
                ElementsAre(Configuration{"0.159793"}, Configuration{"0.992145"}));
}

}  // namespace
}  // namespace engine::sweep
