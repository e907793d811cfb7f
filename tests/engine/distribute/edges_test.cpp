#include "engine/distribute/edges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace {

using engine::distribute::Edges;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(Edges, OfARingLeadToTheNextMember) {
    const Edges ring = Edges::ring(4);
    EXPECT_EQ(ring.size(), 4);
    EXPECT_THAT(ring.from(3), ElementsAre(0));
    EXPECT_THAT(ring.to(3), ElementsAre(2));
    EXPECT_TRUE(ring.has(3, 0));
    EXPECT_FALSE(ring.has(0, 3));
    EXPECT_THAT(Edges::ring(2).from(1), ElementsAre(0));
    EXPECT_THAT(Edges::ring(1).from(0), IsEmpty()) << "nobody talks to itself";
}

TEST(Edges, OfAStarJoinEveryoneWithItsCentreBothWays) {
    const Edges star = Edges::star(4);
    EXPECT_THAT(star.from(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(star.to(0), ElementsAre(1, 2, 3));
    EXPECT_THAT(star.from(2), ElementsAre(0));
    EXPECT_FALSE(star.has(1, 2));
    EXPECT_EQ(star.placeOf(0, 3), 2U);
    EXPECT_EQ(star.placeOf(3, 0), 0U);
}

TEST(Edges, OfSeveralCentresDoNotJoinThese) {
    const Edges star = Edges::star(5, std::array{1, 0});
    EXPECT_THAT(star.from(0), ElementsAre(2, 3, 4));
    EXPECT_THAT(star.from(1), ElementsAre(2, 3, 4));
    EXPECT_THAT(star.from(4), ElementsAre(0, 1));
    EXPECT_FALSE(star.has(0, 1));
    EXPECT_EQ(star, Edges::star(5, std::array{0, 1}));
}

}  // namespace
