#include "engine/errors/coded_errors.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace engine::errors {
namespace {

constexpr const char* kError = "error: fit.epochs: expected at least 1, got 0";

TEST(CodedErrorsTest, FindingsGetTheirCodeAndNothingElseChanges) {
    std::ostringstream text;
    {
        const CodedErrors coded(text);
        text << "step 1\n"
             << kError << '\n'
             << "warning: "
             << "fit.epochs: expected at least 1, got 0" << std::endl;
        text << "error: nobody has a word for this\n\n";
    }
    EXPECT_EQ(text.str(), "step 1\n" + std::string(kError) +
                              " (TDM-P005)\nwarning: fit.epochs: expected at least 1, got 0 (TDM-P005)\n"
                              "error: nobody has a word for this (TDM-U004)\n\n");
}

// A prompt or a bar of progress has no newline and is to be seen at once.
TEST(CodedErrorsTest, WhatIsNoFindingDoesNotWait) {
    std::ostringstream text;
    const CodedErrors coded(text);
    text << "epoch 1" << std::flush;
    EXPECT_EQ(text.str(), "epoch 1");
    text << "\ner" << std::flush;
    EXPECT_EQ(text.str(), "epoch 1\ner");
    text << "ror: fit.epochs: expected at least 1, got 0\n";
    EXPECT_EQ(text.str(), "epoch 1\nerror: fit.epochs: expected at least 1, got 0\n");
}

TEST(CodedErrorsTest, AFindingInPiecesIsHeldUntilItsEnd) {
    std::ostringstream text;
    {
        const CodedErrors coded(text);
        text << "error: " << std::flush << "fit.epochs" << std::flush << ": expected at least 1, got 0" << std::flush;
        EXPECT_EQ(text.str(), "");
    }
    EXPECT_EQ(text.str(), kError) << "what has no newline at the end is written all the same";
}

}  // namespace
}  // namespace engine::errors
