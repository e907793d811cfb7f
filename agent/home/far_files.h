// A run's own files on its other computers: found there under their own path, or among those that were sent (agent/files/file_store.h).
//
// Own files are those that the project names by an absolute path and that can be read on this computer: data, and weights to begin with.
// Others, and more than a list holds, each computer looks for by itself, as it does for relative names among its data sets.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "agent/client/part_client.h"
#include "agent/files/file_digests.h"
#include "agent/server/runs/far_part.h"
#include "engine/thread/mutex.h"

namespace agent::home {

struct FilesThere {
    std::map<std::string, std::string> paths{};  // that they have there, by what the project calls them
    std::string lacking;                         // one that it lacks, as the project calls it; empty: all are there
    std::int64_t lacking_bytes = 0;              // of all that it lacks
};

// Throws Error as the calls do, and kCancelled.
FilesThere filesThere(const std::string& project_json, client::PartClient& parts, files::FileDigests& digests,
                      std::chrono::milliseconds deadline, const std::function<bool()>& is_cancelled = {});

// The project with its own files by the paths that they have there.
std::string projectThere(const std::string& project_json, const FilesThere& there);
// Returns a text of that computer with its paths replaced by the names that the project has for the files.
std::string namedAsHere(std::string text, const FilesThere& there);

// Returns how long a file of so many bytes may be on its way, over the slowest line that is worth waiting for.
std::chrono::seconds patienceFor(std::int64_t bytes);

// Brings one file of this computer there where it is not there yet, and answers its path there. Throws Error as the calls do, naming the
// file, and kCancelled.
std::string fileThere(const std::filesystem::path& file, client::PartClient& parts, std::chrono::milliseconds deadline,
                      const std::function<bool()>& is_cancelled);

// The places of a run's files on one computer, which is asked once: tasks that are started again read what they read before. Safe from any
// thread.
class KnownFiles {
public:
    explicit KnownFiles(std::shared_ptr<files::FileDigests> digests) : digests_(std::move(digests)) {}

    // Throws Error as filesThere(), and kFailedPrecondition naming a file that is not there.
    FilesThere get(const std::string& project_json, client::PartClient& parts, std::chrono::milliseconds deadline,
                   const std::function<bool()>& is_cancelled = {});

private:
    const std::shared_ptr<files::FileDigests> digests_;
    engine::Mutex mutex_;
    std::optional<FilesThere> there_ TANDEM_GUARDED_BY(mutex_);
};

// `version`: of this Tandem.
server::FileSharer shareOverSsh(std::string version, std::shared_ptr<files::FileDigests> digests);

}  // namespace agent::home
