#include "agent/hosts/host_list.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "engine/files/regular_file.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::hosts {
namespace {

namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class HostListTest : public ::testing::Test {
protected:
    HostList list() const { return HostList(file()); }
    fs::path file() const { return dir_.path() / "config" / "tandem" / "hosts.json"; }
    void write(const std::string& text) const {
        fs::create_directories(file().parent_path());
        std::ofstream(file()) << text;
    }
    std::string refusal(const std::string& text) const {
        write(text);
        try {
            list().list();
        } catch (const Error& error) {
            EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
            EXPECT_THAT(error.what(), HasSubstr(file().string()));
            return std::string(error.what()).substr(file().string().size());
        }
        return "accepted";
    }
    tests::support::TempDir dir_;
};

const Host kNode1{.name = "node1", .ssh = {.host = "node1.lan", .user = "ann", .port = 2222}};
const Host kNode2{.name = "node2", .ssh = {.host = "node2"}, .folder = "/opt/tandem"};

TEST_F(HostListTest, KeepsHostsInTheOrderInWhichTheyCame) {
    EXPECT_TRUE(list().list().empty()) << "no file is an empty list";
    list().add(kNode2);
    list().add(kNode1);
    EXPECT_THAT(list().list(), ElementsAre(kNode2, kNode1));
    EXPECT_EQ(list().find("node1"), kNode1);
    EXPECT_EQ(list().find("node3"), std::nullopt);
    list().remove("node2");
    EXPECT_THAT(list().list(), ElementsAre(kNode1));
}

TEST_F(HostListTest, KeepsAHostThatIsReachedDirectly) {
    const std::string print(64, 'a');
    const Host direct{.name = "node3", .folder = "", .direct = direct::DirectPeer{"node3.lan:7443", print}};
    list().add(kNode1);
    list().add(direct);
    EXPECT_THAT(list().list(), ElementsAre(kNode1, direct));
    EXPECT_EQ(destinationOf(direct), "node3.lan:7443");
    EXPECT_EQ(hostNamed({kNode1, direct}, "node3.lan")->name, "node3");
    EXPECT_EQ(refusal(R"({"version": 1, "hosts": [{"name": "a", "direct": {"address": "a", "fingerprint": ")" + print + R"("}}]})"),
              ": hosts[0].direct.address: expected HOST:PORT with a port from 1 to 65535, got \"a\"");
    EXPECT_EQ(refusal(R"({"version": 1, "hosts": [{"name": "a", "direct": {"address": "a:1", "fingerprint": "ab"}}]})"),
              ": hosts[0].direct.fingerprint: expected 64 hexadecimal digits, got \"ab\"");
}

TEST_F(HostListTest, IsForItsUserAlone) {
    ::umask(0);
    list().add(kNode1);
    ::umask(022);
    struct stat status {};
    ASSERT_EQ(::stat(file().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600U);
    ASSERT_EQ(::stat(file().parent_path().c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700U);
}

TEST_F(HostListTest, RefusesAListThatOthersMayWrite) {
    list().add(kNode1);
    fs::permissions(file(), fs::perms::others_write, fs::perm_options::add);
    try {
        list().list();
        ADD_FAILURE() << "read it";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kPermissionDenied);
    }
}

TEST_F(HostListTest, RefusesAnAddedNameASecondTimeAndAnUnknownOneToRemove) {
    list().add(kNode1);
    try {
        list().add(kNode1);
        ADD_FAILURE() << "added twice";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
    }
    try {
        list().remove("node9");
        ADD_FAILURE() << "removed nothing";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kNotFound);
        EXPECT_STREQ(error.what(), "node9: expected one of the list of hosts (node1); tandem-cli host add node9 adds it");
    }
    EXPECT_THAT(list().list(), ElementsAre(kNode1));
}

TEST_F(HostListTest, LosesNothingWhenSeveralAddAtOnce) {
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&, i] { list().add({.name = "node" + std::to_string(i), .ssh = {.host = "h"}}); });
        }
    }
    EXPECT_EQ(list().list().size(), 8U);
}

TEST_F(HostListTest, LeavesALinkOfTheUsersInItsPlace) {
    const fs::path real = dir_.path() / "dotfiles.json";
    list().add(kNode1);
    fs::rename(file(), real);
    fs::create_symlink(real, file());
    list().add(kNode2);
    EXPECT_TRUE(fs::is_symlink(file()));
    EXPECT_EQ(HostList(real).list().size(), 2U);
}

