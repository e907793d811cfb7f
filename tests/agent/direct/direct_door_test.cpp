// Both sides of the direct way, through the loopback: the door of an agent, whose own socket is one that gives back what it gets.
#include "agent/direct/direct_door.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <fstream>
#include <mutex>
#include <thread>

#include "agent/direct/direct_forward.h"
#include "agent/local/socket_address.h"
#include "engine/spec/error.h"
#include "tests/support/eventually.h"
#include "tests/support/listening_port.h"
#include "tests/support/reserved_port.h"
#include "tests/support/temp_dir.h"

namespace agent::direct {
namespace {

using namespace std::chrono_literals;
using convert::FileDescriptor;
using engine::Error;
using engine::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::support::eventually;
using tests::support::ReservedPort;

sockaddr_un unixAddress(const std::filesystem::path& path) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

// What an agent's own socket is here: it sends back what comes.
class Echo {
public:
    explicit Echo(const std::filesystem::path& path) : listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const sockaddr_un address = unixAddress(path);
        EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(listener_.get(), 8), 0);
        thread_ = std::jthread([this] {
            while (const FileDescriptor one{::accept(listener_.get(), nullptr, nullptr)}) {
                char bytes[4096];
                for (ssize_t got = 0; (got = ::recv(one.get(), bytes, sizeof bytes, 0)) > 0;) {
                    ::send(one.get(), bytes, static_cast<std::size_t>(got), MSG_NOSIGNAL);
                }
            }
        });
    }
    ~Echo() { ::shutdown(listener_.get(), SHUT_RDWR); }

private:
    const FileDescriptor listener_;
    std::jthread thread_;
};

