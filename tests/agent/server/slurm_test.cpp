#include "agent/server/scheduled/slurm.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/server/scheduled/job_submission.h"
#include "agent/server/scheduled/slurm_queue.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
using agent::convert::ProgramEnd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Stage = JobReport::Stage;

std::string saidBy(const std::function<void()>& action) {
    try {
        action();
    } catch (const engine::Error& error) {
        return error.what();
    }
    return "";
}

ProgramEnd shown(const std::string& pairs) {
    return {.exit_code = 0, .output = "JobId=12 JobName=mnist UserId=ann(1000) " + pairs + " Partition=main\n", .errors = {}};
}

TEST(SlurmSays, WhereAJobIsInTheQueue) {
    const ProgramEnd waits = shown("JobState=PENDING Reason=Priority StartTime=Unknown");
    EXPECT_EQ(waitingPartition(waits), "main");
    EXPECT_EQ(jobReport("12", waits, "9\n12\n14\n"),
              (JobReport{.stage = Stage::kQueued, .text = "job 12 waits in Slurm's queue: Priority, place 2 of 3"}));
    EXPECT_EQ(jobReport("12_1", shown("JobState=PENDING Reason=None"), "12_0 \n12_1 \n").text,
              "job 12_1 waits in Slurm's queue, place 2 of 2");
    EXPECT_EQ(jobReport("12", shown("JobState=PENDING Reason=Nodes required for job are DOWN Dependency=(null)"), "").text,
              "job 12 waits in Slurm's queue: Nodes required for job are DOWN");
    EXPECT_EQ(jobReport("12", shown("JobState=REQUEUED Reason=NodeFail"), "").stage, Stage::kQueued);
}

TEST(SlurmSays, WhereAJobRuns) {
    const ProgramEnd runs = shown("JobState=RUNNING Reason=None NodeList=node[1-2]");
    EXPECT_EQ(waitingPartition(runs), "");
    EXPECT_EQ(jobReport("12", runs, ""), (JobReport{.stage = Stage::kRunning, .text = "job 12 runs on node[1-2]"}));
    EXPECT_EQ(jobReport("12", shown("JobState=COMPLETING NodeList=node1"), "").stage, Stage::kRunning);
}

TEST(SlurmSays, HowAJobEnded) {
    const auto end = [](const std::string& pairs) { return jobReport("12", shown(pairs), ""); };
    EXPECT_EQ(end("JobState=COMPLETED ExitCode=0:0"), (JobReport{.stage = Stage::kEnded, .text = "job 12 is over", .is_completed = true}));
    EXPECT_EQ(end("JobState=CANCELLED"), (JobReport{.stage = Stage::kEnded, .text = "job 12 was cancelled", .is_cancelled = true}));
    EXPECT_EQ(end("JobState=FAILED ExitCode=3:0").text, "job 12 ended with exit code 3");
    EXPECT_EQ(end("JobState=TIMEOUT").text, "job 12 reached its limit of time");
    EXPECT_EQ(end("JobState=BOOT_FAIL").text, "job 12 ended as BOOT_FAIL");
    const ProgramEnd gone{.exit_code = 1, .output = {}, .errors = "slurm_load_jobs error: Invalid job id specified\n"};
    EXPECT_EQ(jobReport("12", gone, ""), JobReport{.stage = Stage::kEnded});
}

TEST(SlurmSays, ThatItDoesNotAnswer) {
    const ProgramEnd failed{
        .exit_code = 1, .output = {}, .errors = "slurm_load_jobs error: Unable to contact slurm controller (connect failure)\n"};
    EXPECT_EQ(
        jobReport("12", failed, ""),
        (JobReport{.stage = Stage::kUnanswered, .text = "Slurm does not answer: Unable to contact slurm controller (connect failure)"}));
    EXPECT_EQ(jobReport("12", {.exit_code = 0, .output = "nonsense\n", .errors = {}}, "").stage, Stage::kUnanswered);
}

