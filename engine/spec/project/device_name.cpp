#include "engine/spec/project/device_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/json_text.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {
namespace {

// "CPU:0", either case.
std::optional<DeviceName> parseTypeAndIndex(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == 0 || colon == std::string_view::npos) {
        return std::nullopt;
    }
    DeviceName device;
    device.type = text.substr(0, colon);
    for (char& c : device.type) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '_') {
            return std::nullopt;
        }
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    const std::string_view number = text.substr(colon + 1);
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), device.index);
    const bool whole = error == std::errc() && end == number.data() + number.size() && device.index >= 0;
    return whole && std::isalpha(static_cast<unsigned char>(device.type.front())) != 0 ? std::optional(device) : std::nullopt;
}

}  // namespace

std::string toString(const DeviceName& device) {
    return device.type + ":" + std::to_string(device.index);
}

std::optional<DeviceName> parseDeviceName(std::string_view text) {
    constexpr std::string_view kDevice = "/device:";
    if (const std::size_t at = text.find(kDevice); at != std::string_view::npos) {
        const std::string_view scope = text.substr(0, at);
        if (!scope.empty() && !scope.starts_with('/')) {
            return std::nullopt;
        }
        return parseTypeAndIndex(text.substr(at + kDevice.size()));
    }
    if (text.starts_with('/')) {
        text.remove_prefix(1);
    }
    return parseTypeAndIndex(text);
}

std::string deviceSetting(std::string_view device) {
    std::string name;
    for (const char letter : device) {
        name += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    if (name != "CPU" && name != "GPU") {
        name = parseDeviceName(name) ? name : std::string(device);  // as it was typed, for who says what is wrong with it
    }
    return "strategy.devices=" +
           Json::array({name == "CPU" || name == "GPU" ? name + ":0" : name}).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<DeviceName> devicesOf(const StrategySpec& strategy) {
    std::vector<DeviceName> devices;
    for (const std::string& name : strategy.devices) {
        if (const auto device = parseDeviceName(name)) {
            devices.push_back(*device);
        }
    }
    if (!devices.empty()) {
        return devices;
    }
    const bool gpus = strategy.logical_cpus <= 0 && strategy.logical_gpus > 0;
    for (int i = 0; i < std::max<std::int64_t>(gpus ? strategy.logical_gpus : strategy.logical_cpus, 1); ++i) {
        devices.push_back({gpus ? "GPU" : "CPU", i});
    }
    return devices;
}

std::vector<std::string> gpuSettings(const StrategySpec& strategy) {
    std::vector<std::string> on;
    if (strategy.tensor_float_32_execution) {
        on.emplace_back("strategy.tensor_float_32_execution");
    }
    if (strategy.op_determinism) {
        on.emplace_back("strategy.op_determinism");
    }
    return on;
}

Diagnostics gpuErrors(const RunSpec& run) {
    Diagnostics errors;
    if (usesGpus(run.strategy)) {
        return errors;
    }
    const std::string policy(kMixedFloat16Policy);
    const auto refuse = [&](const std::string& path, const std::string& expected, const std::string& got) {
        errors.push_back({Severity::kError, path, "expected " + expected + " on a processor, got " + got + ", which is for GPUs alone",
                          "mixed_bfloat16 runs on both and needs no loss scaling."});
    };
    if (run.model.dtype_policy == policy) {
        refuse("model.dtype_policy", "float32 or mixed_bfloat16", policy);
    }
    for (std::size_t i = 0; i < run.model.layers.size(); ++i) {
        const LayerSpec& layer = run.model.layers[i];
        if (run.model.dtype_policy != policy && layerPolicy(run.model, layer) == policy) {
            refuse("model.layers[" + std::to_string(i) + "].dtype", "float32 or mixed_bfloat16", policy);
        }
    }
    if (run.compile.loss_scale) {
        refuse("compile.loss_scale", "none", "a LossScaleOptimizer");
    }
    return errors;
}

bool usesGpus(const StrategySpec& strategy) {
    return gpusNeeded(strategy) > 0;
}

int physicalGpu(const DeviceName& device, int gpus) {
    return device.index % std::max(gpus, 1);
}

int gpusNeeded(const StrategySpec& strategy) {
    int devices = 0;
    for (const DeviceName& device : devicesOf(strategy)) {
        if (device.type == "GPU") {
            devices = std::max(devices, device.index + 1);
        }
    }
    const int each = static_cast<int>(std::max<std::int64_t>(strategy.logical_gpus, 1));
    return (devices + each - 1) / each;
}

void chooseDevices(StrategySpec& strategy, int gpus) {
    if (gpus <= 0 || !strategy.devices.empty() || strategy.logical_cpus > 0) {
        return;
    }
    const StrategyRow* row = findStrategy(strategy.name);
    if (row != nullptr && row->has_servers) {
        return;  // its workers compute on processors
    }
    const std::int64_t devices = row != nullptr && row->has_replicas ? gpus * std::max<std::int64_t>(strategy.logical_gpus, 1) : 1;
    for (int i = 0; i < devices; ++i) {
        strategy.devices.push_back(toString(DeviceName{"GPU", i}));
    }
}

}  // namespace engine::spec
