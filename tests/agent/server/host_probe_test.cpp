#include "agent/server/host/host_probe.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/thread/usable_cores.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;

TEST(HostProbe, DescribesThisComputer) {
    const tests::support::TempDir dir;
    std::filesystem::create_directories(dir.path() / "share/tandem/datasets/mnist");
    std::filesystem::create_directories(dir.path() / "share/tandem/datasets/nothing");
    std::ofstream(dir.path() / "share/tandem/datasets/mnist/images.gz") << "x";
    agent::load::GpuProbe gpus;
    const engine::run::HostInfo facts = probeHost(dir.path(), dir.path() / "bin", gpus);
    EXPECT_EQ(facts.cores, engine::usableCores());
    EXPECT_FALSE(facts.cpu_model.empty());
    EXPECT_THAT(facts.vector_units, ::testing::AnyOf("AVX-512", "AVX2", "SSE2", "portable"));
    EXPECT_GT(facts.memory_bytes, facts.memory_available_bytes);
    EXPECT_GT(facts.disk_available_bytes, 0);
    EXPECT_NE(facts.gpus.gpus.empty(), facts.gpus.no_gpu_reason.empty());
    EXPECT_THAT(facts.datasets, ::testing::Contains("mnist"));
    EXPECT_THAT(facts.datasets, ::testing::Not(::testing::Contains("nothing"))) << "an empty folder is no data set";
}

TEST(HostProbe, KnowsItsOwnAddresses) {
    for (const std::string& host :
         {std::string(), std::string("localhost"), std::string("127.0.0.1"), std::string("127.3.2.1"), std::string("::1"), hostName()}) {
        EXPECT_TRUE(isThisHost(host)) << host;
    }
    for (const char* host : {"10.255.255.1", "worker-b.example.org", "0", "2001:db8::1"}) {
        EXPECT_FALSE(isThisHost(host)) << host;
    }
}

TEST(HostProbe, SurvivesFoldersThatAreNotThere) {
    agent::load::GpuProbe gpus;
    const engine::run::HostInfo facts = probeHost("/nonexistent/runs", "/nonexistent/bin", gpus);
    EXPECT_EQ(facts.disk_available_bytes, 0);
    EXPECT_GT(facts.cores, 0);
}

}  // namespace
