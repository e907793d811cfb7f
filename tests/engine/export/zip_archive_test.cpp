#include "engine/export/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/atomic_file.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"

namespace engine::exporter {
namespace {

TEST(ZipArchive, ReadsWhatItWrites) {
    const std::vector<std::pair<std::string, std::string>> members{
        {"metadata.json", "{}"}, {"config.json", std::string(70000, 'x')}, {"empty", ""}};
    const std::string bytes = writeZip(members);
    const auto read = readZip(bytes, "sample.keras");
    EXPECT_EQ(read, (std::map<std::string, std::string>(members.begin(), members.end())));
    EXPECT_EQ(writeZip(members), bytes) << "the same members give the same bytes";
    EXPECT_GT(bytes.size(), 70000U) << "stored as they are";
}

TEST(ZipArchive, ReadsAFileOfKeras) {
    const auto members = readZip(readFile(std::filesystem::path(TANDEM_TEST_DATA) / "keras_files" / "keras_3.16_cnn.keras"), "cnn.keras");
    EXPECT_EQ(members.size(), 3U);
    EXPECT_EQ(members.at("config.json").front(), '{');
}

TEST(ZipArchive, RefusesDamageByName) {
    const std::string bytes = writeZip({{"config.json", std::string(1000, 'x')}});
    EXPECT_THROW(readZip("PK", "a.keras"), Error);
    EXPECT_THROW(readZip(bytes.substr(0, bytes.size() / 2), "a.keras"), Error);
    std::string changed = bytes;
    changed[500] = 'y';
    try {
        readZip(changed, "a.keras");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_THAT(error.what(), testing::HasSubstr("a.keras: config.json"));
    }
    tests::support::forEachDamage(bytes, [](const std::string& damaged) { readZip(damaged, "damaged.keras"); },
                                  {.rounds = 1000, .named = "damaged.keras"});
}

}  // namespace
}  // namespace engine::exporter
