// Scripts for bash, as text; tests/hosts/ssh_script_test.py and mpi_test.py run them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/launch/mpirun_script.h"
#include "engine/launch/ssh_script.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const LaunchJob kJob{.project = "/home/ann/it's/mnist.tandem", .name = "my mnist"};

spec::RunSpec projectWithBackup() {
    spec::RunSpec run;
    run.callbacks = {{"BackupAndRestore", {}}};
    return run;
}

LaunchJob on(const std::string& hosts) {
    LaunchJob job = kJob;
    job.hosts = spec::parseHostShares(hosts);
    return job;
}

std::string refusal(auto write, const LaunchJob& job, const spec::RunSpec& run = projectWithBackup()) {
    try {
        return "no refusal but " + write(job, run);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(SshScript, StartsTheTasksOfTheHosts) {
    LaunchJob job = on("ann@node1:2,node2");
    job.settings = {R"(name="it's")"};
    job.cpus_per_task = 4;
    const std::string text = sshScript(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("tasks=(worker-0 worker-1 worker-2)\nhosts=('ann@node1' 'ann@node1' 'node2')\n"));
    EXPECT_THAT(
        text,
        HasSubstr(R"(    '{"cluster": {"worker": ["node1:2222", "node1:2223", "node2:2222"]}, "task": {"type": "worker", "index": 2}}')"
                  "\n)\n"));
    EXPECT_THAT(text, HasSubstr("project='/home/ann/it'\\''s/mnist.tandem'\n"));
    EXPECT_THAT(text, HasSubstr("options+=(--threads 4)\noptions+=(--set 'name=\"it'\\''s\"')\n"));
    EXPECT_THAT(text, HasSubstr("folder=tandem-runs/my_mnist  # there, in your home; the run is in that of ann@node1\n"));
    EXPECT_THAT(sshScript(job, {}), HasSubstr("has no callback BackupAndRestore"));
}

TEST(SshScript, TakesTheProjectsOwnAddresses) {
    spec::RunSpec run = projectWithBackup();
    run.cluster.spec.jobs = {{"ps", {{0, "node1:5000"}}}, {"worker", {{0, "[fd77::2]:6000"}}}};
    const std::string text = sshScript(kJob, run);
    EXPECT_THAT(text, HasSubstr("tasks=(ps-0 worker-0)\nhosts=('node1' 'fd77::2')\n"));
    EXPECT_THAT(text,
                HasSubstr(R"({"cluster": {"ps": ["node1:5000"], "worker": ["[fd77::2]:6000"]}, "task": {"type": "ps", "index": 0}})"));
}

TEST(SshScript, WithoutComputersIsRefused) {
    EXPECT_EQ(refusal(sshScript, kJob), "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, got none");
    spec::RunSpec run = projectWithBackup();
    for (const char* here : {"localhost:1", ":1", "127.0.0.1:1", "[::1]:1"}) {
        run.cluster.spec.jobs = {{"worker", {{0, "node1:1"}, {1, here}}}};
        EXPECT_EQ(refusal(sshScript, kJob, run),
                  "--hosts: expected the computers on which the tasks are to run, such as node1,node2:2, since the project's cluster has " +
                      std::string(here) + ", got none");
    }
}

TEST(SshScript, WhatIsNoComputerIsRefused) {
    EXPECT_EQ(refusal(sshScript, on("-oProxyCommand=x,b")),
              "--hosts: expected the name of a computer, such as node1, got -oProxyCommand=x");
    EXPECT_EQ(refusal(mpirunScript, on("a b")), "--hosts: expected the name of a computer, such as node1, got a b");
    for (const auto& script : {sshScript, mpirunScript}) {
        EXPECT_EQ(refusal(script, on("a:0,b:0")), "--hosts: expected one task or more, got none");
    }
    EXPECT_THAT(mpirunScript(on("a:0,b"), projectWithBackup()), HasSubstr("mpirun+=(--host 'b:1')\n"));
    spec::RunSpec run = projectWithBackup();
    run.cluster.spec.jobs = {{"worker", {{0, "$(x):1"}, {1, "b:1"}}}};
    EXPECT_EQ(refusal(sshScript, kJob, run), "cluster: expected the name of a computer, such as node1, got $(x)");
}

TEST(SshScript, AProjectOfServersHasATaskForEachJob) {
    spec::RunSpec run = projectWithBackup();
    run.cluster.spec.jobs = {{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}}}};
    EXPECT_EQ(refusal(sshScript, on("a,b"), run),
              "--hosts: expected as many tasks in all as the project's cluster has (3), so that each has its job, got 2");
    EXPECT_THAT(sshScript(on("a,b:2"), run), HasSubstr("tasks=(ps-0 worker-0 worker-1)\nhosts=('a' 'b' 'b')\n"));
}

TEST(MpirunScript, AsksForItsRanks) {
    const std::string plain = mpirunScript(kJob, projectWithBackup());
    EXPECT_THAT(plain, HasSubstr("mpirun+=(-np 2)\n# mpirun+=(--hostfile my_hosts)"));
    EXPECT_THAT(plain, Not(HasSubstr("--host '")));
    EXPECT_THAT(plain, HasSubstr("setsid \"${mpirun[@]}\" \"$worker\" \"$project\" \"${options[@]}\" &\n"));
    LaunchJob job = on("node1:2,node2");
    job.settings = {"fit.epochs=3"};
    const std::string text = mpirunScript(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("mpirun+=(-np 3)\nmpirun+=(--host 'node1:2,node2:1')\n"));
    EXPECT_THAT(text, HasSubstr("run=\"$PWD/my_mnist-run\"\n"));
    EXPECT_THAT(text, HasSubstr("options+=(--set 'fit.epochs=3')\n"));
}

TEST(MpirunScript, IsTheOneForAProjectThatSumsByMpi) {
    spec::RunSpec run = projectWithBackup();
    run.strategy = {.name = "MultiWorkerMirroredStrategy", .communication = "MPI"};
    EXPECT_EQ(mpirunScript(kJob, run), mpirunScript(kJob, projectWithBackup()));
    EXPECT_EQ(refusal(sshScript, on("a,b"), run),
              "--kind: expected mpirun for a project whose strategy.communication is MPI, got one that starts the tasks without it");
}

}  // namespace
}  // namespace engine::launch
