#include "ui/models/fuzzy_match.h"

#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QString>

#include "ui/models/place_model.h"

namespace ui::models {
namespace {

TEST(FuzzyMatch, FindsLettersInOrderWithGaps) {
    const auto match = fuzzyMatch(u"ccl", u"Choose the cluster");
    ASSERT_TRUE(match);
    EXPECT_EQ(match->positions, (std::vector<int>{0, 11, 12}));
    EXPECT_FALSE(fuzzyMatch(u"lcc", u"Choose the cluster")) << "order counts";
    EXPECT_TRUE(fuzzyMatch(u"", u"anything"));
}

TEST(FuzzyMatch, NeedsEveryWordInAnyPlace) {
    EXPECT_TRUE(fuzzyMatch(u"conv add", u"Add Conv2D"));
    EXPECT_FALSE(fuzzyMatch(u"conv del", u"Add Conv2D"));
}

TEST(FuzzyMatch, KnowsNoCase) {
    EXPECT_TRUE(fuzzyMatch(u"LAUNCH", u"launch"));
    EXPECT_TRUE(fuzzyMatch(u"학습", u"학습률"));
}

struct Better {
    const char* name;
    const char16_t *needle, *better, *worse;
};
class FuzzyOrder : public testing::TestWithParam<Better> {};

TEST_P(FuzzyOrder, PutsTheLikelierFirst) {
    const auto better = fuzzyMatch(GetParam().needle, GetParam().better), worse = fuzzyMatch(GetParam().needle, GetParam().worse);
    ASSERT_TRUE(better && worse);
    EXPECT_GT(better->score, worse->score);
}

INSTANTIATE_TEST_SUITE_P(Cases, FuzzyOrder,
                         testing::Values(Better{"RunOverGaps", u"stop", u"Stop", u"Shift to another page"},
                                         Better{"BeginningOfAWord", u"data", u"Open data", u"metadata"},
                                         Better{"HumpOfAName", u"cd", u"ConvDense", u"second"},
                                         Better{"BeginningOfTheText", u"mo", u"Monitor", u"Open Monitor"}),
                         [](const auto& test) { return test.param.name; });

TEST(PlaceModel, ShowsTheBestFirstAndRunsIt) {
    PlaceModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    int went = 0;
    model.setPlaces({{.kind = PlaceKind::kAction, .text = "Stop now, without a checkpoint"},
                     {.kind = PlaceKind::kRun, .text = "mnist", .detail = "Stopped, today"},
                     {.kind = PlaceKind::kAction, .text = "Stop", .keys = "Shift+F5", .go = [&went] { ++went; }}});
    EXPECT_EQ(model.rowCount(), 3);
    model.setNeedle("stop");
    ASSERT_EQ(model.rowCount(), 3);
    EXPECT_EQ(model.index(0).data().toString(), "Stop");
    EXPECT_EQ(model.index(2).data().toString(), "mnist") << "found by its detail alone";
    model.place(0).go();
    EXPECT_EQ(went, 1);
    model.setNeedle("zzz");
    EXPECT_EQ(model.rowCount(), 0);
}

}  // namespace
}  // namespace ui::models
