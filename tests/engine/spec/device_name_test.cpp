#include "engine/spec/device_name.h"

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

}  // namespace
}  // namespace engine::spec
