#include "engine/spec/fields.h"
#include "engine/spec/field_schema.h"

#include <gtest/gtest.h>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/error.h"

namespace engine::spec {
namespace {

TEST(Fields, AnswersByNameWithFallbacks) {
    Fields fields{{"units", std::int64_t{64}}, {"rate", 0.5}, {"activation", "relu"}, {"seed", std::monostate{}}};
    EXPECT_EQ(fields.getInt("units", 1), 64);
    EXPECT_EQ(fields.getDouble("units", 1), 64.0);
    EXPECT_EQ(fields.getInts("units", {}), std::vector<std::int64_t>{64});
    EXPECT_EQ(fields.getDouble("rate", 1), 0.5);
    EXPECT_EQ(fields.getString("activation", "linear"), "relu");
    EXPECT_EQ(fields.getInt("seed", 7), 7);
    EXPECT_EQ(fields.getBool("absent", true), true);
    fields.set("units", std::int64_t{10});
    fields.erase("rate");
    EXPECT_EQ(fields.entries().size(), 3U);
    EXPECT_EQ(fields.entries().front().first, "units");
    EXPECT_EQ(fields.getInt("units", 1), 10);
}

TEST(Fields, NamesTheFieldOfAnotherType) {
    const Fields fields{{"units", "many"}};
    try {
        fields.getInt("units", 1);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_NE(std::string(error.what()).find("units"), std::string::npos);
    }
}

TEST(Fields, CompareByValueThroughNestedObjects) {
    const Fields a{{"learning_rate", ObjectBox({"ExponentialDecay", {{"decay_rate", 0.9}}})}};
    Fields b{{"learning_rate", ObjectBox({"ExponentialDecay", {{"decay_rate", 0.9}}})}};
    EXPECT_EQ(a, b);
    ASSERT_NE(a.getObject("learning_rate"), nullptr);
    EXPECT_EQ(a.getObject("learning_rate")->class_name, "ExponentialDecay");
    b.set("learning_rate", ObjectBox({"ExponentialDecay", {{"decay_rate", 0.8}}}));
    EXPECT_NE(a, b);
}

TEST(FieldCheck, FindsEveryFaultOfAConfiguration) {
    const std::vector<FieldSchema> schema{{.name = "units", .kind = FieldKind::kInt, .required = true, .minimum = 1},
                                          {.name = "rate", .kind = FieldKind::kDouble, .minimum = 0, .minimum_excluded = true},
                                          {.name = "use_bias", .kind = FieldKind::kBool},
                                          {.name = "save_freq", .kind = FieldKind::kInt, .choices = {"epoch"}, .minimum = 1}};
    const Fields config{
        {"rate", 0.0}, {"use_bias", std::int64_t{1}}, {"save_freq", "batch"}, {"colour", "red"}, {"regularizer", std::monostate{}}};
    std::string text;
    for (const FieldFault& fault : checkFields(config, schema)) {
        text += fault.field + ": " + fault.message + "\n";
    }
    EXPECT_EQ(text,
              "units: expected an integer of at least 1, got nothing\n"
              "rate: expected a number above 0, got 0.0\n"
              "use_bias: expected true or false, got 1\n"
              "save_freq: expected an integer of at least 1 or epoch, got \"batch\"\n"
              "colour: expected one of the fields units, rate, use_bias or save_freq, got colour\n");
    EXPECT_TRUE(checkFields({{"units", std::int64_t{1}}, {"save_freq", "epoch"}}, schema).empty());
    EXPECT_TRUE(
        checkFields({{"units", std::int64_t{1}}, {"save_freq", std::int64_t{5}}, {"trainable", true}, {"name", "x"}}, schema).empty());
    EXPECT_EQ(checkFields({{"units", std::int64_t{1}}, {"trainable", std::int64_t{0}}}, schema).size(), 1U);
}

TEST(Diagnostic, IsOneLine) {
    EXPECT_EQ(toString(Diagnostic{Severity::kError, "fit.epochs", "expected at least 1, got 0", "Train longer."}),
              "error: fit.epochs: expected at least 1, got 0 [Train longer.]");
    EXPECT_EQ(toString(Diagnostic{Severity::kWarning, "", "text", ""}), "warning: text");
    EXPECT_FALSE(hasErrors({{Severity::kWarning, "", "", ""}}));
    EXPECT_TRUE(hasErrors({{Severity::kWarning, "", "", ""}, {Severity::kError, "", "", ""}}));
}

TEST(Error, NamesTheBrokenInvariant) {
    try {
        ENGINE_CHECK(1 + 1 == 3);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInternal);
        EXPECT_NE(std::string(error.what()).find("1 + 1 == 3"), std::string::npos);
    }
}

}  // namespace
}  // namespace engine::spec
