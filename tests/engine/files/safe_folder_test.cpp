#include "engine/files/safe_folder.h"

#include <atomic>
#include <cerrno>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::files {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::atomic<int> asked{0};  // how often the kernel that lacks openat2 was

template <int kErrno>
int withoutOpenat2(int /*folder*/, const char* /*path*/, int /*flags*/, unsigned /*mode*/) {
    ++asked;
    errno = kErrno;
    return -1;
}

struct Kernel {
    const char* name;
    SafeFolder::OpenBelow open_below;
};

void put(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
}

std::string textOf(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::string textOf(const FileDescriptor& file) {
    char text[64] = {};
    return ::read(file.get(), text, sizeof text - 1) < 0 ? "can't be read" : text;
}

mode_t modeOf(const fs::path& path) {
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 ? found.st_mode & 07777 : 0;
}

// A folder `run`, and beside it a victim's, to which links are planted.
class SafeFolders : public testing::TestWithParam<Kernel> {
protected:
    SafeFolders() {
        put(victim() / "file", "precious");
        fs::create_directory(run());
    }
    fs::path run() const { return dir_.path() / "run"; }
    fs::path victim() const { return dir_.path() / "victim"; }
    SafeFolder open() const { return SafeFolder::open(run(), GetParam().open_below); }

    // What it says; fails when it does not refuse.
    static std::string refusalOf(const std::function<void()>& act, ErrorCode code = ErrorCode::kPermissionDenied) {
        try {
            act();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            return error.what();
        }
        ADD_FAILURE() << "was not refused";
        return {};
    }

    const tests::support::TempDir dir_;
};

TEST_P(SafeFolders, HoldFilesAndFolders) {
    const SafeFolder folder = open();
    folder.makeFolder("logs/train");
    const FileDescriptor made = folder.create("logs/train/events");
    ASSERT_EQ(::write(made.get(), "abc", 3), 3);
    EXPECT_EQ(textOf(folder.openToRead("logs/./train//events")), "abc");
    EXPECT_TRUE(folder.isFile("logs/train/events"));
    folder.rename("logs/train/events", "logs/events");
    EXPECT_FALSE(folder.status("logs/train/events"));
    folder.link("logs/events", "logs/again");
    EXPECT_EQ(folder.status("logs/again")->st_nlink, 2U);
    const SafeFolder logs = folder.openFolder("logs");
    ASSERT_EQ(logs.list().size(), 3U);
    EXPECT_EQ(logs.list()[0].name, "again");
    EXPECT_TRUE(logs.list()[2].is_folder);
    EXPECT_TRUE(folder.remove("logs/events"));
    EXPECT_FALSE(folder.remove("logs/events"));
    EXPECT_FALSE(folder.removeEmptyFolder("logs"));
    EXPECT_TRUE(folder.removeEmptyFolder("logs/train"));
    EXPECT_FALSE(folder.status("none/of/this"));
}

TEST_P(SafeFolders, LeadNowhereElse) {
    const SafeFolder folder = open();
    for (const char* below : {"../victim/file", "..", "a/../../victim/file", "", ".", "/etc/passwd"}) {
        EXPECT_THAT(refusalOf([&] { folder.openToRead(below); }), HasSubstr("expected a path below")) << below;
        EXPECT_THAT(refusalOf([&] { folder.create(below); }), HasSubstr("expected a path below")) << below;
        EXPECT_THAT(refusalOf([&] { folder.remove(below); }), HasSubstr("expected a path below")) << below;
        EXPECT_THAT(refusalOf([&] { folder.makeFolder(below); }), HasSubstr("expected a path below")) << below;
    }
    EXPECT_THAT(refusalOf([&] { folder.openToRead(fs::path(std::string("a\0b", 3))); }), HasSubstr("expected a path below"));
}

TEST_P(SafeFolders, FollowNoLinkToAFile) {
    fs::create_symlink(victim() / "file", run() / "project.tandem");
    const SafeFolder folder = open();
    EXPECT_THAT(refusalOf([&] { folder.openToRead("project.tandem"); }), HasSubstr("expected no link below"));
    EXPECT_THAT(refusalOf([&] { folder.openToAppend("project.tandem"); }), HasSubstr("got one: project.tandem"));
    EXPECT_FALSE(folder.isFile("project.tandem"));
    EXPECT_TRUE(S_ISLNK(folder.status("project.tandem")->st_mode));
    const FileDescriptor made = folder.create("project.tandem");
    ASSERT_EQ(::write(made.get(), "own", 3), 3);
    EXPECT_EQ(textOf(run() / "project.tandem"), "own") << "it has taken the link's place";
    EXPECT_EQ(textOf(victim() / "file"), "precious");
}

TEST_P(SafeFolders, FollowNoLinkOnTheWay) {
    for (const fs::path way : {"checkpoints", "checkpoints/old", "checkpoints/old/older"}) {
        fs::remove_all(run());
        fs::create_directories((run() / way).parent_path());
        fs::create_directory_symlink(victim(), run() / way);
        const SafeFolder folder = open();
        const fs::path file = way / "file";
        EXPECT_THAT(refusalOf([&] { folder.openToRead(file); }), HasSubstr("got one: " + way.string()));
        EXPECT_THAT(refusalOf([&] { folder.create(file); }), HasSubstr("expected no link below"));
        EXPECT_THAT(refusalOf([&] { folder.openToAppend(file); }), HasSubstr("expected no link below"));
        EXPECT_THAT(refusalOf([&] { folder.remove(file); }), HasSubstr("expected no link below"));
        EXPECT_THAT(refusalOf([&] { folder.status(file); }), HasSubstr("expected no link below"));
        EXPECT_THAT(refusalOf([&] { folder.makeFolder(way / "new"); }), HasSubstr("expected no link below"));
        EXPECT_THAT(refusalOf([&] { folder.openFolder(way); }), HasSubstr("expected no link below"));
        EXPECT_TRUE(folder.remove(way)) << "the link itself goes";
        EXPECT_EQ(textOf(victim() / "file"), "precious");
        EXPECT_EQ(std::distance(fs::directory_iterator(victim()), {}), 1);
    }
}

TEST_P(SafeFolders, DoNotListLinksAsFolders) {
    fs::create_directory_symlink(victim(), run() / "checkpoints");
    const auto entries = open().list();
    ASSERT_EQ(entries.size(), 1U);
    EXPECT_FALSE(entries[0].is_folder);
}

TEST_P(SafeFolders, GoOnInNoFileThatHasAnotherName) {
    fs::create_hard_link(victim() / "file", run() / "log.csv");
    const SafeFolder folder = open();
    EXPECT_THAT(refusalOf([&] { folder.openToAppend("log.csv"); }), HasSubstr("expected a file that has no other name"));
    const FileDescriptor made = folder.create("log.csv");
    ASSERT_EQ(::write(made.get(), "own", 3), 3);
    EXPECT_EQ(textOf(victim() / "file"), "precious");
}

TEST_P(SafeFolders, WaitForNoWriterOfAFifo) {
    ASSERT_EQ(::mkfifo((run() / "run.json").c_str(), 0600), 0);
    EXPECT_EQ(textOf(open().openToRead("run.json")), "");
}

TEST_P(SafeFolders, AreTheirUsersAloneWhateverTheUmask) {
    for (const mode_t mask : {0000, 0277}) {
        const mode_t before = ::umask(mask);
        const fs::path root = dir_.path() / ("new" + std::to_string(mask));
        const SafeFolder folder = SafeFolder::make(root / "a", GetParam().open_below);
        folder.makeFolder("checkpoints/old");
        folder.create("checkpoints/old/file");
        ::umask(before);
        for (const fs::path& made : {root, root / "a", root / "a/checkpoints", root / "a/checkpoints/old"}) {
            EXPECT_EQ(modeOf(made), 0700U) << made;
        }
        EXPECT_EQ(modeOf(root / "a/checkpoints/old/file"), 0600U);
    }
}

TEST_P(SafeFolders, KeepTheModeOfAFolderThatIsThere) {
    ASSERT_EQ(::chmod(run().c_str(), 0750), 0);
    SafeFolder::make(run(), GetParam().open_below);
    EXPECT_EQ(modeOf(run()), 0750U);
}

TEST_P(SafeFolders, AreReachedOverTheUsersOwnLinksOnce) {
    fs::create_directory_symlink(run(), dir_.path() / "latest");
    const SafeFolder folder = SafeFolder::make(dir_.path() / "latest", GetParam().open_below);
    EXPECT_EQ(folder.path(), dir_.path() / "latest");
    fs::remove(dir_.path() / "latest");
    fs::create_directory_symlink(victim(), dir_.path() / "latest");
    folder.create("mark");
    EXPECT_TRUE(fs::exists(run() / "mark")) << "it is still the folder that was opened";
    EXPECT_FALSE(fs::exists(victim() / "mark"));
}

TEST_P(SafeFolders, MakeNoFolderOverALinkThatLeadsNowhere) {
    fs::create_symlink(victim() / "absent", dir_.path() / "latest");
    EXPECT_THROW(SafeFolder::make(dir_.path() / "latest", GetParam().open_below), Error);
    EXPECT_FALSE(fs::exists(victim() / "absent"));
}

// A folder and a link take turns under one name: whichever it is at that moment, nothing comes to lie in the victim's.
TEST_P(SafeFolders, LoseNoRace) {
    const SafeFolder folder = open();
    std::atomic<bool> done{false};
    const std::jthread attacker([&] {
        const fs::path name = run() / "checkpoints", real = run() / "real";
        fs::create_directory(real);
        while (!done) {
            std::error_code ignored;
            fs::create_directory_symlink(victim(), name, ignored);
            fs::remove(name, ignored);
            fs::rename(real, name, ignored);
            fs::rename(name, real, ignored);
        }
    });
    int written = 0, refused = 0;
    for (int i = 0; i < 3000; ++i) {
        try {
            folder.create("checkpoints/ckpt_" + std::to_string(i));
            ++written;
        } catch (const Error&) {
            ++refused;
        }
    }
    done = true;
    EXPECT_GT(written + refused, 0);
    EXPECT_EQ(std::distance(fs::directory_iterator(victim()), {}), 1) << written << " written, " << refused << " refused";
}

TEST(SafeFolder, AsksTheKernelFirst) {
    const tests::support::TempDir dir;
    put(dir.path() / "a/b", "x");
    const int before = asked;
    EXPECT_EQ(textOf(SafeFolder::open(dir.path(), &withoutOpenat2<ENOSYS>).openToRead("a/b")), "x");
    EXPECT_EQ(asked, before + 1) << "and goes by names when it can't";
}

INSTANTIATE_TEST_SUITE_P(Kernels, SafeFolders,
                         testing::Values(Kernel{"WithOpenat2", nullptr}, Kernel{"WithoutIt", &withoutOpenat2<ENOSYS>},
                                         Kernel{"InASandbox", &withoutOpenat2<EPERM>}),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace engine::files
