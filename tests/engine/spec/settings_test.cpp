#include "engine/spec/catalog/settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/error.h"

namespace engine::spec {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const std::vector<FieldSchema> kFields{{.name = "rate", .kind = FieldKind::kDouble, .fallback = 0.25},
                                       {.name = "count", .kind = FieldKind::kInt, .fallback = std::int64_t{3}},
                                       {.name = "limit", .kind = FieldKind::kDouble},
                                       {.name = "axes", .kind = FieldKind::kIntList, .fallback = std::int64_t{-1}},
                                       {.name = "flag", .kind = FieldKind::kBool, .fallback = true},
                                       {.name = "mode", .kind = FieldKind::kChoice, .fallback = "auto"}};

const Fields kNone;

TEST(Settings, TakeTheSchemasDefaultUnlessTheConfigurationHasAValue) {
    const Fields config{{"count", std::int64_t{7}}, {"flag", std::monostate{}}, {"axes", std::vector<std::int64_t>{1, 2}}};
    const Settings settings(kFields, config);
    EXPECT_EQ(settings.getDouble("rate"), 0.25);
    EXPECT_EQ(settings.getInt("count"), 7);
    EXPECT_TRUE(settings.getBool("flag")) << "null stands for the default";
    EXPECT_EQ(settings.getString("mode"), "auto");
    EXPECT_THAT(settings.getInts("axes"), ElementsAre(1, 2));
    EXPECT_THAT(Settings(kFields, kNone).getInts("axes"), ElementsAre(-1)) << "one number is a list of one";
    EXPECT_EQ(settings.getDouble("count"), 7.0) << "integers widen";
}

TEST(Settings, TellANullDefaultFromAValue) {
    const Fields some{{"limit", std::int64_t{4}}};
    EXPECT_EQ(Settings(kFields, kNone).findDouble("limit"), std::nullopt);
    EXPECT_EQ(Settings(kFields, kNone).getDouble("limit"), 0.0);
    EXPECT_EQ(Settings(kFields, some).findDouble("limit"), 4.0);
    EXPECT_EQ(Settings(kFields, kNone).find("limit"), nullptr);
    EXPECT_THAT(Settings(kFields, kNone).getInts("limit"), IsEmpty());
}

TEST(Settings, LeaveAloneWhatAClassDoesNotHave) {
    const Settings settings(kFields, kNone);
    double rate = 9, limit = 9, other = 9;
    settings.read("rate", rate);
    settings.read("limit", limit);
    settings.read("momentum", other);
    EXPECT_EQ(rate, 0.25);
    EXPECT_EQ(limit, 9) << "a default of null is no value";
    EXPECT_EQ(other, 9);
    EXPECT_FALSE(settings.has("momentum"));
    EXPECT_THROW(settings.getDouble("momentum"), Error) << "asked for by name, it must be there";
}

TEST(Settings, NameTheFieldOfAnotherType) {
    const Fields config{{"count", "many"}};
    try {
        Settings(kFields, config).getInt("count");
        FAIL() << "it was taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_STREQ(error.what(), "field \"count\": expected an integer, got another type");
    }
}

TEST(Settings, OfEachClassAreThoseOfItsSchema) {
    for (const LayerSchema& schema : layerSchemas()) {
        const LayerSpec layer{schema.class_name, "one", {}};
        for (const FieldSchema& field : schema.fields) EXPECT_TRUE(settingsOf(layer).has(field.name)) << schema.class_name;
    }
    const ObjectSpec stopping{"EarlyStopping", {{"patience", std::int64_t{2}}}};
    EXPECT_EQ(callbackSettings(stopping).getInt("patience"), 2);
    EXPECT_EQ(callbackSettings(stopping).getString("monitor"), "val_loss");
    EXPECT_EQ(settingsOf(optimizerSchemas(), ObjectSpec{"Adam", {}}).getDouble("learning_rate"), 0.001);
    EXPECT_THROW(settingsOf(optimizerSchemas(), ObjectSpec{"Nonsense", {}}), Error);
}

}  // namespace
}  // namespace engine::spec
