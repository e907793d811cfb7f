// The one-file archive of a run (agent/archive), as whoever asks for one knows it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/run/run_info.h"

namespace engine::run {

inline constexpr const char* kArchiveEnding = ".tandem-run";

enum class ArchivedCheckpoints { kAll, kBest, kLatest, kNone };

inline constexpr std::array<std::string_view, 4> kArchivedCheckpointNames{"all", "best", "latest", "none"};

inline std::string_view toString(ArchivedCheckpoints checkpoints) {
    return kArchivedCheckpointNames[static_cast<std::size_t>(checkpoints)];
}

// nullopt for a word that is none of kArchivedCheckpointNames.
inline std::optional<ArchivedCheckpoints> archivedCheckpointsOf(std::string_view word) {
    const auto at = std::find(kArchivedCheckpointNames.begin(), kArchivedCheckpointNames.end(), word);
    return at == kArchivedCheckpointNames.end() ? std::nullopt
                                                : std::optional(static_cast<ArchivedCheckpoints>(at - kArchivedCheckpointNames.begin()));
}

struct ArchiveRequest {
    std::string run_id;
    std::string file;  // absolute
    ArchivedCheckpoints checkpoints = ArchivedCheckpoints::kAll;
    bool overwrite = false;  // else a file that is there is refused
    friend bool operator==(const ArchiveRequest&, const ArchiveRequest&) = default;
};

// How far an archive is written or read: of what it holds, before it is compressed.
struct ArchiveProgress {
    std::int64_t done_bytes = 0, all_bytes = 0;
    friend bool operator==(const ArchiveProgress&, const ArchiveProgress&) = default;
};

struct WrittenArchive {
    std::int64_t bytes = 0;  // of the file
    int checkpoints = 0;
    std::int64_t events = 0;
    friend bool operator==(const WrittenArchive&, const WrittenArchive&) = default;
};

struct ImportedRun {
    RunInfo run;
    bool was_here = false;  // the run itself, or what an earlier import of the same archive made
    friend bool operator==(const ImportedRun&, const ImportedRun&) = default;
};

}  // namespace engine::run
