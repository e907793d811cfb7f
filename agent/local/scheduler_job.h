// A run that was handed to a scheduler has its job's number in its folder: RUN/scheduler.json.
//
//   {"scheduler": "slurm", "job": "123", "run": "20261121-143205-7f3a", "name": "mnist", "tasks": 2, "submitted_unix_ns":
//   1764300000000000000}
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/files/safe_folder.h"

namespace agent::convert {

inline constexpr const char* kSchedulerFile = "scheduler.json";
// The project as it was when the job was submitted, which its tasks read when the job begins.
inline constexpr const char* kSubmittedProject = "submitted.tandem";

struct SchedulerJob {
    std::string scheduler;  // "slurm"
    std::string job;        // as the scheduler numbers it: "123", and "123_4" of an array
    std::string run;        // the id of the run
    std::string name;       // of the run
    int tasks = 1;
    std::int64_t submitted_unix_ns = 0;
    friend bool operator==(const SchedulerJob&, const SchedulerJob&) = default;
};

// nullopt without the file. Throws Error(kDataLoss) naming the file and what is wrong with it, and Error for one that can't be read.
std::optional<SchedulerJob> readSchedulerJob(const engine::files::SafeFolder& folder);
// True when the folder has such a file.
bool hasSchedulerJob(const std::filesystem::path& folder);
// Throws Error naming the file.
void writeSchedulerJob(const engine::files::SafeFolder& folder, const SchedulerJob& job);

}  // namespace agent::convert
