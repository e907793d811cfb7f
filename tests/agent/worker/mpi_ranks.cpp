// agent_worker_mpi_ranks PORT,PORT,... sums|kill|stop: a rank of an mpirun with so many, which compares what it sums through MPI with the
// ring's, or whose last one is killed or stopped at a sum.
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/distribute/mpi/mpi_collective.h"
#include "engine/distribute/mpi/mpi_library.h"
#include "local_cluster.h"
#include "tests/support/collective_cases.h"

namespace {

using engine::distribute::Collective;
using namespace std::chrono_literals;

std::vector<std::string> ports;
std::string what;
int own_rank = 0;

// Ranks that all live may wait long for a busy machine's cores; one that is stopped is to be named soon, and the others are not to be named
// in its place.
std::chrono::milliseconds lostAfter() {
    return what == "stop" ? 4s : 180s;
}

std::unique_ptr<Collective> links() {
    engine::spec::TfConfig config;
    engine::spec::Job job{"worker", {}};
    for (std::size_t rank = 0; rank < ports.size(); ++rank) job.tasks[static_cast<int>(rank)] = "localhost:" + ports[rank];
    config.cluster.jobs = {job};
    config.task = engine::spec::TaskId{"worker", own_rank};
    engine::spec::TaskPlan plan;
    plan.task = *config.task;
    plan.is_chief = own_rank == 0;
    plan.rank = own_rank;
    plan.replicas = static_cast<int>(ports.size());
    return agent::worker::connectCollective(plan, config, engine::spec::TransportChoice::kGrpc, tests::support::testSecret(),
                                            {.start_timeout = 180s, .heartbeat = 100ms, .lost_after = lostAfter()});
}

void expectTheRingsSums(Collective& ring, Collective& mpi) {
    const int n = ring.size();
    for (const std::size_t count : {std::size_t{1}, std::size_t{37}, std::size_t{7919}, std::size_t{1} << 20}) {
        const std::vector<float> input = tests::support::randomInput(own_rank, count);
        std::vector<float> expected = input, got = input;
        ring.allReduceSum(expected);
        mpi.wait(mpi.startAllReduceSum(got));
        std::vector<double> sizes(count);
        for (int rank = 0; rank < n; ++rank) {
            const std::vector<float> part = tests::support::randomInput(rank, count);
            for (std::size_t i = 0; i < count; ++i) sizes[i] += std::abs(part[i]);
        }
        if (n == 2) {
            EXPECT_EQ(0, std::memcmp(expected.data(), got.data(), count * sizeof(float))) << count;
        }
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_LE(std::abs(double{expected[i]} - got[i]), 1e-6 * sizes[i]) << "element " << i << " of " << count;
        }
        std::vector<float> all(count * static_cast<std::size_t>(n));
        ring.allGather(std::as_bytes(std::span(got)), std::as_writable_bytes(std::span(all)));
        for (std::size_t i = 0; i < all.size(); ++i) ASSERT_EQ(all[i], got[i % count]) << "members hold other sums";
    }
}

TEST(Rank, Sums) {
    const std::unique_ptr<Collective> ring = links();
    const std::unique_ptr<Collective> mpi = engine::distribute::mpi::joinMembers(*ring, engine::distribute::mpi::openFunctions());
    if (own_rank == 0) std::printf("%s\n", mpi->describe().c_str());
    if (what == "sums") {
        tests::support::expectAllOperationsWork(*mpi, 7919);
        expectTheRingsSums(*ring, *mpi);
        mpi->barrier();
        return;
    }
    std::vector<float> data(1 << 16, 1.0f);
    mpi->allReduceSum(data);
    if (own_rank == mpi->size() - 1) raise(what == "kill" ? SIGKILL : SIGSTOP);
    try {
        while (true) mpi->allReduceSum(data);
    } catch (const std::exception& error) {
        ADD_FAILURE() << "rank " << own_rank << " ends: " << error.what();
    }
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    if (argc != 3 || rank == nullptr) return 2;
    std::istringstream list(argv[1]);
    for (std::string port; std::getline(list, port, ',');) ports.push_back(port);
    what = argv[2];
    own_rank = std::atoi(rank);
    return RUN_ALL_TESTS();
}
