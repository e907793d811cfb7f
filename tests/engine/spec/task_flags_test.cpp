#include "engine/spec/cluster/task_flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"

namespace engine::spec {
namespace {

using ::testing::HasSubstr;

const ClusterSpec kProjects{.jobs = {{"ps", {{0, "localhost:2222"}}}, {"worker", {{0, "localhost:2223"}, {1, "localhost:2224"}}}}};

std::string refusal(const TaskFlags& flags, const ClusterSpec& projects = {}) {
    try {
        return "taken: " + tfConfigOf(flags, projects);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        return error.what();
    }
}

TEST(TaskFlags, SayWhatTfConfigSays) {
    EXPECT_EQ(tfConfigOf({.job_name = "worker", .task_index = 1, .ps_hosts = "h:1", .worker_hosts = "a:2,b:3"}, kProjects),
              R"({"cluster": {"ps": ["h:1"], "worker": ["a:2", "b:3"]}, "task": {"type": "worker", "index": 1}})");
}

TEST(TaskFlags, WithoutHostsTheClusterIsTheProjects) {
    EXPECT_EQ(
        tfConfigOf({.job_name = "ps"}, kProjects),
        R"({"cluster": {"ps": ["localhost:2222"], "worker": ["localhost:2223", "localhost:2224"]}, "task": {"type": "ps", "index": 0}})");
}

TEST(TaskFlags, AreRefusedByName) {
    EXPECT_THAT(refusal({.job_name = "ps"}),
                HasSubstr("--worker_hosts: expected the workers' addresses, since the project has no cluster"));
    EXPECT_THAT(refusal({.job_name = "ps", .task_index = 1}, kProjects),
                HasSubstr("expected a task of the cluster (1 ps, 2 worker), got ps 1"));
    EXPECT_THAT(refusal({.job_name = "ps", .task_index = -1}, kProjects), HasSubstr("got ps -1"));
    EXPECT_THAT(refusal({.job_name = "servant"}, kProjects), HasSubstr("got servant 0"));
    EXPECT_THAT(refusal({.job_name = "worker", .worker_hosts = "a:1,,b:2"}), HasSubstr("--worker_hosts: expected addresses with commas"));
    EXPECT_THAT(refusal({.worker_hosts = "a:1"}), HasSubstr("--job_name: expected ps or worker"));
}

}  // namespace
}  // namespace engine::spec
