#include "agent/local/scheduler_job.h"

#include <fstream>

#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::convert {
namespace {

using engine::files::SafeFolder;

class SchedulerJobTest : public ::testing::Test {
protected:
    std::string problemOf(const std::string& text) const {
        std::ofstream(dir_.path() / kSchedulerFile) << text;
        try {
            readSchedulerJob(folder_);
        } catch (const engine::Error& error) {
            const std::string what = error.what();
            return what.substr(what.find(": ") + 2);
        }
        return "none";
    }
    const tests::support::TempDir dir_;
    const SafeFolder folder_ = SafeFolder::open(dir_.path());
};

TEST_F(SchedulerJobTest, ComesBackAsItWasWritten) {
    EXPECT_FALSE(hasSchedulerJob(dir_.path()));
    EXPECT_EQ(readSchedulerJob(folder_), std::nullopt);
    const SchedulerJob job{.scheduler = "slurm",
                           .job = "123_4",
                           .run = "20261121-143205-7f3a",
                           .name = "손글씨",
                           .tasks = 4,
                           .submitted_unix_ns = 1764300000000000001};
    writeSchedulerJob(folder_, job);
    EXPECT_TRUE(hasSchedulerJob(dir_.path()));
    EXPECT_EQ(readSchedulerJob(folder_), job);
}

TEST_F(SchedulerJobTest, IsRefusedWhereItIsDamaged) {
    EXPECT_EQ(problemOf(""), "expected the JSON object of a scheduler's job, got something else");
    EXPECT_EQ(problemOf("[1]"), "expected the JSON object of a scheduler's job, got something else");
    EXPECT_EQ(problemOf(R"({"scheduler": "slurm", "job": 12})"), "expected a text for \"job\", got something else");
    EXPECT_EQ(problemOf(R"({"scheduler": "cron", "job": "12"})"), "expected \"slurm\" for \"scheduler\", got something else");
    for (const char* job : {"--user=ann", "12 13", "12_", "_1", "12_a", "-1"}) {
        EXPECT_EQ(problemOf(R"({"scheduler": "slurm", "job": ")" + std::string(job) + R"(", "run": "r", "name": "n", "tasks": 1})"),
                  "expected a number such as 123 or 123_4 for \"job\", got something else")
            << job;
    }
    EXPECT_EQ(problemOf(R"({"scheduler": "slurm", "job": "12", "run": "r", "name": "n", "tasks": 0})"),
              "expected a whole number from 1 on for \"tasks\", got something else");
    EXPECT_EQ(problemOf(R"({"scheduler": "slurm", "job": "12", "run": "r", "name": "n", "tasks": 1, "submitted_unix_ns": 1e300})"),
              "expected a whole number from 1 on for \"submitted_unix_ns\", got something else");
}

}  // namespace
}  // namespace agent::convert
