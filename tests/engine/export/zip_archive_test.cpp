#include "engine/export/zip_archive.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/atomic_file.h"
#include "engine/spec/error.h"

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
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        std::string damaged = bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x5A);
        try {
            readZip(damaged, "damaged.keras");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        }
    }
}

}  // namespace
}  // namespace engine::exporter
