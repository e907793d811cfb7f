#include "engine/spec/project/csv_guess.h"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

namespace engine::spec {
namespace {

struct Table {
    const char* name;
    std::string text, delimiter;
    bool header;
    friend std::ostream& operator<<(std::ostream& out, const Table& table) { return out << table.name; }
};

class CsvGuess : public testing::TestWithParam<Table> {};

TEST_P(CsvGuess, TellsDelimiterAndHeader) {
    const CsvFormat guessed = guessCsv(GetParam().text, {.label = "kind", .missing = "zero"});
    EXPECT_EQ(guessed.delimiter, GetParam().delimiter);
    EXPECT_EQ(guessed.header, GetParam().header);
    EXPECT_EQ(guessed.label, "kind");
    EXPECT_EQ(guessed.missing, "zero");
}

INSTANTIATE_TEST_SUITE_P(Tables, CsvGuess,
                         testing::Values(Table{"Commas", "a,b,kind\n1,2,x\n3,4,y\n", ",", true},
                                         Table{"Semicolons", "a;b\n1,5;2\n2,5;3\n", ";", true},
                                         Table{"Tabs", "a\tb\tc\n1\t2\t3\n", "\t", true}, Table{"Bars", "1|2\n3|4\n", "|", false},
                                         Table{"NumbersAlone", "1,2\n3,4\n", ",", false}, Table{"WordsAlone", "a,b\nred,x\n", ",", true},
                                         Table{"WordsAmongNumbers", "5.1,3.5,setosa\n4.9,3.0,setosa\n", ",", false},
                                         Table{"AYearAsAName", "country,2019\nPeru,3\nMali,4\n", ",", false},
                                         Table{"NamesAndANumber", "id,7\n1,2\n3,4\n", ",", true},
                                         Table{"DelimiterInQuotes", "\"a;b;c\",d\n\"1;2\",3\n", ",", true},
                                         Table{"LineBreakInQuotes", "\"a\nb\";c\n1;2\n", ";", true},
                                         Table{"ABrokenLine", "a;b\n1;2\n3\n4;5\n6;7\n", ";", true},
                                         Table{"ACutLine", "a;b;c\n1;2;3\n4;", ";", true},
                                         Table{"ByteOrderMarkAndCarriageReturns",
                                               "\xEF\xBB\xBF"
                                               "1;2\r\n3;4\r\n",
                                               ";", false},
                                         Table{"OneColumn", "a\n1\n", ",", true}, Table{"Nothing", "", ",", true},
                                         Table{"OneLineWithoutAnEnd", "1;2;3", ";", false}),
                         [](const auto& table) { return std::string(table.param.name); });

}  // namespace
}  // namespace engine::spec
