#include "agent/transport/task_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <functional>

#include "agent/local/socket_address.h"
#include "engine/spec/error.h"
#include "tests/support/reserved_port.h"

namespace {

using namespace agent::worker;
using agent::convert::connectTo;
using agent::convert::isFromHere;
using agent::convert::otherEnd;
using engine::Error;
using engine::ErrorCode;
using engine::distribute::TaskName;
using testing::HasSubstr;

std::string errorOf(const std::function<void()>& act, ErrorCode expected) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), expected) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no error";
    return {};
}

TEST(TaskAddress, NumbersAndLocalhostOfBothKinds) {
    const std::vector<TaskName> tasks{
        {"worker 0", "localhost:2222"}, {"worker 1", "127.0.0.1:2223"}, {"worker 2", "[::1]:2224"}, {"worker 3", "127.0.0.9:2225"}};
    const std::vector<TaskPlace> places = resolveTasks(tasks, 0, Reach::kThisComputer);
    ASSERT_EQ(places.size(), 4U);
    EXPECT_EQ(places[0].target, "ipv4:127.0.0.1:2222") << "IPv4 where the name has both";
    EXPECT_EQ(places[1].target, "ipv4:127.0.0.1:2223");
    EXPECT_EQ(places[2].target, "ipv6:[::1]:2224");
    EXPECT_EQ(places[3].target, "ipv4:127.0.0.9:2225");
    for (const TaskPlace& place : places) EXPECT_TRUE(place.is_here);
}

// 192.0.2.0/24 is set aside for documents: no computer has it.
TEST(TaskAddress, OtherComputersNeedAKey) {
    const std::vector<TaskName> tasks{{"worker 0", "127.0.0.1:2222"}, {"worker 1", "192.0.2.1:2223"}};
    const std::string error = errorOf([&] { resolveTasks(tasks, 0, Reach::kThisComputer); }, ErrorCode::kFailedPrecondition);
    EXPECT_THAT(error, HasSubstr("worker 1 at 192.0.2.1:2223 is on another computer"));
    EXPECT_THAT(error, HasSubstr("tandem-cli cluster-key --out FILE"));
}

TEST(TaskAddress, LoopbackIsNoAddressForOtherComputers) {
    for (const char* own : {"127.0.0.1:2222", "localhost:2222", "[::1]:2222"}) {
        const std::vector<TaskName> tasks{{"worker 0", own}, {"worker 1", "192.0.2.1:2223"}};
        EXPECT_THAT(errorOf([&] { resolveTasks(tasks, 0, Reach::kNetwork); }, ErrorCode::kInvalidArgument),
                    HasSubstr("worker 0 at " + std::string(own) + ": expected a name or an address that other computers know"));
    }
}

TEST(TaskAddress, AnOwnAddressMustBeThisComputers) {
    const std::vector<TaskName> tasks{{"worker 0", "192.0.2.1:2222"}, {"worker 1", "192.0.2.2:2222"}};
    EXPECT_EQ(errorOf([&] { resolveTasks(tasks, 0, Reach::kNetwork); }, ErrorCode::kInvalidArgument),
              "worker 0 at 192.0.2.1:2222: expected an address of this computer, got 192.0.2.1:2222, which is another's");
}

TEST(TaskAddress, WhatIsNoAddressIsNamed) {
    for (const char* address : {"", "localhost", "localhost:", "localhost:0", "localhost:70000", "localhost:x"}) {
        const std::vector<TaskName> tasks{{"worker 0", "127.0.0.1:2222"}, {"worker 1", address}};
        EXPECT_THAT(errorOf([&] { resolveTasks(tasks, 0, Reach::kThisComputer); }, ErrorCode::kInvalidArgument), HasSubstr("worker 1"));
    }
    const std::vector<TaskName> tasks{{"worker 0", "127.0.0.1:2222"}, {"worker 1", "no-such-host.invalid:2223"}};
    EXPECT_THAT(errorOf([&] { resolveTasks(tasks, 0, Reach::kThisComputer); }, ErrorCode::kNotFound),
                HasSubstr("worker 1 at no-such-host.invalid:2223: the host does not resolve"));
}

TEST(TaskAddress, KnowsConnectionsWithinThisComputer) {
    const tests::support::ReservedPort port;
    ASSERT_EQ(::listen(port.socket(), 1), 0);
    const auto caller = connectTo("ipv4:127.0.0.1:" + std::to_string(port.port()));
    ASSERT_TRUE(caller);
    const agent::convert::FileDescriptor called(::accept(port.socket(), nullptr, nullptr));
    ASSERT_TRUE(called);
    EXPECT_TRUE(isFromHere(called.get()));
    EXPECT_EQ(otherEnd(caller.get()), "127.0.0.1:" + std::to_string(port.port()));
}

}  // namespace
