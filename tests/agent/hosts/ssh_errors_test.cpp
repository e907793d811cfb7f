// What OpenSSH 9.2 wrote when it failed, and what becomes of it.
#include "agent/hosts/ssh_errors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace agent::hosts {
namespace {

using engine::ErrorCode;

const Host kHost{.name = "node1", .ssh = {.host = "node1.lan", .user = "ann"}};

struct Sample {
    const char* name;
    std::string errors;
    ErrorCode code;
    std::string sentence;
};

class SshErrors : public ::testing::TestWithParam<Sample> {};

TEST_P(SshErrors, BecomeOneSentence) {
    const engine::Error error = sshError(kHost, GetParam().errors);
    EXPECT_EQ(error.code(), GetParam().code);
    EXPECT_EQ(error.what(), "node1 (ann@node1.lan): expected " + GetParam().sentence);
}

const Sample kSamples[] = {
    {"UnknownHost", "ssh: Could not resolve hostname node1.lan: Name or service not known\r\n", ErrorCode::kUnavailable,
     "a name that is known here, no computer goes by it (ssh: Could not resolve hostname node1.lan: Name or service not known)"},
    {"NoRoute", "ssh: connect to host node1.lan port 22: No route to host\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, no route leads to the host (ssh: connect to host node1.lan port 22: No route to host)"},
    {"NetworkUnreachable", "ssh: connect to host node1.lan port 22: Network is unreachable\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, no route leads to its network (ssh: connect to host node1.lan port 22: Network is unreachable)"},
    {"Refused", "ssh: connect to host node1.lan port 22: Connection refused\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, the connection was refused (ssh: connect to host node1.lan port 22: Connection refused)"},
    {"TimedOut", "ssh: connect to host node1.lan port 22: Connection timed out\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, it did not answer in time (ssh: connect to host node1.lan port 22: Connection timed out)"},
    {"SilentBanner", "Connection timed out during banner exchange\r\nConnection to 10.0.0.9 port 22 timed out\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, it did not answer in time (Connection timed out during banner exchange)"},
    {"WentSilent", "Timeout, server node1.lan not responding.\r\n", ErrorCode::kUnavailable,
     "an ssh server that answers, it does not answer any more (Timeout, server node1.lan not responding.)"},
    {"KeyChanged",
     "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\r\n"
     "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\n"
     "@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@@\r\n"
     "IT IS POSSIBLE THAT SOMEONE IS DOING SOMETHING NASTY!\r\n"
     "Someone could be eavesdropping on you right now (man-in-the-middle attack)!\r\n"
     "It is also possible that a host key has just been changed.\r\n"
     "The fingerprint for the ED25519 key sent by the remote host is\nSHA256:abc.\r\n"
     "Please contact your system administrator.\r\n"
     "Add correct host key in /home/ann/.ssh/known_hosts to get rid of this message.\r\n"
     "Offending ED25519 key in /home/ann/.ssh/known_hosts:7\r\n"
     "Host key for node1.lan has changed and you have requested strict checking.\r\n"
     "Host key verification failed.\r\n",
     ErrorCode::kPermissionDenied,
     "the host key that known_hosts has, the host key has changed: ask whoever looks after the host whether it should have; ssh-keygen -R "
     "forgets the former key (Offending ED25519 key in /home/ann/.ssh/known_hosts:7)"},
    {"KeyUnknown",
     "No ED25519 host key is known for node1.lan and you have requested strict checking.\r\nHost key verification failed.\r\n",
     ErrorCode::kPermissionDenied,
     "a host key that is known here, known_hosts has none of it: connect once with ssh by hand and confirm its key (No ED25519 host key is "
     "known for node1.lan and you have requested strict checking.)"},
    {"KeyUnknownInBatch", "Host key verification failed.\r\n", ErrorCode::kPermissionDenied,
     "a host key that is known here, known_hosts has none of it: connect once with ssh by hand and confirm its key (Host key verification "
     "failed.)"},
    {"NotLetIn", "ann@node1.lan: Permission denied (publickey,password).\r\n", ErrorCode::kPermissionDenied,
     "to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password (ann@node1.lan: Permission "
     "denied (publickey,password).)"},
    {"NotLetInAfterAFormerConnection",
     "Control socket connect(/home/ann/.ssh/node1): Connection refused\r\nann@node1.lan: Permission denied (publickey).\r\n",
     ErrorCode::kPermissionDenied,
     "to be let in, permission was denied: use a key of ssh-agent, or a terminal or SSH_ASKPASS for a password (ann@node1.lan: Permission "
     "denied (publickey).)"},
    {"Closed", "kex_exchange_identification: Connection closed by remote host\r\nConnection closed by 10.0.0.9 port 22\r\n",
     ErrorCode::kUnavailable,
     "an ssh server that answers, the connection was closed (kex_exchange_identification: Connection closed by remote host)"},
    {"JumpHostFirst",
     "ssh: Could not resolve hostname jump: Name or service not known\r\nkex_exchange_identification: Connection closed by remote host\r\n"
     "Connection closed by UNKNOWN port 65535\r\n",
     ErrorCode::kUnavailable,
     "a name that is known here, no computer goes by it (ssh: Could not resolve hostname jump: Name or service not known)"},
    {"BadConfiguration",
     "/home/ann/.ssh/config: line 3: Bad configuration option: foo\r\n/home/ann/.ssh/config: terminating, 1 bad configuration options\r\n",
     ErrorCode::kFailedPrecondition,
     "a configuration that ssh can read, it can't (/home/ann/.ssh/config: line 3: Bad configuration option: foo)"},
    {"ForwardsNoSockets", "channel 1: open failed: connect failed: open failed\r\n", ErrorCode::kPermissionDenied,
     "an ssh server that forwards the agent's socket, it did not: AllowStreamLocalForwarding in its sshd_config lets it; where it does so, "
     "the agent there has just ended: try again (channel 1: open failed: connect failed: open failed)"},
    {"SomethingElse", "banner\r\nssh: something new\x1b[31m\r\n", ErrorCode::kUnavailable,
     "ssh to connect, it failed (ssh: something new[31m)"},
    {"Nothing", "", ErrorCode::kUnavailable, "ssh to connect, it failed (without a word)"},
};
INSTANTIATE_TEST_SUITE_P(OfOpenSsh, SshErrors, ::testing::ValuesIn(kSamples), [](const auto& row) { return row.param.name; });

TEST(NameOf, SaysTheAddressWhereItIsAnother) {
    EXPECT_EQ(nameOf({.name = "node1", .ssh = {.host = "node1"}}), "node1");
    EXPECT_EQ(nameOf({.name = "node1", .ssh = {.host = "10.0.0.9", .user = "ann", .port = 2222}}), "node1 (ann@10.0.0.9:2222)");
}

}  // namespace
}  // namespace agent::hosts
