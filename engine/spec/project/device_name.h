// The logical devices that the replicas of one task run on, by TensorFlow's device names.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

struct DeviceName {
    std::string type = "CPU";  // upper case
    int index = 0;
    friend bool operator==(const DeviceName&, const DeviceName&) = default;
};
std::string toString(const DeviceName& device);  // "CPU:0"

// Every spelling of a local device: "CPU:0", "/cpu:0", "/device:CPU:0", "/job:localhost/replica:0/task:0/device:CPU:0"; what comes
// before the device may be any scope. nullopt for
// anything else.
std::optional<DeviceName> parseDeviceName(std::string_view text);

// What --device sets: "gpu" is "strategy.devices=[\"GPU:0\"]", as is "GPU:0".
std::string deviceSetting(std::string_view device);

// One a replica of a task, in order: strategy.devices, else CPU:0 to CPU:(logical_cpus - 1), else GPU:0 to GPU:(logical_gpus - 1), else
// CPU:0. Names that cannot be read are left out; validate() reports them.
std::vector<DeviceName> devicesOf(const StrategySpec& strategy);
// True when any device is a GPU.
bool usesGpus(const StrategySpec& strategy);
// The settings that are on and mean GPUs alone: "strategy.op_determinism", ...
std::vector<std::string> gpuSettings(const StrategySpec& strategy);
// What GPUs alone can do and this run, whose devices are processors, asks for: mixed_float16, a LossScaleOptimizer. Devices that are left
// open count as processors: chooseDevices() comes first. Empty for a run on GPUs.
Diagnostics gpuErrors(const RunSpec& run);
// Which of a task's `gpus` a device GPU:n is on, from 0: counted on from the first where there are fewer cards than devices.
int physicalGpu(const DeviceName& device, int gpus);
// Cards that a task of the project needs; 0 when it trains on CPUs.
int gpusNeeded(const StrategySpec& strategy);

// Writes the devices that the project leaves open, for a task that has `gpus` of them: tf.distribute's choice, all of them for the
// strategies that mirror, the first one for the others. Without GPUs and for a project that names its devices nothing changes.
void chooseDevices(StrategySpec& strategy, int gpus);

}  // namespace engine::spec
