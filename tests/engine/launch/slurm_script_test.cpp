#include "engine/launch/slurm_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::launch {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

const LaunchJob kJob{.project = "/home/ann/it's/mnist.tandem", .name = "mnist"};

spec::RunSpec projectWithBackup() {
    spec::RunSpec run;
    run.callbacks = {{"BackupAndRestore", {}}};
    return run;
}

std::string refusal(const LaunchJob& job, const spec::RunSpec& run = projectWithBackup()) {
    try {
        return "no refusal but " + slurmScript(job, run);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(SlurmScript, AsksForWhatItIsToldAndForNothingElse) {
    const std::string plain = slurmScript(kJob, projectWithBackup());
    EXPECT_TRUE(plain.starts_with("#!/bin/bash\n"));
    EXPECT_TRUE(plain.ends_with("exit $code\n"));
    EXPECT_THAT(plain,
                HasSubstr("#SBATCH --job-name=mnist\n#SBATCH --nodes=2\n#SBATCH --ntasks-per-node=1\n#SBATCH --output=mnist-%j.log\n"));
    EXPECT_THAT(plain, HasSubstr("project='/home/ann/it'\\''s/mnist.tandem'\n"));
    for (const char* word : {"#SBATCH --mem=", "#SBATCH --time=", "#SBATCH --partition=", "#SBATCH --cpus-per-task", "--gpus-per-task",
                             "--array", "begins anew"}) {
        EXPECT_THAT(plain, Not(HasSubstr(word)));
    }
    LaunchJob full = kJob;
    full.nodes = 4;
    full.tasks_per_node = 2;
    full.cpus_per_task = 8;
    full.gpus_per_task = 1;
    full.memory = "64G";
    full.time = "1-12";
    full.partition = "gpu,long";
    full.settings = {"fit.epochs=3", R"(data.dataset="it's")"};
    const std::string asked = slurmScript(full, projectWithBackup());
    EXPECT_THAT(
        asked,
        HasSubstr(
            "#SBATCH --nodes=4\n#SBATCH --ntasks-per-node=2\n#SBATCH --cpus-per-task=8\n#SBATCH --gpus-per-task=1\n#SBATCH --mem=64G\n"
            "#SBATCH --time=1-12\n#SBATCH --partition=gpu,long\n"));
    EXPECT_THAT(asked, HasSubstr("options+=(--set 'fit.epochs=3')\noptions+=(--set 'data.dataset=\"it'\\''s\"')\n"));
    EXPECT_THAT(asked, HasSubstr("on 8 tasks"));
    for (const std::string& text : {plain, asked})
        EXPECT_THAT(text, HasSubstr("step+=(--cpus-per-task=\"$SLURM_CPUS_PER_TASK\")")) << "people add it to the directives";
}

TEST(SlurmScript, OfSeveralSeedsIsAnArray) {
    LaunchJob job = kJob;
    job.seeds = 3;
    const std::string text = slurmScript(job, projectWithBackup());
    EXPECT_THAT(text, HasSubstr("#SBATCH --array=0-2\n#SBATCH --output=mnist-%A_%a.log\n"));
    EXPECT_THAT(text, HasSubstr("run=\"$SLURM_SUBMIT_DIR/mnist-run/seed-$SLURM_ARRAY_TASK_ID\"\n"));
    EXPECT_THAT(text, HasSubstr("options+=(--set \"fit.seed=$SLURM_ARRAY_TASK_ID\")\n"));
    EXPECT_THAT(text, HasSubstr("\njob=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID  #"));
    for (const char* one : {"scancel --signal=TERM \"$job\"", "scontrol requeue \"$job\""}) EXPECT_THAT(text, HasSubstr(one));
}

TEST(SlurmScript, SaysWhereAProjectKeepsNoBackup) {
    EXPECT_THAT(slurmScript(kJob, {}),
                HasSubstr("# The project has no callback BackupAndRestore: a job that is queued again begins anew.\n"));
    spec::RunSpec estimator;
    estimator.estimator.emplace();
    EXPECT_THAT(slurmScript(kJob, estimator), Not(HasSubstr("begins anew"))) << "it has checkpoints of its own";
}

TEST(SlurmScript, ANameThatADirectiveCannotHoldIsMadePlain) {
    LaunchJob job = kJob;
    job.name = "my model (2)";
    EXPECT_THAT(slurmScript(job, projectWithBackup()), HasSubstr("--job-name=my_model__2_\n"));
    job.name = "실험";
    EXPECT_THAT(slurmScript(job, projectWithBackup()), HasSubstr("--job-name=tandem\n"));
}

TEST(SlurmScript, RefusesWhatSlurmCouldNotRead) {
    const auto with = [](auto change) {
        LaunchJob job = kJob;
        change(job);
        return refusal(job);
    };
    EXPECT_EQ(with([](LaunchJob& job) { job.nodes = 0; }), "--nodes: expected 1 or more, got 0");
    EXPECT_EQ(with([](LaunchJob& job) { job.tasks_per_node = -1; }), "--tasks-per-node: expected 1 or more, got -1");
    EXPECT_EQ(with([](LaunchJob& job) { job.seeds = 0; }), "--seeds: expected 1 or more, got 0");
    EXPECT_THAT(with([](LaunchJob& job) { job.time = "99999999999999999999"; }), HasSubstr("--time: expected minutes, "));
    spec::RunSpec by_mpi = projectWithBackup();
    for (const char* name : {"MultiWorkerMirroredStrategy", "MirroredStrategy"}) {
        by_mpi.strategy = {.name = name, .communication = "MPI"};
        EXPECT_THAT(refusal(kJob, by_mpi), HasSubstr("--kind: expected mpirun")) << name;
    }
    EXPECT_EQ(with([](LaunchJob& job) { job.memory = "4 GB"; }), "--memory: expected a number with K, M, G or T, such as 4G, got 4 GB");
    EXPECT_EQ(with([](LaunchJob& job) { job.time = "1h"; }),
              "--time: expected minutes, hours:minutes:seconds or days-hours, such as 02:00:00, got 1h");
    EXPECT_EQ(with([](LaunchJob& job) { job.partition = "a\n#SBATCH --uid=0"; }),
              "--partition: expected the name of a partition, or several with commas, got a\n#SBATCH --uid=0");
    EXPECT_EQ(with([](LaunchJob& job) { job.project = "a\nb"; }), "PROJECT: expected a name without a line break, got one");
}

TEST(SlurmScript, AJobIsLongerThanTheNoticeOfItsEnd) {
    const auto refused = [](const char* time) {
        LaunchJob job = kJob;
        job.time = time;
        return refusal(job).starts_with("--time: expected 5 minutes or more, since the tasks stop 2 minutes before the end, got ");
    };
    for (const char* time : {"1", "4", "4:59", "0:00:30", "00:04:59", "0-0:04"}) EXPECT_TRUE(refused(time)) << time;
    for (const char* time : {"0", "5", "5:00", "0:05:00", "02:00:00", "0-1", "1-12", "0-0:05", "0-0:05:00"})
        EXPECT_FALSE(refused(time)) << time;
    EXPECT_TRUE(refused("0-00:04:59"));
}

TEST(SlurmScript, AProjectOfServersHasATaskForEachJob) {
    spec::RunSpec run = projectWithBackup();
    run.cluster.spec.jobs = {{"ps", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}}}};
    EXPECT_EQ(refusal(kJob, run),
              "--nodes, --tasks-per-node: expected as many tasks in all as the project's cluster has (3), so that each has its job, got 2");
}

}  // namespace
}  // namespace engine::launch
