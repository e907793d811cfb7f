#include "agent/files/file_list.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::files {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

// SHA-256 of "abc" and of nothing, as FIPS 180-4 and its example values give them.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
constexpr const char* kNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

class FileListTest : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text) const {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name, std::ios::binary) << text;
    }
    FileList list(const std::string& entry) { return listFiles(folder_.path() / entry, digests_); }
    static std::vector<std::string> names(const FileList& list) {
        std::vector<std::string> all;
        for (const ListedFile& file : list.files) {
            all.push_back(file.name);
        }
        return all;
    }

    tests::support::TempDir folder_;
    FileDigests digests_;
};

TEST_F(FileListTest, ListsAFileWithItsChecksum) {
    write("train.csv", "abc");
    const FileList found = list("train.csv");
    EXPECT_EQ(found.folder, folder_.path().string());
    EXPECT_EQ(found.leaf, "train.csv");
    EXPECT_THAT(found.files, ElementsAre(ListedFile{"train.csv", 3, kAbc}));
    EXPECT_EQ(found.bytes(), 3);
}

TEST_F(FileListTest, ListsThePatternsFilesInOrder) {
    write("b-2.tfrecord", "abc");
    write("b-1.tfrecord", "");
    write("a-1.tfrecord", "x");
    write("b-3.tfrecord/inside", "x");
    const FileList found = list("b-*.tfrecord");
    EXPECT_THAT(found.files, ElementsAre(ListedFile{"b-1.tfrecord", 0, kNothing}, ListedFile{"b-2.tfrecord", 3, kAbc}));
}

TEST_F(FileListTest, ListsACheckpointByItsPrefix) {
    write("ckpt_3.index", "i");
    write("ckpt_3.data-00000-of-00001", "d");
    write("ckpt_30.index", "other");
    EXPECT_THAT(names(list("ckpt_3")), ElementsAre("ckpt_3.data-00000-of-00001", "ckpt_3.index"));
}

TEST_F(FileListTest, ListsAFolderWithItsLinksButNoCircle) {
    write("elsewhere/3.png", "3");
    write("animals/cats/1.png", "1");
    write("animals/dogs/2.png", "2");
    fs::create_directory_symlink(folder_.path() / "elsewhere", folder_.path() / "animals/birds");
    fs::create_symlink(folder_.path() / "elsewhere/3.png", folder_.path() / "animals/cats/4.png");
    fs::create_directory_symlink(folder_.path() / "animals", folder_.path() / "animals/cats/again");
    EXPECT_THAT(names(list("animals")),
                ElementsAre("animals/birds/3.png", "animals/cats/1.png", "animals/cats/4.png", "animals/dogs/2.png"));
}

TEST_F(FileListTest, ListsFoldersWithoutFilesToo) {
    write("animals/cats/1.png", "1");
    fs::create_directories(folder_.path() / "animals/birds");
    const FileList found = list("animals");
    EXPECT_THAT(found.folders, ElementsAre("animals", "animals/birds", "animals/cats"));
    fs::remove(folder_.path() / "animals/birds");
    EXPECT_NE(idOf(list("animals")), idOf(found)) << "a class of the set";
}

TEST_F(FileListTest, NamesWhatIsNotThere) {
    write("empty/.keep/x", "");
    fs::create_directory(folder_.path() / "bare");
    for (const char* entry : {"none.csv", "*.csv", "bare", "no/folder.csv"}) {
        try {
            list(entry);
            ADD_FAILURE() << entry;
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kNotFound);
            EXPECT_THAT(error.what(), HasSubstr((folder_.path() / entry).string()));
        }
    }
}

TEST_F(FileListTest, ComputesAChecksumAgainWhenAFileChanged) {
    write("a", "abc");
    EXPECT_EQ(digests_.of(folder_.path() / "a"), kAbc);
    write("a", "abd");
    EXPECT_NE(digests_.of(folder_.path() / "a"), kAbc);
    write("a", "abc");
    EXPECT_EQ(digests_.of(folder_.path() / "a"), kAbc);
}

TEST_F(FileListTest, EndsWhenNobodyWantsItAnyMore) {
    write("a", "abc");
    try {
        listFiles(folder_.path() / "a", digests_, [] { return true; });
        ADD_FAILURE();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kCancelled);
    }
}

TEST_F(FileListTest, ComesBackFromItsText) {
    const FileList one{"/data", "*.csv", {{"a.csv", 3, kAbc}, {"b.csv", 0, kNothing}}};
    EXPECT_EQ(parseFileList(toText(one)), one);
    // Where the files lie does not change what they are; their names do.
    FileList other = one;
    other.folder = "/elsewhere";
    EXPECT_EQ(idOf(other), idOf(one));
    other.files[0].name = "aa.csv";
    EXPECT_NE(idOf(other), idOf(one));
}

TEST_F(FileListTest, RefusesTextThatNoListGives) {
    const FileList good{"/data", "a", {{"a", 3, kAbc}}};
    const auto refused = [&](const std::function<void(FileList&)>& edit) {
        FileList bad = good;
        edit(bad);
        try {
            parseFileList(toText(bad));
            return false;
        } catch (const engine::Error& error) {
            return error.code() == engine::ErrorCode::kInvalidArgument;
        }
    };
    EXPECT_FALSE(refused([](FileList&) {}));
    for (const std::string name : {"", "/etc/passwd", "../a", "a/../b", "a//b", "./a", "a/", "a\nb"}) {
        EXPECT_TRUE(refused([&](FileList& bad) { bad.files[0].name = name; })) << name;
    }
    EXPECT_TRUE(refused([](FileList& bad) { bad.files[0].name = std::string(300, 'a'); }));
    for (const std::string leaf : {"", "..", "a/b", "/"}) {
        EXPECT_TRUE(refused([&](FileList& bad) { bad.leaf = leaf; })) << leaf;
    }
    EXPECT_TRUE(refused([](FileList& bad) { bad.folder = "data"; }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.files[0].bytes = -1; }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.files[0].bytes = std::numeric_limits<std::int64_t>::max(); })) << "sums of such sizes";
    EXPECT_TRUE(refused([](FileList& bad) { bad.files[0].sha256 = "abc"; }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.files[0].sha256[5] = 'G'; }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.files.push_back(bad.files[0]); }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.files.clear(); }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.folders = {"../a"}; }));
    EXPECT_TRUE(refused([](FileList& bad) { bad.folders = {"a", "a"}; }));
    for (const char* text : {"", "{", "[]", "{\"folder\":1}", "{\"folder\":\"/a\",\"leaf\":\"a\",\"files\":[[1,2,3]]}"}) {
        EXPECT_THROW(parseFileList(text), engine::Error) << text;
    }
}

}  // namespace
}  // namespace agent::files
