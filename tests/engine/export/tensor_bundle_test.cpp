#include "engine/export/tensor_bundle.h"

#include <gtest/gtest.h>

#include <fstream>

#include "engine/export/atomic_file.h"
#include "engine/export/crc32c.h"
#include "engine/export/leveldb_table.h"
#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

const std::filesystem::path kSamples = std::filesystem::path(TANDEM_TEST_DATA) / "tf_checkpoint";

TEST(TensorBundle, WritesAndReadsBack) {
    const tests::support::TempDir folder;
    const std::vector<float> weights{1, 2, 3, 4, 5, 6};
    BundleWriter writer;
    writer.add("dense/kernel", BundleType::kFloat, {2, 3}, {reinterpret_cast<const char*>(weights.data()), 24});
    writer.addScalar("iterations", std::int64_t{7});
    writer.addString("note", "two workers");
    writer.write(folder.path() / "ckpt_1");

    const BundleReader reader(folder.path() / "ckpt_1");
    EXPECT_EQ(reader.readFloats("dense/kernel"), weights);
    EXPECT_EQ(reader.find("dense/kernel")->shape, (spec::Shape{2, 3}));
    EXPECT_EQ(reader.readInt("iterations"), 7);
    EXPECT_EQ(reader.readString("note"), "two workers");
    EXPECT_EQ(reader.entries().size(), 3U);
}

