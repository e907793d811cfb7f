#include "agent/server/runs/held_parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "engine/spec/error.h"
#include "tests/support/eventually.h"

namespace agent::server {
namespace {

using namespace std::chrono_literals;

std::vector<PortReservation> onePort() {
    std::vector<PortReservation> ports;
    ports.push_back(PortReservation::anyPort());
    return ports;
}

// Whether somebody could have the port for himself.
bool isFree(int port) {
    const convert::FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

TEST(HeldPartsTest, HoldPortsUntilTheyAreTaken) {
    HeldParts parts;
    std::vector<PortReservation> ports = onePort();
    const int port = ports[0].port();
    const std::string id = parts.hold(std::move(ports));
    EXPECT_FALSE(isFree(port));
    {
        const std::vector<PortReservation> taken = parts.take(id, {port});
        ASSERT_EQ(taken.size(), 1U);
        EXPECT_EQ(taken[0].port(), port);
        EXPECT_FALSE(isFree(port));
    }
    EXPECT_TRUE(isFree(port));
    EXPECT_THROW(parts.take(id, {port}), engine::Error) << "once";
}

TEST(HeldPartsTest, GiveThePortsOneByOne) {
    HeldParts parts;
    std::vector<PortReservation> ports = onePort();
    ports.push_back(PortReservation::anyPort());
    const int first = ports[0].port(), second = ports[1].port();
    const std::string id = parts.hold(std::move(ports));
    EXPECT_THROW(parts.take(id, {second, 1}), engine::Error);
    EXPECT_EQ(parts.take(id, {second}).at(0).port(), second);
    EXPECT_FALSE(isFree(first));
    EXPECT_EQ(parts.take(id, {first}).at(0).port(), first);
    EXPECT_THROW(parts.take(id, {}), engine::Error);
}

TEST(HeldPartsTest, LetGoWhatIsDropped) {
    HeldParts parts;
    std::vector<PortReservation> ports = onePort();
    const int port = ports[0].port();
    const std::string id = parts.hold(std::move(ports));
    parts.drop(id);
    parts.drop(id);
    EXPECT_TRUE(isFree(port));
}

TEST(HeldPartsTest, LetGoByThemselvesWhatNobodyStarts) {
    HeldParts parts(50ms);
    std::vector<PortReservation> ports = onePort();
    const int port = ports[0].port();
    const std::string id = parts.hold(std::move(ports));
    EXPECT_TRUE(tests::support::eventually([&] { return isFree(port); }));
    EXPECT_THROW(parts.take(id, {port}), engine::Error);
}

// A lost answer is asked for again.
TEST(HeldPartsTest, KnowWhatTheyWereStartedAs) {
    HeldParts parts;
    {
        HeldParts::Start start(parts, "a", {40001});
        EXPECT_EQ(start.run(), "");
        EXPECT_THROW(HeldParts::Start(parts, "a", {40001}), engine::Error) << "it is being started";
        EXPECT_EQ(HeldParts::Start(parts, "a", {40002}).run(), "") << "other tasks of the same part";
        start.become("the run");
    }
    EXPECT_EQ(HeldParts::Start(parts, "a", {40001}).run(), "the run");
    EXPECT_EQ(HeldParts::Start(parts, "a", {40001}).run(), "the run");
    EXPECT_EQ(HeldParts::Start(parts, "a", {40002}).run(), "") << "a start that failed is none";
}

TEST(HeldPartsTest, EndWithWhatTheyHold) {
    int port = 0;
    {
        HeldParts parts;
        std::vector<PortReservation> ports = onePort();
        port = ports[0].port();
        parts.hold(std::move(ports));
    }
    EXPECT_TRUE(isFree(port));
}

}  // namespace
}  // namespace agent::server
