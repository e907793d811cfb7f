// The folder of a sweep: its file sweep.json (engine/sweep/sweep_file.h), and below it the folders of its runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/file_descriptor.h"
#include "engine/files/safe_folder.h"
#include "engine/sweep/sweep_file.h"

namespace agent::client {

inline constexpr const char* kSweepFile = "sweep.json";

// Held by the one who goes on with the sweep: while it lives nobody else can open the folder. Movable; one thread.
class SweepFolder {
public:
    // A new sweep's, made where it is missing. Throws Error: kAlreadyExists naming it where it holds a sweep, kPermissionDenied,
    // kResourceExhausted (disk full).
    static SweepFolder make(const std::filesystem::path& folder);
    // One that holds a sweep. Throws Error(kNotFound) naming it where it holds none, and kAlreadyExists while another process has it.
    static SweepFolder open(const std::filesystem::path& folder);

    // Absolute.
    const std::filesystem::path& path() const { return folder_.path(); }
    // Throws Error(kDataLoss) naming the file for one that no sweep wrote.
    engine::sweep::SweepFile load() const;
    // The file is the former one or this one, whole, whatever happens meanwhile. Throws Error naming it.
    void save(const engine::spec::RunSpec& project, const engine::sweep::Sweep& sweep) const;

private:
    SweepFolder(engine::files::SafeFolder folder, engine::files::FileDescriptor lock)
        : folder_(std::move(folder)), lock_(std::move(lock)) {}

    engine::files::SafeFolder folder_;
    engine::files::FileDescriptor lock_;
};

// Reads the sweep of a folder without holding it: somebody may be at work there. Throws as SweepFolder::open() and load().
engine::sweep::SweepFile readSweep(const std::filesystem::path& folder);

// Where sweeps lie that were given no folder: $XDG_DATA_HOME/tandem/sweeps, else ~/.local/share/tandem/sweeps. Throws
// Error(kFailedPrecondition) when no variable says where.
std::filesystem::path sweepsFolder();
// A name for a new one below it, by the time: "20261121-143205-7f3a".
std::filesystem::path newSweepFolder();
// Those below it that hold a sweep, the newest first; none where it can't be read.
std::vector<std::filesystem::path> listSweeps();

}  // namespace agent::client
