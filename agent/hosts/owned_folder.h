// A folder of mode 0700 for the sockets of one connection, or what else lives as long as one owner, below convert::agentFolder(): it goes
// with its owner, or with the next owner of the kind where that one was killed.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "agent/local/file_descriptor.h"

namespace agent::hosts {

class OwnedFolder {
public:
    // Its name begins with `prefix`, such as "far-". Throws Error(kPermissionDenied) naming the folder where it can't be made.
    explicit OwnedFolder(std::string_view prefix);
    ~OwnedFolder();
    OwnedFolder(const OwnedFolder&) = delete;
    OwnedFolder& operator=(const OwnedFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::optional<convert::FileDescriptor> lock_;  // says that its owner lives
};

}  // namespace agent::hosts
