#include "engine/spec/cluster/mpi_task.h"

#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

std::string refusal(const auto& asked) {
    try {
        asked();
        return "no refusal";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(MpiTask, ARankIsWhatItsLauncherSays) {
    EXPECT_EQ(mpiRank({"A=b", "OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_RANK=2", "PMIX_NAMESPACE=12.1@a/b"}),
              (MpiRank{.rank = 2, .size = 4, .job = "12-1-a-b"}));
    EXPECT_EQ(mpiRank({"OMPI_COMM_WORLD_SIZE=4", "OMPI_COMM_WORLD_RANK=0", "OMPI_MCA_ess_base_jobid=77"}),
              (MpiRank{.rank = 0, .size = 4, .job = "77"}));
    EXPECT_EQ(mpiRank({"PMI_RANK=1", "PMI_SIZE=2"}), (MpiRank{.rank = 1, .size = 2, .job = ""}));
    EXPECT_EQ(mpiRank({"PMIX_RANK=1", "PMIX_NAMESPACE=slurm.pmix.12.0", "SLURM_STEP_NUM_TASKS=3", "SLURM_NTASKS=8"}),
              (MpiRank{.rank = 1, .size = 3, .job = "slurm-pmix-12-0"}));
    EXPECT_EQ(mpiRank({"PMIX_RANK=0", "PMIX_NAMESPACE=slurm.pmix.12.0", "SLURM_STEP_NUM_TASKS=3", "SLURM_RESTART_COUNT=2"}).job,
              "slurm-pmix-12-0-2");
}

TEST(MpiTask, OfAProcessThatNoMpirunStartedIsNone) {
    EXPECT_EQ(refusal([] { mpiRank({"A=b"}); }),
              "OMPI_COMM_WORLD_RANK, PMI_RANK, PMIX_RANK: expected one of them, as mpirun and srun --mpi=pmix set it for their processes, "
              "got none; start the tasks with one of the two");
    EXPECT_EQ(refusal([] { mpiRank({"PMIX_RANK=0"}); }), "SLURM_STEP_NUM_TASKS: expected the number of ranks, from 1 to 4096, got none");
    EXPECT_EQ(refusal([] { mpiRank({"PMI_RANK=0"}); }), "PMI_SIZE: expected the number of ranks, from 1 to 4096, got none");
    EXPECT_EQ(refusal([] {
                  mpiRank({"PMI_RANK=0", "PMI_SIZE=9999"});
              }),
              "PMI_SIZE: expected the number of ranks, from 1 to 4096, got 9999");
    EXPECT_EQ(refusal([] { mpiRank({"PMI_RANK=2", "PMI_SIZE=2"}); }), "PMI_RANK: expected a rank below the number of ranks (2), got 2");
    EXPECT_EQ(refusal([] { mpiRank({"PMI_RANK=-1", "PMI_SIZE=2"}); }), "PMI_RANK: expected a rank below the number of ranks (2), got -1");
}

TEST(MpiTask, PortsCountUpOnEachHostInWhateverOrderTheRanksLie) {
    EXPECT_EQ(mpiTask({"a", "b", "a", "b"}, 3, 20000).addresses, (std::vector<std::string>{"a:20000", "b:20000", "a:20001", "b:20001"}));
    EXPECT_EQ(tfConfigOf(mpiTask({"a", "a"}, 1, 0), {}),
              R"({"cluster": {"worker": ["localhost:8888", "localhost:8889"]}, "task": {"type": "worker", "index": 1}})");
    EXPECT_EQ(refusal([] {
                  mpiTask({"a", "b", "b"}, 0, 65535);
              }),
              "--first-port: expected ports up to 65535 for the 2 ranks on b, got 65535");
}

}  // namespace
}  // namespace engine::spec