TEST(TensorBundle, LeavesNothingBehindWhereOnlyTheDataHadRoom) {
    const tests::support::TempDir folder;
    BundleWriter writer;
    writer.addScalar(std::string(20000, 'n'), std::int64_t{7});  // a long name: the index is the larger file
    {
        const tests::support::SmallDisk small(10000);
        EXPECT_THROW(writer.write(folder.path() / "ckpt_1"), Error);
    }
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(TensorBundle, ReadsEveryTensorOfFilesThatTensorFlowWrote) {
    for (const char* prefix : {"ckpt_keras3/ckpt-1", "ckpt_keras2_save_weights/ckpt_1", "tf22_ckpt/ckpt"}) {
        const BundleReader reader(kSamples / prefix);
        EXPECT_GT(reader.entries().size(), 5U) << prefix;
        for (const auto& entry : reader.entries()) {
            if (entry.type == BundleType::kString) {
                EXPECT_NO_THROW(reader.readString(entry.name)) << entry.name;
            } else {
                EXPECT_NO_THROW(reader.read(entry.name)) << entry.name;
            }
        }
    }
}

class DamagedBundle : public testing::Test {
protected:
    DamagedBundle() { std::filesystem::copy(kSamples / "ckpt_recommended", folder_.path(), std::filesystem::copy_options::recursive); }
    std::filesystem::path prefix() const { return folder_.path() / "ckpt-1"; }
    std::filesystem::path data() const { return prefix().string() + ".data-00000-of-00001"; }
    std::filesystem::path index() const { return prefix().string() + ".index"; }
    static void flipByte(const std::filesystem::path& file, std::size_t at) {
        std::string bytes = readFile(file);
        bytes.at(at) = static_cast<char>(bytes[at] ^ 0x40);
        std::ofstream(file, std::ios::binary) << bytes;
    }
    void readEverything() const {
        const BundleReader reader(prefix());
        for (const auto& entry : reader.entries()) {
            entry.type == BundleType::kString ? reader.readString(entry.name) : reader.read(entry.name);
        }
    }
    // The code of the Error that reading everything ends with.
    std::optional<ErrorCode> readAll() const {
        try {
            readEverything();
        } catch (const Error& error) {
            return error.code();
        }
        return std::nullopt;
    }

private:
    tests::support::TempDir folder_;
};

TEST_F(DamagedBundle, IsNoticedAtEveryByteOfTheData) {
    ASSERT_EQ(readAll(), std::nullopt);
    const std::size_t size = readFile(data()).size();
    for (std::size_t at = 0; at < size; at += 7) {
        flipByte(data(), at);
        EXPECT_EQ(readAll(), ErrorCode::kDataLoss) << at;
        flipByte(data(), at);
    }
}

TEST_F(DamagedBundle, SaysWhichChecksumWasExpectedAndWhichIsThere) {
    BundleWriter writer;
    writer.add("kernel", BundleType::kInt32, {1}, "abcd");
    writer.addString("note", "text");
    writer.write(prefix());
    EXPECT_NO_THROW(BundleReader(prefix()).verifyRest());
    const auto problem = [&] {
        try {
            BundleReader(prefix()).verifyRest();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
            return std::string(error.what());
        }
        return std::string("none");
    };
    flipByte(data(), 0);
    const std::string checkpoint = "checkpoint " + prefix().string() + ": ";
    const std::string tensor = checkpoint + "tensor \"kernel\": expected the checksum 0x";
    EXPECT_EQ(problem().substr(0, tensor.size()), tensor);
    EXPECT_EQ(problem().size(), tensor.size() + 8 + std::string(", got 0x").size() + 8);
    flipByte(data(), 0);
    flipByte(data(), 4 + 1 + 4);  // the first byte of the text, behind its length and that's checksum
    EXPECT_NE(problem().find(checkpoint + "the string \"note\": expected the checksum 0x"), std::string::npos) << problem();
    for (const char* sample : {"ckpt_keras3/ckpt-1", "ckpt_keras2_save_weights/ckpt_1", "ckpt_recommended/ckpt-1", "tf22_ckpt/ckpt"}) {
        EXPECT_NO_THROW(BundleReader(kSamples / sample).verifyRest()) << sample;
    }
}

TEST_F(DamagedBundle, NeverCrashesWithADamagedIndex) {
    const std::size_t size = readFile(index()).size();
    for (std::size_t at = 0; at < size; ++at) {
        flipByte(index(), at);
        readAll();  // bytes between the parts of the table carry nothing: some changes have no effect
        flipByte(index(), at);
    }
    for (std::size_t length = 0; length < size; length += 3) {
        const std::string whole = readFile(index());
        std::ofstream(index(), std::ios::binary) << whole.substr(0, length);
        EXPECT_EQ(readAll(), ErrorCode::kDataLoss) << length;
        std::ofstream(index(), std::ios::binary) << whole;
    }
}

TEST_F(DamagedBundle, SurvivesEveryDamage) {
    for (const std::filesystem::path& file : {index(), data()}) {
        const std::string whole = readFile(file);
        tests::support::forEachDamage(whole,
                                      [&](const std::string& bytes) {
                                          std::ofstream(file, std::ios::binary) << bytes;
                                          readEverything();
                                      },
                                      {.rounds = 60, .named = prefix().string()});
        std::ofstream(file, std::ios::binary) << whole;
    }
}

// Entries that lie behind right checksums, as only a program can make them.
TEST_F(DamagedBundle, SurvivesEntriesThatLie) {
    const std::map<std::string, std::string> whole = readTable(readFile(index()), "index");
    for (const auto& [name, value] : whole) {
        tests::support::forEachDamage(value,
                                      [&, key = name](const std::string& bytes) {
                                          std::map<std::string, std::string> changed = whole;
                                          changed[key] = bytes;
                                          std::ofstream(index(), std::ios::binary) << buildTable(changed);
                                          readEverything();
                                      },
                                      {.rounds = 12, .named = prefix().string()});
    }
}

// LevelDB would take the memory before it looked at the file.
TEST_F(DamagedBundle, TakesNoMemoryForBlocksThatTheIndexCannotHold) {
    const std::string huge("\xF0\xFF\xFF\xFF\xFF\xFF\xFF\x77", 8);  // a varint of 2^55 and more
    const std::string whole = buildTable({{"a", "b"}});
    constexpr std::size_t kFooter = 48, kMagic = 8;
    const std::string meta = whole.substr(whole.size() - kFooter, 2), magic = whole.substr(whole.size() - kMagic);
    const auto refusal = [&](const std::string& table) {
        try {
            readTable(table, "x.index");
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
            return std::string(error.what());
        }
        return std::string("none");
    };
    const auto withIndex = [&](const std::string& before, const std::string& handle) {
        std::string table = before + meta + handle;
        table.resize(before.size() + kFooter - kMagic);
        return table + magic;
    };
    const std::string outside =
        "x.index: expected a checkpoint index (a LevelDB table), got Corruption: a block that lies outside the file";
    EXPECT_EQ(refusal(whole), "none");
    EXPECT_EQ(refusal(withIndex(whole.substr(0, whole.size() - kFooter), std::string(1, '\0') + huge)), outside);
    // An index, whole by its checksum, of one block: shared 0, key of 1, value of 9; one restart point.
    std::string index = std::string("\0\x01\x09", 3) + "a" + std::string(1, '\0') + huge + std::string("\0\0\0\0\1\0\0\0", 8);
    const char size = static_cast<char>(index.size());
    index.push_back('\0');
    const std::uint32_t crc = maskCrc(crc32c(index));
    index.append(reinterpret_cast<const char*>(&crc), sizeof crc);
    EXPECT_EQ(refusal(withIndex(index, std::string{'\0', size})), outside);
}

TEST_F(DamagedBundle, TakesNoMemoryForPartsThatTheFilesCannotHold) {
    std::map<std::string, std::string> entries = readTable(readFile(index()), "index");
    // dtype float, shape (2^30), one slice of all of it.
    entries["huge"] = std::string("\x08\x01\x12\x08\x12\x06\x08\x80\x80\x80\x80\x04\x3A\x02\x0A\x00", 16);
    std::ofstream(index(), std::ios::binary) << buildTable(entries);
    try {
        BundleReader(prefix()).read("huge");
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_NE(std::string(error.what()).find("\"huge\""), std::string::npos) << error.what();
        EXPECT_NE(std::string(error.what()).find("its files have"), std::string::npos) << error.what();
    }
}

TEST_F(DamagedBundle, NamesMissingFiles) {
    std::filesystem::remove(data());
    EXPECT_EQ(readAll(), ErrorCode::kNotFound);
    std::filesystem::remove(index());
    EXPECT_EQ(readAll(), ErrorCode::kNotFound);
}

TEST_F(DamagedBundle, RefusesATruncatedDataFile) {
    std::filesystem::resize_file(data(), 100);
    EXPECT_EQ(readAll(), ErrorCode::kDataLoss);
}

}  // namespace
}  // namespace engine::exporter
