// What this computer has to offer, read from /proc, sysfs, the processor and the GPUs' driver.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/load/gpu_probe.h"
#include "engine/run/host_info.h"

namespace agent::server {

// Returns what this computer has. `program_dir` holds the agent: shipped data lies in ../share/tandem beside it. Never throws: what can't
// be read stays empty, as do agent_version, runs_dir and runs_notice, which are the agent's to tell.
engine::run::HostInfo probeHost(const std::filesystem::path& runs_dir, const std::filesystem::path& program_dir, load::GpuProbe& gpus);

// Returns the GPUs alone, with what a worker beside the agent can do with them: it looks for its back-end as engine/backend/cuda_backend.h
// says.
engine::spec::GpuInventory gpusOf(const std::filesystem::path& program_dir, load::GpuProbe& probe);

std::string hostName();
std::vector<std::string> ownAddresses();
// True when an address of a cluster ("localhost", "127.0.0.1", this computer's name or one of its addresses) is this computer.
bool isThisHost(const std::string& host);
// True when the address is a number of IPv4 or IPv6, and no name.
bool isNumericAddress(const std::string& host);

}  // namespace agent::server
