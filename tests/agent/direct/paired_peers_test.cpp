#include "agent/direct/paired_peers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <functional>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::direct {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const PairedPeer kFirst{std::string(64, 'a'), "node1"}, kSecond{std::string(64, 'b'), "node2"};

class PairedPeersTest : public ::testing::Test {
protected:
    tests::support::TempDir dir_;
    const PairedPeers peers_{dir_.path() / "paired"};
};

TEST_F(PairedPeersTest, KeepsThemByTheirFingerprints) {
    EXPECT_THAT(peers_.list(), IsEmpty());
    EXPECT_FALSE(peers_.has(kFirst.fingerprint));
    peers_.add(kSecond);
    peers_.add(kFirst);
    EXPECT_THAT(peers_.list(), ElementsAre(kFirst, kSecond));
    EXPECT_TRUE(peers_.has(kFirst.fingerprint));
    EXPECT_FALSE(peers_.has("../paired"));
    peers_.add({kFirst.fingerprint, "another-name"});
    EXPECT_EQ(peers_.list().front().name, "another-name");
}

TEST_F(PairedPeersTest, ForgetsByNameOrByTheFirstDigits) {
    peers_.add(kFirst);
    peers_.add(kSecond);
    EXPECT_EQ(peers_.remove("node3"), 0);
    EXPECT_EQ(peers_.remove("aaaa"), 0) << "too few digits";
    EXPECT_EQ(peers_.remove("aaaaaaaa"), 1);
    EXPECT_EQ(peers_.remove("node2"), 1);
    EXPECT_THAT(peers_.list(), IsEmpty());
}

TEST_F(PairedPeersTest, IsForItsUserAlone) {
    peers_.add(kFirst);
    struct stat status {};
    ASSERT_EQ(::stat((dir_.path() / "paired").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
    ASSERT_EQ(::stat((dir_.path() / "paired" / kFirst.fingerprint).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
}

TEST_F(PairedPeersTest, ALinkIsNobody) {
    peers_.add(kFirst);
    std::filesystem::create_symlink(kFirst.fingerprint, dir_.path() / "paired" / kSecond.fingerprint);
    EXPECT_FALSE(peers_.has(kSecond.fingerprint));
    EXPECT_THAT(peers_.list(), ElementsAre(kFirst));
}

// Nobody is paired where there is no folder yet; where it can't be looked into, nobody knows.
TEST_F(PairedPeersTest, SaysThatItCantBeRead) {
    std::ofstream(dir_.path() / "paired") << "no folder";
    const auto said = [](const std::function<void()>& body) -> std::string {
        try {
            body();
        } catch (const engine::Error& error) {
            return error.what();
        }
        return "nothing";
    };
    const std::string why = (dir_.path() / "paired").string() + ": expected a folder, got another kind of file";
    EXPECT_EQ(said([&] { static_cast<void>(peers_.has(kFirst.fingerprint)); }), why);
    EXPECT_EQ(said([&] { static_cast<void>(peers_.list()); }), why);
}

}  // namespace
}  // namespace agent::direct
