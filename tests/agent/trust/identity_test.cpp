#include "agent/trust/identity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/trust/tls_session.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::trust {
namespace {

using engine::Error;
using engine::ErrorCode;
using ::testing::HasSubstr;

class IdentityTest : public ::testing::Test {
protected:
    std::filesystem::path file() const { return dir_.path() / "data" / "identity.pem"; }
    const tests::support::TempDir dir_;
};

TEST_F(IdentityTest, IsMadeOnceAndForItsUserAlone) {
    const Identity first = ownIdentity(file());
    EXPECT_EQ(first.fingerprint.size(), 64U);
    EXPECT_EQ(ownIdentity(file()).fingerprint, first.fingerprint);
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    EXPECT_NE(makeIdentity().fingerprint, first.fingerprint);
}

TEST_F(IdentityTest, SeveralWhoMakeItGetTheSame) {
    std::vector<std::string> prints(4);
    {
        std::vector<std::jthread> threads;
        for (std::string& print : prints) {
            threads.emplace_back([&print, this] { print = ownIdentity(file()).fingerprint; });
        }
    }
    EXPECT_THAT(prints, ::testing::Each(prints.front()));
}

TEST_F(IdentityTest, RefusesADamagedFileAndOneThatOthersRead) {
    ownIdentity(file());
    std::filesystem::permissions(file(), std::filesystem::perms::group_read, std::filesystem::perm_options::add);
    try {
        ownIdentity(file());
        ADD_FAILURE() << "read it";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
        EXPECT_THAT(error.what(), HasSubstr("expected a key that its user alone can read"));
    }
    std::filesystem::permissions(file(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::ofstream(file()) << "no key";
    try {
        ownIdentity(file());
        ADD_FAILURE() << "read it";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("expected a certificate and its key"));
    }
}

TEST_F(IdentityTest, TwoSidesKnowEachOtherByTheirFingerprints) {
    const Identity one = makeIdentity(), other = makeIdentity();
    int ends[2] = {-1, -1};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends), 0);
    const convert::FileDescriptor first(ends[0]), second(ends[1]);
    TlsSession caller(TlsContext(one), TlsSession::Side::kCaller, first.get());
    TlsSession called(TlsContext(other), TlsSession::Side::kCalled, second.get());
    for (auto a = caller.handshake(), b = called.handshake(); a != TlsSession::Result::kDone || b != TlsSession::Result::kDone;
         a = caller.handshake(), b = called.handshake()) {
        ASSERT_NE(a, TlsSession::Result::kFailed) << caller.failure();
        ASSERT_NE(b, TlsSession::Result::kFailed) << called.failure();
    }
    EXPECT_EQ(caller.peer(), other.fingerprint);
    EXPECT_EQ(called.peer(), one.fingerprint);
    EXPECT_EQ(caller.exported("EXPORTER-test"), called.exported("EXPORTER-test"));
    EXPECT_NE(caller.exported("EXPORTER-test"), caller.exported("EXPORTER-other"));
}

}  // namespace
}  // namespace agent::trust
