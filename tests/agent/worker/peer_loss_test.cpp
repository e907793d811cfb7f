// What the survivors see when a task's process dies or stops. The tasks are processes of their own: this program again.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>

#include "engine/spec/error.h"
#include "local_cluster.h"

namespace {

using namespace std::chrono_literals;
using agent::worker::ConnectOptions;
using engine::Error;
using engine::ErrorCode;
using engine::spec::TransportChoice;
using testing::HasSubstr;
using tests::support::LocalCluster;

// Runs worker 1 of the cluster in a process of its own, which reduces for ever. It execs, because gRPC does not survive a fork.
class PeerProcess {
public:
    PeerProcess(const LocalCluster& cluster, TransportChoice transport, bool in_region) {
        const std::string ports = std::to_string(cluster.ports[0].port()) + "," + std::to_string(cluster.ports[1].port());
        const std::string program = std::string(TANDEM_BIN) + "/agent_worker_test_peer";
        const char* const choice = transport == TransportChoice::kShm ? "shm" : "grpc";
        pid_ = fork();
        if (pid_ == 0) {
            execl(program.c_str(), program.c_str(), ports.c_str(), choice, in_region ? "region" : "outside", static_cast<char*>(nullptr));
            _exit(127);
        }
    }
    ~PeerProcess() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
    }
    void signal(int number) const { kill(pid_, number); }

private:
    pid_t pid_ = -1;
};

// How worker 0 names the loss of a peer that gets the signal.
std::string lossAfter(int signal, TransportChoice transport, bool in_region, std::chrono::milliseconds lost_after) {
    const LocalCluster cluster(2);
    const PeerProcess peer(cluster, transport, in_region);
    const auto collective = cluster.connect(
        0, transport, ConnectOptions{.start_timeout = 180s, .operation_deadline = 180s, .heartbeat = 100ms, .lost_after = lost_after});
    const auto region = collective->allocateRegion(1 << 20);
    std::vector<float> outside(1 << 18, 1.0f);
    const std::span<float> data =
        in_region ? std::span<float>{reinterpret_cast<float*>(region.data()), 1 << 18} : std::span<float>(outside);
    try {
        for (int k = 0; k < 5; ++k) collective->allReduceSum(data);
        peer.signal(signal);
        while (true) {
            collective->allReduceSum(data);
            std::fill(data.begin(), data.end(), 1.0f);
        }
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        return error.what();
    }
}

TEST(PeerLoss, KilledTaskIsNoticedAtOnceAndNamed) {
    for (const bool in_region : {true, false}) {
        const std::string shm = lossAfter(SIGKILL, TransportChoice::kShm, in_region, 170s);
        EXPECT_THAT(shm, HasSubstr("worker 1 at localhost:"));
        EXPECT_THAT(shm, HasSubstr("closed its connection"));
    }
    const std::string grpc = lossAfter(SIGKILL, TransportChoice::kGrpc, false, 170s);
    EXPECT_THAT(grpc, HasSubstr("worker 1 at localhost:"));
    EXPECT_THAT(grpc, testing::Not(HasSubstr("sent no heartbeat"))) << "it is told before a missing heartbeat could tell";
}

TEST(PeerLoss, StoppedTaskIsLostWhenItsHeartbeatsEnd) {
    for (const TransportChoice transport : {TransportChoice::kShm, TransportChoice::kGrpc}) {
        const std::string loss = lossAfter(SIGSTOP, transport, transport == TransportChoice::kShm, 1s);
        EXPECT_THAT(loss, HasSubstr("worker 1 at localhost:"));
        EXPECT_THAT(loss, HasSubstr("sent no heartbeat for 1 s"));
    }
}

}  // namespace
