#include "engine/errors/error_catalog.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace engine::errors {
namespace {

std::vector<std::string> linesOf(std::string_view text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.emplace_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

TEST(ErrorCatalogTest, EveryKindIsWhole) {
    std::set<std::string_view> codes;
    for (const ErrorKind* kind : errorKinds()) {
        EXPECT_TRUE(std::regex_match(std::string(kind->code), std::regex("TDM-[PMDTSCWRHEU][0-9]{3}"))) << kind->code;
        EXPECT_TRUE(codes.insert(kind->code).second) << kind->code << " stands there twice";
        for (const Texts* texts : {&kind->title, &kind->cause, &kind->fix}) {
            EXPECT_GT(texts->english.size(), 3U) << kind->code;
            EXPECT_NE(texts->korean, texts->english) << kind->code;
            EXPECT_NE(texts->chinese, texts->english) << kind->code;
        }
        EXPECT_FALSE(kind->title.english.ends_with('.')) << kind->code;
        EXPECT_TRUE(kind->cause.english.ends_with('.') && kind->fix.english.ends_with('.')) << kind->code;
        EXPECT_TRUE(kind->cause.chinese.ends_with("。") && kind->fix.chinese.ends_with("。")) << kind->code;
        EXPECT_FALSE(kind->manual.chapter.empty()) << kind->code;
        EXPECT_EQ(kind->tutorial.chapter.empty(), kind->tutorial.heading.empty()) << kind->code;
        EXPECT_EQ(findKind(kind->code), kind);
    }
    EXPECT_GT(codes.size(), 90U);
}

// Each pattern is of use: some sentence is told by it and by no other kind's.
TEST(ErrorCatalogTest, APatternMeansItsOwnKind) {
    for (const ErrorKind* kind : errorKinds()) {
        if (kind->sentences.empty()) {
            EXPECT_EQ(kind->code, "TDM-U004") << "the last resort alone";
            continue;
        }
        for (const std::string& pattern : linesOf(kind->sentences)) {
            EXPECT_GE(pattern.size(), 4U) << kind->code;
            std::string sentence;
            for (const char c : pattern) sentence += c == '*' ? std::string("x7") : std::string(1, c);
            const ErrorKind* found = kindOf(sentence);
            ASSERT_NE(found, nullptr) << sentence;
            EXPECT_EQ(found->code, kind->code) << sentence;
        }
    }
}

TEST(ErrorCatalogTest, FindsTheKindOfASentence) {
    const auto code = [](std::string_view sentence) {
        const ErrorKind* kind = kindOf(sentence);
        return kind == nullptr ? std::string() : std::string(kind->code);
    };
    EXPECT_EQ(code("error: cluster.worker[1]: expected an address of its own, got localhost:12345 as in worker 0"), "TDM-C001");
    EXPECT_EQ(code("run 1a2b failed: worker 1: NaN or Inf loss encountered in batch 7"), "TDM-T006");
    EXPECT_EQ(code("model.layers[1].class_name: expected a layer of class Dense, got Dens"), "TDM-M001");
    EXPECT_EQ(code("warning: model.layers: expected at least one layer, got none [Add a Dense layer.]"), "TDM-M007");
    EXPECT_EQ(code("warning: model.layers: expected at least one layer, got none [Add a Dense layer.] (TDM-M007)"), "TDM-M007");
    EXPECT_EQ(code("info: model.layers: expected at least one layer, got none"), "TDM-M007");
    EXPECT_EQ(code("a sentence that only its code tells (TDM-T006)"), "TDM-T006");
    EXPECT_EQ(code("a sentence with a code that nobody gave (TDM-Z999)"), "");
    EXPECT_EQ(code("a wholly other text"), "");
    EXPECT_EQ(code("other.weights.h5: layers/dense/vars: expected the 2 variables of layer dense, got 0"), "TDM-W002");
    EXPECT_EQ(code("a.h5: expected 2 layers with weights as the model has, got 1; the first without is dense_1"), "TDM-W002");
    EXPECT_EQ(code("out/run: expected a folder without event files, got one with some; --overwrite lets these take their place"),
              "TDM-W010");
    EXPECT_EQ(code("out/run: can't be read or written: Not a directory"), "TDM-R003");
    EXPECT_EQ(code("a.py: line 3, column 46: dense: units: expected an integer of at least 1 and at most 1048576, got nothing"),
              "TDM-P009");
    EXPECT_EQ(code("a.py: line 3, column 46: dense: units: expected an integer of at least 1 and at most 1048576, got 0"), "TDM-P005");
    EXPECT_EQ(code("warning: a.py: line 3, column 60: kept as text: expected arguments one by one, got **kwargs"), "TDM-P009");
    EXPECT_EQ(code("node1: agent at unix:/run/user/1000/tandem/far-1/agent.sock: Deadline Exceeded"), "TDM-H002");
    EXPECT_EQ(code("node1: part: expected 2 ports that the agent there holds, got none"), "TDM-H005");
    EXPECT_EQ(code("data.csv: expected the agent there to have 0 to 4 bytes of it, got 5"), "TDM-H005");
    EXPECT_EQ(code("--language: de not in {en,ko,zh_CN}"), "TDM-U001");
    EXPECT_EQ(code("--workers excludes --hosts"), "TDM-U003");
    EXPECT_EQ(code("The following arguments were not expected: kera --api"), "TDM-U005");
    EXPECT_EQ(code("PROJECT is required"), "TDM-U005");
    EXPECT_EQ(kindOf("fit.epochs", "expected either steps or epochs, got both")->code, "TDM-T007");
}

TEST(ErrorCatalogTest, FindsAKindByItsCode) {
    EXPECT_EQ(findKind("tdm-c001"), findKind("TDM-C001"));
    EXPECT_EQ(findKind("C001"), findKind("TDM-C001"));
    EXPECT_EQ(findKind("TDM-C999"), nullptr);
    EXPECT_EQ(findKind(""), nullptr);
}

TEST(ErrorCatalogTest, PutsTheCodeBehindALineOnce) {
    const std::string coded = withCode("error: fit.epochs: expected at least 1, got 0");
    EXPECT_EQ(coded, "error: fit.epochs: expected at least 1, got 0 (TDM-P005)");
    EXPECT_EQ(withCode(coded), coded);
    EXPECT_EQ(withCode("finished"), "finished");
    EXPECT_EQ(withCode("error: (TDM-Z999): expected a code such as TDM-C001, or an error as it was printed"),
              "error: (TDM-Z999): expected a code such as TDM-C001, or an error as it was printed (TDM-U001)");
    EXPECT_EQ(withCode("error: nobody has a word for this"), "error: nobody has a word for this (TDM-U004)");
    EXPECT_EQ(kindOf("error: nobody has a word for this"), nullptr) << "whoever asks for more knows that there is none";
    EXPECT_EQ(kindOrOther("nobody has a word for this").code, "TDM-U004");
    EXPECT_EQ(kindOrOther("fit.epochs: expected at least 1, got 0").code, "TDM-P005");
}

TEST(ErrorCatalogTest, StarsStandForAnyText) {
    EXPECT_TRUE(fits("*", ""));
    EXPECT_TRUE(fits("a*c", "abbc"));
    EXPECT_TRUE(fits("*b*b", "abcbbb"));
    EXPECT_FALSE(fits("a*c", "abcd"));
    EXPECT_FALSE(fits("", "a"));
    // The time is that of a product, not of a power.
    EXPECT_FALSE(fits("*a*a*a*a*a*a*a*a*a*a*b", std::string(20'000, 'a')));
}

TEST(ErrorCatalogTest, LanguagesAreThoseOfTheStudio) {
    EXPECT_EQ(languageOf("ko_KR.UTF-8"), Language::kKorean);
    EXPECT_EQ(languageOf("zh_CN"), Language::kChinese);
    EXPECT_EQ(languageOf("de_DE.UTF-8"), Language::kEnglish);
    EXPECT_EQ(languageOf(""), Language::kEnglish);
}

}  // namespace
}  // namespace engine::errors
