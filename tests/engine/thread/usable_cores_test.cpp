#include "engine/thread/usable_cores.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;

// A computer whose files of the system say what each test lets them say.
class CoresOfQuotaTest : public ::testing::Test {
protected:
    void write(const std::string& file, const std::string& text) const {
        fs::create_directories((dir_.path() / file).parent_path());
        std::ofstream(dir_.path() / file) << text << "\n";
    }
    std::optional<int> cores() const { return engine::coresOfQuota(dir_.path()); }

    tests::support::TempDir dir_;
};

constexpr const char* kSecond = "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate";

TEST_F(CoresOfQuotaTest, AreThoseOfTheNarrowestGroup) {
    EXPECT_EQ(cores(), std::nullopt) << "no control groups";
    write("proc/self/mountinfo", std::string("22 1 8:1 / / rw - ext4 /dev/sda1 rw\n") + kSecond);
    write("proc/self/cgroup", "0::/kubepods/pod1/task");
    EXPECT_EQ(cores(), std::nullopt);
    write("sys/fs/cgroup/kubepods/pod1/task/cpu.max", "max 100000");
    EXPECT_EQ(cores(), std::nullopt);
    write("sys/fs/cgroup/kubepods/pod1/cpu.max", "400000 100000");
    EXPECT_EQ(cores(), 4);
    write("sys/fs/cgroup/kubepods/pod1/task/cpu.max", "150000 100000");
    EXPECT_EQ(cores(), 2) << "a begun one counts";
    write("sys/fs/cgroup/kubepods/pod2/cpu.max", "1000 100000");
    EXPECT_EQ(cores(), 2) << "another pod's is its own";
    write("sys/fs/cgroup/kubepods/pod1/task/cpu.max", "10000 100000");
    EXPECT_EQ(cores(), 1);
}

// A container's own group is the top of what it sees.
TEST_F(CoresOfQuotaTest, AreThoseOfAContainer) {
    write("proc/self/mountinfo", kSecond);
    write("sys/fs/cgroup/cpu.max", "200000 100000");
    for (const char* group : {"0::/", "0::/../elsewhere", "0::/system.slice/docker-7.scope"}) {
        write("proc/self/cgroup", group);
        EXPECT_EQ(cores(), 2) << group;
    }
}

TEST_F(CoresOfQuotaTest, AreThoseOfTheFirstVersionToo) {
    write("proc/self/mountinfo",
          "40 30 0:35 /docker/7 /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n"
          "41 30 0:36 /docker/7 /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct");
    write("proc/self/cgroup", "5:cpuset:/docker/7\n4:cpu,cpuacct:/docker/7/inner\n0::/");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
    EXPECT_EQ(cores(), std::nullopt);
    write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000");
    EXPECT_EQ(cores(), 3);
    write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_period_us", "50000");
    write("sys/fs/cgroup/cpu,cpuacct/inner/cpu.cfs_quota_us", "100000");
    EXPECT_EQ(cores(), 2);
}

TEST_F(CoresOfQuotaTest, AreUnknownWhereTheFilesSayNothingThatIsKnown) {
    write("proc/self/mountinfo", std::string("nonsense\n1 2 3 - cgroup2\n") + kSecond);
    write("proc/self/cgroup", "0\n::\n0::/a");
    for (const char* text : {"", "max", "100000", "many 100000", "100000 0", "-5 100000"}) {
        write("sys/fs/cgroup/a/cpu.max", text);
        EXPECT_EQ(cores(), std::nullopt) << text;
    }
}

TEST(UsableCores, AreOneOrMoreAndWithinTheQuota) {
    EXPECT_GE(engine::usableCores(), 1);
    EXPECT_LE(engine::usableCores(), engine::coresOfQuota().value_or(1 << 20));
}

}  // namespace
