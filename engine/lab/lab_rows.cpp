#include "engine/lab/lab_rows.h"

#include <algorithm>
#include <iterator>

#include "engine/spec/error.h"
#include "engine/spec/names.h"

namespace engine::lab {
namespace {

using spec::StrategyKind;

constexpr int kDevices = 2;  // of one task: the fewest that have something to add up

constexpr LabRow kRows[] = {
    {.name = "Default", .kind = StrategyKind::kDefault},
    {.name = "OneDevice", .kind = StrategyKind::kOneDevice},
    {.name = "Mirrored:NcclAllReduce", .kind = StrategyKind::kMirrored, .cross_device_ops = "NcclAllReduce", .devices = kDevices},
    {.name = "Mirrored:HierarchicalCopyAllReduce",
     .kind = StrategyKind::kMirrored,
     .cross_device_ops = "HierarchicalCopyAllReduce",
     .devices = kDevices},
    {.name = "Mirrored:ReductionToOneDevice",
     .kind = StrategyKind::kMirrored,
     .cross_device_ops = "ReductionToOneDevice",
     .devices = kDevices},
    {.name = "CentralStorage", .kind = StrategyKind::kCentralStorage, .devices = kDevices},
    {.name = "MultiWorkerMirrored:2", .kind = StrategyKind::kMultiWorkerMirrored, .workers = 2},
    {.name = "MultiWorkerMirrored:3", .kind = StrategyKind::kMultiWorkerMirrored, .workers = 3},
    {.name = "MultiWorkerMirrored:4", .kind = StrategyKind::kMultiWorkerMirrored, .workers = 4},
    {.name = "ParameterServer:1", .kind = StrategyKind::kParameterServer, .workers = 1, .servers = 1},
    {.name = "ParameterServer:3", .kind = StrategyKind::kParameterServer, .workers = 3, .servers = 1},
};

bool isMeantBy(const LabRow& row, std::string_view name) {
    return name == row.name || name == row.name.substr(0, row.name.find(':')) || name == spec::rowOf(row.kind).name;
}

}  // namespace

std::span<const LabRow> labRows() {
    return kRows;
}

std::string labelOf(const LabRow& row) {
    std::string label = spec::strategyName(row.kind);
    if (!row.cross_device_ops.empty()) {
        label += ", " + std::string(row.cross_device_ops);
    }
    if (row.servers > 0) {
        label += ", " + std::to_string(row.servers) + " ps";
    }
    if (row.servers > 0 || row.workers > 1) {
        label += ", " + spec::counted(static_cast<std::size_t>(row.workers), "worker");
    }
    return label;
}

int replicasOf(const LabRow& row) {
    return row.servers > 0 ? 1 : row.devices * row.workers;
}

bool isSynchronous(const LabRow& row) {
    return row.servers == 0 || row.workers == 1;
}

std::vector<LabRow> chosenRows(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (std::none_of(std::begin(kRows), std::end(kRows), [&](const LabRow& row) { return isMeantBy(row, name); })) {
            std::vector<std::string> known;
            for (const LabRow& row : kRows) {
                known.emplace_back(row.name);
            }
            throw Error(ErrorCode::kInvalidArgument, "strategies: expected " + spec::oneOf(known) + ", got \"" + name + "\"");
        }
    }
    std::vector<LabRow> rows;
    std::copy_if(std::begin(kRows), std::end(kRows), std::back_inserter(rows), [&](const LabRow& row) {
        return names.empty() || row.kind == StrategyKind::kDefault ||
               std::any_of(names.begin(), names.end(), [&](const std::string& name) { return isMeantBy(row, name); });
    });
    return rows;
}

}  // namespace engine::lab
