#include "engine/sweep/sweep_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::sweep {
namespace {

using Kind = SweepField::Kind;
using testing::ElementsAre;
using testing::Optional;

TEST(SweepField, AChoiceIsWrittenInItsShortestForm) {
    EXPECT_THAT(parseField("a=1e-2,0.10,\"relu\",[3, 3],tanh").choices, ElementsAre("0.01", "0.1", "relu", "[3,3]", "tanh"));
    EXPECT_THROW(parseField("a=0.1,0.10"), Error) << "that is one value";
}

TEST(SweepField, IsReadFromTheTextOfAnOption) {
    EXPECT_EQ(parseField("model.layers[1].units=64, 128,256"),
              (SweepField{.path = "model.layers[1].units", .kind = Kind::kChoice, .choices = {"64", "128", "256"}}));
    EXPECT_EQ(
        parseField("compile.optimizer.learning_rate=log:1e-4..1e-1:4"),
        (SweepField{.path = "compile.optimizer.learning_rate", .kind = Kind::kLog, .choices = {}, .low = 1e-4, .high = 0.1, .points = 4}));
    EXPECT_EQ(parseField("model.layers[2].rate=linear:-0.5..0.5"),
              (SweepField{.path = "model.layers[2].rate", .kind = Kind::kLinear, .choices = {}, .low = -0.5, .high = 0.5}));
    EXPECT_EQ(parseField("a=int:1..9").kind, Kind::kInteger);
    EXPECT_EQ(parseField("a=logint:16..1024:7").kind, Kind::kLogInteger);
}

TEST(SweepField, TakesValuesOfSeveralPartsAsOne) {
    EXPECT_THAT(parseField(R"(compile.optimizer={"class_name":"SGD","config":{"momentum":0.9}},{"class_name":"Adam"})").choices,
                ElementsAre(R"({"class_name":"SGD","config":{"momentum":0.9}})", R"({"class_name":"Adam"})"));
    EXPECT_THAT(parseField(R"(a="x,y",z)").choices, ElementsAre(R"("x,y")", "z"));
    EXPECT_THAT(parseField("a=relu").choices, ElementsAre("relu"));
    EXPECT_THAT(parseField("a=http://one:2").choices, ElementsAre("http://one:2")) << "no kind of range";
}

struct Refused {
    const char *text, *message;
};

TEST(SweepField, SaysWhatIsWrongWithAText) {
    for (const Refused& row : {
             Refused{"units", "field: expected PATH=VALUE,VALUE or PATH=log:LOW..HIGH, got units"},
             Refused{"=1", "field: expected PATH=VALUE,VALUE or PATH=log:LOW..HIGH, got =1"},
             Refused{"a..b=1", "field: expected a path such as fit.epochs or model.layers[2].units, got a..b"},
             Refused{"a=", "a: expected a value between two commas, got none"},
             Refused{"a=1,,2", "a: expected a value between two commas, got none"},
             Refused{"a=1,2,1", "a: expected each value once, got 1 twice"},
             Refused{"a=log:1e-4", "a: expected log:LOW..HIGH or log:LOW..HIGH:POINTS with numbers, got log:1e-4"},
             Refused{"a=log:x..2", "a: expected log:LOW..HIGH or log:LOW..HIGH:POINTS with numbers, got log:x..2"},
             Refused{"a=log:0..1", "a: expected a range above 0 for log, got 0..1"},
             Refused{"a=linear:2..1", "a: expected a range from a lower to a higher number, got 2..1"},
             Refused{"a=linear:1..inf", "a: expected linear:LOW..HIGH or linear:LOW..HIGH:POINTS with numbers, got linear:1..inf"},
             Refused{"a=int:1..2.5", "a: expected a range of integers for int, got 1..2.5"},
             Refused{"a=log:1..2:1", "a: expected 2 to 1000 points of the range, got 1"},
             Refused{"a=log:1..2:x", "a: expected 2 to 1000 points of the range, got x"},
         }) {
        try {
            parseField(row.text);
            ADD_FAILURE() << row.text;
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), row.message);
            EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        }
    }
}

TEST(SweepField, ReadsItsOwnTextBack) {
    for (const char* text : {"a=1,2,3", "a=log:0.0001..0.1:4", "a=linear:0..0.5", "a=int:1..9007199254740992", "a=logint:16..1024:7"}) {
        const SweepField field = parseField(text);
        EXPECT_EQ(field.path + "=" + valuesText(field), text);
    }
}

TEST(SweepField, SpreadsTheValuesOfAGridEvenlyInItsScale) {
    EXPECT_THAT(gridValues(parseField("a=log:1e-4..1e-1:4")), ElementsAre("0.0001", "0.001", "0.01", "0.1"));
    EXPECT_THAT(gridValues(parseField("a=linear:0..0.5:3")), ElementsAre("0", "0.25", "0.5"));
    EXPECT_THAT(gridValues(parseField("a=logint:16..128:4")), ElementsAre("16", "32", "64", "128"));
    EXPECT_THAT(gridValues(parseField("a=int:1..2:5")), ElementsAre("1", "2"));
    EXPECT_THAT(gridValues(parseField("a=log:1e-4..1e-1")), ElementsAre());
}

TEST(SweepField, DrawsValuesByTheirPlace) {
    EXPECT_EQ(valueAt(parseField("a=x,y"), 0.49), "x");
    EXPECT_EQ(valueAt(parseField("a=x,y"), 0.5), "y");
    EXPECT_EQ(valueAt(parseField("a=log:1e-4..1e-2"), 0.5), "0.001");
    EXPECT_EQ(valueAt(parseField("a=linear:0..1"), 0.123456789), "0.123457");
    const SweepField dice = parseField("a=int:1..6");
    for (int i = 0; i < 6; ++i) {
        EXPECT_EQ(valueAt(dice, i / 6.0 + 1e-9), std::to_string(i + 1));
        EXPECT_EQ(valueAt(dice, (i + 1) / 6.0 - 1e-9), std::to_string(i + 1)) << "each as wide as the others";
    }
}

TEST(SweepField, FindsThePlaceOfAValue) {
    EXPECT_THAT(placeOf(parseField("a=x,y"), "y"), Optional(0.75));
    EXPECT_EQ(placeOf(parseField("a=x,y"), "z"), std::nullopt);
    EXPECT_THAT(placeOf(parseField("a=log:1e-4..1e-2"), "0.001"), Optional(testing::DoubleNear(0.5, 1e-9)));
    EXPECT_THAT(placeOf(parseField("a=linear:0..3"), "3"), Optional(1.0));
    EXPECT_EQ(placeOf(parseField("a=linear:0..3"), "4"), std::nullopt);
    EXPECT_EQ(placeOf(parseField("a=linear:0..3"), "relu"), std::nullopt);
}

}  // namespace
}  // namespace engine::sweep
