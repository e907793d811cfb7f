// A zip file that is written member by member, however large: nothing of it is held in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace agent::archive {

struct ZipMember {
    std::string name;
    bool is_compressed = true;
    std::int64_t bytes = -1;  // -1: not known before it is read
    // Called when the member's turn has come; what it answers gives up to `room` bytes a call, 0 at the end. Both may throw.
    std::function<std::function<std::size_t(char* to, std::size_t room)>()> open;
};

// Writes the members in their order, on this thread, into a new file beside `file`, syncs it and renames it. An earlier file of that name
// stays whole until then; without `overwrite` it is Error(kAlreadyExists). Throws what a member throws, and Error naming the file:
// kResourceExhausted (disk full), kPermissionDenied, kNotFound (no such folder), else kInternal. After an error no part of the new file
// remains.
void writeZipFile(const std::filesystem::path& file, std::vector<ZipMember> members, bool overwrite);

}  // namespace agent::archive