TEST(SlurmSays, WhichJobItTook) {
    EXPECT_EQ(submittedJob({.exit_code = 0, .output = "123\n", .errors = {}}), "123");
    EXPECT_EQ(submittedJob({.exit_code = 0, .output = "123;cluster\n", .errors = {}}), "123");
    const auto refused = [](const std::string& errors) {
        return saidBy([&] { submittedJob({.exit_code = 1, .output = {}, .errors = errors}); });
    };
    EXPECT_EQ(refused("sbatch: error: invalid partition specified: nosuch\nsbatch: error: Batch job submission failed: Invalid partition "
                      "name specified\n"),
              "Slurm took no job: invalid partition specified: nosuch");
    EXPECT_EQ(refused("sbatch: error: Batch job submission failed: Node count specification invalid\n"),
              "Slurm took no job: Node count specification invalid");
    EXPECT_EQ(refused("sbatch: error: fetch_config: DNS SRV lookup failed\nsbatch: fatal: Could not establish a configuration source\n"),
              "Slurm took no job: Could not establish a configuration source");
    EXPECT_EQ(refused(""), "Slurm took no job: it gave no reason");
}

TEST(SlurmQueue, AsksWhileSomebodyLooks) {
    std::atomic<int> calls{0};
    SlurmQueue queue({.interval = 1ms, .run = [&](const std::vector<std::string>& words, std::chrono::milliseconds) {
                          ++calls;
                          if (words.front() == "squeue") return ProgramEnd{.exit_code = 0, .output = "12\n", .errors = {}};
                          EXPECT_THAT(words, ElementsAre("scontrol", "--oneliner", "show", "job", "12"));
                          return shown("JobState=PENDING Reason=Resources");
                      }});
    const agent::convert::SchedulerJob job{.scheduler = "slurm", .job = "12", .run = "r", .name = "n"};
    while (queue.look(job).stage == Stage::kUnanswered) std::this_thread::yield();
    EXPECT_EQ(queue.look(job).text, "job 12 waits in Slurm's queue: Resources, place 1 of 1");
    const int before = calls;
    while (calls == before) std::this_thread::yield();
}

TEST(SlurmQueue, BelievesAnEndThatIsSaidTwice) {
    std::atomic<int> calls{0};
    SlurmQueue queue({.interval = 1ms, .run = [&](const std::vector<std::string>&, std::chrono::milliseconds) {
                          // Slurm puts a job back into its queue after it has ended it.
                          const int call = ++calls;
                          return shown(call == 2 ? "JobState=NODE_FAIL" : call < 10 ? "JobState=RUNNING" : "JobState=COMPLETED");
                      }});
    const agent::convert::SchedulerJob job{.scheduler = "slurm", .job = "12", .run = "r", .name = "n"};
    JobReport report;
    while ((report = queue.look(job)).stage != Stage::kEnded) std::this_thread::yield();
    EXPECT_TRUE(report.is_completed);
    EXPECT_GE(calls, 11);
}

TEST(SlurmQueue, SaysInOneSentenceThatAJobIsGone) {
    std::string errors = "scancel: error: Kill job error on job id 12: Invalid job id specified\n";
    SlurmQueue queue({.interval = 1ms, .run = [&](const std::vector<std::string>& words, std::chrono::milliseconds) {
                          if (words.front() == "scontrol") {
                              return ProgramEnd{
                                  .exit_code = 1, .output = {}, .errors = "slurm_load_jobs error: Invalid job id specified\n"};
                          }
                          EXPECT_THAT(words, ElementsAre("scancel", "12"));
                          return ProgramEnd{.exit_code = 1, .output = {}, .errors = errors};
                      }});
    const agent::convert::SchedulerJob job{.scheduler = "slurm", .job = "12", .run = "r", .name = "n"};
    EXPECT_EQ(saidBy([&] { queue.cancel(job); }), "job 12 is gone from Slurm, so nothing is left to cancel");
    errors = "scancel: error: Kill job error on job id 12: Access/permission denied\n";
    EXPECT_EQ(saidBy([&] { queue.cancel(job); }), "Slurm did not cancel job 12: Kill job error on job id 12: Access/permission denied");
    JobReport report;
    while ((report = queue.look(job)).stage == Stage::kUnanswered) std::this_thread::yield();
    EXPECT_EQ(report, JobReport{.stage = Stage::kEnded}) << "without a text: what follows the run says that it is gone";
}

