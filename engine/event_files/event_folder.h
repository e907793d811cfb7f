// Finds event files below a folder, and the runs that they are, as TensorBoard names them: each folder that holds some is a run, called by
// its path from the folder that was opened.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace engine::event_files {

// "events.out.tfevents.1764300000.node1.42.0.v2"; not those that TensorFlow's profiler leaves empty.
bool isEventFile(std::string_view name);

// What a run is read from. Keras' callback writes two folders a run, train and validation: where a folder has both, they are one run.
struct RunSource {
    std::filesystem::path folder;
    bool is_validation = false;  // its values are called val_...
    friend bool operator==(const RunSource&, const RunSource&) = default;
};

struct EventFolder {
    std::string name;              // "sgd/lr_0.1"; of the opened folder itself its own name
    std::filesystem::path folder;  // absolute: of both sources that above them
    std::vector<RunSource> sources;
    std::int64_t changed_unix_ns = 0;  // when one of its files was written last, by the file system
    std::uint64_t bytes = 0;           // of all of its files
};

inline constexpr int kMostEventFolders = 300, kMostFolderDepth = 12;

// All runs below `root` (absolute), by name; links below it are not followed, and what can't be read is left out. Where there are more than
// kMostEventFolders, the first ones that are met are returned.
std::vector<EventFolder> eventFoldersBelow(const std::filesystem::path& root);
// Says whether there is one. It looks at `most` entries at the most.
bool holdsEventFiles(const std::filesystem::path& root, std::size_t most = 20000);

}  // namespace engine::event_files
