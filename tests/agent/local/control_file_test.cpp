#include "agent/local/control_file.h"

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::convert {
namespace {

using engine::files::SafeFolder;
using engine::spec::Control;
using engine::spec::ControlVerb;
using ::testing::HasSubstr;

std::string problemOf(const std::string& text) {
    try {
        parseControls(text, "control.json");
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "none";
}

TEST(ControlFile, KeepsWhatWasAskedInItsOrder) {
    const tests::support::TempDir dir;
    const SafeFolder folder = SafeFolder::open(dir.path());
    EXPECT_TRUE(readControls(folder).empty()) << "no file asks for nothing";
    const std::vector<Control> asked{{ControlVerb::kPause, 0},  {ControlVerb::kSetLearningRate, 0.0025}, {ControlVerb::kStep, 0},
                                     {ControlVerb::kResume, 0}, {ControlVerb::kCheckpointNow, 0},        {ControlVerb::kStop, 0},
                                     {ControlVerb::kStopNow, 0}};
    for (const Control& control : asked) addControl(folder, control);
    const std::vector<NumberedControl> found = readControls(folder);
    ASSERT_EQ(found.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i) {
        EXPECT_EQ(found[i].control, asked[i]);
        EXPECT_TRUE(i == 0 || found[i].number > found[i - 1].number);
    }
}

TEST(ControlFile, KeepsTheLastSixteen) {
    const tests::support::TempDir dir;
    const SafeFolder folder = SafeFolder::open(dir.path());
    addControl(folder, {ControlVerb::kPause, 0});
    for (int i = 0; i < 20; ++i) addControl(folder, {ControlVerb::kStep, 0});
    const std::vector<NumberedControl> found = readControls(folder);
    ASSERT_EQ(found.size(), 16U);
    EXPECT_EQ(found.front().control.verb, ControlVerb::kStep);
}

TEST(ControlFile, OfADamagedFileTheNextControlCountsAllTheSame) {
    const tests::support::TempDir dir;
    const SafeFolder folder = SafeFolder::open(dir.path());
    addControl(folder, {ControlVerb::kPause, 0});
    const std::int64_t before = readControls(folder).back().number;
    std::ofstream(dir.path() / kControlFile) << "{\"controls\": [{\"num";
    EXPECT_THROW(readControls(folder), engine::Error);
    addControl(folder, {ControlVerb::kStop, 0});
    ASSERT_EQ(readControls(folder).size(), 1U);
    EXPECT_GT(readControls(folder).back().number, before);
}

TEST(ControlFile, ByHandIsReadToo) {
    const auto found = parseControls(R"({"controls": [{"number": 3, "verb": "learning_rate", "value": 1e-3}]})", "control.json");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0], (NumberedControl{3, {ControlVerb::kSetLearningRate, 1e-3}}));
}

TEST(ControlFile, SaysWhatIsWrong) {
    EXPECT_THAT(problemOf("{\"controls\": [{\"nu"),
                HasSubstr("control.json: expected a JSON object with a list \"controls\", got a text that is no JSON"));
    EXPECT_THAT(problemOf("[]"), HasSubstr("control.json: controls: expected a list in a JSON object, got []"));
    EXPECT_THAT(problemOf(R"({"controls": [7]})"), HasSubstr("controls[0]: expected an object with number and verb, got 7"));
    EXPECT_THAT(problemOf(R"({"controls": [{"verb": "stop"}]})"),
                HasSubstr("controls[0].number: expected a whole number from 1 on, got null"));
    EXPECT_THAT(
        problemOf(R"({"controls": [{"number": 1, "verb": "halt"}]})"),
        HasSubstr("controls[0].verb: expected one of pause, resume, step, stop, stop_now, checkpoint, learning_rate, got \"halt\""));
    EXPECT_THAT(problemOf(R"({"controls": [{"number": 1, "verb": "learning_rate", "value": -1}]})"),
                HasSubstr("controls[0].value: expected a learning rate above 0, got -1"));
    for (const char* rate : {"1e99", "1e-99"}) {  // no float
        EXPECT_THAT(problemOf(std::string(R"({"controls": [{"number": 1, "verb": "learning_rate", "value": )") + rate + "}]}"),
                    HasSubstr("controls[0].value: expected a learning rate above 0"));
    }
    EXPECT_THAT(problemOf(R"({"controls": [{"number": 2, "verb": "stop"}, {"number": 2, "verb": "stop"}]})"),
                HasSubstr("controls[1].number: expected one above 2, got 2"));
}

}  // namespace
}  // namespace agent::convert
