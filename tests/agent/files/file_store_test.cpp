#include "agent/files/file_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <latch>
#include <optional>
#include <thread>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::files {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;

class FileStoreTest : public ::testing::Test {
protected:
    // What the computer that the project was written on has.
    FileList listed(const std::string& entry, const std::vector<std::pair<std::string, std::string>>& files) {
        for (const auto& [name, text] : files) {
            fs::create_directories((home_.path() / name).parent_path());
            std::ofstream(home_.path() / name, std::ios::binary) << text;
        }
        FileList list = listFiles(home_.path() / entry, *digests_);
        list.folder = "/nowhere/on/this/computer";
        return list;
    }
    static std::string contents(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    static std::optional<ErrorCode> codeOf(const std::function<void()>& body) {
        try {
            body();
        } catch (const Error& error) {
            return error.code();
        }
        return std::nullopt;
    }
    void send(const ListedFile& file, const std::string& text, std::int64_t offset = 0) const {
        FileStore::Incoming incoming(store_, file, offset);
        incoming.take(text);
        incoming.finish();
    }

    tests::support::TempDir home_, far_;
    const std::shared_ptr<FileDigests> digests_ = std::make_shared<FileDigests>();
    const FileStore store_{far_.path() / "files", digests_};
};

TEST_F(FileStoreTest, FindsFilesUnderTheirOwnPathWhenTheyAreTheSame) {
    FileList list = listed("a.csv", {{"a.csv", "one"}});
    list.folder = far_.path().string();
    std::ofstream(far_.path() / "a.csv") << "two";
    EXPECT_EQ(store_.find(list).path, "");
    std::ofstream(far_.path() / "a.csv") << "one";
    EXPECT_EQ(store_.find(list).path, (far_.path() / "a.csv").string());
    EXPECT_FALSE(fs::exists(far_.path() / "files" / "sets"));
}

TEST_F(FileStoreTest, TakesNoFolderForTheSameThatHasMore) {
    FileList list = listed("animals", {{"animals/cats/1.png", "cat"}});
    list.folder = far_.path().string();
    fs::create_directories(far_.path() / "animals/cats");
    std::ofstream(far_.path() / "animals/cats/1.png") << "cat";
    EXPECT_EQ(store_.find(list).path, (far_.path() / "animals").string());
    fs::create_directories(far_.path() / "animals/dogs");
    EXPECT_EQ(store_.find(list).path, "") << "another class";
    fs::remove(far_.path() / "animals/dogs");
    std::ofstream(far_.path() / "animals/cats/2.png") << "cat";
    EXPECT_EQ(store_.find(list).path, "") << "another picture";
}

TEST_F(FileStoreTest, KeepsFoldersWithoutFilesAndSendsEqualFilesOnce) {
    fs::create_directories(home_.path() / "animals/birds");
    const FileList list = listed("animals", {{"animals/cats/1.png", "same"}, {"animals/dogs/1.png", "same"}});
    const FilesFound found = store_.find(list);
    ASSERT_EQ(found.lacking.size(), 1U);
    EXPECT_EQ(found.lacking_bytes, 4);
    send(list.files[found.lacking[0].index], "same");
    const fs::path there = store_.find(list).path;
    EXPECT_TRUE(fs::is_directory(there / "birds"));
    EXPECT_EQ(contents(there / "dogs" / "1.png"), "same");
    fs::remove(there / "birds");
    EXPECT_TRUE(fs::is_directory(fs::path(store_.find(list).path) / "birds")) << "made anew";
}

TEST_F(FileStoreTest, SaysWhatIsLackingAndThenWhereItLies) {
    const FileList list = listed("animals", {{"animals/cats/1.png", "cat"}, {"animals/dogs/2.png", "doggy"}});
    FilesFound found = store_.find(list);
    EXPECT_EQ(found.path, "");
    ASSERT_EQ(found.lacking.size(), 2U);
    EXPECT_EQ(found.lacking_bytes, 8);
    EXPECT_GT(found.free_bytes, 0);
    send(list.files[0], "cat");
    found = store_.find(list);
    ASSERT_EQ(found.lacking.size(), 1U);
    EXPECT_EQ(found.lacking[0].index, 1U);
    send(list.files[1], "doggy");
    found = store_.find(list);
    const fs::path there = found.path;
    EXPECT_EQ(there.filename(), "animals");
    EXPECT_EQ(contents(there / "cats" / "1.png"), "cat");
    EXPECT_EQ(contents(there / "dogs" / "2.png"), "doggy");
    // Nobody but the user, and nothing writes into what other lists share.
    struct stat status {};
    ASSERT_EQ(::stat((there / "cats" / "1.png").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0400U);
    ASSERT_EQ(::stat((far_.path() / "files").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    EXPECT_EQ(store_.find(list).path, found.path);
}

TEST_F(FileStoreTest, KeepsAFileOnceUnderTwoLists) {
    const FileList one = listed("a", {{"a", "same"}}), other = listed("b", {{"b", "same"}});
    send(one.files[0], "same");
    EXPECT_NE(store_.find(other).path, "");
    EXPECT_NE(store_.find(one).path, store_.find(other).path);
}

TEST_F(FileStoreTest, GoesOnBehindWhatHasCome) {
    const FileList list = listed("a", {{"a", "0123456789"}});
    {
        FileStore::Incoming cut(store_, list.files[0], 0);
        cut.take("0123");
    }
    const FilesFound found = store_.find(list);
    ASSERT_EQ(found.lacking.size(), 1U);
    EXPECT_EQ(found.lacking[0].has_bytes, 4);
    EXPECT_EQ(found.lacking_bytes, 6);
    EXPECT_EQ(codeOf([&] { FileStore::Incoming(store_, list.files[0], 0); }), ErrorCode::kInvalidArgument) << "it would not fit";
    send(list.files[0], "456789", 4);
    EXPECT_EQ(contents(store_.find(list).path), "0123456789");
}

TEST_F(FileStoreTest, RefusesOtherBytesThanTheChecksumSays) {
    const FileList list = listed("a", {{"a", "good"}});
    EXPECT_EQ(codeOf([&] { send(list.files[0], "evil"); }), ErrorCode::kDataLoss);
    EXPECT_EQ(store_.find(list).lacking.at(0).has_bytes, 0) << "it begins anew";
    EXPECT_EQ(codeOf([&] { send(list.files[0], "too long"); }), ErrorCode::kInvalidArgument);
    EXPECT_EQ(codeOf([&] { send(list.files[0], "go"); }), ErrorCode::kDataLoss);
}

TEST_F(FileStoreTest, TakesAFileFromOneSenderAtATime) {
    const FileList list = listed("a", {{"a", "good"}});
    FileStore::Incoming first(store_, list.files[0], 0);
    EXPECT_EQ(codeOf([&] { FileStore::Incoming(store_, list.files[0], 0); }), ErrorCode::kUnavailable);
    first.take("good");
    first.finish();
    EXPECT_NE(store_.find(list).path, "");
}

TEST_F(FileStoreTest, RefusesAFileThatTheDiskHasNoRoomFor) {
    ListedFile huge = listed("a", {{"a", "x"}}).files[0];
    huge.bytes = std::int64_t{1} << 60;
    EXPECT_EQ(codeOf([&] { FileStore::Incoming(store_, huge, 0); }), ErrorCode::kResourceExhausted);
}

TEST_F(FileStoreTest, TakesAnEmptyFile) {
    const FileList list = listed("a", {{"a", ""}});
    EXPECT_EQ(store_.find(list).lacking.size(), 1U);
    send(list.files[0], "");
    EXPECT_EQ(fs::file_size(store_.find(list).path), 0U);
}

TEST_F(FileStoreTest, RemovesWhatNobodyHasAskedForLately) {
    using std::chrono::hours;
    const auto now = std::chrono::system_clock::now();
    const FileList old = listed("old", {{"old/1", "only here"}, {"old/2", "shared"}}), used = listed("used", {{"used/1", "shared"}});
    const FileList begun = listed("begun", {{"begun", "0123456789"}});
    send(old.files[0], "only here");
    send(old.files[1], "shared");
    const fs::path gone = store_.find(old).path, kept = store_.find(used).path;
    ASSERT_NE(gone, "");
    FileStore::Incoming(store_, begun.files[0], 0).take("0123");
    EXPECT_EQ(store_.removeUnused(now - hours(1)), 0) << "all of it is new";
    const auto setAge = [](const fs::path& path) { fs::last_write_time(path, fs::file_time_type::clock::now() - hours(48)); };
    for (const auto& entry : fs::recursive_directory_iterator(far_.path() / "files")) {
        setAge(entry.path());
    }
    EXPECT_EQ(store_.find(used).path, kept) << "asked for now";
    {
        const FileStore::Incoming busy(store_, listed("other", {{"other", "x"}}).files[0], 0);
        EXPECT_EQ(store_.removeUnused(now - hours(24)), 0) << "somebody sends";
    }
    EXPECT_EQ(store_.removeUnused(now - hours(24)), 9 + 4) << "the file of one list alone, and the part";
    EXPECT_FALSE(fs::exists(gone));
    EXPECT_EQ(contents(kept / "1"), "shared");
    EXPECT_EQ(store_.find(begun).lacking.at(0).has_bytes, 0);
    EXPECT_EQ(store_.find(old).lacking.size(), 1U) << "what a list in use has too is still there";
}

TEST_F(FileStoreTest, RemovesNothingWhereNothingWasSent) {
    EXPECT_EQ(store_.removeUnused(std::chrono::system_clock::now()), 0);
    EXPECT_FALSE(fs::exists(far_.path() / "files"));
}

TEST_F(FileStoreTest, MakesASetAnewThatSomebodyDamaged) {
    const FileList list = listed("animals", {{"animals/1", "cat"}, {"animals/2", "dog"}});
    send(list.files[0], "cat");
    send(list.files[1], "dog");
    const fs::path there = store_.find(list).path;
    fs::remove(there / "2");
    EXPECT_EQ(store_.find(list).path, there.string());
    EXPECT_EQ(contents(there / "2"), "dog");
}

// Of one process or of several on a disk that they share: nobody writes into what another one makes.
TEST_F(FileStoreTest, MakesOneSetForAllWhoAskAtOnce) {
    constexpr int kAsking = 8;
    const FileList list = listed("animals", {{"animals/1", "cat"}, {"animals/2", "dog"}, {"animals/3", "cow"}});
    for (std::size_t i = 0; i < list.files.size(); ++i) {
        send(list.files[i], std::vector<std::string>{"cat", "dog", "cow"}.at(i));
    }
    std::vector<std::string> found(kAsking);
    {
        std::latch begin(kAsking);
        std::vector<std::jthread> asking;
        for (std::string& path : found) {
            asking.emplace_back([&] {
                begin.arrive_and_wait();
                path = store_.find(list).path;
            });
        }
    }
    EXPECT_THAT(found, ::testing::Each(found.front()));
    EXPECT_EQ(contents(fs::path(found.front()) / "3"), "cow");
    const fs::directory_iterator sets(far_.path() / "files" / "sets"), end;
    EXPECT_EQ(std::distance(sets, end), 1) << "nothing is left aside";
}

}  // namespace
}  // namespace agent::files
