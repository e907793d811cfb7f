// Sums through a real Open MPI: mpirun starts the ranks, which are agent_worker_mpi_ranks.
#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "local_cluster.h"
#include "tests/support/temp_dir.h"

namespace {

using testing::AnyOf;
using testing::HasSubstr;
using tests::support::LocalCluster;

struct Ended {
    int status = -1;
    std::string output{};
};

Ended runRanks(int n, const std::string& what, const std::string& options = "") {
    const LocalCluster cluster(n);
    std::string ports;
    for (const tests::support::ReservedPort& port : cluster.ports) ports += (ports.empty() ? "" : ",") + std::to_string(port.port());
    // Many ranks may share a core, and the tests may run as root in a container. Open MPI leaves memory behind at its end, for which a
    // build with the address sanitizer would fail each rank. Each mpirun has a folder for its session of its own: where two share one, the
    // first to end removes it while the second begins, which then fails.
    const tests::support::TempDir session;
    const std::string command = "TMPDIR='" + session.path().string() +
                                "' ASAN_OPTIONS=detect_leaks=0 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun "
                                "--oversubscribe --bind-to none " +
                                options + " -np " + std::to_string(n) + " '" TANDEM_BIN "/agent_worker_mpi_ranks' " + ports + " " + what +
                                " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    Ended ended;
    std::array<char, 4096> part{};
    while (const std::size_t bytes = fread(part.data(), 1, part.size(), pipe)) ended.output.append(part.data(), bytes);
    const int status = pclose(pipe);
    ended.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return ended;
}

class Mpi : public testing::Test {
protected:
    void SetUp() override {
        if (std::system("mpirun --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "mpirun is not installed (package openmpi-bin)";
    }
};

TEST_F(Mpi, SumsAsTheRing) {
    for (const int n : {2, 3, 4}) {
        const Ended ended = runRanks(n, "sums");
        EXPECT_EQ(ended.status, 0) << n << " ranks\n" << ended.output;
        EXPECT_THAT(ended.output, HasSubstr("gradients: MPI, Open MPI v"));
        EXPECT_THAT(ended.output, HasSubstr("shared memory"));
    }
}

TEST_F(Mpi, SaysThatTcpCarriesTheSums) {
    const Ended ended = runRanks(2, "sums", "--mca btl self,tcp --mca btl_tcp_if_include lo");  // the one network that every machine has
    EXPECT_EQ(ended.status, 0) << ended.output;
    EXPECT_THAT(ended.output, HasSubstr(", TCP (btl tcp)\n"));
}

TEST_F(Mpi, AKilledRankEndsTheJobWithItsName) {
    const Ended ended = runRanks(3, "kill");
    EXPECT_NE(ended.status, 0);
    EXPECT_THAT(ended.output, AnyOf(HasSubstr("process rank 2 with PID "), HasSubstr("ends: worker 2 at localhost:"))) << ended.output;
}

TEST_F(Mpi, AStoppedRankIsNamed) {
    const Ended ended = runRanks(3, "stop");
    EXPECT_NE(ended.status, 0);
    EXPECT_THAT(ended.output, HasSubstr("ends: worker 2 at localhost:")) << ended.output;
}

}  // namespace
