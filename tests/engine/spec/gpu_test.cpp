#include "engine/spec/cluster/gpu.h"

#include <gtest/gtest.h>

namespace {

using namespace engine::spec;

Gpu gpu(int major, int minor) {
    return {"NVIDIA H200", "GPU-a", 150'754'820'096, 149'000'000'000, major, minor};
}

TEST(Gpu, PrintsAsOneLine) {
    EXPECT_EQ(toString(gpu(9, 0)), "NVIDIA H200, 140.4 GB, compute capability 9.0");
    EXPECT_EQ(cudaVersionText(13000), "13.0");
    EXPECT_EQ(cudaVersionText(12080), "12.8");
    EXPECT_EQ(ncclVersionText(22803), "2.28.3");
    EXPECT_EQ(ncclVersionText(2708), "2.7.8");
}

TEST(Gpu, SaysWhyItCantBeUsed) {
    EXPECT_EQ(gpuObstacle(GpuInventory{.no_gpu_reason = "no NVIDIA driver"}), "no NVIDIA driver");
    GpuInventory host{.gpus = {gpu(9, 0), gpu(6, 1)}, .driver_version = "580.65.06", .cuda_version = 13000};
    EXPECT_EQ(gpuObstacle(host), "");
    EXPECT_EQ(usableGpus(host), 1);
    EXPECT_EQ(gpuObstacle(host.gpus[1]), "NVIDIA H200 has compute capability 6.1, Tandem needs 7.5");
    EXPECT_EQ(gpuObstacle(gpu(7, 5)), "");
    EXPECT_NE(gpuObstacle(gpu(7, 2)), "");
    host.driver_version = "535.104.05";
    host.cuda_version = 12020;
    EXPECT_EQ(gpuObstacle(host), "the driver 535.104.05 runs CUDA 12.2 at most, Tandem needs 13.0");
    EXPECT_EQ(usableGpus(host), 0);
    host.cuda_version = 13000;
    host.no_backend_reason = "libtandem-cuda.so is not installed";
    EXPECT_EQ(gpuObstacle(host), host.no_backend_reason);
    EXPECT_EQ(usableGpus(host), 0);
}

TEST(Gpu, AreHiddenAsCudaHidesThem) {
    struct Row {
        std::optional<std::string> visible;
        const char* shown;
    };
    for (const Row& row : {Row{std::nullopt, "abc"}, Row{"", ""}, Row{"1", "b"}, Row{"2, 0", "ca"}, Row{"GPU-c,GPU-a", "ca"},
                           Row{"0,7,1", "a"}, Row{"-1", ""}, Row{"NoDevFiles", ""}, Row{"0,,1", "a"}}) {
        GpuInventory host;
        for (const char* name : {"a", "b", "c"}) host.gpus.push_back({name, std::string("GPU-") + name, 0, 0, 9, 0});
        hideGpus(host, row.visible);
        std::string shown;
        for (const Gpu& gpu : host.gpus) shown += gpu.name;
        EXPECT_EQ(shown, row.shown) << row.visible.value_or("not set");
        EXPECT_EQ(host.no_gpu_reason, shown.empty() ? "CUDA_VISIBLE_DEVICES hides every GPU" : "");
    }
}

}  // namespace
