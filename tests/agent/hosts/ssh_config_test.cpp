#include "agent/hosts/ssh_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace agent::hosts {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class SshConfigTest : public ::testing::Test {
protected:
    void write(const fs::path& name, const std::string& text) const {
        fs::create_directories((dir_.path() / name).parent_path());
        std::ofstream(dir_.path() / name) << text;
    }
    std::vector<std::string> names() const { return sshConfigNames(dir_.path() / "config"); }

    tests::support::TempDir dir_;
};

TEST_F(SshConfigTest, HasTheNamesThatMeanOneComputer) {
    write("config", R"(# of the lab
Host node1 node2
    HostName 192.0.2.7
    User ann
host = "node3"
HOST	node4 # not: node5
Host *.lan !gate web? *
Host node1
Match host node6
    Port 22
)");
    EXPECT_THAT(names(), ElementsAre("node1", "node2", "node3", "node4"));
}

TEST_F(SshConfigTest, FollowsIncludesInTheirPlace) {
    write("config", "Host first\nInclude more/*.conf missing\n  Include=" + (dir_.path() / "absolute").string() + "\nHost last\n");
    write("more/a.conf", "Host a\n");
    write("more/b.conf", "Host b\nInclude more/c\n");
    write("more/c", "Host c\n");
    write("absolute", "Host d\n");
    EXPECT_THAT(names(), ElementsAre("first", "a", "b", "c", "d", "last"));
}

TEST_F(SshConfigTest, EndsWhereFilesIncludeThemselves) {
    write("config", "Include config other\nHost node1\n");
    write("other", "Include config\nHost node2\n");
    EXPECT_THAT(names(), testing::UnorderedElementsAre("node1", "node2"));
}

TEST_F(SshConfigTest, HasFewerNamesWhereFilesAreBad) {
    EXPECT_THAT(names(), IsEmpty()) << "no file";
    write("config", "Host good\nHost \x01\x02 b" + std::string(1, '\0') + "d\nHost -oProxyCommand=x\nHost\nHost \"open\n");
    EXPECT_THAT(names(), testing::Contains("good"));
    EXPECT_THAT(names(), testing::Not(testing::Contains("-oProxyCommand=x")));
    write("config", "Include pipe\nInclude large\nInclude .\nHost good\n");
    ASSERT_EQ(::mkfifo((dir_.path() / "pipe").c_str(), 0600), 0);
    write("large", std::string(2 << 20, '#') + "\nHost hidden\n");
    EXPECT_THAT(names(), ElementsAre("good"));
}

TEST_F(SshConfigTest, StopsAtAThousandNames) {
    std::string text;
    for (int i = 0; i < 5000; ++i) {
        text += "Host node" + std::to_string(i) + "\n";
    }
    write("config", text);
    EXPECT_EQ(names().size(), 1000U);
}

}  // namespace
}  // namespace agent::hosts
