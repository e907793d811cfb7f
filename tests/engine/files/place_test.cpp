#include "engine/files/place.h"

#include <fstream>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace engine::files {
namespace {

namespace fs = std::filesystem;

TEST(Place, IsWhereverTheUserSaysOrBelowAFolder) {
    const tests::support::TempDir dir;
    const SafeFolder run = SafeFolder::make(dir.path() / "run");
    const Place below = Place(run, "checkpoints/ckpt_1") + ".index", named = Place(dir.path() / "weights") / "a.keras";
    EXPECT_EQ(below.path(), dir.path() / "run/checkpoints/ckpt_1.index");
    for (const Place& place : {below, named}) {
        EXPECT_FALSE(place.exists());
        place.parent().makeFolder();
        place.create();
        EXPECT_TRUE(place.exists());
        EXPECT_TRUE(fs::exists(place.path()));
        EXPECT_TRUE(place.openToRead());
        EXPECT_TRUE(place.openToAppend());
    }
    EXPECT_EQ(Place(run, "run.json").holder().name, "run.json") << "in the folder itself";
}

TEST(Place, FollowsLinksOfTheUserAlone) {
    const tests::support::TempDir dir;
    fs::create_directory(dir.path() / "elsewhere");
    std::ofstream(dir.path() / "elsewhere/file") << "x";
    const SafeFolder run = SafeFolder::make(dir.path() / "run");
    fs::create_directory_symlink(dir.path() / "elsewhere", dir.path() / "run/logs");
    EXPECT_TRUE(Place(dir.path() / "run/logs/file").openToRead());
    EXPECT_THROW(Place(run, "logs/file").openToRead(), Error);
    EXPECT_THROW(Place(run, "logs/file").exists(), Error);
    EXPECT_THROW(Place(run, "logs/new").create(), Error);
    EXPECT_THROW(Place(run, "../elsewhere/new").create(), Error);
    EXPECT_THROW(Place(run, "logs/new").makeFolder(), Error);
    EXPECT_EQ(std::distance(fs::directory_iterator(dir.path() / "elsewhere"), {}), 1);
}

TEST(Place, IsForOthersAsTheUmaskLetsOnlyWhereTheUserSays) {
    const tests::support::TempDir dir;
    const SafeFolder run = SafeFolder::make(dir.path() / "run");
    const auto mode = [](const FileDescriptor& file) {
        struct stat found {};
        return ::fstat(file.get(), &found) == 0 ? found.st_mode & 0777 : 0;
    };
    const mode_t before = ::umask(0022);
    EXPECT_EQ(mode(Place(dir.path() / "named").create()), 0644U);
    EXPECT_EQ(mode(Place(run, "own").create()), 0600U);
    ::umask(before);
}

}  // namespace
}  // namespace engine::files
