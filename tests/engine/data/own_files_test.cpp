#include "engine/data/own_files.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

class OwnFiles : public testing::Test {
protected:
    void make(const std::string& name) const { std::ofstream(dir_.path() / name) << ""; }
    std::vector<std::string> expand(const std::string& pattern) const {
        std::vector<std::string> names;
        for (const std::filesystem::path& file : expandFiles({pattern}, {dir_.path()})) {
            names.push_back(file.filename().string());
        }
        return names;
    }

    tests::support::TempDir dir_;
};

TEST_F(OwnFiles, AreFoundByPatterns) {
    for (const char* name : {"a.csv", "ab.csv", "b.csv", "aab", "a"}) {
        make(name);
    }
    using testing::ElementsAre;
    EXPECT_THAT(expand("a*.csv"), ElementsAre("a.csv", "ab.csv"));
    EXPECT_THAT(expand("*"), ElementsAre("a", "a.csv", "aab", "ab.csv", "b.csv"));
    EXPECT_THAT(expand("*ab"), ElementsAre("aab"));
    EXPECT_THAT(expand("a**b*"), ElementsAre("aab", "ab.csv"));
    EXPECT_THAT(expand("*a"), ElementsAre("a"));
    EXPECT_THAT(expand("a*"), ElementsAre("a", "a.csv", "aab", "ab.csv"));
    EXPECT_THROW(expand("c*"), Error);
    EXPECT_THROW(expand("*a.csv.*"), Error);
}

// By trying every length for every star this would take longer than the universe lasts.
TEST_F(OwnFiles, AreFoundAtOnceByAPatternOfManyStars) {
    make(std::string(200, 'a'));
    std::string pattern;
    for (int i = 0; i < 40; ++i) {
        pattern += "*a";
    }
    EXPECT_THROW(expand(pattern + "*b"), Error);
    EXPECT_EQ(expand(pattern + "*").size(), 1U);
}

}  // namespace
}  // namespace engine::data
