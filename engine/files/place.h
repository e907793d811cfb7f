// A place where a file is read or written: wherever the user says, or below a folder that was opened once.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/files/safe_folder.h"

namespace engine::files {

// A value. Made from a path, links on it are followed, and new files are as the umask lets; made from a SafeFolder, which outlives it,
// everything is as that one says.
class Place {
public:
    Place(std::filesystem::path path) : path_(std::move(path)) {}  // NOLINT: any path is a place
    Place(const std::string& path) : path_(path) {}                // NOLINT
    Place(const char* path) : path_(path) {}                       // NOLINT
    // `below` may be written with "." and "..", as in "./logs": messages name it without.
    Place(const SafeFolder& folder, const std::filesystem::path& below)
        : path_((folder.path() / below).lexically_normal()), below_(below.lexically_normal()), folder_(&folder) {}

    // The whole of it, for messages and names.
    const std::filesystem::path& path() const { return path_; }
    Place operator+(std::string_view suffix) const;
    Place operator/(const std::filesystem::path& name) const;
    // Requires a name after the folder's.
    Place parent() const;

    // Throw Error as SafeFolder's.
    bool exists() const;
    void makeFolder() const;  // this place, with what is missing above it
    FileDescriptor openToRead() const;
    FileDescriptor create() const;
    FileDescriptor openToAppend() const;

    // The folder that holds it, opened, and its name there.
    struct Holder {
        SafeFolder folder;
        std::string name;
        Access access;  // of new files
    };
    Holder holder() const;

private:
    std::filesystem::path path_, below_;
    const SafeFolder* folder_ = nullptr;
};

}  // namespace engine::files