TEST(JobSubmission, ThatSlurmRefusesLeavesAnEmptyFolderEmpty) {
    const tests::support::TempDir dir;
    const std::filesystem::path folder = dir.path() / "run";
    std::filesystem::create_directory(folder);
    RunBook book(dir.path() / "runs");
    RunFollower follower({}, book, [](engine::spec::LogLevel, const std::string&) {});
    bool found_script = false;
    SlurmQueue queue({.run = [&](const std::vector<std::string>& words, std::chrono::milliseconds) {
        found_script = std::filesystem::exists(words.back());
        return ProgramEnd{.exit_code = 1, .output = {}, .errors = "sbatch: error: invalid partition specified: nosuch\n"};
    }});
    JobSubmission submission{.job = {}, .project_json = toProjectJson(engine::spec::RunSpec{})};
    submission.job.name = "mnist";
    submission.job.run_folder = folder;
    for (int again = 0; again < 2; ++again) {
        EXPECT_EQ(saidBy([&] {
                      submitJob(submission, {dir.path() / "runs", "/programs"}, queue, book, follower);
                  }),
                  "Slurm took no job: invalid partition specified: nosuch");
        EXPECT_TRUE(found_script);
        EXPECT_TRUE(std::filesystem::is_empty(folder));
    }
}

// sbatch was ended as its time was over: nothing half-submitted stays unknown.
TEST(SlurmQueue, LooksForAJobWhoseSubmissionGotNoAnswer) {
    std::string queue_says;
    bool is_silent = false;
    SlurmQueue queue({.run = [&](const std::vector<std::string>& words, std::chrono::milliseconds) {
        if (words.front() == "sbatch" || is_silent) {
            throw engine::Error(engine::ErrorCode::kDeadlineExceeded, words.front() + ": expected an answer within 15 s, got none");
        }
        EXPECT_THAT(words, ElementsAre("squeue", "--me", "--noheader", "--states=PENDING,CONFIGURING,RUNNING", "--format=%F %o"));
        return ProgramEnd{.exit_code = 0, .output = queue_says, .errors = {}};
    }});
    const std::string script = "/home/ann/my run/job.sh";
    queue_says = "9 /home/ann/my run/job.sh \n12 /home/ann/my run/job.sh\n13 /home/ann/other/job.sh\n14 (null)\n";
    EXPECT_EQ(queue.submit(script), "12");
    queue_says = "13 /home/ann/other/job.sh\n";
    EXPECT_EQ(saidBy([&] { queue.submit(script); }), "Slurm does not answer: sbatch took too long, and no job of it is in the queue");
    is_silent = true;
    EXPECT_EQ(saidBy([&] { queue.submit(script); }),
              "Slurm does not answer, so nobody knows whether it took the job; squeue --me will say");
}

TEST(SlurmQueue, NamesAProgramThatIsNotThere) {
    SlurmQueue queue({.run = [](const std::vector<std::string>& words, std::chrono::milliseconds) -> ProgramEnd {
        throw engine::Error(engine::ErrorCode::kNotFound, words.front() + ": can't be started: No such file or directory");
    }});
    EXPECT_EQ(saidBy([&] { queue.submit("job.sh"); }),
              "sbatch: expected Slurm's program on the PATH that this computer's agent was started with, found none");
}

}  // namespace
