#include "engine/distribute/named_rows.h"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::distribute {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(NamedRows, AreDistinctAndAscending) {
    NamedRows named(200);
    named.add(std::vector<float>{130, 3, 64, 3});
    named.add(std::vector<float>{199, 63, 0});
    EXPECT_THAT(named.take(), ElementsAre(0, 3, 63, 64, 130, 199));
}

TEST(NamedRows, OfOneBatchAreForgottenInTheNext) {
    NamedRows named(10);
    named.add(std::vector<float>{7});
    named.take();
    named.clear();
    EXPECT_THAT(named.take(), IsEmpty());
    named.add(std::vector<float>{2});
    EXPECT_THAT(named.take(), ElementsAre(2));
}

TEST(NamedRows, NumbersThatNameNoRowAreLeftOut) {
    NamedRows named(65);
    named.add(std::vector<float>{-1, 65, 1e30F, std::numeric_limits<float>::quiet_NaN(), 64});
    EXPECT_THAT(named.take(), ElementsAre(64));
}

TEST(NamedRows, AreThoseThatTheLookupTakes) {
    constexpr std::int64_t kMany = (std::int64_t{1} << 24) + 1;  // as a float it is one less
    NamedRows named(kMany);
    named.add(std::vector<float>{-0.5F, 2.75F, static_cast<float>(kMany)});
    EXPECT_THAT(named.take(), ElementsAre(0, 2, kMany - 1)) << "a part of a number is cut off";
}

}  // namespace
}  // namespace engine::distribute
