#include "engine/spec/project/device_name.h"

#include <gtest/gtest.h>

namespace engine::spec {
namespace {

std::string read(std::string_view text) {
    const auto device = parseDeviceName(text);
    return device ? toString(*device) : "none";
}

TEST(DeviceName, HasSeveralSpellings) {
    for (const char* text :
         {"CPU:1", "cpu:1", "/cpu:1", "/device:CPU:1", "/task:0/device:CPU:1", "/job:localhost/replica:0/task:0/device:cpu:1"}) {
        EXPECT_EQ(read(text), "CPU:1") << text;
    }
    EXPECT_EQ(read("/gpu:0"), "GPU:0");
}

TEST(DeviceName, IsRefusedWhenItHasNoTypeOrNoNumber) {
    for (const char* text :
         {"", "CPU", "CPU:", ":0", "CPU:-1", "CPU:1x", "CPU:99999999999", "1:0", "C PU:0", "x/device:CPU:0", "//cpu:0"}) {
        EXPECT_EQ(read(text), "none") << text;
    }
}

TEST(DeviceName, OneAReplica) {
    StrategySpec strategy;
    EXPECT_EQ(devicesOf(strategy), (std::vector<DeviceName>{{"CPU", 0}}));
    strategy.logical_cpus = 3;
    EXPECT_EQ(devicesOf(strategy), (std::vector<DeviceName>{{"CPU", 0}, {"CPU", 1}, {"CPU", 2}}));
    strategy.devices = {"/cpu:2", "CPU:0"};
    EXPECT_EQ(devicesOf(strategy), (std::vector<DeviceName>{{"CPU", 2}, {"CPU", 0}}));
}

TEST(DeviceName, AsTheCommandLineSetsIt) {
    EXPECT_EQ(deviceSetting("gpu"), "strategy.devices=[\"GPU:0\"]");
    EXPECT_EQ(deviceSetting("/cpu:0"), "strategy.devices=[\"/CPU:0\"]");
    EXPECT_EQ(deviceSetting("fo\"o"), "strategy.devices=[\"fo\\\"o\"]") << "as it was typed";
}

TEST(DeviceName, ProcessorsRefuseWhatIsForGpusAlone) {
    RunSpec run;
    run.model.layers = {{"Dense", "a", {{"units", std::int64_t{3}}}}, {"Dense", "b", {{"units", std::int64_t{3}}}}};
    EXPECT_TRUE(gpuErrors(run).empty());
    run.model.layers[1].config.set("dtype", std::string("mixed_float16"));
    run.compile.loss_scale.emplace();
    const Diagnostics found = gpuErrors(run);
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].path, "model.layers[1].dtype");
    EXPECT_EQ(found[0].message, "expected float32 or mixed_bfloat16 on a processor, got mixed_float16, which is for GPUs alone");
    EXPECT_EQ(found[1].path, "compile.loss_scale");
    run.strategy.devices = {"GPU:0"};
    EXPECT_TRUE(gpuErrors(run).empty());
    run.strategy.devices = {"CPU:0"};
    run.model.dtype_policy = "mixed_float16";
    EXPECT_EQ(gpuErrors(run).front().path, "model.dtype_policy");
}

}  // namespace
}  // namespace engine::spec
