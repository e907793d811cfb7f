#include "agent/server/process/port_reservation.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/server_builder.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "agent/proto/agent.grpc.pb.h"
#include "engine/spec/error.h"

namespace {

using agent::server::PortReservation;

// A worker's server as DESIGN asks for it; null when the port can't be listened on.
std::unique_ptr<grpc::Server> serve(agent::proto::Agent::Service& service, const std::string& address) {
    grpc::ServerBuilder builder;
    int port = 0;
    builder.AddListeningPort(address, grpc::InsecureServerCredentials(), &port);
    builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
    builder.RegisterService(&service);
    return builder.BuildAndStart();
}

TEST(PortReservation, IsHeldUntilItsTaskListens) {
    PortReservation reservation = PortReservation::anyPort();
    ASSERT_GT(reservation.port(), 0);
    agent::proto::Agent::Service service;
    const auto worker = serve(service, "0.0.0.0:" + std::to_string(reservation.port()));
    ASSERT_NE(worker, nullptr) << "the task may listen while the agent still holds its port";
    reservation.release();
    worker->Shutdown();
}

TEST(PortReservation, LetsAWorkerListenOnEveryFormOfAnAddress) {
    for (const char* host : {"127.0.0.1", "0.0.0.0", "[::]", "localhost"}) {
        const PortReservation reservation = PortReservation::anyPort();
        agent::proto::Agent::Service service;
        const auto worker = serve(service, host + (":" + std::to_string(reservation.port())));
        EXPECT_NE(worker, nullptr) << host;
        if (worker != nullptr) {
            worker->Shutdown();
        }
    }
}

TEST(PortReservation, GivesNoPortTwice) {
    std::vector<PortReservation> held;
    std::set<int> ports;
    for (int i = 0; i < 200; ++i) {
        held.push_back(PortReservation::anyPort());
        ports.insert(held.back().port());
    }
    EXPECT_EQ(ports.size(), held.size());
}

TEST(PortReservation, NamesWhoHoldsAPortThatIsTaken) {
    int port = 0;
    grpc::ServerBuilder builder;
    agent::proto::Agent::Service service;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
    builder.RegisterService(&service);
    const auto holder = builder.BuildAndStart();
    try {
        PortReservation::thisPort(port);
        ADD_FAILURE() << "taken twice";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kAlreadyExists);
        EXPECT_THAT(error.what(), ::testing::HasSubstr("port " + std::to_string(port)));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("(pid " + std::to_string(::getpid()) + ")"));
    }
    holder->Shutdown();
}

TEST(PortReservation, TakesAPortByNumberOnceItIsFree) {
    const int port = PortReservation::anyPort().port();
    EXPECT_EQ(PortReservation::thisPort(port).port(), port);
}

}  // namespace
