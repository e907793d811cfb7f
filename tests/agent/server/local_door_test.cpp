#include "agent/server/rpc/local_door.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "tests/support/eventually.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using agent::convert::FileDescriptor;
using agent::server::LocalDoor;
using agent::server::LocalDoorOptions;
using tests::support::eventually;

constexpr std::string_view kFirst = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

class LocalDoorTest : public ::testing::Test {
protected:
    void open(LocalDoorOptions options = {}) {
        door_ = std::make_unique<LocalDoor>(dir_.path(), "door.sock", options);
        door_->open([this](FileDescriptor connection) {
            const std::lock_guard lock(mutex_);
            inside_.push_back(std::move(connection));
        });
    }
    FileDescriptor connect() const {
        FileDescriptor connection(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        door_->socket().string().copy(address.sun_path, sizeof address.sun_path - 1);
        EXPECT_EQ(::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        return connection;
    }
    static void say(const FileDescriptor& connection, std::string_view text) {
        EXPECT_EQ(::send(connection.get(), text.data(), text.size(), MSG_NOSIGNAL), static_cast<ssize_t>(text.size()));
    }
    static bool isClosed(const FileDescriptor& connection) {
        pollfd entry{connection.get(), POLLRDHUP, 0};
        return ::poll(&entry, 1, 0) > 0;
    }
    std::size_t inside() {
        const std::lock_guard lock(mutex_);
        return inside_.size();
    }
    std::string peer(std::size_t i) {
        const std::lock_guard lock(mutex_);
        return "fd:" + std::to_string(inside_.at(i).get());
    }

    tests::support::TempDir dir_;
    std::mutex mutex_;
    std::vector<FileDescriptor> inside_;  // guarded by mutex_; as gRPC holds them
    std::unique_ptr<LocalDoor> door_;
};

TEST_F(LocalDoorTest, LetsInWhoSpeaksHttp2) {
    open();
    const FileDescriptor client = connect();
    say(client, kFirst);
    ASSERT_TRUE(eventually([&] { return inside() == 1; }));
    EXPECT_EQ(door_->unproven(), 1U);
    door_->proven(peer(0));
    EXPECT_EQ(door_->unproven(), 0U);
    char bytes[64];
    EXPECT_EQ(::recv(inside_[0].get(), bytes, sizeof bytes, 0), static_cast<ssize_t>(kFirst.size())) << "nothing of it was taken away";
}

TEST_F(LocalDoorTest, SendsAwayWhoSpeaksOtherwise) {
    open();
    for (const std::string_view text : {std::string_view("GET / HTTP/1.1\r\n\r\n"), kFirst.substr(0, 5), std::string_view("x")}) {
        const FileDescriptor client = connect();
        say(client, text);
        EXPECT_TRUE(eventually([&] { return isClosed(client); })) << text;
    }
    EXPECT_EQ(inside(), 0U);
    EXPECT_EQ(door_->unproven(), 0U);
}

TEST_F(LocalDoorTest, SendsAwayTheSilentAndTheUnprovenAfterAWhile) {
    open({.most_unproven = 64, .unproven_for = 50ms});
    const FileDescriptor silent = connect(), unproven = connect();
    say(unproven, kFirst);
    EXPECT_TRUE(eventually([&] { return isClosed(silent) && isClosed(unproven); }));
    EXPECT_EQ(door_->unproven(), 0U);
}

TEST_F(LocalDoorTest, LeavesTheProvenAlone) {
    open({.most_unproven = 2, .unproven_for = 10min});
    const FileDescriptor good = connect();
    say(good, kFirst);
    ASSERT_TRUE(eventually([&] { return inside() == 1; }));
    door_->proven(peer(0));
    std::vector<FileDescriptor> crowd;
    for (int i = 0; i < 200; ++i) {
        crowd.push_back(connect());
    }
    EXPECT_TRUE(eventually([&] { return isClosed(crowd[0]) && isClosed(crowd[197]); })) << "two wait at the most";
    EXPECT_FALSE(isClosed(good));
    EXPECT_TRUE(eventually([&] { return door_->unproven() == 2; }));
}

TEST_F(LocalDoorTest, ForgetsThoseThatGo) {
    open({.most_unproven = 64, .unproven_for = 10min});
    FileDescriptor silent = connect(), unproven = connect();
    say(unproven, kFirst);
    ASSERT_TRUE(eventually([&] { return inside() == 1 && door_->unproven() == 2; }));
    silent.reset();
    unproven.reset();
    EXPECT_TRUE(eventually([&] { return door_->unproven() == 0; }));
}

// The test's own descriptors are all taken while the others knock.
TEST_F(LocalDoorTest, GoesOnAfterThereWasNoDescriptorLeft) {
    open({.most_unproven = 1000, .unproven_for = 10min});
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
    std::vector<FileDescriptor> clients;
    for (int i = 0; i < 40; ++i) {
        clients.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    }
    const rlimit few{static_cast<rlim_t>(clients.back().get() + 4), before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    door_->socket().string().copy(address.sun_path, sizeof address.sun_path - 1);
    for (const FileDescriptor& client : clients) {
        EXPECT_EQ(::connect(client.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    }
    EXPECT_TRUE(eventually([&] {
        return std::count_if(clients.begin(), clients.end(), [](const FileDescriptor& client) { return isClosed(client); }) >= 30;
    })) << "those without room are sent away";
    clients.clear();
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
    const FileDescriptor late = connect();
    say(late, kFirst);
    EXPECT_TRUE(eventually([&] { return inside() == 1; }));
}

TEST_F(LocalDoorTest, TakesThePlaceOfASocketThatWasLeftBehind) {
    open();
    const std::filesystem::path socket = door_->socket();
    struct stat status {};
    ASSERT_EQ(::stat(socket.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    door_.reset();
    EXPECT_FALSE(std::filesystem::exists(socket));
    ASSERT_EQ(::mknod(socket.c_str(), S_IFSOCK | 0600, 0), 0);
    open();
    say(connect(), kFirst);
    EXPECT_TRUE(eventually([&] { return inside() == 1; }));
}

TEST_F(LocalDoorTest, OpensInNoFolderThatOthersCanOpen) {
    std::filesystem::permissions(dir_.path(), std::filesystem::perms::all);
    EXPECT_THROW(open(), engine::Error);
}

}  // namespace
