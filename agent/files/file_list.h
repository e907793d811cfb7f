// What an entry of a project's own files (a file, a pattern, a folder of images, a checkpoint) means on the computer that it was written
// on, and how another one can tell whether it has the same.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "agent/files/file_digests.h"

namespace agent::files {

struct ListedFile {
    std::string name;  // relative to FileList::folder
    std::int64_t bytes = 0;
    std::string sha256;
    friend bool operator==(const ListedFile&, const ListedFile&) = default;
};

// The entry is folder/leaf: leaf is "train.csv", "part-*.tfrecord", "cats_and_dogs" or "ckpt_3".
struct FileList {
    std::string folder;  // absolute
    std::string leaf;
    std::vector<ListedFile> files;  // sorted by name, each once
    // Every folder below `folder` that the entry means, empty ones too (of a class without pictures), sorted.
    std::vector<std::string> folders{};

    std::int64_t bytes() const;
    friend bool operator==(const FileList&, const FileList&) = default;
};

// The most files that one entry may mean, and the most bytes of its list as text.
inline constexpr std::size_t kMostFiles = 1'000'000, kMostListBytes = 256u << 20;

// `entry` is absolute. Links to files are followed, and to folders where they don't lead back to one on the way. Throws Error naming the
// file: kNotFound where there is nothing, kResourceExhausted for more than kMostFiles, and what FileDigests throws.
FileList listFiles(const std::filesystem::path& entry, FileDigests& digests, const std::function<bool()>& is_cancelled = {});
// Lists the same without checksums, so that no file is read. Throws as listFiles().
FileList listNames(const std::filesystem::path& entry, const std::function<bool()>& is_cancelled = {});

// Write the list as JSON, for the wire, and read it back. parseFileList throws Error(kInvalidArgument) for text of another form, for files
// that requireSound() refuses, and for one that stands twice.
std::string toText(const FileList& list);
FileList parseFileList(std::string_view text);

// Throws Error(kInvalidArgument) for a name that leads out of a folder, and for a size or a checksum that is none.
void requireSound(const ListedFile& file);

// Returns a checksum of the names, sizes and checksums of the files. It names the list, wherever the files lie.
std::string idOf(const FileList& list);

}  // namespace agent::files
