#include "agent/home/host_link.h"

#include <cstdlib>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/fake_ssh.h"

namespace agent::home {
namespace {

using ::testing::HasSubstr;

class HostLinkTest : public ::testing::Test {
protected:
    HostLinkTest() {
        ::setenv("XDG_RUNTIME_DIR", (ssh_.path() / "here").c_str(), 1);
        ssh_.say("exec sleep 600");  // it never answers
    }

    tests::FakeSsh ssh_;
    HostLink link_{{.name = "node1", .ssh = {.host = "node1"}}, {.version = "test"}, HostLink::Later::kYes};
};

TEST_F(HostLinkTest, ConnectsAnewAfterAnyException) {
    try {
        link_.again(nullptr, []() -> bool { throw std::runtime_error("a folder has gone"); });
        ADD_FAILURE() << "no exception";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "a folder has gone");
    }
    for (int i = 0; i < 2; ++i) {
        try {
            link_.again(nullptr, [] { return true; });
            ADD_FAILURE() << "somebody else makes the connection";
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kCancelled);
            EXPECT_THAT(error.what(), HasSubstr("node1"));
        }
    }
    EXPECT_EQ(link_.live(), nullptr);
}

}  // namespace
}  // namespace agent::home
