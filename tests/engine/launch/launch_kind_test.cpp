#include "engine/launch/launch_kind.h"

#include <gtest/gtest.h>

#include "engine/launch/launch_options.h"
#include "engine/spec/error.h"

namespace engine::launch {
namespace {

spec::RunSpec threeWorkers() {
    spec::RunSpec run;
    run.cluster.spec.jobs = {{"worker", {{0, "node1:2222"}, {1, "node2:2222"}, {2, "node3:2222"}}}};
    return run;
}

TEST(LaunchKind, FileIsCalledAsItsInstructionsCallIt) {
    LaunchJob job = jobOf({}, threeWorkers());
    takeProjectFile(job, "/projects/My \"first\" one.tandem");
    job.project_text = "{}";
    EXPECT_EQ(job.project, "/projects/My \"first\" one.tandem");
    for (const LaunchKind& kind : launchKinds()) {
        const std::string text = kind.write(job, threeWorkers());
        const std::string head = text.substr(0, text.find("\n\n"));
        EXPECT_NE(head.find(" " + kind.file_name(job)), std::string::npos) << kind.name << ": " << kind.file_name(job);
    }
}

TEST(LaunchKind, IsFoundByItsName) {
    for (const LaunchKind& kind : launchKinds()) EXPECT_EQ(findLaunchKind(kind.name), &kind);
    EXPECT_EQ(findLaunchKind("pbs"), nullptr);
    EXPECT_TRUE(takes(*findLaunchKind("slurm"), "--partition"));
    EXPECT_FALSE(takes(*findLaunchKind("slurm"), "--part"));
    EXPECT_FALSE(takes(*findLaunchKind("ssh"), "--nodes"));
    EXPECT_TRUE(takes(*findLaunchKind("ssh"), "--cpus-per-task"));
}

TEST(LaunchOptions, LeaveWhatIsUsualToTheProject) {
    EXPECT_EQ(jobOf({}, threeWorkers()).nodes, 3);
    EXPECT_EQ(jobOf({}, {}).nodes, 2);
    EXPECT_EQ(jobOf({.nodes = 1}, threeWorkers()).nodes, 1);
    EXPECT_EQ(jobOf({.hosts = "node1,node2:2"}, threeWorkers()).hosts, (std::vector<spec::HostShare>{{"node1", 1}, {"node2", 2}}));
    EXPECT_THROW(jobOf({.hosts = ""}, threeWorkers()), Error);
}

}  // namespace
}  // namespace engine::launch
