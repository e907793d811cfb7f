// What reading code costs grows as the text does, whatever stands in it: it is counted, not timed, by what is read more than once
// (engine/spec/keras/python/read_work.h).
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <ostream>
#include <random>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/spec/keras/code/read/shared_list.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/python/python_tokens.h"
#include "engine/spec/keras/python/read_work.h"

namespace engine::spec {
namespace {

constexpr int kFew = 60, kTimes = 10;
// Squares would be a hundred times as many.
constexpr std::int64_t kMost = 2 * kTimes;

std::string repeated(std::string_view part, int times) {
    std::string text;
    for (int i = 0; i < times; ++i) text += part;
    return text;
}

std::string numbered(int times, const std::function<std::string(const std::string&, const std::string&)>& line) {
    std::string text;
    for (int i = 0; i < times; ++i) text += line(std::to_string(i), std::to_string(i + 1));
    return text;
}

struct GrowthCase {
    const char* name;
    std::string (*text)(int size);
};

std::ostream& operator<<(std::ostream& out, const GrowthCase& c) {
    return out << c.name;
}

class KerasCodeGrowth : public ::testing::TestWithParam<GrowthCase> {};

// Reads the text, and brings another project into it.
std::int64_t workOn(const std::string& text) {
    const std::int64_t before = code::readOfThisThread();
    const RunSpec base;
    const CodeReading reading = readKerasCode(text, base, AbsentArguments::kDefault);
    updateKerasCode(text, reading, base);
    return code::readOfThisThread() - before;
}

TEST_P(KerasCodeGrowth, GrowsWithTheText) {
    const std::int64_t few = workOn(GetParam().text(kFew)), many = workOn(GetParam().text(kFew * kTimes));
    ASSERT_GT(few, 0);
    EXPECT_LE(many, few * kMost) << few << " for the short text";
}

INSTANTIATE_TEST_SUITE_P(
    Texts, KerasCodeGrowth,
    ::testing::Values(GrowthCase{"OpenBrackets", [](int n) { return repeated("text (\n", n); }},
                      GrowthCase{"OpenBracketsOfOneLine", [](int n) { return repeated("(", n); }},
                      GrowthCase{"BracketsClosedInTheLastLine", [](int n) { return repeated("a(\n", n) + repeated(")", n) + "("; }},
                      GrowthCase{"OpenTextsInOpenBrackets", [](int n) { return repeated("(\\\"\"\"\n", n); }},
                      GrowthCase{"TextsThatBeginInOpenBrackets",
                                 [](int n) { return repeated("(\\\"\"\"\n", n) + "\"\"\"" + repeated("x ", n); }},
                      GrowthCase{"Calls", [](int n) { return repeated("m.add(x)\n", n); }},
                      GrowthCase{"FunctionsAndCalls",
                                 [](int n) {
                                     return numbered(n, [](const std::string& i, const std::string&) {
                                         return "def f" + i + "(m):\n  m.add(1)\nf" + i + "(x)\n";
                                     });
                                 }},
                      GrowthCase{"AddedLayers", [](int n) { return "m = keras.Sequential()\n" + repeated("m.add(layers.Dense(4))\n", n); }},
                      GrowthCase{"LongNamesOfLists",
                                 [](int n) {
                                     return "a = [" + repeated("1, ", 20) + "]\n" +
                                            numbered(n, [](const std::string& i, const std::string&) { return "b" + i + " = a\n"; });
                                 }},
                      GrowthCase{"Braces", [](int n) { return repeated("{\n", n) + repeated("}\n", n); }},
                      GrowthCase{"OpenBraces", [](int n) { return repeated("{\n", n); }},
                      GrowthCase{"ArgumentsOfOneLine", [](int n) { return "model.fit(x, " + repeated("verbose=1, ", n) + ")\n"; }},
                      GrowthCase{"Evaluations", [](int n) { return "model.fit(x)\n" + repeated("model.evaluate(x)\n", n); }}),
    [](const auto& tested) { return std::string(tested.param.name); });

// A list that many lines name is copied so often, and no more: the text is no model's.
TEST(KerasCodeGrowthTest, SaysThatNamesStandForTooMuch) {
    const std::string text = "a = [" + repeated("1, ", 50000) + "]\n" +
                             numbered(300, [](const std::string& i, const std::string&) { return "b" + i + " = a\n"; });
    const std::int64_t before = code::readOfThisThread();
    const CodeReading reading = readKerasCode(text, RunSpec());
    EXPECT_LT(code::readOfThisThread() - before, 10000000);
    EXPECT_TRUE(reading.hasErrors());
}

// Each comparison in a row has its middle twice.
TEST(KerasCodeGrowthTest, RefusesComparisonsWithinEachOther) {
    std::string chain = "1";
    for (int i = 0; i < 50; ++i) chain = "(0 < " + chain + " < 2)";
    const CodeReading reading = readKerasCode("x = " + chain + "\n", RunSpec());
    ASSERT_EQ(reading.notes.size(), 1U);
    EXPECT_NE(reading.notes[0].message.find("expected fewer comparisons"), std::string::npos) << reading.notes[0].message;
}

// Each epoch at which a rate may change is looked for in each condition.
TEST(KerasCodeGrowthTest, RefusesARateOfThousandsOfConditions) {
    const auto decay = [](int conditions) {
        return "def decay(epoch):\n" +
               numbered(conditions,
                        [](const std::string& i, const std::string&) { return "  if epoch < " + i + ": return 0." + i + "\n"; }) +
               "  return 1\nmodel.fit(x, callbacks=[keras.callbacks.LearningRateScheduler(decay)])\n";
    };
    EXPECT_EQ(readKerasCode(decay(20), RunSpec()).schedule.size(), 1U);
    const CodeReading many = readKerasCode(decay(3000), RunSpec());
    EXPECT_TRUE(many.schedule.empty());
    std::string notes;
    for (const CodeNote& note : many.notes) notes += note.message + "\n";
    EXPECT_NE(notes.find("expected fewer comparisons of epoch, got too many"), std::string::npos);
}

// A project of many checkpoints, read over by code that names as many others: each name is looked up, not compared with all of them.
TEST(KerasCodeGrowthTest, LooksUpTheCheckpointsOfAProject) {
    const auto workOf = [](int checkpoints) {
        RunSpec base;
        std::string text = "model.fit(x, callbacks=[\n";
        for (int i = 0; i < checkpoints; ++i) {
            const std::string number = std::to_string(i);
            base.callbacks.push_back({"ModelCheckpoint", {{"filepath", "kept_" + number}}});
            text += "    keras.callbacks.ModelCheckpoint('other_" + number + ".keras'),\n";
        }
        text += "])\n";
        const std::int64_t before = code::readOfThisThread();
        const CodeReading reading = readKerasCode(text, base);
        EXPECT_EQ(reading.run.callbacks.size(), static_cast<std::size_t>(checkpoints));
        return code::readOfThisThread() - before;
    };
    const std::int64_t few = workOf(kFew), many = workOf(kFew * kTimes);
    ASSERT_GT(few, 0);
    EXPECT_LE(many, few * kMost) << few << " for few checkpoints";
}

// The names are Keras' own: with the ending that writing adds, by save_weights_only. Of two that are the same there, the first counts.
TEST(KerasCodeGrowthTest, KeepsThePrefixesOfCheckpoints) {
    RunSpec base;
    const bool weights_only = true;
    base.callbacks = {{"ModelCheckpoint", {{"filepath", std::string("a.keras")}}},
                      {"ModelCheckpoint", {{"filepath", std::string("a")}}},
                      {"ModelCheckpoint", {{"filepath", std::string("b")}}},
                      {"ModelCheckpoint", {{"filepath", std::string("c")}, {"save_weights_only", weights_only}}}};
    const CodeReading reading = readKerasCode(
        "model.fit(x, callbacks=[keras.callbacks.ModelCheckpoint('b.keras'), keras.callbacks.ModelCheckpoint('a.keras'),\n"
        "  keras.callbacks.ModelCheckpoint('c.weights.h5', save_weights_only=True), keras.callbacks.ModelCheckpoint('d.keras')])\n",
        base);
    std::vector<std::string> files;
    for (const ObjectSpec& callback : reading.run.callbacks) files.push_back(callback.config.getString("filepath", ""));
    EXPECT_EQ(files, (std::vector<std::string>{"b", "a.keras", "c", "d.keras"}));
}

// A chain of layers in variables of its own for each: the last one has all of them.
TEST(KerasCodeGrowthTest, ReadsAChainOfThousandsOfVariables) {
    constexpr int kLayers = 3000;
    const std::string text =
        "x0 = keras.Input((4,))\n" +
        numbered(kLayers,
                 [](const std::string& i, const std::string& next) { return "x" + next + " = keras.layers.Dense(4)(x" + i + ")\n"; }) +
        "model = keras.Model(x0, x" + std::to_string(kLayers) + ")\n";
    const CodeReading reading = readKerasCode(text, RunSpec());
    EXPECT_FALSE(reading.hasErrors());
    EXPECT_EQ(reading.run.model.layers.size(), static_cast<std::size_t>(kLayers));
}

// The comments make its characters more than everything else in it.
std::string commented() {
    return "m = keras.Sequential()\nm.add(keras.Input((4,)))\n" +
           repeated("m.add(layers.Dense(4))  # " + std::string(2000, '-') + "\n", 100) + "m.compile('sgd', 'mse')\n";
}

TEST(CodeTextTest, IsSplitOnceForAllItsReadings) {
    const std::string whole = commented();
    const auto length = static_cast<std::int64_t>(whole.size());
    std::int64_t before = code::readOfThisThread();
    const CodeText text(whole);
    EXPECT_EQ(text.text(), whole);
    EXPECT_GE(code::readOfThisThread() - before, length);
    before = code::readOfThisThread();
    const CodeReading first = text.read(RunSpec());
    const CodeReading second = text.read(first.run, AbsentArguments::kDefault);
    EXPECT_LT(code::readOfThisThread() - before, length) << "both together";
    const CodeReading alone = readKerasCode(whole, RunSpec());
    EXPECT_EQ(first.run, alone.run);
    EXPECT_EQ(first.notes, alone.notes);
    EXPECT_EQ(first.layers, alone.layers);
    EXPECT_EQ(second.run, readKerasCode(whole, first.run, AbsentArguments::kDefault).run);
}

TEST(CodeTextTest, EndsWhenItIsStopped) {
    const CodeText text(commented());
    std::stop_source stop;
    EXPECT_EQ(text.read(RunSpec(), AbsentArguments::kStay, stop.get_token()).run.model.layers.size(), 100U);
    stop.request_stop();
    EXPECT_TRUE(text.read(RunSpec(), AbsentArguments::kStay, stop.get_token()).saysNothing());
}

TEST(SharedListTest, SharesWhatIsInFront) {
    code::SharedList<int> first;
    for (int i = 0; i < 200000; ++i) first.push_back(i);  // destroyed one after the other, not one within the other
    code::SharedList<int> second = first;
    second.push_back(7);
    first.pop_back();
    EXPECT_EQ(first.back(), 199998);
    EXPECT_EQ(second.entries().size(), 200001U);
    EXPECT_EQ(second.entries()[199999], 199999);
    EXPECT_EQ(second.back(), 7);
    EXPECT_TRUE(code::SharedList<int>().empty());
}

// A reader that goes back gives what one gives that begins there.
TEST(LineReaderTest, GoesBackIntoAText) {
    const std::string text = "a = '''\nb = 1\n'''\nc (\n  d\ne)\nf = 2\n";
    code::LineReader reader(text, true);
    ASSERT_TRUE(reader.next());
    reader.goTo(2);  // within the quotes
    const auto inside = reader.next();
    ASSERT_TRUE(inside);
    EXPECT_EQ(inside->first_line, 2);
    EXPECT_EQ(inside->tokens.front().text, "b");
    code::LineReader again(text, true);
    ASSERT_TRUE(again.next());
    ASSERT_TRUE(again.next());
    again.goTo(5);
    const auto in_bracket = again.next();
    ASSERT_TRUE(in_bracket);
    EXPECT_EQ(in_bracket->first_line, 5);
    EXPECT_EQ(in_bracket->last_line, 5);
    EXPECT_EQ(in_bracket->tokens.front().text, "d");
}

// Any text of brackets, quotes and lines: every line comes in order and ends, and each reading of it is the same.
TEST(KerasCodeGrowthTest, ReadsAnyBracketsAndQuotes) {
    constexpr std::string_view kParts[] = {"a",      "(",       ")",          "[",     "]",    "{",        "}",      "\n",  "\n  ",
                                           "\n    ", ";",       " ",          "'x'",   "'",    "\"",       "\"\"\"", "'''", "1",
                                           "=",      ",",       ".",          "#c",    "\\\n", "\\",       "f'",     ":",   "$",
                                           "m.add(", "if x:\n", "def f():\n", "```\n", ">>> ", "\xC3\xA9", "0 < "};
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        std::string text;
        const unsigned parts = random() % 60;
        for (unsigned i = 0; i < parts; ++i) text += kParts[random() % std::size(kParts)];
        if (round % 4 == 0) text = repeated("(", 200) + text;
        if (round % 4 == 1) text += repeated("x = [\n", 200);
        SCOPED_TRACE(text);
        int last = 1;
        const std::vector<code::LogicalLine> lines = code::splitCode(text);
        for (const code::LogicalLine& line : lines) {
            EXPECT_GE(line.first_line, last);
            EXPECT_GE(line.last_line, line.first_line);
            ASSERT_FALSE(line.tokens.empty());
            EXPECT_EQ(line.tokens.back().kind, code::Token::Kind::kEnd);
            last = line.first_line;
        }
        code::LineReader reader(text, true);
        for (const code::LogicalLine& line : lines) {
            const auto same = reader.next();
            ASSERT_TRUE(same);
            EXPECT_EQ(same->first_line, line.first_line);
            EXPECT_EQ(same->tokens.size(), line.tokens.size());
            EXPECT_EQ(same->fault.message, line.fault.message);
        }
        EXPECT_FALSE(reader.next());
        const std::int64_t before = code::readOfThisThread();
        const CodeReading reading = readKerasCode(text, RunSpec(), AbsentArguments::kDefault);
        updateKerasCode(text, reading, RunSpec());
        EXPECT_LT(code::readOfThisThread() - before, static_cast<std::int64_t>(200 * (text.size() + 100)));
    }
}

}  // namespace
}  // namespace engine::spec
