#include "agent/load/gpu_probe.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/load/host_load_meter.h"
#include "tests/agent/server/fake_nvml.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::load;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::agent_server::FakeGpu;
using tests::agent_server::FakeNvml;

const std::string kFake = std::string(TANDEM_BIN) + "/agent_fake_nvml.so";

// The stand-in with its state as new; loaded as long as the test lasts.
class GpuProbeTest : public testing::Test {
protected:
    GpuProbeTest() : handle_(::dlopen(kFake.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (handle_ == nullptr) throw std::runtime_error(::dlerror());
        state = reinterpret_cast<FakeNvml* (*)()>(::dlsym(handle_, "fakeNvml"))();
        *state = FakeNvml();
        state->gpus.push_back({.uuid = "GPU-a"});
    }
    ~GpuProbeTest() override { ::dlclose(handle_); }

    FakeNvml* state = nullptr;

private:
    void* handle_;
};

TEST_F(GpuProbeTest, TellsEachGpuTheDriverAndNccl) {
    state->gpus.push_back({.name = "Tesla T4",
                           .uuid = "GPU-b",
                           .memory_bytes = 16 << 20,
                           .free_bytes = 5 << 20,
                           .capability_major = 7,
                           .capability_minor = 5});
    GpuProbe probe({.nvml = kFake, .nccl = kFake});
    const engine::spec::GpuInventory inventory = probe.inventory();
    ASSERT_EQ(inventory.gpus.size(), 2U);
    EXPECT_EQ(toString(inventory.gpus[0]), "NVIDIA H200, 140.4 GB, compute capability 9.0");
    EXPECT_EQ(inventory.gpus[0].memory_free_bytes, 149'000'000'000);
    EXPECT_EQ(inventory.gpus[1], (engine::spec::Gpu{"Tesla T4", "GPU-b", 16 << 20, 5 << 20, 7, 5}));
    EXPECT_EQ(inventory.driver_version, "580.65.06");
    EXPECT_EQ(inventory.cuda_version, 13000);
    EXPECT_EQ(inventory.nccl_version, "2.28.3");
    EXPECT_EQ(inventory.no_gpu_reason, "");
    EXPECT_EQ(inventory.no_nccl_reason, "");
    EXPECT_EQ(gpuObstacle(inventory), "");
}

TEST_F(GpuProbeTest, SaysWhyThereIsNone) {
    if (!std::filesystem::exists("/proc/driver/nvidia/version")) {
        GpuProbe missing({.nvml = "libnot-there.so.1", .nccl = kFake});
        EXPECT_EQ(missing.inventory().no_gpu_reason, "no NVIDIA driver");
    }
    const tests::support::TempDir dir;
    GpuProbe stranger({.nvml = std::string(TANDEM_BIN) + "/agent_not_nvml.so", .nccl = kFake});
    EXPECT_THAT(stranger.inventory().no_gpu_reason, HasSubstr("is not the NVIDIA driver's"));
    state->init_status = 9;
    GpuProbe refused({.nvml = kFake, .nccl = kFake});
    EXPECT_EQ(refused.inventory().no_gpu_reason, "the NVIDIA driver does not answer: Driver Not Loaded");
    state->init_status = 0;
    EXPECT_EQ(refused.inventory().gpus.size(), 1U) << "a driver that is loaded later is found";
    state->gpus.clear();
    EXPECT_EQ(refused.inventory().no_gpu_reason, "an NVIDIA driver, but no GPU");
}

TEST_F(GpuProbeTest, LeavesALostGpuOut) {
    state->gpus.push_back({.name = "gone", .uuid = "GPU-b", .is_lost = true});
    GpuProbe probe({.nvml = kFake, .nccl = kFake});
    EXPECT_EQ(probe.inventory().gpus.size(), 1U);
    EXPECT_EQ(probe.use().gpus.size(), 1U);
}

TEST_F(GpuProbeTest, NcclIsMissedByName) {
    GpuProbe probe({.nvml = kFake, .nccl = "libno-nccl.so.2"});
    EXPECT_EQ(probe.inventory().nccl_version, "");
    EXPECT_EQ(probe.inventory().no_nccl_reason, "libno-nccl.so.2 is not installed");
}

TEST_F(GpuProbeTest, ClosesWhatItOpened) {
    {
        GpuProbe probe({.nvml = kFake, .nccl = kFake});
        probe.inventory();
        probe.inventory();
        probe.use();
        EXPECT_EQ(state->init_calls, 1);
        EXPECT_EQ(state->shutdown_calls, 0);
    }
    EXPECT_EQ(state->shutdown_calls, 1);
}

TEST_F(GpuProbeTest, TellsWhatIsUsedAndByWhom) {
    FakeGpu& gpu = state->gpus.front();
    gpu.busy_percent = 87;
    gpu.free_bytes = gpu.memory_bytes - (3ULL << 30);
    for (unsigned pid = 100; pid < 140; ++pid) gpu.processes.push_back({pid, 1 << 20});  // more than one question's room
    gpu.processes.push_back({7, ~0ULL});
    state->gpus.push_back({.uuid = "GPU-b", .processes = {{100, 2 << 20}}});
    GpuProbe probe({.nvml = kFake, .nccl = kFake});
    const GpuUse use = probe.use();
    ASSERT_EQ(use.gpus.size(), 2U);
    EXPECT_DOUBLE_EQ(use.gpus[0].busy, 0.87);
    EXPECT_EQ(use.gpus[0].memory_used_bytes, 3LL << 30);
    EXPECT_EQ(use.process_memory_bytes.size(), 40U) << "one does not tell";
    EXPECT_EQ(use.process_memory_bytes.at(100), 3 << 20) << "over all GPUs";
}

TEST_F(GpuProbeTest, GoesIntoTheHostsLoad) {
    const tests::support::TempDir dir;
    const auto write = [&](const std::string& file, const std::string& text) {
        std::filesystem::create_directories((dir.path() / file).parent_path());
        std::ofstream(dir.path() / file) << text;
    };
    write("11/stat", "11 (worker) R 1 1 1 0 0 0 0 0 0 0 5 0 0 0 20 0 1 0 5 1 100 0\n");
    state->gpus.front().processes = {{11, 700 << 20}};
    GpuProbe probe({.nvml = kFake, .nccl = kFake});
    HostLoadMeter meter({dir.path(), dir.path()}, [&] { return probe.use(); });
    const std::vector<LiveTask> tasks{{"run", {"worker", 0}, 11}};
    const auto start = std::chrono::steady_clock::now();
    meter.read(tasks, start, 0);
    const auto load = meter.read(tasks, start + std::chrono::seconds(1), 1);
    ASSERT_TRUE(load);
    ASSERT_EQ(load->gpus.size(), 1U);
    EXPECT_EQ(load->gpus[0].name, "NVIDIA H200");
    EXPECT_EQ(load->tasks.at(0).gpu_memory_bytes, 700 << 20);
}

}  // namespace
