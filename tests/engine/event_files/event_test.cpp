#include "engine/event_files/event.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/event_files/event_bytes.h"

namespace engine::event_files {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::Pair;
using namespace tests::event_files;

// Hears everything as words.
class Words final : public EventSink {
public:
    void takeScalar(std::string_view tag, std::int64_t step, double /*wall_time*/, double value) override {
        words.push_back(std::string(tag) + "@" + std::to_string(step) + "=" + std::to_string(value).substr(0, 4));
    }
    void takeOther(std::int64_t step, double /*wall_time*/, const EventValue& value) override {
        words.push_back(std::string(value.tag) + "@" + std::to_string(step) + " " +
                        (value.histogram          ? "histogram"
                         : value.images           ? "images"
                         : value.text             ? *value.text
                         : !value.hparams.empty() ? "hparams"
                         : value.ends_session     ? value.has_failed ? "failed" : "over"
                                                  : "other"));
        last = value;
    }
    void takeRestart(std::int64_t step, double /*wall_time*/) override { words.push_back("restart@" + std::to_string(step)); }

    std::vector<std::string> words;
    EventValue last;
};

TEST(EventReader, ReadsNumbersHoweverTheyAreEncoded) {
    const auto tensor = [](std::string_view bytes) { return event(7, 1, summary(part(1, "a") + part(8, bytes) + metadata("scalars"))); };
    EventReader reader;
    Words words;
    EXPECT_TRUE(reader.read(version(), words));
    EXPECT_TRUE(reader.read(simple("a", 7, 0.5F), words));
    EXPECT_TRUE(reader.read(scalar("a", 7, 0.5F), words));
    EXPECT_TRUE(reader.read(tensor(number(1, 1) + part(5, plainBytes(0.5F))), words));                    // float_val, packed
    EXPECT_TRUE(reader.read(tensor(number(1, 1) + fixed(5, 0.5F)), words));                               // and not
    EXPECT_TRUE(reader.read(tensor(number(1, 2) + part(6, plainBytes(0.5))), words));                     // double_val
    EXPECT_TRUE(reader.read(tensor(number(1, 2) + part(4, plainBytes(0.5))), words));                     // double
    EXPECT_TRUE(reader.read(tensor(number(1, 19) + part(4, plainBytes<std::uint16_t>(0x3800))), words));  // half
    EXPECT_TRUE(reader.read(tensor(number(1, 14) + part(13, varint(0x3F00))), words));                    // bfloat16
    EXPECT_THAT(words.words, testing::Each("a@7=0.50"));
    EXPECT_EQ(words.words.size(), 8U);
    words.words.clear();
    EXPECT_TRUE(reader.read(tensor(number(1, 9) + part(10, varint(static_cast<std::uint64_t>(-3)))), words));  // int64_val
    EXPECT_TRUE(reader.read(tensor(number(1, 3) + number(7, 3)), words));                                      // int_val
    EXPECT_TRUE(reader.read(tensor(number(1, 10) + part(11, varint(1))), words));                              // bool_val
    EXPECT_THAT(words.words, ElementsAre("a@7=-3.0", "a@7=3.00", "a@7=1.00"));
}

TEST(EventReader, ReadsSeveralValuesOfOneEvent) {
    EventReader reader;
    Words words;
    const std::string two = part(5, part(1, part(1, "a") + fixed(2, 1.0F)) + part(1, part(1, "b") + fixed(2, 2.0F)));
    EXPECT_TRUE(reader.read(event(1, 1, two), words));
    EXPECT_TRUE(reader.read(two + number(2, 2), words)) << "fields in another order";
    EXPECT_THAT(words.words, ElementsAre("a@1=1.00", "b@1=2.00", "a@2=1.00", "b@2=2.00"));
}

TEST(EventReader, ReadsHistogramsBothWays) {
    EventReader reader;
    Words words;
    EXPECT_TRUE(reader.read(histogram("w", 3, {{0, 1, 2}, {1, 2, 4}}), words));
    ASSERT_TRUE(words.last.histogram.has_value());
    EXPECT_THAT(words.last.histogram->limits, ElementsAre(0, 1, 2));
    EXPECT_THAT(words.last.histogram->counts, ElementsAre(2, 4));
    EXPECT_FALSE(words.last.histogram->sum.has_value());

    EXPECT_TRUE(reader.read(oldHistogram("w", 4, -1, 3, 6, 20, {-1e9, 0, 1e308}, {0, 1, 3}), words));
    ASSERT_TRUE(words.last.histogram.has_value());
    EXPECT_THAT(words.last.histogram->limits, ElementsAre(-1, -1, 0, 3));
    EXPECT_THAT(words.last.histogram->counts, ElementsAre(0, 1, 3));
    EXPECT_EQ(words.last.histogram->sum, 6);
    EXPECT_EQ(words.last.histogram->sum_of_squares, 20);
}

TEST(EventReader, RemembersWhatATagIs) {
    EventReader reader;
    Words words;
    EXPECT_TRUE(reader.read(text("notes", 0, "hello"), words));
    const std::string later = number(1, 7) + part(8, "again");  // TensorBoard's writers may leave metadata out
    EXPECT_TRUE(reader.read(event(1, 1, summary(part(1, "notes") + part(8, later))), words));
    EXPECT_THAT(words.words, ElementsAre("notes@0 hello", "notes@1 again"));
}

TEST(EventReader, ReadsImagesHparamsAndRestarts) {
    EventReader reader;
    Words words;
    const std::string images = number(1, 7) + part(8, "28") + part(8, "20") + part(8, "png") + part(8, "png");
    EXPECT_TRUE(reader.read(event(0, 1, summary(part(1, "i") + part(8, images) + metadata("images"))), words));
    ASSERT_TRUE(words.last.images.has_value());
    EXPECT_EQ(words.last.images->width, 28);
    EXPECT_EQ(words.last.images->height, 20);
    EXPECT_EQ(words.last.images->count, 2);

    const auto hparam = [](std::string_view name, std::string_view value) { return part(1, part(1, name) + part(2, value)); };
    const std::string start = part(3, hparam("lr", fixed(2, 0.1)) + hparam("act", part(3, "relu")) + hparam("bn", number(4, 1)));
    EXPECT_TRUE(reader.read(event(0, 1, summary(part(1, "_hparams_/session_start_info") + metadata("hparams", start))), words));
    EXPECT_THAT(words.last.hparams, ElementsAre(Pair("act", "relu"), Pair("bn", "true"), Pair("lr", "0.1")));
    EXPECT_TRUE(
        reader.read(event(0, 1, summary(part(1, "_hparams_/session_end_info") + metadata("hparams", part(4, number(1, 2))))), words));
    EXPECT_EQ(words.words.back(), "_hparams_/session_end_info@0 failed");
    EXPECT_TRUE(reader.read(sessionStart(12, 1), words));
    EXPECT_EQ(words.words.back(), "restart@12");
}

TEST(EventReader, RefusesBytesThatAreNoEvent) {
    EventReader reader;
    Words words;
    EXPECT_FALSE(reader.read("\xFF\xFF\xFF", words));
    const std::string whole = scalar("a", 1, 1);
    for (std::size_t size = 1; size < whole.size(); ++size) reader.read(whole.substr(0, size), words);
    EXPECT_TRUE(reader.read("", words));
}

}  // namespace
}  // namespace engine::event_files
