#include "engine/script/python_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace engine::script {
namespace {

TEST(PythonText, WritesLiterals) {
    EXPECT_EQ(pyNumber(1), "1.0");
    EXPECT_EQ(pyNumber(1e-7), "1e-07");
    EXPECT_EQ(pyNumber(-std::numeric_limits<double>::infinity()), "-float('inf')");
    EXPECT_EQ(pyTuple({3}), "(3,)");
    EXPECT_EQ(pyTuple({3, 4}), "(3, 4)");
    EXPECT_EQ(pyList({0.5, 2}), "[0.5, 2.0]");
    EXPECT_EQ(pyTexts({"a", "b"}), "['a', 'b']");
}

TEST(PythonText, MakesNamesOfAnything) {
    EXPECT_EQ(pyName("block-1/conv"), "block_1_conv");
    EXPECT_EQ(pyName("2d"), "_2d");
}

TEST(PythonText, IndentsLinesThatAreNotEmpty) {
    EXPECT_EQ(indented("a\n\nb\n", 2), "  a\n\n  b\n");
    EXPECT_EQ(indented("a", 1), " a");
    EXPECT_EQ(indented("", 1), "");
}

TEST(PythonText, FillsEachNameOfATemplate) {
    EXPECT_EQ(filled("x = {{A}} + {{B}}", {{"A", "1"}, {"B", "{2}"}}), "x = 1 + {2}");
}

}  // namespace
}  // namespace engine::script
