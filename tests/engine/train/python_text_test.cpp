#include "engine/train/callbacks/python_text.h"

#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::train {
namespace {

TEST(PythonText, FormatsCheckpointNamesAsKerasDoes) {
    const Logs values{{"epoch", 3}, {"val_loss", 0.04567}, {"accuracy", 0.5}};
    EXPECT_EQ(formatFilePath("ckpt_{epoch}", values), "ckpt_3");
    EXPECT_EQ(formatFilePath("{epoch:02d}-{val_loss:.2f}", values), "03-0.05");
    EXPECT_EQ(formatFilePath("{{x}}_{accuracy}", values), "{x}_0.5");
    EXPECT_EQ(formatFilePath("{val_loss:.1e}", values), "4.6e-02");
}

TEST(PythonText, NamesWhatAFileNameMayNotHold) {
    const Logs values{{"epoch", 3}, {"loss", 0.5}};
    const auto message = [&](const char* pattern) -> std::string {
        try {
            return "no error but " + formatFilePath(pattern, values);
        } catch (const Error& error) {
            return error.what();
        }
    };
    EXPECT_EQ(message("a_{val_los}"), "filepath \"a_{val_los}\": unknown name {val_los}, expected one of epoch, loss");
    EXPECT_THAT(message("a_{epoch"), testing::HasSubstr("expected a closing brace"));
    EXPECT_THAT(message("a}"), testing::HasSubstr("a closing brace without its opening one"));
    EXPECT_THAT(message("{epoch:%s}"), testing::HasSubstr("unknown format"));
    EXPECT_THAT(message("{loss:d}"), testing::HasSubstr("unknown format"));
    EXPECT_THAT(message("{loss:999999f}"), testing::HasSubstr("unknown format"));
}

TEST(PythonText, WritesNumbersAsPythonDoes) {
    EXPECT_EQ(pythonRepr(0.001), "0.001");
    EXPECT_EQ(pythonRepr(static_cast<double>(0.001F)), "0.0010000000474974513");
    EXPECT_EQ(pythonRepr(static_cast<double>(1e-5F)), "9.999999747378752e-06");
    EXPECT_EQ(pythonRepr(0.0001), "0.0001");
    EXPECT_EQ(pythonRepr(1e-5), "1e-05");
    EXPECT_EQ(pythonRepr(12), "12.0");
    EXPECT_EQ(pythonRepr(0), "0.0");
    EXPECT_EQ(pythonRepr(-0.0), "-0.0");
    EXPECT_EQ(pythonRepr(123456.75), "123456.75");
    EXPECT_EQ(pythonRepr(1e15), "1000000000000000.0");
    EXPECT_EQ(pythonRepr(1e16), "1e+16");
    EXPECT_EQ(pythonRepr(1.5e300), "1.5e+300");
    EXPECT_EQ(pythonRepr(-0.25), "-0.25");
    EXPECT_EQ(pythonRepr(std::nan("")), "nan");
    EXPECT_EQ(pythonRepr(-std::numeric_limits<double>::infinity()), "-inf");
}

}  // namespace
}  // namespace engine::train
