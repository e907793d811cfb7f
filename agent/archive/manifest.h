// What is in the archive of a run, as its member manifest.json says:
//
//   {"format": "tandem-run", "version": 1, "tandem": "1.4.0", "run": "20261121-143205-7f3a", "host": "node1",
//    "archived_unix_ns": 1764300000000000000, "checkpoints": "all", "events": 5012, "last_sequence": 5012,
//    "members": [{"name": "record.json", "bytes": 2712, "sha256": "..."}, ...]}
//
//   record.json       the run's record (agent/history/run_store.h), without its folder
//   journal.events    its events in order, each as TaskEvent (agent/proto/task_event.proto) behind its length (agent/wire/delimited.h)
//   project.tandem    its project
//   anything else     a file of the run's folder: checkpoints, logs, lists of them
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace agent::archive {

inline constexpr int kFormatVersion = 1;

struct ManifestMember {
    std::string name, sha256;
    std::int64_t bytes = 0;
    friend bool operator==(const ManifestMember&, const ManifestMember&) = default;
};

struct Manifest {
    std::string tandem, run, host, checkpoints;
    std::int64_t archived_unix_ns = 0, events = 0;
    std::uint64_t last_sequence = 0;
    std::vector<ManifestMember> members;  // all but the manifest itself
    friend bool operator==(const Manifest&, const Manifest&) = default;
};

std::string toJson(const Manifest& manifest);
// Throws Error naming `file`: kFailedPrecondition for one of a newer version, kDataLoss for what is no manifest.
Manifest parseManifest(std::string_view text, const std::string& file);

// Returns a digest of which run it is with which files, whenever and by whomever it was archived: two archives of an unchanged run have the
// same.
std::string digestOf(const Manifest& manifest);

}  // namespace agent::archive
