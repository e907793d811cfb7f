#include "engine/files/regular_file.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::files {
namespace {

using testing::HasSubstr;

class RegularFiles : public testing::Test {
protected:
    std::filesystem::path write(const std::string& name, const std::string& bytes) const {
        std::ofstream(dir_.path() / name, std::ios::binary) << bytes;
        return dir_.path() / name;
    }
    // Refused with this code, naming the file and saying what it is. A call that waited would end the test by its time limit.
    static void expectRefused(const std::filesystem::path& file, ErrorCode code, const std::string& message) {
        try {
            readWhole(file);
            ADD_FAILURE() << file << " was read";
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            EXPECT_THAT(error.what(), HasSubstr(file.string() + ": " + message));
        }
    }

    tests::support::TempDir dir_;
};

TEST_F(RegularFiles, AreReadWhole) {
    const std::filesystem::path file = write("a", std::string(200000, 'x'));
    EXPECT_EQ(readWhole(file).size(), 200000U);
    const RegularFile opened(file);
    EXPECT_EQ(opened.size(), 200000U);
    EXPECT_EQ(readWhole(write("empty", "")), "");
}

TEST_F(RegularFiles, AreReadThroughALink) {
    write("a", "text");
    std::filesystem::create_symlink("a", dir_.path() / "link");
    EXPECT_EQ(readWhole(dir_.path() / "link"), "text");
}

TEST_F(RegularFiles, OfProcHaveContentsWithoutASize) {
    EXPECT_FALSE(readWhole("/proc/self/status").empty());
}

TEST_F(RegularFiles, APipeIsRefusedAtOnceThoughNobodyWrites) {
    const std::filesystem::path pipe = dir_.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    expectRefused(pipe, ErrorCode::kInvalidArgument, "expected a file, got a pipe");
}

TEST_F(RegularFiles, ASocketADeviceAndAFolderAreRefused) {
    const std::filesystem::path socket = dir_.path() / "s";
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
    ASSERT_LT(socket.string().size(), sizeof address.sun_path);
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    expectRefused(socket, ErrorCode::kInvalidArgument, "expected a file, got a socket");
    ::close(descriptor);
    expectRefused("/dev/zero", ErrorCode::kInvalidArgument, "expected a file, got a device");
    expectRefused(dir_.path(), ErrorCode::kInvalidArgument, "expected a file, got a folder");
}

TEST_F(RegularFiles, ThatAreMissingAreToldSo) {
    expectRefused(dir_.path() / "none", ErrorCode::kNotFound, "cannot be opened");
    std::filesystem::create_symlink("circle", dir_.path() / "circle");
    expectRefused(dir_.path() / "circle", ErrorCode::kInternal, "cannot be opened");
}

TEST_F(RegularFiles, ThatAreTooLargeAreRefusedByTheirSize) {
    const std::filesystem::path file = write("a", "12345");
    EXPECT_EQ(readWhole(file, 5), "12345");
    try {
        readWhole(file, 4);
        FAIL() << "five bytes where four were allowed";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted);
        EXPECT_THAT(error.what(), HasSubstr("expected at most 4 bytes, got more"));
    }
}

}  // namespace
}  // namespace engine::files
