#include "engine/errors/coded_errors.h"

#include <gtest/gtest.h>

#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

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

// Takes what is written piece by piece, as an unbuffered file does.
class Pieces : public std::streambuf {
public:
    std::vector<std::string> pieces;

protected:
    int_type overflow(int_type character) override {
        pieces.emplace_back(1, traits_type::to_char_type(character));
        return character;
    }
    std::streamsize xsputn(const char* text, std::streamsize count) override {
        if (count > 0) pieces.emplace_back(text, static_cast<std::size_t>(count));
        return count;
    }
};

// Where another thread or process writes to the same place, its lines would stand within this one.
TEST(CodedErrorsTest, ALineThatIsInsertedAtOnceIsWrittenAtOnce) {
    Pieces pieces;
    std::ostream text(&pieces);
    const CodedErrors coded(text);
    text << "the agent answers again, after 12 s\n" << std::flush;
    text << std::string(kError) + "\nstep 1\n";
    EXPECT_EQ(pieces.pieces,
              (std::vector<std::string>{"the agent answers again, after 12 s\n", std::string(kError) + " (TDM-P005)\nstep 1\n"}));
}

}  // namespace
}  // namespace engine::errors
