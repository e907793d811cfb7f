// The folder of a sweep: its file sweep.json (engine/sweep/sweep_file.h), the project as project.tandem where somebody asked for it, and
// below it the folders of its runs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/files/file_descriptor.h"
#include "engine/files/safe_folder.h"
#include "engine/sweep/sweep_file.h"

namespace agent::client {

inline constexpr const char* kSweepFile = "sweep.json";

// The folder of a sweep, held by the one who goes on with it: while this object lives, nobody else can open the folder. Movable; one
// thread.
class SweepFolder {
public:
    // Makes the folder of a new sweep where it is missing, and holds it. Throws Error: kAlreadyExists naming it where it holds a sweep,
    // kPermissionDenied, kResourceExhausted (disk full).
    static SweepFolder make(const std::filesystem::path& folder);
    // Opens a folder that holds a sweep. Throws Error(kNotFound) naming it where it holds none, and kAlreadyExists while another process
    // has it.
    static SweepFolder open(const std::filesystem::path& folder);

    // Returns the folder, absolute.
    const std::filesystem::path& path() const { return folder_.path(); }
    // Throws Error(kDataLoss) naming the file for one that no sweep wrote.
    engine::sweep::SweepFile load() const;
    // Writes the file: afterwards it is the former one or this one, whole, whatever happens meanwhile. Throws Error naming it.
    void save(const engine::spec::RunSpec& project, const engine::sweep::Sweep& sweep) const;
    // Writes the project as a file of its own, whole or not at all, for whoever trains a trial again; returns the file. Throws Error
    // naming it.
    std::filesystem::path saveProject(const engine::spec::RunSpec& project) const;

private:
    void writeWhole(const char* name, const std::string& text) const;

    SweepFolder(engine::files::SafeFolder folder, engine::files::FileDescriptor lock)
        : folder_(std::move(folder)), lock_(std::move(lock)) {}

    engine::files::SafeFolder folder_;
    engine::files::FileDescriptor lock_;
};

// Reads the sweep of a folder without holding it: somebody may be at work there. Throws as SweepFolder::open() and load().
engine::sweep::SweepFile readSweep(const std::filesystem::path& folder);

// Returns the folder of all sweeps that were given none: $XDG_DATA_HOME/tandem/sweeps, else ~/.local/share/tandem/sweeps. Throws
// Error(kFailedPrecondition) when no variable of the environment names it.
std::filesystem::path sweepsFolder();
// Returns a folder for a new sweep below sweepsFolder(), named by the time: "20261121-143205-7f3a".
std::filesystem::path newSweepFolder();
// Returns the folders below sweepsFolder() that hold a sweep, the newest first; none where it can't be read.
std::vector<std::filesystem::path> listSweeps();

}  // namespace agent::client