class DirectDoorTest : public ::testing::Test {
protected:
    std::unique_ptr<DirectDoor> makeDoor() {
        DirectDoorOptions options{.listen = address(), .identity = far_, .peers = peers_};
        options.agent = {{"unix:" + socket().string(), "the token", 1, "0.1.0", "node2"}, "x86_64"};
        options.log = [this](const std::string& line) {
            const std::lock_guard lock(mutex_);
            log_.push_back(line);
        };
        options.obstacle = [this](const std::string& why) {
            const std::lock_guard lock(mutex_);
            obstacles_.push_back(why);
        };
        options.most_unproven = 4;
        options.unproven_for = unproven_for_;
        options.most_of_peer = most_of_peer_;
        return std::make_unique<DirectDoor>(options);
    }
    std::filesystem::path socket() const { return dir_.path() / "agent.sock"; }
    std::string address() const { return "127.0.0.1:" + std::to_string(port_.port()); }
    CallOptions call(const std::string& print) const {
        return {.name = "node2", .peer = {address(), print}, .version = "0.1.0", .until = std::chrono::steady_clock::now() + 10min};
    }
    PairingLine invited() {
        const auto line = pairingLineIn(inviteDirectly(call(far_.fingerprint), far_));
        EXPECT_TRUE(line);
        return line.value_or(PairingLine{});
    }
    void join(const PairingLine& line, const trust::Identity& as) const {
        CallOptions options = call(line.peer.fingerprint);
        joinDirectly(options, as, line.secret);
    }
    std::string refusalOf(const std::function<void()>& body) const {
        try {
            body();
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing was refused";
    }
    std::string log() const {
        const std::lock_guard lock(mutex_);
        std::string all;
        for (const std::string& line : log_) {
            all += line + "\n";
        }
        return all;
    }
    void awaitLog(const std::string& part) const {
        eventually([&] { return log().find(part) != std::string::npos; });
        EXPECT_THAT(log(), HasSubstr(part));
    }

    const tests::support::TempDir dir_;
    const ReservedPort port_;
    const PairedPeers peers_{dir_.path() / "paired"};
    const trust::Identity far_ = trust::makeIdentity(), home_ = trust::makeIdentity();
    std::chrono::milliseconds unproven_for_ = 10min;
    std::size_t most_of_peer_ = 64;
    mutable std::mutex mutex_;
    std::vector<std::string> log_, obstacles_;
};

// A computer that is paired stays out, and keeps what it has: the agent's user is told why, once.
TEST_F(DirectDoorTest, TellsItsUserThatTheListOfThePairedCantBeRead) {
    const auto door = makeDoor();
    join(invited(), home_);
    const LocatedPeer before = locateDirectly(call(far_.fingerprint), trust::TlsContext(home_));
    const std::filesystem::path folder = dir_.path() / "paired", aside = dir_.path() / "aside";
    std::filesystem::rename(folder, aside);
    std::ofstream(folder) << "no folder";
    const std::string why = folder.string() + ": expected a folder, got another kind of file";
    awaitLog("who is paired can't be read, no computer is let in until it can: " + why);
    EXPECT_THAT(refusalOf([&] { locateDirectly(call(far_.fingerprint), trust::TlsContext(home_)); }), HasSubstr("expected to be let in"));
    awaitLog("refused 127.0.0.1");
    std::filesystem::remove(folder);
    std::filesystem::rename(aside, folder);
    awaitLog("who is paired can be read again");
    EXPECT_THAT(log(), ::testing::Not(HasSubstr("not paired any more")));
    EXPECT_NO_THROW(locateDirectly(call(far_.fingerprint), trust::TlsContext(home_)));
    const std::lock_guard lock(mutex_);
    EXPECT_THAT(obstacles_, ElementsAre(why, ""));
}

TEST_F(DirectDoorTest, WhoIsPairedReachesTheAgentsOwnSocket) {
    const Echo echo(socket());
    const auto door = makeDoor();
    join(invited(), home_);
    EXPECT_THAT(peers_.list(), ElementsAre(PairedPeer{home_.fingerprint, peers_.list().front().name}));

    const std::filesystem::path here = dir_.path() / "here.sock";
    const DirectForward forward(here, call(far_.fingerprint), home_);
    EXPECT_EQ(forward.agent().address.token, "the token");
    EXPECT_EQ(forward.farAddress(), "127.0.0.1");
    EXPECT_EQ(forward.ownAddress(), "127.0.0.1");
    const FileDescriptor own(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = unixAddress(here);
    ASSERT_EQ(::connect(own.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string said = "what home says";
    ASSERT_EQ(::send(own.get(), said.data(), said.size(), MSG_NOSIGNAL), static_cast<ssize_t>(said.size()));
    std::string heard(said.size(), '\0');
    ASSERT_EQ(::recv(own.get(), heard.data(), heard.size(), MSG_WAITALL), static_cast<ssize_t>(heard.size()));
    EXPECT_EQ(heard, said);
    EXPECT_FALSE(forward.lost());
}

TEST_F(DirectDoorTest, TheEndOfTheAgentIsSeen) {
    auto door = makeDoor();
    join(invited(), home_);
    const DirectForward forward(dir_.path() / "here.sock", call(far_.fingerprint), home_);
    door.reset();
    ASSERT_TRUE(eventually([&] { return forward.lost().has_value(); }));
    EXPECT_EQ(forward.lost()->what(), "node2: expected an agent that listens at " + address() + ", the connection was cut");
    door = makeDoor();
    EXPECT_EQ(locateDirectly(call(far_.fingerprint), trust::TlsContext(home_)).agent.address.token, "the token")
        << "the pairing outlives the agent";
}

TEST_F(DirectDoorTest, ALineIsGoodOnceAndSaysSoToWhoHasIt) {
    const auto door = makeDoor();
    const PairingLine line = invited();
    join(line, home_);
    EXPECT_THAT(refusalOf([&] { join(line, trust::makeIdentity()); }), HasSubstr("got one that was used before"));
    EXPECT_EQ(peers_.list().size(), 1U);
    const PairingLine next = invited();
    for (int i = 0; i < 3; ++i) {
        PairingLine wrong = next;
        wrong.secret[0] ^= static_cast<unsigned char>(i + 1);
        EXPECT_THAT(refusalOf([&] { join(wrong, trust::makeIdentity()); }), HasSubstr("it knows none with this secret"));
    }
    EXPECT_THAT(refusalOf([&] { join(next, trust::makeIdentity()); }), HasSubstr("three wrong tries have ended"));
    EXPECT_EQ(peers_.list().size(), 1U);
    awaitLog("it has not proven the secret of an invitation");
}

TEST_F(DirectDoorTest, AnotherVersionKeepsTheLineGood) {
    const auto door = makeDoor();
    const PairingLine line = invited();
    CallOptions newer = call(far_.fingerprint);
    newer.version = "0.2.0";
    EXPECT_THAT(refusalOf([&] { joinDirectly(newer, home_, line.secret); }),
                HasSubstr("expected Tandem 0.2.0 as on this computer, got an agent of version 0.1.0"));
    EXPECT_TRUE(peers_.list().empty());
    join(line, home_);
    EXPECT_EQ(peers_.list().size(), 1U);
}

TEST_F(DirectDoorTest, StrangersGetNothing) {
    const auto door = makeDoor();
    const trust::TlsContext stranger(trust::makeIdentity());
    EXPECT_THAT(refusalOf([&] { locateDirectly(call(far_.fingerprint), stranger); }), HasSubstr("it does not know this computer"));
    EXPECT_THAT(refusalOf([&] { enterDirectly(call(far_.fingerprint), stranger); }), HasSubstr("it does not know this computer"));
    EXPECT_THAT(refusalOf([&] { inviteDirectly(call(far_.fingerprint), home_); }), HasSubstr("it does not know this computer"))
        << "nobody else may invite";
    awaitLog("is not paired");
    EXPECT_THAT(refusalOf([&] { locateDirectly(call(home_.fingerprint), stranger); }), HasSubstr("got one that begins with"))
        << "the caller looks at the certificate first";
}

TEST_F(DirectDoorTest, WhoIsUnpairedIsAStranger) {
    const auto door = makeDoor();
    join(invited(), home_);
    EXPECT_EQ(peers_.remove(home_.fingerprint), 1);
    EXPECT_THAT(refusalOf([&] { locateDirectly(call(far_.fingerprint), trust::TlsContext(home_)); }),
                HasSubstr("it does not know this computer"));
}

TEST_F(DirectDoorTest, WhatIsOpenEndsForWhoIsUnpaired) {
    const Echo echo(socket());
    const auto door = makeDoor();
    const trust::Identity other = trust::makeIdentity();
    join(invited(), home_);
    join(invited(), other);
    const DirectForward forward(dir_.path() / "here.sock", call(far_.fingerprint), home_);
    const DirectForward others(dir_.path() / "others.sock", call(far_.fingerprint), other);
    const FileDescriptor own(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = unixAddress(dir_.path() / "here.sock");
    ASSERT_EQ(::connect(own.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    char byte = 'a';
    ASSERT_EQ(::send(own.get(), &byte, 1, MSG_NOSIGNAL), 1);
    ASSERT_EQ(::recv(own.get(), &byte, 1, MSG_WAITALL), 1) << "it leads to the agent";

    EXPECT_EQ(peers_.remove(home_.fingerprint), 1);
    EXPECT_LE(::recv(own.get(), &byte, 1, MSG_WAITALL), 0) << "what was open has ended";
    EXPECT_TRUE(eventually([&] { return forward.lost().has_value(); }));
    awaitLog("ended the connections of certificate " + home_.fingerprint.substr(0, 16) + ", which is not paired any more");
    EXPECT_FALSE(others.lost()) << "another computer keeps its own";
}

TEST_F(DirectDoorTest, APairedComputerHasSoManyConnections) {
    const Echo echo(socket());
    most_of_peer_ = 3;
    const auto door = makeDoor();
    const trust::Identity other = trust::makeIdentity();
    join(invited(), home_);
    join(invited(), other);
    const trust::TlsContext context(home_);
    const LocatedPeer watching = locateDirectly(call(far_.fingerprint), context);
    std::vector<DirectConnection> open;
    open.push_back(enterDirectly(call(far_.fingerprint), context));
    open.push_back(enterDirectly(call(far_.fingerprint), context));
    const std::string refusal = "node2: expected at most 3 connections of this computer at once, the agent there takes no more";
    EXPECT_EQ(refusalOf([&] { enterDirectly(call(far_.fingerprint), context); }), refusal);
    EXPECT_EQ(refusalOf([&] { locateDirectly(call(far_.fingerprint), context); }), refusal);
    awaitLog("it has 3 connections already, as many as a paired computer may have");
    EXPECT_THAT(log(), HasSubstr("127.0.0.1:"));
    EXPECT_EQ(locateDirectly(call(far_.fingerprint), trust::TlsContext(other)).agent.address.token, "the token")
        << "another computer has its own number";

    open.pop_back();
    std::string answer;
    eventually([&] {
        answer = refusalOf([&] { open.push_back(enterDirectly(call(far_.fingerprint), context)); });
        return answer != refusal;
    });
    EXPECT_EQ(answer, "nothing was refused") << "one that ended makes room";
}

TEST_F(DirectDoorTest, AConnectionTooManyEndsAlone) {
    const Echo echo(socket());
    most_of_peer_ = 2;
    const auto door = makeDoor();
    join(invited(), home_);
    const DirectForward forward(dir_.path() / "here.sock", call(far_.fingerprint), home_);
    const FileDescriptor first(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)), second(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_un address = unixAddress(dir_.path() / "here.sock");
    const auto echoes = [](const FileDescriptor& one) {
        char byte = 'a';
        return ::send(one.get(), &byte, 1, MSG_NOSIGNAL) == 1 && ::recv(one.get(), &byte, 1, 0) == 1;
    };
    ASSERT_EQ(::connect(first.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    ASSERT_TRUE(echoes(first));
    ASSERT_EQ(::connect(second.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    char byte = 0;
    EXPECT_LE(::recv(second.get(), &byte, 1, 0), 0);
    EXPECT_FALSE(forward.lost());
    EXPECT_TRUE(echoes(first));
}

TEST_F(DirectDoorTest, WhoSaysNothingMakesRoomForOthers) {
    const auto door = makeDoor();
    std::vector<FileDescriptor> silent;
    for (int i = 0; i < 40; ++i) {
        silent.push_back(convert::connectTo("ipv4:" + address()));
    }
    join(invited(), home_);
    EXPECT_LE(door->unproven(), 4U);
    awaitLog("too many called at once");
}

TEST_F(DirectDoorTest, WhoSaysNothingIsSentAwayInTime) {
    unproven_for_ = 100ms;
    const auto door = makeDoor();
    const FileDescriptor silent = convert::connectTo("ipv4:" + address());
    awaitLog("it did not prove in time what it is");
    EXPECT_TRUE(eventually([&] { return door->unproven() == 0; }));
}

TEST_F(DirectDoorTest, PlainTextIsRefused) {
    const auto door = makeDoor();
    const FileDescriptor plain = convert::connectTo("ipv4:" + address());
    const std::string said = toBytes({.verb = Verb::kLocate});
    EXPECT_TRUE(eventually([&] { return ::send(plain.get(), said.data(), said.size(), MSG_NOSIGNAL) > 0; }));
    awaitLog("it does not speak TLS as Tandem does");
}

TEST_F(DirectDoorTest, SaysWhereItCantListen) {
    const auto refusal = [&](const std::string& listen) {
        return refusalOf(
            [&] { DirectDoor({.listen = listen, .identity = far_, .peers = peers_, .agent = {}, .log = [](const auto&) {}}); });
    };
    const tests::support::ListeningPort taken;
    EXPECT_EQ(refusal("127.0.0.1:" + std::to_string(taken.port())),
              "127.0.0.1:" + std::to_string(taken.port()) + ": expected a free port to listen at, it is in use by another program");
    EXPECT_EQ(refusal("192.0.2.1:7443"),
              "192.0.2.1:7443: expected an address of this computer to listen at, got 192.0.2.1, which is another's");
    EXPECT_EQ(refusal("localhost:7443"),
              "localhost:7443: expected an address to listen at that other computers reach, got a name that means 127.0.0.1 on this "
              "computer: write one of its addresses in the network, or 0.0.0.0:7443 for all of them");
    EXPECT_THAT(refusal("node2"), HasSubstr("expected HOST:PORT to listen at"));
    EXPECT_THAT(refusal("no-such-computer.invalid:7443"), HasSubstr("no computer goes by it"));
}

}  // namespace
}  // namespace agent::direct