TEST_F(HostListTest, NamesLineOrFieldOfWhatIsWrong) {
    const std::string begin = R"({"version": 1, "hosts": [)", ssh = R"("ssh": {"host": "a"}})";
    EXPECT_EQ(refusal("{\n\"version\": 1,\n\"hosts\": [}"), ": line 3: expected JSON, got text that is none");
    EXPECT_EQ(refusal("[]"), ": the list: expected an object, got array");
    EXPECT_EQ(refusal(R"({"hosts": []})"), ": version: expected a value, got none");
    EXPECT_EQ(refusal(R"({"version": 2, "hosts": []})"), ": version: expected 1, got 2: a newer Tandem wrote it");
    EXPECT_EQ(refusal(R"({"version": 1, "hosts": {}})"), ": hosts: expected a list, got object");
    EXPECT_EQ(refusal(begin + R"({"name": "a", "colour": 1, )" + ssh + "]}"),
              ": hosts[0].colour: expected one of name, ssh, folder, direct, got another field");
    EXPECT_EQ(refusal(begin + R"({"name": 3, )" + ssh + "]}"), ": hosts[0].name: expected a text, got number");
    EXPECT_EQ(refusal(begin + R"({"name": "-oProxyCommand=x", )" + ssh + "]}"),
              ": hosts[0].name: expected the name of a computer, got \"-oProxyCommand=x\"");
    EXPECT_EQ(refusal(begin + R"({"name": "a", "ssh": {"host": "-oProxyCommand=x"}}]})"),
              ": hosts[0].ssh.host: expected the name of a computer, got \"-oProxyCommand=x\"");
    EXPECT_EQ(refusal(begin + R"({"name": "a", "ssh": {"host": "b", "port": 70000}}]})"),
              ": hosts[0].ssh.port: expected 1 to 65535, got 70000");
    EXPECT_EQ(refusal(begin + R"({"name": "a", )" + ssh + R"(, {"name": "a", )" + ssh + "]}"),
              ": hosts[1].name: expected each name once, got a a second time");
}

TEST(Findings, RefuseWhatIsNoHost) {
    EXPECT_TRUE(findings(kNode1, "host").empty());
    const auto pathOf = [](const Host& host) {
        const auto found = findings(host, "host");
        return found.empty() ? "" : found.front().path;
    };
    EXPECT_EQ(pathOf({.name = "localhost", .ssh = {.host = "a"}}), "host.name");
    EXPECT_EQ(pathOf({.name = "a b", .ssh = {.host = "a"}}), "host.name");
    EXPECT_EQ(pathOf({.name = "a", .ssh = {.host = ""}}), "host.ssh.host");
    EXPECT_EQ(pathOf({.name = "a", .ssh = {.host = "a", .user = "-l"}}), "host.ssh.user");
    EXPECT_EQ(pathOf({.name = "a", .ssh = {.host = "a", .user = "x;y"}}), "host.ssh.user");
    EXPECT_EQ(pathOf({.name = "a", .ssh = {.host = "a"}, .folder = ""}), "host.folder");
    EXPECT_EQ(pathOf({.name = "a", .ssh = {.host = "a"}, .folder = "x\ny"}), "host.folder");
}

TEST(SshDestination, IsReadAndWritten) {
    const std::vector<std::pair<std::string, SshDestination>> rows{{"node1", {.host = "node1"}},
                                                                   {"ann@node1", {.host = "node1", .user = "ann"}},
                                                                   {"node1:2222", {.host = "node1", .port = 2222}},
                                                                   {"ann@node1:22", {.host = "node1", .user = "ann", .port = 22}},
                                                                   {"ann@ad.lan@node1", {.host = "node1", .user = "ann@ad.lan"}},
                                                                   {"fe80::1%eth0", {.host = "fe80::1%eth0"}},
                                                                   {"[::2]:22", {.host = "::2", .port = 22}}};
    for (const auto& [text, destination] : rows) {
        EXPECT_EQ(parseSshDestination(text), destination) << text;
        EXPECT_EQ(toString(destination), text);
    }
    for (const char* text : {"node1:", "node1:0", "node1:65536", "node1:http", "@node1", "[::2", "[::2]22", "node1:22x"}) {
        EXPECT_EQ(parseSshDestination(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace agent::hosts
